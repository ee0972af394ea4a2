"""The Pico's pins: as the wiring says, on stand-ins for MicroPython's own modules."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType
from typing import Any, ClassVar

import pytest
from chip import FIRMWARE

from hardware.mcu import firmware
from hardware.ways import PICO_BUTTON_PINS, PICO_BUZZER_PIN, PICO_LAMP_PIN, PICO_TILE_PINS


class Pin:
    IN, PULL_UP = 0, 1
    levels: ClassVar[dict[int, int]] = {}

    def __init__(self, number: int, mode: int = -1, pull: int = -1) -> None:
        self.number = number
        self.is_pulled_up = (mode, pull) == (Pin.IN, Pin.PULL_UP)
        Pin.levels.setdefault(number, 1)

    def value(self) -> int:
        assert self.is_pulled_up
        return Pin.levels[self.number]


class PWM:
    def __init__(self, pin: Pin) -> None:
        self.number, self.hz, self.duty = pin.number, 0, -1

    def freq(self, hz: int) -> None:
        self.hz = hz

    def duty_u16(self, duty: int) -> None:
        self.duty = duty


class WDT:
    started: ClassVar[list[int]] = []

    def __init__(self, timeout: int) -> None:
        WDT.started.append(timeout)
        self.fed = 0

    def feed(self) -> None:
        self.fed += 1


class NeoPixel:
    def __init__(self, pin: Pin, count: int) -> None:
        self.number, self.shown = pin.number, list[tuple[int, int, int]]()
        self._next = [(0, 0, 0)] * count

    def __setitem__(self, at: int, colour: tuple[int, int, int]) -> None:
        self._next[at] = colour

    def write(self) -> None:
        self.shown = list(self._next)


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module, as the chip imports it."""
    machine, neopixel = ModuleType("machine"), ModuleType("neopixel")
    vars(machine).update(Pin=Pin, PWM=PWM, WDT=WDT)
    vars(neopixel).update(NeoPixel=NeoPixel)
    for name, module in (("machine", machine), ("neopixel", neopixel), ("firmware", firmware)):
        monkeypatch.setitem(sys.modules, name, module)
    Pin.levels.clear()
    WDT.started.clear()
    spec = importlib.util.spec_from_file_location("board", FIRMWARE / "board.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_its_pins_are_those_of_the_wiring(board: Any) -> None:
    assert tuple(PICO_TILE_PINS.values()) == board.TILE_PINS
    assert tuple(PICO_BUTTON_PINS.values()) == board.BUTTON_PINS
    assert (board.BUZZER_PIN, board.LAMP_PIN) == (PICO_BUZZER_PIN, PICO_LAMP_PIN)


def test_lines_are_read_as_masks_the_first_in_the_lowest_bit(board: Any) -> None:
    pins = board.Board()
    assert pins.read() == (0xFFF, 0b111)
    Pin.levels[PICO_TILE_PINS[1]] = Pin.levels[PICO_BUTTON_PINS["back"]] = 0
    assert pins.read() == (0xFFE, 0b011)


def test_lamps_are_lit_by_the_mask_and_dark_at_first(board: Any) -> None:
    pins = board.Board()
    strip = pins._strip
    assert strip.shown == [(0, 0, 0)] * 12
    pins.lamps(0b1000_0000_0001)
    assert [i for i, colour in enumerate(strip.shown) if any(colour)] == [0, 11]
    pins.lamps(0xFFFFF)
    assert sum(sum(colour) for colour in strip.shown) * 20 / 255 < 100  # mA: 20 a colour at full


@pytest.mark.parametrize(
    ("hz", "volume", "expected"),
    [(440, 2, (440, 32768)), (440, 1, (440, 400)), (440, 9, (440, 32768)), (0, 2, (0, 0)), (5, 2, (0, 0))],
)
def test_the_buzzer_hums_or_is_quiet(board: Any, hz: int, volume: int, expected: tuple[int, int]) -> None:
    pins = board.Board()
    pins.tone(hz, volume)
    assert (pins._buzzer.hz, pins._buzzer.duty) == expected


def test_the_watchdog_begins_with_the_loop_and_not_before(board: Any) -> None:
    pins = board.Board()
    assert WDT.started == []
    pins.feed()
    pins.feed()
    assert (WDT.started, pins._watchdog.fed) == ([2000], 2)


def test_with_back_held_at_the_start_the_prompt_comes_up(board: Any) -> None:
    pins = board.Board()
    assert not pins.is_prompt_wanted()
    Pin.levels[PICO_BUTTON_PINS["back"]] = 0
    assert pins.is_prompt_wanted()


def test_it_does_what_the_firmware_asks(board: Any) -> None:
    assert issubclass(board.Board, firmware.Pins)
    made = firmware.Firmware(board.Board())
    assert b"t12,b3,l12,z1" in made.step(0, b"")

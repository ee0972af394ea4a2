"""Switches on pins, by way of gpiozero's mock and of its own lgpio and RPi.GPIO classes on fakes of those.

Numbers of faults are those of public reports about these libraries.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import DeviceBusyError, DeviceLostError, DeviceNotFoundError
from firmware_host.ports import Levels, LevelSensor
from hardware.tiles.gpio import GpioLevels, Pull

PLACES = {0: 4, 1: 17, 3: 27}
LABELS = ["tile 1", "tile 2", "tile 3", "tile 4"]


def tiles(factory: Any, pull: Pull = "up") -> GpioLevels:
    return GpioLevels(factory, PLACES, LABELS, pull=pull, low=0)


class WiredPin(MockPin):  # type: ignore[misc]
    """A mock pin with a switch on it that beats the pull; a plain one follows its pull when opened."""

    def _set_pull(self, value: str) -> None:
        self._pull = value


class FakeLgpio(ModuleType):
    """lgpio over lines that are driven here.  Like the real one it keeps claims and callbacks apart."""

    SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3

    class error(Exception):
        def __str__(self) -> str:
            return repr(self.args[0])  # lgpio's way

    def __init__(self) -> None:
        super().__init__("lgpio")
        self.levels = dict.fromkeys(range(28), 1)
        self.held: dict[int, str] = {}
        self.flags: dict[int, int] = {}
        self.alerts: set[int] = set()
        self.callbacks: list[FakeCallback] = []
        self.is_dead = False
        self.is_bursting = False
        self.debounced: list[int] = []

    def gpiochip_open(self, _chip: int) -> int:
        return 0

    def gpiochip_close(self, _handle: int) -> None:
        self.flags.clear()
        self.alerts.clear()

    def gpio_claim_input(self, handle: int | None, gpio: int, flags: int = 0) -> None:
        if handle is None:
            raise TypeError("the chip is closed")
        if gpio in self.held:
            raise self.error("GPIO busy")
        self.flags[gpio] = flags
        self.alerts.discard(gpio)

    def gpio_claim_output(self, _handle: int, _gpio: int) -> None:
        raise AssertionError("no line is ever driven")

    def gpio_claim_alert(self, _handle: int, gpio: int, _edges: int, flags: int) -> None:
        self.flags[gpio] = flags
        self.alerts.add(gpio)

    def gpio_free(self, _handle: int, gpio: int) -> None:
        del self.flags[gpio]

    def gpio_get_mode(self, _handle: int, gpio: int) -> int:
        return self.flags[gpio]

    def gpio_get_line_info(self, _handle: int, gpio: int) -> list[Any]:
        return [0, gpio, 0, f"GPIO{gpio}", self.held[gpio]]

    def gpio_set_debounce_micros(self, _handle: int, _gpio: int, micros: int) -> None:
        self.debounced.append(micros)

    def gpio_read(self, _handle: int, gpio: int) -> int:
        if self.is_dead:
            raise self.error("bad handle")
        return self.levels[gpio]

    def callback(self, _handle: int, gpio: int, _edges: int, function: Callable[..., None]) -> FakeCallback:
        self.callbacks.append(FakeCallback(self, gpio, function))
        return self.callbacks[-1]

    def drive(self, gpio: int, level: int) -> None:
        if self.levels[gpio] != level:
            self.levels[gpio] = level
            for callback in [each for each in self.callbacks if each.gpio == gpio and gpio in self.alerts]:
                callback.function(0, gpio, level, 0)


class FakeCallback:
    def __init__(self, lgpio: FakeLgpio, gpio: int, function: Callable[..., None]) -> None:
        self._lgpio, self.gpio, self.function = lgpio, gpio, function

    def cancel(self) -> None:
        self._lgpio.callbacks.remove(self)
        if self._lgpio.is_bursting:
            for other in self._lgpio.callbacks:
                other.function(0, other.gpio, 0, 0)


class FakeRpiGpio(ModuleType):
    """RPi.GPIO over lines that are driven here, with or without edges."""

    IN, OUT, I2C, SPI, HARD_PWM, SERIAL, UNKNOWN = 1, 0, 42, 41, 43, 40, -1
    PUD_OFF, PUD_DOWN, PUD_UP = 20, 21, 22
    RISING, FALLING, BOTH, BCM = 31, 32, 33, 11

    def __init__(self, has_edges: bool = True, knows_board: bool = True) -> None:
        super().__init__("RPi.GPIO")
        self.levels = dict.fromkeys(range(28), 1)
        self.callbacks: dict[int, Callable[[int], None]] = {}
        self.debounced: list[int] = []
        self._has_edges, self._knows_board = has_edges, knows_board

    def setmode(self, _mode: int) -> None: ...

    def setwarnings(self, _on: bool) -> None: ...

    def setup(self, _channel: int, _mode: int, _pull: int) -> None:
        if not self._knows_board:
            raise RuntimeError("Cannot determine SOC peripheral base address")

    def gpio_function(self, _channel: int) -> int:
        return self.IN

    def input(self, channel: int) -> int:
        return self.levels[channel]

    def add_event_detect(self, channel: int, _edges: int, callback: Any, bouncetime: int) -> None:
        if not self._has_edges:
            raise RuntimeError("Failed to add edge detection")
        if bouncetime != -666:  # its word for none
            self.debounced.append(bouncetime)
        self.callbacks[channel] = callback

    def remove_event_detect(self, channel: int) -> None:
        self.callbacks.pop(channel, None)

    def cleanup(self, channel: int | None = None) -> None: ...

    def drive(self, channel: int, level: int) -> None:
        if self.levels[channel] != level:
            self.levels[channel] = level
            if channel in self.callbacks:
                self.callbacks[channel](channel)


class MockLines:
    """gpiozero's mock, driven like the fakes."""

    def __init__(self, factory: MockFactory) -> None:
        self._factory = factory
        self.debounced: list[int] = []

    def drive(self, bcm: int, level: int) -> None:
        pin = self._factory.pin(bcm)
        pin.drive_high() if level else pin.drive_low()


@pytest.fixture
def mock() -> MockFactory:
    return MockFactory(pin_class=WiredPin)


@pytest.fixture
def own_modules(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, ModuleType]]:
    """sys.modules where a fake may be put before gpiozero imports it; a Pi 3 behind it."""
    for name in ("lgpio", "RPi", "RPi.GPIO", "gpiozero.pins.lgpio", "gpiozero.pins.rpigpio"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
        del sys.modules[name]
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xA020D3)
    yield sys.modules
    from gpiozero.pins.local import LocalPiFactory

    LocalPiFactory.pins.clear()
    LocalPiFactory._reservations.clear()


def on_lgpio(modules: dict[str, ModuleType], lgpio: FakeLgpio) -> Any:
    modules["lgpio"] = lgpio
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory(chip=0)


def on_rpigpio(modules: dict[str, ModuleType], gpio: FakeRpiGpio) -> Any:
    modules["RPi"], modules["RPi.GPIO"] = ModuleType("RPi"), gpio
    modules["RPi"].GPIO = gpio  # type: ignore[attr-defined]
    from gpiozero.pins.rpigpio import RPiGPIOFactory

    return RPiGPIOFactory()


def test_a_low_line_is_a_shut_tile_and_a_place_without_a_pin_is_none(mock: MockFactory) -> None:
    sensor: LevelSensor = tiles(mock)
    mock.pin(4).drive_high()
    mock.pin(17).drive_low()
    mock.pin(27).drive_high()
    assert sensor.read() == (1, 0, None, 1)


def test_a_low_line_is_a_pressed_button(mock: MockFactory) -> None:
    sensor = GpioLevels(mock, {0: 23, 1: 24, 2: 25}, ["roll", "next", "back"], pull="up", low=1)
    for bcm in (23, 24, 25):
        mock.pin(bcm).drive_high()
    mock.pin(24).drive_low()
    assert sensor.read() == (0, 1, 0)


@pytest.mark.parametrize(("pull", "asked"), [("up", "up"), ("down", "down"), ("external", "floating")])
def test_the_configured_pull_is_asked_for(pull: Pull, asked: str, mock: MockFactory) -> None:
    sensor = tiles(mock, pull)
    assert sensor.note == ""
    assert {mock.pin(bcm).pull for bcm in PLACES.values()} == {asked}


@given(st.lists(st.tuples(st.sampled_from(sorted(PLACES)), st.integers(0, 1))))
def test_levels_are_as_driven_and_every_change_is_told(hands: list[tuple[int, int]]) -> None:
    factory = MockFactory(pin_class=WiredPin)
    sensor, lines, told = tiles(factory), MockLines(factory), list[Levels]()
    sensor.watch(lambda: told.append(sensor.read()))
    levels, expected = list(sensor.read()), list[Levels]()
    for index, level in hands:
        if levels[index] != level:
            levels[index] = level
            expected.append(tuple(levels))
        lines.drive(PLACES[index], level)
    assert told == expected
    assert sensor.read() == tuple(levels)


def test_with_edges_there_is_no_note_and_the_poll_is_slow(mock: MockFactory) -> None:
    sensor = tiles(mock)
    assert (sensor.note, sensor.poll_s) == ("", 1.0)


def test_fault_1_without_edges_the_levels_are_polled_and_the_note_says_why(
    own_modules: dict[str, ModuleType],
) -> None:
    gpio = FakeRpiGpio(has_edges=False)
    sensor = tiles(on_rpigpio(own_modules, gpio))
    assert sensor.poll_s == 0.01
    assert sensor.note == (
        "polling, because tile 1 on BCM 4 (header pin 7) gives no edges (Failed to add edge detection)"
    )
    sensor.watch(lambda: pytest.fail("there are no edges"))
    gpio.drive(17, 0)
    assert sensor.read() == (1, 0, None, 1)
    sensor.close()


def test_fault_2_a_board_the_backend_does_not_know_is_said_with_its_mend(
    own_modules: dict[str, ModuleType],
) -> None:
    with pytest.raises(DeviceNotFoundError, match=r"27 .*base address: .* set tiles\.backend to 'lgpio'"):
        tiles(on_rpigpio(own_modules, FakeRpiGpio(knows_board=False)))


def test_fault_5_a_busy_line_is_named_with_its_holder_and_nothing_is_kept(
    own_modules: dict[str, ModuleType],
) -> None:
    lgpio = FakeLgpio()
    factory = on_lgpio(own_modules, lgpio)
    lgpio.held[17] = "onewire@0"
    with pytest.raises(DeviceBusyError) as caught:
        tiles(factory)
    text = str(caught.value)
    assert text.startswith("tile 2 on BCM 17 (header pin 11): busy, held by 'onewire@0'")
    assert text.endswith(": stop it, or use another pin")
    assert lgpio.alerts == set()
    assert lgpio.callbacks == []
    del lgpio.held[17]
    assert tiles(factory).read() == (1, 1, None, 1)


def test_fault_5_many_busy_lines_make_one_short_text(own_modules: dict[str, ModuleType]) -> None:
    lgpio = FakeLgpio()
    lgpio.held = dict.fromkeys(range(4, 16), "gpiomon")
    labels = [f"tile {number}" for number in range(1, 13)]
    with pytest.raises(DeviceBusyError, match=r"tile 1 .*, tile 2 .*, tile 3 .* and 9 more: busy, held by"):
        GpioLevels(on_lgpio(own_modules, lgpio), dict(enumerate(range(4, 16))), labels, pull="up", low=0)


def test_fault_5_busy_is_said_beside_other_failures(own_modules: dict[str, ModuleType]) -> None:
    lgpio = FakeLgpio()
    lgpio.held[17] = "gpiomon"
    with pytest.raises(
        DeviceBusyError, match=r"tile 1 on BCM 17 .* 'gpiomon'.*; tile 2 on BCM 99: 99 is not"
    ):
        GpioLevels(on_lgpio(own_modules, lgpio), {0: 17, 1: 99}, LABELS, pull="up", low=0)


def test_fault_5_a_pin_opened_twice_by_ourselves_is_busy_too(mock: MockFactory) -> None:
    first = GpioLevels(mock, {0: 17}, ["the button roll"], pull="up", low=1)
    with pytest.raises(DeviceBusyError, match=r"^tile 2 on BCM 17 .* opened before by this program$"):
        tiles(mock)
    mock.pin(17).drive_high()
    assert first.read() == (0,)
    first.close()
    assert tiles(mock).read()[1] == 1


@pytest.mark.parametrize(
    ("bcm", "text"), [(99, "tile 1 on BCM 99: 99 is not a valid pin"), (2, "this line has a resistor")]
)
def test_a_pin_that_cannot_do_it_is_named(bcm: int, text: str, mock: MockFactory) -> None:
    mock.pin_class = MockPin
    with pytest.raises(DeviceNotFoundError, match=text):
        GpioLevels(mock, {0: bcm}, ["tile 1"], pull="down", low=0)


# A tile falls: the magnet crosses the threshold five times.
BOUNCE = [(17, 0), (17, 1), (17, 0), (4, 0), (17, 1), (17, 0), (17, 0)]


def play(factory: Any, lines: Any) -> list[Levels]:
    sensor, seen = tiles(factory), list[Levels]()
    sensor.watch(lambda: seen.append(sensor.read()))
    for bcm, level in BOUNCE:
        lines.drive(bcm, level)
    sensor.close()
    assert lines.debounced == []
    return seen


def test_fault_6_one_bounce_gives_the_same_levels_through_every_backend(
    own_modules: dict[str, ModuleType], mock: MockFactory
) -> None:
    lines = MockLines(mock)
    for bcm in PLACES.values():
        lines.drive(bcm, 1)
    expected = [
        (1, 0, None, 1), (1, 1, None, 1), (1, 0, None, 1), (0, 0, None, 1), (0, 1, None, 1), (0, 0, None, 1),
    ]  # fmt: skip
    assert play(mock, lines) == expected
    lgpio, gpio = FakeLgpio(), FakeRpiGpio()
    factory = on_lgpio(own_modules, lgpio)
    assert play(factory, lgpio) == expected
    factory.close()
    assert play(on_rpigpio(own_modules, gpio), gpio) == expected


def test_fault_7_a_handler_that_raises_leaves_the_other_lines_alive(
    own_modules: dict[str, ModuleType], caplog: pytest.LogCaptureFixture
) -> None:
    lgpio = FakeLgpio()
    sensor, calls = tiles(on_lgpio(own_modules, lgpio)), list[Levels]()

    def changed() -> None:
        calls.append(sensor.read())
        if len(calls) == 1:
            raise ValueError("from the handler")

    sensor.watch(changed)
    with caplog.at_level(logging.ERROR):
        lgpio.drive(4, 0)  # in lgpio's thread: what came out of it would end that
    lgpio.drive(17, 0)
    lgpio.drive(4, 1)
    assert len(calls) == 3
    assert "from the handler" in caplog.text


def test_fault_7_closing_in_a_burst_is_quiet(mock: MockFactory) -> None:
    sensor, lines, is_over = tiles(mock), MockLines(mock), threading.Event()
    raised: list[BaseException] = []
    watched = threading.Event()
    sensor.watch(watched.set)

    def burst() -> None:
        try:
            while not is_over.is_set():
                for bcm in PLACES.values():
                    lines.drive(bcm, 0)
                    lines.drive(bcm, 1)
        except BaseException as error:  # noqa: BLE001 - a thread's error would go unseen
            raised.append(error)

    hands = threading.Thread(target=burst)
    hands.start()
    watched.wait(5)
    for _ in range(50):
        sensor.close()
        sensor = tiles(mock)
        sensor.watch(watched.set)
    sensor.close()
    is_over.set()
    hands.join()
    assert raised == []


def test_fault_7_an_edge_on_its_way_while_closing_is_quiet_and_reaches_nobody(
    own_modules: dict[str, ModuleType],
) -> None:
    lgpio = FakeLgpio()
    factory, calls = on_lgpio(own_modules, lgpio), list[None]()
    sensor = tiles(factory)
    sensor.watch(partial(calls.append, None))
    late = list(lgpio.callbacks)
    lgpio.is_bursting = True
    sensor.close()
    assert lgpio.callbacks == []
    del sensor
    factory.close()
    for callback in late:
        callback.function(0, callback.gpio, 0, 0)  # lgpio's thread had fetched it already
    assert calls == []


def test_fault_8_a_tile_that_is_down_at_start_is_read_before_any_edge(mock: MockFactory) -> None:
    for bcm in PLACES.values():
        mock.pin(bcm).drive_high()
    mock.pin(27).drive_low()
    sensor = tiles(mock)
    sensor.watch(lambda: pytest.fail("no edge came"))
    assert sensor.read() == (1, 1, None, 0)


def test_an_edge_between_opening_and_watching_is_told_when_watched(mock: MockFactory) -> None:
    sensor, calls = tiles(mock), list[str]()
    sensor.watch(lambda: calls.append("at once"))
    assert calls == []
    sensor.close()
    again = tiles(mock)
    MockLines(mock).drive(4, 0 if again.read()[0] else 1)
    again.watch(lambda: calls.append("late"))
    assert calls == ["late"]


def test_a_line_that_cannot_be_read_any_more_is_lost(own_modules: dict[str, ModuleType]) -> None:
    lgpio = FakeLgpio()
    sensor = tiles(on_lgpio(own_modules, lgpio))
    lgpio.is_dead = True
    with pytest.raises(DeviceLostError, match=r"^tile 1 on BCM 4 \(header pin 7\): bad handle$"):
        sensor.read()


def test_closed_twice_is_quiet_and_then_it_is_lost(mock: MockFactory) -> None:
    sensor = tiles(mock)
    sensor.close()
    sensor.close()
    with pytest.raises(DeviceLostError, match="closed before"):
        sensor.read()


def test_opened_again_on_the_same_pins_it_has_edges_again(own_modules: dict[str, ModuleType]) -> None:
    lgpio = FakeLgpio()
    factory = on_lgpio(own_modules, lgpio)
    for level in (0, 1, 0):
        calls: list[None] = []
        sensor = tiles(factory)
        sensor.watch(partial(calls.append, None))
        assert sensor.note == ""
        lgpio.drive(17, level)
        assert calls == [None]
        assert len(lgpio.callbacks) == len(PLACES)
        sensor.close()


def test_the_pull_stays_while_edges_are_watched(own_modules: dict[str, ModuleType]) -> None:
    lgpio = FakeLgpio()
    sensor = tiles(on_lgpio(own_modules, lgpio))
    assert sensor.note == ""
    assert {lgpio.flags[bcm] for bcm in PLACES.values()} == {FakeLgpio.SET_PULL_UP}

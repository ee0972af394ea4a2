"""Lamps and buzzers in every way to wire them: one suite each."""

from __future__ import annotations

from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from firmware_host.errors import DeviceBusyError, DeviceLostError, DeviceNotFoundError
from firmware_host.ports import Buzzer, Lamps
from hardware.expander import Expander, mask
from hardware.signals.gpio import GpioBuzzer
from hardware.signals.mcp23017 import ExpanderLamps
from hardware.signals.serial import SerialBuzzer, SerialLamps
from hardware.ways import EXPANDER_TILE_PINS
from sim.devices.i2c_bus import I2cBus
from sim.devices.mcp23017 import Mcp23017

EVERY = frozenset(range(1, 13))


class FakeLink:
    """A link to a board that does what it is told."""

    def __init__(self) -> None:
        self.lit: frozenset[int] = frozenset()
        self.tone_now = (0, 0)
        self.taken = 0
        self.is_gone = False

    def take(self) -> FakeLink:
        if self.is_gone:
            raise DeviceNotFoundError("no board on USB")
        self.taken += 1
        return self

    def give_back(self, _link: object) -> None:
        self.taken -= 1

    def light(self, tiles: frozenset[int]) -> None:
        self._check()
        self.lit = tiles

    def tone(self, hz: int, volume: int) -> None:
        self._check()
        self.tone_now = (hz, volume)

    def _check(self) -> None:
        if self.is_gone:
            raise DeviceLostError("/dev/ttyACM0: hung up")


class SerialBench:
    """Lamps and a buzzer on the Pico."""

    def __init__(self) -> None:
        self.link: Any = FakeLink()

    def lamps(self) -> Lamps:
        return SerialLamps(self.link)

    def lit(self) -> frozenset[int]:
        return frozenset(self.link.lit)

    def buzzer(self) -> Buzzer:
        return SerialBuzzer(self.link, "high")

    def hz(self) -> int:
        return int(self.link.tone_now[0])

    def lose(self) -> None:
        self.link.is_gone = True

    def holds_nothing(self) -> bool:
        return bool(self.link.taken == 0)


class WiredBench:
    """Lamps on an MCP23017, a buzzer on the Pi."""

    def __init__(self) -> None:
        self._bus, self._chip = I2cBus(), Mcp23017()
        self._bus.attach(0x21, self._chip)
        self._factory = MockFactory(pin_class=MockPWMPin)

    def lamps(self) -> Lamps:
        chip = Expander(self._bus, 0x21, outputs=mask(EXPANDER_TILE_PINS.values()))
        return ExpanderLamps(chip, EXPANDER_TILE_PINS)

    def lit(self) -> frozenset[int]:
        pins = self._chip.outputs
        return frozenset(tile for tile, name in EXPANDER_TILE_PINS.items() if pins & mask([name]))

    def buzzer(self) -> Buzzer:
        return GpioBuzzer(self._factory, 15, "high")

    def hz(self) -> int:
        pin = self._factory.pin(15)
        return round(pin.frequency) if pin.frequency and pin.state > 0 else 0

    def lose(self) -> None:
        self._bus.detach(0x21)

    def holds_nothing(self) -> bool:
        return True


@pytest.fixture(params=[SerialBench, WiredBench], ids=["serial", "wired"])
def bench(request: pytest.FixtureRequest) -> Any:
    return request.param()


def test_exactly_the_lamps_that_are_asked_for_are_lit(bench: Any) -> None:
    lamps = bench.lamps()
    assert bench.lit() == frozenset()
    for lit in (EVERY, frozenset({1, 12}), frozenset({7}), frozenset()):
        lamps.light(lit)
        assert bench.lit() == lit
    lamps.close()


def test_closed_all_are_dark_and_nothing_is_held(bench: Any) -> None:
    lamps = bench.lamps()
    lamps.light(EVERY)
    lamps.close()
    assert bench.lit() == frozenset()
    assert bench.holds_nothing()


def test_lamps_that_are_gone_are_lost_or_not_found(bench: Any) -> None:
    lamps = bench.lamps()
    bench.lose()
    with pytest.raises(DeviceLostError):
        lamps.light(EVERY)
    with pytest.raises(DeviceLostError):
        lamps.close()
    assert bench.holds_nothing()
    with pytest.raises(DeviceNotFoundError):
        bench.lamps()


def test_a_buzzer_hums_at_what_it_is_told_and_is_quiet_at_the_end(bench: Any) -> None:
    buzzer = bench.buzzer()
    heard = []
    for hz in (440, 880, 0, 262):
        buzzer.tone(hz)
        heard.append(bench.hz())
    assert heard == [440, 880, 0, 262]
    buzzer.close()
    assert bench.hz() == 0


def test_a_quiet_buzzer_has_a_short_pulse() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    buzzer = GpioBuzzer(factory, 15, "low")
    buzzer.tone(1000)
    assert 0 < factory.pin(15).state < 0.1
    buzzer.close()


def test_a_buzzers_pin_that_is_taken_is_named() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    first = GpioBuzzer(factory, 15, "low")
    with pytest.raises(DeviceBusyError, match="the buzzer on BCM 15: busy"):
        GpioBuzzer(factory, 15, "low")
    with pytest.raises(DeviceNotFoundError, match="the buzzer on BCM 99"):
        GpioBuzzer(factory, 99, "low")
    first.close()

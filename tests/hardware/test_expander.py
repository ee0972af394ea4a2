"""The MCP23017: set up, read, written, set up again after a reset.  Numbers are those of fault reports."""

from __future__ import annotations

import errno

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.errors import DeviceLostError, DeviceNotFoundError
from hardware.expander import Expander, mask, pin_bit
from hardware.signals.mcp23017 import ExpanderLamps
from hardware.tiles.mcp23017 import _STILL_READINGS, POLL_STILL_S, ExpanderLevels
from sim.devices.i2c_bus import I2cBus
from sim.devices.mcp23017 import GPINTEN, GPPU, IODIR, Mcp23017

ADDRESS = 0x20
TILES = mask(f"GP{port}{bit}" for port in "AB" for bit in range(6))


class Desk:
    """A chip on a bus."""

    def __init__(self) -> None:
        self.bus = I2cBus(keep_log=True)
        self.chip = Mcp23017(1, self._interrupted)
        self.line: list[bool] = []
        self.bus.attach(ADDRESS, self.chip)

    def _interrupted(self, is_low: bool) -> None:
        if not hasattr(self, "line") or (self.line and self.line[-1] == is_low):
            return
        self.line.append(is_low)

    def opened(self, **options: int) -> Expander:
        return Expander(self.bus, ADDRESS, watched=TILES, **options)  # type: ignore[arg-type]

    def registers(self, register: int) -> int:
        low, high = self.bus.read_i2c_block_data(ADDRESS, 2 * register, 2)
        return high << 8 | low


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_pins_by_their_names() -> None:
    assert [pin_bit(name) for name in ("GPA0", "GPA7", "GPB0", "GPB7")] == [0, 7, 8, 15]
    assert mask(["GPA0", "GPB7"]) == 0x8001


def test_fault_9_gpa7_and_gpb7_are_outputs_whatever_else_is_asked(desk: Desk) -> None:
    desk.opened()
    assert desk.registers(IODIR) == 0x7F7F
    desk.opened(outputs=0x0F00)
    assert desk.registers(IODIR) == 0x707F


def test_inputs_are_pulled_up_and_with_resistors_of_their_own_only_the_unused(desk: Desk) -> None:
    desk.opened()
    assert desk.registers(GPPU) == 0x7F7F
    desk.opened(pull=False)
    assert desk.registers(GPPU) == 0x7F7F & ~TILES
    assert desk.registers(GPINTEN) == TILES


@settings(deadline=None)
@given(st.integers(0, 0x3F), st.integers(0, 0x3F))
def test_levels_are_those_at_the_pins(a: int, b: int) -> None:
    desk = Desk()
    expander = desk.opened()
    for bit in range(6):
        desk.chip.drive(bit, None if a >> bit & 1 else False)
        desk.chip.drive(8 + bit, None if b >> bit & 1 else False)
    assert expander.read() & TILES == b << 8 | a


def test_left_with_its_other_addresses_by_another_program_it_is_set_up_all_the_same(desk: Desk) -> None:
    desk.bus.write_i2c_block_data(ADDRESS, 0x0A, [0x80])  # IOCON.BANK
    desk.opened()
    assert desk.registers(IODIR) == 0x7F7F


def test_a_chip_that_was_reset_is_set_up_again_before_its_levels_count(desk: Desk) -> None:
    expander = desk.opened()
    desk.chip.drive(0, False)
    for _ in range(20):  # without its pull-ups the other pins float
        desk.chip.reset()
        assert expander.read() & TILES == TILES & ~1
    assert desk.registers(GPINTEN) == TILES


def test_lamps_are_lit_again_on_a_chip_that_was_reset(desk: Desk) -> None:
    pins = {1: "GPA0", 2: "GPA1", 12: "GPB7"}
    lamps = ExpanderLamps(Expander(desk.bus, ADDRESS, outputs=mask(pins.values())), pins)
    for lit, levels in (({1, 12}, 0x8001), ({2, 7}, 0x0002), (set(), 0)):
        lamps.light(frozenset(lit))
        assert desk.chip.outputs == levels
    lamps.light(frozenset({1}))
    desk.chip.reset()
    assert desk.chip.outputs == 0
    lamps.light(frozenset({1}))
    assert desk.chip.outputs == 0x0001
    lamps.close()
    assert desk.chip.outputs == 0


def test_absent_it_is_not_found_and_what_to_check_is_said(desk: Desk) -> None:
    desk.bus.detach(ADDRESS)
    with pytest.raises(DeviceNotFoundError, match="MCP23017 at 0x20: Remote I/O error: check its power"):
        desk.opened()


@pytest.mark.parametrize("number", [errno.EREMOTEIO, errno.EIO, errno.ETIMEDOUT])
@pytest.mark.parametrize("after", [0, 1])
def test_every_failure_of_the_bus_is_a_loss(desk: Desk, number: int, after: int) -> None:
    expander = desk.opened()
    desk.bus.fail_after(after, number)
    with pytest.raises(DeviceLostError, match="MCP23017 at 0x20"):
        expander.read()


def test_a_chip_that_resets_all_the_time_is_lost(desk: Desk) -> None:
    expander = desk.opened()
    write = desk.chip.write

    def write_and_forget(payload: bytes) -> None:
        write(payload)
        if payload[0] != 0x00 or len(payload) > 1:
            desk.chip.reset()

    desk.chip.write = write_and_forget  # type: ignore[method-assign]
    with pytest.raises(DeviceLostError, match="is its supply steady"):
        expander.read()


class Line:
    """The interrupt line as a sensor; ``stays``: how many readings it is still held down for."""

    poll_s, note = 1.0, ""

    def __init__(self, stays: int = 0) -> None:
        self.stays, self.reads = stays, 0

    def read(self) -> tuple[int, ...]:
        self.reads += 1
        self.stays -= 1
        return (int(self.stays >= 0),)

    def watch(self, changed: object) -> None: ...

    def close(self) -> None: ...


def levels_of(desk: Desk, line: Line | None) -> ExpanderLevels:
    return ExpanderLevels(desk.opened(), {0: "GPA0"}, ["tile 1"], low=0, interrupt=line)


def test_fault_10_it_is_read_until_its_line_is_let_go_of(desk: Desk) -> None:
    line = Line(stays=3)
    sensor = levels_of(desk, line)
    sensor.read()
    assert line.reads == 4
    assert sensor.poll_s == 1.0


def test_fault_10_a_line_that_is_held_down_for_good_means_polling(desk: Desk) -> None:
    line = Line(stays=1000)
    sensor = levels_of(desk, line)
    sensor.read()
    assert sensor.poll_s == 0.01
    line.stays = 0
    sensor.read()
    assert sensor.poll_s == 1.0


def test_the_line_is_pulled_by_a_change_and_let_go_of_by_reading(desk: Desk) -> None:
    expander = desk.opened()
    desk.line.clear()
    desk.chip.drive(9, False)
    assert desk.line == [True]
    expander.read()
    assert desk.line == [True, False]
    desk.chip.drive(6, False)  # nothing is on it
    assert desk.line == [True, False]


def test_polled_a_table_that_lies_still_is_looked_at_less_often(desk: Desk) -> None:
    sensor = levels_of(desk, None)
    for _ in range(_STILL_READINGS + 1):
        sensor.read()
    assert sensor.poll_s == POLL_STILL_S
    desk.chip.drive(0, False)
    assert sensor.read() == (0,)
    assert sensor.poll_s == 0.01

"""The simulated MCP23017, by its data sheet."""

from __future__ import annotations

import pytest

from sim.devices.mcp23017 import GPINTEN, GPIO, GPPU, INTCAP, INTF, IOCON, IODIR, IPOL, OLAT, Mcp23017


def put(chip: Mcp23017, register: int, low: int, high: int) -> None:
    chip.write(bytes((2 * register, low, high)))


def get(chip: Mcp23017, register: int) -> tuple[int, int]:
    chip.write(bytes((2 * register,)))
    low, high = chip.read(2)
    return low, high


def test_after_a_reset_all_pins_are_inputs_without_pull_ups() -> None:
    chip = Mcp23017()
    put(chip, IODIR, 0, 0)
    put(chip, GPPU, 0xFF, 0xFF)
    chip.reset()
    assert (get(chip, IODIR), get(chip, GPPU), get(chip, IOCON)) == ((0xFF, 0xFF), (0, 0), (0, 0))


def test_an_input_is_what_drives_it_or_its_pull_up() -> None:
    chip = Mcp23017()
    put(chip, GPPU, 0x03, 0)
    chip.drive(0, False)
    chip.drive(2, True)
    assert get(chip, GPIO)[0] & 0x07 == 0b110
    chip.drive(0, None)
    assert get(chip, GPIO)[0] & 0x01 == 1


def test_a_floating_input_reads_anything() -> None:
    chip = Mcp23017()
    assert len({get(chip, GPIO) for _ in range(50)}) > 10


def test_polarity_turns_what_is_read() -> None:
    chip = Mcp23017()
    chip.drive(0, True)
    put(chip, IPOL, 0x01, 0)
    assert get(chip, GPIO)[0] & 1 == 0


def test_an_output_is_its_latch_and_writing_the_port_writes_the_latch() -> None:
    chip = Mcp23017()
    put(chip, IODIR, 0x0F, 0xFF)
    put(chip, GPIO, 0xAA, 0xAA)
    assert get(chip, OLAT) == (0xAA, 0xAA)
    assert chip.outputs == 0xA0
    assert get(chip, GPIO)[0] & 0xF0 == 0xA0


def test_the_first_change_is_captured_and_held_till_the_port_is_read() -> None:
    lows: list[bool] = []
    chip = Mcp23017(interrupt=lows.append)
    put(chip, GPPU, 0xFF, 0xFF)
    put(chip, GPINTEN, 0x0F, 0)
    get(chip, GPIO)
    lows.clear()
    chip.drive(1, False)
    chip.drive(2, False)
    assert lows[-1]
    assert (get(chip, INTF)[0], get(chip, INTCAP)[0]) == (0x02, 0xFD)
    assert not lows[-1]
    chip.drive(7, False)  # not watched
    assert not lows[-1]


def test_the_other_ports_change_reaches_inta_only_when_mirrored() -> None:
    lows: list[bool] = []
    chip = Mcp23017(interrupt=lows.append)
    put(chip, GPPU, 0xFF, 0xFF)
    put(chip, GPINTEN, 0, 0xFF)
    chip.drive(8, False)
    assert not chip.is_interrupting
    put(chip, IOCON, 0x40, 0x40)
    assert chip.is_interrupting
    assert lows[-1]


def test_with_bank_1_the_ports_registers_lie_apart() -> None:
    chip = Mcp23017()
    put(chip, IOCON, 0x80, 0x80)
    chip.write(bytes((0x10, 0x5A)))
    chip.write(bytes((0x05, 0x00)))  # IOCON: back to BANK 0
    assert get(chip, IODIR) == (0xFF, 0x5A)


@pytest.mark.parametrize("register", [INTF, INTCAP])
def test_what_is_captured_cannot_be_written(register: int) -> None:
    chip = Mcp23017()
    put(chip, register, 0xFF, 0xFF)
    assert get(chip, register) == (0, 0)

"""The simulated SSD1306 against the data sheet (rev 1.1), command by command."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.devices.ssd1306 import Ssd1306

DARK = bytes(1024)
LIT = b"\xff" * 1024
# Lit, upright, all of the RAM in horizontal order.
START = bytes.fromhex("8D14 2000 A1 C8 21007F 220007 AF")


def commands(panel: Ssd1306, text: str) -> None:
    """Send commands, written as hexadecimal, in one transaction."""
    panel.write(b"\x00" + bytes.fromhex(text))


def data(panel: Ssd1306, content: bytes) -> None:
    panel.write(b"\x40" + content)


def dots(panel: Ssd1306) -> set[tuple[int, int]]:
    """The lit pixels as (x, y)."""
    seen = panel.pixels()
    return {(x, y) for y in range(64) for x in range(128) if seen[16 * y + x // 8] >> (7 - x % 8) & 1}


@pytest.fixture
def panel() -> Ssd1306:
    """Started, lit, and blank."""
    panel = Ssd1306()
    panel.write(b"\x00" + START)
    data(panel, DARK)
    return panel


def test_power_on_is_dark_with_noise_behind() -> None:
    panel = Ssd1306()
    assert not panel.is_on
    assert panel.contrast == 0x7F
    assert panel.pixels() == DARK
    panel.write(b"\x00" + START)
    assert panel.pixels() not in (DARK, LIT)


def test_noise_is_the_same_for_a_seed_and_another_after_a_reset() -> None:
    pictures = []
    for panel in (Ssd1306(7), Ssd1306(7), Ssd1306(8)):
        panel.write(b"\x00" + START)
        pictures.append(panel.pixels())
    assert pictures[0] == pictures[1] != pictures[2]
    panel.reset()
    assert not panel.is_on
    panel.write(b"\x00" + START)
    assert panel.pixels() != pictures[2]


def test_reset_forgets_registers_and_half_a_command(panel: Ssd1306) -> None:
    commands(panel, "8110 A7 8D")
    panel.reset()
    assert (panel.is_on, panel.contrast) == (False, 0x7F)
    commands(panel, "AF")
    assert panel.is_on
    assert panel.pixels() == DARK


def test_lowest_bit_is_on_top_and_column_0_is_left(panel: Ssd1306) -> None:
    data(panel, b"\x01\x80")
    assert dots(panel) == {(0, 0), (1, 7)}


def test_dark_without_charge_pump_and_when_off(panel: Ssd1306) -> None:
    commands(panel, "A5")
    assert panel.pixels() == LIT
    commands(panel, "8D10")
    assert panel.is_on
    assert panel.pixels() == DARK
    commands(panel, "8D14 AE")
    assert not panel.is_on
    assert panel.pixels() == DARK


def test_off_keeps_the_picture_and_takes_a_new_one(panel: Ssd1306) -> None:
    commands(panel, "AE")
    data(panel, b"\x01")
    commands(panel, "AF")
    assert dots(panel) == {(0, 0)}


def test_inverse_and_entire_on_leave_the_ram_alone(panel: Ssd1306) -> None:
    data(panel, b"\x01")
    commands(panel, "A7")
    assert len(dots(panel)) == 128 * 64 - 1
    commands(panel, "A5")
    assert panel.pixels() == LIT
    commands(panel, "A4 A6")
    assert dots(panel) == {(0, 0)}


def test_contrast(panel: Ssd1306) -> None:
    commands(panel, "8100")
    assert panel.contrast == 0


# -- mapping ---------------------------------------------------------------------------------------


def test_segment_remap_turns_only_what_is_written_after_it(panel: Ssd1306) -> None:
    data(panel, b"\x01")
    commands(panel, "A0")
    assert dots(panel) == {(0, 0)}
    data(panel, b"\x02")
    assert dots(panel) == {(0, 0), (126, 1)}


def test_com_scan_direction_flips_at_once(panel: Ssd1306) -> None:
    data(panel, b"\x01")
    commands(panel, "C0")
    assert dots(panel) == {(0, 63)}


@pytest.mark.parametrize(
    ("command", "y"),
    [
        ("40", 10),
        ("41", 9),  # start line 1: row 1 of the RAM is on top
        ("4B", 63),
        ("D301", 9),  # offset 1: the picture one line up
        ("D33F", 11),
        ("D3FF", 11),  # the upper bits are not looked at
        ("4B D30B", 52),
        ("C0 D301", 54),  # the lines flipped: up in the COM order is down on the glass
        ("C0 41", 54),
    ],
)
def test_start_line_and_offset_move_the_picture(panel: Ssd1306, command: str, y: int) -> None:
    data(panel, bytes(128) + b"\x04")
    commands(panel, command)
    assert dots(panel) == {(0, y)}


def test_multiplex_ratio_lights_only_so_many_lines(panel: Ssd1306) -> None:
    commands(panel, "A5 A82F")
    assert {y for _, y in dots(panel)} == set(range(16, 64))  # COM47 on top scans row 0
    commands(panel, "C0")
    assert {y for _, y in dots(panel)} == set(range(16, 64))
    commands(panel, "D308")  # table 10-1: rows 8..47 on COM0..39, rows 0..7 on COM56..63
    assert {y for _, y in dots(panel)} == {*range(8), *range(24, 64)}


def test_wrong_com_pins_interleave_the_lines(panel: Ssd1306) -> None:
    data(panel, b"\x07")
    commands(panel, "DA02")
    assert dots(panel) == {(0, 0), (0, 2), (0, 4)}
    commands(panel, "DA32")
    assert dots(panel) == {(0, 0), (0, 1), (0, 3)}


# -- addressing ------------------------------------------------------------------------------------


def test_horizontal_window_fills_row_by_row_and_starts_over(panel: Ssd1306) -> None:
    commands(panel, "210A0B 220203")
    data(panel, b"\x01\x02\x04\x08\x10")
    assert dots(panel) == {(10, 20), (11, 17), (10, 26), (11, 27)}


def test_vertical_window_fills_column_by_column_and_starts_over(panel: Ssd1306) -> None:
    commands(panel, "2001 210A0B 220203")
    data(panel, b"\x01\x02\x04\x08\x10")
    assert dots(panel) == {(10, 20), (10, 25), (11, 18), (11, 27)}


def test_page_mode_stays_in_its_page_and_returns_to_its_start_column(panel: Ssd1306) -> None:
    commands(panel, "2002 B3 0E 17")  # column 0x7E
    data(panel, b"\x01\x02\x04")
    assert dots(panel) == {(126, 26), (127, 25)}


def test_page_mode_is_the_reset_mode() -> None:
    panel = Ssd1306()
    commands(panel, "8D14 A1 C8 AF")
    for page in range(8):
        commands(panel, f"B{page} 00 10")
        data(panel, bytes(128))
    assert panel.pixels() == DARK
    assert panel.unknown == []


def test_reset_mapping_is_upside_down_on_the_usual_module() -> None:
    panel = Ssd1306()
    commands(panel, "8D14 2000 AF")
    data(panel, b"\x02" + bytes(1023))
    assert dots(panel) == {(127, 62)}


def test_data_goes_on_over_transactions(panel: Ssd1306) -> None:
    data(panel, b"\x01")
    commands(panel, "E3")
    data(panel, b"\x01")
    assert dots(panel) == {(0, 0), (1, 0)}


@pytest.mark.parametrize("command", ["B3", "04", "12"])
def test_page_mode_commands_are_refused_in_the_other_modes(panel: Ssd1306, command: str) -> None:
    commands(panel, command)
    data(panel, b"\x01")
    assert dots(panel) == {(0, 0)}
    assert panel.unknown == [bytes.fromhex(command)]


@pytest.mark.parametrize("command", ["210001", "220001", "2003", "A80E"])
def test_what_the_data_sheet_forbids_is_refused(command: str) -> None:
    panel = Ssd1306()  # in page mode
    commands(panel, command)
    assert panel.unknown == [bytes.fromhex(command)]


@pytest.mark.parametrize("command", ["210500", "210080", "220301", "220008"])
def test_impossible_windows_are_refused(panel: Ssd1306, command: str) -> None:
    commands(panel, command)
    assert panel.unknown == [bytes.fromhex(command)]
    data(panel, b"\x01")
    assert dots(panel) == {(0, 0)}


# -- parsing ---------------------------------------------------------------------------------------


def test_every_command_of_the_data_sheet_is_known(panel: Ssd1306) -> None:
    commands(panel, "2600000007 00FF 2700000007 00FF 290000000701 2A0000000701 2E 2F A30040")
    commands(panel, "D580 D9F1 DB40 DA12 E3 A4 A6 40 7F A0 C0 D300 A83F 8180")
    commands(panel, "2002 00 0F 10 17 B0 B7 2001 2000 21007F 220007 AE AF")
    assert panel.unknown == []


@pytest.mark.parametrize("opcode", ["23", "80", "A2", "AD", "C1", "D6", "FF"])
def test_unknown_commands_are_kept_and_the_next_one_is_read(panel: Ssd1306, opcode: str) -> None:
    commands(panel, opcode + "AE")
    assert panel.unknown == [bytes.fromhex(opcode)]
    assert not panel.is_on


def test_data_cuts_a_command_short(panel: Ssd1306) -> None:
    commands(panel, "2105")
    data(panel, b"\x01")
    assert panel.unknown == [b"\x21\x05"]
    assert dots(panel) == {(0, 0)}


def test_control_bytes_may_alternate_in_one_transaction(panel: Ssd1306) -> None:
    panel.write(bytes.fromhex("80 81 80 55 C0 01 80 A7 40 02 04"))
    assert panel.contrast == 0x55
    commands(panel, "A6")
    assert dots(panel) == {(0, 0), (1, 1), (2, 2)}


def test_empty_writes_do_nothing(panel: Ssd1306) -> None:
    for payload in (b"", b"\x00", b"\x40", b"\x80"):
        panel.write(payload)
    assert panel.unknown == []
    assert panel.pixels() == DARK


@given(st.lists(st.integers(1, 18), max_size=18))
def test_commands_read_the_same_however_they_are_cut(cuts: list[int]) -> None:
    stream = START + bytes.fromhex("8133 D305 45 A7 A82F")
    whole, cut = Ssd1306(), Ssd1306()
    whole.write(b"\x00" + stream)
    bounds = [0, *sorted(cuts), len(stream)]
    for start, end in itertools.pairwise(bounds):
        cut.write(b"\x00" + stream[start:end])
    assert cut.pixels() == whole.pixels()
    assert (cut.contrast, cut.unknown) == (0x33, [])


@given(st.binary(max_size=300))
def test_any_payload_is_taken(payload: bytes) -> None:
    panel = Ssd1306()
    panel.write(payload)
    panel.write(b"\x00\xe3" + payload)
    assert len(panel.pixels()) == 1024


@given(st.integers(0, 2**32))
def test_picture_is_what_was_written(seed: int) -> None:
    frame = random.Random(seed).randbytes(1024)
    panel = Ssd1306()
    panel.write(b"\x00" + START)
    data(panel, frame)
    assert dots(panel) == {
        (x, 8 * page + bit) for page in range(8) for x in range(128) for bit in range(8)
        if frame[128 * page + x] >> bit & 1
    }  # fmt: skip

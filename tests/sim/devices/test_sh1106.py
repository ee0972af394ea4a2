"""The simulated SH1106, by its data sheet."""

from __future__ import annotations

import pytest

from sim.devices.sh1106 import Sh1106

ON = bytes((0x00, 0xAF, 0xA1, 0xC8))


def lit(panel: Sh1106) -> set[tuple[int, int]]:
    pixels = panel.pixels()
    return {(x, y) for y in range(64) for x in range(128) if pixels[16 * y + x // 8] >> (7 - x % 8) & 1}


def dark() -> Sh1106:
    """On, upright, nothing lit."""
    panel = Sh1106()
    panel.write(ON)
    for page in range(8):
        panel.write(bytes((0x00, 0xB0 | page, 0x00, 0x10)))
        panel.write(b"\x40" + bytes(132))
    return panel


def test_off_it_is_dark_and_on_it_shows_the_noise_of_its_ram() -> None:
    panel = Sh1106(1)
    assert lit(panel) == set()
    panel.write(ON)
    assert len(lit(panel)) > 1000


@pytest.mark.parametrize(("column", "x"), [(2, 0), (129, 127), (66, 64)])
def test_the_glass_begins_at_column_2(column: int, x: int) -> None:
    panel = dark()
    panel.write(bytes((0x00, 0xB3, column & 0x0F, 0x10 | column >> 4)))
    panel.write(b"\x40\x81")
    assert lit(panel) == {(x, 24), (x, 31)}


@pytest.mark.parametrize("column", [0, 1, 130, 131])
def test_columns_beside_the_glass_are_not_seen(column: int) -> None:
    panel = dark()
    panel.write(bytes((0x00, 0xB0, column & 0x0F, 0x10 | column >> 4)))
    panel.write(b"\x40\xff")
    assert lit(panel) == set()


def test_data_stops_at_the_end_of_the_page() -> None:
    panel = dark()
    panel.write(bytes((0x00, 0xB0, 0x0F, 0x17)))  # column 127
    panel.write(b"\x40" + b"\xff" * 20)
    assert {x for x, _ in lit(panel)} == {125, 126, 127}
    assert {y for _, y in lit(panel)} == set(range(8))


def test_the_other_way_round_it_is_upside_down() -> None:
    panel = dark()
    panel.write(bytes((0x00, 0xB0, 0x02, 0x10)))
    panel.write(b"\x40\x01")
    panel.write(b"\x00\xa0\xc0")
    assert lit(panel) == {(127, 63)}


def test_reverse_all_lit_and_without_its_converter() -> None:
    panel = dark()
    panel.write(b"\x00\xa7")
    assert len(lit(panel)) == 128 * 64
    panel.write(b"\x00\xa6\xa5")
    assert len(lit(panel)) == 128 * 64
    panel.write(b"\x00\xad\x8a")
    assert lit(panel) == set()


def test_what_only_an_ssd1306_knows_is_unknown() -> None:
    panel = Sh1106()
    panel.write(bytes((0x00, 0x20, 0x00, 0x8D, 0x14)))
    assert panel.unknown == [b"\x20", b"\x8d"]

"""Text in the largest type that fits, never cut within a sign."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.screens.fitting import centred, cut, fill, headline, largest, shorten, wrap
from firmware_host.screens.fonts import Font
from firmware_host.screens.layout import PANEL, Area, text_lines

BODY = Area(0, 16, 128, 32)


@pytest.mark.parametrize(
    ("words", "columns", "short"),
    [("Ann", 3, "Ann"), ("Anna", 3, "An…"), ("Ann B", 4, "Ann…"), ("Ann B", 5, "Ann B"), ("Ann", 1, "…")],
)
def test_shorten(words: str, columns: int, short: str) -> None:
    assert shorten(words, columns) == short


@pytest.mark.parametrize(
    ("words", "columns", "lines"),
    [
        ("OPEN 5", 6, ("OPEN 5",)),
        ("OPEN 5", 5, ("OPEN", "5")),
        ("OPEN 5", 3, None),
        ("", 3, ()),
        ("OPEN 1 2 10 11", 8, ("OPEN 1 2", "10 11")),
    ],
)
def test_wrap(words: str, columns: int, lines: tuple[str, ...] | None) -> None:
    assert wrap(words, columns) == lines


@given(st.lists(st.integers(1, 12), min_size=1), st.integers(2, 25))
def test_wrapped_lines_fit_and_lose_nothing(numbers: list[int], columns: int) -> None:
    words = " ".join(map(str, numbers))
    lines = wrap(words, columns)
    assert lines is not None
    assert " ".join(lines) == words
    assert all(len(line) <= columns for line in lines)


@pytest.mark.parametrize(
    ("words", "font"),
    [("OPEN 5", Font.HUGE), ("OPEN 12", Font.HUGE), ("OPEN 3 4 5", Font.BIG), ("OPEN 1 2 3 4", Font.LARGE)],
)
def test_the_largest_type_is_taken(words: str, font: Font) -> None:
    fitting = largest(lambda _: [words], BODY)
    assert fitting is not None
    assert fitting[0] is font


def test_none_fits() -> None:
    assert largest(lambda _: ["W" * 26], BODY) is None


def test_what_does_not_fit_is_cut_off_with_a_mark() -> None:
    font, lines = cut(["1 " * 60], Area(0, 0, 50, 16))
    assert font is Font.TINY
    assert lines == ("1 1 1 1 1", "1 1 1 1 1…")
    assert cut(["1 " * 60], Area(0, 0, 45, 8))[1] == ("1 1 1 1…",)
    assert text_lines(fill(["W" * 26, "W"], Area(0, 0, 128, 8))) == ("W" * 24 + "…",)


def test_a_list_has_one_margin_a_headline_its_middle() -> None:
    area = Area(0, 0, 128, 48)
    listed, centre = fill(["OPEN 5", "SHUT 12"], area), headline(Font.BIG, ("OPEN 5", "SHUT 12"), area)
    assert {placed.x for row in listed for placed in row} == {22}
    assert [placed.x for row in centre for placed in row] == [28, 22]


def test_one_line_is_shortened_when_no_type_is_small_enough() -> None:
    (placed,) = centred("W" * 30, BODY, (Font.MEDIUM, Font.SMALL))
    assert placed.thing.words == "W" * 20 + "…"
    assert PANEL.contains(placed.area)

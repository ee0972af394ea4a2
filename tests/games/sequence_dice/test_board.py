"""The board as data: its numbers and its lines."""

from __future__ import annotations

import pytest

from firmware_host.errors import RuleError
from firmware_host.games.sequence_dice.board import (
    ALL,
    BY_NUMBER,
    LINES,
    LINES_THROUGH,
    NUMBERS,
    parse_numbers,
    squares_of,
    to_mask,
)
from firmware_host.games.sequence_dice.notation import format_square

GOOD = """
 2  3  4  5  6  2
 6  7  8  9  7  3
 5  9 12 12  8  4
 4  8 12 12  9  5
 3  7  9  8  7  6
 2  6  5  4  3  2
"""


def names(mask: int) -> list[str]:
    return [format_square(square) for square in squares_of(mask)]


def test_the_board_is_that_of_the_rules() -> None:
    assert parse_numbers(GOOD) == NUMBERS
    assert names(BY_NUMBER[3]) == ["r0c1", "r1c5", "r4c0", "r5c4"]
    assert names(BY_NUMBER[12]) == ["r2c2", "r2c3", "r3c2", "r3c3"]
    assert names(BY_NUMBER[2]) == ["r0c0", "r0c5", "r5c0", "r5c5"]


def test_each_number_has_four_squares_and_ten_and_eleven_have_none() -> None:
    assert set(BY_NUMBER) == {2, 3, 4, 5, 6, 7, 8, 9, 12}
    assert all(mask.bit_count() == 4 for mask in BY_NUMBER.values())
    assert sum(BY_NUMBER.values()) == ALL


def test_the_board_looks_the_same_from_both_ends() -> None:
    assert NUMBERS[::-1] == NUMBERS


@pytest.mark.parametrize(("length", "count"), [(5, 32), (6, 14)])
def test_the_number_of_lines(length: int, count: int) -> None:
    assert len(set(LINES[length])) == len(LINES[length]) == count
    assert all(line.bit_count() == length for line in LINES[length])
    assert sum(map(len, LINES_THROUGH[length])) == count * length


@pytest.mark.parametrize(
    "line",
    [
        ("r0c1", "r1c2", "r2c3", "r3c4", "r4c5"),  # off the centre
        ("r1c5", "r2c4", "r3c3", "r4c2", "r5c1"),
        ("r1c0", "r2c1", "r3c2", "r4c3", "r5c4"),
        ("r0c4", "r1c3", "r2c2", "r3c1", "r4c0"),
        ("r5c1", "r5c2", "r5c3", "r5c4", "r5c5"),
        ("r0c5", "r1c5", "r2c5", "r3c5", "r4c5"),
    ],
)
def test_lines_that_are_easily_forgotten(line: tuple[str, ...]) -> None:
    assert list(line) in [names(mask) for mask in LINES[5]]


def test_no_line_goes_round_an_edge() -> None:
    assert ["r0c4", "r0c5", "r1c0", "r1c1", "r1c2"] not in [names(mask) for mask in LINES[5]]


def test_a_set_is_its_squares() -> None:
    assert list(squares_of(to_mask((3, 35, 0)))) == [0, 3, 35]
    assert list(squares_of(0)) == []


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "6 rows of 6"),
        (GOOD.replace("  6  2\n", "  6\n", 1), "6 rows of 6"),
        (GOOD + GOOD, "6 rows of 6"),
        (GOOD.replace("7", "x", 1), "'x'"),
        (GOOD.replace(" 7", "10", 1), "no other number"),
        (GOOD.replace(" 7", " 8", 1), "on four squares"),
        (GOOD.replace(" 2  3  4", " 3  2  4", 1), "in its corners"),
        (GOOD.replace(" 9 12", "12  9", 1), "in its centre"),
    ],
)
def test_another_board_is_refused(text: str, what: str) -> None:
    with pytest.raises(RuleError, match=what):
        parse_numbers(text)

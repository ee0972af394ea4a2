"""The board: 36 squares with their numbers, and the lines that win.

A square is a number 0..35, row by row from the top left; a set of squares is an int with
bit ``n`` set for square ``n``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from firmware_host.errors import RuleError

SIZE = 6
SQUARES = SIZE * SIZE
ALL = (1 << SQUARES) - 1
LENGTHS = (5, 6)  # of a line that wins: five, or six by agreement (004)

_ROWS = """
    2   3   4   5   6   2
    6   7   8   9   7   3
    5   9  12  12   8   4
    4   8  12  12   9   5
    3   7   9   8   7   6
    2   6   5   4   3   2
"""
_FOUR_TIMES = (2, 3, 4, 5, 6, 7, 8, 9, 12)
_CORNERS = (0, 5, 30, 35)
_CENTRE = (14, 15, 20, 21)


def parse_numbers(text: str) -> tuple[int, ...]:
    """The number of each square, from rows of numbers.

    Raises RuleError unless it is six rows of six, each of 2 to 9 and 12 on four squares, 2 in the
    corners and 12 in the centre.
    """
    rows = [row.split() for row in text.strip().splitlines()]
    if [len(row) for row in rows] != [SIZE] * SIZE:
        raise RuleError(f"a board has {SIZE} rows of {SIZE} squares")
    try:
        numbers = tuple(int(word) for row in rows for word in row)
    except ValueError as error:
        raise RuleError(f"board: {error}") from None
    if sorted(numbers) != sorted(_FOUR_TIMES * 4):
        raise RuleError("a board has each of 2 to 9 and 12 on four squares, and no other number")
    if any(numbers[corner] != 2 for corner in _CORNERS) or any(numbers[square] != 12 for square in _CENTRE):
        raise RuleError("a board has 2 in its corners and 12 in its centre")
    return numbers


def to_mask(squares: Iterable[int]) -> int:
    """The set of ``squares``."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask


def squares_of(mask: int) -> Iterator[int]:
    """The squares of a set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _lines(length: int) -> tuple[int, ...]:
    """Every row, column or diagonal of ``length`` squares."""
    found = []
    for row in range(SIZE):
        for column in range(SIZE):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_column = row + down * (length - 1), column + right * (length - 1)
                if last_row < SIZE and 0 <= last_column < SIZE:
                    first, step = row * SIZE + column, down * SIZE + right
                    found.append(to_mask(range(first, first + step * length, step)))
    return tuple(found)


def _through(lines: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(line for line in lines if line >> square & 1) for square in range(SQUARES))


NUMBERS = parse_numbers(_ROWS)
"""The number of each square (004)."""
BY_NUMBER: Mapping[int, int] = MappingProxyType(
    {number: to_mask(s for s in range(SQUARES) if NUMBERS[s] == number) for number in _FOUR_TIMES}
)
"""The set of the four squares of each number."""
LINES: Mapping[int, tuple[int, ...]] = MappingProxyType({length: _lines(length) for length in LENGTHS})
"""The lines by their length, as sets: 32 of five, 14 of six."""
LINES_THROUGH: Mapping[int, tuple[tuple[int, ...], ...]] = MappingProxyType(
    {length: _through(lines) for length, lines in LINES.items()}
)
"""By length and square the lines through it."""

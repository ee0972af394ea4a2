"""Sequence Dice in text, and back.

A square is ``r0c1``: row and column from the top left, 0 to 5.  A position is six rows with ``/``
between them, ``.`` an empty square, ``g b r`` chips: ``....../..g.../....../....../....../......``.
"""

from __future__ import annotations

import re

from firmware_host.errors import RuleError
from firmware_host.games.sequence_dice.board import SIZE, SQUARES

LETTERS = "gbr"  # by colour
_SQUARE = re.compile(r"r([0-5])c([0-5])")


def format_square(square: int) -> str:
    """``r0c1``; :func:`parse_square` reads it back.

    >>> format_square(13)
    'r2c1'
    """
    row, column = divmod(square, SIZE)
    return f"r{row}c{column}"


def parse_square(text: str) -> int:
    """The square that ``text`` names; RuleError if none is called so."""
    found = _SQUARE.fullmatch(text)
    if found is None:
        raise RuleError(f"square {text!r}: r0c0 to r5c5, the row first")
    return int(found[1]) * SIZE + int(found[2])


def format_chips(chips: tuple[int, ...]) -> str:
    """The position with these sets of squares, by colour; :func:`parse_chips` reads it back."""
    characters = ["."] * SQUARES
    for letter, mask in zip(LETTERS, chips, strict=True):
        for square in range(SQUARES):
            if mask >> square & 1:
                characters[square] = letter
    return "/".join("".join(characters[first : first + SIZE]) for first in range(0, SQUARES, SIZE))


def parse_chips(text: str) -> tuple[int, ...]:
    """The squares of each colour, as sets.  Raises RuleError where rows, lengths or characters do not fit."""
    rows = text.split("/")
    if len(rows) != SIZE:
        raise RuleError(f"position {text!r}: {SIZE} rows with / between them, not {len(rows)}")
    for number, row in enumerate(rows):
        if len(row) != SIZE:
            raise RuleError(f"position {text!r}: row {number} has {len(row)} characters, not {SIZE}")
        for character in row:
            if character not in f".{LETTERS}":
                raise RuleError(f"position {text!r}: {character!r} in row {number}; allowed: . g b r")
    cells = "".join(rows)
    return tuple(
        sum(1 << square for square, found in enumerate(cells) if found == letter) for letter in LETTERS
    )

"""Chips on the board."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from firmware_host.errors import RuleError
from firmware_host.games.sequence_dice.board import ALL, LINES, LINES_THROUGH, SQUARES, squares_of
from firmware_host.games.sequence_dice.notation import LETTERS, format_chips, parse_chips

SUPPLY = 20  # chips of a colour that lie in the box of the game (004)


class Colour(IntEnum):
    """The colours, in the order of the seats; two sides play without red."""

    GREEN = 0
    BLUE = 1
    RED = 2

    @property
    def word(self) -> str:
        """``green``, ``blue`` or ``red``."""
        return self.name.lower()

    @property
    def letter(self) -> str:
        """``g``, ``b`` or ``r``."""
        return LETTERS[self]

    @classmethod
    def parse(cls, text: str) -> Colour:
        """The colour of a word or letter; RuleError if there is none such."""
        for colour in cls:
            if text in (colour.word, colour.letter):
                return colour
        raise RuleError(f"colour {text!r}: green, blue, red, or g, b, r")


@dataclass(frozen=True, slots=True)
class Position:
    """An immutable position; ``chips``: the squares of each colour, as sets that do not meet."""

    chips: tuple[int, ...] = (0, 0, 0)

    @classmethod
    def parse(cls, text: str) -> Position:
        """A position from its text; RuleError if it is none."""
        return cls(parse_chips(text))

    @property
    def text(self) -> str:
        """Six rows with ``/`` between them; :meth:`parse` reads it back."""
        return format_chips(self.chips)

    @classmethod
    def of(cls, layout: tuple[int, ...]) -> Position:
        """The position that lies as ``layout``: by square 0 when empty, else 1, 2, 3 for the colours."""
        chips = [0, 0, 0]
        for square, found in enumerate(layout):
            if found:
                chips[found - 1] |= 1 << square
        return cls(tuple(chips))

    @property
    def layout(self) -> tuple[int, ...]:
        """By square 0 when empty, else 1, 2, 3 for the colours; :meth:`of` reads it back."""
        found = [0] * SQUARES
        for colour, mask in enumerate(self.chips, start=1):
            for square in squares_of(mask):
                found[square] = colour
        return tuple(found)

    @property
    def covered(self) -> int:
        """The squares with a chip."""
        green, blue, red = self.chips
        return green | blue | red

    @property
    def is_full(self) -> bool:
        """Every square has a chip."""
        return self.covered == ALL

    def others(self, colour: int) -> int:
        """The squares of all other colours."""
        return self.covered ^ self.chips[colour]

    def colour_at(self, square: int) -> Colour | None:
        """The colour of the chip on ``square``; None: it is empty."""
        return next((colour for colour in Colour if self.chips[colour] >> square & 1), None)

    def with_chip(self, square: int, colour: int) -> Position:
        """The position with a chip of ``colour`` on ``square``, in place of whatever lay there."""
        bit = 1 << square
        return Position(
            tuple(mask | bit if other == colour else mask & ~bit for other, mask in enumerate(self.chips))
        )

    def without_chip(self, square: int) -> Position:
        """The position with ``square`` empty."""
        return Position(tuple(mask & ~(1 << square) for mask in self.chips))

    def wins_at(self, square: int, colour: int, in_a_row: int) -> bool:
        """A line of ``colour`` with so many chips goes through ``square``."""
        chips = self.chips[colour]
        return any(line & chips == line for line in LINES_THROUGH[in_a_row][square])

    def line(self, colour: int, in_a_row: int) -> int:
        """The squares of ``colour`` that lie in complete lines; 0: it has none."""
        chips, found = self.chips[colour], 0
        for line in LINES[in_a_row]:
            if line & chips == line:
                found |= line
        return found

"""What the lines of a position promise each colour.

A line is worth the product, over its squares, of the chance that one roll makes the square one's
own: 1 where it is, the chance of its number or of the wild 11 where it is empty, and of a freeing
roll before that where another colour lies.  A line that is complete is worth 1.  A change of one
square multiplies every line through it by the same ratio, so what it brings is known at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from firmware_host.games.sequence_dice.board import LINES, NUMBERS, SQUARES, squares_of
from firmware_host.games.sequence_dice.position import Position
from firmware_host.games.sequence_dice.rules import DEFENSIVE, EXTRA_TURN, WILD, Action, Do, after

WAYS: Mapping[int, int] = {total: 6 - abs(total - 7) for total in range(2, 13)}
"""Of the 36 rolls of two dice, how many make each total."""
ROLLS = 36

# What one roll makes one's own, by square; a chip on a 2 or 12 is freed only by that very number.
_FILLED = tuple((WAYS[number] + WAYS[WILD]) / ROLLS for number in NUMBERS)
_FREED = tuple(WAYS[n if n in EXTRA_TURN else DEFENSIVE] / ROLLS for n in NUMBERS)
_OWN = (1.0,) * SQUARES
_EMPTY = _FILLED
_OTHERS = tuple(freed * filled for freed, filled in zip(_FREED, _FILLED, strict=True))

_THROUGH = {
    length: tuple(tuple(i for i, line in enumerate(lines) if line >> s & 1) for s in range(SQUARES))
    for length, lines in LINES.items()
}
_LINE_SQUARES = {length: tuple(tuple(squares_of(line)) for line in lines) for length, lines in LINES.items()}


def _gains(before: tuple[float, ...], after: tuple[float, ...]) -> tuple[float, ...]:
    """By square, what a line through it gains, per worth, when the square changes so."""
    return tuple(to / of - 1 for of, to in zip(before, after, strict=True))


# What each colour sees of an action: who does it, whose chip goes with it, and all others.
_ACTOR = {
    Do.PLACE: _gains(_EMPTY, _OWN), Do.REPLACE: _gains(_OTHERS, _OWN), Do.REMOVE: _gains(_OTHERS, _EMPTY),
}  # fmt: skip
_HOLDER = {Do.REPLACE: _gains(_OWN, _OTHERS), Do.REMOVE: _gains(_OWN, _EMPTY)}
_BYSTANDER = {
    Do.PLACE: _gains(_EMPTY, _OTHERS), Do.REPLACE: _gains(_OTHERS, _OTHERS), Do.REMOVE: _ACTOR[Do.REMOVE],
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Prospects:
    """By colour: the worth of each line (``lines``), of all (``totals``), of those through each square."""

    position: Position
    in_a_row: int
    lines: tuple[list[float], ...]
    totals: tuple[float, ...]
    through: tuple[list[float], ...]

    @classmethod
    def of(cls, position: Position, in_a_row: int, sides: int) -> Prospects:
        """The prospects of the first ``sides`` colours."""
        lines, through = [], []
        for colour in range(sides):
            own, others = position.chips[colour], position.others(colour)
            worth = [
                (_OWN if own >> s & 1 else _OTHERS if others >> s & 1 else _EMPTY)[s] for s in range(SQUARES)
            ]
            products, sums = [], [0.0] * SQUARES
            for line in _LINE_SQUARES[in_a_row]:
                product = prod([worth[square] for square in line])
                products.append(product)
                for square in line:
                    sums[square] += product
            lines.append(products)
            through.append(sums)
        return cls(position, in_a_row, tuple(lines), tuple(map(sum, lines)), tuple(through))

    def after(self, colour: int, do: Do, square: int) -> Prospects:
        """The prospects after ``colour`` did so: only the lines through ``square`` are reckoned anew."""
        squares_in = _LINE_SQUARES[self.in_a_row]
        lines, totals, through = [], [], []
        for other in range(len(self.lines)):
            products, sums, total = self.lines[other][:], self.through[other][:], self.totals[other]
            ratio = self._ratio(other, colour, do, square)
            for line in _THROUGH[self.in_a_row][square]:
                change = products[line] * ratio
                products[line] += change
                total += change
                for changed in squares_in[line]:
                    sums[changed] += change
            lines.append(products)
            totals.append(total)
            through.append(sums)
        position = after(self.position, colour, Action(do, square))
        return Prospects(position, self.in_a_row, tuple(lines), tuple(totals), tuple(through))

    def value(self, colour: int) -> float:
        """How much better ``colour`` stands than all others together."""
        return 2 * self.totals[colour] - sum(self.totals)

    def own_gains(self, colour: int, do: Do) -> list[float]:
        """By square, what the lines of ``colour`` gain when it does so there, where that is legal."""
        return [worth * ratio for worth, ratio in zip(self.through[colour], _ACTOR[do], strict=True)]

    def gain(self, viewer: int, colour: int, do: Do, square: int) -> float:
        """What :meth:`value` of ``viewer`` gains when ``colour`` does so."""
        gained = 0.0
        for other, through in enumerate(self.through):
            change = through[square] * self._ratio(other, colour, do, square)
            gained += change if other == viewer else -change
        return gained

    def gains(self, colour: int, do: Do) -> list[float]:
        """By square, what :meth:`value` of ``colour`` gains when it does so there, where that is legal."""
        gained = self.own_gains(colour, do)
        for other, through in enumerate(self.through):
            if other == colour:
                continue
            ratios: Sequence[float] = _BYSTANDER[do]
            if do is not Do.PLACE:
                chips, rows = self.position.chips[other], zip(_HOLDER[do], ratios, strict=True)
                ratios = [
                    holds if chips >> square & 1 else looks for square, (holds, looks) in enumerate(rows)
                ]
            rows_of_all = zip(gained, through, ratios, strict=True)
            gained = [before - worth * ratio for before, worth, ratio in rows_of_all]
        return gained

    def _ratio(self, viewer: int, colour: int, do: Do, square: int) -> float:
        """What a line of ``viewer`` through ``square`` gains, per worth, when ``colour`` does so."""
        if viewer == colour:
            return _ACTOR[do][square]
        holds = self.position.chips[viewer] >> square & 1
        return (_HOLDER if holds else _BYSTANDER)[do][square]

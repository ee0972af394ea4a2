"""The best of several moves, and what another one gives away."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.rules import Rules, Shut, legal_shuts

Value = Fraction | float
"""A chance or an expected score: exact, or to 12 digits."""

_SAME = 1e-12  # floats closer than this are the same value


@dataclass(frozen=True, slots=True)
class Move:
    """A legal set and what the turn is worth after it."""

    shut: Shut
    value: Value


@dataclass(frozen=True, slots=True)
class Advice:
    """What can be done with a roll.

    ``value``: what the turn is worth with that roll, best played.  ``moves``: every
    legal set, best first.  ``best``: every set that nothing beats.  Of equal sets the
    one with the fewest tiles comes first, then the lowest.
    """

    value: Value
    moves: tuple[Move, ...]
    best: tuple[Shut, ...]

    def loss(self, shut: Shut) -> Value:
        """What ``shut`` gives away against the best, 0 or more; ValueError if it is not legal."""
        for move in self.moves:
            if move.shut == shut:
                return abs(self.value - move.value)
        raise ValueError(f"{shut!r} is none of the legal sets {[move.shut for move in self.moves]!r}")


class Valuation(Protocol):
    """What every box is worth to the player, for one aim."""

    @property
    def rules(self) -> Rules:
        """How the turn is played."""

    @property
    def less_is_better(self) -> bool:
        """Best play makes the value small."""

    def value(self, box: Box) -> Value:
        """What ``box`` is worth before the roll."""

    def value_when_stuck(self, box: Box) -> Value:
        """What it is worth to end with ``box``."""

    def value_by_dice(self, box: Box) -> dict[int, Value]:
        """What rolling one die or two is worth, where it may be rolled; empty when the box is shut."""


def advise(valuation: Valuation, box: Box, dice: tuple[int, ...]) -> Advice:
    """The legal sets for ``dice`` by what they are worth; RuleError for other dice than 1..6."""
    legal = legal_shuts(box, dice, valuation.rules)
    if not legal:
        return Advice(valuation.value_when_stuck(box), (), ())
    moves = [Move(shut, valuation.value(box.shut(shut))) for shut in legal]
    best_value = _best((move.value for move in moves), valuation.less_is_better)
    best = tuple(move.shut for move in moves if _same(move.value, best_value))
    moves.sort(key=lambda move: (move.shut not in best, abs(move.value - best_value)))
    return Advice(best_value, tuple(moves), best)


def best_dice(valuation: Valuation, box: Box) -> tuple[int, ...]:
    """Every number of dice that nothing beats; ``()`` when the box is shut."""
    by_dice = valuation.value_by_dice(box)
    if not by_dice:
        return ()
    best_value = _best(by_dice.values(), valuation.less_is_better)
    return tuple(dice for dice, value in by_dice.items() if _same(value, best_value))


def _best(values: Iterable[Value], less_is_better: bool) -> Value:
    return min(values) if less_is_better else max(values)


def _same(one: Value, other: Value) -> bool:
    """Equal; where rounding is possible, to 12 digits."""
    if isinstance(one, float) or isinstance(other, float):
        return abs(one - other) <= _SAME
    return one == other

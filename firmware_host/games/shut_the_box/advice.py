"""The best of several moves, and what another one gives away."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Protocol, TypeVar

from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.rules import Rules, Shut, legal_shuts

Value = TypeVar("Value", Fraction, float)
"""A chance or an expected score: exact, or to 12 digits."""

_SAME = 1e-12  # floats closer than this are the same value


@dataclass(frozen=True, slots=True)
class Move(Generic[Value]):
    """A legal set and what the turn is worth after it."""

    shut: Shut
    value: Value


@dataclass(frozen=True, slots=True)
class Advice(Generic[Value]):
    """What can be done with a roll.

    ``value``: what the turn is worth with that roll, best played.  ``moves``: every
    legal set, best first.  ``best``: every set that nothing beats.  Of equal sets the
    one with the fewest tiles comes first, then the lowest.
    """

    value: Value
    moves: tuple[Move[Value], ...]
    best: tuple[Shut, ...]

    def loss(self, shut: Shut) -> Value:
        """What ``shut`` gives away against the best, 0 or more; ValueError if it is not legal."""
        for move in self.moves:
            if move.shut == shut:
                return abs(self.value - move.value)
        raise ValueError(f"{shut!r} is none of the legal sets {[move.shut for move in self.moves]!r}")


class Valuation(Protocol[Value]):
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


def advise(valuation: Valuation[Value], box: Box, dice: tuple[int, ...]) -> Advice[Value]:
    """The legal sets for ``dice`` by what they are worth; RuleError for other dice than 1..6."""
    legal = legal_shuts(box, dice, valuation.rules)
    if not legal:
        return Advice(valuation.value_when_stuck(box), (), ())
    moves: list[Move[Value]] = [Move(shut, valuation.value(box.shut(shut))) for shut in legal]
    ranked = sorted(moves, key=lambda move: move.value, reverse=not valuation.less_is_better)
    value = ranked[0].value
    best = tuple(move for move in moves if _same(move.value, value))
    return Advice(
        value, best + tuple(move for move in ranked if move not in best), tuple(m.shut for m in best)
    )


def best_dice(valuation: Valuation[Value], box: Box) -> tuple[int, ...]:
    """Every number of dice that nothing beats; ``()`` when the box is shut."""
    by_dice = valuation.value_by_dice(box)
    if not by_dice:
        return ()
    best = min(by_dice.values()) if valuation.less_is_better else max(by_dice.values())
    return tuple(dice for dice, value in by_dice.items() if _same(value, best))


def _same(one: Value, other: Value) -> bool:
    """Equal; where rounding is possible, to 12 digits."""
    return abs(one - other) <= (0 if isinstance(one, Fraction) else _SAME)

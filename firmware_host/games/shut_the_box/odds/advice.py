"""The best of several moves, and what another one gives away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Protocol, TypeVar

from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.rules import Shut

Value = TypeVar("Value", Fraction, float)
"""A chance or an expected score: exact, or to 12 digits."""

_SAME = 1e-12  # chances closer than this are the same


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

    def value(self, box: Box) -> Value:
        """What ``box`` is worth before the roll, best played."""

    def advise(self, box: Box, dice: tuple[int, ...]) -> Advice[Value]:
        """What can be done with ``dice``; RuleError for other dice than 1..6."""

    def best_dice(self, box: Box) -> tuple[int, ...]:
        """Every number of dice that nothing beats; ``()`` when the box is shut."""


def rank(legal: Sequence[Shut], payoffs: Sequence[float], values: Sequence[Value]) -> Advice[Value]:
    """The advice from what each of the ``legal`` sets, one at least, is worth.

    ``payoffs`` decides, the more the better: whole numbers exactly, floats to 12 digits.
    ``values`` is what it is called.
    """
    order = sorted(range(len(legal)), key=payoffs.__getitem__, reverse=True)
    best: list[int] = sorted(i for i in order if is_best(payoffs[i], payoffs[order[0]]))
    ranked: list[int] = best + order[len(best) :]
    moves = tuple(Move(legal[i], values[i]) for i in ranked)
    return Advice(moves[0].value, moves, tuple(legal[i] for i in best))


def is_best(payoff: float, best: float) -> bool:
    """Nothing beats it: equal to the ``best``; where rounding is possible, to 12 digits."""
    return payoff == best or (isinstance(payoff, float) and payoff >= best - _SAME)

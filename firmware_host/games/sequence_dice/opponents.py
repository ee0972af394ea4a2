"""Opponents: who tell a person where to put their chips."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from firmware_host.games.sequence_dice.board import LINES, NUMBERS, squares_of
from firmware_host.games.sequence_dice.position import Position
from firmware_host.games.sequence_dice.prospects import ROLLS, WAYS, Prospects
from firmware_host.games.sequence_dice.rules import (
    PASS,
    WILD,
    Action,
    Do,
    Rules,
    after,
    legal_actions,
    options,
)

LIMIT_S = 0.2


class Opponent(Protocol):
    """Plays a turn."""

    def choose(self, position: Position, colour: int, total: int) -> Action:
        """One of the legal actions of ``colour`` for a roll of ``total`` (2..12)."""


class Chance(Protocol):
    """Where carelessness comes from, such as a seeded ``random.Random``."""

    def random(self) -> float:
        """A number from 0 up to, not with, 1."""


@dataclass(frozen=True, slots=True)
class Casual:
    """Sees only its own lines; ``carelessness`` (0..1) of the choices any."""

    rules: Rules
    sides: int
    chance: Chance
    carelessness: float = 0.3

    def choose(self, position: Position, colour: int, total: int) -> Action:
        """What brings its own lines most."""
        legal = legal_actions(position, colour, total)
        if self.chance.random() < self.carelessness:
            return legal[int(self.chance.random() * len(legal))]
        if legal == (PASS,):
            return PASS
        gains = Prospects.of(position, self.rules.in_a_row, self.sides).own_gains(colour, legal[0].do)
        return max(legal, key=lambda action: gains[action.square or 0])


@dataclass(frozen=True, slots=True)
class Normal:
    """Counts the lines of all: wins where it can, else builds its own and breaks the others'."""

    rules: Rules
    sides: int

    def choose(self, position: Position, colour: int, total: int) -> Action:
        """The action after which it stands best."""
        return ranked(position, colour, total, self.rules, self.sides)[0]


@dataclass(frozen=True, slots=True)
class Hard:
    """Looks at all actions, all rolls after, each as often as it comes, the best reply, and who may win then.

    The best actions by *normal* first; ``clock`` (seconds) ends the search after ``limit_s``, with the
    best of those it has seen.
    """

    rules: Rules
    sides: int
    clock: Callable[[], float]
    limit_s: float = LIMIT_S

    def choose(self, position: Position, colour: int, total: int) -> Action:
        """The action with the best outlook; a win at once."""
        until = self.clock() + self.limit_s
        actions = ranked(position, colour, total, self.rules, self.sides)
        best, highest = actions[0], float("-inf")
        if best is PASS or wins(position, colour, best, self.rules):
            return best
        before = Prospects.of(position, self.rules.in_a_row, self.sides)
        again = self.rules.brings_extra_turn(total, blocked=False)
        mover = colour if again else (colour + 1) % self.sides
        for action in actions:
            outlook = self._outlook(before.after(colour, action.do, action.square or 0), colour, mover)
            if outlook > highest:
                best, highest = action, outlook
            if self.clock() >= until:
                break
        return best

    def _outlook(self, prospects: Prospects, colour: int, mover: int) -> float:
        """The value for ``colour`` after the best reply of ``mover``, in the mean of all rolls.

        A win, its own or another's, is worth a line.
        """
        position, length = prospects.position, self.rules.in_a_row
        winning = [_winning_squares(position, side, length) for side in range(self.sides)]
        gains: dict[Do, list[float]] = {}  # of the mover
        outlook = 0.0
        for total, ways in WAYS.items():
            do, squares = options(position, mover, total)
            if do is not Do.REMOVE and squares & winning[mover]:
                outlook += ways if mover == colour else -ways
                continue
            again = self.rules.brings_extra_turn(total, blocked=not squares)
            following = mover if again else (mover + 1) % self.sides
            if not squares:
                outlook += ways * self._in_sight(position, winning, colour, following)
                continue
            if do not in gains:
                gains[do] = prospects.gains(mover, do)
            reply = max(squares_of(squares), key=gains[do].__getitem__)
            there = after(position, mover, Action(do, reply))
            then = [
                found if there.chips[side] == position.chips[side] else _winning_squares(there, side, length)
                for side, found in enumerate(winning)
            ]
            gained = prospects.gain(colour, mover, do, reply)
            outlook += ways * (gained + self._in_sight(there, then, colour, following))
        return prospects.value(colour) + outlook / ROLLS

    def _in_sight(self, position: Position, winning: Sequence[int], colour: int, mover: int) -> float:
        """What wins with the next roll of each side are worth to ``colour``; ``mover`` rolls first.

        ``winning``: by side, as :func:`_winning_squares`.
        """
        worth, still = 0.0, 1.0
        for turn in range(self.sides):
            side = (mover + turn) % self.sides
            chance = _winning_rolls(position, side, winning[side]) / ROLLS
            worth += still * (chance if side == colour else -chance)
            still -= still * chance
        return worth


def ranked(position: Position, colour: int, total: int, rules: Rules, sides: int) -> list[Action]:
    """The legal actions, wins first, then by how well ``colour`` stands after them."""
    legal = legal_actions(position, colour, total)
    if legal == (PASS,):
        return [PASS]
    gains = Prospects.of(position, rules.in_a_row, sides).gains(colour, legal[0].do)
    return sorted(
        legal,
        key=lambda action: (wins(position, colour, action, rules), gains[action.square or 0]),
        reverse=True,
    )


def wins(position: Position, colour: int, action: Action, rules: Rules) -> bool:
    """``action`` completes a line of ``colour``."""
    if action.square is None or action.do is Do.REMOVE:
        return False
    return after(position, colour, action).wins_at(action.square, colour, rules.in_a_row)


def _winning_squares(position: Position, colour: int, in_a_row: int) -> int:
    """The squares that complete a line once a chip of ``colour`` lies there."""
    chips, found = position.chips[colour], 0
    for line in LINES[in_a_row]:
        missing = line & ~chips
        if not missing & (missing - 1):
            found |= missing
    return found


def _winning_rolls(position: Position, colour: int, winning: int) -> int:
    """Of 36 rolls, how many let ``colour`` win at once on a square of ``winning``."""
    if not winning:
        return 0
    totals = {NUMBERS[square] for square in squares_of(winning)} | {WILD}
    return sum(WAYS[total] for total in totals if options(position, colour, total)[1] & winning)

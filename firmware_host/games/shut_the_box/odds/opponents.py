"""Opponents: who tell a person which dice to throw for them and which tiles to flip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol

from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.odds.advice import Valuation, Value
from firmware_host.games.shut_the_box.rules import Rules, Shut, dice_allowed, legal_shuts


class Opponent(Protocol):
    """Plays a turn, a choice at a time."""

    def choose_dice(self, box: Box) -> int:
        """How many dice to roll for ``box``, which is not shut: 1 or 2, as allowed."""

    def choose(self, box: Box, dice: tuple[int, ...]) -> Shut:
        """The set to shut; empty when none is legal."""


class Chance(Protocol):
    """Where carelessness comes from, such as a seeded ``random.Random``."""

    def random(self) -> float:
        """A number from 0 up to, not with, 1."""


@dataclass(frozen=True, slots=True)
class BestPlay(Generic[Value]):
    """Plays what ``valuation`` says is best; of equal choices the first, as it orders them.

    *Perfect* plays for the match by its ``TurnOdds``, so it gambles when behind; *good*
    plays for the least expected score, by the ``Table`` of that aim.
    """

    valuation: Valuation[Value]

    def choose_dice(self, box: Box) -> int:
        """The number of dice that is worth most."""
        return self.valuation.best_dice(box)[0]

    def choose(self, box: Box, dice: tuple[int, ...]) -> Shut:
        """The set that is worth most."""
        return next(iter(self.valuation.advise(box, dice).best), ())


@dataclass(frozen=True, slots=True)
class Casual:
    """One die as soon as it is allowed, the largest tile first; ``carelessness`` (0..1) of the choices any.

    Largest tile first: 8 before 7 1; 9 3 before 9 2 1.
    """

    rules: Rules
    chance: Chance
    carelessness: float = 0.15

    def choose_dice(self, box: Box) -> int:
        """One die where allowed."""
        allowed = dice_allowed(box, self.rules)
        return allowed[self._any_of(len(allowed)) or 0]

    def choose(self, box: Box, dice: tuple[int, ...]) -> Shut:
        """The set with the largest tile."""
        legal = legal_shuts(box, dice, self.rules)
        if not legal:
            return ()
        careless = self._any_of(len(legal))
        return max(legal, key=lambda shut: shut[::-1]) if careless is None else legal[careless]

    def _any_of(self, count: int) -> int | None:
        """One of ``count`` choices, by chance, when careless this time."""
        if self.chance.random() >= self.carelessness:
            return None
        return int(self.chance.random() * count)

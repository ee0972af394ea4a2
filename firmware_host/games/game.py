"""What the table may ask of any game.

A game is an immutable value.  It decides (:meth:`Game.roll`, :meth:`Game.stand`) by
returning records, and changes only by :meth:`Game.apply` of records: so the journal
is the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

from firmware_host.games.match import Match
from firmware_host.games.records import MatchStarted, Record

Layout = tuple[int, ...]
"""What lies at each place of a box or board; Shut the Box: 1 open, 0 shut, by tile."""


@dataclass(frozen=True, slots=True)
class Target:
    """A layout that one legal action leads to.

    ``stands_after_s``: how long it must lie so to stand by itself; None: it stands
    with the next roll.  ``next_dice``: how many dice may be rolled from there.
    """

    layout: Layout
    stands_after_s: float | None
    next_dice: tuple[int, ...]


class Game(Protocol):
    """One match of some game, as accepted."""

    @classmethod
    def opening(cls, number: int, rules: Mapping[str, Any], players: tuple[str, ...]) -> tuple[Record, ...]:
        """The records that begin match ``number`` under ``rules``, as in ``match_started``."""

    @classmethod
    def begin(cls, record: MatchStarted) -> Self:
        """The game that ``record`` started."""

    @property
    def match(self) -> Match:
        """Seats and scores."""

    @property
    def places(self) -> tuple[int, ...]:
        """The sensor's places that this game reads; the order of every layout."""

    @property
    def layout(self) -> Layout:
        """How the box lies by the accepted game, before the present roll is played."""

    @property
    def dice(self) -> tuple[int, ...]:
        """The roll that waits for its move; empty when a roll is due."""

    @property
    def thrown(self) -> tuple[int, ...]:
        """The last roll of the match, played or not; empty before the first."""

    def again(self, number: int) -> tuple[Record, ...]:
        """The records that begin match ``number`` with the same rules and players."""

    def missing(self, layout: Layout) -> int:
        """How much of the roll is still to be played when the box lies as ``layout``; 0: unknown."""

    def dice_allowed(self) -> tuple[int, ...]:
        """The numbers of dice that may be rolled now."""

    def targets(self) -> tuple[Target, ...]:
        """Where the legal actions for the present roll lead to."""

    def roll(self, dice: tuple[int, ...], source: str) -> tuple[Record, ...]:
        """Accept a roll: the records of it and of what follows."""

    def stand(self, layout: Layout) -> tuple[Record, ...]:
        """Accept the move that leads to ``layout``, one of the targets."""

    def apply(self, record: Record) -> Self:
        """The game after ``record``."""

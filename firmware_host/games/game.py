"""What the table may ask of any game.

A game is an immutable value.  It decides (:meth:`Game.roll`, :meth:`Game.stand`) by
returning records, and changes only by :meth:`Game.apply` of records: so the journal
is the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, Self

from firmware_host.games.match import Match
from firmware_host.games.records import MatchStarted, Record

Layout = tuple[int, ...]
"""What lies at each place of a box or board.

Shut the Box: 1 open, 0 shut, by tile.  Sequence Dice: 0 empty, 1, 2, 3 green, blue, red, by square.
"""

TILES, CHIPS = "tiles", "chips"  # devices that sense layouts


@dataclass(frozen=True, slots=True)
class Target:
    """A layout that one legal action leads to.

    ``stands_after_s``: how long it must lie so to stand by itself; None: it stands
    with the next roll.  ``next_dice``: how many dice may be rolled from there.  ``way``: a layout that a
    hand passes on the way to it.
    """

    layout: Layout
    stands_after_s: float | None
    next_dice: tuple[int, ...]
    way: Layout | None = None


class Game(Protocol):
    """One match of some game, as accepted."""

    @classmethod
    def begin(cls, record: MatchStarted) -> Self:
        """The game that ``record`` started."""

    @property
    def match(self) -> Match:
        """Seats and scores."""

    @property
    def device(self) -> str:
        """The device whose places these are, ``tiles`` or ``chips``."""

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

    @property
    def may_return(self) -> bool:
        """A move that stood by itself may be taken back by hand until the next roll; the turn returns."""

    def interpret(self, levels: Layout) -> Layout:
        """The layout that ``levels`` of a sensor at :attr:`places` mean, where it does not tell all."""

    def unseen(self, levels: Layout) -> frozenset[int]:
        """The indices whose change by the present roll such a sensor cannot tell."""

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

    def end_freely(self, layout: Layout) -> tuple[Record, ...]:
        """End a turn that was played without known dice; RuleError where the game needs them."""

    def end_turn(self) -> tuple[Record, ...]:
        """End the present turn by hand."""

    def leave(self, player: str) -> tuple[Record, ...]:
        """``player`` goes away; RuleError for who does not play."""

    def apply(self, record: Record) -> Self:
        """The game after ``record``."""

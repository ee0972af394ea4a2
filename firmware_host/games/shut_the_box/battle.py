"""The battle of two on one box: the first lowers tiles, the second raises them (000).

One roll each in turn; who has no set passes.  All down: the first wins; all up again
once something was down: the second.  The raiser plays the mirror of the box: what is
shut is what may be moved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_host.errors import RuleError
from firmware_host.games.game import Layout, Target
from firmware_host.games.match import Match
from firmware_host.games.records import (
    EndReason,
    MatchStarted,
    MoveMade,
    Record,
    Rolled,
    TurnEnded,
    TurnStarted,
)
from firmware_host.games.shut_the_box.box import Box, tiles_to_mask
from firmware_host.games.shut_the_box.on_tiles import OnTiles
from firmware_host.games.shut_the_box.rules import Rules, Sets, Shut, dice_allowed, legal_shuts

MOVE_SETTLE_S = 1.5  # the turn passes by itself: long enough for a second thought
LOWERER = 0  # the seat


@dataclass(frozen=True, slots=True)
class Battle(OnTiles):
    """The accepted state: ``box`` is the box before ``dice`` are played."""

    rules: Rules
    match: Match
    box: Box
    dice: tuple[int, ...] = ()
    thrown: tuple[int, ...] = ()

    @classmethod
    def begin(cls, record: MatchStarted) -> Battle:
        """The battle that ``record`` started; RuleError if its rules are unknown here."""
        rules = Rules.from_match(record.rules)
        return cls(rules, Match.begin(record), Box.full(rules.tiles))

    @property
    def may_return(self) -> bool:
        """A move that stands by itself may be taken back until the next roll, and the turn returns."""
        return True

    @property
    def _raises(self) -> bool:
        return self.match.seat != LOWERER

    @property
    def _movable(self) -> Box:
        """The tiles that this seat may move, as if they were the open ones of a box."""
        return self.box.mirror if self._raises else self.box

    def missing(self, layout: Layout) -> int:
        """The total of the roll less the tiles moved for it; 0 where sets are not sums (Thai)."""
        if self.rules.sets is Sets.THAI:
            return 0
        moved = Box.of(self.rules.tiles, layout).mask ^ self.box.mask
        return sum(self.dice) - sum(Box(self.rules.tiles, moved).open_tiles)

    def dice_allowed(self) -> tuple[int, ...]:
        """The numbers of dice that may be rolled now."""
        return dice_allowed(self._movable, self.rules)

    def legal(self) -> tuple[Shut, ...]:
        """The sets that the present roll may move; none when a roll is due."""
        return legal_shuts(self._movable, self.dice, self.rules) if self.dice else ()

    def targets(self) -> tuple[Target, ...]:
        """One target a legal set; it stands by itself, and the turn passes."""
        masks = (self.box.mask ^ tiles_to_mask(tiles) for tiles in self.legal())
        return tuple(Target(Box(self.rules.tiles, mask).layout, MOVE_SETTLE_S, ()) for mask in masks)

    def roll(self, dice: tuple[int, ...], source: str) -> tuple[Record, ...]:
        """Accept ``dice``; passes where they fit nothing."""
        rolled = Rolled(self.match.player, dice, sum(dice), source)
        game = self.apply(rolled)
        return (rolled,) if game.legal() else (rolled, *game._pass(EndReason.PASSED))

    def stand(self, layout: Layout) -> tuple[Record, ...]:
        """Accept the move that leads to ``layout``; the turn passes, or the battle is won."""
        after = Box.of(self.rules.tiles, layout)
        moved = Box(self.rules.tiles, after.mask ^ self.box.mask).open_tiles
        if moved not in self.legal():
            raise RuleError(f"{moved!r} is no legal set for {self.dice!r} in {self.box.text}")
        shut, opened = ((), moved) if self._raises else (moved, ())
        made = MoveMade(self.match.player, shut, sum(moved), after.open_tiles, opened)
        game = self.apply(made)
        ended = TurnEnded(self.match.player, after.open_tiles, None, EndReason.MOVED)
        if after.is_shut or after.is_full:
            won = game.match.apply(ended).ended((self.match.seat,), is_shut=after.is_shut)
            return (made, ended, won)
        return (made, *game._pass(EndReason.MOVED))

    def end_freely(self, layout: Layout) -> tuple[Record, ...]:
        """Not in a battle: without the dice nobody knows what may be moved."""
        raise RuleError("a battle cannot be played without known dice")

    def end_turn(self) -> tuple[Record, ...]:
        """End the turn by hand: the other rolls."""
        return self._pass(EndReason.ENDED_BY_HAND)

    def leave(self, player: str) -> tuple[Record, ...]:
        """``player`` gives up: the other wins."""
        return self.match.leave(player, self.box.open_tiles)

    def _pass(self, reason: EndReason) -> tuple[Record, ...]:
        match = self.match
        ended = TurnEnded(match.player, self.box.open_tiles, None, reason)
        following = 1 - match.seat
        return (ended, TurnStarted(match.players[following], match.round + (following == LOWERER)))

    def apply(self, record: Record) -> Battle:
        """The battle after ``record``."""
        match record:
            case Rolled(dice=dice):
                return replace(self, dice=dice, thrown=dice, match=self.match.apply(record))
            case MoveMade(open=left):
                return replace(self, dice=(), box=Box(self.rules.tiles, tiles_to_mask(left)))
            case TurnEnded():
                return replace(self, dice=(), match=self.match.apply(record))
        return replace(self, match=self.match.apply(record))

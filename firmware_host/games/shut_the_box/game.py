"""A match of Shut the Box: rolls and moves in, records out."""

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
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.on_tiles import OnTiles
from firmware_host.games.shut_the_box.rules import Rules, Sets, Shut, dice_allowed, legal_shuts, score

LAST_TILE_SETTLE_S = 1.0  # long enough to let go of the tile, short enough to feel like winning


@dataclass(frozen=True, slots=True)
class ShutTheBox(OnTiles):
    """The accepted state: ``box`` is the box before ``dice`` are played.

    ``thrown``: the last roll of the match, played or not.  ``turn``: the dice and set of each roll of the
    present turn, or before its first roll of the last one; no set where none was shut.
    """

    rules: Rules
    match: Match
    box: Box
    dice: tuple[int, ...] = ()
    thrown: tuple[int, ...] = ()
    turn: tuple[tuple[tuple[int, ...], Shut], ...] = ()

    @classmethod
    def begin(cls, record: MatchStarted) -> ShutTheBox:
        """The game that ``record`` started; RuleError if its rules are unknown here."""
        rules = Rules.from_match(record.rules)
        return cls(rules, Match.begin(record), Box.full(rules.tiles))

    @property
    def may_return(self) -> bool:
        """What stands by itself ends the turn for good; undo is for second thoughts."""
        return False

    def missing(self, layout: Layout) -> int:
        """The total of the roll less the tiles put down for it; 0 where sets are not sums (Thai)."""
        if self.rules.sets is Sets.THAI:
            return 0
        down = self.box.mask & ~Box.of(self.rules.tiles, layout).mask
        return sum(self.dice) - sum(Box(self.rules.tiles, down).open_tiles)

    def dice_allowed(self) -> tuple[int, ...]:
        """The numbers of dice that may be rolled now."""
        return dice_allowed(self.box, self.rules)

    def legal(self) -> tuple[Shut, ...]:
        """The sets that the present roll may shut; none when a roll is due."""
        return legal_shuts(self.box, self.dice, self.rules) if self.dice else ()

    def targets(self) -> tuple[Target, ...]:
        """One target a legal set; shutting the last tile wins after a short settle."""
        return tuple(self._target(self.box.shut(tiles)) for tiles in self.legal())

    def _target(self, box: Box) -> Target:
        settle_s = LAST_TILE_SETTLE_S if box.is_shut else None
        return Target(box.layout, settle_s, () if box.is_shut else dice_allowed(box, self.rules))

    def roll(self, dice: tuple[int, ...], source: str) -> tuple[Record, ...]:
        """Accept ``dice``; ends the turn where they fit nothing."""
        rolled = Rolled(self.match.player, dice, sum(dice), source)
        game = self.apply(rolled)
        if game.legal():
            return (rolled,)
        is_unlucky = self.rules.unlucky_7 and sum(dice) == 7
        return (rolled, *game._end_turn(EndReason.UNLUCKY if is_unlucky else EndReason.NO_MOVE))

    def stand(self, layout: Layout) -> tuple[Record, ...]:
        """Accept the move that leads to ``layout``; ends the turn when the box is shut."""
        after = Box.of(self.rules.tiles, layout)
        shut = Box(self.rules.tiles, self.box.mask & ~after.mask).open_tiles
        if after.mask & ~self.box.mask or shut not in self.legal():
            raise RuleError(f"{shut!r} is no legal set for {self.dice!r} in {self.box.text}")
        moved = MoveMade(self.match.player, shut, sum(shut), after.open_tiles)
        if not after.is_shut:
            return (moved,)
        return (moved, *self.apply(moved)._end_turn(EndReason.SHUT))

    def end_freely(self, layout: Layout) -> tuple[Record, ...]:
        """End a turn without known dice: what lies shut was played."""
        after = Box.of(self.rules.tiles, layout)
        shut = Box(self.rules.tiles, self.box.mask & ~after.mask).open_tiles
        moved = MoveMade(self.match.player, shut, sum(shut), after.open_tiles)
        reason = EndReason.SHUT if after.is_shut else EndReason.ENDED_BY_HAND
        return (*([moved] if shut else []), *self.apply(moved)._end_turn(reason))

    def end_turn(self) -> tuple[Record, ...]:
        """End the turn by hand; the open tiles are scored."""
        return self._end_turn(EndReason.ENDED_BY_HAND)

    def leave(self, player: str) -> tuple[Record, ...]:
        """``player`` goes away; the rest play on."""
        return self.match.leave(player, self.box.open_tiles)

    def _end_turn(self, reason: EndReason) -> tuple[Record, ...]:
        points = score(self.box, self.rules.scoring)
        ended = TurnEnded(self.match.player, self.box.open_tiles, points, reason)
        return (ended, *self.match.apply(ended).after_turn(reason))

    def apply(self, record: Record) -> ShutTheBox:
        """The game after ``record``; outcomes are taken as recorded, never scored anew."""
        match record:
            case Rolled(dice=dice):
                before = self.turn if self.match.last_turn is None else ()
                match = self.match.apply(record)
                return replace(self, dice=dice, thrown=dice, match=match, turn=(*before, (dice, ())))
            case MoveMade(shut=shut, open=left):
                box = Box.full(self.rules.tiles).shut(_others(self, left))
                return replace(self, dice=(), box=box, turn=(*self.turn[:-1], (self.dice, shut)))
            case TurnStarted():
                box = Box.full(self.rules.tiles)
                return replace(self, dice=(), box=box, match=self.match.apply(record))
            case TurnEnded():
                return replace(self, dice=(), match=self.match.apply(record))
        return replace(self, match=self.match.apply(record))


def _others(game: ShutTheBox, tiles: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(tile for tile in game.rules.tiles if tile not in tiles)

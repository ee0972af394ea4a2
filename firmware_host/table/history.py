"""The accepted game as the fold of its journal, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from firmware_host.errors import JournalError
from firmware_host.games.game import Game
from firmware_host.games.records import MatchStarted, Record, Resumed, Rolled, Undone
from firmware_host.games.shut_the_box.game import ShutTheBox

GAMES: Mapping[str, type[Game]] = {"shut-the-box": ShutTheBox}
ROLLER = "roller"  # the one source whose dice stay when its throw is undone


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The game before the step that begins at ``seq``; ``throw``: the roller's in that step."""

    seq: int
    game: Game
    throw: Throw | None
    earlier: Checkpoint | None


@dataclass(frozen=True, slots=True)
class Throw:
    """``dice`` that were thrown in the turn of ``player`` in ``round``."""

    player: str
    round: int
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class History:
    """State is the fold of the journal: :meth:`add` of every step, in order.

    ``seq``: of the last record.  ``matches``: how many were started.  ``past``: the way back,
    newest first.  ``kept``: throws that were undone and stay for their turn (no free second throw),
    the next first.
    """

    game: Game | None = None
    seq: int = 0
    matches: int = 0
    past: Checkpoint | None = None
    kept: tuple[Throw, ...] = ()

    def add(self, records: tuple[Record, ...]) -> History:
        """The history after one step; JournalError if it does not follow."""
        history = self
        first = records[0]
        if not isinstance(first, Undone | MatchStarted | Resumed) and self.game is not None:
            rolls = [r for r in records if isinstance(r, Rolled) and r.source == ROLLER]
            throws = [Throw(r.player, self.game.match.round, r.dice) for r in rolls]
            past = Checkpoint(self.seq + 1, self.game, throws[0] if throws else None, self.past)
            history = replace(history, past=past)
        for record in records:
            history = history._apply(record)
        return history

    def _apply(self, record: Record) -> History:
        after = replace(self, seq=self.seq + 1)
        match record:
            case MatchStarted(number, name):
                if name not in GAMES:
                    raise JournalError(f"match {number} plays {name!r}, which this release does not know")
                return replace(after, game=GAMES[name].begin(record), matches=number, past=None, kept=())
            case Undone(undid):
                return after._undo(undid)
        if self.game is None:
            raise JournalError(f"{record.event} before any match_started")
        if isinstance(record, Rolled):
            used = self._kept_throw((len(record.dice),))
            after = replace(after, kept=tuple(throw for throw in self.kept if throw is not used))
        return replace(after, game=self.game.apply(record))

    def _undo(self, undid: int) -> History:
        if self.past is None or self.past.seq != undid:
            raise JournalError(f"cannot take back {undid}: it is not the last step")
        kept = (self.past.throw, *self.kept) if self.past.throw else self.kept
        return replace(self, game=self.past.game, past=self.past.earlier, kept=kept)

    def _kept_throw(self, numbers: tuple[int, ...]) -> Throw | None:
        """The next kept throw of this turn that has one of these numbers of dice."""
        if not self.kept or self.game is None:
            return None
        turn = (self.game.match.player, self.game.match.round)
        fitting = (t for t in self.kept if (t.player, t.round) == turn and len(t.dice) in numbers)
        return next(fitting, None)

    def kept_dice(self, count: int) -> tuple[int, ...]:
        """The dice that a throw of ``count`` shows once more; empty: they are thrown afresh."""
        throw = self._kept_throw((count,))
        return throw.dice if throw is not None else ()

    def dice_allowed(self, dice: tuple[int, ...]) -> tuple[int, ...]:
        """``dice`` numbers, narrowed to a kept throw's where it still may be thrown."""
        throw = self._kept_throw(dice)
        return dice if throw is None else (len(throw.dice),)

    def snapshot(self) -> dict[str, Any]:
        """The accepted state as plain values, to be compared with a stored one."""
        game = self.game
        if game is None:
            return {"seq": self.seq, "match": None}
        match = game.match
        return {
            "seq": self.seq,
            "match": match.number,
            "player": match.player,
            "round": match.round,
            "layout": list(game.layout),
            "dice": list(game.dice),
            "totals": dict(zip(match.players, match.totals, strict=True)),
            "winners": None if match.winners is None else list(match.winners),
            "kept": [[throw.player, throw.round, list(throw.dice)] for throw in self.kept],
        }

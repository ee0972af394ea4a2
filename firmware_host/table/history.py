"""The accepted game as the fold of its journal, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from firmware_host.errors import JournalError
from firmware_host.games.game import Game
from firmware_host.games.records import MatchEnded, MatchStarted, Record, Resumed, Rolled, Undone
from firmware_host.games.start import begin, opening

ROLLER = "roller"  # the one source whose dice stay when its throw is undone
HAND = "hand"  # dice that were set by hand in place of a throw


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The game before the step that begins at ``seq``; ``throw``: the roller's dice in that step."""

    seq: int
    game: Game
    pot: int
    throw: tuple[int, ...]
    earlier: Checkpoint | None


@dataclass(frozen=True, slots=True)
class History:
    """State is the fold of the journal: :meth:`add` of every step, in order.

    ``settings``: of the match, as in ``match_started``.  ``pot``: what the last match that ended left,
    or the present one found.  ``seq``: of the last record.  ``matches``: how many were started.
    ``past``: the way back,
    newest first.  ``kept``: throws that were undone and stay (no free second throw), next first.
    """

    game: Game | None = None
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    pot: int = 0
    seq: int = 0
    matches: int = 0
    past: Checkpoint | None = None
    kept: tuple[tuple[int, ...], ...] = ()

    def add(self, records: tuple[Record, ...]) -> History:
        """The history after one step; JournalError if it does not follow."""
        history = self
        first = records[0]
        if not isinstance(first, Undone | MatchStarted | Resumed) and self.game is not None:
            rolled = next((record for record in records if isinstance(record, Rolled)), None)
            throw = self._throw_of(rolled) if rolled is not None else ()
            past = Checkpoint(self.seq + 1, self.game, self.pot, throw, self.past)
            history = replace(history, past=past)
        for record in records:
            history = history._apply(record)
        return history

    def _throw_of(self, rolled: Rolled) -> tuple[int, ...]:
        """What stays if ``rolled`` is undone: the roller's throw, also where a hand set another for it."""
        if self.kept and len(self.kept[0]) == len(rolled.dice):
            return self.kept[0]
        return rolled.dice if rolled.source == ROLLER else ()

    def _apply(self, record: Record) -> History:
        after = replace(self, seq=self.seq + 1)
        match record:
            case MatchStarted(number):
                game, settings, pot = begin(record), record.rules, record.pot
                return replace(
                    after, game=game, settings=settings, pot=pot, matches=number, past=None, kept=()
                )
            case Undone(undid):
                return after._undo(undid)
        if self.game is None:
            raise JournalError(f"{record.event} before any match_started")
        if isinstance(record, Rolled):
            is_kept = bool(self.kept) and len(self.kept[0]) == len(record.dice)
            after = replace(after, kept=self.kept[1:] if is_kept else ())
        if isinstance(record, MatchEnded):
            after = replace(after, pot=record.pot)
        return replace(after, game=self.game.apply(record))

    def _undo(self, undid: int) -> History:
        if self.past is None or self.past.seq != undid:
            raise JournalError(f"cannot take back {undid}: it is not the last step")
        kept = (self.past.throw, *self.kept) if self.past.throw else self.kept
        return replace(self, game=self.past.game, pot=self.past.pot, past=self.past.earlier, kept=kept)

    def opening(self, settings: Mapping[str, Any], players: tuple[str, ...]) -> tuple[Record, ...]:
        """The records that begin the next match; one that still goes on is abandoned.

        Raises RuleError as :func:`firmware_host.games.start.opening` does.
        """
        game, pot = self.game, self.pot
        begun = opening(self.matches + 1, settings, players, pot)
        if game is None or game.match.is_over:
            return begun
        return (game.match.ended((), reason="abandoned"), *begun)

    def dice_allowed(self, dice: tuple[int, ...]) -> tuple[int, ...]:
        """``dice`` numbers, narrowed to a kept throw's where it still may be thrown."""
        if self.kept and len(self.kept[0]) in dice:
            return (len(self.kept[0]),)
        return dice

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
            "kept": [list(throw) for throw in self.kept],
        }

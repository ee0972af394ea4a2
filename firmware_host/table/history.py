"""The accepted game as the fold of its journal, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from firmware_host.errors import JournalError, RuleError
from firmware_host.games.game import Game
from firmware_host.games.records import Corrected, MatchEnded, MatchStarted, Record, Resumed, Rolled, Undone
from firmware_host.games.start import begin, opening

ROLLER, CAMERA = "roller", "camera"  # sources whose dice stay when their throw is undone
HAND = "hand"  # dice that were set by hand in place of a throw


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The game before the step that begins at ``seq``.

    ``throw``: what stays if the step is undone.  ``is_hand_over``: the step gave the turn to another seat.
    """

    seq: int
    game: Game
    pot: int
    throw: Throw | None
    is_hand_over: bool
    earlier: Checkpoint | None


@dataclass(frozen=True, slots=True)
class Throw:
    """``dice`` that were thrown in the turn of ``seat`` in ``round``."""

    seat: int
    round: int
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class History:
    """State is the fold of the journal: :meth:`add` of every step, in order.

    ``settings``: of the match, as in ``match_started``.  ``pot``: what the last match that ended left,
    or the present one found.  ``seq``: of the last record.  ``matches``: how many were started.
    ``past``: the way back,
    newest first.  ``kept``: throws that were undone and stay for their turn (no free second throw),
    the next first.  ``is_undone``: the last step took one back.
    """

    game: Game | None = None
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    pot: int = 0
    seq: int = 0
    matches: int = 0
    past: Checkpoint | None = None
    kept: tuple[Throw, ...] = ()
    is_undone: bool = False

    def add(self, records: tuple[Record, ...]) -> History:
        """The history after one step; JournalError if it does not follow."""
        history = self
        first = records[0]
        if not isinstance(first, Undone | MatchStarted | Resumed) and self.game is not None:
            rolled = next((record for record in records if isinstance(record, Rolled)), None)
            used = self._used_by(rolled, records) if rolled is not None else None
            throw = used or self._thrown(rolled, self.game)
            is_hand_over = any(isinstance(r, Corrected) and r.what == "turn" for r in records)
            past = Checkpoint(self.seq + 1, self.game, self.pot, throw, is_hand_over, self.past)
            history = replace(history, past=past, kept=tuple(kept for kept in self.kept if kept is not used))
        for record in records:
            history = history._apply(record)
        is_undone = self.is_undone if isinstance(first, Resumed) else isinstance(first, Undone)
        return replace(history, is_undone=is_undone)

    def _used_by(self, rolled: Rolled, records: tuple[Record, ...]) -> Throw | None:
        """The kept throw that ``rolled`` uses up; dice set by hand stand for the next, of any number."""
        is_set = any(isinstance(record, Corrected) and record.what == "dice" for record in records)
        return self._kept_throw(None if is_set else (len(rolled.dice),))

    def _thrown(self, rolled: Rolled | None, game: Game) -> Throw | None:
        """What stays if ``rolled`` is undone: a throw, but not dice that were typed or set."""
        if rolled is None or rolled.source not in (ROLLER, CAMERA):
            return None
        return Throw(game.match.seat, game.match.round, rolled.dice)

    def _apply(self, record: Record) -> History:
        after = replace(self, seq=self.seq + 1)
        match record:
            case MatchStarted(number):
                try:
                    game, settings, pot = begin(record), record.rules, record.pot
                except RuleError as error:
                    raise JournalError(str(error)) from None
                return replace(
                    after, game=game, settings=settings, pot=pot, matches=number, past=None, kept=()
                )
            case Undone(undid):
                return after._undo(undid)
        if self.game is None:
            raise JournalError(f"{record.event} before any match_started")
        if isinstance(record, MatchEnded):
            after = replace(after, pot=record.pot)
        after = replace(after, game=self.game.apply(record))
        if isinstance(record, Corrected) and record.what == "turn":
            return after._handed_over(self.game)
        return after

    def _undo(self, undid: int) -> History:
        if self.past is None or self.past.seq != undid:
            raise JournalError(f"cannot take back {undid}: it is not the last step")
        past = self.past
        kept = (past.throw, *self.kept) if past.throw else self.kept
        before = replace(self, game=past.game, pot=past.pot, past=past.earlier, kept=kept)
        return before._handed_over(self.game) if past.is_hand_over and self.game else before

    def _handed_over(self, was: Game) -> History:
        """The turn went from the seat of ``was`` to the present one: throws stay with their turns.

        What was thrown in the turn that the other would have had goes the other way, so that undoing a
        hand-over is one, too.
        """
        assert self.game is not None
        there, here, number = was.match.seat, self.game.match.seat, was.match.round
        seats = {there: here, here: there}
        kept = (replace(t, seat=seats.get(t.seat, t.seat)) if t.round == number else t for t in self.kept)
        return replace(self, kept=tuple(kept))

    def opening(self, settings: Mapping[str, Any], players: tuple[str, ...]) -> tuple[Record, ...]:
        """The records that begin the next match; one that still goes on is abandoned.

        Raises RuleError as :func:`firmware_host.games.start.opening` does.
        """
        game, pot = self.game, self.pot
        begun = opening(self.matches + 1, settings, players, pot)
        if game is None or game.match.is_over:
            return begun
        return (game.match.ended((), reason="abandoned"), *begun)

    def _kept_throw(self, numbers: tuple[int, ...] | None) -> Throw | None:
        """The next kept throw of this turn that has one of these numbers of dice, or any (None)."""
        if not self.kept or self.game is None:
            return None
        turn = (self.game.match.seat, self.game.match.round)
        of_turn = (throw for throw in self.kept if (throw.seat, throw.round) == turn)
        return next((throw for throw in of_turn if numbers is None or len(throw.dice) in numbers), None)

    def kept_dice(self, *counts: int) -> tuple[int, ...]:
        """The dice that a throw of one of ``counts`` shows once more; empty: they are thrown afresh."""
        throw = self._kept_throw(counts)
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
            "kept": [[throw.seat, throw.round, list(throw.dice)] for throw in self.kept],
        }

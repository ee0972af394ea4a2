"""A match: seats, rounds, totals and winners, over the results of any game."""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_host.games.records import (
    EndReason,
    MatchEnded,
    MatchStarted,
    Record,
    Rolled,
    RoundEnded,
    TurnEnded,
    TurnStarted,
)


@dataclass(frozen=True, slots=True)
class Match:
    """A match as accepted.

    ``scores``: by seat, this round, None where a seat has not played.  ``totals``: by
    seat.  ``winners``: names, None while the match goes on.  ``last_turn``: the turn that has just
    ended, until the next roll.
    """

    number: int
    players: tuple[str, ...]
    round: int
    seat: int
    scores: tuple[int | None, ...]
    totals: tuple[int, ...]
    winners: tuple[str, ...] | None = None
    last_turn: TurnEnded | None = None

    @classmethod
    def begin(cls, record: MatchStarted) -> Match:
        """The match before its first turn."""
        seats = len(record.players)
        return cls(record.match, record.players, 1, 0, (None,) * seats, (0,) * seats)

    @property
    def player(self) -> str:
        """Who plays now."""
        return self.players[self.seat]

    @property
    def is_over(self) -> bool:
        """The match has its winners."""
        return self.winners is not None

    def total(self, player: str) -> int:
        """What ``player`` has in the match; ValueError for a name without a seat."""
        return self.totals[self.players.index(player)]

    def apply(self, record: Record) -> Match:
        """The match after ``record``."""
        match record:
            case TurnStarted(player, number):
                return replace(self, seat=self.players.index(player), round=number)
            case TurnEnded(player, _, score, _):
                return replace(self._scored(self.players.index(player), score), last_turn=record)
            case Rolled():
                return replace(self, last_turn=None)
            case RoundEnded():
                return replace(self, scores=(None,) * len(self.players))
            case MatchEnded(winners):
                return replace(self, winners=winners)
        return self

    def _scored(self, seat: int, score: int | None) -> Match:
        points = score or 0
        return replace(
            self,
            scores=(*self.scores[:seat], score, *self.scores[seat + 1 :]),
            totals=(*self.totals[:seat], self.totals[seat] + points, *self.totals[seat + 1 :]),
        )

    def after_turn(self, reason: EndReason) -> tuple[Record, ...]:
        """What follows a turn that has just been scored: the next turn, or the end."""
        if reason is EndReason.SHUT:
            return (self._round_ended(), self._ended((self.player,)))
        to_play = [seat for seat, score in enumerate(self.scores) if score is None]
        if to_play:
            return (TurnStarted(self.players[to_play[0]], self.round),)
        lowest = min(self.totals)
        winners = (name for name, total in zip(self.players, self.totals, strict=True) if total == lowest)
        return (self._round_ended(), self._ended(tuple(winners)))

    def _round_ended(self) -> RoundEnded:
        played = zip(self.players, self.scores, strict=True)
        scores = {name: score for name, score in played if score is not None}
        return RoundEnded(self.round, scores, dict(zip(self.players, self.totals, strict=True)), ())

    def _ended(self, winners: tuple[str, ...]) -> MatchEnded:
        totals = dict(zip(self.players, self.totals, strict=True))
        return MatchEnded(winners, totals, dict.fromkeys(self.players, 0), "played")

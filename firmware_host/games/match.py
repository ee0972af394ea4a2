"""A match: seats, rounds, who is out, and who wins, over the results of any game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import TypeVar

from firmware_host.errors import RuleError
from firmware_host.games.match_rules import Kind, MatchRules, OnShut, Ties
from firmware_host.games.opponents import retyped
from firmware_host.games.records import (
    Corrected,
    EndReason,
    MatchEnded,
    MatchStarted,
    PlayerLeft,
    Record,
    Rolled,
    RoundEnded,
    TurnEnded,
    TurnStarted,
)
from firmware_host.games.stakes import settle

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Match:
    """A match as accepted.  Seats count from 0.

    ``scores``: by seat, this round, None where a seat has no score yet.  ``totals``: by seat.
    ``played``: seats whose turn of this round is over.  ``out``: seats that reached the limit,
    ``left``: seats whose player went away.  ``tied``: the seats of a play-off, empty outside one.
    ``winners``: names, None while the match goes on.  ``opponents``: by seat, how the box plays it, empty
    for a person.  ``last_turn``: the turn that has just ended,
    until the next roll.
    """

    number: int
    rules: MatchRules
    players: tuple[str, ...]
    round: int
    seat: int
    scores: tuple[int | None, ...]
    totals: tuple[int, ...]
    pot: int = 0
    played: frozenset[int] = frozenset()
    out: frozenset[int] = frozenset()
    left: frozenset[int] = frozenset()
    tied: tuple[int, ...] = ()
    winners: tuple[str, ...] | None = None
    last_turn: TurnEnded | None = None
    opponents: tuple[str, ...] = ()

    @classmethod
    def begin(cls, record: MatchStarted) -> Match:
        """The match before its first turn; RuleError if its rules are unknown here."""
        seats = len(record.players)
        rules = MatchRules.from_settings(record.rules)
        return cls(
            record.match, rules, record.players, 1, 0, (None,) * seats, (0,) * seats, record.pot,
            opponents=tuple(record.opponents.get(name, "") for name in record.players),
        )  # fmt: skip

    @property
    def player(self) -> str:
        """Who plays now."""
        return self.players[self.seat]

    @property
    def opponent(self) -> str:
        """How the box plays the present seat; empty: a person plays it."""
        return self.opponents[self.seat] if self.opponents else ""

    @property
    def playing(self) -> tuple[str, ...]:
        """Who has not left."""
        return tuple(name for seat, name in enumerate(self.players) if seat not in self.left)

    def total(self, player: str) -> int:
        """What ``player`` has in the match; ValueError for a name without a seat."""
        return self.totals[self.players.index(player)]

    @property
    def to_play(self) -> tuple[str, ...]:
        """Who plays in this round and has not ended his turn; who plays now is among them."""
        return self._names(seat for seat in self.in_play if seat not in self.played)

    @property
    def is_over(self) -> bool:
        """The match has ended."""
        return self.winners is not None

    # What happened

    def apply(self, record: Record) -> Match:
        """The match after ``record``."""
        match record:
            case TurnStarted(player, number):
                return replace(self, seat=self.players.index(player), round=number)
            case TurnEnded(player, _, score, _):
                return self._turn_over(self.players.index(player), score, record)
            case Rolled():
                return replace(self, last_turn=None)
            case RoundEnded(out=out):
                return self._round_over(frozenset(map(self.players.index, out)))
            case MatchEnded(winners):
                return replace(self, winners=winners)
            case PlayerLeft(player):
                return replace(self, left=self.left | {self.players.index(player)})
            case Corrected("score", player, was, now):
                return self._corrected(self.players.index(player), now - was)
            case Corrected("turn", is_=now):
                return replace(self, seat=self.players.index(now))
            case Corrected("name", is_=now):
                return self._renamed(record.player, now)
        return self

    def _turn_over(self, seat: int, score: int | None, record: TurnEnded) -> Match:
        counts = 0 if self.tied else score or 0  # the points of a play-off do not count
        return replace(
            self,
            scores=_with(self.scores, seat, score),
            totals=_with(self.totals, seat, self.totals[seat] + counts),
            played=self.played | {seat},
            last_turn=record,
        )

    def _round_over(self, out: frozenset[int]) -> Match:
        is_shut = self.last_turn is not None and self.last_turn.reason is EndReason.SHUT
        winners = self._winners(out, is_shut) or ()
        tied = winners if len(winners) > 1 and self.rules.ties is Ties.PLAY_OFF else ()
        return replace(self, scores=(None,) * len(self.players), played=frozenset(), out=out, tied=tied)

    def _corrected(self, seat: int, difference: int) -> Match:
        score = None if self.tied else self.scores[seat]  # the points of a play-off are not in the total
        return replace(
            self,
            scores=self.scores if score is None else _with(self.scores, seat, score + difference),
            totals=_with(self.totals, seat, self.totals[seat] + difference),
        )

    def _renamed(self, was: str, name: str) -> Match:
        players = tuple(name if player == was else player for player in self.players)
        last = self.last_turn
        if last is not None and last.player == was:
            last = replace(last, player=name)
        return replace(self, players=players, last_turn=last)

    # What follows

    def after_turn(self, reason: EndReason) -> tuple[Record, ...]:
        """What follows a turn that has just been applied: the next turn, or an end."""
        is_shut = reason is EndReason.SHUT
        if is_shut and (self.tied or self.rules.shut is OnShut.WINS_MATCH):
            return (self._round_ended(self.out), self.ended((self.seat,), is_shut=is_shut))
        to_play = [seat for seat in self.in_play if seat not in self.played]
        if to_play and not (is_shut and self.rules.shut is OnShut.WINS_ROUND):
            return (TurnStarted(self.players[to_play[0]], self.round),)
        return self._after_round(is_shut)

    def _after_round(self, is_shut: bool) -> tuple[Record, ...]:
        out = self._who_is_out()
        ended = self._round_ended(out)
        winners = self._winners(out, is_shut)
        if winners is None:
            return self._next_round(ended, [seat for seat in self.in_play if seat not in out])
        if len(winners) > 1 and self.rules.ties is Ties.PLAY_OFF:
            return self._next_round(ended, winners)
        if len(winners) > 1 and self.rules.ties is Ties.CARRY_OVER and self.rules.stake:
            winners = ()
        return (ended, self.ended(winners))

    def _next_round(self, ended: RoundEnded, seats: Iterable[int]) -> tuple[Record, ...]:
        return (ended, TurnStarted(self.players[min(seats)], self.round + 1))

    def _winners(self, out: frozenset[int], is_shut: bool) -> tuple[int, ...] | None:
        """The seats that won with this round; None: the match goes on."""
        seats = self.in_play
        if is_shut and (self.tied or self.rules.shut is OnShut.WINS_MATCH):
            return (self.seat,)
        if self.tied:
            return self._best(seats)
        match self.rules.kind:
            case Kind.ROUNDS:
                return self._best(seats) if self.round >= self.rules.rounds else None
            case Kind.LAST_STANDING:
                still_in = tuple(seat for seat in seats if seat not in out)
                if len(still_in) > 1 or (still_in and len(self.players) == 1):
                    return None
                return still_in or self._best(seats)
            case Kind.TO_LIMIT:
                return self._best(seats) if self._reached(seats) else None
        return (self.seat,) if is_shut and self.rules.shut is OnShut.WINS_ROUND else self._best(seats)

    def _best(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        """Those of ``seats`` with the lowest total; in a play-off the lowest score of this round."""
        points = {seat: (self.scores[seat] or 0) if self.tied else self.totals[seat] for seat in seats}
        return tuple(seat for seat in seats if points[seat] == min(points.values()))

    @property
    def in_play(self) -> tuple[int, ...]:
        """The seats that play this round, in their order."""
        seats = self.tied or tuple(seat for seat in range(len(self.players)) if seat not in self.out)
        return tuple(seat for seat in seats if seat not in self.left)

    def _reached(self, seats: tuple[int, ...]) -> frozenset[int]:
        limit = self.rules.limit
        return frozenset(seat for seat in seats if limit is not None and self.totals[seat] >= limit)

    def _who_is_out(self) -> frozenset[int]:
        is_counted = self.rules.kind is Kind.LAST_STANDING and not self.tied
        return self.out | self._reached(self.in_play) if is_counted else self.out

    def _round_ended(self, out: frozenset[int]) -> RoundEnded:
        played = zip(self.players, self.scores, strict=True)
        scores = {name: score for name, score in played if score is not None}
        return RoundEnded(self.round, scores, self._by_name(self.totals), self._names(sorted(out)))

    def ended(self, winners: tuple[int, ...], *, is_shut: bool = False, reason: str = "played") -> MatchEnded:
        """The record of the match's end: ``winners`` are seats; an abandoned one leaves the pot as it was."""
        if reason == "abandoned":
            return MatchEnded(
                (), self._by_name(self.totals), dict.fromkeys(self.players, 0), reason, self.pot
            )
        stake = self.rules.stake * (2 if is_shut and self.rules.double_on_shut else 1)
        ledger = settle(len(self.players), winners, stake, self.pot)
        return MatchEnded(
            self._names(winners), self._by_name(self.totals), self._by_name(ledger.nets), reason, ledger.pot
        )

    def leave(self, player: str, open_tiles: tuple[int, ...]) -> tuple[Record, ...]:
        """``player`` goes away and the rest play on, as :meth:`depart`."""
        records = self.depart(player, open_tiles)
        return (*records, *reduce(Match.apply, records, self)._after_leaving())

    def depart(self, player: str, open_tiles: tuple[int, ...]) -> tuple[Record, ...]:
        """``player`` goes away, and with it ends the turn that is his; his stake stays in the pot.

        ``open_tiles``: of that turn.  Raises RuleError for who does not play (any more).
        """
        if self.is_over or player not in self.playing:
            raise RuleError(f"{player!r} does not play in this match")
        ended = TurnEnded(player, open_tiles, None, EndReason.LEFT)
        return (PlayerLeft(player), *([ended] if player == self.player else []))

    def _after_leaving(self) -> tuple[Record, ...]:
        still_in = self.in_play
        if not still_in:
            return (self.ended((), reason="abandoned"),)
        if len(still_in) == 1:
            return (self.ended(still_in),)
        return self.after_turn(EndReason.LEFT) if self.seat in self.left else ()

    def next_seats(self) -> tuple[str, ...]:
        """The players of a rematch, as typed: who did worst starts, then on in the order of the seats.

        Who has left is not among them, but in a battle, which needs its two.
        """
        won = self.winners or ()
        names = self.players if self.rules.kind is Kind.BATTLE else self.playing or self.players
        worst = max(names, key=lambda name: (name not in won, self.total(name), -self.players.index(name)))
        at = names.index(worst)
        opponents = dict(zip(self.players, self.opponents, strict=False))
        return retyped(names[at:] + names[:at], opponents)

    def _names(self, seats: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.players[seat] for seat in seats)

    def _by_name(self, values: tuple[int, ...]) -> Mapping[str, int]:
        return dict(zip(self.players, values, strict=True))


def _with(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])

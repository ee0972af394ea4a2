"""Matches against a second implementation: loops over lists, one match from start to end, no records.

What is told of a match (in lists of plain words) must be the same, whatever the settings,
the scores, who leaves and what is set by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.match import Match
from firmware_host.games.match_rules import MatchRules
from firmware_host.games.records import (
    Corrected,
    EndReason,
    MatchEnded,
    MatchStarted,
    PlayerLeft,
    Record,
    RoundEnded,
    TurnEnded,
    TurnStarted,
    from_fields,
    to_fields,
)

NAMES = ("Ann", "Bob", "Cem", "Dee", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon")
KINDS = ("one-round", "rounds", "last-standing", "to-limit")
SHUTS = ("wins-match", "wins-round", "scores-0")
TIES = ("shared", "play-off", "carry-over")

Told = tuple[object, ...]


@dataclass(frozen=True)
class Turn:
    """What comes in one turn: who leaves and what is set by hand before it ends, then how it ends.

    ``leaving`` and ``corrected`` are counted on from the present seat; 0 is who plays now.
    ``score`` None: the present player leaves.
    """

    score: int | None
    is_shut: bool = False
    leaving: int = 0
    corrected: tuple[int, int] | None = None


@dataclass
class Over(Exception):
    """The naive match has ended: ``best`` are the winners, None: abandoned."""

    best: list[str] | None
    is_shut: bool = False


@dataclass
class Naive:
    """One match, told as it is played."""

    kind: str
    rounds: int
    limit: int
    shut: str
    ties: str
    stake: int
    doubles: bool
    names: list[str]
    pot: int
    turns: Iterator[Turn]
    told: list[Told] = field(default_factory=list)
    totals: dict[str, int] = field(default_factory=dict)
    out: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    off: list[str] = field(default_factory=list)  # who plays off

    def play(self) -> list[Told]:
        self.totals = dict.fromkeys(self.names, 0)
        try:
            number = 1
            while True:
                self.one_round(number)
                number += 1
        except Over as over:
            self.pay(over)
        return self.told

    def still_playing(self) -> list[str]:
        group = self.off if self.off else [name for name in self.names if name not in self.out]
        return [name for name in group if name not in self.gone]

    def one_round(self, number: int) -> None:
        points: dict[str, int] = {}
        for name in list(self.still_playing()):
            if name in self.gone:
                continue
            self.told.append(("turn", name, number))
            shut = self.one_turn(name, points)
            if shut and (self.off or self.shut == "wins-match"):
                self.end_round(number, points)
                raise Over([name], is_shut=True)
            if shut and self.shut == "wins-round":
                self.judge(number, points, by_shut=name)
                return
        self.judge(number, points, by_shut="")

    def one_turn(self, name: str, points: dict[str, int]) -> bool:
        turn = next(self.turns)
        if turn.corrected is not None:
            on, total = turn.corrected
            who = self.names[(self.names.index(name) + on) % len(self.names)]
            if who in points and not self.off:
                points[who] += total - self.totals[who]
            self.totals[who] = total
        if turn.leaving:
            who = self.names[(self.names.index(name) + turn.leaving) % len(self.names)]
            if who != name and who not in self.gone:
                self.leave(who)
        if turn.score is None:
            self.leave(name)
            return False
        points[name] = 0 if turn.is_shut else turn.score
        if not self.off:
            self.totals[name] += points[name]
        return turn.is_shut

    def leave(self, name: str) -> None:
        self.told.append(("left", name))
        self.gone.append(name)
        rest = self.still_playing()
        if len(rest) == 0:
            raise Over(None)
        if len(rest) == 1:
            raise Over(rest)

    def end_round(self, number: int, points: dict[str, int]) -> None:
        in_order = [(name, points[name]) for name in self.names if name in points]
        self.told.append(("round", number, in_order, dict(self.totals), sorted(self.out)))

    def judge(self, number: int, points: dict[str, int], by_shut: str) -> None:
        """The round has been played out: does the match go on?"""
        candidates = self.still_playing()
        if self.kind == "last-standing" and not self.off:
            self.out += [name for name in candidates if self.totals[name] >= self.limit]
        self.end_round(number, points)
        if self.off:
            best = lowest({name: points.get(name, 0) for name in candidates})
        elif self.kind == "one-round":
            best = [by_shut] if by_shut else lowest({name: self.totals[name] for name in candidates})
        elif self.kind == "rounds":
            if number < self.rounds:
                return
            best = lowest({name: self.totals[name] for name in candidates})
        elif self.kind == "to-limit":
            if max(self.totals[name] for name in candidates) < self.limit:
                return
            best = lowest({name: self.totals[name] for name in candidates})
        else:
            left_in = [name for name in candidates if name not in self.out]
            if len(left_in) >= 2 or (left_in and len(self.names) == 1):
                return
            best = left_in or lowest({name: self.totals[name] for name in candidates})
        if len(best) >= 2 and self.ties == "play-off":
            self.off = best
            return
        if len(best) >= 2 and self.ties == "carry-over" and self.stake > 0:
            best = []
        raise Over(best)

    def pay(self, over: Over) -> None:
        if over.best is None:
            nothing = dict.fromkeys(self.names, 0)
            self.told.append(("end", [], dict(self.totals), nothing, self.pot, "abandoned"))
            return
        each = self.stake
        if over.is_shut and self.doubles:
            each += self.stake
        purse = dict.fromkeys(self.names, 0)
        for name in self.names:  # coin by coin
            purse[name] -= each
            self.pot += each
        while over.best and self.pot >= len(over.best):
            for name in over.best:
                purse[name] += 1
                self.pot -= 1
        self.told.append(("end", over.best, dict(self.totals), purse, self.pot, "played"))


def lowest(points: dict[str, int]) -> list[str]:
    ranked = sorted(points.values())
    return [name for name in NAMES if name in points and points[name] == ranked[0]]


# The match under test, driven by the same turns


def tell(record: Record) -> list[Told]:
    match record:
        case TurnStarted(player, number):
            return [("turn", player, number)]
        case PlayerLeft(player):
            return [("left", player)]
        case RoundEnded(number, scores, totals, out):
            return [("round", number, list(scores.items()), dict(totals), sorted(out))]
        case MatchEnded(winners, scores, stakes, reason, pot):
            return [("end", list(winners), dict(scores), dict(stakes), pot, reason)]
    return []


def drive(keys: dict[str, object], players: tuple[str, ...], pot: int, turns: Iterator[Turn]) -> list[Record]:
    records: list[Record] = [
        MatchStarted(1, "shut-the-box", keys, players, pot),
        TurnStarted(players[0], 1),
    ]
    match = fold(records)

    def happened(*new: Record) -> None:
        nonlocal match
        for record in new:
            match = match.apply(record)
        records.extend(new)

    while not match.is_over:
        turn, seat = next(turns), match.seat
        if turn.corrected is not None:
            on, total = turn.corrected
            who = players[(seat + on) % len(players)]
            happened(Corrected("score", who, match.total(who), total))
        who = players[(seat + turn.leaving) % len(players)]
        if turn.leaving and who != match.player and who in match.playing:
            happened(*match.leave(who, ()))
            if match.is_over:
                break
        if turn.score is None:
            happened(*match.leave(match.player, ()))
            continue
        reason = EndReason.SHUT if turn.is_shut else EndReason.NO_MOVE
        happened(TurnEnded(match.player, (), 0 if turn.is_shut else turn.score, reason))
        happened(*match.after_turn(reason))
    assert fold(records) == match
    return records


def fold(records: list[Record]) -> Match:
    """The match of ``records`` as a journal gives them back."""
    kept = [from_fields(record.event, to_fields(record)) for record in records]
    first = kept[0]
    assert isinstance(first, MatchStarted)
    match = Match.begin(first)
    for record in kept[1:]:
        match = match.apply(record)
    return match


def then_apart(turns: list[Turn]) -> Iterator[Turn]:
    """``turns``, then scores that differ, so that every match comes to its end."""
    yield from turns
    score = 1
    while True:
        score = score % 44 + 1
        yield Turn(score)


few = st.integers(0, 3)  # so few that ties are common
scores = st.builds(Turn, few | st.integers(0, 45))
shuts = st.just(Turn(0, is_shut=True))
others = st.builds(
    Turn,
    st.none() | few,
    st.just(False),
    st.integers(0, 9),
    st.none() | st.tuples(st.integers(0, 9), st.integers(0, 60)),
)
CALM = st.lists(scores | shuts, max_size=30)
WILD = st.lists(scores | scores | shuts | others, max_size=30)


@st.composite
def settings_of(draw: st.DrawFn, kind: str, shut: str, ties: str) -> dict[str, object]:
    keys: dict[str, object] = {"match.kind": kind, "rules.shut": shut, "rules.ties": ties}
    if kind == "rounds":
        keys["match.rounds"] = draw(st.integers(1, 4))
    if kind in ("last-standing", "to-limit"):
        keys["match.limit"] = draw(st.integers(1, 50))
    keys["match.stake"] = draw(st.integers(0, 4))
    keys["match.double_on_shut"] = bool(keys["match.stake"] and shut == "wins-match" and draw(st.booleans()))
    return keys


def naive(keys: dict[str, object], players: tuple[str, ...], pot: int, turns: Iterator[Turn]) -> list[Told]:
    rules = MatchRules.from_settings(keys)
    return Naive(
        kind=str(keys["match.kind"]),
        rounds=rules.rounds,
        limit=rules.limit or 0,
        shut=str(keys["rules.shut"]),
        ties=str(keys["rules.ties"]),
        stake=rules.stake,
        doubles=rules.double_on_shut,
        names=list(players),
        pot=pot,
        turns=turns,
    ).play()


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("shut", SHUTS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("turns", [CALM, WILD], ids=["calm", "wild"])
@given(data=st.data())
def test_a_match_goes_as_the_naive_one_does(
    kind: str, shut: str, ties: str, turns: st.SearchStrategy[list[Turn]], data: st.DataObject
) -> None:
    keys = data.draw(settings_of(kind, shut, ties))
    players = NAMES[: data.draw(st.integers(1, 3) | st.integers(1, 10))]
    pot = data.draw(st.integers(0, 7))
    drawn = data.draw(turns)

    records = drive(keys, players, pot, then_apart(drawn))

    told = [line for record in records for line in tell(record)]
    assert told == naive(keys, players, pot, then_apart(drawn))


def played(kind: str, *turns: Turn, seats: int = 2, **more: object) -> list[Told]:
    keys: dict[str, object] = {
        "match.kind": kind,
        "rules.shut": "scores-0",
        "rules.ties": "shared",
        **more,
    }
    return naive(keys, NAMES[:seats], 0, iter(turns))


def test_the_naive_match_itself_plays_by_the_rule_book() -> None:
    assert played("one-round", Turn(12), Turn(5))[-1] == (
        "end", ["Bob"], {"Ann": 12, "Bob": 5}, {"Ann": 0, "Bob": 0}, 0, "played",
    )  # fmt: skip
    three = [Turn(45), Turn(44), Turn(3), Turn(1), Turn(2)]
    assert played("last-standing", *three, seats=3)[-1][1] == ["Cem"]
    pub = {"match.stake": 5, "match.double_on_shut": True, "rules.shut": "wins-match"}
    assert played("one-round", Turn(0, is_shut=True), seats=3, **pub)[-1][3] == {
        "Ann": 20,
        "Bob": -10,
        "Cem": -10,
    }

"""What is projected from the events: always what the events say, undone steps and all."""

from __future__ import annotations

import contextlib
import random
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scribe import Scribe

from firmware_host.games.match import Match
from firmware_host.games.records import (
    Corrected,
    MatchEnded,
    MatchStarted,
    PlayerLeft,
    Record,
    Rolled,
    TurnEnded,
    TurnStarted,
    Undone,
)
from firmware_host.store.files import FILE_NAME
from firmware_host.store.journal import Journal
from firmware_host.store.looking import looking
from firmware_host.store.projections import rebuild
from firmware_host.store.queries import standings
from firmware_host.store.schema import connect

TABLES = ("people", "rule_sets", "matches", "seats", "turns", "rolls", "standings", "decisions")


def dump(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All that is projected."""
    with looking(path) as db:
        return {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES}


def dump_rebuilt(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """The same, made anew from the events."""
    with contextlib.closing(connect(path)) as db, db:
        rebuild(db)
    return dump(path)


# A second way to the standings: lists and loops over what was told


@dataclass
class Turn:
    player: str
    round: int
    counts: bool
    score: int | None = None
    is_shut: bool = False
    has_ended: bool = False
    rolls: int = 0


@dataclass
class Kept:
    started: MatchStarted
    turns: list[Turn] = field(default_factory=list)
    totals: dict[str, int] = field(default_factory=dict)
    ended: MatchEnded | None = None
    left: set[str] = field(default_factory=set)


def standing_matches(told: list[tuple[int, tuple[Record, ...]]]) -> Iterator[list[Record]]:
    """The records of each match that were not taken back."""
    steps: list[tuple[int, tuple[Record, ...]]] = []
    for seq, records in told:
        if isinstance(records[0], Undone):
            steps = [step for step in steps if step[0] < records[0].undid]
        else:
            steps.append((seq, records))
    match: list[Record] = []
    for record in (record for _, records in steps for record in records):
        if isinstance(record, MatchStarted):
            if match:
                yield match
            match = []
        match.append(record)
    if match:
        yield match


def kept(records: list[Record]) -> Kept:
    first = records[0]
    assert isinstance(first, MatchStarted)
    told, match = Kept(first, totals=dict.fromkeys(first.players, 0)), Match.begin(first)
    for record in records:
        if isinstance(record, TurnStarted):
            told.turns.append(Turn(record.player, record.round, not match.tied))
        elif isinstance(record, Rolled):
            told.turns[-1].rolls += 1
        elif isinstance(record, TurnEnded):
            turn = told.turns[-1]
            turn.score, turn.has_ended = record.score, True
            turn.is_shut = record.reason == "shut" or (record.reason == "moved" and not record.open)
            told.totals[turn.player] += (record.score or 0) if turn.counts else 0
        elif isinstance(record, Corrected) and record.what == "score":
            told.totals[record.player] = record.is_
            of_round = [t for t in told.turns if t.player == record.player and t.round == match.round]
            if of_round and of_round[-1].score is not None and of_round[-1].has_ended and not match.tied:
                after = match.apply(record).scores[match.players.index(record.player)]
                if after is not None and after >= 0:
                    of_round[-1].score = after
        elif isinstance(record, MatchEnded):
            told.ended = record
        elif isinstance(record, PlayerLeft):
            told.left.add(record.player)
        match = match.apply(record)
    return told


def naive(told: list[tuple[int, tuple[Record, ...]]]) -> dict[str, Any]:
    """By player: played, won, boxes shut, points, and scores by tiles and scoring."""
    out: dict[str, Any] = defaultdict(lambda: [0, 0, 0, 0, defaultdict(list)])
    for records in standing_matches(told):
        match = kept(records)
        for player in match.started.players:
            row = out[player]
            if match.ended is not None:
                row[0] += match.ended.reason == "played"
                row[1] += player in match.ended.winners and len(match.started.players) > 1
                row[3] += match.ended.stakes[player]
        rules = match.started.rules
        for turn in match.turns:
            out[turn.player][2] += turn.is_shut and turn.has_ended
            if turn.counts and turn.score is not None:
                out[turn.player][4][rules["rules.tiles"], rules["rules.scoring"]].append(turn.score)
    return {
        name: (*row[:4], {kind: (len(s), min(s), sum(s) / len(s)) for kind, s in row[4].items()})
        for name, row in out.items()
    }


def asked(path: Path) -> dict[str, Any]:
    with looking(path) as db:
        return {
            one.player: (
                one.played,
                one.won,
                one.boxes_shut,
                one.points,
                {(s.tiles, s.scoring): (s.turns, s.best, s.mean) for s in one.scored},
            )
            for one in standings(db)
        }


@given(seed=st.integers(0, 2**32), count=st.integers(1, 150))
def test_whatever_happens_the_projections_are_what_the_events_say(seed: int, count: int) -> None:
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        scribe = Scribe(Path(folder, FILE_NAME))
        for _ in range(count):
            scribe.do_something(chance)
        game = scribe.history.game
        assert game is not None
        projected = dump(scribe.path)
        assert asked(scribe.path) == naive(scribe.told)
        scribe.close()
        assert dump_rebuilt(scribe.path) == projected
        last = [row for row in projected["seats"] if row[0] == game.match.number]
        assert tuple(row[3] for row in last) == game.match.totals
        assert {row[1] for row in last if row[6]} == game.match.left


def open_turns(path: Path) -> list[tuple[Any, ...]]:
    with looking(path) as db:
        return db.execute("SELECT round, ended_seq IS NULL, score FROM turns ORDER BY seq").fetchall()


def test_undo_of_the_end_opens_turn_and_match_again(path: Path) -> None:
    scribe = Scribe(path)
    scribe.start("Ann", "Bob", dice_source="none", match_stake=5)
    scribe.turn(1, 9)
    scribe.turn(2)
    assert asked(path)["Bob"] == (1, 1, 0, 5, {("1-9", "sum"): (1, 2, 2.0)})
    scribe.undo()
    assert asked(path) == {
        "Ann": (0, 0, 0, 0, {("1-9", "sum"): (1, 10, 10.0)}),
        "Bob": (0, 0, 0, 0, {}),
    }
    assert open_turns(path) == [(1, 0, 10), (1, 1, None)]
    scribe.undo()
    assert open_turns(path) == [(1, 1, None)]
    scribe.turn()
    assert asked(path)["Ann"] == (1, 1, 1, 5, {("1-9", "sum"): (1, 0, 0.0)})
    scribe.close()


def test_a_total_set_by_hand_changes_the_turn_of_this_round_and_says_so(path: Path) -> None:
    scribe = Scribe(path)
    scribe.start("Ann", "Bob", dice_source="none")
    scribe.turn(1, 9)
    scribe.correct("Ann", 12)
    scribe.turn(2)
    with looking(path) as db:
        assert db.execute("SELECT score, by_hand FROM turns").fetchall() == [(12, 1), (2, 0)]
        assert db.execute("SELECT total, by_hand FROM seats").fetchall() == [(12, 1), (2, 0)]
    scribe.close()


def test_a_play_off_is_in_no_mean_but_a_box_shut_in_it_counts(path: Path) -> None:
    scribe = Scribe(path)
    scribe.start("Ann", "Bob", dice_source="none", rules_ties="play-off")
    for tiles in ((5,), (5,), (9,), ()):
        scribe.turn(*tiles)
    scribe.close()
    assert asked(path) == {
        "Ann": (1, 0, 0, 0, {("1-9", "sum"): (1, 5, 5.0)}),
        "Bob": (1, 1, 1, 0, {("1-9", "sum"): (1, 5, 5.0)}),
    }


def test_an_abandoned_match_is_not_played_but_its_turns_were(path: Path) -> None:
    scribe = Scribe(path)
    scribe.start("Ann", "Bob", dice_source="none")
    scribe.turn(5)
    scribe.start("Ann", "Bob")
    scribe.close()
    assert asked(path)["Ann"] == (0, 0, 0, 0, {("1-9", "sum"): (1, 5, 5.0)})


def test_the_lowerer_of_a_battle_shuts_the_box(path: Path) -> None:
    scribe = Scribe(path)
    scribe.start("Ann", "Bob", match_kind="battle", rules_tiles="1,2", match_stake=2)
    scribe.roll(2)
    scribe.move(2)
    scribe.roll(5)
    scribe.roll(1)
    scribe.move(1)
    scribe.close()
    assert asked(path) == {"Ann": (1, 1, 1, 2, {}), "Bob": (1, 0, 0, -2, {})}


def test_a_step_is_one_commit_however_much_is_stored(path: Path) -> None:
    scribe, chance = Scribe(path), random.Random(3)
    for _ in range(400):
        scribe.do_something(chance)
    queries: list[str] = []
    for what in (lambda: scribe.start("Ann"), lambda: scribe.roll(1, 2), scribe.undo):
        scribe.journal._db.set_trace_callback(queries.append)
        what()
        assert [queries.count(word) for word in ("BEGIN ", "COMMIT")] == [1, 1]
        queries.clear()
    scribe.close()


def work_of_a_match(scribe: Scribe) -> int:
    """SQLite's instructions, by the hundred, for the same match whatever was before it."""
    count = [0]

    def one_more() -> int:
        count[0] += 1
        return 0

    scribe.journal._db.set_progress_handler(one_more, 100)
    scribe.start("Ann", "Bob")
    scribe.roll(4, 5)
    scribe.move(9)
    scribe.correct("Bob", 7)
    scribe.roll(1, 2)
    scribe.undo()
    scribe.start("Ann", "Bob")
    scribe.journal._db.set_progress_handler(None, 0)
    return count[0]


def test_a_step_is_as_little_work_when_much_is_stored(path: Path) -> None:
    scribe = Scribe(path)
    scribe.start("Ann", "Bob")
    few = work_of_a_match(scribe)
    for _ in range(300):
        scribe.start("Ann", "Bob", dice_source="none")
        scribe.turn(1, 9)
        scribe.turn(2)
    assert 0 < work_of_a_match(scribe) < 1.3 * few + 1
    scribe.close()


@pytest.mark.parametrize("sql", ["DROP TABLE rolls", "DELETE FROM seats", "DELETE FROM people"])
def test_projections_that_were_lost_come_back_or_are_done_without(path: Path, sql: str) -> None:
    scribe = Scribe(path)
    scribe.start("Ann", "Bob")
    scribe.close()
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute(sql)
    scribe.journal = Journal(path)
    scribe.roll(4, 5)
    scribe.move(9)
    scribe.start("Ann", "Bob")
    scribe.close()
    assert dump_rebuilt(path)["rolls"]

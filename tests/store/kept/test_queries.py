"""Who has played and how well, how long it took, and what is given away as tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scribe import STAMP, Scribe

from firmware_host.games.game import Game
from firmware_host.games.records import Resumed
from firmware_host.store.journal import Stamp
from firmware_host.store.looking import looking
from firmware_host.store.queries import commonest_kind, decisions, known_people, own_best, standings
from firmware_host.store.tables import COLUMNS, Span, table


def rows(path: Path, what: str, number: int | None = None) -> list[dict[str, Any]]:
    with looking(path) as db:
        span = Span.of(db, number)
        assert span is not None
        return list(table(db, what, span))


def test_scores_of_unlike_rules_are_kept_apart(path: Path) -> None:
    scribe = Scribe(path)
    scribe.start("Ann", "Bob", dice_source="none", rules_scoring="digits")
    scribe.turn(1, 4, 9)
    scribe.turn(2)
    for _ in range(2):
        scribe.start("Ann", "Bob", dice_source="none")
        scribe.turn(9)
        scribe.turn(8)
    scribe.close()
    with looking(path) as db:
        people = standings(db)
    ann = people[0]
    assert [(s.tiles, s.scoring, s.turns, s.best, s.mean) for s in ann.scored] == [
        ("1-9", "sum", 2, 9, 9.0),
        ("1-9", "digits", 1, 149, 149.0),
    ]
    assert commonest_kind(people) == ("1-9", "sum")
    assert commonest_kind(people, scoring="digits") == ("1-9", "digits")
    assert commonest_kind(people, tiles="1-12") is None
    assert ann.in_kind(None) is None


def test_people_known_are_told_the_last_first(path: Path) -> None:
    scribe = Scribe(path)
    for players in (("Ann", "Bob"), ("Çem", "李"), ("Bob", "Çem")):
        scribe.start(*players)
    scribe.close()
    with looking(path) as db:
        assert known_people(db) == ["Bob", "Çem", "李", "Ann"]


def test_whom_the_box_plays_is_none_of_the_people_known(path: Path) -> None:
    scribe = Scribe(path)
    scribe.start("Ann", "bot:good")
    scribe.close()
    with looking(path) as db:
        assert known_people(db) == ["Ann"]
    assert [(row["player"], row["opponent"]) for row in rows(path, "seats")] == [
        ("Ann", None),
        ("Good", "good"),
    ]


def test_what_was_decided_is_told_with_the_tiles_before_it(path: Path) -> None:
    scribe = Scribe(path)
    for _ in range(2):  # the same again, of the match before and of the last one
        scribe.start("Ann")
        scribe.keep(*_game(scribe).roll((5, 4), "roller"))
        scribe.keep(*_game(scribe).stand((1,) * 8 + (0,)))
        scribe.keep(*_game(scribe).roll((6, 6), "roller"))
        scribe.keep(*_game(scribe).end_turn())
    scribe.close()
    with looking(path) as db:
        found = decisions(db, ("1-9", "sum"))
        assert decisions(db, ("1-9", "digits")) == []
    told = [(one.player, one.before, one.dice, one.shut, one.times) for one in found]
    turn = [("Ann", (1, 2, 3, 4, 5, 6, 7, 8), (6, 6), (), 1), ("Ann", None, (4, 5), (9,), 1)]
    assert sorted(told, key=str) == sorted(2 * turn, key=str)


def test_a_turn_that_goes_on_and_dice_that_nobody_knew_are_no_decisions(path: Path) -> None:
    scribe = Scribe(path)
    scribe.start("Ann", dice_source="none")
    scribe.turn(9)
    scribe.start("Ann")
    scribe.keep(*_game(scribe).roll((5, 4), "roller"))
    scribe.close()
    with looking(path) as db:
        assert decisions(db, ("1-9", "sum")) == []


def _game(scribe: Scribe) -> Game:
    game = scribe.history.game
    assert game is not None
    return game


def test_ones_own_best_is_by_rules_and_alone(path: Path) -> None:
    scribe = Scribe(path)
    for tiles in ((9,), (3,), (5,)):
        scribe.start("Ann", dice_source="none")
        scribe.turn(*tiles)
    scribe.start("Ann", "Bob", dice_source="none")
    scribe.turn(1)
    scribe.turn(2)
    scribe.start("Ann", dice_source="none", match_kind="rounds", match_rounds=2)
    scribe.turn(1)
    scribe.turn(4)
    with looking(path) as db:
        assert own_best(db, "Ann", {}) == 3
        assert own_best(db, "Ann", {"match.stake": 5, "dice.source": "roller"}) == 3, "no bearing on a score"
        assert own_best(db, "Ann", {"match.kind": "rounds", "match.rounds": 2}) == 5
        assert own_best(db, "Ann", {"rules.tiles": "1-10"}) is None
        assert own_best(db, "Bob", {}) is None
        assert own_best(db, "Nobody", {}) is None
    scribe.undo()
    with looking(path) as db:
        assert own_best(db, "Ann", {"match.kind": "rounds", "match.rounds": 2}) is None
    scribe.close()


# Time


def at(t: float, wall: str = STAMP.wall, *, clock_set: bool = True) -> Stamp:
    return Stamp(t, wall, clock_set)


@pytest.fixture
def jumpy(path: Path) -> Path:
    """The clock jumps ahead by years and back again, the service starts anew twice."""
    scribe = Scribe(path)
    scribe.stamp = at(10.0, "1970-01-01T00:00:09+00:00", clock_set=False)
    scribe.start("Ann", "Bob", dice_source="none")
    scribe.stamp = at(40.5, "2026-05-01T12:00:00+00:00")
    scribe.turn(1, 9)  # 30.5 s
    scribe.stamp = at(3.0, "1999-12-31T00:00:00+00:00", clock_set=False)
    scribe.keep(Resumed(1, (), ()))  # started anew: t begins again
    scribe.stamp = at(5.0, "2012-01-01T00:00:00+00:00", clock_set=False)
    scribe.turn(2)
    scribe.undo()
    scribe.stamp = at(900.0, "2012-01-01T00:00:10+00:00", clock_set=False)
    scribe.keep(Resumed(1, (), ()))  # started anew, and t is above what it was: it was off in between
    scribe.stamp = at(904.0, "2001-01-01T00:00:00+00:00")
    scribe.turn(3)  # 2 s before the service ended, 4 s after
    scribe.start("Bob", "Ann", dice_source="none")
    scribe.close()
    return path


def test_durations_are_those_of_the_monotonic_clock_while_the_table_ran(jumpy: Path) -> None:
    assert [(row["player"], row["duration_s"]) for row in rows(jumpy, "turns")] == [
        ("Ann", 30.5),
        ("Bob", 6.0),
        ("Bob", None),
    ]
    assert [row["duration_s"] for row in rows(jumpy, "matches")] == [36.5, None]
    assert [row["duration_s"] for row in rows(jumpy, "turns", 1)] == [30.5, 6.0]


def test_the_order_is_that_of_the_events_whatever_the_clock_says(jumpy: Path) -> None:
    matches = rows(jumpy, "matches")
    assert [(row["match"], row["started"][:4]) for row in matches] == [(1, "1970"), (2, "2001")]
    assert [row["score"] for row in rows(jumpy, "turns")] == [10, 3, None]
    with looking(jumpy) as db:
        assert known_people(db) == ["Bob", "Ann"]


def test_a_record_says_whether_the_clock_was_set(jumpy: Path) -> None:
    assert [row["clock_set"] for row in rows(jumpy, "matches")] == [False, True]
    assert [row["clock_set"] for row in rows(jumpy, "turns")] == [False, True, True]


# Tables


@pytest.fixture
def played(path: Path) -> Path:
    scribe = Scribe(path)
    scribe.start("Ann", "Bob", match_stake=5)
    scribe.roll(4, 5)
    scribe.move(9)
    scribe.roll(6, 6)
    scribe.move(8, 4)
    scribe.undo()
    scribe.move(5, 7)
    scribe.roll(6, 5, source="hand")
    scribe.move(8, 3)
    scribe.roll(6, 6)
    assert scribe.history.game is not None
    scribe.keep(*scribe.history.game.end_turn())
    scribe.start("Bob", "Ann", match_kind="battle")
    scribe.roll(4, 5)
    scribe.move(9)
    scribe.roll(6, 3)
    scribe.move(9)
    scribe.close()
    return path


def test_rolls_are_those_that_stand(played: Path) -> None:
    found = rows(played, "rolls", 1)
    assert [(r["player"], r["turn"], r["roll"], r["dice"], r["source"], r["shut"]) for r in found] == [
        ("Ann", 1, 1, [4, 5], "roller", [9]),
        ("Ann", 1, 2, [6, 6], "roller", [5, 7]),
        ("Ann", 1, 3, [6, 5], "hand", [3, 8]),
        ("Ann", 1, 4, [6, 6], "roller", None),
    ]
    assert [(r["total"], r["open"]) for r in found][-2:] == [(11, [1, 2, 4, 6]), (12, None)]


def test_a_battle_opens_tiles_too(played: Path) -> None:
    found = rows(played, "rolls", 2)
    assert [(r["player"], r["shut"], r["opened"], len(r["open"])) for r in found] == [
        ("Bob", [9], [], 8),
        ("Ann", [], [9], 9),
    ]


def test_turns_matches_and_seats(played: Path) -> None:
    turn = rows(played, "turns", 1)[0]
    assert {key: turn[key] for key in ("turn", "rolls", "open", "score", "reason")} == {
        "turn": 1,
        "rolls": 4,
        "open": [1, 2, 4, 6],
        "score": 13,
        "reason": "ended_by_hand",
    }
    matches = rows(played, "matches")
    assert [(m["match"], m["players"], m["reason"], m["rules"]["match.kind"]) for m in matches] == [
        (1, ["Ann", "Bob"], "abandoned", "one-round"),
        (2, ["Bob", "Ann"], "played", "battle"),
    ]
    assert matches[1]["winners"] == ["Ann"]
    assert [(s["seat"], s["player"], s["won"]) for s in rows(played, "seats", 2)] == [
        (1, "Bob", False),
        (2, "Ann", True),
    ]


def test_every_row_has_the_documented_columns(played: Path) -> None:
    for what, columns in COLUMNS.items():
        found = rows(played, what)
        assert found
        assert all(list(row) == list(columns) for row in found)


def test_all_of_it_is_all_matches_one_by_one(played: Path) -> None:
    for what in ("matches", "seats", "turns", "rolls"):
        assert rows(played, what) == rows(played, what, 1) + rows(played, what, 2)
    with looking(played) as db:
        assert Span.of(db, 3) is None


def test_a_move_without_known_dice_stands_alone(path: Path) -> None:
    scribe = Scribe(path)
    scribe.start("Ann", "Bob", dice_source="none")
    scribe.turn(1)
    scribe.close()
    assert [(r["dice"], r["total"], r["shut"]) for r in rows(path, "rolls")] == [
        ([], None, [2, 3, 4, 5, 6, 7, 8, 9])
    ]


def test_an_open_journal_answers_as_well(path: Path) -> None:
    scribe = Scribe(path)
    assert (scribe.journal.people(), scribe.journal.own_best("Ann", {})) == ([], None)
    scribe.start("Ann", dice_source="none")
    scribe.turn(4)
    assert (scribe.journal.people(), scribe.journal.own_best("Ann", {})) == (["Ann"], 4)
    scribe.close()

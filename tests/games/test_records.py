"""Records as public JSON objects, and back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import RuleError
from firmware_host.games.records import (
    RECORDS,
    ChipPlaced,
    ChipRemoved,
    ChipReplaced,
    Corrected,
    EndReason,
    MatchEnded,
    MatchStarted,
    MoveMade,
    PlayerLeft,
    Record,
    Resumed,
    Rolled,
    RoundEnded,
    TurnEnded,
    TurnStarted,
    Undone,
    from_fields,
    to_fields,
)

names = st.text(min_size=1, max_size=20)
counts = st.integers(0, 10**6)
tiles = st.sets(st.integers(1, 12)).map(lambda found: tuple(sorted(found)))
name_lists = st.lists(names, unique=True).map(tuple)
scores = st.dictionaries(names, st.integers())
rules = st.dictionaries(names, names | st.booleans() | st.integers())
dice = st.lists(st.integers(1, 6), min_size=1, max_size=2).map(tuple)

cells = st.tuples(st.integers(0, 5), st.integers(0, 5))
colours = st.sampled_from(("green", "blue", "red"))

BY_EVENT: dict[str, st.SearchStrategy[Record]] = {
    "match_started": st.builds(MatchStarted, counts, names, rules, name_lists, counts),
    "turn_started": st.builds(TurnStarted, names, counts),
    "rolled": st.builds(Rolled, names, dice, counts, names),
    "move_made": st.builds(MoveMade, names, tiles, counts, tiles, tiles),
    "chip_placed": st.builds(ChipPlaced, names, cells, colours),
    "chip_removed": st.builds(ChipRemoved, names, cells, colours),
    "chip_replaced": st.builds(ChipReplaced, names, cells, colours, colours),
    "turn_ended": st.builds(TurnEnded, names, tiles, st.none() | counts, st.sampled_from(EndReason)),
    "round_ended": st.builds(RoundEnded, counts, scores, scores, name_lists),
    "match_ended": st.builds(MatchEnded, name_lists, scores, scores, names, counts),
    "undone": st.builds(Undone, counts),
    "corrected": st.builds(Corrected, st.just("score"), names, counts, counts)
    | st.builds(Corrected, st.just("dice"), names, dice, dice),
    "player_left": st.builds(PlayerLeft, names),
    "resumed": st.builds(Resumed, counts, tiles, tiles),
}


def test_every_record_is_tried_below() -> None:
    assert set(BY_EVENT) == set(RECORDS)


@pytest.mark.parametrize("event", RECORDS)
@given(data=st.data())
def test_a_record_is_read_back_from_its_json(event: str, data: st.DataObject) -> None:
    record = data.draw(BY_EVENT[event])
    fields = json.loads(json.dumps(to_fields(record)))
    assert from_fields(event, fields) == record


def test_a_roll_as_others_read_it() -> None:
    record = Rolled("Ann", (3, 5), 8, "roller")
    assert record.event == "rolled"
    assert to_fields(record) == {"player": "Ann", "dice": [3, 5], "total": 8, "source": "roller"}


def test_a_turn_that_ended_as_others_read_it() -> None:
    record = TurnEnded("Ann", (1, 4), 5, EndReason.NO_MOVE)
    assert json.dumps(to_fields(record)) == (
        '{"player": "Ann", "open": [1, 4], "score": 5, "reason": "no_move"}'
    )


def test_a_correction_as_others_read_it() -> None:
    assert to_fields(Corrected("score", "Ann", 12, 21)) == {
        "what": "score", "player": "Ann", "was": 12, "is": 21,
    }  # fmt: skip
    assert to_fields(Corrected("dice", "Ann", (1, 2), (2, 2))) == {
        "what": "dice", "player": "Ann", "was": [1, 2], "is": [2, 2],
    }  # fmt: skip


def test_a_move_of_a_battle_says_what_was_opened() -> None:
    lowered = to_fields(MoveMade("Ann", (9,), 9, (1, 2)))
    assert lowered == {"player": "Ann", "shut": [9], "total": 9, "open": [1, 2]}
    raised = to_fields(MoveMade("Bob", (), 9, (1, 2, 9), (9,)))
    assert raised == {"player": "Bob", "shut": [], "total": 9, "open": [1, 2, 9], "opened": [9]}


def test_a_pot_is_told_where_something_lies_in_it() -> None:
    assert "pot" not in to_fields(MatchStarted(1, "shut-the-box", {}, ("Ann",)))
    assert to_fields(MatchStarted(2, "shut-the-box", {}, ("Ann",), 3))["pot"] == 3
    assert "pot" not in to_fields(MatchEnded(("Ann",), {"Ann": 1}, {"Ann": 0}, "played"))
    assert to_fields(MatchEnded((), {"Ann": 1}, {"Ann": -1}, "played", 1))["pot"] == 1


def test_a_turn_without_a_score_says_so() -> None:
    assert to_fields(TurnEnded("Ann", (), None, EndReason.MOVED))["score"] is None


def test_a_field_of_a_later_release_is_ignored() -> None:
    assert from_fields("undone", {"undid": 3, "by": "Ann"}) == Undone(3)


@pytest.mark.parametrize(
    ("event", "fields", "what"),
    [
        ("danced", {}, "no such event: 'danced'"),
        ("undone", {}, "undid"),
        ("rolled", {"player": "Ann", "dice": [3]}, "total"),
        ("turn_ended", {"player": "Ann", "open": [], "score": 0, "reason": "bored"}, "bored"),
    ],
)
def test_what_is_no_record_is_refused(event: str, fields: dict[str, object], what: str) -> None:
    with pytest.raises(RuleError, match=what):
        from_fields(event, fields)

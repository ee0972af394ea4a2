"""Seats, scores and winners of a match of one round."""

from __future__ import annotations

import pytest

from firmware_host.games.match import Match
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


def begin(*players: str) -> Match:
    return Match.begin(MatchStarted(1, "shut-the-box", {}, players)).apply(TurnStarted(players[0], 1))


def end_turn(
    match: Match, score: int, reason: EndReason = EndReason.NO_MOVE
) -> tuple[Match, tuple[Record, ...]]:
    """The match after the present player's turn, and the records that follow it."""
    match = match.apply(TurnEnded(match.player, (), score, reason))
    records = match.after_turn(reason)
    for record in records:
        match = match.apply(record)
    return match, records


def test_the_first_seat_begins() -> None:
    match = begin("Ann", "Bob")
    assert (match.player, match.round, match.is_over) == ("Ann", 1, False)


def test_the_next_seat_plays_after_a_turn() -> None:
    match, records = end_turn(begin("Ann", "Bob"), 12)
    assert records == (TurnStarted("Bob", 1),)
    assert match.player == "Bob"
    assert match.total("Ann") == 12
    assert match.total("Bob") == 0


def test_the_lowest_score_wins_when_all_have_played() -> None:
    match = begin("Ann", "Bob", "Cem")
    for score in (12, 5, 9):
        match, records = end_turn(match, score)
    totals = {"Ann": 12, "Bob": 5, "Cem": 9}
    nothing = {"Ann": 0, "Bob": 0, "Cem": 0}
    assert records == (
        RoundEnded(1, totals, totals, ()),
        MatchEnded(("Bob",), totals, nothing, "played"),
    )
    assert match.is_over
    assert match.winners == ("Bob",)


def test_the_lowest_score_is_shared_by_all_who_have_it() -> None:
    match = begin("Ann", "Bob", "Cem")
    for score in (5, 12, 5):
        match, _ = end_turn(match, score)
    assert match.winners == ("Ann", "Cem")


def test_shutting_the_box_wins_at_once_and_the_others_do_not_play() -> None:
    match, _ = end_turn(begin("Ann", "Bob", "Cem"), 3)
    match, records = end_turn(match, 0, EndReason.SHUT)
    assert records[0] == RoundEnded(1, {"Ann": 3, "Bob": 0}, {"Ann": 3, "Bob": 0, "Cem": 0}, ())
    assert match.winners == ("Bob",)


def test_one_player_alone_wins() -> None:
    match, _ = end_turn(begin("Ann"), 22)
    assert match.winners == ("Ann",)


def test_the_turn_that_ended_is_known_until_the_next_roll() -> None:
    match, _ = end_turn(begin("Ann", "Bob"), 12)
    assert match.last_turn == TurnEnded("Ann", (), 12, EndReason.NO_MOVE)
    assert match.apply(Rolled("Bob", (1, 2), 3, "roller")).last_turn is None


def test_a_name_without_a_seat_has_no_total() -> None:
    with pytest.raises(ValueError, match=r"index|not in"):
        begin("Ann").total("Bob")

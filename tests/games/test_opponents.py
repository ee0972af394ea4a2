"""Seats that the box plays: how they are asked for, called, and played again."""

from __future__ import annotations

import pytest

from firmware_host.errors import RuleError
from firmware_host.games.game import Game
from firmware_host.games.opponents import retyped, seated
from firmware_host.games.records import MatchStarted, from_fields, to_fields
from firmware_host.games.start import begin, opening


def test_an_opponent_is_shown_by_its_kind() -> None:
    names, opponents = seated(["Ann", "bot:perfect", "bot:good", "bot:casual"])
    assert names == ("Ann", "Perfect", "Good", "Casual")
    assert opponents == {"Perfect": "perfect", "Good": "good", "Casual": "casual"}


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        (["bot:good", "bot:good"], ("Good", "Good 2")),
        (["good", "bot:good"], ("good", "Good 2")),
        (["bot:good", "GOOD"], ("Good 2", "GOOD")),
    ],
)
def test_its_name_is_nobody_elses(typed: list[str], names: tuple[str, ...]) -> None:
    assert seated(typed)[0] == names


def test_played_again_it_is_asked_for_as_before() -> None:
    typed = ("Ann", "bot:good", "bot:good")
    assert retyped(*seated(typed)) == typed


def test_another_kind_is_refused_with_what_there_is() -> None:
    with pytest.raises(RuleError, match="bot:best: no such opponent; allowed: bot:perfect, bot:good"):
        opening(1, {}, ("Ann", "bot:best"))


@pytest.mark.parametrize(
    ("settings", "why"),
    [({"match.kind": "battle"}, "plays no battle"), ({"dice.source": "none"}, "dice.source none")],
)
def test_where_it_cannot_play_it_is_refused(settings: dict[str, str], why: str) -> None:
    with pytest.raises(RuleError, match=why):
        opening(1, settings, ("Ann", "bot:good"))


def test_the_journal_says_who_is_played_by_the_box() -> None:
    started = opening(1, {}, ("Ann", "bot:good"))[0]
    assert to_fields(started)["opponents"] == {"Good": "good"}
    assert from_fields(started.event, to_fields(started)) == started
    assert "opponents" not in to_fields(opening(1, {}, ("Ann", "Bob"))[0])


def game(*players: str) -> Game:
    started, turn = opening(1, {"rules.tiles": "1"}, players)
    assert isinstance(started, MatchStarted)
    return begin(started).apply(turn)


def test_a_rematch_has_the_same_opponents() -> None:
    match = game("Ann", "bot:good").match
    assert match.opponent == ""
    assert match.next_seats() == ("Ann", "bot:good")

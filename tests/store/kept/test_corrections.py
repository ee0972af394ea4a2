"""A turn handed over and a player renamed: who sat there is another, in all that is kept."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scribe import Scribe

from firmware_host.games.records import Corrected
from firmware_host.store.looking import looking
from firmware_host.store.match_story import match_story
from firmware_host.store.projections import rebuild
from firmware_host.store.queries import known_people, standings
from firmware_host.store.schema import connect


@pytest.fixture
def scribe(path: Path) -> Iterator[Scribe]:
    scribe = Scribe(path)
    yield scribe
    scribe.close()


def kept(path: Path) -> tuple[Any, ...]:
    """The last match, the people and how they stand."""
    with looking(path) as db:
        story = match_story(db, 1)
        assert story is not None
        turns = [(turn["player"], turn["score"]) for turn in story["turns"]]
        return story["players"], story["winners"], turns, known_people(db), [s.player for s in standings(db)]


def rename(scribe: Scribe, was: str, name: str) -> None:
    scribe.keep(Corrected("name", was, was, name))


def hand_over(scribe: Scribe, player: str) -> None:
    assert scribe.history.game is not None
    now = scribe.history.game.match.player
    scribe.keep(Corrected("turn", now, now, player))


def test_who_is_renamed_has_played_all_of_it(scribe: Scribe, path: Path) -> None:
    scribe.start("Player 1", "Bob")
    scribe.turn(9)
    rename(scribe, "Player 1", "Ann")
    scribe.turn(1)
    players, winners, turns, people, _ = kept(path)
    assert (players, winners, turns) == (["Ann", "Bob"], ["Bob"], [("Ann", 9), ("Bob", 1)])
    assert people == ["Ann", "Bob"], "whoever never sat anywhere is forgotten"


def test_a_rename_that_is_undone_leaves_no_trace(scribe: Scribe, path: Path) -> None:
    scribe.start("Player 1", "Bob")
    rename(scribe, "Player 1", "Ann")
    scribe.undo()
    scribe.turn(9)
    assert kept(path)[2] == [("Player 1", 9), ("Bob", None)]


def test_somebody_who_played_before_is_kept(scribe: Scribe, path: Path) -> None:
    scribe.start("Ann")
    scribe.turn(3)
    scribe.start("Ann", "Bob")
    rename(scribe, "Ann", "Zoe")
    with looking(path) as db:
        assert set(known_people(db)) == {"Ann", "Bob", "Zoe"}
        assert {one.player: one.played for one in standings(db)} == {"Ann": 1, "Bob": 0, "Zoe": 0}


def test_a_turn_that_is_handed_over_is_the_other_s(scribe: Scribe, path: Path) -> None:
    scribe.start("Ann", "Bob", "Cy")
    hand_over(scribe, "Cy")
    scribe.turn(7)
    scribe.turn(1)
    assert kept(path)[2] == [("Cy", 7), ("Ann", 1), ("Bob", None)]


def test_made_anew_from_the_events_it_is_the_same(scribe: Scribe, path: Path) -> None:
    scribe.start("Player 1", "Bob", "Cy")
    hand_over(scribe, "Cy")
    rename(scribe, "Cy", "Zoe")
    scribe.turn(7)
    rename(scribe, "Player 1", "Ann")
    scribe.undo()
    rename(scribe, "Player 1", "Bob B")
    before = kept(path)
    scribe.close()
    with contextlib.closing(connect(path)) as db, db:
        rebuild(db)
    assert kept(path) == before

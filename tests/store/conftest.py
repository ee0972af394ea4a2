"""A journal with matches in it, to be looked at and to be damaged."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_host.config import Config
from firmware_host.games.records import Record
from firmware_host.service.runner import match_wanted
from firmware_host.store.journal import FILE_NAME, Journal, Stamp
from firmware_host.table.history import History


def steps_of_match(history: History, players: tuple[str, ...], seed: int) -> Iterator[tuple[Record, ...]]:
    """The steps of one match after ``history``, by chance."""
    wanted, chance = match_wanted(Config(), players), random.Random(seed)
    opening = history.opening(wanted.rules, players)
    yield opening
    history = history.add(opening)
    while history.game is not None and not history.game.match.is_over:
        game = history.game
        if game.dice:
            step = game.stand(chance.choice(game.targets()).layout)
        else:
            step = game.roll((chance.randint(1, 6), chance.randint(1, 6)), "roller")
        yield step
        history = history.add(step)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store" / FILE_NAME


@pytest.fixture
def play() -> Callable[..., History]:
    """Writes ``matches`` after ``history`` to an open journal; returns the history then."""

    def play_matches(journal: Journal, history: History, matches: int = 1, seed: int = 0) -> History:
        for number in range(matches):
            for records in steps_of_match(history, ("Ann", "Bob"), seed + number):
                after = history.add(records)
                stamp = Stamp(float(history.seq), "2026-01-01T00:00:00+00:00", True)
                journal.append(history.seq + 1, records, stamp, after.snapshot())
                history = after
        return history

    return play_matches


@pytest.fixture
def written(path: Path, play: Callable[..., History]) -> History:
    """The history of a closed journal of four matches at ``path``."""
    journal = Journal(path)
    history = play(journal, journal.load(), 4)
    journal.close()
    return history

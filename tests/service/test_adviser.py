"""Whoever knows the odds, in a worker: the latest question wins, and nothing is loaded before it is asked."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from firmware_host.games.coach import Coach
from firmware_host.games.counsel import NOTHING_KNOWN, Counsel
from firmware_host.games.records import MatchStarted
from firmware_host.games.shut_the_box.odds import coach as odds_coach
from firmware_host.games.start import begin, opening
from firmware_host.service.adviser import Adviser
from firmware_host.table.effects import Ask

PLAYS = Path(__file__).parents[1] / "plays"


def question(seq: int) -> Ask:
    """About the first roll of a match."""
    started, turn = opening(1, {}, ("Ann", "bot:good"))
    assert isinstance(started, MatchStarted)
    return Ask(seq, begin(started).apply(turn), Coach(hints=True))


async def answers(adviser: Adviser) -> None:
    async with asyncio.timeout(30):
        while adviser.is_busy:
            await asyncio.sleep(0.001)


async def nothing_is_known() -> None:
    heard: list[Counsel] = []
    adviser = Adviser(lambda _, counsel: heard.append(counsel))
    adviser.ask(question(1))
    await answers(adviser)
    assert heard == [NOTHING_KNOWN]
    await adviser.close()


def test_a_question_is_answered_in_the_loop() -> None:
    async def ask() -> None:
        heard: list[tuple[int, Counsel, threading.Thread]] = []
        adviser = Adviser(lambda seq, counsel: heard.append((seq, counsel, threading.current_thread())))
        adviser.ask(question(7))
        assert adviser.is_busy
        await answers(adviser)
        ((seq, counsel, thread),) = heard
        assert (seq, [option.what for option in counsel.options]) == (7, [(2,)])
        assert thread is threading.current_thread()
        await adviser.close()

    asyncio.run(ask())


def test_of_questions_that_wait_only_the_latest_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on, asked = threading.Event(), threading.Event()

    def slow(*_: object) -> Counsel:
        asked.set()
        assert may_go_on.wait(30)
        return NOTHING_KNOWN

    async def ask() -> None:
        heard: list[int] = []
        adviser = Adviser(lambda seq, _: heard.append(seq))
        adviser.ask(question(1))
        while not asked.is_set():
            await asyncio.sleep(0.001)
        for seq in (2, 3, 4):
            adviser.ask(question(seq))
        may_go_on.set()
        await answers(adviser)
        assert heard == [1, 4]
        await adviser.close()

    monkeypatch.setattr(odds_coach, "counsel", slow)
    asyncio.run(ask())


def test_what_the_box_plays_is_known_before_the_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Coach] = []
    monkeypatch.setattr(odds_coach, "counsel", lambda _, coach: asked.append(coach) or NOTHING_KNOWN)

    async def ask(coach: Coach) -> None:
        heard: list[int] = []
        adviser = Adviser(lambda seq, _: heard.append(seq))
        adviser.ask(Ask(7, question(7).game, coach))
        await answers(adviser)
        assert heard == [7] * len(asked)
        await adviser.close()

    asyncio.run(ask(Coach(hints=True, chances=True)))
    assert asked == [Coach(hints=True), Coach(hints=True, chances=True)]
    asked.clear()
    asyncio.run(ask(Coach(chances=True)))
    assert asked == [Coach(chances=True)], "nothing else is asked for: a person plays"


def test_closed_it_forgets_what_it_is_working_on(monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Event()
    monkeypatch.setattr(odds_coach, "counsel", lambda *_: may_go_on.wait(30))

    async def ask() -> None:
        heard: list[int] = []
        adviser = Adviser(lambda seq, _: heard.append(seq))
        adviser.ask(question(1))
        await asyncio.sleep(0)
        await adviser.close()
        assert (adviser.is_busy, heard) == (False, [])
        may_go_on.set()

    asyncio.run(ask())


def test_without_numpy_it_says_so_and_nothing_is_known(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "numpy"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "firmware_host.games.shut_the_box.odds.graph", raising=False)
    odds_coach._known.cache_clear()
    asyncio.run(nothing_is_known())
    odds_coach._known.cache_clear()
    assert "no advice: odds need numpy" in caplog.text


@pytest.mark.parametrize(("play", "loads"), [("worked-turn", False), ("hints", True)])
def test_a_table_without_odds_loads_no_numpy(play: str, loads: bool) -> None:
    code = (
        "import sys; from firmware_host.cli.main import main;"
        f"assert main(['bench', {str(PLAYS / play)!r} + '.play']) == 0;"
        "print('numpy' in sys.modules, 'firmware_host.games.shut_the_box.odds' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split()[-2:] == [str(loads)] * 2


def test_a_fault_is_logged_and_the_table_waits_for_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(odds_coach, "counsel", lambda *_: 1 // 0)
    asyncio.run(nothing_is_known())
    assert "ZeroDivisionError" in caplog.text

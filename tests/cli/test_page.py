"""What the page asks a table for, as the table gets it."""

from __future__ import annotations

import asyncio
import errno
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from firmware_host.cli.main import main
from firmware_host.cli.page import TablePage, page_to_come
from firmware_host.config import Settings
from firmware_host.service.runner import claimed
from firmware_host.table.wishes import Start

START = {"do": "start", "players": ["ann", "bot:good", "bot:good"], "preset": "", "source": ""}


class Asked:
    """``posted``: what the table got; ``answers``: what the phone was told."""

    def __init__(self, *, is_ready: bool = True, **settings: str) -> None:
        self.posted: list[Any] = []
        self.answers: list[tuple[int, str]] = []
        ready = asyncio.Event()
        if is_ready:
            ready.set()
        chosen = Settings.load(None)
        for key, value in settings.items():
            chosen = chosen.with_setting(key.replace("__", "."), value)
        runner: Any = (
            _Loading() if not is_ready else SimpleNamespace(session=SimpleNamespace(people=("Ann",)))
        )
        runner.is_ready, runner.post = ready, self.posted.append
        page: Any = SimpleNamespace(answer=lambda number, problem: self.answers.append((number, problem)))
        self.page = TablePage(page, runner, chosen.build(), lambda: 0.0)

    def start(self) -> Start:
        self.page.asked(1, {"wish": START})
        wish = self.posted[-1].wish
        assert isinstance(wish, Start)
        return wish


class _Loading:
    @property
    def session(self) -> Any:
        raise AssertionError("nothing is loaded before the first picture")


@pytest.mark.parametrize(
    "wish", [START, {"do": "rename", "player": "Ann", "name": "Zoe"}, {"do": "take_back"}]
)
def test_a_wish_while_the_table_starts_is_answered_and_not_passed_on(wish: dict[str, Any]) -> None:
    asked = Asked(is_ready=False)
    asked.page.asked(7, {"wish": wish})
    assert (asked.answers, asked.posted) == ([(7, "the table is starting")], [])


def test_seats_that_the_box_plays_keep_their_kind_and_people_their_known_name() -> None:
    assert Asked().start().players == ("Ann", "bot:good", "bot:good")


def test_a_match_from_the_phone_is_played_with_the_dice_that_the_table_reads() -> None:
    asked = Asked(dice__source="serial", tiles__driver="serial")
    assert (
        asked.start().source
        == Settings.load(None)
        .with_setting("dice.source", "serial")
        .with_setting("tiles.driver", "serial")
        .build()
        .dice.played
    )


def test_an_address_that_the_network_has_not_given_yet_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    refusals = [OSError(errno.EADDRNOTAVAIL, "Cannot assign requested address")] * 3
    opened: Any = SimpleNamespace()

    def page(*_: Any, **__: Any) -> Any:
        if refusals:
            raise refusals.pop()
        return opened

    monkeypatch.setattr("firmware_host.cli.page.WebProcess", page)
    monkeypatch.setattr("firmware_host.cli.page.AGAIN_S", 0.0)
    config = Settings.load(None).with_setting("store.dir", str(tmp_path)).build()
    assert asyncio.run(page_to_come(config, lambda number, what: None)) is opened
    assert caplog.messages == ["no page yet: 127.0.0.1: Cannot assign requested address"]


def test_a_bench_in_a_store_that_is_in_use_says_only_that(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with claimed(tmp_path):
        assert main(["bench", "--set", f"store.dir={tmp_path}", "--set", "web.port=0"]) != 0
    said = capfd.readouterr().err
    assert said.count("\n") == 1
    assert "in use" in said

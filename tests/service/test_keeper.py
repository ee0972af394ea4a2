"""The journal in its worker: lost and back, and every step in it once and in order."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from firmware_host.config import Config
from firmware_host.errors import JournalError, JournalInUseError
from firmware_host.games.records import Record, Resumed
from firmware_host.service.keeper import RETRY_S, Keeper
from firmware_host.service.runner import match_wanted
from firmware_host.store import journal as journal_module
from firmware_host.store.journal import FILE_NAME, Journal, Stamp, fold, read
from firmware_host.table.history import History
from sim.clock import VirtualLoop

STAMP = Stamp(0.0, "2026-01-01T00:00:00+00:00", True)


class Desk:
    """A keeper, what it said, and a game that goes on whatever the keeper does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said: list[str] = []
        self.keeper = Keeper(
            folder,
            lambda name: self.said.append(f"{name} back"),
            lambda name, reason: self.said.append(f"{name} lost"),
        )
        self.history = History()

    async def accept(self, records: tuple[Record, ...]) -> None:
        after = self.history.add(records)
        step = (self.history.seq + 1, records, STAMP, after.snapshot())
        self.history = after
        await self.keeper.append(step)

    async def play(self, steps: int) -> None:
        """So many steps: a new match, or a roll of two dice that stands at once."""
        wanted = match_wanted(Config(), ("Ann", "Bob"))
        for _ in range(steps):
            game = self.history.game
            if game is None or game.match.is_over:
                records = self.history.opening(wanted.rules, wanted.players)
            elif game.dice:
                records = game.stand(game.targets()[0].layout)
            else:
                records = game.roll((4, 5), "roller")
            await self.accept(records)

    def stored(self) -> History:
        """What a restart would find; every event once, or it would not fold."""
        rows, snapshot = read(self.folder / FILE_NAME)
        history = fold(rows)
        assert snapshot == history.snapshot()
        return history


def run(folder: Path, play: Callable[[Desk], Awaitable[None]]) -> Desk:
    async def scene() -> Desk:
        desk = Desk(folder)
        desk.history = await desk.keeper.open()
        task = asyncio.create_task(desk.keeper.keep())
        try:
            await play(desk)
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            await desk.keeper.close()
        return desk

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(scene())


class Disk:
    """Lets appends fail, before or after they reached the disk."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_broken = self.is_lying = False
        self.tries = 0
        write = Journal._write

        def write_or_fail(journal: Journal, *step: object) -> None:
            self.tries += 1
            if self.is_lying:
                write(journal, *step)  # type: ignore[arg-type]
            if self.is_broken or self.is_lying:
                error = sqlite3.OperationalError("disk I/O error")
                error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
                raise error
            write(journal, *step)  # type: ignore[arg-type]

        monkeypatch.setattr(Journal, "_write", write_or_fail)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def test_a_step_is_on_the_disk_when_append_returns(tmp_path: Path) -> None:
    async def play(desk: Desk) -> None:
        for _ in range(5):
            await desk.play(1)
            assert desk.stored() == desk.history

    assert run(tmp_path, play).said == []


def test_lost_while_writing_the_waiting_steps_are_written_later_in_order(tmp_path: Path, disk: Disk) -> None:
    async def play(desk: Desk) -> None:
        await desk.play(3)
        disk.is_broken = True
        await desk.play(4)
        assert (desk.stored().seq, desk.said) == (4, ["store lost"])
        await asyncio.sleep(3 * RETRY_S + 1)
        assert disk.tries == 3 + 1 + 3, "one failed try tells it; then one every few seconds, not one a step"
        disk.is_broken = False
        await asyncio.sleep(RETRY_S + 1)
        assert desk.stored() == desk.history
        await desk.play(2)
        assert desk.stored() == desk.history

    assert run(tmp_path, play).said == ["store lost", "store back"]


def test_a_write_that_failed_after_it_reached_the_disk_is_not_written_twice(
    tmp_path: Path, disk: Disk
) -> None:
    async def play(desk: Desk) -> None:
        await desk.play(3)
        disk.is_lying = True
        await desk.play(3)
        disk.is_lying = False
        await asyncio.sleep(RETRY_S + 1)
        assert desk.stored() == desk.history

    assert run(tmp_path, play).said == ["store lost", "store back"]


def test_finish_writes_what_waits(tmp_path: Path, disk: Disk) -> None:
    async def play(desk: Desk) -> None:
        disk.is_broken = True
        await desk.play(5)
        disk.is_broken = False
        await desk.keeper.finish()
        assert desk.stored() == desk.history

    run(tmp_path, play)


def test_a_folder_that_comes_later_gets_the_whole_match(tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    folder.write_text("not mounted")

    async def play(desk: Desk) -> None:
        await desk.play(4)
        await asyncio.sleep(60)
        assert desk.said == ["store lost"]
        folder.unlink()
        await asyncio.sleep(RETRY_S + 1)
        assert desk.stored() == desk.history

    assert run(folder, play).said == ["store lost", "store back"]


def test_a_store_that_cannot_be_opened_is_not_back_because_nothing_waits(tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    folder.write_text("not mounted")

    async def play(desk: Desk) -> None:
        await asyncio.sleep(60)
        assert desk.said == ["store lost"]
        folder.unlink()
        await asyncio.sleep(RETRY_S + 1)

    assert run(folder, play).said == ["store lost", "store back"]


def test_other_matches_found_later_are_not_written_over(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "stick", tmp_path / "elsewhere"

    async def play_six(desk: Desk) -> None:
        await desk.play(6)

    other = run(elsewhere, play_six).history
    folder.write_text("not mounted")

    async def play(desk: Desk) -> None:
        await desk.play(2)
        folder.unlink()
        elsewhere.rename(folder)
        await asyncio.sleep(4 * RETRY_S)
        assert desk.said == ["store lost"]
        assert desk.stored() == other

    run(folder, play)
    run(folder, lambda desk: desk.play(1))  # and it let go of the folder


def test_a_journal_that_can_only_be_read_is_resumed_from_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play_six(desk: Desk) -> None:
        await desk.play(6)

    before = run(tmp_path, play_six).history

    def fail(_: Path) -> int:
        raise PermissionError(30, "Read-only file system")

    monkeypatch.setattr(journal_module, "_lock", fail)

    async def play(desk: Desk) -> None:
        assert desk.history == before
        assert desk.said == ["store lost"]
        await desk.accept((Resumed(1, (), ()),))
        monkeypatch.undo()
        await asyncio.sleep(RETRY_S + 1)
        assert desk.stored() == desk.history

    assert run(tmp_path, play).said == ["store lost", "store back"]


def test_a_damaged_journal_is_said_and_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def play(desk: Desk) -> None:
        await desk.play(6)

    run(tmp_path, play)
    with contextlib.closing(sqlite3.connect(tmp_path / FILE_NAME)) as db, db:
        db.execute("UPDATE events SET fields = '{' WHERE seq = 5")

    async def go_on(desk: Desk) -> None:
        assert desk.history.seq == 4
        assert "kept 4 events" in desk.keeper.damage
        await desk.play(2)
        assert desk.stored() == desk.history

    with caplog.at_level(logging.ERROR):
        assert run(tmp_path, go_on).said == []
    assert [record.message.count("kept 4 events") for record in caplog.records] == [1]


def test_a_journal_in_use_is_an_error_at_the_start(tmp_path: Path) -> None:
    journal = Journal(tmp_path / FILE_NAME)
    with pytest.raises(JournalInUseError):
        run(tmp_path, lambda _: asyncio.sleep(0))
    journal.close()


def test_a_journal_of_a_later_release_is_lost_and_stays_so(tmp_path: Path) -> None:
    Journal(tmp_path / FILE_NAME).close()
    with contextlib.closing(sqlite3.connect(tmp_path / FILE_NAME)) as db:
        db.execute("PRAGMA user_version = 99")

    async def play(desk: Desk) -> None:
        await desk.play(2)
        await asyncio.sleep(3 * RETRY_S)

    assert run(tmp_path, play).said == ["store lost"]
    with pytest.raises(JournalError, match="later release"):
        Journal(tmp_path / FILE_NAME)

"""A disk that is full, cannot be written or is not there: said, and never half a step."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_host.errors import JournalError, JournalInUseError
from firmware_host.store import journal as journal_module
from firmware_host.store.journal import Journal, peek, read
from firmware_host.table.history import History

Play = Callable[..., History]
NOBODY = 65534


@contextlib.contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    """A disk with so much room: what writes more is refused by the system."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_an_error_and_no_half_step(path: Path, written: History, play: Play) -> None:
    journal = Journal(path)
    history = journal.load()
    with files_no_longer_than(8192), pytest.raises(JournalError, match=r"boxkeeper\.db: "):
        play(journal, history, 1)
    rows, snapshot = read(path)
    assert rows[-1].seq >= written.seq
    assert journal.load().snapshot() == snapshot
    journal.close()


def test_after_room_was_made_it_is_written_by_the_same_journal(
    path: Path, written: History, play: Play
) -> None:
    journal = Journal(path)
    with files_no_longer_than(0), pytest.raises(JournalError):
        play(journal, written, 1)
    assert journal.load() == written
    after = play(journal, written, 1)
    assert journal.load() == after
    journal.close()


def test_a_disk_full_at_the_start_is_an_error_that_lets_go(path: Path) -> None:
    with files_no_longer_than(0):
        for _ in range(2):
            with pytest.raises(JournalError) as caught:
                Journal(path)
            assert not isinstance(caught.value, JournalInUseError)
    Journal(path).close()


@pytest.mark.parametrize("below", ["file", "file/folder"])
def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(JournalError, match=f"{tmp_path / below}: (Not a directory|File exists)"):
        Journal(tmp_path / below / "boxkeeper.db")


def test_a_folder_in_the_place_of_the_journal_is_an_error(path: Path) -> None:
    path.mkdir(parents=True)
    for _ in range(2):
        with pytest.raises(JournalError, match="unable to open database file"):
            Journal(path)
    assert path.is_dir()


@pytest.mark.parametrize(
    "message", ["disk I/O error", "database is locked", "attempt to write a readonly database"]
)
def test_trouble_of_the_disk_is_not_taken_for_damage(
    path: Path, written: History, monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    codes = {"disk": sqlite3.SQLITE_IOERR_READ, "data": sqlite3.SQLITE_BUSY, "atte": sqlite3.SQLITE_READONLY}

    def fail(_: object) -> History:
        error = sqlite3.OperationalError(message)
        error.sqlite_errorcode = codes[message[:4]]
        raise error

    journal = Journal(path)
    monkeypatch.setattr(journal_module, "_fold_last_match", fail)
    with pytest.raises(JournalError, match=message):
        journal.load()
    monkeypatch.undo()
    assert journal.load() == written
    assert not list(path.parent.glob("*damaged*"))
    journal.close()


# A card that was mounted read-only, as a Pi does after trouble: for root, a read-only folder is no hindrance.


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that others may look into; pytest's own are closed to them."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


def look(path: Path) -> tuple[str, int, int]:
    """What somebody sees who may only read: why it cannot be opened, events by peek and by read."""
    for part in path.parent.iterdir():
        part.chmod(0o444)
    path.parent.chmod(0o555)
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    try:
        with pytest.raises(JournalError) as caught:
            Journal(path)
        return str(caught.value), peek(path).seq, len(read(path)[0])
    finally:
        os.seteuid(user)
        path.parent.chmod(0o755)


def test_a_read_only_journal_can_be_read(open_folder: Path, written: History, path: Path) -> None:
    there = Path(shutil.copytree(path.parent, open_folder / "store")) / path.name
    assert look(there) == (f"{there.parent}: Permission denied", written.seq, written.seq)


def test_a_read_only_journal_after_a_power_cut_can_be_read_to_its_end(
    open_folder: Path, written: History, path: Path, play: Play
) -> None:
    journal = Journal(path)
    after = play(journal, journal.load(), 1)
    there = Path(shutil.copytree(path.parent, open_folder / "store")) / path.name
    journal.close()
    assert Path(f"{there}-wal").stat().st_size > 0
    assert look(there)[1:] == (after.seq, after.seq)


def test_without_the_files_beside_it_what_is_in_the_journal_itself_can_be_read(
    open_folder: Path, written: History, path: Path, play: Play
) -> None:
    journal = Journal(path)
    play(journal, journal.load(), 1)
    there = Path(shutil.copytree(path.parent, open_folder / "store")) / path.name
    journal.close()
    for suffix in ("-wal", "-shm"):
        Path(f"{there}{suffix}").unlink()
    assert look(there)[1:] == (written.seq, written.seq)

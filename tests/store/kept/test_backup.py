"""Backups: of one moment, complete or not there; taken back when they are sound, or nothing is touched."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from scribe import Scribe
from test_schema import to_version_1

from firmware_host.errors import JournalError, JournalInUseError
from firmware_host.store import backup as backup_module
from firmware_host.store.backup import backup, restore
from firmware_host.store.journal import Journal, fold, read
from firmware_host.store.looking import looking
from firmware_host.store.queries import standings

NOBODY = 65534


@pytest.fixture
def scribe(path: Path) -> Iterator[Scribe]:
    """Some matches, and the journal still open."""
    made, chance = Scribe(path), random.Random(11)
    for _ in range(200):
        made.do_something(chance)
    yield made
    made.close()


@pytest.fixture
def copy(scribe: Scribe, tmp_path: Path) -> Path:
    """A backup of them; then they go on and end."""
    to = tmp_path / "copy.db"
    assert backup(scribe.path, to) == scribe.history.seq
    scribe.start("Zed")
    scribe.close()
    return to


def files(folder: Path) -> dict[str, bytes]:
    return {part.name: part.read_bytes() for part in folder.iterdir() if part.suffix != ".lock"}


def test_a_backup_of_a_running_table_is_all_that_is_on_the_disk(scribe: Scribe, tmp_path: Path) -> None:
    to = tmp_path / "copy.db"
    assert backup(scribe.path, to) == scribe.history.seq
    rows, snapshot = read(to)
    assert fold(rows).snapshot() == snapshot == scribe.history.snapshot()
    with looking(to) as db, looking(scribe.path) as present:
        assert standings(db) == standings(present)
    assert sorted(part.name for part in tmp_path.iterdir()) == ["copy.db", "store"]


def test_a_backup_is_of_one_moment_while_another_process_writes(path: Path, tmp_path: Path) -> None:
    script = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import pathlib, random; from scribe import Scribe\n"
        "scribe, chance = Scribe(pathlib.Path(sys.argv[1])), random.Random(5)\n"
        "scribe.start('Ann', 'Bob'); print('open', flush=True)\n"
        "while True: scribe.do_something(chance)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE) as table:
        try:
            assert table.stdout is not None
            assert table.stdout.readline() == b"open\n"
            counts = []
            for number in range(8):
                to = tmp_path / f"{number}.db"
                counts.append(backup(path, to))
                rows, snapshot = read(to)
                assert len(rows) == counts[-1]
                assert fold(rows).snapshot() == snapshot
            assert counts == sorted(counts)
            assert counts[0] < counts[-1]
        finally:
            table.kill()


def test_an_older_backup_is_replaced(scribe: Scribe, copy: Path) -> None:
    before = len(read(copy)[0])
    assert backup(scribe.path, copy) == len(read(copy)[0]) > before


@pytest.mark.parametrize("content", [b"", b"Dear Ann"])
def test_another_file_is_left_alone(scribe: Scribe, tmp_path: Path, content: bytes) -> None:
    to = tmp_path / "letter.txt"
    to.write_bytes(content)
    with pytest.raises(JournalError, match=r"letter.txt: is there already, and no backup"):
        backup(scribe.path, to)
    assert to.read_bytes() == content


def test_the_store_is_no_backup_of_itself(scribe: Scribe) -> None:
    with pytest.raises(JournalError, match="is there already"):
        backup(scribe.path, scribe.path)
    with pytest.raises(JournalError, match="is the store itself"):
        restore(scribe.path, scribe.path)


def test_without_a_store_there_is_nothing_to_copy(path: Path, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="nobody has played yet"):
        backup(path, tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


def test_a_backup_that_cannot_be_written_leaves_nothing(scribe: Scribe, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"nowhere/copy.db: unable to open"):
        backup(scribe.path, tmp_path / "nowhere" / "copy.db")
    assert [part.name for part in tmp_path.iterdir()] == ["store"]


def test_a_table_that_starts_while_it_is_copied_is_copied_again(
    path: Path, copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_pages, started = backup_module._copy, list[Scribe]()

    def start_a_table(db: sqlite3.Connection, to: Path) -> int:
        events = copy_pages(db, to)
        if not started:
            started.append(Scribe(path))
            started[0].start("Yan")
        return events

    monkeypatch.setattr(backup_module, "_copy", start_a_table)
    assert backup(path, tmp_path / "new.db") == started[0].history.seq
    started[0].close()


# Back


def test_restored_is_what_was_backed_up_and_the_rest_is_set_aside(path: Path, copy: Path) -> None:
    rows, (now, _) = read(copy), read(path)
    events, old = restore(path, copy)
    assert events == len(rows[0])
    assert read(path) == rows
    assert old is not None
    assert old.name == "boxkeeper.db.before-restore-1"
    assert read(old)[0] == now
    assert sorted(files(path.parent)) == ["boxkeeper.db", "boxkeeper.db.before-restore-1"]
    with looking(path) as db, looking(copy) as before:
        assert standings(db) == standings(before)
    assert restore(path, old)[1] == path.with_name("boxkeeper.db.before-restore-2")


def test_what_a_killed_table_left_is_set_aside_whole(path: Path, copy: Path) -> None:
    scribe = Scribe(path)
    scribe.start("Xia")
    there = path.parent / "there"
    there.mkdir()
    for part in path.parent.glob("boxkeeper.db*"):
        shutil.copy(part, there)
    scribe.close()
    _, old = restore(there / path.name, copy)
    assert old is not None
    assert len(read(old)[0]) == scribe.history.seq
    assert Path(f"{old}-wal").stat().st_size > 0


def test_a_new_table_can_begin_with_a_backup(copy: Path, tmp_path: Path) -> None:
    there = tmp_path / "new" / "boxkeeper.db"
    assert restore(there, copy) == (len(read(copy)[0]), None)
    scribe = Scribe(there)
    scribe.start("Ann")
    scribe.close()


def test_an_older_backup_is_migrated(path: Path, copy: Path, tmp_path: Path) -> None:
    old = to_version_1(copy, tmp_path / "old.db")
    before = old.read_bytes()
    restore(path, old)
    with looking(path) as db, looking(copy) as same:
        assert standings(db) == standings(same)
    assert old.read_bytes() == before


def test_a_running_table_is_not_taken_away(path: Path, copy: Path) -> None:
    journal = Journal(path)
    before = files(path.parent)
    with pytest.raises(JournalInUseError, match=f"in use by Boxkeeper process {os.getpid()}; stop that one"):
        restore(path, copy)
    assert files(path.parent) == before
    journal.close()


def half(copy: Path) -> None:
    copy.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])


def a_page(copy: Path) -> None:
    content = bytearray(copy.read_bytes())
    content[3 * 4096 : 4 * 4096] = b"\xa5" * 4096
    copy.write_bytes(content)


def sql(statement: str) -> Callable[[Path], None]:
    def change(copy: Path) -> None:
        with contextlib.closing(sqlite3.connect(copy)) as db, db:
            db.execute(statement)

    return change


@pytest.mark.parametrize(
    "harm",
    [
        half,
        a_page,
        lambda copy: copy.write_bytes(b""),
        lambda copy: copy.write_bytes(b"Dear Ann" * 1000),
        sql("PRAGMA user_version = 99"),
        sql("PRAGMA application_id = 99"),
        sql("DELETE FROM events WHERE seq = 5"),
        sql("DROP TABLE events"),
        sql("DROP TABLE state"),
        sql("UPDATE events SET fields = '{' WHERE seq = 5"),
        sql("UPDATE events SET event = 'tile_eaten' WHERE seq = 5"),
        sql("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)"),
        sql("UPDATE state SET snapshot = json_set(snapshot, '$.totals', 7)"),
        sql("UPDATE state SET snapshot = '['"),
    ],
)
def test_a_backup_that_is_not_sound_is_refused_and_nothing_is_touched(
    path: Path, copy: Path, harm: Callable[[Path], None]
) -> None:
    harm(copy)
    store, damaged = files(path.parent), copy.read_bytes()
    with pytest.raises(JournalError, match=r"^[^\n]*copy\.db: is no [^\n]* touched") as caught:
        restore(path, copy)
    assert "\n" not in str(caught.value)
    assert (files(path.parent), copy.read_bytes()) == (store, damaged)
    Journal(path).close()


@pytest.mark.parametrize("moment", range(4))
def test_pulled_while_restoring_one_or_the_other_is_there(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    now, then = read(path)[0], read(copy)[0]
    count = [0]

    def pulled(work: Callable[..., None]) -> Callable[..., None]:
        def do(*args: object) -> None:
            if count[0] == moment:
                raise KeyboardInterrupt
            count[0] += 1
            work(*args)

        return do

    with monkeypatch.context() as patch:
        patch.setattr(backup_module.os, "replace", pulled(os.replace))
        patch.setattr(backup_module, "move", pulled(backup_module.move))
        if moment < 3:
            with pytest.raises(KeyboardInterrupt):
                restore(path, copy)
        else:
            restore(path, copy)
    Journal(path).close()
    assert read(path)[0] == (now if moment < 2 else then)


# Looking


def test_looking_makes_and_changes_nothing(path: Path, copy: Path) -> None:
    before = {part: (part.stat().st_mtime_ns, part.stat().st_size) for part in path.parent.iterdir()}
    with looking(path) as db:
        assert standings(db)
    read(path)
    backup(path, copy)
    assert {part: (part.stat().st_mtime_ns, part.stat().st_size) for part in path.parent.iterdir()} == before


def test_looking_is_at_one_moment_while_the_table_goes_on(scribe: Scribe) -> None:
    with looking(scribe.path) as db:
        before = standings(db)
        scribe.start("Zed")
        assert standings(db) == before
    with looking(scribe.path) as db:
        assert [one.player for one in standings(db)] == [*(one.player for one in before), "Zed"]


@pytest.mark.parametrize("is_running", [False, True], ids=["closed", "left-by-a-power-cut"])
def test_a_store_in_a_read_only_folder_can_be_looked_at(scribe: Scribe, is_running: bool) -> None:
    if not is_running:
        scribe.close()
    with tempfile.TemporaryDirectory() as name:
        there = Path(shutil.copytree(scribe.path.parent, Path(name, "store"))) / scribe.path.name
        os.chmod(name, 0o755)
        for part in there.parent.iterdir():
            part.chmod(0o444)
        there.parent.chmod(0o555)
        user = os.geteuid()
        if user == 0:
            os.seteuid(NOBODY)
        try:
            with looking(there) as db:
                assert db.execute("SELECT max(seq) FROM events").fetchone()[0] == scribe.history.seq
        finally:
            os.seteuid(user)
            there.parent.chmod(0o755)


def test_what_is_not_there_cannot_be_looked_at(path: Path) -> None:
    with pytest.raises(JournalError, match="no such store"), looking(path):
        pass
    assert not path.parent.exists()

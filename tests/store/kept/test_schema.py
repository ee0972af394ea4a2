"""Versions of the file: an older one becomes a present one and keeps everything."""

from __future__ import annotations

import contextlib
import random
import sqlite3
from pathlib import Path

import pytest
from scribe import Scribe

from firmware_host.errors import JournalError
from firmware_host.store import schema
from firmware_host.store.journal import Journal, fold, peek, read
from firmware_host.store.looking import looking
from firmware_host.store.queries import standings

# As the first release wrote it.
VERSION_1 = """
CREATE TABLE events (
    seq INTEGER PRIMARY KEY,      -- 1, 2, 3, ... without a gap
    step INTEGER NOT NULL,        -- seq of the first event accepted together with this one
    t REAL NOT NULL,              -- seconds since the service started, monotonic
    wall TEXT NOT NULL,           -- UTC, ISO 8601
    clock_set INTEGER NOT NULL,   -- 0: the wall clock was not set then
    event TEXT NOT NULL,
    fields TEXT NOT NULL          -- JSON object
);
CREATE INDEX match_starts ON events (seq) WHERE event = 'match_started';
CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), snapshot TEXT NOT NULL);
PRAGMA user_version = 1;
PRAGMA journal_mode = WAL;
"""


def to_version_1(path: Path, to: Path) -> Path:
    """The same events in a file of the first release."""
    to.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(sqlite3.connect(to)) as db:
        db.executescript(VERSION_1)
        db.execute("ATTACH ? AS new", (str(path),))
        with db:
            db.execute("INSERT INTO events SELECT * FROM new.events")
            db.execute("INSERT INTO state SELECT * FROM new.state")
    return to


def content(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with contextlib.closing(sqlite3.connect(path)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names}


def application_and_version(path: Path) -> tuple[int, int]:
    with contextlib.closing(sqlite3.connect(path)) as db:
        application = db.execute("PRAGMA application_id").fetchone()[0]
        return application, db.execute("PRAGMA user_version").fetchone()[0]


@pytest.fixture
def old(path: Path, tmp_path: Path) -> Path:
    """A file of version 1; ``path`` holds the same, as it was written by this release."""
    scribe, chance = Scribe(path), random.Random(7)
    for _ in range(300):
        scribe.do_something(chance)
    scribe.close()
    return to_version_1(path, tmp_path / "old" / path.name)


def test_a_new_file_says_whose_it_is_and_its_version(path: Path) -> None:
    Journal(path).close()
    assert application_and_version(path) == (schema.APPLICATION_ID, schema.VERSION) == (0x426F784B, 3)


def test_an_old_file_is_migrated_and_keeps_everything(old: Path, path: Path) -> None:
    before = read(old)
    journal = Journal(old)
    history = journal.load()
    journal.close()
    assert journal.damage == ""
    assert (history, read(old)) == (fold(before[0]), before)
    assert application_and_version(old) == (schema.APPLICATION_ID, schema.VERSION)
    assert content(old) == content(path)
    assert [part.name for part in old.parent.iterdir() if "damaged" in part.name] == []


def test_a_migrated_file_is_played_on(old: Path) -> None:
    scribe = Scribe(old)
    scribe.start("Ann", "Bob", dice_source="none")
    scribe.turn(1)
    scribe.close()
    with looking(old) as db:
        assert db.execute("SELECT score FROM turns ORDER BY seq DESC LIMIT 1 OFFSET 1").fetchone() == (1,)


def test_pulled_in_the_midst_of_it_an_old_file_is_as_it_was(
    old: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pull(db: sqlite3.Connection) -> None:
        schema._add_projections(db)
        raise KeyboardInterrupt

    before = content(old)
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (schema._add_events, pull))
        with pytest.raises(KeyboardInterrupt):
            Journal(old)
    assert (application_and_version(old), content(old)) == ((0, 1), before)
    Journal(old).close()
    assert content(old) == content(path)


def test_an_old_file_is_looked_at_without_being_changed(old: Path, path: Path) -> None:
    before = old.read_bytes()
    with looking(old) as db, looking(path) as new:
        assert standings(db) == standings(new) != []
    assert old.read_bytes() == before
    assert [part.name for part in old.parent.iterdir()] == [old.name]


def test_a_match_that_cannot_be_read_any_more_does_not_hold_a_migration_up(old: Path) -> None:
    with contextlib.closing(sqlite3.connect(old)) as db, db:
        db.execute("UPDATE events SET fields = '{' WHERE seq = 3")
    state = peek(old)
    journal = Journal(old)
    assert (journal.load(), journal.damage) == (state, "")
    journal.close()


def test_a_game_of_a_later_release_is_passed_over(path: Path) -> None:
    scribe = Scribe(path)
    scribe.start("Ann")
    scribe.start("Bob")
    scribe.close()
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("""UPDATE events SET fields = json_set(fields, '$.rules."match.kind"', 'golf')
            WHERE seq = 1""")
    old = to_version_1(path, path.with_name("old.db"))
    Journal(old).close()
    with looking(old) as db:
        assert [one.player for one in standings(db)] == ["Bob"]


@pytest.mark.parametrize("application", [0, 77])
def test_a_database_of_another_program_is_set_aside_unchanged(path: Path, application: int) -> None:
    path.parent.mkdir()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE songs (name TEXT)")
        db.execute("PRAGMA user_version = 0")
        db.execute(f"PRAGMA application_id = {application}")
    before = path.read_bytes()
    with pytest.raises(JournalError, match="not a database of Boxkeeper"), looking(path):
        pass
    journal = Journal(path)
    assert "not a database of Boxkeeper" in journal.damage
    assert journal.load().seq == 0
    journal.close()
    assert path.with_name(f"{path.name}.damaged-1").read_bytes() == before

"""The journal: every accepted step on disk before it is shown.

One SQLite file (WAL, ``synchronous=FULL``), one transaction a step.  State is the fold
of the journal; the last state's snapshot is stored beside it, so that a fold can be
checked against it.  A damaged file is set aside, never deleted, and what can be read
of it goes on in a new one.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_host.errors import BoxkeeperError, JournalError, JournalInUseError
from firmware_host.games.records import Record, from_fields, to_fields
from firmware_host.table.history import History

FILE_NAME = "boxkeeper.db"
VERSION = 1  # of the schema, in SQLite's user_version
_BUSY_S = 2.0
_UNREADABLE = (sqlite3.DatabaseError, BoxkeeperError, ValueError, KeyError, TypeError)

_SCHEMA = """
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
"""


@dataclass(frozen=True, slots=True)
class Stamp:
    """When a step was accepted: ``t`` seconds since start; ``wall`` UTC in ISO 8601."""

    t: float
    wall: str
    clock_set: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One event as stored."""

    seq: int
    step: int
    stamp: Stamp
    record: Record


class Journal:
    """An open journal.  All calls from one thread; every failure is a JournalError."""

    def __init__(self, path: Path) -> None:
        """Open or make ``path``; its folder is made as well, and locked for this process."""
        self.path = path
        self.damage = ""  # what was wrong with the file found, for the people to know
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = _lock(path.parent / "boxkeeper.lock")
        except JournalError:
            raise
        except OSError as error:
            raise JournalError(f"{path.parent}: {error.strerror}") from None
        try:
            self._db = _connect(path)
        except sqlite3.DatabaseError as error:
            if _is_passing(error):
                self._unlock()
                raise JournalError(f"{path}: {error}") from None
            self._db = self._salvage(str(error))

    def load(self) -> History:
        """The fold of the last match; damaged rows and what follows them are set aside."""
        try:
            return _fold_last_match(self._db)
        except _UNREADABLE as error:
            if isinstance(error, sqlite3.Error) and _is_passing(error):
                raise JournalError(f"{self.path}: {error}") from None
            self._db.close()
            self._db = self._salvage(str(error))
        return _fold_last_match(self._db)

    def append(self, seq: int, records: tuple[Record, ...], stamp: Stamp, snapshot: dict[str, Any]) -> None:
        """Write one step in one transaction; returns when it is on disk."""
        rows = [
            (seq + i, seq, stamp.t, stamp.wall, stamp.clock_set, record.event, _json(to_fields(record)))
            for i, record in enumerate(records)
        ]
        try:
            with self._db:
                self._db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
                self._db.execute("INSERT OR REPLACE INTO state VALUES (1, ?)", (_json(snapshot),))
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: {error}") from None

    def close(self) -> None:
        """Let go of the file; quiet when called twice."""
        with contextlib.suppress(sqlite3.Error):
            self._db.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _salvage(self, why: str) -> sqlite3.Connection:
        """Set the damaged file aside and carry what can be read over to a new one."""
        aside = next(p for i in range(1, 10_000) if not (p := Path(f"{self.path}.damaged-{i}")).exists())
        try:
            for suffix in ("", "-wal", "-shm"):
                part = Path(f"{self.path}{suffix}")
                if part.exists():
                    part.rename(f"{aside}{suffix}")
            db = _connect(self.path)
            with db:
                kept = _carry_over(aside, db)
        except (OSError, sqlite3.Error) as error:
            self._unlock()
            raise JournalError(f"{self.path}: damaged ({why}), and cannot be set aside: {error}") from None
        self.damage = f"the journal was damaged ({why}): kept {kept} events, the rest is in {aside.name}"
        return db


def peek(path: Path) -> History:
    """The state of a journal that cannot be written; an empty one where it cannot be read either."""
    # immutable: a WAL database needs no files beside it then, so a read-only folder will do
    try:
        with contextlib.closing(sqlite3.connect(_uri(path, "mode=ro&immutable=1"), uri=True)) as db:
            return _fold_last_match(db)
    except _UNREADABLE:
        return History()


def read(path: Path) -> tuple[list[Row], dict[str, Any] | None]:
    """All events of the journal at ``path`` and the stored snapshot, without changing it.

    Raises JournalError when it cannot be read.
    """
    if not path.is_file():
        raise JournalError(f"{path}: no such journal")
    try:
        with contextlib.closing(sqlite3.connect(_uri(path, "mode=ro"), uri=True)) as db:
            snapshot = db.execute("SELECT snapshot FROM state").fetchone()
            return list(_rows(db, 1)), json.loads(snapshot[0]) if snapshot else None
    except _UNREADABLE as error:
        raise JournalError(f"{path}: {error}") from None


def fold(rows: list[Row]) -> History:
    """The state that ``rows`` lead to; JournalError where one does not follow."""
    history = History()
    for step in _steps(rows):
        history = history.add(tuple(row.record for row in step))
    return history


def _uri(path: Path, how: str) -> str:
    return f"{path.absolute().as_uri()}?{how}"


def _fold_last_match(db: sqlite3.Connection) -> History:
    start = db.execute(
        "SELECT seq, fields FROM events WHERE event = 'match_started' ORDER BY seq DESC LIMIT 1"
    ).fetchone()
    if start is None:
        return History(seq=int(db.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0]))
    history = History(seq=start[0] - 1, matches=json.loads(start[1])["match"] - 1)
    for step in _steps(_rows(db, start[0])):
        history = history.add(tuple(row.record for row in step))
    return history


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=_BUSY_S)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise JournalError(f"{path}: written by a later release (version {version}); update Boxkeeper")
        if version == 0:
            db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
    except BaseException:
        db.close()
        raise
    return db


def _rows(db: sqlite3.Connection, first: int) -> Iterator[Row]:
    found = db.execute(
        "SELECT seq, step, t, wall, clock_set, event, fields FROM events WHERE seq >= ? ORDER BY seq",
        (first,),
    )
    for seq, step, t, wall, clock_set, event, fields in found:
        yield Row(seq, step, Stamp(t, wall, bool(clock_set)), from_fields(event, json.loads(fields)))


def _steps(rows: Iterator[Row] | list[Row]) -> Iterator[list[Row]]:
    step: list[Row] = []
    for row in rows:
        if step and row.step != step[0].step:
            yield step
            step = []
        step.append(row)
    if step:
        yield step


def _carry_over(aside: Path, db: sqlite3.Connection) -> int:
    """Copy all whole steps before the first unreadable or unfitting one; returns their events."""
    kept, history = 0, History()
    try:
        with contextlib.closing(sqlite3.connect(_uri(aside, "mode=ro"), uri=True)) as old:
            for step in _steps(_rows(old, 1)):
                history = history.add(tuple(row.record for row in step))
                for row in step:
                    values = (row.seq, row.step, row.stamp.t, row.stamp.wall, row.stamp.clock_set)
                    content = (row.record.event, _json(to_fields(row.record)))
                    db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", values + content)
                kept += len(step)
    except _UNREADABLE:
        pass  # so far and no further
    db.execute("INSERT OR REPLACE INTO state VALUES (1, ?)", (_json(history.snapshot()),))
    return kept


def _is_passing(error: sqlite3.Error) -> bool:
    """Trouble of the disk or of a second process, not of the file's content."""
    return isinstance(error, sqlite3.OperationalError) and "malformed" not in str(error)


def _lock(path: Path) -> int:
    """Hold ``path`` for this process; freed by the system however the process ends."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = os.pread(handle, 20, 0).decode(errors="replace").strip() or "unknown"
        os.close(handle)
        raise JournalInUseError(
            f"{path.parent}: in use by Boxkeeper process {holder}; stop that one first"
        ) from None
    os.ftruncate(handle, 0)
    os.pwrite(handle, str(os.getpid()).encode(), 0)
    return handle


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

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
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any

from firmware_host.errors import BoxkeeperError, JournalError, JournalInUseError
from firmware_host.games.records import Record, from_fields, to_fields
from firmware_host.table.history import History

FILE_NAME = "boxkeeper.db"
VERSION = 1  # of the schema, in SQLite's user_version
_BUSY_S = 2.0
# What rows that were changed in any way may lead to.
_UNREADABLE = (
    sqlite3.DatabaseError, BoxkeeperError, ValueError, LookupError, TypeError, AttributeError, RecursionError,
)  # fmt: skip
_IN_CONTENT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_ERROR)

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
_INSERT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)"


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
            self._db = self._open()
        except BaseException:
            self._unlock()
            raise

    def _open(self) -> sqlite3.Connection:
        fresh = _fresh(self.path)
        try:
            if fresh.exists() and not self.path.exists():
                fresh.rename(self.path)  # the power went just before it would have been
            return _connect(self.path)
        except JournalError:
            raise
        except OSError as error:
            raise JournalError(f"{self.path}: {error.strerror or error}") from None
        except sqlite3.DatabaseError as error:
            if _is_passing(error):
                raise JournalError(f"{self.path}: {error}") from None
            return self._salvage(str(error))

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
            self._write(rows, snapshot)
        except sqlite3.Error as error:
            if _is_passing(error) or not self._is_mended(seq, str(error)):
                raise JournalError(f"{self.path}: {error}") from None
            self._write_again(rows, snapshot)

    def _write(self, rows: list[tuple[Any, ...]], snapshot: dict[str, Any]) -> None:
        with self._db:
            self._db.executemany(_INSERT, rows)
            self._db.execute("INSERT OR REPLACE INTO state VALUES (1, ?)", (_json(snapshot),))

    def _write_again(self, rows: list[tuple[Any, ...]], snapshot: dict[str, Any]) -> None:
        try:
            self._write(rows, snapshot)
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: {error}") from None

    def _is_mended(self, seq: int, why: str) -> bool:
        """Set a file aside whose damage shows only when it is written to; whether ``seq`` is next then."""
        self._db.close()
        self._db = self._salvage(why)
        return int(self._db.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0]) == seq - 1

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
        """Set the damaged file aside; what can be read of it goes on in a new one.

        The new one is complete before the old one is moved: where there is no room for it
        all stays as it is, to be tried again.
        """
        aside = next(p for i in range(1, 10_000) if not (p := Path(f"{self.path}.damaged-{i}")).exists())
        fresh = _fresh(self.path)
        rows, snapshot = _readable(self.path)
        try:
            for part in _parts(fresh):
                part.unlink(missing_ok=True)
            _fill(fresh, rows, snapshot)
            for part, to in zip(_parts(self.path), _parts(aside), strict=True):
                if part.exists():
                    part.rename(to)
            fresh.rename(self.path)
            db = _connect(self.path)
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"{self.path}: damaged ({why}), and cannot be set aside: {error}") from None
        self.damage = f"the journal was damaged ({why}): kept {len(rows)} events, the rest is in {aside.name}"
        return db


def peek(path: Path) -> History:
    """The state of a journal that cannot be written; an empty one where it cannot be read either."""
    try:
        with _reading(path) as db:
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
        with _reading(path) as db:
            snapshot = db.execute("SELECT snapshot FROM state").fetchone()
            return [row for step in _steps(db, 1) for row in step], json.loads(
                snapshot[0]
            ) if snapshot else None
    except _UNREADABLE as error:
        raise JournalError(f"{path}: {error}") from None


def fold(rows: list[Row]) -> History:
    """The state that ``rows`` lead to; JournalError where one does not follow."""
    history = History()
    for seq, step in groupby(rows, key=attrgetter("step")):
        try:
            history = history.add(tuple(row.record for row in step))
        except _UNREADABLE as error:
            raise JournalError(f"event {seq} does not follow: {error}") from None
    return history


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """``path``, to be read only; what is in its WAL counts wherever the system lets it be read."""
    for how in ("mode=ro", "mode=ro&immutable=1"):
        db = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)
        try:
            db.execute("SELECT count(*) FROM sqlite_schema")
        except sqlite3.OperationalError:
            # A WAL database makes files beside it when it is opened; a read-only folder has no room for them.
            db.close()
            if "immutable" in how:
                raise
            continue
        with contextlib.closing(db):
            yield db
        return


def _parts(path: Path) -> list[Path]:
    return [Path(f"{path}{suffix}") for suffix in ("", "-wal", "-shm")]


def _fresh(path: Path) -> Path:
    """Where the journal is made that takes the place of a damaged one."""
    return Path(f"{path}.new")


def _fold_last_match(db: sqlite3.Connection) -> History:
    start = db.execute(
        "SELECT seq, fields FROM events WHERE event = 'match_started' ORDER BY seq DESC LIMIT 1"
    ).fetchone()
    if start is None:
        return History(seq=int(db.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0]))
    history = History(seq=start[0] - 1, matches=json.loads(start[1])["match"] - 1)
    for step in _steps(db, start[0]):
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


def _steps(db: sqlite3.Connection, first: int) -> Iterator[list[Row]]:
    """The steps from event ``first`` on; an error comes only after all whole steps before it."""
    found = db.execute(
        "SELECT step, seq, t, wall, clock_set, event, fields FROM events WHERE seq >= ? ORDER BY seq",
        (first,),
    )
    due = first
    for number, rows in groupby(found, key=itemgetter(0)):
        step: list[Row] = []
        for _, seq, t, wall, clock_set, event, fields in rows:
            if seq != due:
                raise JournalError(f"event {due} is missing")
            record = from_fields(event, json.loads(fields))
            step.append(Row(seq, number, Stamp(t, wall, bool(clock_set)), record))
            due += 1
        yield step


def _readable(path: Path) -> tuple[list[Row], dict[str, Any]]:
    """All whole steps before the first unreadable or unfitting one, and the state they lead to."""
    rows, history = list[Row](), History()
    with contextlib.suppress(*_UNREADABLE), _reading(path) as db:  # so far and no further
        for step in _steps(db, 1):
            history = history.add(tuple(row.record for row in step))
            rows += step
    return rows, history.snapshot()


def _fill(path: Path, rows: list[Row], snapshot: dict[str, Any]) -> None:
    """Make a journal of ``rows``; closed, it is one file."""
    with contextlib.closing(_connect(path)) as db, db:
        for row in rows:
            values = (row.seq, row.step, row.stamp.t, row.stamp.wall, row.stamp.clock_set)
            db.execute(_INSERT, (*values, row.record.event, _json(to_fields(row.record))))
        db.execute("INSERT OR REPLACE INTO state VALUES (1, ?)", (_json(snapshot),))


def _is_passing(error: sqlite3.Error) -> bool:
    """Trouble of the disk or of a second process, not of the file's content."""
    code: int | None = getattr(error, "sqlite_errorcode", None)  # None: text that is not UTF-8
    return code is not None and code & 0xFF not in _IN_CONTENT


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
    with contextlib.suppress(OSError):  # a full disk: the lock holds all the same
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
    return handle


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

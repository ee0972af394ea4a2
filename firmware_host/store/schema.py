"""The tables of the store, their version, and how an older file becomes a present one.

A file's version is SQLite's ``user_version``: how many of :data:`MIGRATIONS` it has been through.
A new file goes through all of them.  Each is one transaction: after a power cut a file is of
the one version or the other.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from firmware_host.errors import JournalError
from firmware_host.store.projection_sql import ADDED_TABLES, TABLES
from firmware_host.store.projections import rebuild

APPLICATION_ID = 0x426F784B  # "BoxK"; version 1 had none
_BUSY_S = 2.0

_EVENTS = (
    """CREATE TABLE events (
    seq INTEGER PRIMARY KEY,      -- 1, 2, 3, ... without a gap
    step INTEGER NOT NULL,        -- seq of the first event accepted together with this one
    t REAL NOT NULL,              -- seconds since the service started, monotonic
    wall TEXT NOT NULL,           -- UTC, ISO 8601
    clock_set INTEGER NOT NULL,   -- 0: the wall clock was not set then
    event TEXT NOT NULL,
    fields TEXT NOT NULL          -- JSON object
)""",
    "CREATE INDEX match_starts ON events (seq) WHERE event = 'match_started'",
    "CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), snapshot TEXT NOT NULL)",
)


def _add_events(db: sqlite3.Connection) -> None:
    for statement in _EVENTS:
        db.execute(statement)


def _add_projections(db: sqlite3.Connection) -> None:
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for statement in TABLES:
        db.execute(statement)


def _add_decisions(db: sqlite3.Connection) -> None:
    for statement in ADDED_TABLES:
        db.execute(statement)
    rebuild(db)


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    _add_events,  # 1: events and state
    _add_projections,  # 2: people, matches, turns, rolls
    _add_decisions,  # 3: decisions, and which seats the box plays
)
VERSION = len(MIGRATIONS)


def connect(path: Path) -> sqlite3.Connection:
    """Open or make the store at ``path`` for writing, brought to the present version.

    Raises JournalError for one of a later release, sqlite3.DatabaseError for what is none of ours.
    """
    db = sqlite3.connect(path, timeout=_BUSY_S)
    try:
        check(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        migrate(db)
    except BaseException:
        db.close()
        raise
    return db


def check(db: sqlite3.Connection, path: Path) -> None:
    """Nothing where ``db`` can be ours (an empty one can); the errors of :func:`connect` else."""
    version = version_of(db)
    application = db.execute("PRAGMA application_id").fetchone()[0]
    tables = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if application != (APPLICATION_ID if version > 1 else 0) or (tables and not version):
        raise sqlite3.DatabaseError("file is not a database of Boxkeeper")
    if version > VERSION:
        raise JournalError(f"{path}: written by a later release (version {version}); update Boxkeeper")


def version_of(db: sqlite3.Connection) -> int:
    """How many migrations ``db`` has been through."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def migrate(db: sqlite3.Connection) -> None:
    """Bring ``db`` to the present version, one transaction a step; all that was kept stays."""
    for number in range(version_of(db), VERSION):
        with transaction(db):
            MIGRATIONS[number](db)
            db.execute(f"PRAGMA user_version = {number + 1}")


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, the making of tables included."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.rollback()
        raise
    db.commit()

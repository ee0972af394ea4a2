"""Events as rows of the store: the truth that all else is made from."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from firmware_host.errors import BoxkeeperError, JournalError
from firmware_host.games.records import Record, from_fields, to_fields
from firmware_host.table.history import History

# What rows that were changed in any way may lead to.
UNREADABLE = (
    sqlite3.DatabaseError, BoxkeeperError, ValueError, LookupError, TypeError, AttributeError, RecursionError,
)  # fmt: skip
CONTENT = (sqlite3.Error, UnicodeError)
"""What SQLite may raise; UnicodeError: where a damaged name would be in the message."""
_IN_CONTENT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_ERROR)


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


def insert(db: sqlite3.Connection, rows: Iterable[Row]) -> None:
    """Add ``rows`` to the events."""
    values = (
        (row.seq, row.step, row.stamp.t, row.stamp.wall, row.stamp.clock_set,
         row.record.event, to_json(to_fields(row.record)))
        for row in rows
    )  # fmt: skip
    db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", values)


def steps(db: sqlite3.Connection, first: int) -> Iterator[list[Row]]:
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


def fold_last_match(db: sqlite3.Connection) -> History:
    """The state that the events lead to; the matches before the last one are not read."""
    start = db.execute(
        "SELECT seq, fields FROM events WHERE event = 'match_started' ORDER BY seq DESC LIMIT 1"
    ).fetchone()
    if start is None:
        return History(seq=int(db.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0]))
    history = History(seq=start[0] - 1, matches=json.loads(start[1])["match"] - 1)
    for step in steps(db, start[0]):
        history = history.add(tuple(row.record for row in step))
    return history


def is_passing(error: Exception) -> bool:
    """Trouble of the disk or of a second process, not of the file's content."""
    code: int | None = getattr(error, "sqlite_errorcode", None)  # None: text that is not UTF-8
    return code is not None and code & 0xFF not in _IN_CONTENT


def to_json(value: object) -> str:
    """Compact JSON, names as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

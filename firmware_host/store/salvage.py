"""What can be read of a damaged store goes on in a new one; the damaged one is set aside, never deleted."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from firmware_host.errors import JournalError
from firmware_host.store.files import aside, fresh, move, parts, reading
from firmware_host.store.projections import rebuild
from firmware_host.store.rows import UNREADABLE, Row, fold_last_match, insert, steps, to_json
from firmware_host.store.schema import connect
from firmware_host.table.history import History

Fill = Callable[[sqlite3.Connection], int]
"""Puts events and state into a new store; how many events there are then."""


def set_aside(path: Path, why: str, fill: Fill) -> tuple[sqlite3.Connection, str]:
    """Put a store that ``fill`` fills in the place of ``path``: open, and what is to be said about it.

    The new one is complete before the old one is moved: where there is no room for it
    all stays as it is, to be tried again.  Raises JournalError then.
    """
    away, new = aside(path, "damaged"), fresh(path)
    try:
        for part in parts(new):
            part.unlink(missing_ok=True)
        with contextlib.closing(connect(new)) as db, db:  # closed, it is one file
            kept = fill(db)
            rebuild(db)
        move(path, away)
        new.rename(path)
        return connect(
            path
        ), f"the journal was damaged ({why}): kept {kept} events, the rest is in {away.name}"
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"{path}: damaged ({why}), and cannot be set aside: {error}") from None


def up_to_the_damage(path: Path) -> Fill:
    """All whole steps of ``path`` before the first unreadable or unfitting one, and the state they lead to."""

    def fill(db: sqlite3.Connection) -> int:
        history = History()
        for step, history in _foldable(path):
            insert(db, step)
        _set_state(db, history.snapshot())
        return history.seq

    return fill


def around_the_damage(path: Path, last: int) -> Fill:
    """All rows of ``path`` up to event ``last`` that can be read; sound is what the last match consists of."""

    def fill(db: sqlite3.Connection) -> int:
        db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", _rows(path, last))
        _set_state(db, fold_last_match(db).snapshot())
        return int(db.execute("SELECT count(*) FROM events").fetchone()[0])

    return fill


def _foldable(path: Path) -> Iterator[tuple[list[Row], History]]:
    history = History()
    with contextlib.suppress(*UNREADABLE), reading(path) as db:  # so far and no further
        for step in steps(db, 1):
            history = history.add(tuple(row.record for row in step))
            yield step, history


def _rows(path: Path, last: int) -> Iterator[tuple[Any, ...]]:
    due = 1
    while due <= last:
        with contextlib.suppress(sqlite3.DatabaseError), reading(path) as db:
            for row in db.execute(
                "SELECT seq, step, t, wall, clock_set, event, fields FROM events"
                " WHERE seq BETWEEN ? AND ? ORDER BY seq",
                (due, last),
            ):
                due = row[0] + 1
                if None not in row:
                    yield row
            return
        due += 1


def _set_state(db: sqlite3.Connection, snapshot: dict[str, Any]) -> None:
    db.execute("INSERT OR REPLACE INTO state VALUES (1, ?)", (to_json(snapshot),))

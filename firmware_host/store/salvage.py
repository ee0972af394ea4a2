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
from firmware_host.store.rows import CONTENT, UNREADABLE, Row, fold_last_match, insert, steps, to_json
from firmware_host.store.schema import connect
from firmware_host.table.history import History

_WIDEST_GAP = 10_000  # events; a page holds some forty


class LastMatchDamaged(JournalError):
    """The match that goes on is among what cannot be read."""


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
    except (OSError, *CONTENT) as error:
        raise JournalError(f"{path}: damaged ({why}), and cannot be set aside: {error}") from None


def up_to_the_damage(path: Path) -> Fill:
    """All whole steps of ``path`` before the first unreadable or unfitting one."""

    def fill(db: sqlite3.Connection) -> int:
        history = History()
        for step, after in _foldable(path):
            insert(db, step)
            history = after
        _set_state(db, history.snapshot())
        return history.seq

    return fill


def around_the_damage(path: Path, last: int) -> Fill:
    """All rows of ``path`` up to event ``last`` that can be read: matches that are over may have gaps.

    Raises LastMatchDamaged where the last one has.
    """

    def fill(db: sqlite3.Connection) -> int:
        db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", _rows(path, last))
        try:
            history = fold_last_match(db)
        except UNREADABLE as error:
            raise LastMatchDamaged(str(error)) from None
        _set_state(db, history.snapshot())
        return int(db.execute("SELECT count(*) FROM events").fetchone()[0])

    return fill


def _foldable(path: Path) -> Iterator[tuple[list[Row], History]]:
    history = History()
    with contextlib.suppress(*UNREADABLE), reading(path) as db:  # so far and no further
        for step in steps(db, 1):
            history = history.add(tuple(row.record for row in step))
            yield step, history


def _rows(path: Path, last: int) -> Iterator[tuple[Any, ...]]:
    due, found = 1, 0
    while due <= min(last, found + _WIDEST_GAP):
        with contextlib.suppress(*CONTENT), reading(path) as db:
            for row in db.execute(
                "SELECT seq, step, t, wall, clock_set, event, fields FROM events"
                " WHERE seq BETWEEN ? AND ? ORDER BY seq",
                (due, last),
            ):
                if row[0] >= due and None not in row:
                    found, due = row[0], row[0] + 1
                    yield row
        due += 1  # one that cannot be found, whether it was said or not: look behind it


def _set_state(db: sqlite3.Connection, snapshot: dict[str, Any]) -> None:
    db.execute("INSERT OR REPLACE INTO state VALUES (1, ?)", (to_json(snapshot),))

"""The journal: every accepted step on disk before it is shown.

One SQLite file (WAL, ``synchronous=FULL``), one transaction a step: the events, what is
projected from them (people, matches, turns, rolls), and the last state's snapshot.  State is the
fold of the events; the snapshot is there so that a fold can be checked against it.  A damaged
file is set aside, never deleted, and what can be read of it goes on in a new one.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Mapping
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from firmware_host.errors import JournalError
from firmware_host.games.records import Record
from firmware_host.store.files import FILE_NAME, LOCK_NAME, fresh
from firmware_host.store.files import lock as _lock
from firmware_host.store.files import reading as _reading
from firmware_host.store.projections import Projector
from firmware_host.store.queries import known_people, own_best
from firmware_host.store.rows import CONTENT, UNREADABLE, Row, Stamp, insert, is_passing, steps, to_json
from firmware_host.store.rows import fold_last_match as _fold_last_match
from firmware_host.store.salvage import LastMatchDamaged, around_the_damage, set_aside, up_to_the_damage
from firmware_host.store.schema import VERSION, connect
from firmware_host.table.history import History

__all__ = ["FILE_NAME", "VERSION", "Journal", "Row", "Stamp", "fold", "peek", "read"]


class Journal:
    """An open journal.  All calls from one thread; every failure is a JournalError."""

    def __init__(self, path: Path) -> None:
        """Open or make ``path``; its folder is made as well, and locked for this process."""
        self.path = path
        self.damage = ""  # what was wrong with the file found, for the people to know
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = _lock(path.parent / LOCK_NAME)
        except JournalError:
            raise
        except OSError as error:
            raise JournalError(f"{path.parent}: {error.strerror}") from None
        try:
            self._use(self._open())
        except BaseException:
            self._unlock()
            raise

    def _use(self, db: sqlite3.Connection) -> None:
        self._db, self._projector = db, Projector(db)

    def _open(self) -> sqlite3.Connection:
        new = fresh(self.path)
        try:
            if new.exists() and not self.path.exists():
                new.rename(self.path)  # the power went just before it would have been
            return connect(self.path)
        except JournalError:
            raise
        except OSError as error:
            raise JournalError(f"{self.path}: {error.strerror or error}") from None
        except CONTENT as error:
            if is_passing(error):
                raise JournalError(f"{self.path}: {error}") from None
            return self._salvage(str(error))

    def load(self) -> History:
        """The fold of the last match; damaged rows and what follows them are set aside."""
        try:
            return _fold_last_match(self._db)
        except UNREADABLE as error:
            if is_passing(error):
                raise JournalError(f"{self.path}: {error}") from None
            self._db.close()
            self._use(self._salvage(str(error)))
        return _fold_last_match(self._db)

    def append(self, seq: int, records: tuple[Record, ...], stamp: Stamp, snapshot: dict[str, Any]) -> None:
        """Write one step in one transaction; returns when it is on disk."""
        rows = [Row(seq + i, seq, stamp, record) for i, record in enumerate(records)]
        try:
            self._write(rows, snapshot)
        except CONTENT as error:
            if is_passing(error) or not self._is_mended(seq, str(error)):
                raise JournalError(f"{self.path}: {error}") from None
            self._write_again(rows, snapshot)

    def people(self) -> list[str]:
        """Everybody's shown name, who played last first."""
        try:
            return known_people(self._db)
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: {error}") from None

    def own_best(self, player: str, settings: Mapping[str, Any]) -> int | None:
        """The lowest total that ``player`` ever reached alone by these rules of a match; None: never did.

        Raises RuleError for rules that do not exist.
        """
        try:
            return own_best(self._db, player, settings)
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: {error}") from None

    def _write(self, rows: list[Row], snapshot: dict[str, Any]) -> None:
        try:
            with self._db:
                insert(self._db, rows)
                self._projector.add(rows[0].seq, tuple(row.record for row in rows))
                self._db.execute("INSERT OR REPLACE INTO state VALUES (1, ?)", (to_json(snapshot),))
        except BaseException:
            self._projector.forget()
            raise

    def _write_again(self, rows: list[Row], snapshot: dict[str, Any]) -> None:
        try:
            self._write(rows, snapshot)
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: {error}") from None

    def _is_mended(self, seq: int, why: str) -> bool:
        """Set a file aside whose damage shows only when it is written to; whether ``seq`` is next then."""
        self._db.close()
        try:
            db, self.damage = set_aside(self.path, why, around_the_damage(self.path, seq - 1))
        except LastMatchDamaged:
            db = self._salvage(why)
        self._use(db)
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
        db, self.damage = set_aside(self.path, why, up_to_the_damage(self.path))
        return db


def peek(path: Path) -> History:
    """The state of a journal that cannot be written; an empty one where it cannot be read either."""
    try:
        with _reading(path) as db:
            return _fold_last_match(db)
    except UNREADABLE:
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
            return [row for step in steps(db, 1) for row in step], json.loads(
                snapshot[0]
            ) if snapshot else None
    except UNREADABLE as error:
        raise JournalError(f"{path}: {error}") from None


def fold(rows: list[Row]) -> History:
    """The state that ``rows`` lead to; JournalError where one does not follow."""
    history = History()
    for seq, step in groupby(rows, key=attrgetter("step")):
        try:
            history = history.add(tuple(row.record for row in step))
        except UNREADABLE as error:
            raise JournalError(f"event {seq} does not follow: {error}") from None
    return history

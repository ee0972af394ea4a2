"""Copies of the store: made while the table runs, and taken back only when they are sound."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firmware_host.errors import JournalError
from firmware_host.store.files import LOCK_NAME, aside, fresh, lock, move, parts, reading
from firmware_host.store.projections import empty
from firmware_host.store.rows import UNREADABLE, steps
from firmware_host.store.schema import VERSION, check, migrate, transaction, version_of
from firmware_host.table.history import History

_TELLING = ("seq", "match", "player", "round", "layout", "totals", "winners")
"""Of a snapshot: what a later release reads as an earlier one did."""


def backup(store: Path, to: Path) -> int:
    """Copy the store as it is at one moment to the file ``to``; how many events that is.

    ``to`` is complete or untouched; an older backup there is replaced.  Raises JournalError where
    there is nothing to copy, where ``to`` is something else, or cannot be written.
    """
    if not store.is_file():
        raise JournalError(f"{store}: no such store; nobody has played yet")
    if to.exists() and (not _is_ours(to) or to.samefile(store)):
        raise JournalError(f"{to}: is there already, and no backup; name another file")
    part = Path(f"{to}.part")
    try:
        events = _copied(store, part)
        os.replace(part, to)
        _sync_folder(to.absolute().parent)
    except (OSError, sqlite3.Error) as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        if isinstance(error, JournalError):
            raise
        raise JournalError(f"{to}: {getattr(error, 'strerror', None) or error}") from None
    return events


def _copied(store: Path, to: Path) -> int:
    while True:
        had_wal = parts(store)[1].exists()
        with reading(store) as db:
            check(db, store)
            events = _copy(db, to)
        if had_wal or not parts(store)[1].exists():
            return events
        # A table has started in the meantime, and may have changed what was read: go by its WAL.


def restore(store: Path, source: Path) -> tuple[int, Path | None]:
    """Put the backup ``source`` in the place of the store: how many events it has, and where the old one is.

    An older backup is brought to the present version.  The old store is set aside, not deleted.
    Before it is, the backup was copied, its pages were checked, and its events folded.  Raises
    JournalInUseError while a table runs, JournalError for a backup that is not sound.
    """
    if not source.is_file():
        raise JournalError(f"{source}: no such file")
    if store.exists() and store.samefile(source):
        raise JournalError(f"{source}: is the store itself; name a backup")
    if not _is_ours(source):
        raise JournalError(f"{source}: is no backup of Boxkeeper, or of a later release; nothing was touched")
    try:
        store.parent.mkdir(parents=True, exist_ok=True)
        held = lock(store.parent / LOCK_NAME)
    except JournalError:
        raise
    except OSError as error:
        raise JournalError(f"{store.parent}: {error.strerror}") from None
    part = Path(f"{store}.restoring")
    try:
        events = _checked_copy(source, part)
        return events, _take_over(store, part)
    except OSError as error:
        if isinstance(error, JournalError):
            raise
        raise JournalError(f"{store}: {error.strerror or error}") from None
    finally:
        for left in parts(part):
            left.unlink(missing_ok=True)
        os.close(held)


def _take_over(store: Path, part: Path) -> Path | None:
    """The copy becomes the store; pulled at any moment, the next start finds the one or the other."""
    old = aside(store, "before-restore") if store.exists() else None
    os.replace(part, fresh(store))
    if old is not None:
        move(store, old)
    os.replace(fresh(store), store)
    _sync_folder(store.parent)
    return old


def _checked_copy(source: Path, to: Path) -> int:
    """A copy of the backup, in its own transaction nowhere near the store; how many events it has."""
    for left in parts(to):
        left.unlink(missing_ok=True)
    try:
        with reading(source) as db:
            check(db, source)
            if not version_of(db):
                raise sqlite3.DatabaseError("it is empty")
            _copy(db, to)
        with contextlib.closing(sqlite3.connect(to)) as db:
            wrong = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if wrong != "ok":
                raise sqlite3.DatabaseError(" ".join(str(wrong).split()))
            with transaction(db):
                events = _fold(db)
            migrate(db)
            return events
    except UNREADABLE as error:
        if isinstance(error, JournalError) and str(error).startswith(f"{source}: "):
            raise
        raise JournalError(f"{source}: is no sound backup, nothing was touched: {error}") from None


def _fold(db: sqlite3.Connection) -> int:
    """Check that the events lead to the stored state, and project them anew; how many there are.

    Raises JournalError where they do not.
    """
    history = History()
    is_old = version_of(db) < VERSION
    projector = None if is_old else empty(db)  # an old one is projected when it is migrated
    for step in steps(db, 1):
        records = tuple(row.record for row in step)
        try:
            history = history.add(records)
            if projector is not None:
                projector.add(step[0].seq, records)
        except UNREADABLE as error:
            raise JournalError(f"event {step[0].seq} does not follow: {error}") from None
    stored = db.execute("SELECT snapshot FROM state").fetchone()
    if stored is not None:
        _compare(history.snapshot(), json.loads(stored[0]))
    return history.seq


def _compare(folded: dict[str, Any], stored: dict[str, Any]) -> None:
    for key in _TELLING:
        if folded.get(key) != stored.get(key):
            raise JournalError(
                f"its events lead to {key} {folded.get(key)!r}, but stored is {stored.get(key)!r}"
            )


def _copy(db: sqlite3.Connection, to: Path) -> int:
    """One file that needs nothing beside it, on the disk when this returns."""
    to.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(to)) as copy:
        db.backup(copy)  # all pages in one go: one moment, whatever is written meanwhile
        copy.execute("PRAGMA journal_mode = DELETE")
        return int(copy.execute("SELECT count(*) FROM events").fetchone()[0])


def _is_ours(path: Path) -> bool:
    try:
        with reading(path) as db:
            check(db, path)
            return version_of(db) > 0
    except (sqlite3.Error, OSError):
        return False


def _sync_folder(path: Path) -> None:
    with _opened(path) as folder, contextlib.suppress(OSError):  # some file systems cannot
        os.fsync(folder)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int]:
    handle = os.open(path, os.O_RDONLY)
    try:
        yield handle
    finally:
        os.close(handle)

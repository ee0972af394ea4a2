"""A store to be looked at: never changed, whatever its version, also while the table runs."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from firmware_host.errors import JournalError
from firmware_host.store.files import reading
from firmware_host.store.rows import CONTENT
from firmware_host.store.schema import VERSION, check, migrate, version_of


@contextlib.contextmanager
def looking(path: Path) -> Iterator[sqlite3.Connection]:
    """The store at ``path`` at one moment; an older one is brought to the present version in memory.

    Raises JournalError, also within the block, where it is not there, is none of ours, is of a
    later release, or cannot be read.
    """
    if not path.is_file():
        raise JournalError(f"{path}: no such store")
    try:
        with reading(path) as db:
            check(db, path)
            if version_of(db) < VERSION:
                with contextlib.closing(sqlite3.connect(":memory:")) as copy:
                    db.backup(copy)
                    migrate(copy)
                    yield copy
                return
            db.execute("BEGIN")  # one moment for all that is asked
            yield db
    except CONTENT as error:
        raise JournalError(f"{path}: {error}") from None

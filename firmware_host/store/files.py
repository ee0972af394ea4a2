"""The store's files: who owns them, which belong together, and how they are read without being touched."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from firmware_host.errors import JournalInUseError

FILE_NAME = "boxkeeper.db"
LOCK_NAME = "boxkeeper.lock"
_LOOK_MS = 2000  # how long a reader waits for a writer; WAL hardly ever makes it wait


def parts(path: Path) -> list[Path]:
    """The database and what SQLite keeps beside it."""
    return [Path(f"{path}{suffix}") for suffix in ("", "-wal", "-shm")]


def fresh(path: Path) -> Path:
    """Where a store is made that takes the place of ``path``; complete whenever ``path`` is not there."""
    return Path(f"{path}.new")


def aside(path: Path, why: str) -> Path:
    """A name that is free for a store set aside, such as ``boxkeeper.db.damaged-1``."""
    return next(p for i in range(1, 10_000) if not (p := Path(f"{path}.{why}-{i}")).exists())


def move(path: Path, to: Path) -> None:
    """Rename a store with all that belongs to it."""
    for part, target in zip(parts(path), parts(to), strict=True):
        if part.exists():
            part.rename(target)


def lock(path: Path) -> int:
    """Hold ``path`` for this process; freed by the system however the process ends.

    Raises JournalInUseError, which names the process that holds it.
    """
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


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """``path``, to be read only; what is in its WAL counts wherever the system lets it be read.

    Without a WAL nobody has it open, and it is read as a file that does not change: SQLite
    would make files beside it otherwise, and leave them there.
    """
    has_wal = parts(path)[1].exists()
    for how in ("mode=ro", "mode=ro&immutable=1") if has_wal else ("mode=ro&immutable=1",):
        db = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, timeout=_LOOK_MS / 1000)
        try:
            db.execute("SELECT count(*) FROM sqlite_schema")
        except sqlite3.OperationalError:
            # A WAL database makes files beside it when it is opened; a read-only folder has no room for them.
            db.close()
            if "immutable" in how:
                raise
            continue
        except BaseException:
            db.close()
            raise
        with contextlib.closing(db):
            yield db
        return

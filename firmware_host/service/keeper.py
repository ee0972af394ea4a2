"""The journal in its worker: it may be missing or full, and the game goes on all the same."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from firmware_host.errors import JournalError, JournalInUseError
from firmware_host.games.records import Record
from firmware_host.store.journal import FILE_NAME, Journal, Stamp, peek
from firmware_host.table.history import History

RETRY_S = 5.0
NAME = "store"

T = TypeVar("T")

_log = logging.getLogger(__name__)
Step = tuple[int, tuple[Record, ...], Stamp, dict[str, Any]]


class Keeper:
    """Writes steps in order.  What cannot be written waits, and is written when it can."""

    def __init__(
        self, store_dir: Path, back: Callable[[str], None], lost: Callable[[str, str], None]
    ) -> None:
        self._path, self._back, self._lost = store_dir / FILE_NAME, back, lost
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=NAME)
        self._journal: Journal | None = None
        self._waiting: deque[Step] = deque()
        self._is_lost = False
        self._seq = 0  # of the last event that is on disk, as far as we know
        self._damage_told = ""

    @property
    def damage(self) -> str:
        """What was wrong with the journal that was found; empty: nothing."""
        return self._journal.damage if self._journal is not None else ""

    async def open(self) -> History:
        """The stored state; as far as it can be read where the journal cannot be written, which is said.

        Raises JournalInUseError when another process owns it.
        """
        loop = asyncio.get_running_loop()
        try:
            history = await loop.run_in_executor(self._worker, self._open)
        except JournalInUseError:
            raise
        except JournalError as error:
            self._lose(error)
            history = await loop.run_in_executor(self._worker, peek, self._path)
        self._seq = history.seq
        self._tell_damage()
        return history

    def _open(self) -> History:
        journal = Journal(self._path)
        try:
            history = journal.load()
        except JournalError:
            journal.close()
            raise
        self._journal = journal
        return history

    async def people(self) -> tuple[str, ...]:
        """Everybody's shown name, who played last first; nobody where the journal cannot be read."""
        return tuple(await self._ask(lambda journal: journal.people(), []))

    async def own_best(self, player: str, settings: Mapping[str, Any]) -> int | None:
        """The lowest total that ``player`` ever reached alone by these rules; None: never, as far as known.

        Raises RuleError for rules that do not exist.
        """
        return await self._ask(lambda journal: journal.own_best(player, settings), None)

    async def _ask(self, question: Callable[[Journal], T], unknown: T) -> T:
        def ask() -> T:
            try:
                return unknown if self._journal is None else question(self._journal)
            except JournalError:
                return unknown

        return await asyncio.get_running_loop().run_in_executor(self._worker, ask)

    async def append(self, step: Step) -> None:
        """Write one step; returns when it is on disk, or when it is known that it cannot be."""
        self._waiting.append(step)
        if not self._is_lost:
            await self._flush()

    async def _flush(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting or self._is_lost:
            try:
                await loop.run_in_executor(self._worker, self._write_waiting)
            except JournalError as error:
                self._lose(error)
                return
            finally:
                self._tell_damage()
            if not self._waiting:
                break
        if self._is_lost:
            self._is_lost = False
            self._back(NAME)

    def _write_waiting(self) -> None:
        """Open the journal where it is not, and write; after a failure it is closed, to be opened anew."""
        try:
            if self._journal is None:
                self._skip_stored(self._open())
            assert self._journal is not None
            while self._waiting:
                seq, records, stamp, snapshot = self._waiting[0]
                self._journal.append(seq, records, stamp, snapshot)
                self._seq = seq + len(records) - 1
                self._waiting.popleft()
        except JournalError:
            journal, self._journal = self._journal, None
            if journal is not None:
                journal.close()
            raise

    def _skip_stored(self, stored: History) -> None:
        """A write that failed may have reached the disk all the same: no step is written twice."""
        state = stored.snapshot()
        if state in [step[3] for step in self._waiting]:
            while self._waiting.popleft()[3] != state:
                pass
        elif stored.seq != self._seq:
            raise JournalError(f"{self._path}: holds other matches than could be read at the start")
        self._seq = stored.seq

    def _tell_damage(self) -> None:
        if self.damage and self.damage != self._damage_told:
            self._damage_told = self.damage
            _log.error("%s", self.damage)

    def _lose(self, error: JournalError) -> None:
        if not self._is_lost:
            self._is_lost = True
            self._lost(NAME, str(error))

    async def keep(self) -> None:
        """Try again now and then while the journal is lost, until cancelled."""
        while True:
            await asyncio.sleep(RETRY_S)
            if self._is_lost:
                await self._flush()

    async def finish(self) -> None:
        """Write what waits."""
        if self._waiting:
            await self._flush()

    async def close(self) -> None:
        """Let go of the file."""
        if self._journal is not None:
            await asyncio.get_running_loop().run_in_executor(self._worker, self._journal.close)
            self._journal = None

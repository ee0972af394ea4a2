"""Virtual time: an asyncio loop whose clock jumps to the next moment that anything waits for.

It goes on only when nothing is left to do now and no worker is busy, so threads do
their real work in no time at all.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable
from concurrent.futures import Executor
from datetime import UTC, datetime, timedelta
from typing import Any

_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)  # any day will do


class VirtualLoop(asyncio.SelectorEventLoop):
    """``time()`` starts at 0 and costs nothing to pass."""

    def __init__(self) -> None:
        self._now = 0.0
        self._jobs = 0
        super().__init__(_Selector(self._skip))

    def time(self) -> float:
        """Seconds of virtual time."""
        return self._now

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """As asyncio's; time stands still until the job is done."""
        job = super().run_in_executor(executor, func, *args)
        self._jobs += 1
        job.add_done_callback(self._job_done)
        return job

    def _job_done(self, _job: asyncio.Future[Any]) -> None:
        self._jobs -= 1

    def _skip(self, seconds: float) -> bool:
        if self._jobs:
            return False
        self._now += seconds
        return True


class _Selector(selectors.DefaultSelector):
    """Never waits for a timer: it asks to skip instead, and waits only for what is real."""

    def __init__(self, skip: Callable[[float], bool]) -> None:
        super().__init__()
        self._skip = skip

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        if timeout is not None and self._skip(timeout):
            return []
        return super().select(None)


class VirtualClock:
    """The service's clock on a virtual loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def now(self) -> float:
        """Seconds of virtual time."""
        return self._loop.time()

    def wall(self) -> tuple[str, bool]:
        """A made-up day; it counts as set."""
        return (_EPOCH + timedelta(seconds=self._loop.time())).isoformat(timespec="seconds"), True

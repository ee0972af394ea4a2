"""One thread for what may take long or hang: nothing waits for it when the program ends."""

from __future__ import annotations

import queue
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

R = TypeVar("R")


class DaemonWorker(Executor):
    """Does what is submitted, one after the other, in a daemon thread that begins with the first of it.

    A ``ThreadPoolExecutor`` is joined when the interpreter ends, whatever its ``shutdown`` was told.
    The thread ends with the worker: when that is shut down, or when nobody has it any more.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        weakref.finalize(self, self._work.put, None).atexit = False
        self._thread: threading.Thread | None = None
        self._is_shut = False

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """Do ``fn`` when all that was submitted before is done; RuntimeError after :meth:`shutdown`."""
        if self._is_shut:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future: Future[R] = Future()
        self._work.put(lambda: _do(future, lambda: fn(*args, **kwargs)))
        if self._thread is None:
            self._thread = threading.Thread(target=_run, args=(self._work,), name=self._name, daemon=True)
            self._thread.start()
        return future

    def shutdown(self, wait: bool = False, *, cancel_futures: bool = False) -> None:
        """End the thread after what is being done; never waits."""
        self._is_shut = True
        self._work.put(None)


def _run(jobs: queue.SimpleQueue[Callable[[], None] | None]) -> None:
    while (work := jobs.get()) is not None:
        work()
        del work  # whose device this was may be gone before the next job comes


def _do(future: Future[R], fn: Callable[[], R]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(fn())
    except BaseException as error:  # noqa: BLE001  (it is raised where the result is waited for)
        future.set_exception(error)

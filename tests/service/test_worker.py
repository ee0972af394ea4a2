"""The thread that nothing waits for."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from firmware_host.service.worker import DaemonWorker


def test_work_is_done_in_order_in_one_thread() -> None:
    worker = DaemonWorker("w")
    threads = [worker.submit(threading.current_thread) for _ in range(3)]
    assert len({thread.result(30).ident for thread in threads}) == 1
    assert threads[0].result().daemon
    worker.shutdown()
    threads[0].result().join(30)
    assert not threads[0].result().is_alive()


def test_what_it_raises_is_raised_where_it_is_waited_for() -> None:
    with pytest.raises(ZeroDivisionError):
        DaemonWorker("w").submit(lambda: 1 / 0).result(30)


def test_what_was_cancelled_is_not_done() -> None:
    worker, going, done = DaemonWorker("w"), threading.Event(), list[int]()
    first = worker.submit(going.wait, 30)
    second = worker.submit(done.append, 2)
    assert second.cancel()
    going.set()
    first.result(30)
    worker.submit(done.append, 3).result(30)
    assert done == [3]


def test_a_program_ends_while_something_hangs_in_it() -> None:
    code = (
        "import threading; from firmware_host.service.worker import DaemonWorker;"
        "DaemonWorker('w').submit(threading.Event().wait)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_nothing_can_be_submitted_to_a_worker_that_has_ended() -> None:
    worker = DaemonWorker("w")
    worker.shutdown()
    with pytest.raises(RuntimeError, match="after shutdown"):
        worker.submit(print)


def test_its_thread_ends_when_nobody_has_it_any_more() -> None:
    thread = DaemonWorker("w").submit(threading.current_thread).result(30)
    thread.join(30)
    assert not thread.is_alive()

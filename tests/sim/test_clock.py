"""Virtual time: it jumps, and stands still while anybody works."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

from sim.clock import VirtualClock, VirtualLoop

DAY_S = 86_400.0


def run_until_done(scene: object) -> None:
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(scene)  # type: ignore[arg-type]


def test_a_day_passes_at_once_and_exactly() -> None:
    async def scene() -> None:
        loop = asyncio.get_running_loop()
        assert loop.time() == 0
        await asyncio.sleep(DAY_S)
        assert loop.time() == DAY_S

    run_until_done(scene())


def test_timers_come_in_order_each_at_its_moment() -> None:
    async def scene() -> None:
        loop = asyncio.get_running_loop()
        seen: list[tuple[float, str]] = []

        def note(name: str) -> None:
            seen.append((loop.time(), name))

        for at, name in ((3.0, "c"), (1.0, "a"), (2.5, "b")):
            loop.call_at(at, note, name)
        await asyncio.sleep(10)
        assert seen == [(1.0, "a"), (2.5, "b"), (3.0, "c")]

    run_until_done(scene())


def test_time_stands_still_while_a_worker_is_busy() -> None:
    go = threading.Event()

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        fired: list[float] = []
        loop.call_later(5, lambda: fired.append(loop.time()))
        with ThreadPoolExecutor(1) as pool:
            job = loop.run_in_executor(pool, go.wait, 10)
            for _ in range(100):
                await asyncio.sleep(0)
            assert (loop.time(), fired) == (0, [])
            go.set()
            assert await job
        assert loop.time() == 0
        await asyncio.sleep(6)
        assert fired == [5]

    run_until_done(scene())


def test_a_job_that_was_cancelled_holds_nobody_up() -> None:
    async def scene() -> None:
        loop = asyncio.get_running_loop()
        go = threading.Event()
        with ThreadPoolExecutor(1) as pool:
            first = loop.run_in_executor(pool, go.wait, 10)
            second = loop.run_in_executor(pool, go.wait, 10)
            second.cancel()
            go.set()
            await first
        await asyncio.sleep(DAY_S)
        assert loop.time() == DAY_S

    run_until_done(scene())


def test_the_clock_is_the_loops_and_its_day_goes_on_with_it() -> None:
    async def scene() -> None:
        clock = VirtualClock(asyncio.get_running_loop())
        before, is_set = clock.wall()
        await asyncio.sleep(90)
        after, _ = clock.wall()
        assert (clock.now(), is_set) == (90, True)
        assert (datetime.fromisoformat(after) - datetime.fromisoformat(before)).total_seconds() == 90

    run_until_done(scene())

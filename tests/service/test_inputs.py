"""Levels on their way into the loop: at every edge, and now and then without one."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Awaitable, Callable

import pytest

from firmware_host.errors import DeviceLostError, DeviceNotFoundError
from firmware_host.ports import Levels
from firmware_host.service.inputs import SensorWatch
from sim.clock import VirtualLoop


class Sensor:
    """Two levels that a test sets; edges are told only when it says so."""

    def __init__(self, poll_s: float = 1.0, note: str = "") -> None:
        self.poll_s, self.note = poll_s, note
        self.levels: Levels = (1, 1)
        self.is_dead = False
        self.is_closed = False
        self.reads: list[float] = []
        self.edge: Callable[[], None] = lambda: None
        self.loop: asyncio.AbstractEventLoop | None = None

    def read(self) -> Levels:
        if self.is_dead or self.is_closed:
            raise DeviceLostError("no answer")
        if self.loop is not None:
            self.reads.append(self.loop.time())
        return self.levels

    def watch(self, changed: Callable[[], None]) -> None:
        self.edge = changed

    def close(self) -> None:
        self.is_closed = True


class Table:
    """What a watch told, with moments."""

    def __init__(self, sensors: list[Sensor | None]) -> None:
        self.loop = asyncio.get_running_loop()
        self.seen: list[tuple[float, Levels]] = []
        self.said: list[str] = []
        self._sensors = iter(sensors)
        self.watch = SensorWatch(
            "tiles",
            self._open,
            lambda levels: self.seen.append((self.loop.time(), levels)),
            lambda name: self.said.append(f"{name} back"),
            lambda name, reason: self.said.append(f"{name} lost: {reason}"),
        )

    def _open(self) -> Sensor:
        sensor = next(self._sensors, None)
        if sensor is None:
            raise DeviceNotFoundError("nothing there")
        sensor.loop = self.loop
        return sensor

    @property
    def levels(self) -> list[Levels]:
        return [levels for _, levels in self.seen]


def run(sensors: list[Sensor | None], play: Callable[[Table], Awaitable[None]]) -> Table:
    async def scene() -> Table:
        table = Table(sensors)
        task = asyncio.create_task(table.watch.keep())
        await play(table)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await table.watch.close()
        return table

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(scene())


def test_levels_are_read_when_opened_before_any_edge() -> None:
    sensor = Sensor()
    sensor.levels = (0, 1)
    assert run([sensor], lambda _: asyncio.sleep(0.1)).levels == [(0, 1)]


def test_an_edge_from_another_thread_is_read_at_once() -> None:
    sensor = Sensor()

    async def play(table: Table) -> None:
        await asyncio.sleep(0.3)
        sensor.levels = (1, 0)
        thread = threading.Thread(target=sensor.edge)
        thread.start()
        thread.join()
        assert table.levels == [(1, 1)], "the thread of the edge only queues"
        await asyncio.sleep(1e-6)  # of virtual time: whatever goes on now is done by then
        assert table.seen[-1] == (0.3, (1, 0))

    run([sensor], play)


def test_a_sensor_is_read_in_one_worker_and_never_in_the_loop() -> None:
    sensor, threads = Sensor(), set[str]()
    read = sensor.read

    def read_and_tell() -> Levels:
        threads.add(threading.current_thread().name)
        return read()

    sensor.read = read_and_tell  # type: ignore[method-assign]

    async def play(_: Table) -> None:
        await asyncio.sleep(3)
        sensor.edge()
        await asyncio.sleep(3)

    run([sensor], play)
    assert threads == {"tiles"}


def test_edges_while_it_is_being_read_make_one_more_reading_and_no_queue() -> None:
    sensor = Sensor()
    read = sensor.read

    def read_slowly() -> Levels:
        levels = read()
        if sensor.reads == [0.3]:  # as if it took the bus a while: edges come before the loop hears of it
            for levels_now in ((0, 1), (1, 1), (0, 0)):
                sensor.levels = levels_now
                sensor.edge()
        return levels

    sensor.read = read_slowly  # type: ignore[method-assign]

    async def play(table: Table) -> None:
        await asyncio.sleep(0.3)
        table.seen.clear()
        sensor.reads.clear()
        sensor.edge()
        await asyncio.sleep(0.1)
        assert table.seen[0] == (0.3, (1, 1))
        assert table.seen[-1] == (0.3, (0, 0))
        assert len(table.seen) <= 3

    run([sensor], play)


def test_a_lost_edge_is_healed_by_the_slow_re_read() -> None:
    sensor = Sensor()

    async def play(table: Table) -> None:
        await asyncio.sleep(0.3)
        sensor.levels = (0, 0)
        await asyncio.sleep(1)
        assert table.seen[-1] == (1.0, (0, 0))

    run([sensor], play)


def test_without_edges_it_is_polled_and_the_note_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    sensor = Sensor(poll_s=0.01, note="polling, because tile 1 gives no edges")
    with caplog.at_level(logging.WARNING):
        table = run([sensor], lambda _: asyncio.sleep(1.005))
    assert len(table.seen) == pytest.approx(101, abs=1)
    assert [record.message for record in caplog.records] == [f"tiles: {sensor.note}"]


def test_all_sensors_are_read_in_the_same_moments() -> None:
    sensor = Sensor()

    async def play(_: Table) -> None:
        await asyncio.sleep(3.5)

    assert [at for at, _ in run([None, sensor], play).seen] == [0.5, 1, 2, 3]


@pytest.mark.parametrize("by_edge", [True, False], ids=["at-an-edge", "at-a-poll"])
def test_a_sensor_that_fails_is_lost_once_and_back_with_its_levels(by_edge: bool) -> None:
    first, second = Sensor(), Sensor()
    second.levels = (0, 0)

    async def play(_: Table) -> None:
        await asyncio.sleep(0.5)
        first.is_dead = True
        if by_edge:
            first.edge()
        await asyncio.sleep(5)

    table = run([first, None, second], play)
    assert table.said == ["tiles back", "tiles lost: no answer", "tiles back"]
    assert first.is_closed
    assert table.levels[-1] == (0, 0)
    assert (1, 1) not in table.levels[2:]


def test_each_loss_leaves_one_poll_and_not_one_more() -> None:
    sensors = [Sensor() for _ in range(6)]

    async def play(_: Table) -> None:
        for sensor in sensors[:-1]:
            await asyncio.sleep(2)
            sensor.is_dead = True
        await asyncio.sleep(5)
        sensors[-1].reads.clear()
        timers = asyncio.get_running_loop()._scheduled  # type: ignore[attr-defined]
        assert [timer.cancelled() for timer in timers].count(False) == 1
        await asyncio.sleep(10)

    run(list(sensors), play)
    assert len(sensors[-1].reads) == 10


def test_an_edge_of_a_sensor_that_was_lost_reaches_nobody() -> None:
    first, second = Sensor(), Sensor()

    async def play(table: Table) -> None:
        await asyncio.sleep(0.5)
        first.is_dead = True
        first.edge()
        await asyncio.sleep(2)
        await asyncio.sleep(0.1)
        count = len(table.seen)
        first.is_dead = first.is_closed = False
        first.levels = (0, 0)
        first.edge()
        await asyncio.sleep(0.01)
        assert len(table.seen) == count

    run([first, second], play)


def test_a_sensor_that_can_be_opened_but_not_read_is_absent() -> None:
    sensor = Sensor()
    sensor.is_dead = True
    table = run([sensor], lambda _: asyncio.sleep(1))
    assert (table.said, table.seen) == (["tiles lost: no answer"], [])
    assert sensor.is_closed

"""Leads through one row of inputs: levels in at every edge, prompts out."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from firmware_host.cli.guide import Guide
from firmware_host.errors import DeviceError
from firmware_host.ports import Levels, LevelSensor
from firmware_host.selftest.asking import Ask


class Led(Protocol):
    """What is led through: :class:`~firmware_host.selftest.walk.Walk` and its like."""

    @property
    def ask(self) -> Ask | None:
        """What is asked for now."""

    @property
    def due(self) -> float | None:
        """When to feed it again."""

    def feed(self, levels: Levels, now: float, edges: Sequence[float] = ()) -> None:
        """Levels were read, after ``edges``."""

    def confirm(self, now: float) -> None:
        """The person says that it is done."""


L = TypeVar("L", bound=Led)


async def opened(open_sensor: Callable[[], LevelSensor]) -> tuple[LevelSensor, Levels]:
    """A sensor and what it reads; it may block, as a board that does not answer at once."""
    loop = asyncio.get_running_loop()
    sensor = await loop.run_in_executor(None, open_sensor)
    try:
        return sensor, await loop.run_in_executor(None, sensor.read)
    except DeviceError:
        sensor.close()
        raise


class Walking(Generic[L]):
    """One walk over ``sensor``, which reads ``levels`` now and may block while it is read.

    ``asked`` is called at every new thing that is asked for, and at the end.
    """

    def __init__(
        self,
        sensor: LevelSensor,
        levels: Levels,
        make: Callable[[Levels, float], L],
        guide: Guide,
        device: str,
        asked: Callable[[L], None],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._sensor, self._guide, self._device, self._asked = sensor, guide, device, asked
        self._changed = asyncio.Event()
        self._edges: deque[float] = deque()
        self._told: Ask | None = None
        self.led = make(levels, self._loop.time())

    async def run(self) -> L:
        """Until nothing is asked any more; DeviceError if the sensor is lost."""
        self._sensor.watch(self._edge)
        self._guide.listen(self.confirm)
        self._tell()
        while (due := self.led.due) is not None:
            wait_s = min(due - self._loop.time(), self._sensor.poll_s)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, wait_s)):
                    await self._changed.wait()
            self._changed.clear()
            now = self._loop.time()
            edges = [self._edges.popleft() for _ in range(len(self._edges))]
            levels = await self._loop.run_in_executor(None, self._sensor.read)
            self.led.feed(levels, now, edges)
            self._tell()
        self._guide.listen(None)
        return self.led

    def confirm(self, _line: str = "") -> None:
        """The person says that it is done."""
        self.led.confirm(self._loop.time())
        self._changed.set()
        self._tell()

    def _edge(self) -> None:
        """In the sensor's own thread."""
        self._edges.append(self._loop.time())
        self._loop.call_soon_threadsafe(self._changed.set)

    def _tell(self) -> None:
        if self.led.ask != self._told:
            self._told = self.led.ask
            self._asked(self.led)
            self._guide.asks(self._device, self._told)

"""Leads through one row of inputs: levels in at every edge, prompts out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from firmware_host.cli.guide import Guide
from firmware_host.errors import DeviceError
from firmware_host.ports import Levels, LevelSensor
from firmware_host.selftest.walk import Ask


class Led(Protocol):
    """What is led through: :class:`~firmware_host.selftest.walk.Walk` and its like."""

    @property
    def ask(self) -> Ask | None:
        """What is asked for now."""

    @property
    def due(self) -> float | None:
        """When to feed it again."""

    def feed(self, levels: Levels, now: float) -> None:
        """Levels were read."""

    def confirm(self, now: float) -> None:
        """The person says that it is done."""


L = TypeVar("L", bound=Led)


class Walking(Generic[L]):
    """One walk over ``sensor``; ``asked`` is called at every new thing that is asked for, and at the end."""

    def __init__(
        self,
        sensor: LevelSensor,
        make: Callable[[Levels, float], L],
        guide: Guide,
        device: str,
        asked: Callable[[L], None],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._sensor, self._guide, self._device, self._asked = sensor, guide, device, asked
        self._changed = asyncio.Event()
        self._error: DeviceError | None = None
        self._told: Ask | None = None
        self.led = make(sensor.read(), self._loop.time())

    async def run(self) -> L:
        """Until nothing is asked any more; DeviceError if the sensor is lost."""
        self._sensor.watch(self._edge)
        self._guide.listen(self.confirm)
        self._tell()
        while (due := self.led.due) is not None:
            self._changed.clear()
            wait_s = min(due - self._loop.time(), self._sensor.poll_s)
            try:
                async with asyncio.timeout(max(0.0, wait_s)):
                    await self._changed.wait()
            except TimeoutError:
                self._read()
            if self._error is not None:
                raise self._error
        self._guide.listen(_ignore)
        return self.led

    def confirm(self, _line: str = "") -> None:
        """The person says that it is done."""
        self.led.confirm(self._loop.time())
        self._tell()

    def _edge(self) -> None:
        """In the sensor's own thread."""
        self._loop.call_soon_threadsafe(self._read)

    def _read(self) -> None:
        try:
            self.led.feed(self._sensor.read(), self._loop.time())
        except DeviceError as error:
            self._error = error
        self._tell()

    def _tell(self) -> None:
        self._changed.set()
        if self.led.ask != self._told:
            self._told = self.led.ask
            self._asked(self.led)
            self._guide.asks(self._device, self._told)


def _ignore(_line: str) -> None:
    """Nothing is asked: what is typed says nothing."""

"""The service on the real buses, in the test's own loop, and hands that move lines."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from header import Header

from firmware_host.config import Config, StoreConfig, TileConfig
from firmware_host.service.clock import SystemClock
from firmware_host.service.runner import Runner, match_wanted
from hardware.backend import DeviceSet
from hardware.buses import Buses

PATIENCE_S = 60.0  # an emulated machine is slow, and others run beside it
PRESS_S = 0.2

Event = Mapping[str, Any]


class Dice:
    """Throws what the test says."""

    def __init__(self, throws: Sequence[tuple[int, ...]]) -> None:
        self._throws = list(throws)

    def throw(self, count: int) -> tuple[int, ...]:
        """The next of the throws, which must be of ``count`` dice."""
        dice = self._throws.pop(0)
        assert len(dice) == count
        return dice


class RunningTable:
    """``events``: what the table said; ``late_ms``: how long after the last edge the one heard last came."""

    def __init__(self, folder: Path, header: Header, backend: str, throws: Sequence[tuple[int, ...]]) -> None:
        tiles = replace(TileConfig(), pull="external", backend=backend)
        self.config = replace(Config(), store=StoreConfig(folder), tiles=tiles)
        self.events: list[Event] = []
        self.late_ms = 0.0
        self._moments: list[float] = []
        self._header, self._looked_at = header, 0
        self._devices = DeviceSet(self.config, Buses(), Dice(throws))
        self.runner = Runner(self._devices, self.config, SystemClock(), self._say)

    def _say(self, event: Event) -> None:
        self.events.append(event)
        self._moments.append(time.monotonic())

    async def run(self) -> None:
        """Until it is stopped."""
        try:
            await self.runner.run(match_wanted(self.config, ("Ann", "Bob")))
        finally:
            self._devices.close()

    async def heard(self, name: str, **fields: Any) -> Event:
        """The next event ``name`` with these fields since the last that was heard."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            for i in range(self._looked_at, len(self.events)):
                event = self.events[i]
                if event["event"] == name and fields.items() <= event.items():
                    self._looked_at = i + 1
                    self.late_ms = (self._moments[i] - self._header.last_edge) * 1000
                    return event
            await asyncio.sleep(0.01)
        raise AssertionError(
            f"no {name} {fields} came; after what was heard: {self.events[self._looked_at :]}"
        )

    async def press(self, button: str) -> None:
        """Press and release a button, both of which bounce."""
        bcm = getattr(self.config.buttons, button)
        await self._header.bounce(bcm, False)
        await asyncio.sleep(PRESS_S)
        await self._header.bounce(bcm, True)

    async def shut(self, *tiles: int) -> None:
        """A hand shuts tiles, one after the other."""
        for tile in tiles:
            await self._header.bounce(self.config.tiles.pins[tile], False)

    async def open(self, *tiles: int) -> None:
        """A hand opens tiles."""
        for tile in tiles:
            await self._header.bounce(self.config.tiles.pins[tile], True)


@asynccontextmanager
async def running(table: RunningTable) -> AsyncIterator[RunningTable]:
    """``table`` runs, and is stopped in the end."""
    task = asyncio.create_task(table.run())
    try:
        yield table
    finally:
        table.runner.stop()
        await asyncio.wait_for(task, PATIENCE_S)

"""Lamps and a buzzer in their workers: they follow what the screen shows, and may be missing."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from firmware_host.errors import DeviceError
from firmware_host.ports import Buzzer, Lamps
from firmware_host.screens.tunes import Tune, tune
from firmware_host.service.supervise import Supervised
from firmware_host.table.view import Brightness, Scene, View

RESTATE_S = 10.0  # lamps that lost their power for a moment light again after so long

Back = Callable[[str], None]
Lost = Callable[[str, str], None]


class TileLamps:
    """Lights the lamps of the tiles that may be moved; the latest view wins."""

    NAME = "lamps"

    def __init__(self, open_lamps: Callable[[], Lamps], back: Back, lost: Lost) -> None:
        self._lit: frozenset[int] = frozenset()
        self._changed = asyncio.Event()
        self._back = back
        self._device = Supervised(self.NAME, open_lamps, self._opened, lambda reason: lost(self.NAME, reason))

    def show(self, view: View) -> None:
        """Follow ``view``; dark while the table sleeps."""
        lit = frozenset[int]() if view.brightness is Brightness.OFF else view.lit
        if lit != self._lit:
            self._lit = lit
            self._changed.set()

    async def keep(self) -> None:
        """Open the lamps and light them until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._device.keep())
            tasks.create_task(self._light())

    async def close(self) -> None:
        """All dark."""
        await self._device.close()

    def _opened(self, _lamps: Lamps) -> None:
        self._back(self.NAME)
        self._changed.set()

    async def _light(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(RESTATE_S):
                    await self._changed.wait()
            self._changed.clear()
            lamps = self._device.device
            if lamps is not None:
                try:
                    await loop.run_in_executor(self._device.worker, lamps.light, self._lit)
                except DeviceError as error:
                    self._device.fail(str(error))


class TunePlayer:
    """Plays a tune at changes that are worth one; a new one cuts the one before short."""

    NAME = "buzzer"

    def __init__(self, open_buzzer: Callable[[], Buzzer], back: Back, lost: Lost) -> None:
        self._view = View(Scene.TITLE)
        self._tune: Tune = ()
        self._wanted = asyncio.Event()
        self._device = Supervised(
            self.NAME, open_buzzer, lambda _: back(self.NAME), lambda reason: lost(self.NAME, reason)
        )

    def show(self, view: View) -> None:
        """Follow ``view``."""
        wanted, self._view = tune(self._view, view), view
        if wanted:
            self._tune = wanted
            self._wanted.set()

    async def keep(self) -> None:
        """Open the buzzer and play until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._device.keep())
            tasks.create_task(self._play())

    async def close(self) -> None:
        """Silence."""
        await self._device.close()

    async def _play(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            for hz, ms in (*self._tune, (0, 0)):
                if self._wanted.is_set() or not await self._hum(hz):
                    break
                await asyncio.sleep(ms / 1000)

    async def _hum(self, hz: int) -> bool:
        """Whether there is a buzzer that did."""
        buzzer = self._device.device
        if buzzer is None:
            return False
        try:
            await asyncio.get_running_loop().run_in_executor(self._device.worker, buzzer.tone, hz)
        except DeviceError as error:
            self._device.fail(str(error))
            return False
        return True

"""The panel and the buttons while a builder's tool runs: they help where they work, and are not needed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from firmware_host.errors import DeviceError
from firmware_host.ports import Display, LevelSensor
from firmware_host.table.buttons import Buttons
from firmware_host.table.events import Button

if TYPE_CHECKING:
    from PIL import Image


class Screen:
    """Shows the latest picture on ``display``, in a worker; ``error``: what it was lost by."""

    def __init__(self, display: Display | None) -> None:
        self.error: DeviceError | None = None
        self._display = display
        self._image: Image.Image | None = None
        self._wanted, self._shown = asyncio.Event(), asyncio.Event()

    @property
    def is_there(self) -> bool:
        """There is a panel, and it works."""
        return self._display is not None and self.error is None

    def show(self, image: Image.Image) -> None:
        """Show ``image`` (mode "1", 128 x 64) as soon as the panel is ready for it."""
        self._image = image
        self._shown.clear()
        self._wanted.set()

    async def keep(self) -> None:
        """Draw until cancelled, or until the panel is lost."""
        while self.is_there:
            await self._wanted.wait()
            self._wanted.clear()
            try:
                await asyncio.get_running_loop().run_in_executor(None, self._draw)
            except DeviceError as error:
                self.error = error
            if not self._wanted.is_set():
                self._shown.set()

    async def settled(self) -> None:
        """Return when the latest picture is on the panel, or there is none."""
        if self.is_there:
            await self._shown.wait()

    def close(self) -> None:
        """Let go of the panel, dark."""
        if self._display is not None:
            self._display.close(True)

    def _draw(self) -> None:
        if self._display is not None and self._image is not None:
            self._display.show(self._image)


async def hear_presses(
    sensor: LevelSensor, buttons: Collection[int], pressed: Callable[[Button], None]
) -> None:
    """Tell ``pressed`` of presses of ``buttons``, until cancelled or the sensor is lost."""
    loop, changed = asyncio.get_running_loop(), asyncio.Event()

    def edge() -> None:
        loop.call_soon_threadsafe(changed.set)

    sensor.watch(edge)
    state = Buttons()
    while True:
        changed.clear()  # an edge during the reading is a reason for another
        try:
            levels = await loop.run_in_executor(None, sensor.read)
        except DeviceError:
            return
        state, presses = state.read(levels, loop.time())
        for press in presses:
            if press.button in buttons:
                pressed(press.button)
        due_s = sensor.poll_s if state.due is None else max(0.0, state.due - loop.time())
        try:
            async with asyncio.timeout(min(sensor.poll_s, due_s)):
                await changed.wait()
        except TimeoutError:
            continue

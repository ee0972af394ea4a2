"""A simulated camera above the dice tray, in the world's time: frames while anything changes, then none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from sim.dice_tray import DiceTray

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Image = NDArray[np.uint8]

FRAME_S = 1 / 6
WATCHED_S = 4.2  # after a change: a watcher has made up its mind; what it sees would be the same from then on


class SimCamera:
    """As :class:`hardware.dice.camera.Camera`; its thread is the loop."""

    def __init__(self, tray: DiceTray, loop: asyncio.AbstractEventLoop) -> None:
        self._tray, self._loop = tray, loop
        self._see: Callable[[Image, float], None] | None = None
        self._lose: Callable[[str], None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._until = 0.0
        self._is_closed = False

    def start(self, see: Callable[[Image, float], None], lose: Callable[[str], None]) -> None:
        """Frames from now on."""
        self._see, self._lose = see, lose
        self._loop.call_soon_threadsafe(self._begin)

    def pace(self, interval_s: float) -> None:
        """A simulated camera has one pace."""

    def close(self) -> None:
        """No more frames."""
        self._is_closed = True

    def stir(self) -> None:
        """Something changes in the tray: look."""
        if self._timer is None and self._see is not None:
            self._tick()

    def unplug(self) -> None:
        """The cable is off."""
        self._is_closed = True
        if self._lose is not None:
            self._lose("the camera brings no picture")

    def _begin(self) -> None:
        self._until = self._loop.time() + 1.0  # the first look at what lies there
        self._tick()

    def _tick(self) -> None:
        self._timer = None
        if self._is_closed or self._see is None:
            return
        now = self._loop.time()
        self._see(self._tray.frame(now), now)
        if now < max(self._until, self._tray.changed_at + WATCHED_S):
            self._timer = self._loop.call_later(FRAME_S, self._tick)

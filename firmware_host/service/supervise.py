"""A device that may be absent, get lost and come back: open, lost, back off, back."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Generic, Protocol, TypeVar

from firmware_host.errors import BoxkeeperError
from firmware_host.service.worker import DaemonWorker

FIRST_RETRY_S = 0.5
LAST_RETRY_S = 5.0


class Closable(Protocol):
    """What every device can do."""

    def close(self) -> None:
        """Let go."""


D = TypeVar("D", bound=Closable)


class Supervised(Generic[D]):
    """One device, opened and used in a worker of its own.

    ``opened`` is called with the device each time it is there, ``lost`` with a reason
    once each time it is not.  Both run in the loop.
    """

    def __init__(
        self,
        name: str,
        open_device: Callable[[], D],
        opened: Callable[[D], None],
        lost: Callable[[str], None],
    ) -> None:
        self.name = name
        self.device: D | None = None
        self.worker: Executor = DaemonWorker(name)  # a driver that hangs holds nobody up
        self._open, self._opened, self._lost = open_device, opened, lost
        self._failed = asyncio.Event()

    def fail(self, reason: str) -> None:
        """The device did not do its work: it is closed and opened anew."""
        if self.device is not None and not self._failed.is_set():
            self._failed.set()
            self._lost(reason)

    async def keep(self) -> None:
        """Open the device and keep it open until cancelled."""
        loop, delay_s, is_told = asyncio.get_running_loop(), FIRST_RETRY_S, False
        while True:
            try:
                self.device = await loop.run_in_executor(self.worker, self._open)
            except BoxkeeperError as error:
                if not is_told:
                    self._lost(str(error))
                is_told = True
                await asyncio.sleep(delay_s)
                delay_s = min(2 * delay_s, LAST_RETRY_S)
                continue
            self._failed.clear()
            self._opened(self.device)
            await self._failed.wait()
            await self.close()
            delay_s, is_told = FIRST_RETRY_S, True
            await asyncio.sleep(delay_s)

    async def close(self) -> None:
        """Close the device where there is one; trouble in closing changes nothing any more."""
        device, self.device = self.device, None
        if device is not None:
            with contextlib.suppress(BoxkeeperError, OSError):
                await asyncio.get_running_loop().run_in_executor(self.worker, device.close)

"""What the service tells the service manager that started it: ready, alive, stopping (sd_notify(3))."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable, Mapping
from typing import Final

# systemd's own advice (sd_watchdog_enabled(3)): say so twice as often as it must hear it.
_SAYINGS_A_WATCHDOG: Final = 2


class ServiceManager:
    """Where to say it.  Nobody listens to ``ServiceManager()``; all sayings are quiet when nobody does."""

    def __init__(self, address: str = "", watchdog_s: float | None = None) -> None:
        """``address``: the path of a datagram socket, or its abstract name after an ``@``.

        ``watchdog_s``: how long the manager waits for :meth:`alive` before it starts the
        service anew; None: it does not.
        """
        self._beat_s = None if watchdog_s is None else watchdog_s / _SAYINGS_A_WATCHDOG
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._said_alive_at: float | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> ServiceManager:
        """The manager that ``environment`` names, as systemd sets it for a unit with ``Type=notify``."""
        watchdog = environment.get("WATCHDOG_USEC", "")
        is_ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        watchdog_s = int(watchdog) / 1e6 if watchdog.isdecimal() and int(watchdog) and is_ours else None
        return cls(environment.get("NOTIFY_SOCKET", ""), watchdog_s)

    def ready(self) -> None:
        """The table can be played at."""
        self._say("READY=1")

    def alive(self, now: float) -> None:
        """Work was done at ``now`` (seconds, monotonic); may be called as often as there is work."""
        if self._beat_s is None:
            return
        if self._said_alive_at is None or now - self._said_alive_at >= self._beat_s / 2:
            self._said_alive_at = now
            self._say("WATCHDOG=1")

    async def keep_asking(self, ask: Callable[[], None]) -> None:
        """``ask`` for some work as often as the manager must hear of it, until cancelled.

        Whoever does the work then says :meth:`alive`: nobody says so of a loop that is stuck.
        """
        while self._beat_s is not None:
            ask()
            await asyncio.sleep(self._beat_s)
        await asyncio.Event().wait()

    def stopping(self) -> None:
        """The end has begun."""
        self._say("STOPPING=1")

    def _say(self, state: str) -> None:
        if not self._address:
            return
        # A manager that went away, or is too busy to listen, must not hold up the table.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to_manager:
            to_manager.setblocking(False)
            to_manager.sendto(state.encode(), self._address)

"""The host's end of a USB cable to a simulated board.

A reader blocks in its thread, as at a real port: what the board sends is handed over while time stands
still, so that it has been worked off before time goes on.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass

_HANDED_OVER_S = 5.0  # a reader that takes longer has died, and is not waited for


@dataclass(frozen=True, slots=True)
class UsbPort:
    """What the system knows of the Pico's port, as pyserial tells it."""

    device: str
    vid: int | None = 0x2E8A
    pid: int | None = 0x0005
    serial_number: str | None = "E6614103E7452D2F"


class SimPort:
    """The host's end of the cable, in the shape of :class:`hardware.link.link.Port`."""

    def __init__(self, name: str, send: Callable[[bytes], None]) -> None:
        self._name, self._send = name, send
        self._changed = threading.Condition()
        self._data = bytearray()
        self._is_waiting = False  # the reader has worked off all it got
        self._is_closed = False
        self._error: OSError | None = None

    @property
    def name(self) -> str:
        """As in /dev."""
        return self._name

    def read(self) -> bytes:
        """What has come; waits for it."""
        with self._changed:
            while not self._data and not self._is_closed and self._error is None:
                self._is_waiting = True
                self._changed.notify_all()
                self._changed.wait()
            if self._is_closed:
                return b""
            if self._error is not None:
                raise self._error
            data = bytes(self._data)
            self._data.clear()
            return data

    def write(self, data: bytes) -> None:
        """Send ``data``."""
        if self._error is not None:
            raise self._error
        if not self._is_closed:
            self._send(data)

    def close(self) -> None:
        """Let go."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def deliver(self, data: bytes) -> None:
        """Hand ``data`` over; returns when the reader has worked it off."""
        with self._changed:
            self._data += data
            self._is_waiting = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._is_waiting or self._is_closed, _HANDED_OVER_S)

    def hang_up(self) -> None:
        """The cable is out; returns when the reader knows."""
        self._end(OSError(errno.EIO, os.strerror(errno.EIO)))

    def time_out(self) -> None:
        """Nothing has come for long; returns when the reader knows."""
        self._end(TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT)))

    def _end(self, error: OSError) -> None:
        with self._changed:
            is_read = self._is_waiting
            self._error = error
            self._changed.notify_all()
            if is_read:
                self._changed.wait_for(lambda: self._is_closed, _HANDED_OVER_S)

"""Lamps and a buzzer on the microcontroller, over the serial link."""

from __future__ import annotations

from typing import Literal

from hardware.link.shared import SharedLink

_VOLUMES = {"low": 1, "high": 2}


class SerialLamps:
    """One lamp a tile."""

    def __init__(self, shared: SharedLink) -> None:
        """DeviceNotFoundError where there is no board that answers."""
        self._shared, self._link = shared, shared.take()
        self._is_closed = False

    def light(self, tiles: frozenset[int]) -> None:
        """Light exactly the lamps of ``tiles``; DeviceLostError."""
        self._link.light(tiles)

    def close(self) -> None:
        """All dark, and give the link back; quiet when called twice."""
        if not self._is_closed:
            self._is_closed = True
            try:
                self._link.light(frozenset())
            finally:
                self._shared.give_back(self._link)


class SerialBuzzer:
    """The board hums by itself until it is told otherwise, one second at most."""

    def __init__(self, shared: SharedLink, volume: Literal["low", "high"]) -> None:
        """DeviceNotFoundError where there is no board that answers."""
        self._shared, self._link = shared, shared.take()
        self._volume = _VOLUMES[volume]
        self._is_closed = False

    def tone(self, hz: int) -> None:
        """Hum at ``hz``; 0: be quiet; DeviceLostError."""
        self._link.tone(hz, self._volume)

    def close(self) -> None:
        """Be quiet, and give the link back; quiet when called twice."""
        if not self._is_closed:
            self._is_closed = True
            try:
                self._link.tone(0, 0)
            finally:
                self._shared.give_back(self._link)

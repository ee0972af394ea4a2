"""Switches on the microcontroller: tiles and buttons, told over the serial link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from firmware_host.errors import DeviceLostError
from firmware_host.ports import Levels
from hardware.link.conversation import Stated
from hardware.link.shared import SharedLink
from hardware.tiles.gpio import POLL_WITH_EDGES_S


class SerialLevels:
    """Some of the chip's lines; ``low`` is the level that a line at 0 V stands for."""

    def __init__(
        self, shared: SharedLink, part: Callable[[Stated], tuple[int, ...]], *, low: Literal[0, 1]
    ) -> None:
        """``part``: which lines; DeviceNotFoundError where there is no board that answers."""
        self._shared, self._part, self._low = shared, part, low
        self._link = shared.take()
        self._is_closed = False
        self._first = self._lines()

    @property
    def poll_s(self) -> float:
        """Slow: every change is sent at once, and sent again."""
        return POLL_WITH_EDGES_S

    @property
    def note(self) -> str:
        """Empty."""
        return ""

    def read(self) -> Levels:
        """All levels as last heard; DeviceLostError after a hang-up, a reset or some seconds of silence."""
        if self._is_closed:
            raise DeviceLostError("serial link: closed before")
        return self._lines()

    def watch(self, changed: Callable[[], None]) -> None:
        """Call ``changed`` at every change, in the reader's thread, and now if there was one before."""
        self._link.watch(self, self._part, changed)
        if self._is_news():
            changed()

    def close(self) -> None:
        """Give the link back."""
        if not self._is_closed:
            self._is_closed = True
            self._link.forget(self)
            self._shared.give_back(self._link)

    def _lines(self) -> Levels:
        return tuple(1 - self._low if high else self._low for high in self._part(self._link.state()))

    def _is_news(self) -> bool:
        try:
            return self._lines() != self._first
        except DeviceLostError:
            return True

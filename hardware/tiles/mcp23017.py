"""Switches on an MCP23017: tiles read over I2C, told of changes by its interrupt line, or polled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from firmware_host.ports import Levels, LevelSensor
from hardware.expander import Expander, pin_bit
from hardware.tiles.gpio import POLL_WITH_EDGES_S, POLL_WITHOUT_EDGES_S

# The chip holds its line down until the port is read, and a change between its capture and that is in no
# edge of its own.  Each reading releases the line, so a line that stays down after these is a wire's fault.
_READINGS = 8
# Polled, a table that lies still for so many readings is looked at less often: still often enough that no
# level that debouncing would count is missed, and 2 % of a bus at 100 kHz instead of 9 %.
_STILL_READINGS = 500
POLL_STILL_S = 0.04


class ExpanderLevels:
    """Inputs of one chip; ``low`` is the level a pin at 0 V stands for."""

    def __init__(
        self,
        chip: Expander,
        places: Mapping[int, str],
        labels: Sequence[str],
        *,
        low: Literal[0, 1],
        interrupt: LevelSensor | None = None,
    ) -> None:
        """``places``: index -> pin such as "GPA0", of as many places as there are ``labels``.

        ``interrupt``: the line that INTA pulls, reading 1 while it does; None: there is no such wire.
        Both belong to this from now on.
        """
        self._chip, self._low, self._interrupt = chip, low, interrupt
        self._places = {index: pin_bit(name) for index, name in places.items()}
        self._count = len(labels)
        self._is_held_down = False
        self._last = self._still = 0  # pins as last read, and for how many readings

    @property
    def poll_s(self) -> float:
        """Slow while the interrupt line works; where there is none or it is stuck, quick while tiles move."""
        if self._interrupt is not None and not self._interrupt.note and not self._is_held_down:
            return POLL_WITH_EDGES_S
        return POLL_STILL_S if self._still >= _STILL_READINGS else POLL_WITHOUT_EDGES_S

    @property
    def note(self) -> str:
        """Why it is polled though there is an interrupt line, else empty."""
        return self._interrupt.note if self._interrupt is not None else ""

    def read(self) -> Levels:
        """All levels; DeviceLostError if the chip or its line does not answer."""
        for _ in range(_READINGS):
            pins = self._chip.read()
            self._is_held_down = self._interrupt is not None and self._interrupt.read()[0] == 1
            if not self._is_held_down:
                break
        self._still = self._still + 1 if pins == self._last else 0
        self._last = pins
        levels: list[int | None] = [None] * self._count
        for index, bit in self._places.items():
            levels[index] = 1 - self._low if pins >> bit & 1 else self._low
        return tuple(levels)

    def watch(self, changed: Callable[[], None]) -> None:
        """Call ``changed`` when the interrupt line moves; without one, never."""
        if self._interrupt is not None:
            self._interrupt.watch(changed)

    def close(self) -> None:
        """Let go of the line and of the bus."""
        try:
            if self._interrupt is not None:
                self._interrupt.close()
        finally:
            self._chip.close()

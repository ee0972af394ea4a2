"""One question at a time to the person who moves the inputs, and when to look again.

No clock and no I/O: it is fed levels and times.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum

from firmware_host.table.debounce import Debounced, Levels

WATCH_S = 3.0  # so long nothing may move when all is left alone
QUIET_S = 0.3  # after the last edge; a tile that takes another along has moved it by then
PATIENCE_S = 20.0  # for a person to read, find the tile and flip it


class Step(Enum):
    """What is asked for."""

    REST = "rest"  # all inputs at rest: every tile open
    WATCH = "watch"  # hands off
    THERE = "there"  # move this one: shut the tile, press the button
    BACK = "back"  # and back again


@dataclass(frozen=True, slots=True)
class Ask:
    """What a person is asked for now; ``index`` of an input with ``THERE`` and ``BACK``."""

    step: Step
    index: int | None = None


class Asking(ABC):
    """Something that is asked for until it is done, seen, or waited for in vain."""

    def __init__(self, hold_s: float, levels: Levels, now: float) -> None:
        """``hold_s``: how long a level must stand to count."""
        self._levels = Debounced(hold_s).read(levels, now)
        self._begin(Ask(Step.REST), now)

    @property
    def ask(self) -> Ask | None:
        """What is asked for now; None when it is over."""
        return self._ask

    @property
    def due(self) -> float | None:
        """When to feed it again if nothing changes; None when it is over."""
        if self._ask is None:
            return None
        moments = [self._ends_at]
        if self._levels.due is not None:
            moments.append(self._levels.due)
        if self._quiet_at > self._fed_at:
            moments.append(self._quiet_at)
        return min(moments)

    def confirm(self, now: float) -> None:
        """The person says that it is done: no more waiting for what has not moved."""
        if self._ask is not None and self._ask.step is not Step.WATCH:
            self._go_on(now, is_done=True)

    @abstractmethod
    def _go_on(self, now: float, *, is_done: bool) -> None:
        """Judge what was asked for, where that is due."""

    def _begin(self, ask: Ask | None, now: float, patience_s: float = PATIENCE_S) -> None:
        self._ask = ask
        self._fed_at = now
        self._quiet_at = now + QUIET_S
        self._ends_at = now + (WATCH_S if ask is not None and ask.step is Step.WATCH else patience_s)
        if ask is None or ask.step is not Step.BACK:
            self._base = self._levels.stable

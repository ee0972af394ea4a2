"""A board that tells of no change by itself."""

from __future__ import annotations

from collections.abc import Callable

POLL_S = 0.05  # a chip that settles is seen six times, and a Pi rests between


class Polled:
    """The part of a LevelSensor that is the same for each such board."""

    @property
    def poll_s(self) -> float:
        """Always polled."""
        return POLL_S

    @property
    def note(self) -> str:
        """Empty: it is polled by design."""
        return ""

    def watch(self, changed: Callable[[], None]) -> None:
        """Nothing tells of a change: it is polled."""

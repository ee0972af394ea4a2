"""The only place of the service that reads a clock."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

_SYNCHRONIZED = Path("/run/systemd/timesync/synchronized")  # made by systemd-timesyncd at the first sync
_HARDWARE_CLOCK = Path("/dev/rtc0")


class SystemClock:
    """Monotonic time for the game, wall time for records."""

    def now(self) -> float:
        """Seconds, monotonic; the same clock as asyncio's loop."""
        return time.monotonic()

    def wall(self) -> tuple[str, bool]:
        """UTC in ISO 8601, and whether the clock was set.

        A Pi without a clock of its own starts at its last shutdown and jumps when
        the network comes.
        """
        is_set = _SYNCHRONIZED.exists() or _HARDWARE_CLOCK.exists()
        return datetime.now(UTC).isoformat(timespec="seconds"), is_set

"""Debounce, once, above every driver: a level counts when it has stood for a while."""

from __future__ import annotations

from dataclasses import dataclass

Levels = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Debounced:
    """Levels of several inputs.

    ``raw``: as last read; ``stable``: as they count; ``since``: when each raw level was first
    seen so (seconds); ``hold_s``: how long a level must stand to count.
    """

    hold_s: float
    raw: Levels = ()
    stable: Levels = ()
    since: tuple[float, ...] = ()

    @property
    def due(self) -> float | None:
        """When the next level will count if nothing changes; None when all do."""
        if self.raw == self.stable:
            return None
        waiting = zip(self.raw, self.stable, self.since, strict=True)
        return min(since for raw, stable, since in waiting if raw != stable) + self.hold_s

    def read(self, levels: Levels, now: float) -> Debounced:
        """After ``levels`` were read; the very first reading counts at once."""
        if levels == self.raw:
            return self.at(now)
        if len(levels) != len(self.raw):
            return Debounced(self.hold_s, levels, levels, (now,) * len(levels))
        earlier = self.at(now)
        was = zip(levels, earlier.raw, earlier.since, strict=True)
        since = tuple(at if new == old else now for new, old, at in was)
        return Debounced(self.hold_s, levels, earlier.stable, since).at(now)

    def at(self, now: float) -> Debounced:
        """After time has passed up to ``now``."""
        due = self.due
        if due is None or now < due:
            return self
        rows = zip(self.raw, self.stable, self.since, strict=True)
        stable = tuple(raw if now >= since + self.hold_s else old for raw, old, since in rows)
        return Debounced(self.hold_s, self.raw, stable, self.since)

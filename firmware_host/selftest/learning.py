"""Which input is which tile: every tile is shut and opened once, in order.

No clock and no I/O, as :mod:`firmware_host.selftest.walk`.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.selftest.walk import PATIENCE_S, QUIET_S, Ask, Step
from firmware_host.table.debounce import Debounced, Levels


class Learning:
    """Learns, for each of ``tiles``, the index of the input that follows it.

    ``learned``: index by tile; ``trouble``: why a tile has to be flipped again, or
    empty; a tile whose flip nothing followed is in ``unseen``.
    """

    def __init__(self, tiles: Sequence[int], hold_s: float, levels: Levels, now: float) -> None:
        """``levels``: of all inputs a tile may be wired to."""
        self.learned: dict[int, int] = {}
        self.unseen: list[int] = []
        self.trouble = ""
        self._waiting = list(tiles)
        self._levels = Debounced(hold_s).read(levels, now)
        self._begin(Ask(Step.REST), now)

    @property
    def ask(self) -> Ask | None:
        """What is asked for now, with the *tile's number* as its index; None when all is learned."""
        return self._ask

    @property
    def due(self) -> float | None:
        """When to feed it again if nothing changes; None when it is over."""
        if self._ask is None:
            return None
        moments = [self._ends_at, *([self._levels.due] if self._levels.due is not None else [])]
        return min([*moments, *([self._quiet_at] if self._quiet_at > self._fed_at else [])])

    def feed(self, levels: Levels, now: float) -> None:
        """What the inputs read at ``now``."""
        if levels != self._levels.raw:
            self._quiet_at = now + QUIET_S
        self._levels = self._levels.read(levels, now)
        self._go_on(now, is_done=now >= self._ends_at)

    def confirm(self, now: float) -> None:
        """The person says that it is done."""
        self._go_on(now, is_done=True)

    def _begin(self, ask: Ask | None, now: float) -> None:
        self._ask = ask
        self._quiet_at = self._fed_at = now
        self._ends_at = now + PATIENCE_S
        if ask is None or ask.step is not Step.BACK:
            self._base = self._levels.stable

    def _go_on(self, now: float, *, is_done: bool) -> None:
        self._fed_at = now
        if self._ask is None:
            return
        if self._ask.step is Step.REST:  # how many inputs have a tile is not known: the person says it
            if is_done:
                self._next(now)
            return
        moved = self._moved
        if not is_done and now < self._quiet_at:
            return
        if self._ask.step is Step.THERE:
            if moved or is_done:
                self._take(self._ask.index or 0, moved, now)
        elif is_done or not moved:
            self._next(now)

    @property
    def _moved(self) -> list[int]:
        pairs = enumerate(zip(self._levels.stable, self._base, strict=True))
        return [i for i, (level, was) in pairs if level != was]

    def _take(self, tile: int, moved: Sequence[int], now: float) -> None:
        owners = {index: owner for owner, index in self.learned.items()}
        self.trouble = ""
        if len(moved) == 1 and moved[0] not in owners:
            self.learned[tile] = moved[0]
        elif not moved:
            self.unseen.append(tile)
        else:
            known = [f"tile {owners[i]}" for i in moved if i in owners]
            self.trouble = f"that was {known[0]}" if len(moved) == 1 else f"{len(moved)} inputs changed at once"
            self._waiting.insert(0, tile)
        if moved:
            self._begin(Ask(Step.BACK, tile), now)
        else:
            self._next(now)

    def _next(self, now: float) -> None:
        self._begin(Ask(Step.THERE, self._waiting.pop(0)) if self._waiting else None, now)

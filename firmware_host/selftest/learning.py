"""Which input is which tile: every tile is shut and opened once, in order.

No clock and no I/O, as :mod:`firmware_host.selftest.walk`.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.selftest.asking import QUIET_S, Ask, Asking, Step
from firmware_host.table.debounce import Levels

_TRIES = 3  # then the box is to blame, not the hand


class Learning(Asking):
    """Learns, for each of ``tiles`` (0: tile 1), the index of the input that follows it.

    ``learned``: that index, by tile.  ``unseen``: tiles that no input followed.
    ``trouble``: why the last flip taught nothing and is asked for again; else empty.
    """

    def __init__(self, tiles: Sequence[int], hold_s: float, levels: Levels, now: float) -> None:
        """``levels``: of all inputs a tile may be wired to."""
        self.learned: dict[int, int] = {}
        self.unseen: list[int] = []
        self.trouble = ""
        self._waiting = list(tiles)
        self._noisy: set[int] = set()  # loose wires, and lines that nothing is wired to
        self._tries = 0
        super().__init__(hold_s, levels, now)

    def feed(self, levels: Levels, now: float, edges: Sequence[float] = ()) -> None:
        """What the inputs read at ``now``; when the edges came is no matter here."""
        changed = {i for i, (a, b) in enumerate(zip(levels, self._levels.raw, strict=True)) if a != b}
        if self._ask is not None and self._ask.step is Step.WATCH:
            self._noisy |= changed
        if changed - self._noisy:
            self._quiet_at = now + QUIET_S
        self._levels = self._levels.read(levels, now)
        self._go_on(now, is_done=now >= self._ends_at)

    def _go_on(self, now: float, *, is_done: bool) -> None:
        self._fed_at = now
        if self._ask is None:
            return
        if self._ask.step is Step.REST:  # which inputs have a tile is not known: the person says it
            if is_done:
                self._begin(Ask(Step.WATCH), now)
            return
        if self._ask.step is Step.WATCH:
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
        return [i for i, (level, was) in pairs if level != was and i not in self._noisy]

    def _take(self, tile: int, moved: Sequence[int], now: float) -> None:
        owners = {index: owner for owner, index in self.learned.items()}
        self.trouble = ""
        self._tries += 1
        if len(moved) == 1 and moved[0] not in owners:
            self.learned[tile] = moved[0]
        elif not moved or self._tries == _TRIES:
            self.unseen.append(tile)
        else:
            was = f"that was tile {owners.get(moved[0], 0) + 1}"
            self.trouble = was if len(moved) == 1 else f"{len(moved)} inputs changed at once"
            self._waiting.insert(0, tile)
        if moved:
            self._begin(Ask(Step.BACK, tile), now)
        else:
            self._next(now)

    def _next(self, now: float) -> None:
        if not self.trouble:
            self._tries = 0
        self._begin(Ask(Step.THERE, self._waiting.pop(0)) if self._waiting else None, now)

"""The walk over a row of inputs: each is moved there and back once, and judged by what moves.

No clock and no I/O: it is fed levels and times, says what it asks for and when it
wants to be fed again, and gathers verdicts.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.selftest.asking import PATIENCE_S, QUIET_S, Ask, Asking, Step
from firmware_host.selftest.verdicts import Kind, Verdict
from firmware_host.table.debounce import Levels

SHORT_PATIENCE_S = 5.0  # to put back what nothing was seen of
_TRIES = 2  # a hand may take the wrong tile, or brush its neighbour, once
_WATCHES = 3


class Walk(Asking):
    """A walk over ``inputs``, in their order.

    >>> walk = Walk((0,), rest=1, hold_s=0.06, levels=(1,), now=0.0)
    >>> walk.ask
    Ask(step=<Step.REST: 'rest'>, index=None)
    """

    def __init__(self, inputs: Sequence[int], rest: int, hold_s: float, levels: Levels, now: float) -> None:
        """``inputs``: indexes to ask for, of those in ``levels``; ``rest``: the level of one left alone.

        ``hold_s``: how long a level must stand to count, and a bounce may last.
        """
        self.verdicts: list[Verdict] = []
        self._rest, self._hold_s = rest, hold_s
        self._flickering: set[int] = set()
        self._watches = 0
        self._tries = 0
        self._waiting = list(inputs)
        self._found: Verdict | None = None
        self._bounce_s = 0.0
        super().__init__(hold_s, levels, now)

    def feed(self, levels: Levels, now: float, edges: Sequence[float] = ()) -> None:
        """What the inputs read at ``now``; ``edges``: when lines changed since the last time.

        A reading comes some milliseconds after its edge, and several edges may lie
        before one; so a bounce is measured by them where there are any.
        """
        self._moments += edges
        for i, (level, was) in enumerate(zip(levels, self._levels.raw, strict=True)):
            if level != was:
                self._edges.setdefault(i, []).append(now)
                if i not in self._flickering:
                    self._quiet_at = now + QUIET_S
        self._levels = self._levels.read(levels, now)
        self._go_on(now, is_done=now >= self._ends_at)

    def _begin(self, ask: Ask | None, now: float, patience_s: float = PATIENCE_S) -> None:
        self._edges: dict[int, list[float]] = {}
        self._moments: list[float] = []  # of edges, whichever input's
        super()._begin(ask, now, patience_s)

    def _go_on(self, now: float, *, is_done: bool) -> None:
        self._fed_at = now
        if self._ask is None:
            return
        index = self._ask.index
        match self._ask.step:
            case Step.REST:
                if is_done or (now >= self._quiet_at and self._is_all_at_rest):
                    self._begin(Ask(Step.WATCH), now)
            case Step.WATCH if is_done:
                self._watched(now)
            case Step.THERE if index is not None and (is_done or (self._moved and now >= self._quiet_at)):
                self._judge(index, now)
            case Step.BACK if index is not None and (
                is_done or (self._had_moved and not self._moved and now >= self._quiet_at)
            ):
                self._judge_back(index, now)

    @property
    def _is_all_at_rest(self) -> bool:
        return all(level in (self._rest, None) for level in self._levels.stable)

    @property
    def _moved(self) -> tuple[int, ...]:
        """Inputs that now count as other than when this input's turn began."""
        pairs = enumerate(zip(self._levels.stable, self._base, strict=True))
        return tuple(i for i, (level, was) in pairs if level != was and i not in self._flickering)

    @property
    def _had_moved(self) -> bool:
        return self._found is not None and self._found.kind is not Kind.NEVER_CHANGES

    def _watched(self, now: float) -> None:
        self._watches += 1
        by_hand = {i for i in self._edges if self._levels.raw[i] != self._base[i]}
        if by_hand and self._watches < _WATCHES:  # somebody put a tile right meanwhile
            self._begin(Ask(Step.REST), now)
            return
        self._flickering = set(self._edges)
        self._next(now)

    def _next(self, now: float) -> None:
        """On to the next input that can be walked."""
        self._found, self._bounce_s, self._tries = None, 0.0, 0
        while self._waiting:
            index = self._waiting.pop(0)
            if self._levels.raw[index] is None:
                self.verdicts.append(Verdict(index, Kind.NOT_WIRED))
            elif index in self._flickering:
                self.verdicts.append(Verdict(index, Kind.FLICKERS))
            else:
                self._begin(Ask(Step.THERE, index), now)
                return
        self._begin(None, now)

    def _judge(self, index: int, now: float) -> None:
        moved = self._moved
        others = tuple(i for i in moved if i != index)
        self._measure(index)
        if index not in moved:
            kind = Kind.ANOTHER if moved else Kind.NEVER_CHANGES
        elif others:
            kind = Kind.TOGETHER
        else:
            kind = Kind.GOOD if self._base[index] == self._rest else Kind.INVERTED
        self._found = Verdict(index, kind, others, self._levels.stable[index])
        self._begin(Ask(Step.BACK, index), now, PATIENCE_S if moved else SHORT_PATIENCE_S)

    def _judge_back(self, index: int, now: float) -> None:
        assert self._found is not None
        self._measure(index)
        found, moved = self._found, self._moved
        self._tries += 1
        if found.kind in (Kind.ANOTHER, Kind.TOGETHER) and self._tries < _TRIES:
            self._begin(Ask(Step.THERE, index), now)
            return
        if index in moved and found.kind is not Kind.NEVER_CHANGES:
            found = Verdict(index, Kind.NEVER_RELEASES, found.others)
        elif found.kind is Kind.GOOD:
            kind = Kind.GOOD if self._bounce_s <= self._hold_s else Kind.SLOW
            found = Verdict(index, kind, bounce_s=self._bounce_s)
        elif found.kind is not Kind.NEVER_CHANGES:
            found = Verdict(index, found.kind, found.others)
        self.verdicts.append(found)
        self._next(now)

    def _measure(self, index: int) -> None:
        """Keep the longest bounce: from the first edge of one move to its last."""
        edges = self._edges.get(index, [])
        if edges and not self._flickering:  # only what was asked for has moved, or the verdict is another
            edges = self._moments or edges
        first = edges[:1]
        for edge, before in zip(edges[1:], edges, strict=False):
            if edge - before > QUIET_S / 2:  # another move
                first = [edge]
            self._bounce_s = max(self._bounce_s, edge - first[0])

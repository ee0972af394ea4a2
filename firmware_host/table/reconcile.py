"""One reconciler for every game: what is seen against what was and what may be.

It knows layouts and nothing else of a game: shutting, raising, placing and lifting
are the same act to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from firmware_host.games.game import Layout, Target


class Fit(Enum):
    """How the seen layout lies to the accepted one and the targets."""

    UNCHANGED = auto()  # as accepted
    PARTIAL = auto()  # on the way to at least one target
    COMPLETE = auto()  # exactly a target
    WRONG = auto()  # no target can be reached any more without putting something back


@dataclass(frozen=True, slots=True)
class Verdict:
    """``target``: the one reached, when COMPLETE.  ``fixes``: the indices to put back, when WRONG."""

    fit: Fit
    target: Target | None = None
    fixes: tuple[int, ...] = ()


def compare(seen: Layout, before: Layout, targets: Sequence[Target], flipped: Sequence[int] = ()) -> Verdict:
    """Hold ``seen`` against the accepted layout ``before`` and the ``targets``.

    ``flipped``: indices by their last flip, the latest last; unknown ones left out.  The
    fixes are the fewest that lead back to a part of a target (or to ``before``); among equals
    those flipped last go back first, and where that is not known, the higher ones.
    """
    if seen == before:
        return Verdict(Fit.UNCHANGED)
    for target in targets:
        if seen == target.layout:
            return Verdict(Fit.COMPLETE, target)
    if any(seen == target.way for target in targets):
        return Verdict(Fit.PARTIAL)
    moved = [i for i, (now, was) in enumerate(zip(seen, before, strict=True)) if now != was]
    ways = [tuple(i for i in moved if seen[i] != target.layout[i]) for target in targets]
    if not all(ways):
        return Verdict(Fit.PARTIAL)
    rank = {index: len(before) + order for order, index in enumerate(flipped)}
    fixes = min(
        ways or [tuple(moved)],
        key=lambda way: (len(way), sorted(-rank.get(i, i) for i in way)),
    )
    return Verdict(Fit.WRONG, fixes=fixes)

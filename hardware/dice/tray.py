"""Reading dice with a rig: what differs from the empty tray must be whole cubes on its floor, and nothing
else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.dice.flatness import leans
from hardware.dice.groups import find_groups
from hardware.dice.guesses import arranged, spots_of
from hardware.dice.leftover import has_more
from hardware.dice.reading import Reading, Reason
from hardware.dice.verify import FoundDie, doubt, is_off_floor

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardware.dice.difference import Island
    from hardware.dice.rig import Rig

    Image = NDArray[np.uint8]

# How dark a shadow may be against the lit floor, in levels (gamma 2.2: 0.35 is a tenth of the light).  A dark
# die may be lighter than the darkest shadow elsewhere, so each is tried: the right one leaves cubes and
# nothing else.
_DARKEST_SHADOWS = (0.12, 0.3, 0.45, 0.6)
_NEXT = 0.1  # of an upper face: with fewer pixels more, what was made out stands


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """The dice in a part of the picture, and why they are no answer."""

    dice: tuple[FoundDie, ...]
    reason: Reason | None

    def explains(self, count: int) -> bool:
        """Whether so many dice, or more, leave nothing open."""
        return self.reason is None and len(self.dice) >= count


def read_tray(image: Image, rig: Rig, wanted: int) -> Reading:
    """Read ``wanted`` dice, 1 or 2, in the tray of ``rig``."""
    if (image.shape[1], image.shape[0]) != rig.image_size:
        return Reading(reason=Reason.CAMERA_MOVED)
    searches = [_Search(island, rig) for island in rig.background.islands(image)]
    if not searches:
        return Reading(reason=Reason.NO_DICE)
    for search in searches:
        search.until(1)
    if all(search.found.reason is None for search in searches) and _count(searches) < wanted:
        for search in searches:
            search.until(len(search.found.dice) + 1)
    return _judge(searches, rig, wanted)


class _Search:
    """The search for dice in a part of the picture; ``found``: with the darkest shadows, until lighter ones
    leave nothing open.
    """

    def __init__(self, island: Island, rig: Rig) -> None:
        self.island = island
        self._findings = _findings(island, rig)
        self.found = next(self._findings)

    def until(self, count: int) -> None:
        """Try lighter shadows until so many dice explain all that changed."""
        if self.found.explains(count):
            return
        for found in self._findings:
            if found.explains(count) or found.reason is Reason.OCCLUDED:
                self.found = found
                return


def _count(searches: Sequence[_Search]) -> int:
    return sum(len(search.found.dice) for search in searches)


def _findings(island: Island, rig: Rig) -> Iterator[_Found]:
    """The dice in an island with lighter and lighter shadows; those with which hardly more is sure are left
    out.
    """
    import cv2

    before: int | None = None
    for darkest in _DARKEST_SHADOWS:
        sure = island.sure(darkest)
        area = cv2.countNonZero(sure)
        if before is not None and area - before < _NEXT * rig.background.edge_px**2:
            continue
        before = area
        yield _find(island, sure, rig)


def _find(island: Island, sure: Image, rig: Rig) -> _Found:
    """The dice in an island of which so much (255) surely changed."""
    groups = find_groups(island, sure, rig)
    if isinstance(groups, Reason):
        return _Found((), groups)
    dice: list[FoundDie] = []
    reason: Reason | None = None
    for group in groups:
        spots = spots_of(group)
        more, why = doubt(group, arranged(group, spots, rig), spots, rig)
        dice += more
        reason = reason or why
    if reason is None and any(is_off_floor(one.cube, rig) for one in dice):
        reason = Reason.ON_RIM
    return _Found(tuple(dice), reason)


def _judge(searches: Sequence[_Search], rig: Rig, wanted: int) -> Reading:
    """The reading: whole dice explain all that surely changed, and what is taken for shadow is no more."""
    dice = [die for search in searches for die in search.found.dice]
    read = tuple(one.die for one in dice)
    reasons = [search.found.reason for search in searches if search.found.reason is not None]
    if Reason.OCCLUDED in reasons:
        return Reading(read, Reason.OCCLUDED)
    reason = reasons[0] if reasons else _wrong_number(len(dice), wanted)
    if reason is Reason.NO_DICE and any(has_more(search.island, (), rig, True) for search in searches):
        return Reading(read, Reason.LOW_CONTRAST)  # pips, and of their dice nothing
    if reason is not None:
        return Reading(read, reason)
    cubes = [one.cube for one in dice]
    may_be_dark = not all(one.is_dark for one in dice)
    if any(leans(one.group, one.cube, cubes, rig, one.die.value == 1) for one in dice):
        reason = Reason.COCKED
    elif any(has_more(search.island, cubes, rig, may_be_dark) for search in searches):
        reason = Reason.OCCLUDED
    return Reading(read, reason)


def _wrong_number(count: int, wanted: int) -> Reason | None:
    if count == wanted:
        return None
    return {0: Reason.NO_DICE, 1: Reason.ONE_DIE, 2: Reason.TWO_DICE}.get(count, Reason.MORE_THAN_TWO)

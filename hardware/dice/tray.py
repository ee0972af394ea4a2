"""Reading dice with a rig: what differs from the empty tray must be whole cubes on its floor, and nothing
else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.dice.flatness import leans
from hardware.dice.groups import find_groups
from hardware.dice.guesses import arranged, spots_of
from hardware.dice.leftover import has_more
from hardware.dice.reading import Reading, Reason
from hardware.dice.verify import Evidence, doubt, is_off_floor

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
    """The dice in a part of the picture, why they are no answer, and what surely changed (255) there."""

    dice: tuple[Evidence, ...]
    reason: Reason | None
    sure: Image


def read_tray(image: Image, rig: Rig, wanted: int) -> Reading:
    """Read ``wanted`` dice, 1 or 2, in the tray of ``rig``."""
    if (image.shape[1], image.shape[0]) != rig.image_size:
        return Reading(reason=Reason.CAMERA_MOVED)
    islands = list(rig.background.islands(image))
    if not islands:
        return Reading(reason=Reason.NO_DICE)
    first: Reading | None = None
    found: list[_Found | None] = [None] * len(islands)
    for darkest in _DARKEST_SHADOWS:
        found = [_find(island, darkest, was, rig) for island, was in zip(islands, found, strict=True)]
        reading, is_final = _judge(islands, [one for one in found if one is not None], rig, wanted)
        first = first or reading
        if is_final:
            return reading
    assert first is not None
    if first.reason is Reason.NO_DICE and any(
        has_more(island, (), rig, may_be_dark=True) for island in islands
    ):
        return Reading(reason=Reason.LOW_CONTRAST)  # pips, and of their dice nothing
    return first


def _find(island: Island, darkest: float, was: _Found | None, rig: Rig) -> _Found:
    """The dice in an island; what was made out with darker shadows where hardly more is sure now."""
    import cv2

    sure = island.sure(darkest)
    if (
        was is not None
        and cv2.countNonZero(sure) - cv2.countNonZero(was.sure) < _NEXT * rig.background.edge_px**2
    ):
        return was
    groups = find_groups(island, sure, rig)
    if isinstance(groups, Reason):
        return _Found((), groups, sure)
    dice: list[Evidence] = []
    reason: Reason | None = None
    for group in groups:
        spots = spots_of(group)
        more, why = doubt(group, arranged(group, spots, rig), spots, rig)
        dice += more
        reason = reason or why
    return _Found(tuple(dice), reason, sure)


def _judge(islands: list[Island], found: list[_Found], rig: Rig, wanted: int) -> tuple[Reading, bool]:
    """The reading, and whether it stands: whole dice explain all that surely changed, or nothing could, so
    that no other shadows need be tried.
    """
    dice = [die for one in found for die in one.dice]
    read = tuple(one.die for one in dice)
    reasons = [one.reason for one in found if one.reason is not None]
    if Reason.OCCLUDED in reasons:  # too large for dice; lighter shadows make it larger
        return Reading(read, Reason.OCCLUDED), True
    reason = reasons[0] if reasons else _wrong_number(len(dice), wanted)
    if not reasons and len(dice) > wanted:
        return Reading(read, reason), True
    if reason is None and any(is_off_floor(one.cube, rig) for one in dice):
        reason = Reason.ON_RIM
    if reason is not None:
        return Reading(read, reason), False
    cubes = [one.cube for one in dice]
    may_be_dark = not all(one.is_dark for one in dice)
    if any(leans(one.group, one.cube, cubes, rig, one.die.value == 1) for one in dice):
        reason = Reason.COCKED
    elif any(has_more(island, cubes, rig, may_be_dark) for island in islands):
        reason = Reason.OCCLUDED
    return Reading(read, reason), True


def _wrong_number(count: int, wanted: int) -> Reason | None:
    if count == wanted:
        return None
    return {0: Reason.NO_DICE, 1: Reason.ONE_DIE, 2: Reason.TWO_DICE}.get(count, Reason.MORE_THAN_TWO)

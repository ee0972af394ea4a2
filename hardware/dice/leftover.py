"""A last look at what was taken for shadow: no die hides in it.

A dark die may change the floor just as a shadow does.  But it has pips, and a shadow has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.blobs import LEAST_DIAMETER, MOST_SINGLE, Spot, contrast_maps, find_spots, pip_levels
from hardware.dice.images import connected, shrunk, strongest
from hardware.dice.solids import Cube, filled, outline

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.dice.difference import Island
    from hardware.dice.rig import Rig

    Image = NDArray[np.uint8]

_EDGE_PX = 22.0  # of a die as it is looked for: its pips are two pixels wide and more
_LEAST_AREA = 0.25  # of an upper face
_LEAST_CONTRAST = 30.0  # levels above what the empty floor has there: shadows are smooth
_BRIGHTER = 45  # levels: more than light thrown back by a white die adds to a wall
_ROUND = 1.5
_AROUND = 0.08  # of the edge: what a pip has around it at least
_SLACK = 0.1  # of the edge, around the dice: their outlines are soft, and dark at the floor


def has_more(island: Island, cubes: Sequence[Cube], rig: Rig, may_be_dark: bool) -> bool:
    """Whether something is left outside the cubes that is no shadow; ``may_be_dark``: of dark dice too."""
    rest, edge_px = _rest(island, cubes, rig)
    return _has_hidden_pips(island, rest, edge_px) or (
        may_be_dark and _has_bright_spots(island, rest, edge_px)
    )


def _has_hidden_pips(island: Island, rest: Image, edge_px: float) -> bool:
    """Whether there are spots like pips where something changed outside the cubes."""
    import cv2

    labels, stats = connected(rest)
    step = max(1, round(edge_px / _EDGE_PX))
    for label, (x, y, w, h, area_px) in enumerate(stats.tolist()):
        if label == 0 or area_px < _LEAST_AREA * edge_px**2:
            continue
        part = (slice(y, y + h), slice(x, x + w))
        where = np.where(labels[part] == label, 255, 0).astype(np.uint8)
        image, expected, where = (
            shrunk(picture, step) for picture in (island.image[part], island.expected[part], where)
        )
        if _has_pips(image, expected, cv2.compare(where, 127, cv2.CMP_GT), edge_px / step):
            return True
    return False


def _has_bright_spots(island: Island, rest: Image, edge_px: float) -> bool:
    """Whether something as small as a pip and much brighter than the empty tray is left outside the cubes.

    No shadow brightens.  A dark die before a dark wall may differ from it by its light pips alone.
    """
    import cv2

    more = strongest(cv2.subtract(island.image, island.expected))
    bright = cv2.compare(more, _BRIGHTER, cv2.CMP_GT) & rest
    if not cv2.countNonZero(bright):
        return False
    _, stats = connected(bright)
    sides, areas = stats[1:, cv2.CC_STAT_WIDTH : cv2.CC_STAT_HEIGHT + 1], stats[1:, cv2.CC_STAT_AREA]
    small = (sides.min(axis=1) >= LEAST_DIAMETER * edge_px) & (sides.max(axis=1) <= MOST_SINGLE * edge_px)
    return bool((small & (areas >= 0.5 * sides.prod(axis=1))).any())


def _rest(island: Island, cubes: Sequence[Cube], rig: Rig) -> tuple[Image, float]:
    """What changed outside the cubes, and about how long an edge is, in pixels."""
    import cv2

    rest = island.changed.copy()
    edge_px = 0.0 if cubes else rig.background.edge_px
    for cube in cubes:
        area = outline(cube, rig.pose)
        edge_px = max(edge_px, float(np.sqrt(cv2.contourArea(area.astype(np.float32)))))
        wide = area + (area - area.mean(axis=0)) * 2 * _SLACK
        rest[filled(wide, rest.shape[:2], island.origin) > 0] = 0
    return rest, edge_px


def _has_pips(image: Image, expected: Image, where: Image, edge_px: float) -> bool:
    import cv2

    seen = contrast_maps(image, edge_px) & where
    if int(seen.max()) <= _LEAST_CONTRAST:
        return False
    more = cv2.subtract(seen, contrast_maps(expected, edge_px))
    return any(
        s.contrast > _LEAST_CONTRAST and s.elongation < _ROUND and _is_inside(s, where, edge_px)
        for s in find_spots(more, edge_px, pip_levels(more, edge_px))
    )


def _is_inside(spot: Spot, where: Image, edge_px: float) -> bool:
    """Whether there is changed floor all around the spot: a pip has its die around it."""
    angles = np.arange(16) * (np.pi / 8)
    reach = spot.diameter_px / 2 + _AROUND * edge_px
    xs = np.round(spot.x + reach * np.cos(angles)).astype(int)
    ys = np.round(spot.y + reach * np.sin(angles)).astype(int)
    height, width = where.shape
    if xs.min() < 0 or ys.min() < 0 or xs.max() >= width or ys.max() >= height:
        return False
    return bool((where[ys, xs] > 0).all())

"""Whether a die that could lean on something does: a cocked die must be thrown again.

Where the outlines of the flat and of the tilted cube differ the picture must show the flat one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.bodies import DARKEST_SIDE, body_mask, dot, with_pips
from hardware.dice.images import square
from hardware.dice.solids import Cube, filled, outline, upper_face
from hardware.dice.tilt import Tilted, lower_edge, supports, tilted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.dice.camera_pose import Pose
    from hardware.dice.groups import Group
    from hardware.dice.rig import Rig

    Floats = NDArray[np.float64]
    Floats32 = NDArray[np.float32]
    Image = NDArray[np.uint8]
    Mask = NDArray[np.bool_]

_SMALL = 0.012  # of an upper face: less than that decides nothing
_HARDLY, _PARTLY, _MOSTLY, _WHOLLY = 0.1, 0.3, 0.5, 0.8
_ROOM = 0.4  # edges around the outlines: what is looked across is 14 pixels at the most
# Levels across four pixels where a side face meets the floor; and as a share of how far the die and the floor
# differ.
_LEAST_STEP, _SHARE_OF_STEP = 14.0, 0.3
_PREVAILS, _OUTWEIGHS = 2, 4  # times as much area; with that much a sliver of the other does not count
_SMOOTH = 11.0  # levels a pixel: a soft shadow's edge; pips and edges have 20 and more
_NEAR = 1.5  # pixels: how far a step may be from where it should be
_FAINT = 1 / 3  # of a step: no step
_CLEARLY = np.deg2rad(10.0)  # between the colours of die and floor
_PLAIN = 12.0  # levels: as light as the empty floor, but for noise
_LIGHTEST_SIDE = 1.5  # in levels against the upper face: at gamma 2.2 two and a half times the light
_ALONG = np.linspace(0.1, 0.9, 24)  # of an edge: its rounded ends left out
_OUT = np.arange(-14, 5)  # pixels across the edge


def leans(group: Group, cube: Cube, cubes: Sequence[Cube], rig: Rig, is_one: bool = False) -> bool:
    """Whether ``cube``, one of ``cubes``, may be a tilted one: the picture does not show it to be flat.

    ``is_one``: its direction is that of its edges, not of its pips.
    """
    others = [other for other in cubes if other is not cube]
    known = supports(cube, others, rig, is_one)
    ways = [(toward, tilted(cube, toward, tilt, rig.pose), on_wall) for toward, tilt, on_wall in known]
    if not ways:
        return False
    polygons = [outline(cube, rig.pose), *(other.outline for _, other, _ in ways)]
    look = _Look.of(group.part_around(polygons, _ROOM), cube, others, rig)
    return any(not _looks_flat(look, *way) for way in ways)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """A cube in its group: the outlines of it and of the others (255), its colour, where its body is seen,
    how far the picture is off the empty tray in levels, and how steeply that changes.
    """

    group: Group
    cube: Cube
    pose: Pose
    flat: Image
    hidden: Image
    colour: Floats32
    body: Mask
    body_and_pips: Mask
    off: Floats32
    slope: Floats32

    @classmethod
    def of(cls, group: Group, cube: Cube, others: Sequence[Cube], rig: Rig) -> _Look:
        """What is the same whichever way the cube may lean."""
        import cv2

        shape = group.sure.shape[:2]
        flat, top = (
            filled(p, shape, group.origin, group.scale)
            for p in (outline(cube, rig.pose), upper_face(cube, rig.pose))
        )
        hidden = np.zeros(shape, np.uint8)
        for other in others:
            hidden |= filled(outline(other, rig.pose), shape, group.origin, group.scale)
        colour = np.asarray(np.median(group.patch[top > 0], axis=0), np.float32)
        body = body_mask(group, colour)
        off = group.patch.astype(np.float32) - group.expected.astype(np.float32)
        mean = dot(off, np.full(3, 1 / 3, np.float32))
        slope = np.hypot(cv2.Sobel(mean, cv2.CV_32F, 1, 0), cv2.Sobel(mean, cv2.CV_32F, 0, 1))
        pips = with_pips(body, group.edge_px)
        return cls(group, cube, rig.pose, flat, hidden, colour, body, pips, off, slope * (group.scale / 8))


def _looks_flat(look: _Look, toward: float, other: Tilted, on_wall: bool) -> bool:
    """Whether the picture shows the flat cube, where it and the tilted one differ."""
    group = look.group
    flat, leaning = _masks(look, other.outline)
    small = _SMALL * group.face_px
    shows_flat, shows_leaning = flat.sum() > small, leaning.sum() > small
    if not shows_flat and not shows_leaning:
        return False  # nothing to tell them by
    if on_wall and _is_side_face(look, flat, leaning):
        return True
    if shows_leaning and look.body[leaning].mean() >= _PARTLY:
        return False
    shows_floor = shows_leaning and look.body[leaning].mean() < _HARDLY and _is_smooth(look, leaning)
    if shows_floor and leaning.sum() > _OUTWEIGHS * flat.sum():
        return True
    if shows_flat and _is_bare(look, flat):
        return False
    if shows_floor or (shows_leaning and _is_no_side(look, leaning)):
        return True
    if not shows_flat:
        return False
    if shows_leaning and not _prevails(look, flat, leaning, _PREVAILS):
        return False
    seen = float(look.body_and_pips[flat].mean())
    # by a wall the shadow below a raised die ends in such a step as well: some of the face must be seen, or
    # no other step there
    return seen >= _MOSTLY or _has_lower_edge(look, toward, other, on_wall and seen < _PARTLY)


def _is_side_face(look: _Look, flat: Mask, leaning: Mask) -> bool:
    """Whether the die's own colour, which the floor has not, is where only the flat cube would show a side
    face; so much of it that a blurred margin where only the tilted one would be seen says nothing.
    """
    group, area = look.group, int(flat.sum())
    if area < group.scale * group.edge_px:  # a pixel of the picture along an edge
        return False
    floor = group.expected[flat].astype(np.float32).mean(axis=0)
    alike = float(floor @ look.colour) / float(np.linalg.norm(floor) * np.linalg.norm(look.colour) + 1e-6)
    seen = float(look.body_and_pips[flat].mean())
    return alike < np.cos(_CLEARLY) and seen >= _WHOLLY and _prevails(look, flat, leaning, _OUTWEIGHS)


def _prevails(look: _Look, flat: Mask, leaning: Mask, times: float) -> bool:
    """Whether so many times as much speaks for the flat cube as for the tilted one, by where its body is."""
    there, elsewhere = int(look.body_and_pips[flat].sum()), int(look.body[leaning].sum())
    return there + int(leaning.sum()) - elsewhere > times * (int(flat.sum()) - there + elsewhere)


def _masks(look: _Look, leans: Floats) -> tuple[Mask, Mask]:
    """Where only the flat cube would be seen, and where only the tilted one, a pixel from both outlines."""
    import cv2

    group, flat, hidden = look.group, look.flat, look.hidden
    leaning = filled(leans, flat.shape, group.origin, group.scale)
    thin = square(3)
    return cv2.erode(flat & ~leaning & ~hidden, thin) > 0, cv2.erode(leaning & ~flat & ~hidden, thin) > 0


def _is_bare(look: _Look, where: Mask) -> bool:
    """Whether plain floor, or the black below a raised die, is where the flat cube's side face would be."""
    group = look.group
    seen = group.patch[where].astype(np.float32).mean(axis=1)
    floor = group.expected[where].astype(np.float32).mean(axis=1)
    level = float(look.colour.mean())
    other = ~look.body_and_pips[where]
    plain, black = _plain(look, where) & other, (seen < DARKEST_SIDE * level) & other
    return bool(plain.mean() >= _MOSTLY or (black.mean() >= _MOSTLY and floor.mean() > DARKEST_SIDE * level))


def _is_no_side(look: _Look, where: Mask) -> bool:
    """Whether it is plain floor there, or too dark or too light for a raised side, which is turned up to the
    light.
    """
    seen = look.group.patch[where].astype(np.float32).mean(axis=1)
    level = float(look.colour.mean())
    other = (seen < DARKEST_SIDE * level) | (seen > _LIGHTEST_SIDE * level)
    return bool((other | _plain(look, where)).mean() >= _WHOLLY)


def _plain(look: _Look, where: Mask) -> Mask:
    """Which of the pixels there are as the empty floor, in each channel."""
    return np.asarray(np.abs(look.off[where]).max(axis=1) < _PLAIN, np.bool_)


def _is_smooth(look: _Look, where: Mask) -> bool:
    """Whether there is nothing but light and shadow: the raised side of a die would show pips and an edge."""
    slopes = np.sort(look.slope[where])
    return float(slopes[int(0.9 * (len(slopes) - 1))]) < _SMOOTH


def _has_lower_edge(look: _Look, toward: float, leaning: Tilted, alone: bool) -> bool:
    """Whether there is a sharp step where the far side of the flat cube would stand on the floor.

    A side face in the shade may be as light as the floor, and a shadow may end anywhere, but softly.  Nor
    must the step be larger where the far side of the tilted cube would stand; ``alone``: nor nearly as large.
    """
    group = look.group
    floor = np.median(group.expected[::4, ::4].reshape(-1, 3), axis=0)
    least = max(_LEAST_STEP, _SHARE_OF_STEP * float(np.abs(look.colour - floor).max()))
    ends, way = lower_edge(look.cube, toward, look.pose)
    steps = _steps_across(look, ends, way)
    if not leaning.shows_far_side:
        return not alone and _strongest(steps, -_NEAR, _NEAR) >= least
    off = float((leaning.far_edge.mean(axis=0) - ends.mean(axis=0)) @ way) * group.scale
    if alone:  # a rounded edge is seen a little further in
        here = _strongest(steps, min(off / 2, -_NEAR), _NEAR)
        return here >= least and _strongest(steps, off - _NEAR, off + 1) <= _FAINT * here
    here = _strongest(steps, -_NEAR, _NEAR)
    return here >= least and here >= _strongest(steps, off - _NEAR, off + _NEAR)


def _steps_across(look: _Look, ends: Floats, way: Floats) -> Floats32:
    """How much the picture changes, against the empty tray, across each of ``_OUT`` from an edge."""
    import cv2

    group = look.group
    line = ends[0] + _ALONG[:, None] * (ends[1] - ends[0])
    at = (line - np.array(group.origin) + 0.5) * group.scale - 0.5
    places = np.arange(_OUT[0] - 2, _OUT[-1] + 3)[:, None, None] * way + at
    maps = places.astype(np.float32)
    seen = cv2.remap(look.off, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    profile = seen.mean(axis=1)
    return np.asarray(np.abs(profile[4:] - profile[:-4]).max(axis=1), np.float32)


def _strongest(steps: Floats32, low: float, high: float) -> float:
    """The strongest step between two places."""
    near = (low <= _OUT) & (high >= _OUT)
    return float(steps[near].max()) if near.any() else 0.0

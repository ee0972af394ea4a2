"""Whether a die that could lean on something does: a cocked die must be thrown again.

Close to a support there are two solids to choose from for each die: a flat cube, and a tilted one whose upper
face looks just like it (:mod:`hardware.dice.tilt`).  Where their outlines differ the picture shows the one or
the other.  No single look decides it, as a side face in the shade may be as light as the floor in shadow; so
several are taken, and each counts so many points for the flat one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.bodies import body_mask, dot, with_pips
from hardware.dice.evidence import Evidence
from hardware.dice.images import square
from hardware.dice.solids import Cube, Seen, filled, outline, seen, upper_face
from hardware.dice.tilt import supports, tilted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.dice.groups import Group
    from hardware.dice.rig import Rig

    Floats = NDArray[np.float64]
    Floats32 = NDArray[np.float32]
    Image = NDArray[np.uint8]
    Mask = NDArray[np.bool_]

_ROOM = 0.4  # edges around the outlines that are looked at
_FEW_PX = 3  # pixels: fewer show nothing
_STEEPEST = 0.9  # of the pixels: pips and edges are few of them
_APART = 2.5  # pixels of the picture between two outlines: nearer, one step is both
_NEAR, _BESIDE = 1.5, 1.5  # pixels from an outline the step may be; from there to both sides it is taken
_SHIFTS = np.arange(-_NEAR - _BESIDE, _NEAR + _BESIDE + 0.5, 0.5)
_CORNER = 0.08  # of a side: its rounded ends left out
_SHORT_PX = 5  # points of a side, a pixel apart: fewer are no line


def leans(group: Group, cube: Cube, cubes: Sequence[Cube], rig: Rig, is_one: bool = False) -> bool:
    """Whether ``cube``, one of ``cubes``, may be a tilted one: the picture does not show it to be flat.

    ``is_one``: its direction is that of its edges, not of its pips.
    """
    return any(not evidence.shows_flat for evidence in evidences(group, cube, cubes, rig, is_one))


def evidences(
    group: Group, cube: Cube, cubes: Sequence[Cube], rig: Rig, is_one: bool = False
) -> Iterator[Evidence]:
    """What speaks for the flat cube, against each way in which it may lean."""
    others = [other for other in cubes if other is not cube]
    known = list(supports(cube, others, rig, is_one))
    if not known:
        return
    ways = [tilted(cube, toward, tilt, rig.pose) for toward, tilt, _ in known]
    polygons = [outline(cube, rig.pose), *(way.outline for way in ways)]
    look = _Look.of(group.part_around(polygons, _ROOM), cube, others, rig)
    for way, (_, _, is_by_wall) in zip(ways, known, strict=True):
        yield look.evidence(way, is_by_wall)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """A flat cube in its group: how it is seen, the outlines of it and of the others (255), its colour, where
    its body is seen, how far the picture is off the empty tray in levels, and how steeply that changes.
    """

    group: Group
    flat: Seen
    inside: Image
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
        flat = seen(cube.corners(), rig.pose)
        inside, top = (
            filled(p, shape, group.origin, group.scale) for p in (flat.outline, upper_face(cube, rig.pose))
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
        return cls(group, flat, inside, hidden, colour, body, pips, off, slope * (group.scale / 8))

    def evidence(self, other: Seen, is_by_wall: bool) -> Evidence:
        """What speaks for the flat cube against the tilted one."""
        import cv2

        leaning = filled(other.outline, self.inside.shape, self.group.origin, self.group.scale)
        thin, face = square(3), self.group.face_px  # a pixel from both outlines
        there = cv2.erode(self.inside & ~leaning & ~self.hidden, thin) > 0
        elsewhere = cv2.erode(leaning & ~self.inside & ~self.hidden, thin) > 0
        return Evidence(
            float(there.sum()) / face,
            _share(self.body_and_pips[there]),
            _off_colour(self.group.patch[there], self.colour),
            self._step(self.flat, other),
            float(elsewhere.sum()) / face,
            _share(self.body[elsewhere]),
            _steep(self.slope[elsewhere]),
            self._step(other, self.flat),
            is_by_wall,
        )

    def _step(self, own: Seen, other: Seen) -> float:
        """How much the picture changes, against the empty tray, across those parts of an outline where the
        other cube has no edge: along the side of it where it changes least.
        """
        import cv2

        corners, edges = self.group.to_cut_out(own.outline), self.group.to_cut_out(other.edges)
        hidden = cv2.dilate(self.hidden, square(7))
        least = np.inf
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            line = _points_between(start, end)
            line = line[_distances(line, edges) > _APART * self.group.scale]
            line = line[_is_open(line, hidden)]
            if len(line) < _SHORT_PX:
                continue
            across = np.array([end[1] - start[1], start[0] - end[0]]) / np.hypot(*(end - start))
            maps = (line + _SHIFTS[:, None, None] * across).astype(np.float32)
            levels = cv2.remap(self.off, maps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            profile, width = levels.mean(axis=1), round(2 * _BESIDE / 0.5)
            least = min(least, float(np.abs(profile[width:] - profile[:-width]).max()))
        return least if np.isfinite(least) else np.nan


def _share(mask: Mask) -> float:
    return float(mask.mean()) if len(mask) >= _FEW_PX else np.nan


def _steep(slopes: Floats32) -> float:
    """The slope that few pixels exceed."""
    if len(slopes) < _FEW_PX:
        return np.nan
    return float(np.sort(slopes)[int(_STEEPEST * (len(slopes) - 1))])


def _off_colour(pixels: Image, colour: Floats32) -> float:
    """How far off the pixels are from being that colour in even light, in levels."""
    if len(pixels) < _FEW_PX:
        return np.nan
    own = pixels.astype(np.float32)
    light = np.median((own * colour).sum(axis=1)) / max(float((colour * colour).sum()), 1.0)
    return float(np.median(np.abs(own - light * colour).max(axis=1)))


def _points_between(start: Floats, end: Floats) -> Floats:
    """Points a pixel apart on a line, without its ends."""
    count = max(6, int(np.hypot(*(end - start))))
    at = (np.arange(count) + 0.5) / count
    at = at[(at > _CORNER) & (at < 1 - _CORNER)]
    return np.asarray(start + at[:, None] * (end - start), np.float64)


def _distances(points: Floats, lines: Floats) -> Floats:
    """How far each point (n x 2) is from the nearest of the lines (m x 2 x 2)."""
    along = lines[:, 1] - lines[:, 0]
    off = points[:, None] - lines[None, :, 0]
    at = np.clip((off * along).sum(axis=2) / np.maximum((along * along).sum(axis=1), 1e-9), 0, 1)
    nearest = off - at[..., None] * along
    return np.asarray(np.hypot(nearest[..., 0], nearest[..., 1]).min(axis=1), np.float64)


def _is_open(points: Floats, hidden: Image) -> Mask:
    """Which points are within the picture and nothing hides what is there."""
    xs, ys = np.round(points).astype(int).T
    height, width = hidden.shape
    within = (xs >= 3) & (ys >= 3) & (xs < width - 3) & (ys < height - 3)
    within[within] = hidden[ys[within], xs[within]] == 0
    return np.asarray(within, np.bool_)

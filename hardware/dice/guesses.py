"""The dice that may be in a group: spots like pips, faces that they make, cubes under those faces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.arrange import Arrangement, Guess, arrange
from hardware.dice.blobs import MOST_DIAMETER, Spot, contrast_maps, find_spots, pip_levels
from hardware.dice.camera_pose import through
from hardware.dice.images import shrunk, square
from hardware.dice.patterns import find_faces
from hardware.dice.solids import Cube, corners_px, smoothly_filled
from hardware.dice.turn import turn_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.dice.groups import Group
    from hardware.dice.rig import Rig

    Floats = NDArray[np.float64]
    Floats32 = NDArray[np.float32]
    Image = NDArray[np.uint8]

_FAINT = 0.35  # of the other polarity's level: then it is what lies between pips, and gloss
_REACH = 0.12  # of the edge: pips at the margin of what surely changed
_LEAST_TOP = 0.75  # of an upper face has surely changed; the rest may be as light as the floor
_SOFT_PX = 1.0  # of the picture: the margin of a face, which may be as light as the floor
_COARSE_EDGE_PX = 14.0  # a die as guesses are held against what changed
_IN_FACE = 0.4  # edges from its middle a face is still a face, whichever way it is turned
_EIGHT = np.exp(1j * np.arange(8) * np.pi / 4)


def spots_of(group: Group) -> list[Spot]:
    """The spots in a group that may be pips, dark ones and light ones."""
    import cv2

    where = _hull(group)
    x, y, w, h = cv2.boundingRect(where)
    part = (slice(y, y + h), slice(x, x + w))
    maps = contrast_maps(group.patch[part], group.edge_px) & where[part]
    dark, light = pip_levels(maps, group.edge_px)
    levels = (dark if dark >= _FAINT * light else np.inf, light if light >= _FAINT * dark else np.inf)
    return find_spots(maps, group.edge_px, levels, (x, y))


def _hull(group: Group) -> Image:
    """All that lies between what surely changed: a pip may be as light as the floor, a die has no dents."""
    import cv2

    reach = 2 * round(_REACH * group.edge_px) + 1
    where = cv2.dilate(group.sure, square(reach))
    contours, _ = cv2.findContours(group.sure, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    cv2.fillConvexPoly(where, cv2.convexHull(np.vstack(contours)), 255)
    return np.asarray(where, np.uint8)


def arranged(group: Group, spots: Sequence[Spot], rig: Rig) -> Arrangement:
    """The dice that explain best what surely changed in a group."""
    faces = list(_guesses(group, spots, rig))
    in_faces = {i for face in faces if face.value > 2 for i in face.spots}
    pips = [spot for i, spot in enumerate(spots) if i in in_faces or not spot.is_parted]
    held = _Held(group, pips, rig)
    held.add([guess for guess in faces if guess.value > 1])
    claimed = {spot for guess in held.guesses if len(guess.spots) > 2 for spot in guess.spots}
    held.add(
        [
            replace(guess, cube=replace(guess.cube, yaw=turn_of(group, guess.cube, rig)))
            for guess in faces
            if guess.value == 1 and guess.spots[0] not in claimed
            if _may_be_a_one(group, spots[guess.spots[0]])
        ]
    )
    return arrange(held.guesses, held.tops, held.shapes, held.changed, held.face_px)


class _Held:
    """Guesses held against what surely changed: shares of pixels of a copy in which a die is small."""

    def __init__(self, group: Group, pips: Sequence[Spot], rig: Rig) -> None:
        self._group, self._pose = group, rig.pose
        self._step = max(1, round(group.edge_px / _COARSE_EDGE_PX))
        small = shrunk(_with_pips(group, pips), self._step)
        self._shape = small.shape[:2]
        self.changed = _shares(small.ravel())
        self.face_px = group.face_px / self._step**2
        self._inner = 1 - 2 * _SOFT_PX * group.scale / group.edge_px
        self.guesses: list[Guess] = []
        self.tops: list[Floats32] = []
        self.shapes: list[Floats32] = []

    def add(self, guesses: Sequence[Guess]) -> None:
        """Those whose upper faces have changed."""
        if not guesses:
            return
        px = corners_px([guess.cube for guess in guesses], self._pose)
        middles = px[:, 4:].mean(axis=1, keepdims=True)
        tops = self._drawn(middles + (px[:, 4:] - middles) * self._inner)
        kept = np.flatnonzero(tops @ self.changed > _LEAST_TOP * tops.sum(axis=1)).tolist()
        self.guesses += [guesses[i] for i in kept]
        self.tops += list(tops[kept])
        self.shapes += list(self._drawn(px[kept]))

    def _drawn(self, corners: Floats) -> Floats32:
        group = self._group
        masks = smoothly_filled(corners, self._shape, group.origin, group.scale / self._step)
        return _shares(masks.reshape(len(corners), len(self.changed)))


def _with_pips(group: Group, pips: Sequence[Spot]) -> Image:
    """What surely changed, with the pips in it: one may be as light as the floor, or as dark as a shadow."""
    import cv2

    sure = group.sure.copy()
    for pip in pips:
        centre = (round(pip.x), round(pip.y))
        cv2.circle(sure, centre, int(np.ceil(pip.diameter_px / 2 + group.scale)), 255, -1)
    return sure


def _shares(mask: Image) -> Floats32:
    return np.asarray(mask * np.float32(1 / 255), np.float32)


def _may_be_a_one(group: Group, spot: Spot) -> bool:
    """Whether a spot has as much of what changed around it as the middle of a face; those of side faces
    have not.
    """
    reach = _IN_FACE * group.edge_px
    xs = np.round(spot.x + reach * _EIGHT.real).astype(int)
    ys = np.round(spot.y + reach * _EIGHT.imag).astype(int)
    height, width = group.sure.shape
    inside = (xs >= 0) & (ys >= 0) & (xs < width) & (ys < height)
    return int((group.sure[ys[inside], xs[inside]] > 0).sum()) >= 6


def _guesses(group: Group, spots: Sequence[Spot], rig: Rig) -> Iterator[Guess]:
    """The faces that the dark or the light spots make; a one as yet without its direction."""
    if not spots:
        return
    edge = rig.die_edge_mm
    points = through(rig.on_upper_faces, group.to_picture(np.array([(spot.x, spot.y) for spot in spots])))
    sizes = np.array([spot.diameter_px for spot in spots]) / group.edge_px
    strengths = np.array([spot.contrast if spot.is_dark else -spot.contrast for spot in spots])
    for face in find_faces(points, sizes, strengths, edge):
        if face.value == 1 or sizes[list(face.spots)].max() <= MOST_DIAMETER:
            yield Guess(face.value, Cube(face.x, face.y, face.yaw or 0.0, edge), face.spots, face.sites)

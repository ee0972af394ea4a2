"""Reading dice on a photo of which nothing is known: neither camera nor table nor the size of the dice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.blobs import LEAST_DIAMETER, Spot
from hardware.dice.face_regions import Region, find_pips, find_regions, is_on_small_body, straightened
from hardware.dice.images import square
from hardware.dice.patterns import Face, find_faces, scores
from hardware.dice.reading import Die, Reading, Reason
from hardware.dice.smear import is_smeared

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Image = NDArray[np.uint8]

_WORK_PX = 800  # the longer side of a photo as it is worked on
_LEAST_FIT, _LEAST_LEAD = 0.7, 0.06
# Off the middle of the region, in edges, and turned against it, in degrees; four pips and more correct the
# region, which in a slanted view may hold a part of a side face.
_MOST_OFF, _MOST_OFF_FIT = (0.1, 12.0), (0.18, 20.0)
_MOST_SKEW = 1.25  # of what pips correct: the outline of a rounded die is near to that
_SMEARED = 1.4, 1.9, 0.5  # looser than with a rig: the square that a photo's face is made into is not as true
_BESIDE = 0.45  # of the edge: faces closer together may be of one die (a rounded edge lies between them)
_SUCH = 60.0  # levels between bodies of one set: light and shade
_AS_STRONG = 0.6  # of the faintest pip that was read: what is as clear as that may be a pip too
_NEAR = 1.5  # edges from the middle of an upper face: further than its own side faces
_ONE_SIZE = 2.2  # the most that the edges of two dice may differ, and the pips of what is a die too


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A region with the value that its pips make; ``value`` None where they make none."""

    region: Region
    value: int | None
    fit: float
    smeared: bool
    angle_deg: float
    pips: tuple[int, ...]


def read_photo(image: Image, wanted: int) -> Reading:
    """Read ``wanted`` dice, 1 or 2, on a photo."""
    import cv2

    scale = min(1.0, _WORK_PX / max(image.shape[:2]))
    photo = image if scale == 1 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    photo = np.asarray(photo, np.uint8)
    pips = find_pips(photo)
    faces = _best(
        [face for region in find_regions(photo, pips) if (face := _seen(photo, region, pips)) is not None]
    )
    if not any(face.value for face in faces):
        return Reading(reason=Reason.NO_DICE if not faces else Reason.DISAGREE)
    dice: list[Die] = []
    reason: Reason | None = None
    least = min(face.region.edge_px for face in faces if face.value) / _ONE_SIZE
    for group in _groups(faces):
        if not any(face.value or _may_be_a_face(face, pips, least) for face in group):
            continue
        top, why = _top(group)
        if top is not None and _has_pips_above(top, pips):
            why = Reason.DISAGREE
        reason = reason or why
        if top is not None and top.value is not None:
            dice.append(_die(top, scale))
    reason = reason or _doubt(photo, dice, faces, pips, wanted, scale)
    return Reading(tuple(dice), reason)


def _best(seen: list[Seen]) -> list[Seen]:
    """Of regions that overlap the one that is read best; without a value where two are read differently."""
    kept: list[Seen] = []
    for face in sorted(seen, key=lambda s: (s.value is None, -s.fit * s.region.squareness)):
        over = [k for k in kept if (k.region.mask & face.region.mask).any()]
        if not over:
            kept.append(face)
        elif face.value is not None and any(k.value not in (None, face.value) for k in over):
            kept = [replace(k, value=None) if k in over else k for k in kept]
    return kept


def _seen(photo: Image, region: Region, pips: list[Spot]) -> Seen | None:
    """The value of a region, by the places of its pips and by its looks; None where it holds no pip."""
    own = [i for i, p in enumerate(pips) if p.is_dark == region.is_dark and region.mask[int(p.y), int(p.x)]]
    if not own:
        return None
    points = (np.array([(pips[i].x, pips[i].y) for i in own]) - region.middle) @ region.to_square.T
    sizes = np.array([pips[i].diameter_px for i in own]) / region.edge_px
    strengths = np.array([pips[i].contrast for i in own])
    faces = [f for f in find_faces(points, sizes, strengths, 1.0) if _is_straight(f)]
    best = max(faces, key=lambda f: f.value, default=None)
    if best is None:
        return Seen(region, None, 0.0, False, 0.0, tuple(own))
    spots = [pips[own[i]] for i in best.spots]
    region = _fitted(region, best, points)
    look = straightened(photo, region, _contrast(photo, region, spots))
    fits = scores(look)
    fit = float(fits[best.value - 1])
    agrees = fit >= _LEAST_FIT and np.delete(fits, best.value - 1).max() <= fit - _LEAST_LEAD
    angle = float(np.rad2deg(np.arctan2(*np.linalg.inv(region.to_square)[::-1, 0])) % 90)
    smeared = is_smeared(look, best.value, best.sites, *_SMEARED)
    return Seen(region, best.value if agrees else None, fit, smeared, angle, tuple(own))


def _fitted(region: Region, face: Face, points: Floats) -> Region:
    """The region with its map corrected so that four pips or more come to lie as on a square."""
    if face.value < 4 or face.yaw is None:
        return region
    sites = np.array(face.sites)
    c, s = np.cos(face.yaw), np.sin(face.yaw)
    known = np.hstack([sites @ np.array([[c, s], [-s, c]]), np.ones((len(sites), 1))])
    back, *_ = np.linalg.lstsq(known, points[list(face.spots)], rcond=None)
    straight, shift = np.linalg.inv(back[:2].T), back[2]
    if np.linalg.cond(straight) > _MOST_SKEW:
        return region
    middle = region.middle + np.linalg.inv(region.to_square) @ shift
    return replace(region, to_square=straight @ region.to_square, middle=middle)


def _is_straight(face: Face) -> bool:
    """Whether the pattern sits in the middle of the square and along its sides."""
    off, turn = _MOST_OFF_FIT if face.value > 3 else _MOST_OFF
    if np.hypot(face.x, face.y) > off:
        return False
    if face.yaw is None:
        return True
    return bool(abs((face.yaw + np.pi / 4) % (np.pi / 2) - np.pi / 4) < np.deg2rad(turn))


def _contrast(photo: Image, region: Region, pips: list[Spot]) -> float:
    off = [np.abs(photo[round(p.y), round(p.x)].astype(np.float32) - region.colour).max() for p in pips]
    return max(20.0, float(np.median(off)))


def _may_be_a_face(face: Seen, pips: list[Spot], least_px: float) -> bool:
    """Whether an unread region is as large as a die beside those that were read, and has a clear pip."""
    size = face.region.edge_px
    clear = (not pips[i].is_parted and pips[i].diameter_px > LEAST_DIAMETER * size for i in face.pips)
    return size >= least_px and any(clear)


def _groups(faces: list[Seen]) -> list[list[Seen]]:
    """Faces that lie side by side, as those of one die do."""
    import cv2

    groups: list[list[Seen]] = []
    for face in faces:
        size = 2 * round(_BESIDE * face.region.edge_px) + 1
        wide = cv2.dilate(face.region.mask, square(size))
        near = [g for g in groups if any((wide & other.region.mask).any() for other in g)]
        groups = [g for g in groups if g not in near] + [[face, *(other for g in near for other in g)]]
    return groups


def _top(group: list[Seen]) -> tuple[Seen | None, Reason | None]:
    """The upper face of one die: the one that is highest in the picture, and no smaller than the others."""
    ranked = sorted(group, key=lambda face: face.region.middle[1])
    top, rest = ranked[0], ranked[1:]
    if any(other.region.middle[1] - top.region.middle[1] < 0.45 * top.region.edge_px for other in rest):
        return None, Reason.TOUCHING_AMBIGUOUS
    if any(other.region.area > 0.95 * top.region.area for other in rest):
        return None, Reason.TOUCHING_AMBIGUOUS
    if top.value is None:
        return None, Reason.DISAGREE
    return top, Reason.MOVING if top.smeared else None


def _has_pips_above(top: Seen, pips: list[Spot]) -> bool:
    """Whether pips of the same die are seen above what was taken for its upper face: then that is a side
    face.
    """
    sizes = [pips[i].diameter_px for i in top.pips if not pips[i].is_parted]
    if not sizes:
        return True
    size, edge, middle = float(np.median(sizes)), top.region.edge_px, top.region.middle
    return any(
        pip.is_dark == top.region.is_dark
        and not pip.is_parted
        and 0.35 * size < pip.diameter_px < 1.6 * size
        and pip.y < middle[1] - 0.3 * edge
        and np.hypot(pip.x - middle[0], pip.y - middle[1]) < 1.3 * edge
        and not top.region.mask[int(pip.y), int(pip.x)]
        for pip in pips
    )


def _die(face: Seen, scale: float) -> Die:
    x, y = ((float(v) + 0.5) / scale - 0.5 for v in face.region.middle)
    step = max(1, len(face.region.contour) // 40)
    outline = tuple((float(a) / scale, float(b) / scale) for a, b in face.region.contour[::step])
    return Die(face.value or 0, (x, y), face.angle_deg, face.region.edge_px / scale, face.fit, outline)


def _doubt(
    photo: Image, dice: list[Die], faces: list[Seen], pips: list[Spot], wanted: int, scale: float
) -> Reason | None:
    if len(dice) != wanted:
        return {0: Reason.NO_DICE, 1: Reason.ONE_DIE, 2: Reason.TWO_DICE}.get(len(dice), Reason.MORE_THAN_TWO)
    edges = [die.edge for die in dice]
    if max(edges) > _ONE_SIZE * min(edges):
        return Reason.DISAGREE
    return Reason.OCCLUDED if _left_over(photo, dice, faces, pips, scale) else None


def _left_over(photo: Image, dice: list[Die], faces: list[Seen], pips: list[Spot], scale: float) -> bool:
    """Whether there are pips that belong to none of the dice: a die that was not made out."""
    import cv2

    smooth = np.asarray(cv2.medianBlur(photo, 3), np.uint8)
    own = [pips[i] for face in faces if face.value for i in face.pips if not pips[i].is_parted]
    if not own:
        return True
    sizes = [pip.diameter_px for pip in own]
    least, most = min(sizes) / _ONE_SIZE, max(sizes) * 1.3
    faint = _AS_STRONG * min(pip.contrast for pip in own)
    left: list[Spot] = []
    for pip in pips:
        near = min(
            np.hypot(pip.x - d.centre[0] * scale, pip.y - d.centre[1] * scale) / (d.edge * scale)
            for d in dice
        )
        if near > _NEAR and least < pip.diameter_px < most and pip.elongation < 1.5 and not pip.is_parted:
            if is_on_small_body(smooth, pip):
                return True
            left += [pip] if pip.contrast > faint and _is_on_such_a_body(smooth, pip, faces) else []
    return any(
        np.hypot(one.x - other.x, one.y - other.y) < 6 * one.diameter_px
        and one.diameter_px < 1.5 * other.diameter_px
        for one in left
        for other in left
        if one is not other and one.is_dark == other.is_dark and other.diameter_px < 1.5 * one.diameter_px
    )


def _is_on_such_a_body(photo: Image, pip: Spot, faces: list[Seen]) -> bool:
    """Whether the colour around a pip is that of a die that was read."""
    height, width = photo.shape[:2]
    angles = np.arange(12) * (np.pi / 6)
    xs = np.clip(np.round(pip.x + 0.8 * pip.diameter_px * np.cos(angles)).astype(int), 0, width - 1)
    ys = np.clip(np.round(pip.y + 0.8 * pip.diameter_px * np.sin(angles)).astype(int), 0, height - 1)
    colour = np.median(photo[ys, xs].astype(np.float32), axis=0)
    return any(np.abs(face.region.colour - colour).max() < _SUCH for face in faces if face.value)

"""Reading dice with a rig: what differs from the empty tray must be whole cubes on its floor, and nothing
else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.arrange import Arrangement, Guess, arrange
from hardware.dice.blobs import MOST_DIAMETER, Spot, contrast_maps, find_spots
from hardware.dice.camera_pose import through
from hardware.dice.difference import light_on
from hardware.dice.flatness import leans
from hardware.dice.groups import Group, Scene, edge_at_mm, find_groups
from hardware.dice.images import strongest
from hardware.dice.leftover import has_bright_spots, has_hidden_pips
from hardware.dice.patterns import find_faces
from hardware.dice.reading import Reading, Reason
from hardware.dice.solids import Cube, filled, outline, silhouette
from hardware.dice.verify import Evidence, doubt, is_off_floor

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.dice.rig import Rig

    Floats = NDArray[np.float64]
    Image = NDArray[np.uint8]

# How dark a shadow may be against the lit floor, in levels (gamma 2.2: 0.35 is a tenth of the light).  A dark
# die may be lighter than the darkest shadow elsewhere, so each is tried: the right one leaves cubes and
# nothing else.
_DARKEST_SHADOWS = (0.12, 0.3, 0.45, 0.6)
_BOUNCE = 40  # levels that light thrown back by a white die adds to a dark wall beside it
# How far a channel may be off in a shadow, in levels and as a share of what is seen: the sky is bluer than a
# lamp, JPEG smears colour over 8 pixels.
_TINT, _TINT_SHARE = 5.0, 0.15
_REACH = 0.12  # of the edge: pips at the margin of what surely changed
_LEAST_TOP = 0.75  # of an upper face has surely changed; the rest may be as light as the floor
_TURNS = np.deg2rad(np.arange(0, 90, 6))
_IN_FACE = 0.4  # edges from its middle a face is still a face, whichever way it is turned
_EIGHT_X, _EIGHT_Y = np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)
_FINE_TURNS = np.deg2rad(np.arange(-6, 7, 1.5))


def read_tray(image: Image, rig: Rig, wanted: int) -> Reading:
    """Read ``wanted`` dice, 1 or 2, in the tray of ``rig``."""
    import cv2

    if (image.shape[1], image.shape[0]) != rig.image_size:
        return Reading(reason=Reason.CAMERA_MOVED)
    smooth = np.asarray(cv2.GaussianBlur(image, (3, 3), 0), np.uint8)
    background = rig.background
    expected = background.expected(smooth)
    changed = background.changed(smooth, expected) & background.near
    x, y, w, h = cv2.boundingRect(changed)
    if w == 0:
        return Reading(reason=Reason.NO_DICE)
    margin = round(edge_at_mm(rig, 0.0, 0.0))
    x0, y0 = max(x - margin, 0), max(y - margin, 0)
    part = (slice(y0, y + h + margin), slice(x0, x + w + margin))
    image, smooth, expected, changed = image[part], smooth[part], expected[part], changed[part]
    light, off = light_on(smooth, expected)
    same = (off < _TINT + _TINT_SHARE * strongest(smooth)) & (changed > 0)
    lit = same & (light >= 1) & (strongest(cv2.subtract(smooth, expected)) < _BOUNCE)
    first: Reading | None = None
    for darkest in _DARKEST_SHADOWS:
        shadow = same & (light < 1) & (light > darkest)
        sure = changed.copy()
        sure[shadow | lit] = 0
        reading, is_whole = _read_scene(Scene((x0, y0), image, expected, sure, changed, rig), wanted)
        first = first or reading
        if is_whole:
            return reading
    assert first is not None
    return first


def _read_scene(scene: Scene, wanted: int) -> tuple[Reading, bool]:
    """The reading, and whether it stands: whole dice explain all that surely changed, so that no other
    need be tried.
    """
    dice: list[Evidence] = []
    reason: Reason | None = None
    for group in find_groups(scene):
        if isinstance(group, Reason):
            reason = reason or group
            continue
        spots = _spots(group)
        arrangement = _arrange(group, spots, scene.rig)
        found, why = doubt(group, arrangement, spots, scene.rig)
        dice += found
        reason = reason or why
    read = tuple(one.die for one in dice)
    reason = reason or _wrong_number(len(dice), wanted)
    if reason is None and any(is_off_floor(one.cube, scene.rig) for one in dice):
        reason = Reason.ON_RIM
    if reason is not None:
        return Reading(read, reason), False
    cubes = [one.cube for one in dice]
    if any(leans(one.group, one.cube, cubes, scene.rig) for one in dice):
        reason = Reason.COCKED
    elif has_hidden_pips(scene, cubes) or (
        not all(one.is_dark for one in dice) and has_bright_spots(scene, cubes)
    ):
        reason = Reason.OCCLUDED
    return Reading(read, reason), True


def _wrong_number(count: int, wanted: int) -> Reason | None:
    if count == wanted:
        return None
    return {0: Reason.NO_DICE, 1: Reason.ONE_DIE, 2: Reason.TWO_DICE}.get(count, Reason.MORE_THAN_TWO)


def _spots(group: Group) -> list[Spot]:
    where = _hull(group)
    dark, light = contrast_maps(group.patch, group.edge_px)
    return [
        spot
        for contrast, is_dark in ((dark, True), (light, False))
        for spot in find_spots(contrast, where, group.edge_px, is_dark)
    ]


def _hull(group: Group) -> Image:
    """All that lies between what surely changed: a pip may be as light as the floor, a die has no dents."""
    import cv2

    reach = 2 * round(_REACH * group.edge_px) + 1
    where = cv2.dilate(group.sure, np.ones((reach, reach), np.uint8))
    contours, _ = cv2.findContours(group.sure, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    cv2.fillConvexPoly(where, cv2.convexHull(np.vstack(contours)), 255)
    return np.asarray(where, np.uint8)


def _arrange(group: Group, spots: list[Spot], rig: Rig) -> Arrangement:
    guesses = [guess for is_dark in (True, False) for guess in _guesses(group, spots, rig, is_dark)]
    step = 2 if group.edge_px > 24 else 1
    mask = (group.sure[::step, ::step] > 0).ravel()
    kept, tops, shapes = [], [], []
    claimed: set[int] = set()
    for guess in sorted(guesses, key=lambda guess: -guess.value):
        if guess.value == 1 and (
            guess.spots[0] in claimed or not _may_be_a_one(group, spots[guess.spots[0]])
        ):
            continue
        whole, upper = silhouette(guess.cube, rig.pose)
        top = _drawn(group, upper, step)
        if mask[top].mean() > _LEAST_TOP:
            kept.append(guess)
            tops.append(top)
            shapes.append(_drawn(group, whole, step))
            claimed.update(guess.spots if len(guess.spots) > 2 else ())
    found = arrange(kept, tops, shapes, mask, group.face_px / step**2)
    return replace(found, guesses=tuple(_turned(group, guess, found.guesses, rig) for guess in found.guesses))


def _may_be_a_one(group: Group, spot: Spot) -> bool:
    """Whether a spot has as much of what changed around it as the middle of a face; those of side faces
    have not.
    """
    reach = _IN_FACE * group.edge_px
    xs = np.round(spot.x + reach * _EIGHT_X).astype(int)
    ys = np.round(spot.y + reach * _EIGHT_Y).astype(int)
    height, width = group.sure.shape
    inside = (xs >= 0) & (ys >= 0) & (xs < width) & (ys < height)
    return int((group.sure[ys[inside], xs[inside]] > 0).sum()) >= 6


def _turned(group: Group, guess: Guess, all_of_them: Sequence[Guess], rig: Rig) -> Guess:
    """A one has no direction of its own: it is turned as fits the outline best."""
    if guess.value > 1:
        return guess
    height, width = group.sure.shape
    others = np.zeros((height, width), np.uint8)
    for other in all_of_them:
        if other is not guess:
            others |= filled(outline(other.cube, rig.pose), (height, width), group.origin, group.scale)
    changed = (group.sure & ~others) > 0
    best = guess
    least = np.inf
    for turn in _FINE_TURNS:
        cube = replace(guess.cube, yaw=guess.cube.yaw + float(turn))
        whole, top = (
            filled(p, (height, width), group.origin, group.scale) > 0 for p in silhouette(cube, rig.pose)
        )
        cost = int((changed & ~whole).sum()) + int((top & ~changed & (others == 0)).sum())
        if cost < least:
            best, least = replace(guess, cube=cube), cost
    return best


def _drawn(group: Group, polygon: Floats, step: int) -> NDArray[np.bool_]:
    mask = filled(polygon, group.sure.shape[:2], group.origin, group.scale)
    return np.asarray(mask[::step, ::step].ravel() > 0)


def _guesses(group: Group, spots: list[Spot], rig: Rig, is_dark: bool) -> list[Guess]:
    edge = rig.die_edge_mm
    used = [i for i, spot in enumerate(spots) if spot.is_dark == is_dark]
    if not used:
        return []
    px = np.array([(spots[i].x, spots[i].y) for i in used])
    points = through(rig.pose.from_plane(edge), group.to_picture(px))
    sizes = np.array([spots[i].diameter_px for i in used]) / group.edge_px
    guesses = []
    strengths = np.array([spots[i].contrast for i in used])
    for face in find_faces(points, sizes, strengths, edge):
        if face.value > 1 and sizes[list(face.spots)].max() > MOST_DIAMETER:
            continue
        claimed = tuple(used[i] for i in face.spots)
        yaws = _TURNS if face.yaw is None else (face.yaw,)
        guesses += [
            Guess(face.value, Cube(face.x, face.y, float(yaw), edge), claimed, face.sites) for yaw in yaws
        ]
    return guesses

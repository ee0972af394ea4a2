"""Reading dice with a rig: what differs from the empty tray must be whole cubes on its floor, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.arrange import Arrangement, Guess, arrange
from hardware.dice.blobs import MOST_DIAMETER, Spot, contrast_maps, find_spots
from hardware.dice.camera_pose import through
from hardware.dice.difference import light_on
from hardware.dice.images import strongest
from hardware.dice.leftover import has_bright_spots, has_hidden_pips
from hardware.dice.patterns import find_faces
from hardware.dice.reading import Reading, Reason
from hardware.dice.solids import Cube, filled, outline, silhouette
from hardware.dice.tilt import leans
from hardware.dice.verify import Evidence, doubt, is_off_floor

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.dice.rig import Rig

    Floats = NDArray[np.float64]
    Image = NDArray[np.uint8]

# How dark a shadow may be against the lit floor, in levels (gamma 2.2: 0.35 is a tenth of the light).  A dark die
# may be lighter than the darkest shadow elsewhere, so each is tried: the right one leaves cubes and nothing else.
_DARKEST_SHADOWS = (0.12, 0.3, 0.45, 0.6)
_BOUNCE = 40  # levels that light thrown back by a white die adds to a dark wall beside it
# How far a channel may be off in a shadow, in levels and as a share of what is seen: the sky is bluer than a lamp, JPEG
# smears colour over 8 pixels.
_TINT, _TINT_SHARE = 5.0, 0.15
_SMALL = 0.12  # of an upper face: less than that is no die, nor a part of one that matters
_JOIN = 0.22  # of the edge: what is closer together is looked at together
_LARGEST_HOLE = 0.17  # upper faces: the largest pip
_LARGEST = 6.0  # upper faces: more than the outlines of two dice, each with two side faces in view
_FINE_EDGE_PX = 30.0  # below this the picture is enlarged, so that a pip is more than four pixels wide
_LEAST_TOP = 0.75  # of an upper face has surely changed; the rest may be as light as the floor
_TURNS = np.deg2rad(np.arange(0, 90, 6))
_IN_FACE = 0.4  # edges from its middle a face is still a face, whichever way it is turned
_EIGHT_X, _EIGHT_Y = np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)
_FINE_TURNS = np.deg2rad(np.arange(-6, 7, 1.5))


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture, the empty tray in the same light, and where (255) they surely differ, or at all.

    All cut to where anything changed; ``origin`` is the first pixel in the picture.
    """

    origin: tuple[int, int]
    image: Image
    expected: Image
    sure: Image
    changed: Image
    rig: Rig


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A part of the scene with changes close together: origin in the picture, scale, and cut-outs at that scale."""

    origin: tuple[int, int]
    scale: float
    patch: Image
    expected: Image  # the empty tray in the same light
    sure: Image
    edge_px: float  # in the cut-out

    @property
    def face_px(self) -> float:
        """The area of an upper face, in pixels of the cut-out."""
        return self.edge_px**2

    def to_picture(self, points: Floats) -> Floats:
        """Points of the cut-out as points of the picture."""
        return (points + 0.5) / self.scale - 0.5 + np.array(self.origin)


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
    margin = round(_edge_px(rig, 0.0, 0.0))
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
    """The reading, and whether it stands: whole dice explain all that surely changed, so that no other need be tried."""
    dice: list[Evidence] = []
    reason: Reason | None = None
    for group in _groups(scene):
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


def _groups(scene: Scene) -> list[Group | Reason]:
    """What surely changed, in groups; a reason for each that is too large for dice."""
    import cv2

    rig = scene.rig
    middle = _edge_px(rig, 0.0, 0.0)
    opened = cv2.morphologyEx(scene.sure, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    reach = max(3, round(_JOIN * middle)) | 1
    joined = cv2.dilate(opened, np.ones((reach, reach), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    groups: list[Group | Reason] = []
    for label in range(1, len(stats)):
        x, y, w, h = (int(v) for v in stats[label][:4])
        inside = (slice(y, y + h), slice(x, x + w))
        own = labels[inside] == label
        area = int((opened[inside][own] > 0).sum())
        edge = _edge_at(rig, scene.origin[0] + x + w / 2, scene.origin[1] + y + h / 2)
        if area < _SMALL * edge**2:
            continue
        if area > _LARGEST * edge**2 or max(w, h) > 5.5 * edge:
            groups.append(Reason.OCCLUDED)
            continue
        groups.append(_cut_out(scene, labels == label, (x, y, w, h), edge))
    return groups


def _cut_out(scene: Scene, own: NDArray[np.bool_], box: tuple[int, int, int, int], edge: float) -> Group:
    import cv2

    x, y, w, h = box
    margin = round(edge * 0.6)
    height, width = scene.sure.shape
    x0, y0 = max(x - margin, 0), max(y - margin, 0)
    x1, y1 = min(x + w + margin, width), min(y + h + margin, height)
    part = (slice(y0, y1), slice(x0, x1))
    sure = np.where(own[part], scene.sure[part], 0).astype(np.uint8)
    sure = _without_holes(sure, _LARGEST_HOLE * edge**2)
    patch, expected = scene.image[part], scene.expected[part]
    scale = 2.0 if edge < _FINE_EDGE_PX else 1.0
    if scale > 1:
        size = (int(patch.shape[1] * scale), int(patch.shape[0] * scale))
        patch = np.asarray(cv2.resize(patch, size, interpolation=cv2.INTER_CUBIC), np.uint8)
        expected = np.asarray(cv2.resize(expected, size, interpolation=cv2.INTER_LINEAR), np.uint8)
        sure = np.where(cv2.resize(sure, size, interpolation=cv2.INTER_LINEAR) > 127, 255, 0).astype(np.uint8)
    return Group((scene.origin[0] + x0, scene.origin[1] + y0), scale, patch, expected, sure, edge * scale)


def _without_holes(mask: Image, largest: float) -> Image:
    """The mask with its small holes filled: a dark pip may be no darker than a shadow."""
    import cv2

    _, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.bitwise_not(mask), connectivity=4)
    small = stats[:, cv2.CC_STAT_AREA] <= largest
    height, width = mask.shape
    left, top = stats[:, cv2.CC_STAT_LEFT], stats[:, cv2.CC_STAT_TOP]
    open_edge = (left == 0) | (top == 0)
    open_edge |= (left + stats[:, cv2.CC_STAT_WIDTH] == width) | (top + stats[:, cv2.CC_STAT_HEIGHT] == height)
    holes = small & ~open_edge
    holes[0] = False
    return np.where(holes[labels], 255, mask).astype(np.uint8)


def _edge_px(rig: Rig, x: float, y: float) -> float:
    """The length in pixels of a die's edge at that place of the floor, on its upper face."""
    pose, half = rig.pose, rig.die_edge_mm / 2
    ends = np.array([[x - half, y, 2 * half], [x + half, y, 2 * half], [x, y - half, 2 * half], [x, y + half, 2 * half]])
    px = pose.project(ends)
    return float(np.sqrt(np.hypot(*(px[1] - px[0])) * np.hypot(*(px[3] - px[2]))))


def _edge_at(rig: Rig, px: float, py: float) -> float:
    back = np.linalg.inv(rig.pose.plane(rig.die_edge_mm))
    x, y = through(back, np.array([[px, py]]))[0]
    return _edge_px(rig, float(x), float(y))


def _spots(group: Group) -> list[Spot]:
    import cv2

    size = max(3, round(group.edge_px * 0.12)) | 1
    where = cv2.morphologyEx(group.sure, cv2.MORPH_CLOSE, np.ones((size * 2 + 1, size * 2 + 1), np.uint8))
    dark, light = contrast_maps(group.patch, group.edge_px)
    return [
        spot
        for contrast, is_dark in ((dark, True), (light, False))
        for spot in find_spots(contrast, np.asarray(where, np.uint8), group.edge_px, is_dark)
    ]


def _arrange(group: Group, spots: list[Spot], rig: Rig) -> Arrangement:
    guesses = [guess for is_dark in (True, False) for guess in _guesses(group, spots, rig, is_dark)]
    step = 2 if group.edge_px > 24 else 1
    mask = (group.sure[::step, ::step] > 0).ravel()
    kept, tops, shapes = [], [], []
    claimed: set[int] = set()
    for guess in sorted(guesses, key=lambda guess: -guess.value):
        if guess.value == 1 and (guess.spots[0] in claimed or not _may_be_a_one(group, spots[guess.spots[0]])):
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
    """Whether a spot has as much of what changed around it as the middle of a face; those of side faces have not."""
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
    others = np.zeros(group.sure.shape[:2], np.uint8)
    for other in all_of_them:
        if other is not guess:
            others |= filled(outline(other.cube, rig.pose), others.shape, group.origin, group.scale)
    changed = (group.sure & ~others) > 0
    best = guess
    least = np.inf
    for turn in _FINE_TURNS:
        cube = replace(guess.cube, yaw=guess.cube.yaw + float(turn))
        whole, top = (filled(p, others.shape, group.origin, group.scale) > 0 for p in silhouette(cube, rig.pose))
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
    points = through(np.linalg.inv(rig.pose.plane(edge)), group.to_picture(px))
    sizes = np.array([spots[i].diameter_px for i in used]) / group.edge_px
    guesses = []
    strengths = np.array([spots[i].contrast for i in used])
    for face in find_faces(points, sizes, strengths, edge):
        if face.value > 1 and sizes[list(face.spots)].max() > MOST_DIAMETER:
            continue
        claimed = tuple(used[i] for i in face.spots)
        yaws = _TURNS if face.yaw is None else (face.yaw,)
        guesses += [Guess(face.value, Cube(face.x, face.y, float(yaw), edge), claimed, face.sites) for yaw in yaws]
    return guesses


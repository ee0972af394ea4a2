"""Whether a die that could lean on something does: a cocked die must be thrown again.

A cube stays tilted only where something holds it: a wall, or another die, that one of its lower edges leans
against.  Its upper face then looks just like that of a flat die a little away from the support, and how far
away tells how steep it would have to be.  So for each die that is close to a support there are two solids
to choose from, and where their outlines differ the picture must show the flat one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.solids import Cube, filled, outline, upper_face

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.dice.camera_pose import Pose
    from hardware.dice.groups import Group
    from hardware.dice.rig import Rig

    Floats = NDArray[np.float64]
    Floats32 = NDArray[np.float32]
    Mask = NDArray[np.bool_]

_TILTS = np.deg2rad(np.arange(1.0, 46.0))
_LEAST_TILT, _MOST_TILT = (
    np.deg2rad(7.0),
    np.deg2rad(44.0),
)  # flatter looks flat; at 45 another face would be up
_ALIGNED = np.deg2rad(10.0)  # the raised edge lies along the wall: on one corner the die would turn and fall
_REACH_MM = 1.5  # how far the place of a die may be wrong
_SMALL = 0.02  # of an upper face: less than that decides nothing
_MOSTLY = 0.5
# Levels across four pixels where a side face meets the floor; and as a share of how far the die and the floor
# differ.
_LEAST_STEP, _SHARE_OF_STEP = 14.0, 0.3
_SMOOTH = 8.0  # levels a pixel: a soft shadow's edge; pips and edges have 20 and more
_PLAIN = 10.0  # levels: as light as the empty floor, but for noise
_TELLING = np.deg2rad(5.0)  # between two colours: less may be the tint of the light
_DARKEST_SIDE = (
    0.3  # a side face in the shade, in levels against the upper face: at gamma 2.2 a 14th of the light
)


def leans(group: Group, cube: Cube, cubes: Sequence[Cube], rig: Rig) -> bool:
    """Whether ``cube``, one of ``cubes``, may be a tilted one: the picture does not show it to be flat."""
    others = [other for other in cubes if other is not cube]
    return any(
        not _looks_flat(group, cube, others, toward, tilt, rig)
        for toward, tilt in _supports(cube, others, rig)
    )


def _supports(cube: Cube, others: Sequence[Cube], rig: Rig) -> Iterator[tuple[float, float]]:
    """Directions, as angles in the tray, in which the cube may lean, and the tilt that this would take."""
    corners = cube.footprint()
    x, y = rig.floor_mm[0] / 2, rig.floor_mm[1] / 2
    for quarter, wall in ((0, x), (1, y), (2, x), (3, y)):
        direction = quarter * np.pi / 2
        off = (direction - cube.yaw + np.pi / 4) % (np.pi / 2) - np.pi / 4
        gap = wall - float((corners @ _unit(direction)).max())
        if abs(off) < _ALIGNED:
            yield from ((direction - off, tilt) for tilt in _tilts_for(gap, cube.edge))
    for other in others:
        for quarter in range(4):
            direction = cube.yaw + quarter * np.pi / 2
            ahead = _gap(cube, other, direction)
            if ahead is not None:
                yield from ((direction, tilt) for tilt in _tilts_for(ahead, cube.edge))


def _gap(cube: Cube, other: Cube, direction: float) -> float | None:
    """How far the other cube is in front of that side of the cube; None where it is not in front of it."""
    ahead, aside = _unit(direction), _unit(direction + np.pi / 2)
    local = other.footprint() - (cube.x, cube.y)
    along, across = local @ ahead, local @ aside
    if across.min() > cube.edge / 2 or across.max() < -cube.edge / 2 or along.mean() <= 0:
        return None
    return float(along.min()) - cube.edge / 2


def _tilts_for(gap: float, edge: float) -> Iterator[float]:
    """The tilts at which a lower edge, raised, would touch a support so far in front of the flat cube's side.

    A tilted die stands higher than a flat one and so looks further out: the gap may be more than it seems.
    """
    reaches = edge * np.sin(_TILTS) - edge / 2 * (1 - np.cos(_TILTS))
    for more in (0.0, edge / 16, edge / 16 + 0.6 * max(gap, 0.0)):
        if reaches[0] - _REACH_MM < gap + more < reaches.max() + _REACH_MM:
            tilt = float(_TILTS[int(np.abs(reaches - gap - more).argmin())])
            if _LEAST_TILT <= tilt <= _MOST_TILT:
                yield tilt


def tilted_outline(cube: Cube, toward: float, tilt: float, pose: Pose) -> Floats:
    """The outline in pixels of a cube whose side ``toward`` is raised by ``tilt``, its upper face where it
    is seen.

    It stands on its far lower edge; the middle of its upper face is on the line of sight to that of ``cube``.
    """
    import cv2

    half = cube.edge / 2
    ahead = np.array([*_unit(toward), 0.0])
    aside = np.array([*_unit(toward + np.pi / 2), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    # raising the side in front turns the upper face to the back
    normal = np.cos(tilt) * up - np.sin(tilt) * ahead
    front = np.cos(tilt) * ahead + np.sin(tilt) * up
    height = half * (np.cos(tilt) + np.sin(tilt))
    middle = np.array([0.0, 0.0, height]) + half * normal
    eye = -pose.r.T @ pose.t
    seen = np.array([cube.x, cube.y, cube.edge])
    at = eye + (seen - eye) * (eye[2] - middle[2]) / (eye[2] - seen[2])
    centre = at - half * normal
    corners = np.array(
        [
            centre + half * (i * front + j * aside + k * normal)
            for i in (-1, 1)
            for j in (-1, 1)
            for k in (-1, 1)
        ]
    )
    hull = cv2.convexHull(pose.project(corners).astype(np.float32))
    return np.asarray(hull[:, 0, :], np.float64)


def _looks_flat(
    group: Group, cube: Cube, others: Sequence[Cube], toward: float, tilt: float, rig: Rig
) -> bool:
    """Whether the picture shows the flat cube, where it and the tilted one differ."""
    flat, leaning = _masks(group, cube, others, tilted_outline(cube, toward, tilt, rig.pose), rig)
    small = _SMALL * group.face_px
    if max(flat.sum(), leaning.sum()) <= small:
        return False  # nothing to tell them by
    body = body_mask(group, cube, rig)
    if leaning.sum() > small and (
        _plain(group, leaning).mean() >= _MOSTLY
        or (body[leaning].mean() < 0.1 and _is_smooth(group, leaning))
    ):
        return True
    if leaning.sum() > small and body[leaning].mean() >= _MOSTLY:
        return False
    if flat.sum() <= small:
        return True
    if _with_pips(body, group.edge_px)[flat].mean() >= _MOSTLY:
        return True
    return not _is_bare(group, cube, flat, rig) and _has_lower_edge(group, cube, toward, rig)


def _masks(group: Group, cube: Cube, others: Sequence[Cube], tilted: Floats, rig: Rig) -> tuple[Mask, Mask]:
    """Where only the flat cube would be seen, and where only the tilted one, a pixel from both outlines."""
    import cv2

    shape = group.sure.shape[:2]
    flat = filled(outline(cube, rig.pose), shape, group.origin, group.scale)
    leaning = filled(tilted, shape, group.origin, group.scale)
    hidden = np.zeros(shape, np.uint8)
    for other in others:
        hidden |= filled(outline(other, rig.pose), shape, group.origin, group.scale)
    thin = np.ones((3, 3), np.uint8)
    return cv2.erode(flat & ~leaning & ~hidden, thin) > 0, cv2.erode(leaning & ~flat & ~hidden, thin) > 0


def _is_bare(group: Group, cube: Cube, where: Mask, rig: Rig) -> bool:
    """Whether there is plain floor, or the black below a raised die, where the flat cube's side face would
    be.
    """
    seen = group.patch[where].astype(np.float32).mean(axis=1)
    floor = group.expected[where].astype(np.float32).mean(axis=1)
    level = float(_colour(group, cube, rig).mean())
    plain = _plain(group, where)
    black = seen < _DARKEST_SIDE * level
    return bool(plain.mean() >= _MOSTLY or (black.mean() >= _MOSTLY and floor.mean() > _DARKEST_SIDE * level))


def _plain(group: Group, where: Mask) -> Mask:
    """Which of the pixels there are as light as the empty floor."""
    off = group.patch[where].astype(np.float32).mean(axis=1) - group.expected[where].astype(np.float32).mean(
        axis=1
    )
    return np.asarray(np.abs(off) < _PLAIN, np.bool_)


def _is_smooth(group: Group, where: Mask) -> bool:
    """Whether there is nothing but light and shadow: the raised side of a die would show pips and an edge."""
    import cv2

    off = (group.patch.astype(np.float32) - group.expected.astype(np.float32)).mean(axis=2)
    slope = np.hypot(cv2.Sobel(off, cv2.CV_32F, 1, 0), cv2.Sobel(off, cv2.CV_32F, 0, 1)) * (group.scale / 8)
    return float(np.percentile(slope[where], 90)) < _SMOOTH


def _has_lower_edge(group: Group, cube: Cube, toward: float, rig: Rig) -> bool:
    """Whether there is a sharp step where the far side of the flat cube would stand on the floor.

    A side face in the shade may be as light as the floor, and a shadow may end anywhere, but softly.
    """
    body = _colour(group, cube, rig)
    floor = np.median(group.expected.reshape(-1, 3), axis=0)
    least = max(_LEAST_STEP, _SHARE_OF_STEP * float(np.abs(body - floor).max()))
    return step_at_lower_edge(group, cube, toward, rig) >= least


def _colour(group: Group, cube: Cube, rig: Rig) -> Floats32:
    """The colour of the upper face between its pips."""
    top = filled(upper_face(cube, rig.pose), group.sure.shape[:2], group.origin, group.scale) > 0
    return np.asarray(np.median(group.patch[top], axis=0), np.float32)


def step_at_lower_edge(group: Group, cube: Cube, toward: float, rig: Rig) -> float:
    """How much the picture changes across that edge, in levels: the mean along it, at the best of five
    places.
    """
    import cv2

    half = cube.edge / 2
    back, aside = -_unit(toward), _unit(toward + np.pi / 2)
    share = np.linspace(-0.8, 0.8, 24)[:, None]
    foot = np.hstack([(cube.x, cube.y) + half * back + share * half * aside, np.zeros((24, 1))])
    beyond = foot + np.array([*back, 0.0])
    start, end = (rig.pose.project(points) for points in (foot, beyond))
    along = (end - start) / np.maximum(np.hypot(*(end - start).T), 1e-6)[:, None]
    off = group.patch.astype(np.float32) - group.expected.astype(np.float32)
    at = (start - np.array(group.origin) + 0.5) * group.scale - 0.5
    places = np.arange(-4, 5)[:, None, None] * along[None] + at[None]
    maps = places.astype(np.float32)
    seen = cv2.remap(off, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    profile = seen.mean(axis=1)
    steps = np.abs(profile[4:] - profile[:-4]).max(axis=1)  # across four pixels, at -2..2 from the edge
    return float(steps.max())


def body_mask(group: Group, cube: Cube, rig: Rig) -> Mask:
    """Where the cut-out looks like a face of this die, lit or in the shade, and not like the floor, lit or
    in shadow.
    """
    image, floor = group.patch.astype(np.float32), group.expected.astype(np.float32)
    colour = _colour(group, cube, rig)
    off_body, share = _off_line(image, colour)
    off_floor, light = _off_line(image, floor)
    angle = np.arccos(np.clip((floor @ colour) / (_norm(floor) * np.linalg.norm(colour) + 1e-6), -1, 1))
    telling = angle > _TELLING
    lighter = _norm(floor) < np.linalg.norm(colour)
    by_colour = (off_body < off_floor) & (share > _DARKEST_SIDE)
    by_level = np.where(lighter, (light > 1.1) & (share > _DARKEST_SIDE), (share < 1.1) & (light < 0.5))
    return np.asarray(np.where(telling, by_colour, by_level), np.bool_)


def _with_pips(body: Mask, edge_px: float) -> Mask:
    """The same with the pips of side faces, which are holes in it."""
    import cv2

    size = max(3, round(edge_px * 0.2)) | 1
    return np.asarray(
        cv2.morphologyEx(body.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((size, size), np.uint8)) > 0
    )


def _off_line(image: Floats32, colour: Floats32) -> tuple[Floats32, Floats32]:
    """How far each pixel is from being that colour in weaker or stronger light, and how strong the light
    is.
    """
    share = (image * colour).sum(axis=2) / np.maximum((colour * colour).sum(axis=-1), 1.0)
    return _norm(image - share[..., None] * colour), share


def _norm(image: Floats32) -> Floats32:
    return np.asarray(np.sqrt((image * image).sum(axis=-1)), np.float32)


def _unit(angle: float) -> Floats:
    return np.array([np.cos(angle), np.sin(angle)])

"""Dice that lean: in which ways a die could, next to a wall or another die, and what it would look like.

A cube stays tilted only where something holds it: a wall, or another die, that one of its lower edges leans
against.  Its upper face then looks just like that of a flat die a little away from the support, and how far
away tells how steep it would have to be.  So for each die that is close to a support there are two solids
to choose from: :mod:`hardware.dice.flatness` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.solids import Cube, Seen, seen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.dice.camera_pose import Pose
    from hardware.dice.rig import Rig

    Floats = NDArray[np.float64]

_TILTS = np.deg2rad(np.arange(1.0, 46.0))
# Flatter looks flat; at 45 another face would be up.
_LEAST_TILT, _MOST_TILT = np.deg2rad(9.0), np.deg2rad(44.0)
_LEAST_BY_WALL = np.deg2rad(7.0)  # a gentler tilt is taken for a flat die there
_ALIGNED = np.deg2rad(10.0)  # the raised edge lies along the wall: on one corner the die would turn and fall
_ROUGHLY = np.deg2rad(18.0)  # the same of a one, whose direction is that of its edges alone
_CORNERS = 2 * (Cube(0.0, 0.0, 0.0, 1.0).corners() - (0.0, 0.0, 0.5))
_HEIGHT_OFF, _HEIGHT_OFF_KNOWN = 0.15, 0.03  # of the height of the lens
_FAR = 2.5  # edges between the middles of two dice: no die leans on one further away
_REACH_MM = 1.5  # how far the place of a die may be wrong


def supports(
    cube: Cube, others: Sequence[Cube], rig: Rig, is_one: bool = False
) -> Iterator[tuple[float, float, bool]]:
    """Directions, as angles in the tray, in which the cube may lean, the tilt that this would take, and
    whether on a wall.
    """
    x, y = rig.floor_mm[0] / 2, rig.floor_mm[1] / 2
    unsure = _unsure_mm(cube, rig)
    for quarter, wall in ((0, x), (1, y), (2, x), (3, y)):
        direction = quarter * np.pi / 2
        off = (direction - cube.yaw + np.pi / 4) % (np.pi / 2) - np.pi / 4
        if is_one and abs(off) < _ROUGHLY:
            cube, off = replace(cube, yaw=cube.yaw + off), 0.0
        gap = wall - float((cube.footprint() @ unit(direction)).max())
        if abs(off) < _ALIGNED:
            tilts = _tilts_for(gap, cube.edge, unsure, _LEAST_BY_WALL)
            yield from ((direction - off, tilt, True) for tilt in tilts)
    for other in others:
        if np.hypot(other.x - cube.x, other.y - cube.y) > _FAR * cube.edge:
            continue
        for quarter in range(4):
            direction = cube.yaw + quarter * np.pi / 2
            ahead = _gap(cube, other, direction)
            if ahead is not None:
                tilts = _tilts_for(ahead, cube.edge, 0.0, _LEAST_TILT)
                yield from ((direction, tilt, False) for tilt in tilts)


def _gap(cube: Cube, other: Cube, direction: float) -> float | None:
    """How far the other cube is in front of that side of the cube; None where it is not in front of it."""
    ahead, aside = unit(direction), unit(direction + np.pi / 2)
    local = other.footprint() - (cube.x, cube.y)
    along, across = local @ ahead, local @ aside
    if across.min() > cube.edge / 2 or across.max() < -cube.edge / 2 or along.mean() <= 0:
        return None
    return float(along.min()) - cube.edge / 2


def _unsure_mm(cube: Cube, rig: Rig) -> float:
    """How far a die may be from where it seems to be: upper faces look further out than they are, and how far
    depends on the height of the lens, which is not known well where its focal length is not.
    """
    eye = rig.pose.eye
    out = float(np.hypot(cube.x - eye[0], cube.y - eye[1])) * cube.edge / float(eye[2] - cube.edge)
    return out * (_HEIGHT_OFF if rig.focal_px is None else _HEIGHT_OFF_KNOWN)


def _tilts_for(gap: float, edge: float, unsure: float, least: float) -> Iterator[float]:
    """The tilts at which a lower edge, raised, would touch a support so far in front of the flat cube's side.

    A tilted die stands higher than a flat one and so looks further out: the gap may be more than it seems.
    """
    reaches = edge * np.sin(_TILTS) - edge / 2 * (1 - np.cos(_TILTS))
    more_mm = edge / 16 + unsure
    for more in (0.0, more_mm, more_mm + 0.6 * max(gap, 0.0)):
        if reaches[0] - _REACH_MM < gap + more < reaches.max() + _REACH_MM:
            tilt = float(_TILTS[int(np.abs(reaches - gap - more).argmin())])
            if least <= tilt <= _MOST_TILT:
                yield tilt


def tilted(cube: Cube, toward: float, tilt: float, pose: Pose) -> Seen:
    """A cube whose side ``toward`` is raised by ``tilt``, with its upper face where that of ``cube`` is seen.

    It stands on its far lower edge; the middle of its upper face is on the line of sight to that of ``cube``.
    """
    half = cube.edge / 2
    ahead = np.array([*unit(toward), 0.0])
    aside = np.array([*unit(toward + np.pi / 2), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    # raising the side in front turns the upper face to the back
    normal = np.cos(tilt) * up - np.sin(tilt) * ahead
    front = np.cos(tilt) * ahead + np.sin(tilt) * up
    height = half * (np.cos(tilt) + np.sin(tilt))
    middle = np.array([0.0, 0.0, height]) + half * normal
    eye = pose.eye
    level = np.array([cube.x, cube.y, cube.edge])
    at = eye + (level - eye) * (eye[2] - middle[2]) / (eye[2] - level[2])
    return seen(at - half * normal + half * _CORNERS @ np.stack([front, aside, normal]), pose)


def unit(angle: float) -> Floats:
    return np.array([np.cos(angle), np.sin(angle)])

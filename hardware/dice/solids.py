"""Cubes on the floor as the camera sees them: outlines, upper faces, and how they fit what has changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.dice.camera_pose import Pose

    Floats = NDArray[np.float64]
    Image = NDArray[np.uint8]

_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
# Corners as of Cube.corners, in order around each face.
_FACES = np.array(
    [(0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)], dtype=np.intp
)
_SHIFT = 4  # fractional bits of OpenCV's polygons
_SPILL_PX = 1.31  # measured: its smooth polygons are so much wider than they should be


@dataclass(frozen=True, slots=True)
class Cube:
    """A cube flat on the floor: centre in mm, direction of an edge in radians, edge in mm."""

    x: float
    y: float
    yaw: float
    edge: float

    def footprint(self) -> Floats:
        """The four corners on the floor, in mm (4 x 2)."""
        c, s = np.cos(self.yaw) * self.edge, np.sin(self.yaw) * self.edge
        return np.asarray(_SQUARE @ np.array([[c, s], [-s, c]]) + (self.x, self.y))

    def corners(self) -> Floats:
        """The eight corners, the lower four first, in mm (8 x 3)."""
        corners = np.zeros((8, 3))
        corners[:4, :2] = corners[4:, :2] = self.footprint()
        corners[4:, 2] = self.edge
        return corners


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A cube as a camera sees it, in pixels: its outline (n x 2), and the edges of the faces in view, each by
    its ends (n x 2 x 2).
    """

    outline: Floats
    edges: Floats


def seen(corners: Floats, pose: Pose) -> Seen:
    """The cube with these corners (8 x 3, mm, in the order of :meth:`Cube.corners`)."""
    px, eye = pose.project(corners), pose.eye
    middles = corners[_FACES].mean(axis=1)
    in_view = ((middles - corners.mean(axis=0)) * (eye - middles)).sum(axis=1) > 0
    ends = np.stack([_FACES, np.roll(_FACES, -1, axis=1)], axis=-1)[in_view].reshape(-1, 2)
    ends = np.unique(np.sort(ends, axis=1), axis=0)
    return Seen(hull_of(px), px[ends])


def footprints(cubes: Sequence[Cube]) -> Floats:
    """The four corners of each cube on the floor, in mm (n x 4 x 2)."""
    x, y, yaw, edge = np.array([(cube.x, cube.y, cube.yaw, cube.edge) for cube in cubes]).T
    c, s = np.cos(yaw) * edge, np.sin(yaw) * edge
    axes = np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=1)
    return np.asarray(_SQUARE @ axes + np.stack([x, y], axis=-1)[:, None])


def corners_px(cubes: Sequence[Cube], pose: Pose) -> Floats:
    """The corners of each cube in pixels, the lower four first (n x 8 x 2)."""
    corners = np.zeros((len(cubes), 8, 3))
    corners[:, :4, :2] = corners[:, 4:, :2] = footprints(cubes)
    corners[:, 4:, 2] = np.array([cube.edge for cube in cubes])[:, None]
    return pose.project(corners.reshape(-1, 3)).reshape(-1, 8, 2)


def hull_of(px: Floats) -> Floats:
    """The convex polygon around points (n x 2)."""
    import cv2

    return np.asarray(cv2.convexHull(px.astype(np.float32))[:, 0, :], np.float64)


def outline(cube: Cube, pose: Pose) -> Floats:
    """The outline of the cube in pixels: a convex polygon (n x 2)."""
    return hull_of(pose.project(cube.corners()))


def upper_face(cube: Cube, pose: Pose) -> Floats:
    """The corners of the upper face in pixels (4 x 2)."""
    return pose.project(cube.corners()[4:])


def filled(polygon: Floats, shape: tuple[int, int], origin: tuple[int, int], scale: float = 1.0) -> Image:
    """255 inside the polygon, in a mask whose first pixel is ``origin`` and which is drawn at ``scale``."""
    import cv2

    mask = np.zeros(shape, np.uint8)
    points = np.round(_placed(polygon, origin, scale) * (1 << _SHIFT)).astype(np.int32)
    cv2.fillConvexPoly(mask, points, 255, cv2.LINE_8, _SHIFT)
    return mask


def smoothly_filled(
    points: Floats, shape: tuple[int, int], origin: tuple[int, int], scale: float = 1.0
) -> Image:
    """The share of each pixel that is inside the convex polygon around each lot of points (n x m x 2), of 255
    (n x height x width); placed as by :func:`filled`.
    """
    import cv2

    placed = _placed(points, origin, scale)
    low, high = placed.min(axis=1, keepdims=True), placed.max(axis=1, keepdims=True)
    width, middle = (high - low).mean(axis=2, keepdims=True), (low + high) / 2
    placed = middle + (placed - middle) * np.maximum(0.0, 1 - _SPILL_PX / np.maximum(width, 1.0))
    corners = np.round(placed * (1 << _SHIFT)).astype(np.int32)
    masks = np.zeros((len(points), *shape), np.uint8)
    for mask, polygon in zip(masks, corners, strict=True):
        cv2.fillConvexPoly(mask, cv2.convexHull(polygon), 255, cv2.LINE_AA, _SHIFT)
    return masks


def _placed(polygon: Floats, origin: tuple[int, int], scale: float) -> Floats:
    # the centre of pixel i of a scaled patch lies at (i + 0.5) / scale - 0.5 of the picture
    return np.asarray((polygon - np.array(origin) + 0.5) * scale - 0.5, np.float64)

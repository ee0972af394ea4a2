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


def corners_px(cubes: Sequence[Cube], pose: Pose) -> Floats:
    """The corners of each cube in pixels, the lower four first (n x 8 x 2)."""
    middle = np.array([(cube.x, cube.y) for cube in cubes]) @ (1, 1j)
    edges = np.array([cube.edge for cube in cubes])
    turn = edges * np.exp(1j * np.array([cube.yaw for cube in cubes]))
    flat = middle[:, None] + turn[:, None] * (_SQUARE @ (1, 1j))
    corners = np.zeros((len(cubes), 8, 3))
    corners[:, :4, 0] = corners[:, 4:, 0] = flat.real
    corners[:, :4, 1] = corners[:, 4:, 1] = flat.imag
    corners[:, 4:, 2] = edges[:, None]
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
    polygons: Sequence[Floats], shape: tuple[int, int], origin: tuple[int, int], scale: float = 1.0
) -> Image:
    """The share of each pixel that is inside each convex polygon, of 255 (n x height x width); placed as by
    :func:`filled`.
    """
    import cv2

    masks = np.zeros((len(polygons), *shape), np.uint8)
    for mask, polygon in zip(masks, polygons, strict=True):
        points = _placed(polygon, origin, scale)
        low, high = points.min(axis=0), points.max(axis=0)
        width = float(high[0] - low[0] + high[1] - low[1]) / 2
        middle = (low + high) / 2
        points = middle + (points - middle) * max(0.0, 1 - _SPILL_PX / max(width, 1.0))
        cv2.fillConvexPoly(mask, np.round(points * (1 << _SHIFT)).astype(np.int32), 255, cv2.LINE_AA, _SHIFT)
    return masks


def _placed(polygon: Floats, origin: tuple[int, int], scale: float) -> Floats:
    # the centre of pixel i of a scaled patch lies at (i + 0.5) / scale - 0.5 of the picture
    return np.asarray((polygon - np.array(origin) + 0.5) * scale - 0.5, np.float64)

"""Cubes on the floor as the camera sees them: outlines, upper faces, and how they fit what has changed."""

from __future__ import annotations

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


@dataclass(frozen=True, slots=True)
class Cube:
    """A cube flat on the floor: centre in mm, direction of an edge in radians, edge in mm."""

    x: float
    y: float
    yaw: float
    edge: float

    def footprint(self) -> Floats:
        """The four corners on the floor, in mm (4 x 2)."""
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        turn = np.array([[c, s], [-s, c]])
        return np.asarray(self.edge * _SQUARE @ turn + (self.x, self.y))

    def corners(self) -> Floats:
        """The eight corners, the lower four first, in mm (8 x 3)."""
        flat = self.footprint()
        return np.vstack([np.hstack([flat, np.full((4, 1), z)]) for z in (0.0, self.edge)])


def outline(cube: Cube, pose: Pose) -> Floats:
    """The outline of the cube in pixels: a convex polygon (n x 2)."""
    import cv2

    hull = cv2.convexHull(pose.project(cube.corners()).astype(np.float32))
    return np.asarray(hull[:, 0, :], np.float64)


def upper_face(cube: Cube, pose: Pose) -> Floats:
    """The corners of the upper face in pixels (4 x 2)."""
    return pose.project(cube.corners()[4:])


def filled(polygon: Floats, shape: tuple[int, int], origin: tuple[int, int], scale: float = 1.0) -> Image:
    """255 inside the polygon, in a mask whose first pixel is ``origin`` and which is drawn at ``scale``."""
    import cv2

    mask = np.zeros(shape, np.uint8)
    # the centre of pixel i of a scaled patch lies at (i + 0.5) / scale - 0.5 of the picture
    points = (polygon - np.array(origin) + 0.5) * scale - 0.5
    cv2.fillConvexPoly(mask, np.round(points * (1 << _SHIFT)).astype(np.int32), 255, cv2.LINE_8, _SHIFT)
    return mask

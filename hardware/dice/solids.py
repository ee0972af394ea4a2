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
        c, s = np.cos(self.yaw) * self.edge, np.sin(self.yaw) * self.edge
        return np.asarray(_SQUARE @ np.array([[c, s], [-s, c]]) + (self.x, self.y))

    def corners(self) -> Floats:
        """The eight corners, the lower four first, in mm (8 x 3)."""
        corners = np.zeros((8, 3))
        corners[:4, :2] = corners[4:, :2] = self.footprint()
        corners[4:, 2] = self.edge
        return corners


def silhouette(cube: Cube, pose: Pose) -> tuple[Floats, Floats]:
    """The outline of the cube and the corners of its upper face, in pixels (n x 2, 4 x 2)."""
    import cv2

    px = pose.project(cube.corners())
    hull = cv2.convexHull(px.astype(np.float32))
    return np.asarray(hull[:, 0, :], np.float64), px[4:]


def outline(cube: Cube, pose: Pose) -> Floats:
    """The outline of the cube in pixels: a convex polygon (n x 2)."""
    return silhouette(cube, pose)[0]


def upper_face(cube: Cube, pose: Pose) -> Floats:
    """The corners of the upper face in pixels (4 x 2)."""
    return silhouette(cube, pose)[1]


def filled(polygon: Floats, shape: tuple[int, int], origin: tuple[int, int], scale: float = 1.0) -> Image:
    """255 inside the polygon, in a mask whose first pixel is ``origin`` and which is drawn at ``scale``."""
    import cv2

    mask = np.zeros(shape, np.uint8)
    # the centre of pixel i of a scaled patch lies at (i + 0.5) / scale - 0.5 of the picture
    points = (polygon - np.array(origin) + 0.5) * scale - 0.5
    cv2.fillConvexPoly(mask, np.round(points * (1 << _SHIFT)).astype(np.int32), 255, cv2.LINE_8, _SHIFT)
    return mask

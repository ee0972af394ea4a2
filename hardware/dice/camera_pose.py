"""Where the camera is, from the four corners of the tray floor: so also what lies above the floor can be
placed.

Square pixels and a lens that looks through the middle of the picture are assumed, no distortion.  The focal
length, where it is not known, comes from the perspective of the four corners, and where that says little (a
camera straight above) from what lenses usually have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Focal length in picture widths.  Raspberry Pi cameras 2, 3 and HQ with the usual lenses, and most USB
# cameras, have 50 to 75 degrees across: 0.65 to 1.07.  The logarithm is taken as normal around this with this
# deviation: seen from above, corners that are half a pixel off say less than that.
_USUAL_FOCAL, _FOCAL_SPREAD = 0.9, 0.2
_FOCALS = np.geomspace(0.5, 2.5, 49)
# How well a corner is known, per 640 pixels of width: two fitted lines cross there, and the lens bends them.
_CORNER_PX = 0.8


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """A camera over the tray: ``px ~ k @ (r @ (x, y, z) + t)``, mm, z up from the middle of the floor."""

    k: Floats
    r: Floats
    t: Floats

    def plane(self, height_mm: float) -> Floats:
        """The homography from the plane at ``height_mm`` above the floor, in mm, to pixels (3 x 3)."""
        columns = [self.r[:, 0], self.r[:, 1], self.t + height_mm * self.r[:, 2]]
        return np.asarray(self.k @ np.stack(columns, axis=1))

    def from_plane(self, height_mm: float) -> Floats:
        """The homography back, from pixels to mm on that plane (3 x 3)."""
        return np.asarray(np.linalg.inv(self.plane(height_mm)), np.float64)

    def project(self, points_mm: Floats) -> Floats:
        """Pixels (n x 2) of points in the tray (n x 3)."""
        seen = (points_mm @ self.r.T + self.t) @ self.k.T
        return np.asarray(seen[:, :2] / seen[:, 2:])

    @property
    def eye(self) -> Floats:
        """Where the lens is, in mm."""
        return np.asarray(-self.r.T @ self.t, np.float64)

    @property
    def height_mm(self) -> float:
        """How far the lens is above the floor."""
        return float(self.eye[2])


def through(homography: Floats, points: Floats) -> Floats:
    """Points (n x 2) sent through a homography."""
    sent = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(sent[:, :2] / sent[:, 2:])


def find_pose(
    corners_px: Floats,
    floor_mm: tuple[float, float],
    image_size: tuple[int, int],
    focal_px: float | None = None,
) -> Pose:
    """The camera that sees the corners (4 x 2, in order around the floor) of a floor of that size best.

    ``focal_px``: its focal length, where that is known.  The corners may start anywhere and go either way
    around: the one way in which they fit is found, the order as given where two fit alike.  ValueError where
    they are no corners of a floor.
    """
    focals = _FOCALS * image_size[0] if focal_px is None else np.array([focal_px])
    best: tuple[float, Pose] | None = None
    for order in ((0, 1, 2, 3), (1, 2, 3, 0)):
        ordered = corners_px[list(order)]
        if _area(ordered) > 0:  # y goes down in a picture: seen from above the x-to-y turn looks negative
            ordered = ordered[[1, 0, 3, 2]]
        cost, pose = _best_pose(ordered, floor_mm, image_size, focals)
        # a slight advantage to the order as given: a square floor fits both ways
        if pose is not None and (best is None or cost < best[0] - 0.5):
            best = (cost, pose)
    if best is None:
        raise ValueError("floor_corners_px are no corners of a floor seen from above")
    return best[1]


def _best_pose(
    corners_px: Floats, floor_mm: tuple[float, float], image_size: tuple[int, int], focals: Floats
) -> tuple[float, Pose | None]:
    import cv2

    x, y = floor_mm[0] / 2, floor_mm[1] / 2
    corners = np.array([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]])
    width, height = image_size
    allowed = _CORNER_PX * width / 640
    best: tuple[float, Pose | None] = (np.inf, None)
    for f in focals:
        k = np.array([[f, 0.0, (width - 1) / 2], [0.0, f, (height - 1) / 2], [0.0, 0.0, 1.0]])
        try:
            found = cv2.solvePnPGeneric(corners, corners_px, k, None, flags=cv2.SOLVEPNP_IPPE)
        except cv2.error:
            continue
        for rotation, shift in zip(found[1], found[2], strict=True):
            rotation, shift = cv2.solvePnPRefineLM(corners, corners_px, k, None, rotation, shift)
            pose = Pose(k, np.asarray(cv2.Rodrigues(rotation)[0]), np.asarray(shift).ravel())
            if pose.height_mm <= 0:
                continue
            off = pose.project(corners) - corners_px
            usual = np.log(f / (width * _USUAL_FOCAL)) / _FOCAL_SPREAD
            cost = float((off**2).sum()) / allowed**2 + usual**2
            if cost < best[0]:
                best = (cost, pose)
    return best


def _area(polygon: Floats) -> float:
    x, y = polygon[:, 0], polygon[:, 1]
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)

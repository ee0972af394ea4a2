"""Faces on a photo: even patches around pips that a square, seen from any side, would make.

Nothing is known of the scale: pips are looked for at several, and from each the even colour around it is
filled. What is filled is a face if it becomes a square once its two axes are made equal; that also takes out
the slant of the view.  The side of that square is the scale.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.blobs import Spot, contrast_maps, find_spots
from hardware.dice.images import square, strongest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Floats32 = NDArray[np.float32]
    Image = NDArray[np.uint8]

SIDE = 32  # pixels of a straightened face
_EDGES_PX = (
    22.0,
    34.0,
    52.0,
    80.0,
    122.0,
    186.0,
)  # of the photo as it is worked on: each finds pips 0.09 to 0.46 as wide
_TOLERANCES = (
    10,
    16,
    24,
    34,
    48,
    66,
)  # levels that the colour of one face may vary: even light to a soft gradient
_LEAST_CONTRAST = 35.0
_MOST_PIPS = 200  # of a photo, the clearest first: a printed board has thousands of spots
_LEAST_EVEN = 7  # of 12 places around a pip: two neighbours in a six hide two each
_LEAST_SOLID, _LEAST_SQUARE = (
    0.93,
    0.84,
)  # area over that of the hull; over that of the rectangle around it (rounded corners)
_FACE_PER_PIP = (5.0, 70.0)  # a pip is 0.46 to 0.13 edges wide
_LONGEST = 2.6  # ratio of the axes: seen from 23 degrees above the table


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A face on a photo: mask, middle, the map (2 x 2) from the photo's axes to those of a unit square,
    contour.
    """

    mask: Image
    area: float
    middle: Floats
    to_square: Floats
    contour: Floats
    colour: Floats32
    is_dark: bool
    squareness: float
    tolerance: int

    @property
    def edge_px(self) -> float:
        """The side of a square of the same area."""
        return float(np.sqrt(self.area))


def find_pips(photo: Image) -> list[Spot]:
    """Round spots of any size with an even surrounding; of those in one place the strongest."""
    import cv2

    found: list[Spot] = []
    for edge in _EDGES_PX:
        scale = min(1.0, 40.0 / edge)
        small = (
            photo if scale == 1 else cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        )
        maps = contrast_maps(np.asarray(small, np.uint8), edge * scale)
        # a level of its own, not a share of the strongest: a photo has much beside dice
        for spot in find_spots(maps, edge * scale, (_LEAST_CONTRAST, _LEAST_CONTRAST)):
            x, y = ((v + 0.5) / scale - 0.5 for v in (spot.x, spot.y))
            found.append(replace(spot, x=x, y=y, diameter_px=spot.diameter_px / scale))
    return _distinct(found)


def _distinct(spots: list[Spot]) -> list[Spot]:
    """Of those in one place the clearest, and no more than ``_MOST_PIPS``; a pip is not the same as the die
    around it.
    """
    ranked = sorted(spots, key=lambda s: (s.is_parted, -s.fullness * s.contrast))
    x, y, size = (np.array([getattr(s, name) for s in ranked]) for name in ("x", "y", "diameter_px"))
    is_dark = np.array([s.is_dark for s in ranked])
    free = np.ones(len(ranked), bool)
    kept: list[Spot] = []
    for i, spot in enumerate(ranked):
        if not free[i]:
            continue
        kept.append(spot)
        if len(kept) == _MOST_PIPS:
            break
        larger, smaller = np.maximum(size, size[i]), np.minimum(size, size[i])
        near = np.hypot(x - x[i], y - y[i]) < 0.6 * larger
        free &= ~(near & (is_dark == is_dark[i]) & (larger <= 2.5 * smaller))
    return kept


def find_regions(photo: Image, pips: list[Spot]) -> list[Region]:
    """All patches around the pips that may be faces, several for one face: squarest first."""
    import cv2

    smooth = np.asarray(cv2.medianBlur(photo, 3), np.uint8)
    found: list[Region] = []
    for pip in pips:
        for tolerance in _TOLERANCES:
            region = None if _known(found, pip, tolerance) else _region(smooth, pip, tolerance)
            if region is not None:
                found.append(region)
    return sorted(found, key=lambda region: -region.squareness)


def _known(found: list[Region], pip: Spot, tolerance: int) -> bool:
    """Whether the pip is in a region of that tolerance that was found from another pip."""
    x, y = int(pip.x), int(pip.y)
    return any(r.tolerance == tolerance and r.is_dark == pip.is_dark and r.mask[y, x] for r in found)


def _region(photo: Image, pip: Spot, tolerance: int) -> Region | None:
    patch = _patch(photo, pip, tolerance)
    return None if patch is None else _as_face(*patch, photo.shape[:2], pip, tolerance)


def is_on_small_body(photo: Image, pip: Spot) -> bool:
    """Whether what is around a pip is even and of no more than the size of a die, whatever its shape."""
    import cv2

    pip_area = np.pi / 4 * pip.diameter_px**2
    for tolerance in _TOLERANCES[:4]:
        patch = _patch(photo, pip, tolerance)
        if (
            patch is not None
            and _FACE_PER_PIP[0] * pip_area < cv2.contourArea(patch[0]) < _FACE_PER_PIP[1] * pip_area
        ):
            return True
    return False


def _patch(
    photo: Image, pip: Spot, tolerance: int
) -> tuple[NDArray[np.int32], tuple[int, int], Floats32] | None:
    """The outline of the even colour around a pip, where the cut-out that it is in begins, and the colour.

    None where the pip has no even ring around it, or the colour goes on to the margin of the photo.
    """
    import cv2

    height, width = photo.shape[:2]
    angles = np.arange(12) * (np.pi / 6)
    reach = pip.diameter_px * 0.5 + max(1.5, 0.25 * pip.diameter_px)
    xs = np.round(pip.x + reach * np.cos(angles)).astype(int)
    ys = np.round(pip.y + reach * np.sin(angles)).astype(int)
    if xs.min() < 0 or ys.min() < 0 or xs.max() >= width or ys.max() >= height:
        return None
    ring = photo[ys, xs].astype(np.float32)
    colour = np.median(ring, axis=0)
    off = np.abs(ring - colour).max(axis=1)
    if (off < tolerance).sum() < _LEAST_EVEN:
        return None
    r = int(9 * pip.diameter_px) + 4
    x0, y0 = max(int(pip.x) - r, 0), max(int(pip.y) - r, 0)
    x1, y1 = min(int(pip.x) + r, width), min(int(pip.y) + r, height)
    low, high = (tuple(float(v) for v in colour + d) for d in (-tolerance, tolerance))
    alike = cv2.inRange(photo[y0:y1, x0:x1], low, high)
    binary = cv2.morphologyEx(alike, cv2.MORPH_OPEN, square(3))
    _, labels = cv2.connectedComponents(binary, connectivity=4)
    i = int(off.argmin())
    own = labels[ys[i] - y0, xs[i] - x0]
    if own == 0:
        return None
    # highlights along the edges make notches
    size = 2 * round(0.2 * pip.diameter_px) + 1
    patch = cv2.morphologyEx((labels == own).astype(np.uint8), cv2.MORPH_CLOSE, square(size))
    contours, _ = cv2.findContours(patch, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    contour = max(contours, key=cv2.contourArea)
    bx, by, bw, bh = cv2.boundingRect(contour)
    if bx + x0 <= 1 or by + y0 <= 1 or bx + bw + x0 >= width - 1 or by + bh + y0 >= height - 1:
        return None
    return contour, (x0, y0), np.asarray(colour, np.float32)


def _as_face(
    contour: NDArray[np.int32],
    origin: tuple[int, int],
    colour: Floats32,
    shape: tuple[int, int],
    pip: Spot,
    tolerance: int,
) -> Region | None:
    import cv2

    area = cv2.contourArea(contour) + len(contour) / 2
    pip_area = np.pi / 4 * pip.diameter_px**2
    if not _FACE_PER_PIP[0] * pip_area < area < _FACE_PER_PIP[1] * pip_area:
        return None
    if area / max(cv2.contourArea(cv2.convexHull(contour)), 1.0) < _LEAST_SOLID:
        return None
    m = cv2.moments(contour)
    middle = np.array([m["m10"], m["m01"]]) / m["m00"]
    spread = np.array([[m["mu20"], m["mu11"]], [m["mu11"], m["mu02"]]]) / m["m00"]
    values, axes = np.linalg.eigh(spread)
    if values[0] <= 0 or np.sqrt(values[1] / values[0]) > _LONGEST:
        return None
    # a unit square has variance 1/12 along each axis
    whiten = axes @ np.diag(1 / np.sqrt(12 * values)) @ axes.T
    points = (contour[:, 0, :] - middle) @ whiten.T
    _, (w, h), angle = cv2.minAreaRect(points.astype(np.float32))
    squareness = float(cv2.contourArea(points.astype(np.float32)) / max(w * h, 1e-6)) * min(w, h) / max(w, h)
    if squareness < _LEAST_SQUARE:
        return None
    a = -np.deg2rad(angle)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    mask = np.zeros(shape, np.uint8)
    cv2.drawContours(mask, [contour], -1, 255, -1, offset=origin)
    outline = contour[:, 0, :].astype(np.float64) + origin
    to_square = turn @ whiten
    return Region(
        mask, float(area), middle + origin, to_square, outline, colour, pip.is_dark, squareness, tolerance
    )


def straightened(photo: Image, region: Region, contrast: float) -> Floats32:
    """The face as a square (32 x 32): 1 where it is as its pips, 0 where as its body."""
    import cv2

    back = np.linalg.inv(region.to_square)
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5]]) @ back.T + region.middle
    ends = np.array([[0, 0], [1, 0], [1, 1]], np.float32) * SIDE - 0.5
    turn = cv2.getAffineTransform(corners.astype(np.float32), ends.astype(np.float32))
    shrink = max(1.0, region.edge_px / SIDE)
    smooth = cv2.GaussianBlur(photo, (0, 0), 0.4 * shrink) if shrink > 1.2 else photo
    face = cv2.warpAffine(smooth, turn, (SIDE, SIDE), flags=cv2.INTER_LINEAR).astype(np.float32)
    off = region.colour - face if region.is_dark else face - region.colour
    return np.clip(strongest(off) / contrast, 0, 1).astype(np.float32)

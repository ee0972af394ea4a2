"""Spots that may be pips: small, round, lighter or darker than what is around them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.images import strongest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Image = NDArray[np.uint8]
    Floats32 = NDArray[np.float32]

# Diameters in edges of the die.  A 16 mm die has pips of 3 to 4 mm; dice for the blind and casino dice up to
# 0.27; the large red one of Asian dice up to 0.42.
LEAST_DIAMETER, MOST_DIAMETER, MOST_SINGLE = 0.09, 0.34, 0.46
_WINDOW = 0.52  # of the edge: no pip holds such a square, so closing with it takes every pip away
_NARROW = 0.11  # of the edge: the smallest pips are as wide, the rounded edge that shines is half that
_LEAST_CONTRAST = 18.0  # levels: below that JPEG and grain make spots
# of the peak: the faintest pip of a lit face has about 0.6 of the strongest (gloss, red beside black)
_SHARE = 0.4
_MOST_ELONGATED = 1.75  # ratio of the axes as seen from above; a pip across the pixel grid has up to 1.4
_CLEARLY_ROUND, _CLEARLY_FULL = 1.3, 0.93  # certainly one spot, nothing joined to it
_LEAST_FULL = (
    0.8  # area over that of the ellipse with the same moments: 1 for a disc, less for what is bent or joined
)


@dataclass(frozen=True, slots=True)
class Spot:
    """A spot: centre and diameter in pixels, ratio of its axes, contrast in levels, how far it fills its
    ellipse.

    ``is_parted``: it is the widest place of a larger piece.
    """

    x: float
    y: float
    diameter_px: float
    elongation: float
    contrast: float
    fullness: float
    is_dark: bool
    is_parted: bool = False


def contrast_maps(patch: Image, edge_px: float) -> tuple[Image, Image]:
    """How much darker, and how much lighter, each pixel is than its surroundings of the size of a pip.

    In levels, of that channel which shows it most: red pips on ivory are dark in blue and green only.
    """
    import cv2

    side = max(3, round(edge_px * _WINDOW)) | 1
    steps = max(2, round(side * 0.4))
    return _above_body(cv2.bitwise_not(patch), side, steps), _above_body(patch, side, steps)


def _above_body(patch: Image, side: int, steps: int) -> Image:
    """How much lighter each pixel is than the lightest body that reaches it: an opening by reconstruction.

    What cannot hold a square of that side goes, then what is left grows back under the picture: the corners
    of a face come back whole, a pip does not, as all around it is darker.
    """
    import cv2

    body = cv2.erode(patch, np.ones((side, side), np.uint8))
    grow = np.ones((5, 5), np.uint8)
    for _ in range(steps):
        body = cv2.min(cv2.dilate(body, grow), patch)
    return strongest(cv2.subtract(patch, body))


def without_lines(contrast: Floats32, edge_px: float) -> Floats32:
    """Without what is narrower than a pip: highlights along the edges of a die, gaps between dice, grain."""
    import cv2

    side = max(3, 2 * round(edge_px * _NARROW / 2) + 1)
    return np.asarray(cv2.morphologyEx(contrast, cv2.MORPH_OPEN, _disc(side)), np.float32)


@cache
def _disc(side: int) -> Image:
    import cv2

    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def find_spots(
    contrast: Image, where: Image, edge_px: float, is_dark: bool, level: float | None = None
) -> list[Spot]:
    """The spots of a contrast map inside ``where`` (255), those of the size of pips; strongest first.

    Each is cut off at half of its own peak, so that its diameter does not depend on the blur of the lens;
    where spots run into one another, or into a highlight, they are parted at their waists.  What is fainter
    than ``level``, or where None than a share of the strongest, is left out.
    """
    import cv2

    inside = np.asarray(cv2.bitwise_and(contrast, where), np.uint8)
    if level is None:
        above = np.bincount(inside.ravel(), minlength=256)[::-1].cumsum()
        strongest_spot = 255 - int(np.searchsorted(above, max(4, int(edge_px))))
        level = max(_LEAST_CONTRAST, _SHARE * strongest_spot)
    spots: list[Spot] = []
    for part, corner in _parts(inside, level, edge_px):
        spot = _measure(part, corner, is_dark)
        if spot and spot.elongation <= _CLEARLY_ROUND and spot.fullness >= _CLEARLY_FULL:
            spots.append(spot)
        elif spot and max(part.shape) < 4 * edge_px:
            spots += _parted(part, corner, edge_px, is_dark)
    least, most = LEAST_DIAMETER * edge_px, MOST_SINGLE * edge_px
    return sorted((s for s in spots if least <= s.diameter_px <= most), key=lambda spot: -spot.contrast)


def _parts(contrast: Image, level: float, edge_px: float) -> list[tuple[Image, tuple[int, int]]]:
    """What is above ``level``, piece by piece: each cut out, with its corner in the picture."""
    import cv2

    _, binary = cv2.threshold(contrast, level, 255, cv2.THRESH_BINARY)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(binary)
    # at half its peak a spot is smaller than at this level; gloss may have taken the half of it
    least = max(3.0, 0.5 * np.pi / 4 * (LEAST_DIAMETER * edge_px) ** 2)
    parts = []
    for label, (x, y, w, h, area) in enumerate(stats.tolist()):
        if label == 0 or max(w, h) < 0.7 * LEAST_DIAMETER * edge_px or area < least:
            continue
        inside = (slice(y, y + h), slice(x, x + w))
        piece = np.where(labels[inside] == label, contrast[inside], 0)
        parts.append((np.asarray(piece, np.uint8), (x, y)))
    return parts


def _parted(part: Image, corner: tuple[int, int], edge_px: float, is_dark: bool) -> list[Spot]:
    """The discs in a piece of several spots, or of a spot and a highlight: where it is widest."""
    import cv2

    peak = _peak(part)
    binary = cv2.copyMakeBorder((part >= peak * 0.5).astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    width = cv2.distanceTransform(binary, cv2.DIST_L2, 5)
    reach = max(3, 2 * round(0.06 * edge_px) + 1)
    local = (width >= cv2.dilate(width, np.ones((reach, reach), np.uint8))) & (width >= _NARROW * edge_px / 2)
    ys, xs = np.nonzero(local)
    radii = width[ys, xs]
    spots: list[Spot] = []
    free = np.ones(len(xs), bool)
    for i in np.argsort(-radii, kind="stable"):
        if not free[i]:
            continue
        x, y, radius = int(xs[i]), int(ys[i]), float(radii[i])
        x0, y0 = max(x - 2, 0), max(y - 2, 0)
        weight = np.maximum(width[y0 : y + 3, x0 : x + 3] - 0.75 * radius, 0)
        total = float(weight.sum())
        at_x = x0 + float(weight.sum(axis=0) @ np.arange(weight.shape[1])) / total
        at_y = y0 + float(weight.sum(axis=1) @ np.arange(weight.shape[0])) / total
        spots.append(Spot(at_x, at_y, 2 * radius, 1.0, peak, 1.0, is_dark, True))
        free &= np.hypot(xs - at_x, ys - at_y) > 0.75 * (radii + radius)
    return [replace(s, x=s.x + corner[0] - 1, y=s.y + corner[1] - 1) for s in spots]


def _peak(part: Image) -> float:
    """The contrast of a piece: what a fifth of it exceeds."""
    counts = np.bincount(part.ravel(), minlength=2)
    counts[0] = 0
    reached = counts.cumsum()
    return float(np.searchsorted(reached, int(0.8 * (reached[-1] - 1)) + 1))


def _measure(part: Image, corner: tuple[int, int], is_dark: bool) -> Spot | None:
    import cv2

    peak = _peak(part)
    inner = (part >= peak * 0.5).astype(np.uint8)
    shapes, _ = cv2.findContours(inner, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not shapes:
        return None
    shapes = sorted(shapes, key=len)
    shape = shapes[-1]
    solid = np.zeros_like(inner)
    cv2.drawContours(solid, [shape], -1, 1, -1)
    moments = cv2.moments(solid, True)
    area = moments["m00"]
    if area < 3:
        return None
    # a pixel is a square of variance 1/12 along each axis
    spread = (moments["mu20"] + moments["mu02"]) / area + 1 / 6
    apart = np.hypot(moments["mu20"] - moments["mu02"], 2 * moments["mu11"]) / area
    long, short = (spread + apart) / 2, max((spread - apart) / 2, 1e-6)
    centre = (corner[0] + moments["m10"] / area, corner[1] + moments["m01"] / area)
    fullness = float((area + 1) / (4 * np.pi * np.sqrt(long * short)))
    if len(shapes) > 1 and len(shapes[-2]) > len(shape) / 3:
        fullness = 0.0  # two spots that touch below half of their peaks
    return Spot(
        *centre, float(2 * np.sqrt(area / np.pi)), float(np.sqrt(long / short)), peak, fullness, is_dark
    )

"""Spots that may be pips: small, round, lighter or darker than what is around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Image = NDArray[np.uint8]
    Floats = NDArray[np.float64]

# Diameters in edges of the die.  A 16 mm die has pips of 3 to 4 mm; dice for the blind and casino dice up to 0.27;
# the large red one of Asian dice up to 0.42.
LEAST_DIAMETER, MOST_DIAMETER, MOST_SINGLE = 0.09, 0.34, 0.46
_WINDOW = 0.52  # of the edge: no pip holds such a square, so closing with it takes every pip away
_LEAST_CONTRAST = 18.0  # levels: below that JPEG and grain make spots
_SHARE = 0.4  # of the strongest spot's contrast; the darkest pip of a lit face has about 0.6 (gloss, red beside black)
_MOST_ELONGATED = 1.75  # ratio of the axes as seen from above; a pip across the pixel grid has up to 1.4


@dataclass(frozen=True, slots=True)
class Spot:
    """A spot: centre in picture pixels, diameter in pixels, ratio of its axes, contrast in levels."""

    x: float
    y: float
    diameter_px: float
    elongation: float
    contrast: float
    is_dark: bool


def contrast_maps(patch: Image, edge_px: float) -> tuple[Image, Image]:
    """How much darker, and how much lighter, each pixel is than its surroundings of the size of a pip.

    In levels, of that channel which shows it most: red pips on ivory are dark in blue and green only.
    """
    import cv2

    side = max(3, round(edge_px * _WINDOW)) | 1
    window = np.ones((side, side), np.uint8)
    dark = cv2.morphologyEx(patch, cv2.MORPH_CLOSE, window) - patch
    light = patch - cv2.morphologyEx(patch, cv2.MORPH_OPEN, window)
    return np.asarray(dark.max(axis=2), np.uint8), np.asarray(light.max(axis=2), np.uint8)


def find_spots(contrast: Image, where: Image, edge_px: float, is_dark: bool) -> list[Spot]:
    """The spots of a contrast map inside ``where`` (255), those of the size of pips; strongest first.

    Each is cut off at half of its own peak, so that its diameter does not depend on the blur of the lens.
    """
    import cv2

    inside = cv2.bitwise_and(contrast, where)
    peak = float(np.partition(inside.ravel(), -max(4, int(edge_px)))[-max(4, int(edge_px))])
    level = max(_LEAST_CONTRAST, _SHARE * peak)
    _, binary = cv2.threshold(inside, level, 255, cv2.THRESH_BINARY)
    contours, _ = cv2.findContours(binary, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    spots = []
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        if max(w, h) > edge_px * 0.75 or max(w, h) < edge_px * LEAST_DIAMETER * 0.7:
            continue
        spot = _measure(contrast, contour, (x, y, w, h), is_dark)
        if spot and LEAST_DIAMETER * edge_px <= spot.diameter_px <= MOST_SINGLE * edge_px:
            spots.append(spot)
    return sorted(spots, key=lambda spot: -spot.contrast)


def _measure(contrast: Image, contour: Image, box: tuple[int, int, int, int], is_dark: bool) -> Spot | None:
    import cv2

    x, y, w, h = box
    filled = np.zeros((h, w), np.uint8)
    cv2.drawContours(filled, [contour], -1, 255, -1, offset=(-x, -y))
    part = contrast[y : y + h, x : x + w]
    values = part[filled > 0]
    peak = float(np.percentile(values, 80))
    inner = np.where(filled > 0, (part >= peak * 0.5).astype(np.uint8), 0).astype(np.uint8)
    shapes, _ = cv2.findContours(inner, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not shapes:
        return None
    shape = max(shapes, key=cv2.contourArea)
    solid = np.zeros_like(inner)
    cv2.drawContours(solid, [shape], -1, 1, -1)
    moments = cv2.moments(solid, True)
    area = moments["m00"]
    if area < 3:
        return None
    spread = (moments["mu20"] + moments["mu02"]) / area
    apart = np.hypot(moments["mu20"] - moments["mu02"], 2 * moments["mu11"]) / area
    # a pixel is a square of variance 1/12 along each axis
    elongation = float(np.sqrt((spread + apart + 1 / 6) / max(spread - apart + 1 / 6, 1e-6)))
    if elongation > _MOST_ELONGATED * 2:
        return None
    centre = (x + moments["m10"] / area, y + moments["m01"] / area)
    return Spot(*centre, float(2 * np.sqrt(area / np.pi)), elongation, peak, is_dark)


def is_round(spot: Spot) -> bool:
    """Whether the spot may be a pip seen from above."""
    return spot.elongation <= _MOST_ELONGATED

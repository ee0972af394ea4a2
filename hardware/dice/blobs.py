"""Spots that may be pips: small, round, lighter or darker than what is around them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from hardware.dice.images import connected, square, without_holes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Image = NDArray[np.uint8]
    Floats = NDArray[np.float64]
    Floats32 = NDArray[np.float32]

# Diameters in edges of the die.  A 16 mm die has pips of 3 to 4 mm; dice for the blind and casino dice up to
# 0.27; the large red one of Asian dice up to 0.42.
LEAST_DIAMETER, MOST_DIAMETER, MOST_SINGLE = 0.09, 0.34, 0.46
_WINDOW = 0.52  # of the edge: no pip holds such a square, so closing with it takes every pip away
_NARROW = 0.11  # of the edge: the smallest pips are as wide, the rounded edge that shines is half that
_LEAST_CONTRAST = 18.0  # levels: below that JPEG and grain make spots
# of the peak: the faintest pip of a lit face has about 0.6 of the strongest (gloss, red beside black)
_SHARE = 0.4
_LEAST_BODY, _FULL_BODY = 0.45, 0.55  # of a face, and of the hull around it; six pips run together: 0.35
_LEFT, _HOLLOW_ROUND = 0.6, 1.2  # of a pip that a highlight at its rim took a part of
# A body that is dark as well: of a face, how much of it at least, more than a row of pips; and how much more
# than its contrast a pip on it has.
_LEAST_PART, _STANDS_OUT = 0.19, 0.6
_GLOSS = 0.13  # of the edge: a highlight within a pip
_FEW = 0.02  # of a face: a small pip, which may be all that there is
_LONGEST = 1.5  # times around the largest pip: no one spot
_CLEARLY_ROUND, _CLEARLY_FULL = 1.3, 0.93  # certainly one spot, nothing joined to it


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
    is_dark: bool = True
    is_parted: bool = False


def contrast_maps(patch: Image, edge_px: float) -> Image:
    """How much darker, and how much lighter, each pixel is than its surroundings of the size of a pip (2 x
    height x width).

    In levels, of that channel which shows it most: red pips on ivory are dark in blue and green only.

    How much lighter it is than the lightest body that reaches it is what an opening by reconstruction takes
    away: what cannot hold a square of that side goes, then what is left grows back under the picture; the
    corners of a face come back whole, a pip does not, as all around it is darker.
    """
    import cv2

    side = max(3, round(edge_px * _WINDOW)) | 1
    both = np.concatenate([cv2.bitwise_not(patch), patch], axis=2)  # OpenCV takes both for the price of one
    body = cv2.erode(both, square(side))
    for _ in range(max(2, round(side * 0.4))):
        body = cv2.min(cv2.dilate(body, square(5)), both)
    channels = cv2.split(cv2.subtract(both, body))
    largest = (cv2.max(cv2.max(*c[:2]), c[2]) for c in (channels[:3], channels[3:]))
    return np.stack([np.asarray(one, np.uint8) for one in largest])


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
    maps: Image, edge_px: float, levels: tuple[float, float], origin: tuple[int, int] = (0, 0)
) -> list[Spot]:
    """The spots of contrast maps that have the size of pips: the dark ones and the light ones.

    Each is cut off at half of its own peak, so that its diameter does not depend on the blur of the lens;
    where spots run into one another, or into a highlight, they are parted at their waists.  What is fainter
    than the ``levels`` is left out.  ``origin`` is the first pixel of the maps.
    """
    import cv2

    _, height, width = maps.shape
    below = height + 1  # the light ones lie below the dark ones, so that both are looked at at once
    contrast = np.zeros((2 * height + 1, width), np.uint8)
    for top, one, level in zip((0, below), maps, levels, strict=True):
        if level < 255:
            cv2.threshold(one, level, 0, cv2.THRESH_TOZERO, contrast[top : top + height])
    pieces = _Pieces.of(contrast, edge_px)
    spots, unclear = _measured(pieces, edge_px)
    within = _within(contrast, pieces, unclear, edge_px)
    spots += within
    held = {_at(pieces.labels, spot) for spot in within}
    parted = [i for i in unclear if i not in held and pieces.boxes[i, 2:].max() < 4 * edge_px]
    spots += _parted(pieces, _without_bodies(pieces, parted, edge_px), edge_px)
    least, most = LEAST_DIAMETER * edge_px, MOST_SINGLE * edge_px
    return [
        replace(s, x=s.x + origin[0], y=s.y % below + origin[1], is_dark=s.y < height)
        for s in spots
        if least <= s.diameter_px <= most
    ]


def pip_levels(maps: Image, edge_px: float) -> tuple[float, float]:
    """The contrast that dark and light pips in contrast maps have at least: a share of the strongest."""
    dark, light = (np.bincount(one.ravel(), minlength=256)[::-1].cumsum() for one in maps)
    few = max(4, int(min(edge_px, _FEW * edge_px**2)))
    dark_peak, light_peak = (255 - int(np.searchsorted(above, few)) for above in (dark, light))
    return max(_LEAST_CONTRAST, _SHARE * dark_peak), max(_LEAST_CONTRAST, _SHARE * light_peak)


@dataclass(frozen=True, slots=True, eq=False)
class _Pieces:
    """The pieces of a contrast map that may hold pips: which pixels are whose (0: nobody's), and of each
    (nobody: index 0) the contrast that a fifth of it exceeds, that of its middle and what few of its pixels
    exceed, and its box (x, y, width, height); ``inner``: what is above half of the first.
    """

    labels: NDArray[np.intp]
    peaks: Floats
    medians: Floats
    tops: Floats
    boxes: NDArray[np.int32]
    inner: Image

    @classmethod
    def of(cls, contrast: Image, edge_px: float) -> _Pieces:
        """What is above zero."""
        import cv2

        labels, stats = connected(contrast)
        sides, areas = stats[:, cv2.CC_STAT_WIDTH : cv2.CC_STAT_HEIGHT + 1], stats[:, cv2.CC_STAT_AREA]
        # at half its peak a spot is smaller than at this level; gloss may have taken the half of it
        least = max(3.0, 0.5 * np.pi / 4 * (LEAST_DIAMETER * edge_px) ** 2)
        kept = (sides.max(axis=1) >= 0.7 * LEAST_DIAMETER * edge_px) & (areas >= least)
        kept[0] = True
        which = np.flatnonzero(kept)
        new = np.zeros(len(stats), np.intp)
        new[which] = np.arange(len(which))
        own, areas = new[labels], areas[which]
        at = np.flatnonzero(own)
        counts = np.bincount(own.ravel()[at] * 256 + contrast.ravel()[at], minlength=len(which) * 256)
        reached = counts.reshape(len(which), 256).cumsum(axis=1)
        few = np.minimum(areas, max(4, int(_FEW * edge_px**2)))
        ranks = np.stack([0.8 * (areas - 1) + 1, 0.5 * (areas - 1) + 1, areas - few + 1]).astype(int)
        peaks, medians, tops = (reached < ranks[..., None]).sum(axis=2).astype(np.float64)
        halves = (0.5 * peaks).astype(np.float32)
        halves[0] = np.inf
        return cls(own, peaks, medians, tops, stats[which, :4], (contrast >= halves[own]).astype(np.uint8))


def _measured(pieces: _Pieces, edge_px: float) -> tuple[list[Spot], list[int]]:
    """The pieces that are one round spot each, their outlines filled (gloss), and which are not."""
    import cv2

    contours, nested = cv2.findContours(pieces.inner, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    largest: dict[int, tuple[int, int]] = {}  # of each piece: the length of its longest contour, which it is
    second: dict[int, int] = {}
    for k, contour in enumerate(contours):
        if nested[0][k][3] >= 0:
            continue  # the rim of a hole
        x, y = contour[0, 0]
        piece, size = int(pieces.labels[y, x]), len(contour)
        before = largest.get(piece, (0, -1))
        if size > before[0]:
            largest[piece] = (size, k)
        second[piece] = max(second.get(piece, 0), min(size, before[0]))
    longest = _LONGEST * np.pi * MOST_SINGLE * edge_px
    unclear = [piece for piece, (size, _) in largest.items() if size > longest]
    largest = {piece: one for piece, one in largest.items() if one[0] <= longest}
    solid = np.zeros(pieces.inner.shape, np.uint16)
    order = sorted(largest.items(), key=lambda item: -item[1][0])  # one within the ring of another: last
    for place, (_, (_, k)) in enumerate(order, 1):
        cv2.drawContours(solid, [contours[k]], 0, place, -1)
    ys, xs = np.nonzero(solid)
    own = solid[ys, xs]

    def total(weights: NDArray[np.intp] | None = None) -> Floats:
        return np.bincount(own, weights, len(order) + 1).astype(np.float64)

    area = np.maximum(total(), 1e-9)
    x, y = total(xs) / area, total(ys) / area
    # a pixel is a square of variance 1/12 along each axis
    xx, yy = total(xs * xs) / area - x * x + 1 / 12, total(ys * ys) / area - y * y + 1 / 12
    apart = np.hypot(xx - yy, 2 * (total(xs * ys) / area - x * y))
    long, short = (xx + yy + apart) / 2, np.maximum((xx + yy - apart) / 2, 1e-6)
    full = (area + 1) / (4 * np.pi * np.sqrt(long * short))
    spots: list[Spot] = []
    for place, (piece, (size, _)) in enumerate(order, 1):
        if area[place] < 3:
            continue
        # two spots that touch below half of their peaks are not one
        is_one = second[piece] <= size / 3 and full[place] >= _CLEARLY_FULL
        elongation = float(np.sqrt(long[place] / short[place]))
        if not is_one or elongation > _CLEARLY_ROUND:
            rim = contours[largest[piece][1]]
            hollow = _hollow(rim, float(pieces.peaks[piece])) if second[piece] <= size / 3 else None
            if hollow is None:
                unclear.append(piece)
            else:
                spots.append(hollow)
            continue
        at, diameter = (float(x[place]), float(y[place])), float(2 * np.sqrt(area[place] / np.pi))
        spots.append(Spot(*at, diameter, elongation, float(pieces.peaks[piece]), float(full[place])))
    return spots, unclear


def _hollow(contour: NDArray[np.int32], contrast: float) -> Spot | None:
    """The round spot out of whose rim a highlight took a part; None where the hull is not round."""
    import cv2

    hull = cv2.convexHull(contour)
    known = cv2.moments(hull)
    if known["m00"] < 3 or cv2.contourArea(contour) < _LEFT * known["m00"]:
        return None
    xx, yy, xy = (known[name] / known["m00"] for name in ("mu20", "mu02", "mu11"))
    apart = float(np.hypot(xx - yy, 2 * xy))
    elongation = float(np.sqrt((xx + yy + apart) / max(xx + yy - apart, 1e-6)))
    if elongation > _HOLLOW_ROUND:
        return None
    at = known["m10"] / known["m00"], known["m01"] / known["m00"]
    # the hull runs through the middles of the outer pixels
    return Spot(*at, float(2 * np.sqrt(known["m00"] / np.pi)) + 1, elongation, contrast, 1.0)


def _within(contrast: Image, pieces: _Pieces, which: list[int], edge_px: float) -> list[Spot]:
    """The spots that stand out in pieces which are a die themselves, or a part of one: of a yellow die on a
    grey floor the body is dark in blue, its pips are dark in all channels.
    """
    import cv2

    least = _LEAST_PART * edge_px**2
    base = np.zeros(len(pieces.peaks), np.uint8)
    base[which] = pieces.medians[which]
    off = pieces.tops - pieces.medians
    areas = np.bincount(pieces.labels.ravel(), minlength=len(base))
    base[(off < np.maximum(_LEAST_CONTRAST, _STANDS_OUT * pieces.medians)) | (areas < least)] = 0
    if not base.any():
        return []
    levels = base[pieces.labels]
    more = np.asarray(cv2.subtract(contrast, levels), np.uint8)
    more[(levels == 0) | (more <= _LEAST_CONTRAST)] = 0
    inner = _Pieces.of(more, edge_px)
    spots, unclear = _measured(inner, edge_px)
    spots += _parted(inner, [i for i in unclear if inner.boxes[i, 2:].min() < MOST_SINGLE * edge_px], edge_px)
    return [replace(spot, contrast=spot.contrast + _at(levels, spot)) for spot in spots]


def _at(picture: NDArray[Any], spot: Spot) -> int:
    """What is in the middle of a spot, which may be half a pixel outside."""
    height, width = picture.shape
    return int(picture[min(max(round(spot.y), 0), height - 1), min(max(round(spot.x), 0), width - 1)])


def _without_bodies(pieces: _Pieces, which: list[int], edge_px: float) -> list[int]:
    """Those pieces that are not the face of a die itself, lighter or darker than what is around it.  The pips
    of a six that run together fill less.
    """
    import cv2

    areas = np.bincount(pieces.labels.ravel(), pieces.inner.ravel(), len(pieces.peaks))

    def is_body(piece: int) -> bool:
        if areas[piece] < _LEAST_BODY * edge_px**2:
            return False
        x, y, w, h = pieces.boxes[piece].tolist()
        part = (slice(y, y + h), slice(x, x + w))
        own = (pieces.labels[part] == piece).astype(np.uint8) & pieces.inner[part]
        return bool(areas[piece] > _FULL_BODY * cv2.contourArea(cv2.convexHull(cv2.findNonZero(own))))

    return [piece for piece in which if not is_body(piece)]


def _parted(pieces: _Pieces, which: list[int], edge_px: float) -> list[Spot]:
    """The discs in pieces of several spots, or of a spot and a highlight: where they are widest."""
    if not which:
        return []
    import cv2

    chosen = np.zeros(len(pieces.peaks), np.uint8)
    chosen[which] = 1
    binary = cv2.copyMakeBorder(pieces.inner & chosen[pieces.labels], 3, 3, 3, 3, cv2.BORDER_CONSTANT)
    binary = without_holes(binary, np.pi / 4 * (_GLOSS * edge_px) ** 2)
    width = cv2.distanceTransform(binary, cv2.DIST_L2, 5)
    reach = max(3, 2 * round(0.06 * edge_px) + 1)
    widest = width >= cv2.max(cv2.dilate(width, square(reach)), _NARROW * edge_px / 2)
    ys, xs = np.nonzero(widest)
    # piece by piece, the widest first
    order = np.lexsort((-width[ys, xs], pieces.labels[ys - 3, xs - 3]))
    ys, xs = ys[order], xs[order]
    radii, owners = width[ys, xs], pieces.labels[ys - 3, xs - 3]
    # the middle of what is nearly as wide
    near = np.arange(-2, 3)
    around = width[ys[:, None, None] + near[:, None], xs[:, None, None] + near]
    weights = np.maximum(around - 0.75 * radii[:, None, None], 0)
    totals = weights.sum(axis=(1, 2))
    at_x = xs + weights.sum(axis=1) @ near / totals
    at_y = ys + weights.sum(axis=2) @ near / totals
    places = at_x + 1j * at_y
    near_one = np.abs((xs + 1j * ys)[None] - places[:, None]) <= 0.75 * (radii[None] + radii[:, None])
    near_one &= owners[None] == owners[:, None]
    spots: list[Spot] = []
    free = np.ones(len(xs), bool)
    peaks = pieces.peaks[owners].tolist()
    for i, (place, radius) in enumerate(zip((places - 3 - 3j).tolist(), radii.tolist(), strict=True)):
        if free[i]:
            spots.append(Spot(place.real, place.imag, 2 * radius, 1.0, peaks[i], 1.0, is_parted=True))
            free &= ~near_one[i]
    return spots

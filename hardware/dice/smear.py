"""Whether a face was moving while the shutter was open: its pips, which are round, are smeared one way."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from hardware.dice.patterns import templates, unit_row

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Floats32 = NDArray[np.float32]

# How long a still pip is against its width, and how sharp its edges one way against the other: both at most
# 1.2, with gloss on one side; a fifth of an edge of motion makes 1.3 and more.  Or it makes both together,
# longer and softer the same way, by this share in the mean (of 1,500 still faces: at most 0.145), and
# the outer corners of a six softer one way (1.17 at the most; 1.34 and more where it moved, once 1.18).
_MOST_LONG, _MOST_SOFT, _MOST_BOTH, _MOST_SOFT_SIX = 1.25, 1.28, 0.16, 1.24
# In edges: ways of the motion, how soft a moved face is besides, and how soft a still one: lens and focus.
_LENGTHS, _MOVED_SOFT, _STILL_SOFT = (0.2, 0.32, 0.45), (0.025, 0.055), (0.0, 0.03, 0.055, 0.08)
_WAYS = np.arange(8) * np.pi / 8
_TEMPLATES = 2  # those that fit best are tried
_KEPT = 32  # templates whose moved ones are kept: 50 rows of 600 floats each


def is_smeared(
    pips: Floats32,
    value: int,
    sites: Sequence[tuple[float, float]],
    most_long: float = _MOST_LONG,
    most_soft: float = _MOST_SOFT,
    most_both: float = _MOST_BOTH,
) -> bool:
    """Whether the pips of a face (side x side: 1 on pips, 0 between), laid upon one another, are longer or
    softer one way than the other, or a little of both.

    Those of a six run into one another: of it only the outer halves of the corners are looked at, and how
    soft they are.
    """
    _, xs, ys, disc = _pip_window(len(pips), value)
    faces = _pips_at(pips, value, sites)
    across, down = _slopes(faces)
    if value == 6:
        # the middles of its rows are at 0 the long way
        long_way = (1, 0) if min(abs(u) for u, _ in sites) < min(abs(v) for _, v in sites) else (0, 1)
        outward = tuple((_sign(u) * long_way[0], _sign(v) * long_way[1]) for u, v in sites)
        halves = _halves(len(pips), value, outward) * np.array([any(way) for way in outward])[:, None, None]
        return _ratio(_stretch(_moments(halves, across, down))) > _MOST_SOFT_SIX
    total = faces.mean(axis=0)
    weight = np.where(disc, np.maximum(total - 0.25, 0), 0)
    if weight.sum() <= 0:
        return False
    weight /= weight.sum()
    xs, ys = xs - (xs * weight).sum(), ys - (ys * weight).sum()
    long = _stretch(_moments(weight, xs, ys))
    if _ratio(long) > most_long:
        return True
    if _ratio(_stretch(_moments(disc, np.mean(across, axis=0), np.mean(down, axis=0)))) > most_soft:
        return True
    # of the halves towards the middle of the face: along its edges it shines
    halves = _halves(len(pips), value, tuple((-_sign(u), -_sign(v)) for u, v in sites))
    return abs(long - _stretch(_moments(halves, across, down))) / 2 > most_both


def _slopes(faces: Floats32) -> tuple[Floats32, Floats32]:
    """How steep each of the faces (n x height x width) is across and down; nothing at its edges, which are no
    part of a pip.
    """
    across, down = np.zeros_like(faces), np.zeros_like(faces)
    across[:, :, 1:-1] = (faces[:, :, 2:] - faces[:, :, :-2]) / 2
    down[:, 1:-1] = (faces[:, 2:] - faces[:, :-2]) / 2
    return across, down


def _pips_at(pips: Floats32, value: int, sites: Sequence[tuple[float, float]]) -> Floats32:
    """The surroundings of each pip (n x height x width)."""
    import cv2

    half, *_ = _pip_window(len(pips), value)
    padded = cv2.copyMakeBorder(pips, half, half, half, half, cv2.BORDER_CONSTANT)
    corners = [(round((0.5 + v) * len(pips) - 0.5), round((0.5 + u) * len(pips) - 0.5)) for u, v in sites]
    return np.array([padded[y : y + 2 * half + 1, x : x + 2 * half + 1] for y, x in corners], np.float32)


@lru_cache(_KEPT)
def _halves(side: int, value: int, ways: tuple[tuple[int, int], ...]) -> Floats32:
    """That half of each pip's disc which lies that way; the whole disc for no way.

    Half a disc has as much of its edge across as down.
    """
    _, xs, ys, disc = _pip_window(side, value)
    halves = [np.clip(0.5 + xs * u + ys * v, 0, 1) if u or v else np.ones_like(xs) for u, v in ways]
    return np.asarray(disc * np.array(halves), np.float32)


def _sign(place: float) -> int:
    return int(np.sign(round(place, 6)))


def _moments(weight: NDArray[Any], x: NDArray[Any], y: NDArray[Any]) -> tuple[float, float, float]:
    """The second moments: along x, along y, both."""
    wx, wy = (weight * x).ravel(), (weight * y).ravel()
    return float(wx @ x.ravel()), float(wy @ y.ravel()), float(wx @ y.ravel())


@cache
def _pip_window(side: int, value: int) -> tuple[int, Floats, Floats, NDArray[np.bool_]]:
    """What is looked at around a pip of a face: pixels each way, their places, which are in the disc."""
    radius = side * (0.32 if value == 1 else 0.17)  # no further than half way to the next pip
    half = int(np.ceil(radius)) + 1
    ys, xs = np.mgrid[-half : half + 1, -half : half + 1].astype(np.float64)
    return half, xs, ys, np.hypot(xs, ys) <= radius


def _stretch(moments: tuple[float, float, float]) -> complex:
    """How far the ellipse with these second moments is from a circle, 0 to 1, and which way: at twice the
    angle.
    """
    xx, yy, xy = moments
    total = max(xx + yy, 1e-9)
    return complex((xx - yy) / total, 2 * xy / total)


def _ratio(stretch: complex) -> float:
    """The ratio of the axes of that ellipse."""
    return float(np.sqrt((1 + abs(stretch)) / max(1 - abs(stretch), 1e-9)))


def fits_moved(pips: Floats32, value: int) -> bool:
    """Whether a face of that value (side x side) looks more like one that moved than like one that lay still,
    however soft.
    """
    known = templates(len(pips))
    row = unit_row(pips)
    own = np.flatnonzero(known.values == value)
    best = own[np.argsort(-(known.rows[own] @ row))[:_TEMPLATES]]
    fits = np.max([(_still_and_moved(len(pips), int(i)) @ row) for i in best], axis=0)
    return bool(fits[len(_STILL_SOFT) :].max() > fits[: len(_STILL_SOFT)].max())


@lru_cache(_KEPT)
def _still_and_moved(side: int, index: int) -> Floats32:
    """Rows for the template: still ones first, then moved ones, each as soft as a picture may be."""
    import cv2

    sharp = templates(side).pictures[index]
    faces = [(sharp, soft) for soft in _STILL_SOFT]
    for length in _LENGTHS:
        for way in _WAYS:
            moved = cv2.filter2D(sharp, -1, _line(side, length, float(way)), borderType=cv2.BORDER_CONSTANT)
            faces += [(np.asarray(moved, np.float32), soft) for soft in _MOVED_SOFT]
    rows = [
        unit_row(np.asarray(cv2.GaussianBlur(face, (0, 0), soft * side), np.float32) if soft else face)
        for face, soft in faces
    ]
    return np.array(rows, np.float32)


@cache
def _line(side: int, length: float, way: float) -> Floats32:
    """What motion by ``length`` edges makes of a point: a line, shared out to the pixels beside it."""
    half = int(np.ceil(length * side / 2)) + 1
    along = np.linspace(-length / 2, length / 2, 101) * side
    x, y = half + along * np.cos(way), half + along * np.sin(way)
    axis = np.arange(2 * half + 1)
    near_x, near_y = (np.maximum(0, 1 - np.abs(axis[:, None] - v)) for v in (x, y))
    line = near_y @ near_x.T
    return np.asarray(line / line.sum(), np.float32)

"""The six faces: where pips lie, which spots make a face, and how well a face fits each value.

All in the frame of a face: its middle is (0, 0), its edges are at -0.5 and 0.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Floats32 = NDArray[np.float32]

# How far pips lie from the middle, in edges: 16 mm dice 0.24 to 0.28, casino dice 0.28, large pips 0.22 to
# 0.25, Asian dice down to 0.2 (their six and four lie close together).
LEAST_SPREAD, MOST_SPREAD = 0.18, 0.32
_SITE_TOLERANCE = 0.075  # a quarter of the way between two pips of a six
_INNER = (
    MOST_SPREAD + 0.08
)  # within this of the middle is room for pips; further out for highlights on the edge
# All pips of a face are of one size and of one colour: what is smaller or fainter by that much is none of
# them.
_ALIKE, _AS_STRONG = 0.6, 0.4

# Corners of the pattern and what lies between, as signs along u and v.
PATTERNS: dict[int, tuple[tuple[tuple[int, int], ...], ...]] = {
    1: (((0, 0),),),
    2: (((-1, -1), (1, 1)), ((-1, 1), (1, -1))),
    3: (((-1, -1), (0, 0), (1, 1)), ((-1, 1), (0, 0), (1, -1))),
    4: (((-1, -1), (-1, 1), (1, -1), (1, 1)),),
    5: (((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),),
    6: (
        ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
        ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)),
    ),
}
_VALUES = {frozenset(sites): value for value, ways in PATTERNS.items() for sites in ways}


@dataclass(frozen=True, slots=True)
class Face:
    """Spots that make a face: its middle, direction of an edge (None for a single pip), spread; which spots,
    and where they are on the face."""

    value: int
    x: float
    y: float
    yaw: float | None
    spread: float
    spots: tuple[int, ...]
    sites: tuple[tuple[float, float], ...] = ((0.0, 0.0),)


def find_faces(points: Floats, diameters: Floats, contrasts: Floats, edge: float) -> list[Face]:
    """All faces of that edge that the points (n x 2, in any units of length) can make.

    A face needs every pip of its value and must hold no other point.  A pair of points is taken as
    the ends of a diagonal, so every face but the one is found from its own pips; a single point is
    a one where nothing else lies within a face's reach whatever its direction.
    """
    faces = _ones(points, diameters, contrasts, edge)
    if len(points) < 2:
        return faces
    apart = points[None, :, :] - points[:, None, :]
    length = np.hypot(apart[..., 0], apart[..., 1]) / (edge * 2 * np.sqrt(2))
    first, second = np.nonzero(np.triu((length >= LEAST_SPREAD) & (length <= MOST_SPREAD)))
    seen: set[tuple[int, ...]] = set()
    for i, j in zip(first, second, strict=True):
        face = _face_on(points, diameters, contrasts, edge, int(i), int(j), float(length[i, j]))
        if face and face.spots not in seen:
            seen.add(face.spots)
            faces.append(face)
    return faces


def _ones(points: Floats, diameters: Floats, contrasts: Floats, edge: float) -> list[Face]:
    ones = []
    for i, point in enumerate(points):
        near = (np.hypot(*(points - point).T) < _INNER * edge) & (diameters > _ALIKE * diameters[i])
        near &= contrasts > _AS_STRONG * contrasts[i]
        if near.sum() == 1:
            ones.append(Face(1, float(point[0]), float(point[1]), None, 0.0, (i,)))
    return ones


def _face_on(
    points: Floats, diameters: Floats, contrasts: Floats, edge: float, i: int, j: int, spread: float
) -> Face | None:
    middle = (points[i] + points[j]) / 2
    along = points[j] - points[i]
    yaw = float(np.arctan2(along[1], along[0]) - np.pi / 4)
    c, s = np.cos(yaw), np.sin(yaw)
    local = (points - middle) @ np.array([[c, -s], [s, c]]) / edge
    least = _ALIKE * (diameters[i] + diameters[j]) / 2
    clear = (diameters > least) & (contrasts > _AS_STRONG * (contrasts[i] + contrasts[j]) / 2)
    inside = np.nonzero((np.abs(local).max(axis=1) < _INNER) & clear)[0]
    if not 2 <= len(inside) <= 6:
        return None
    sites = []
    for index in inside:
        site = np.round(local[index] / spread)
        if np.abs(site).max() > 1 or np.hypot(*(local[index] - site * spread)) > _SITE_TOLERANCE:
            return None
        sites.append((int(site[0]), int(site[1])))
    value = _VALUES.get(frozenset(sites))
    if value is None or len(set(sites)) != len(sites):
        return None
    size = diameters[inside]
    if size.max() * _ALIKE > size.min():
        return None
    x, y, yaw, spread = _fitted(points[inside], np.array(sites, np.float64))
    return Face(value, x, y, yaw, spread / edge, tuple(map(int, inside)), _places(sites, spread / edge))


def _places(sites: list[tuple[int, int]], spread: float) -> tuple[tuple[float, float], ...]:
    return tuple((a * spread, b * spread) for a, b in sites)


def _fitted(points: Floats, sites: Floats) -> tuple[float, float, float, float]:
    """The middle, direction and spread that send the sites to the points with the least squares."""
    seen, known = points @ (1, 1j), sites @ (1, 1j)
    middle, centre = seen.mean(), known.mean()
    turn = np.vdot(known - centre, seen - middle) / np.vdot(known - centre, known - centre)
    at = middle - turn * centre
    return float(at.real), float(at.imag), float(np.angle(turn)), float(abs(turn))


@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """Every way a face may look, as rows of zero mean and unit length (``rows``), with their ``values``."""

    rows: Floats32
    values: NDArray[np.int64]


@cache
def templates(side: int) -> Templates:
    """The templates for a face of ``side`` x ``side`` pixels: all values, spreads and sizes of pips."""
    axis = (np.arange(side) + 0.5) / side - 0.5
    u, v = np.meshgrid(axis, axis)
    use = window(side)
    rows, values = [], []
    for value, ways in PATTERNS.items():
        for sites in ways:
            for spread, across, diameter in _shapes(value):
                picture = np.zeros((side, side))
                for a, b in sites:
                    # the long way of a six may be spread otherwise than its short way
                    far = np.hypot(u - a * spread, v - b * across)
                    picture = np.maximum(picture, np.clip((diameter / 2 - far) * side + 0.5, 0, 1))
                row = (picture - picture[use].mean())[use]
                rows.append(row / np.linalg.norm(row))
                values.append(value)
    return Templates(np.array(rows, np.float32), np.array(values))


def _shapes(value: int) -> list[tuple[float, float, float]]:
    if value == 1:
        return [(0.0, 0.0, d) for d in (0.14, 0.18, 0.22, 0.27, 0.33, 0.4)]
    spreads = (0.19, 0.22, 0.25, 0.28, 0.31)
    sizes = (0.14, 0.18, 0.22, 0.27)
    pairs = [(a, b) for a in spreads for b in spreads if a == b or (value == 6 and abs(a - b) < 0.07)]
    return [(a, b, d) for a, b in pairs for d in sizes if d < 0.95 * min(a, b)]


@cache
def window(side: int) -> NDArray[np.bool_]:
    """The part of a face of ``side`` x ``side`` pixels that is compared: without edges and rounded
    corners.
    """
    axis = np.abs((np.arange(side) + 0.5) / side - 0.5)
    u, v = np.meshgrid(axis, axis)
    return np.asarray((np.maximum(u, v) < 0.42) & (u + v < 0.76))


def scores(pips: Floats32, side: int) -> Floats:
    """How well ``pips`` (side x side; high on pips, low between) fits each value 1..6: correlations -1..1."""
    inside = pips[window(side)]
    inside = inside - inside.mean()
    norm = float(np.linalg.norm(inside))
    if norm < 1e-6:
        return np.zeros(6)
    known = templates(side)
    fits = known.rows @ (inside / norm)
    return np.array([fits[known.values == value].max() for value in range(1, 7)])


def site_levels(pips: Floats32, side: int, spread: float, sites: Sequence[tuple[int, int]]) -> Floats:
    """The mean of ``pips`` around each site (a disc of a tenth of the edge)."""
    axis = (np.arange(side) + 0.5) / side - 0.5
    u, v = np.meshgrid(axis, axis)
    return np.array([pips[np.hypot(u - a * spread, v - b * spread) < 0.06].mean() for a, b in sites])

"""The six faces: where pips lie, which spots make a face, and how well a face fits each value.

All in the frame of a face: its middle is (0, 0), its edges are at -0.5 and 0.5.
"""

from __future__ import annotations

from collections.abc import Iterator
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

    ``diameters`` in edges; ``contrasts`` above 0 for one kind of points and below for the other, which are
    not seen by the first: dark and light spots.

    A face needs every pip of its value and must hold no other point.  A pair of points is taken as
    the ends of a diagonal, so every face but the one is found from its own pips; a single point is
    a one where nothing else lies within a face's reach whatever its direction.
    """
    apart = points[None, :, :] - points[:, None, :]
    far = np.hypot(apart[..., 0], apart[..., 1])
    faces = _ones(points, far, diameters, contrasts, edge)
    length = far / (edge * 2 * np.sqrt(2))
    good = (length >= LEAST_SPREAD) & (length <= MOST_SPREAD) & (contrasts[None] * contrasts[:, None] > 0)
    good &= (diameters[None] >= _ALIKE * diameters[:, None]) & (
        diameters[:, None] >= _ALIKE * diameters[None]
    )
    first, second = np.nonzero(np.triu(good))
    seen: set[tuple[int, ...]] = set()
    for value, inside, sites in _on_diagonals(points, diameters, contrasts, edge, (first, second)):
        own = tuple(inside.tolist())
        if own in seen:
            continue
        seen.add(own)
        x, y, yaw, spread = _fitted(points[inside], sites)
        faces.append(Face(value, x, y, yaw, spread / edge, own, _places(sites, spread / edge)))
    return faces


def _ones(points: Floats, far: Floats, diameters: Floats, contrasts: Floats, edge: float) -> list[Face]:
    alike = diameters[None] > _ALIKE * diameters[:, None]
    alike &= contrasts[None] / contrasts[:, None] > _AS_STRONG
    alone = ((far < _INNER * edge) & alike).sum(axis=1) == 1
    return [
        Face(1, float(points[i, 0]), float(points[i, 1]), None, 0.0, (int(i),)) for i in np.nonzero(alone)[0]
    ]


def _on_diagonals(
    points: Floats,
    diameters: Floats,
    contrasts: Floats,
    edge: float,
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> Iterator[tuple[int, NDArray[np.intp], Floats]]:
    """Value, points and sites of each face of which such a pair is a diagonal; all pairs at once."""
    i, j = pairs
    if not len(i):
        return
    middle, along = (points[i] + points[j]) / 2, points[j] - points[i]
    length = np.hypot(along[:, 0], along[:, 1])
    spread = (length / (edge * 2 * np.sqrt(2)))[:, None, None]
    # the diagonal, turned back by an eighth, is the direction of an edge
    turn = along @ (1, 1j) / length * np.exp(-0.25j * np.pi)
    local = (points - middle[:, None]) @ np.array([1, 1j]) * (turn.conj() / edge)[:, None]
    places = np.stack([local.real, local.imag], axis=-1)
    clear = diameters > _ALIKE * ((diameters[i] + diameters[j]) / 2)[:, None]
    clear &= contrasts / ((contrasts[i] + contrasts[j]) / 2)[:, None] > _AS_STRONG
    inside = (np.abs(places).max(axis=-1) < _INNER) & clear
    sites = np.round(places / spread)
    off = places - sites * spread
    fits = (np.abs(sites).max(axis=-1) <= 1) & (np.hypot(off[..., 0], off[..., 1]) <= _SITE_TOLERANCE)
    size_of = np.where(inside, diameters, np.nan)
    good = (inside <= fits).all(axis=1) & inside[np.arange(len(i)), i] & inside[np.arange(len(i)), j]
    good[good] &= np.nanmax(size_of[good], axis=1) * _ALIKE <= np.nanmin(size_of[good], axis=1)
    for k in np.nonzero(good)[0]:
        own = np.nonzero(inside[k])[0]
        chosen = [(int(a), int(b)) for a, b in sites[k, own]]
        value = _VALUES.get(frozenset(chosen))
        if value == len(own):
            yield value, own, sites[k, own]


def _places(sites: Floats, spread: float) -> tuple[tuple[float, float], ...]:
    return tuple((float(a) * spread, float(b) * spread) for a, b in sites)


def _fitted(points: Floats, sites: Floats) -> tuple[float, float, float, float]:
    """The middle, direction and spread that send the sites to the points with the least squares."""
    seen, known = points @ (1, 1j), sites @ (1, 1j)
    middle, centre = seen.mean(), known.mean()
    turn = np.vdot(known - centre, seen - middle) / np.vdot(known - centre, known - centre)
    at = middle - turn * centre
    return float(at.real), float(at.imag), float(np.angle(turn)), float(abs(turn))


@dataclass(frozen=True, slots=True, eq=False)
class Templates:
    """Every way a face may look: ``pictures`` (n x side x side), the same as rows of zero mean and unit
    length, their ``values``; those of value v begin at ``starts[v - 1]``.
    """

    pictures: Floats32
    rows: Floats32
    values: NDArray[np.int64]
    starts: NDArray[np.intp]


@cache
def templates(side: int) -> Templates:
    """The templates for a face of ``side`` x ``side`` pixels: all values, spreads and sizes of pips."""
    axis = (np.arange(side) + 0.5) / side - 0.5
    u, v = np.meshgrid(axis, axis)
    pictures, values = [], []
    for value, ways in PATTERNS.items():
        for sites in ways:
            for spread, across, diameter in _shapes(value):
                picture = np.zeros((side, side))
                for a, b in sites:
                    # the long way of a six may be spread otherwise than its short way
                    far = np.hypot(u - a * spread, v - b * across)
                    picture = np.maximum(picture, np.clip((diameter / 2 - far) * side + 0.5, 0, 1))
                pictures.append(picture.astype(np.float32))
                values.append(value)
    rows = np.array([unit_row(picture) for picture in pictures])
    known = np.array(values)
    return Templates(np.array(pictures), rows, known, np.searchsorted(known, np.arange(1, 7)))


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


@cache
def _window_at(side: int) -> NDArray[np.intp]:
    return np.flatnonzero(window(side))


def unit_row(pips: Floats32) -> Floats32:
    """What is compared of a face (side x side), as a row of zero mean and unit length; zeros where it is
    even.
    """
    inside = pips.ravel()[_window_at(len(pips))]
    inside = inside - inside.mean()
    norm = float(np.linalg.norm(inside))
    return np.asarray(inside / norm if norm >= 1e-6 else np.zeros_like(inside), np.float32)


def scores(pips: Floats32) -> Floats:
    """How well ``pips`` (side x side; high on pips, low between) fits each value 1..6: correlations -1..1."""
    known = templates(len(pips))
    return np.asarray(np.maximum.reduceat(known.rows @ unit_row(pips), known.starts), np.float64)

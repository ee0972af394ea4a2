"""The six faces: where pips lie, which spots make a face, and how well a face fits each value.

All in the frame of a face: its middle is (0, 0), its edges are at -0.5 and 0.5.
"""

from __future__ import annotations

from cmath import phase
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Floats32 = NDArray[np.float32]
    Complexes = NDArray[np.complex128]

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
# The value of a set of sites: bit 3 u + v + 4 for the site (u, v); 0 for none.
_VALUES = np.zeros(512, np.intp)
for _value, _ways in PATTERNS.items():
    for _sites in _ways:
        _VALUES[sum(1 << 3 * _u + _v + 4 for _u, _v in _sites)] = _value


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
    at = np.asarray(points @ (1, 1j), np.complex128)
    far = np.abs(at[None] - at[:, None])
    faces = _ones(at, far, diameters, contrasts, edge)
    length = far / (edge * 2 * np.sqrt(2))
    good = (length >= LEAST_SPREAD) & (length <= MOST_SPREAD) & (contrasts[None] * contrasts[:, None] > 0)
    alike = diameters[None] >= _ALIKE * diameters[:, None]
    first, second = np.nonzero(np.triu(good & alike & alike.T))
    seen: set[tuple[int, ...]] = set()
    for value, own, sites in _on_diagonals(at, diameters, contrasts, edge, (first, second)):
        if own in seen:
            continue
        seen.add(own)
        middle, turn = _fitted(at[list(own)].tolist(), sites)
        spread = abs(turn) / edge
        places = tuple((site.real * spread, site.imag * spread) for site in sites)
        faces.append(Face(value, middle.real, middle.imag, phase(turn), spread, own, places))
    return faces


def _ones(at: Complexes, far: Floats, diameters: Floats, contrasts: Floats, edge: float) -> list[Face]:
    alike = diameters[None] > _ALIKE * diameters[:, None]
    alike &= contrasts[None] / contrasts[:, None] > _AS_STRONG
    alone = ((far < _INNER * edge) & alike).sum(axis=1) == 1
    return [Face(1, one.real, one.imag, None, 0.0, (i,)) for i, one in enumerate(at.tolist()) if alone[i]]


def _on_diagonals(
    at: Complexes,
    diameters: Floats,
    contrasts: Floats,
    edge: float,
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> Iterator[tuple[int, tuple[int, ...], list[complex]]]:
    """Value, points and sites of each face of which such a pair is a diagonal; all pairs at once."""
    i, j = pairs
    if not len(i):
        return
    middle, along = (at[i] + at[j]) / 2, at[j] - at[i]
    length = np.abs(along)
    # the diagonal, turned back by an eighth, is the direction of an edge
    back = along.conj() / length * (np.exp(0.25j * np.pi) / edge)
    local = (at - middle[:, None]) * back[:, None]
    clear = diameters > (_ALIKE / 2) * (diameters[i] + diameters[j])[:, None]
    clear &= contrasts / ((contrasts[i] + contrasts[j]) / 2)[:, None] > _AS_STRONG
    inside = (np.maximum(np.abs(local.real), np.abs(local.imag)) < _INNER) & clear
    spread = (length / (edge * 2 * np.sqrt(2)))[:, None]
    scaled = local / spread
    u, v = np.round(scaled.real), np.round(scaled.imag)
    fits = np.abs(scaled - (u + 1j * v)) * spread <= _SITE_TOLERANCE
    fits &= np.maximum(np.abs(u), np.abs(v)) <= 1
    rows = np.arange(len(i))
    good = (inside <= fits).all(axis=1) & inside[rows, i] & inside[rows, j]
    largest = np.where(inside, diameters, 0.0).max(axis=1)
    good &= largest * _ALIKE <= np.where(inside, diameters, np.inf).min(axis=1)
    # two points at one site carry into the next bit: then there are more points than bits, and no such value
    bits = np.where(inside & good[:, None], 1 << (3 * u + v + 4).clip(0, 8).astype(np.intp), 0).sum(axis=1)
    values = _VALUES[np.where(bits < 512, bits, 0)]
    for k in np.flatnonzero((values > 0) & (values == inside.sum(axis=1))).tolist():
        own = np.flatnonzero(inside[k])
        yield int(values[k]), tuple(own.tolist()), (u[k, own] + 1j * v[k, own]).tolist()


def _fitted(points: list[complex], sites: list[complex]) -> tuple[complex, complex]:
    """The middle, and the turn with its scale, that send the sites to the points with the least squares."""
    middle, centre = sum(points) / len(points), sum(sites) / len(sites)
    off = [site - centre for site in sites]
    turn = sum(o.conjugate() * (p - middle) for o, p in zip(off, points, strict=True))
    turn /= sum(abs(o) ** 2 for o in off)
    return middle - turn * centre, turn


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

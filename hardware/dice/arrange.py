"""Which cubes, laid side by side, explain what has changed: no pip twice, no cube inside another, nothing left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.solids import Cube

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Image = NDArray[np.uint8]

_MOST = 3  # cubes in one group; a third is only looked for to be able to name it
_WORTH = 0.3  # of an upper face: what one more cube must explain to be taken


@dataclass(frozen=True, slots=True)
class Guess:
    """One die that may be there: its value, the cube, and the spots that it claims."""

    value: int
    cube: Cube
    spots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Guesses that go together; ``cost`` is what they leave unexplained, in upper faces.

    ``rival`` is the cost of the best arrangement with other values.
    """

    guesses: tuple[Guess, ...]
    cost: float
    rival: float


def arrange(guesses: Sequence[Guess], shapes: Image, mask: Image, face_px: float) -> Arrangement:
    """The arrangement with the least left: changed and not covered, or covered and not changed.

    ``shapes`` (n x pixels, 0 or 1) are the guesses' outlines, ``mask`` (pixels, 0 or 1) what has changed.
    """
    bare = float(mask.sum()) / face_px
    if not guesses:
        return Arrangement((), bare, np.inf)
    covers = shapes.astype(np.float32)
    sizes = covers.sum(axis=1)
    gains = covers @ (2 * mask.astype(np.float32)) - sizes  # what each explains less what it claims in vain
    shared = covers @ (covers * 1.0).T
    shared_mask = (covers * mask.astype(np.float32)) @ covers.T
    apart = _compatible(guesses)
    alone = [(bare - float(gain) / face_px, (i,)) for i, gain in enumerate(gains)]
    double = gains[:, None] + gains[None, :] - (2 * shared_mask - shared)
    double = np.where(apart, double, -np.inf)
    pairs = _best_pairs(double, bare, face_px)
    ranked = sorted(_charged([*alone, *pairs, (bare, ())]))
    cost, chosen = ranked[0]
    if len(chosen) == 2 and cost - 2 * _WORTH > _WORTH:
        chosen, cost = _third(chosen, covers, mask, apart, face_px, cost)
    values = sorted(guesses[i].value for i in chosen)
    others = (c for c, picked in ranked if sorted(guesses[i].value for i in picked) != values)
    return Arrangement(tuple(guesses[i] for i in chosen), cost, next(others, np.inf))


def _charged(options: list[tuple[float, tuple[int, ...]]]) -> list[tuple[float, tuple[int, ...]]]:
    return [(cost + _WORTH * len(chosen), chosen) for cost, chosen in options]


def _best_pairs(double: Floats, bare: float, face_px: float) -> list[tuple[float, tuple[int, ...]]]:
    upper = np.triu(np.where(np.isfinite(double), double, -1e9), 1)
    rows, columns = np.triu_indices(len(double), 1)
    if not len(rows):
        return []
    values = upper[rows, columns]
    order = np.argsort(-values)[:60]
    return [
        (bare - float(values[i]) / face_px, (int(rows[i]), int(columns[i])))
        for i in order
        if values[i] > -1e8
    ]


def _third(
    chosen: tuple[int, ...], covers: Floats, mask: Image, apart: Floats, face_px: float, cost: float
) -> tuple[tuple[int, ...], float]:
    used = covers[list(chosen)].max(axis=0)
    left = mask * (1 - used)
    for i in np.argsort(-(covers @ left))[:5]:
        if all(apart[i, j] for j in chosen):
            union = np.maximum(used, covers[i])
            now = float(np.abs(union - mask).sum()) / face_px + _WORTH * 3
            if now < cost:
                return (*chosen, int(i)), now
    return chosen, cost


def _compatible(guesses: Sequence[Guess]) -> NDArray[np.bool_]:
    """Which guesses can both be there: no spot claimed twice, and cubes that do not share room."""
    count = len(guesses)
    possible = np.ones((count, count), bool)
    centres = np.array([(g.cube.x, g.cube.y) for g in guesses])
    far = np.hypot(*(centres[:, None] - centres[None]).transpose(2, 0, 1))
    edge = guesses[0].cube.edge
    # Two squares of that edge always overlap below one edge and never beyond its diagonal; a tenth for errors.
    possible &= far >= 0.9 * edge
    for i, j in zip(*np.nonzero(possible & (far < 1.45 * edge)), strict=True):
        if i < j and overlap(guesses[i].cube, guesses[j].cube) > 0.12 * edge:
            possible[i, j] = possible[j, i] = False
    return possible


def overlap(one: Cube, other: Cube) -> float:
    """How deep the footprints of two cubes reach into each other, in mm; negative when they are apart."""
    a, b = one.footprint(), other.footprint()
    depth = np.inf
    for yaw in (one.yaw, one.yaw + np.pi / 2, other.yaw, other.yaw + np.pi / 2):
        axis = np.array([np.cos(yaw), np.sin(yaw)])
        p, q = a @ axis, b @ axis
        depth = min(depth, float(min(p.max(), q.max()) - max(p.min(), q.min())))
    return depth

"""Which cubes, laid side by side, explain what has changed: no pip twice, no cube inside another, nothing
left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.solids import Cube, footprints

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Floats32 = NDArray[np.float32]

_WORTH = 0.3  # of an upper face: what one more cube must explain to be taken

# What a pip that finds its place is worth: between the six white pips of a red six is a dark spot, no one.
_A_PIP = 0.06
_MOST_GUESSES = 24  # that are held against one another
_CLOSE = 0.1  # of an upper face: what explains less by so little is a rival
_MOST_RIVALS = 8  # that are looked at


@dataclass(frozen=True, slots=True)
class Guess:
    """One die that may be there: its value, the cube, the spots that it claims, and where on the face they
    are.
    """

    value: int
    cube: Cube
    spots: tuple[int, ...]
    sites: tuple[tuple[float, float], ...] = ((0.0, 0.0),)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Guesses that go together, and ``rivals``: other values that explain nearly as much."""

    guesses: tuple[Guess, ...]
    rivals: tuple[tuple[Guess, ...], ...] = ()


def arrange(
    guesses: Sequence[Guess],
    tops: Sequence[Floats32],
    shapes: Sequence[Floats32],
    changed: Floats32,
    face_px: float,
) -> Arrangement:
    """The arrangement that leaves least: changed and outside all outlines, or on an upper face and not
    changed.

    ``tops`` and ``shapes`` are the guesses' upper faces and outlines, ``changed`` what has changed: each the
    share (0 to 1) of every pixel; ``face_px`` how many of them an upper face has.  Side faces may be as
    light as the floor or lie in shadow, so that they need not have changed.
    """
    bare = float(changed.sum()) / face_px
    if not guesses:
        return Arrangement(())
    covers, upper = np.stack(shapes), np.stack(tops)
    claimed = np.array([len(guess.spots) for guess in guesses])
    gain = (covers @ changed - upper @ (1 - changed)) / face_px - _WORTH + _A_PIP * claimed
    if len(guesses) > _MOST_GUESSES:
        best = np.argsort(-gain, kind="stable")[:_MOST_GUESSES]
        guesses, covers, gain = [guesses[i] for i in best], covers[best], gain[best]
    both = ((covers * changed) @ covers.T) / face_px  # what two would both explain counts once
    double = np.where(_compatible(guesses), gain[:, None] + gain[None, :] - both, -np.inf)
    options: list[tuple[float, tuple[int, ...]]] = [(bare, ())]
    options += [(bare - float(g), (i,)) for i, g in enumerate(gain)]
    rows, columns = np.nonzero(np.triu(np.isfinite(double), 1))
    options += [(bare - float(double[i, j]), (int(i), int(j))) for i, j in zip(rows, columns, strict=True)]
    options.sort()
    cost, chosen = options[0]
    if len(chosen) == 2:
        cost, chosen = _third(cost, chosen, gain, both, double)
    close = ([guesses[i] for i in picked] for c, picked in options if c < cost + _CLOSE)
    found = [guesses[i] for i in chosen]
    return Arrangement(tuple(found), _others(close, sorted(guess.value for guess in found)))


def _others(close: Iterable[Sequence[Guess]], values: Sequence[int]) -> tuple[tuple[Guess, ...], ...]:
    """The first with other values than these."""
    others = (tuple(guesses) for guesses in close if sorted(guess.value for guess in guesses) != values)
    return tuple(islice(others, _MOST_RIVALS))


def _third(
    cost: float, chosen: tuple[int, ...], gain: Floats, both: Floats, double: Floats
) -> tuple[float, tuple[int, ...]]:
    """One more, where it explains enough of what two leave."""
    i, j = chosen
    more = np.where(np.isfinite(double[i]) & np.isfinite(double[j]), gain - both[i] - both[j], -np.inf)
    k = int(more.argmax())
    return (cost - float(more[k]), (i, j, k)) if more[k] > 0 else (cost, chosen)


def _compatible(guesses: Sequence[Guess]) -> NDArray[np.bool_]:
    """Which guesses can both be there: no spot claimed twice, and cubes that do not share room."""
    # A tenth of an edge for errors.  Two squares nearer than that always overlap, with any spot in common.
    possible = overlaps([guess.cube for guess in guesses]) <= 0.12 * guesses[0].cube.edge
    centres = np.array([(g.cube.x, g.cube.y) for g in guesses])
    apart = centres[:, None] - centres[None]
    return np.asarray(possible & (np.hypot(apart[..., 0], apart[..., 1]) >= 0.9 * guesses[0].cube.edge))


def overlaps(cubes: Sequence[Cube]) -> Floats:
    """How deep the footprint of each cube reaches into that of each other, in mm (n x n); negative: apart."""
    corners = footprints(cubes)
    yaws = np.array([(cube.yaw, cube.yaw + np.pi / 2) for cube in cubes])
    axes = np.stack([np.cos(yaws), np.sin(yaws)], axis=-1)
    along = np.einsum("iad,jcd->iajc", axes, corners)
    high, low = along.max(axis=-1), along.min(axis=-1)
    own = np.arange(len(cubes))
    ends = high[own, :, own][:, :, None], low[own, :, own][:, :, None]
    depth = (np.minimum(high, ends[0]) - np.maximum(low, ends[1])).min(axis=1)
    return np.asarray(np.minimum(depth, depth.T), np.float64)

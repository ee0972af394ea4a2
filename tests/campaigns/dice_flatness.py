"""Learns the points of hardware/dice/evidence.py from drawn dice, flat and cocked ones beside supports.

python tests/campaigns/dice_flatness.py --frames 8400 --seed 1

Prints the table to put there, and how many of the dice of the other half it would take for flat: each half of
the trays is judged by points learned from the other.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from multiprocessing import Pool
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np
from dice_scenes import NEAR_SUPPORT, Scene, random_rig, random_scene
from numpy.typing import NDArray

from hardware.dice.evidence import Evidence
from hardware.dice.flatness import evidences
from hardware.dice.groups import Group
from hardware.dice.pips import read_dice
from hardware.dice.solids import Cube

Floats = NDArray[np.float64]

_PER_TRAY = 6  # frames of one rig
_BESIDE = 1.7  # edges between two dice of which one leans on the other
_BINS = 10  # of each kind of evidence, each with as many cases
_CAUTION = 3.0  # how much the points are held back: the square of a coefficient costs half of that
_POINTS = 10  # to a factor e of the odds
_STEPS = 12
_NAMES = [field.name for field in fields(Evidence) if field.name != "is_by_wall"]


@dataclass(frozen=True, slots=True)
class _Case:
    """What was seen of one die against one way in which it may lean."""

    tray: int
    die: int
    is_flat: bool
    is_by_wall: bool
    evidence: tuple[float, ...]


def main() -> int:
    """Draw, learn, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=8400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    with Pool(args.jobs) as pool:
        places = [(args.seed, n) for n in range(0, args.frames, _PER_TRAY)]
        cases = [case for some in pool.imap(_cases, places) for case in some]
    names = ("tray", "die", "is_flat", "is_by_wall")
    tray, die, is_flat, is_by_wall = (np.array([getattr(case, name) for case in cases]) for name in names)
    seen = np.array([case.evidence for case in cases])
    edges = [_edges(column) for column in seen.T]
    marks = _marks(seen, edges)
    halves = tray % 2
    sums = np.zeros(len(cases))
    for half in (0, 1):
        sums[halves == half] = marks[halves == half] @ _learned(
            marks[halves != half], is_flat[halves != half]
        )
    for support, own in (("wall", is_by_wall), ("die", ~is_by_wall)):
        _report(support, sums[own], die[own], is_flat[own])
    _print_table(edges, _learned(marks, is_flat))
    return 0


def _cases(place: tuple[int, int]) -> list[_Case]:
    """What is seen of the dice of one tray, flat and cocked."""
    cv2.setNumThreads(1)
    seed, first = place
    tray, rig = random_rig(np.random.default_rng((seed, first, 1)))
    cases: list[_Case] = []
    for n in range(first, first + _PER_TRAY):
        kind = NEAR_SUPPORT if n % 2 else "cocked"
        scene = random_scene(tray, rig, kind, np.random.default_rng((seed, n)))

        def recorded(group: Group, cube: Cube, *known: Any, n: int = n, scene: Scene = scene) -> bool:
            far = [np.hypot(die.centre[0] - cube.x, die.centre[1] - cube.y) for die in scene.dice]
            which = int(np.argmin(far))
            is_flat = scene.kind == NEAR_SUPPORT or which == 0
            on_wall = _far_apart(scene) > _BESIDE * cube.edge
            cases.extend(
                _Case(first // _PER_TRAY, 2 * n + which, is_flat, one.is_by_wall, astuple(one)[:-1])
                for one in evidences(group, cube, *known)
                if is_flat or one.is_by_wall == on_wall  # it leans on one thing, not on all that are near
            )
            return False  # so that the other dice are looked at as well

        with patch("hardware.dice.tray.leans", recorded):
            read_dice(scene.image, rig)
    return cases


def _far_apart(scene: Scene) -> float:
    """How far apart the two dice of a scene are, in mm."""
    one, other = scene.dice
    return float(np.hypot(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1]))


def _edges(values: Floats) -> Floats:
    """The borders of the bins: between as many cases each, in two digits."""
    borders = np.nanquantile(values, np.arange(1, _BINS) / _BINS)
    rounded = np.unique([float(f"{border:.2g}") for border in borders])
    return rounded[rounded > np.nanmin(values)]


def _marks(seen: Floats, edges: Sequence[Floats]) -> Floats:
    """1 for the bin of each evidence that a case is in, else 0; the last of each kind: nothing was seen."""
    columns = [np.ones((len(seen), 1))]
    for values, borders in zip(seen.T, edges, strict=True):
        bins = np.where(np.isnan(values), len(borders) + 1, np.searchsorted(borders, values, side="right"))
        columns.append(np.eye(len(borders) + 2)[bins])
    return np.hstack(columns)


def _learned(marks: Floats, is_flat: NDArray[np.bool_]) -> Floats:
    """Logistic regression by Newton's method; each square of a coefficient but the first costs."""
    weights, penalty = np.zeros(marks.shape[1]), np.full(marks.shape[1], _CAUTION)
    penalty[0] = 1e-6
    for _ in range(_STEPS):
        odds = 1 / (1 + np.exp(-marks @ weights))
        slope = marks.T @ (odds - is_flat) + penalty * weights
        curve = (marks * (odds * (1 - odds))[:, None]).T @ marks + np.diag(penalty)
        weights -= np.linalg.solve(curve, slope)
    return weights


def _report(support: str, sums: Floats, die: NDArray[np.intp], is_flat: NDArray[np.bool_]) -> None:
    """How many dice are taken for flat, by the least points that all ways to lean must leave."""
    dice = np.unique(die)
    least = np.array([sums[die == one].min() for one in dice]) * _POINTS
    truth = np.array([is_flat[die == one][0] for one in dice])
    _say(f"by a {support}: {truth.sum()} flat dice, {(~truth).sum()} cocked ones")
    _say("least points, taken for flat of the one, of the other")
    for points in range(-10, 41, 5):
        taken = least >= points
        _say(f"{points:4}  {taken[truth].mean():7.1%}  {taken[~truth].sum():4}")


def _print_table(edges: Sequence[Floats], weights: Floats) -> None:
    _say(f"start {round(_POINTS * weights[0])}")
    at = 1
    for name, borders in zip(_NAMES, edges, strict=True):
        own = np.round(_POINTS * weights[at : at + len(borders) + 2]).astype(int).tolist()
        at += len(own)
        shown = ", ".join(f"{border:g}" for border in borders)
        _say(f'    "{name}": (({shown}), {tuple(own[:-1])}, {own[-1]}),')


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

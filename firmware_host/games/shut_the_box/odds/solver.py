"""Best play by backward induction over all boxes, and where it ends.

A *payoff* says what each final score is worth to the player, the more the
better, nothing below 0; one column a payoff, so that many are solved at once.
A box is solved after all boxes with fewer open tiles: a layer at a time.

Needs numpy, so import it only where odds are wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firmware_host.games.shut_the_box.odds.graph import PARTS, Bools, Graph, Ints

Floats = NDArray[np.float64]
Numbers = NDArray[Any]  # floats, 64-bit integers, or Python's integers as objects

_NEVER = -1  # below every payoff: what a set that may not be shut is worth
_CELLS_AT_ONCE = 50_000  # boxes times columns: more do not fit a processor's cache (measured)
_SAME = 1e-12  # floats closer than this part of the largest payoff are the same value


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """Which die or dice, and which set, in every box.

    ``targets`` (outcomes, boxes, columns): the place after the best set, a box's own
    place where the outcome allows none.  ``is_one_die`` (boxes, columns).

    Of equal choices: one die before two; of sets, the fewest tiles, then the lowest.
    """

    targets: Ints
    is_one_die: Bools

    @classmethod
    def none(cls, graph: Graph, columns: int) -> Policy:
        """Giving up in every box."""
        places = np.arange(graph.boxes)[:, np.newaxis]
        targets = np.broadcast_to(places, (len(graph.outcomes), graph.boxes, columns)).copy()
        return cls(targets, np.zeros((graph.boxes, columns), dtype=np.bool_))


def parts(graph: Graph, columns: int) -> Iterator[slice]:
    """So many columns in parts that are best solved together."""
    size = max(1, _CELLS_AT_ONCE // graph.boxes)
    return (slice(start, min(start + size, columns)) for start in range(0, columns, size))


def solve(graph: Graph, payoff: Floats, policy: Policy | None = None) -> Floats:
    """What best play is worth from every box, before the roll: (boxes, columns).

    ``payoff``: (scores, columns), none below 0.  The choices are written into ``policy``.
    """
    stuck = payoff[graph.score_index]
    values = unsolved(stuck)
    weights = graph.weights / PARTS
    for layer in graph.layers[1:]:
        sets = values.take(graph.targets[:, layer], axis=0)
        play = LayerPlay.of(graph, layer, weights, sets, stuck[layer])
        values[layer] = play.values
        if policy is not None:
            play.write(policy, _SAME * float(payoff.max()))
    return values[:-1]


def solve_all(graph: Graph, payoff: Floats) -> Floats:
    """The same for many columns, in parts."""
    columns = payoff.shape[1]
    values = np.empty((graph.boxes, columns))
    for part in parts(graph, columns):
        values[:, part] = solve(graph, payoff[:, part])
    return values


def spread(graph: Graph, policy: Policy, start: int) -> Floats:
    """The chance of each final score from place ``start`` on: (scores, columns)."""
    columns = policy.is_one_die.shape[1]
    arriving = np.zeros((graph.boxes, columns))
    arriving[start] = 1.0
    staying = np.zeros((graph.boxes, columns))
    one, two = (graph.weights / PARTS)[:, :, np.newaxis, np.newaxis]
    for layer in reversed(graph.layers[1:]):
        if layer.start > start:
            continue
        flow = np.where(policy.is_one_die[layer], one, two) * arriving[layer]
        landed = _sum_by(policy.targets[:, layer], flow, layer.stop)
        arriving[: layer.start] += landed[: layer.start]
        staying[layer] = landed[layer]
    staying[0] = arriving[0]
    return _sum_by(graph.score_index[:, np.newaxis], staying, len(graph.scores))


def _sum_by(rows: Ints, amounts: Floats, size: int) -> Floats:
    """The amounts (..., columns) added up by the row that each goes to: (size, columns)."""
    columns = amounts.shape[-1]
    cells = np.broadcast_to(rows * columns + np.arange(columns), amounts.shape)
    sums = np.bincount(cells.ravel(), amounts.ravel(), size * columns)
    return sums.astype(np.float64, copy=False).reshape(size, columns)


def unsolved(stuck: Numbers) -> Numbers:
    """Values by place with the shut box alone known, and behind them a row for sets that may not be shut."""
    values = np.full((len(stuck) + 1, stuck.shape[1]), _NEVER, dtype=stuck.dtype)
    values[0] = stuck[0]
    return values


@dataclass(frozen=True, slots=True, eq=False)
class LayerPlay:
    """Best play in the boxes of one layer, from what each set is worth there.

    ``sets`` (sets, boxes, columns).  ``best`` (outcomes, boxes, columns).
    ``by_dice`` (2, boxes, columns): of rolling one die and two, below 0 where that is not allowed.
    """

    graph: Graph
    layer: slice
    sets: Numbers
    best: Numbers
    by_dice: Numbers

    @classmethod
    def of(cls, graph: Graph, layer: slice, weights: Numbers, sets: Numbers, stuck: Numbers) -> LayerPlay:
        """Best play where an outcome without a set is worth ``stuck`` (boxes, columns)."""
        best = np.empty((len(graph.outcomes), *stuck.shape), dtype=sets.dtype)
        for outcome, columns in enumerate(graph.outcomes):  # many times faster than reduceat over them
            np.maximum.reduce(sets[columns], axis=0, out=best[outcome])
        best = np.where(best < 0, stuck, best)
        totals = (weights @ best.reshape(len(best), -1)).reshape(2, *stuck.shape)
        return cls(graph, layer, sets, best, np.where(graph.may_roll[:, layer, np.newaxis], totals, _NEVER))

    @property
    def values(self) -> Numbers:
        """What the boxes are worth: (boxes, columns)."""
        found: Numbers = self.by_dice.max(axis=0)
        return found

    def write(self, policy: Policy, slack: float = 0) -> None:
        """Write the choices into ``policy``; less than ``slack`` apart is equal."""
        is_best = self.sets >= self.best.take(self.graph.outcome_of, axis=0) - slack
        targets = self.graph.targets[:, self.layer, np.newaxis]
        chosen = policy.targets[:, self.layer]
        for column in reversed(range(len(self.sets))):  # so that the first of the best is written last
            np.copyto(chosen[self.graph.outcome_of[column]], targets[column], where=is_best[column])
        one, two = self.by_dice
        policy.is_one_die[self.layer] = one >= two - slack

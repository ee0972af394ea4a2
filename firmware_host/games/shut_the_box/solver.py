"""Best play by backward induction over all boxes, and where it ends.

A *payoff* says what each final score is worth to the player, the more the
better, nothing below 0; one column a payoff, so that many are solved at once.
A box is solved after all boxes with fewer open tiles: a layer at a time.

Needs numpy, so import it only where odds are wanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firmware_host.games.shut_the_box.graph import PARTS, Bools, Graph, Ints

Floats = NDArray[np.float64]
Numbers = NDArray[Any]  # floats, 64-bit integers, or Python's integers as objects

_NEVER = -1  # below every payoff: what a set that may not be shut is worth
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


def solve(graph: Graph, payoff: Floats) -> Floats:
    """What best play is worth from every box, before the roll: (boxes, columns).

    ``payoff``: (scores, columns), none below 0.
    """
    stuck = payoff[graph.score_index]
    values = unsolved(stuck)
    weights = graph.weights / PARTS
    for layer in graph.layers[1:]:
        sets = values.take(graph.targets[:, layer], axis=0)
        best = best_sets(graph, sets, stuck[layer])
        values[layer] = by_dice(graph, layer, weights, best).max(axis=0)
    return values[:-1]


def choose(graph: Graph, payoff: Floats, values: Floats) -> Policy:
    """The choices that make the ``values`` that :func:`solve` found for ``payoff``."""
    stuck = payoff[graph.score_index]
    known = np.concatenate([values, np.full_like(stuck[:1], _NEVER)])
    weights = graph.weights / PARTS
    policy = no_policy(graph, stuck.shape[1])
    for layer in graph.layers[1:]:
        sets = known.take(graph.targets[:, layer], axis=0)
        choose_in_layer(graph, layer, weights, sets, stuck[layer], _SAME * float(payoff.max()), policy)
    return policy


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


def best_sets(graph: Graph, sets: Numbers, stuck: Numbers) -> Numbers:
    """Of ``sets`` (sets, boxes, columns) the best of each outcome, ``stuck`` where it allows none."""
    best = np.empty((len(graph.outcomes), *stuck.shape), dtype=sets.dtype)
    for outcome, columns in enumerate(graph.outcomes):  # many times faster than reduceat over them
        np.maximum.reduce(sets[columns], axis=0, out=best[outcome])
    return np.where(best < 0, stuck, best)


def by_dice(graph: Graph, layer: slice, weights: Numbers, best: Numbers) -> Numbers:
    """The value of rolling one die and two, (2, boxes, columns), where that is allowed."""
    totals = (weights @ best.reshape(len(best), -1)).reshape(2, *best.shape[1:])
    return np.where(graph.may_roll[:, layer, np.newaxis], totals, _NEVER)


def no_policy(graph: Graph, columns: int) -> Policy:
    """A policy that gives up in every box."""
    places = np.arange(graph.boxes)[:, np.newaxis]
    targets = np.broadcast_to(places, (len(graph.outcomes), graph.boxes, columns)).copy()
    return Policy(targets, np.zeros((graph.boxes, columns), dtype=np.bool_))


def choose_in_layer(
    graph: Graph, layer: slice, weights: Numbers, sets: Numbers, stuck: Numbers, slack: float, policy: Policy
) -> None:
    """Write the choices of a layer into ``policy``; less than ``slack`` apart is equal."""
    best = best_sets(graph, sets, stuck)
    is_best = sets >= best.take(graph.outcome_of, axis=0) - slack
    targets = graph.targets[:, layer, np.newaxis]
    chosen = policy.targets[:, layer]
    for column in reversed(range(len(sets))):  # so that the first of the best is written last
        np.copyto(chosen[graph.outcome_of[column]], targets[column], where=is_best[column])
    one, two = by_dice(graph, layer, weights, best)
    policy.is_one_die[layer] = one >= two - slack

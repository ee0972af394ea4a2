"""Best play in whole numbers, free of rounding: exact fractions and exact ties.

A turn from a box with n open tiles takes at most n rolls, so whatever it is
worth is a whole number of ``36**-n``.  Those whole numbers are what is solved
here, in 64-bit integers as far as they hold (every chance to shut, up to twelve
tiles), in Python's beyond.

Needs numpy, so import it only where odds are wanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from firmware_host.games.shut_the_box.odds.graph import PARTS, Graph
from firmware_host.games.shut_the_box.odds.solver import (
    LayerPlay,
    Numbers,
    Policy,
    unsolved,
)

_INT64_MAX = 2**63 - 1


@dataclass(frozen=True, slots=True, eq=False)
class Exact:
    """What best play is worth from every box under ``payoff``: whole numbers, none below 0, by final score.

    ``stuck`` (boxes, 1): what it is worth to end there.  ``counts`` (boxes + 1, 1): a box with n
    open tiles is worth ``counts * 36**-n``; the last row stands for sets that may not be shut.
    """

    graph: Graph
    stuck: Numbers
    counts: Numbers

    @classmethod
    def solve(cls, graph: Graph, payoff: tuple[int, ...]) -> Exact:
        """Solved; some two milliseconds for nine tiles."""
        largest = max(payoff)
        kind = np.int64 if largest <= _INT64_MAX else object
        stuck = np.array(payoff, dtype=kind)[graph.score_index, np.newaxis]
        counts = unsolved(stuck)
        for number, layer in enumerate(graph.layers[1:], 1):
            if largest * PARTS**number > _INT64_MAX:
                counts = counts.astype(object)
            counts[layer] = _play(graph, layer, counts, stuck).values
        return cls(graph, stuck, counts)

    def payoff_by_dice(self, place: int) -> dict[int, int]:
        """What rolling one die or two is worth at ``place``, where it may be rolled, counted as there."""
        layer = slice(place, place + 1)
        counts = _play(self.graph, layer, self.counts, self.stuck).by_dice.ravel().tolist()
        return {dice: count for dice, count in enumerate(counts, 1) if count >= 0}

    def policy(self) -> Policy:
        """The choices that make the values, with the tie-break of :class:`Policy`."""
        policy = Policy.none(self.graph, 1)
        for layer in self.graph.layers[1:]:
            _play(self.graph, layer, self.counts, self.stuck).write(policy)
        return policy


def _play(graph: Graph, layer: slice, counts: Numbers, stuck: Numbers) -> LayerPlay:
    """Best play in ``layer``, where each set and no set are counted in the same parts.

    Those are the parts after the roll, a 36th as many as before it.
    """
    sets = counts.take(graph.targets[:, layer], axis=0)
    parts = (PARTS ** (graph.sizes - 1))[:, np.newaxis, np.newaxis]
    left = stuck[layer].astype(counts.dtype) * PARTS ** (graph.open_tiles(layer.start) - 1)
    return LayerPlay.of(graph, layer, graph.weights, sets * parts, left)


def spread_exactly(graph: Graph, policy: Policy, start: int) -> dict[int, Fraction]:
    """The chance of each final score that can come from place ``start`` on, by score ascending."""
    targets = policy.targets[:, :, 0].T.tolist()
    is_one_die = policy.is_one_die[:, 0].tolist()
    one, two = graph.weights.tolist()
    whole = PARTS ** graph.open_tiles(start)
    arriving = [0] * (start + 1)
    arriving[start] = whole
    ended = [0] * len(graph.scores)
    for place in range(start, 0, -1):
        part = arriving[place] // PARTS  # without a remainder: each roll so far shut a tile
        if not part:
            continue
        for target, weight in zip(targets[place], one if is_one_die[place] else two, strict=True):
            if target == place:
                ended[graph.score_index[place]] += part * weight
            else:
                arriving[target] += part * weight
    ended[graph.score_index[0]] += arriving[0]
    scores = graph.scores.tolist()
    return {score: Fraction(count, whole) for score, count in zip(scores, ended, strict=True) if count}

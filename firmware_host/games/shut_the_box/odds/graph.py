"""Every box of a tile set, and where each roll may lead, as arrays.

Made from the rules' own :func:`legal_shuts`, :func:`dice_allowed` and
:func:`add_to_score`; nothing of the rules is written here again.  Three things
are used that hold for all of them (and are tested for all of them):

- a roll may shut in a box what it may shut in the full box, where those tiles
  are still open; a first-roll setting narrows the full box alone;
- where one die is refused, it is refused with more tiles open too;
- a score grows tile by tile, from left to right.

Needs numpy, so import it only where odds are wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from firmware_host.games.shut_the_box.box import Box, tiles_to_mask
from firmware_host.games.shut_the_box.notation import HIGHEST_TILE
from firmware_host.games.shut_the_box.rules import (
    FirstRoll,
    Rules,
    Shut,
    add_to_score,
    dice_allowed,
    legal_shuts,
)

PARTS = 36  # a roll's chance is counted in 36ths, with one die as with two

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_PIPS = range(1, 7)
_NO_BOX = 1 << HIGHEST_TILE  # no mask of tiles is as large
_NO_SET = (HIGHEST_TILE + 1,)  # no box has such a tile


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """``boxes`` boxes by place: by number of open tiles, then by mask; place 0 is the shut box.

    Rolls that may shut the same sets are one *outcome*; the sets of an outcome lie
    side by side, in the order of :func:`legal_shuts`, outcome after outcome.

    ``places``: place by mask.  ``layers``: the places with 0, 1, 2 ... open tiles.
    ``targets`` (sets, boxes): the place after a set is shut, ``boxes`` where it may not be.
    ``sizes`` (sets,): tiles in a set.  ``outcome_of`` (sets,); ``outcomes``: the sets of each.
    ``weights`` (2, outcomes): 36ths with one die, with two.  ``may_roll`` (2, boxes).
    ``scores``: each possible final score, ascending.  ``score_index`` (boxes,): into it.
    """

    rules: Rules
    places: Ints
    layers: tuple[slice, ...]
    targets: Ints
    sizes: Ints
    outcome_of: Ints
    outcomes: tuple[slice, ...]
    weights: Ints
    may_roll: Bools
    scores: Ints
    score_index: Ints

    @classmethod
    def of(cls, rules: Rules) -> Graph:
        """The graph of ``rules``; half a millisecond for nine tiles, one and a half for twelve."""
        masks, scores, layers = _boxes(rules)
        places = np.full(_NO_BOX + 1, len(masks))
        places[masks] = np.arange(len(masks))
        outcomes = _outcomes(rules)
        sets = [tiles_to_mask(shut) for shuts in outcomes for shut in shuts]
        counts = [len(shuts) for shuts in outcomes]
        column = np.array(sets)[:, np.newaxis]
        targets = places[np.where(masks & column == column, masks ^ column, _NO_BOX)]
        targets[_refused_first(rules, outcomes), -1] = len(masks)
        final, index = np.unique(scores, return_inverse=True)
        return cls(
            rules=rules,
            places=places,
            layers=layers,
            targets=targets,
            sizes=np.array([mask.bit_count() for mask in sets]),
            outcome_of=np.repeat(np.arange(len(counts)), counts),
            outcomes=tuple(
                slice(stop - count, stop) for count, stop in zip(counts, accumulate(counts), strict=True)
            ),
            weights=np.array([roll.weights for roll in outcomes.values()]).T,
            may_roll=_may_roll(rules, places, len(masks)),
            scores=final,
            score_index=index,
        )

    @property
    def boxes(self) -> int:
        """How many boxes there are: 2 to the number of tiles."""
        return len(self.score_index)

    def place(self, box: Box) -> int:
        """Where ``box`` lies in every array by box."""
        return int(self.places[box.mask])

    def open_tiles(self, place: int) -> int:
        """How many tiles are open in the box at ``place``."""
        return next(n for n, layer in enumerate(self.layers) if place < layer.stop)


@dataclass(slots=True)
class _Outcome:
    """Rolls that may shut the same sets: one of them, and the 36ths of all with one die and with two."""

    dice: tuple[int, ...]
    weights: list[int]


def _rolls() -> Iterator[tuple[tuple[int, ...], int]]:
    """Every roll, dice ascending, and its chance in 36ths."""
    yield from (((die,), PARTS // 6) for die in _PIPS)
    for one, other in combinations_with_replacement(_PIPS, 2):
        yield (one, other), 1 if one == other else 2


def _outcomes(rules: Rules) -> dict[tuple[Shut, ...], _Outcome]:
    """The outcomes by the sets that they may shut in a box; the empty outcome has the set that none may.

    That set keeps every outcome at one column at least.
    """
    full, later = Box.full(rules.tiles), replace(rules, first_roll=FirstRoll.FREE)
    outcomes: dict[tuple[Shut, ...], _Outcome] = {}
    for dice, parts in _rolls():
        shuts = legal_shuts(full, dice, later) or (_NO_SET,)
        outcome = outcomes.setdefault(shuts, _Outcome(dice, [0, 0]))
        outcome.weights[len(dice) - 1] += parts
    return outcomes


def _refused_first(rules: Rules, outcomes: dict[tuple[Shut, ...], _Outcome]) -> list[int]:
    """The columns of sets that the full box alone refuses."""
    full = Box.full(rules.tiles)
    refused: list[int] = []
    column = 0
    for shuts, outcome in outcomes.items():
        allowed = legal_shuts(full, outcome.dice, rules)
        refused += [column + i for i, shut in enumerate(shuts) if shut not in allowed]
        column += len(shuts)
    return refused


def _boxes(rules: Rules) -> tuple[Ints, Ints, tuple[slice, ...]]:
    """Mask and score of each box by place, and the layers."""
    masks = scores = open_tiles = np.zeros(1, dtype=np.int64)
    for tile in rules.tiles:
        masks = np.concatenate([masks, masks | tiles_to_mask([tile])])
        scores = np.concatenate([scores, add_to_score(scores, tile, rules.scoring)])
        open_tiles = np.concatenate([open_tiles, open_tiles + 1])
    order = np.argsort(open_tiles, kind="stable")
    layers, start = [], 0
    for number in range(len(rules.tiles) + 1):
        stop = start + comb(len(rules.tiles), number)
        layers.append(slice(start, stop))
        start = stop
    return masks[order], scores[order], tuple(layers)


def _may_roll(rules: Rules, places: Ints, boxes: int) -> Bools:
    """Whether one die (row 0) and two (row 1) may be rolled in each box."""
    may_roll = np.zeros((2, boxes), dtype=np.bool_)
    may_roll[1] = True
    alone = [t for t in rules.tiles if 1 in dice_allowed(Box(rules.tiles, tiles_to_mask([t])), rules)]
    masks = [0]
    for tile in alone:  # whatever else is open, one die is refused
        masks += [mask | tiles_to_mask([tile]) for mask in masks]
    for mask in masks[1:]:
        allowed = dice_allowed(Box(rules.tiles, mask), rules)
        may_roll[:, places[mask]] = 1 in allowed, 2 in allowed
    return may_roll

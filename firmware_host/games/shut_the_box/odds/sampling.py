"""A match of several rounds: each seat's chance, sampled, with its error.

Exact best play for a whole match of totals is out of reach, so every turn is
played for the least expected score, and the rest of the match is drawn many
times.  A round's own chances are exact: see ``live``.

Needs numpy, so import it only where odds are wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from firmware_host.errors import RuleError
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.odds.graph import Bools, Graph, Ints
from firmware_host.games.shut_the_box.odds.solver import Floats, Policy, solve, spread

KINDS = ("rounds", "last-standing", "to-limit")


@dataclass(frozen=True, slots=True)
class Plan:
    """How a match ends.

    ``rounds``: after ``limit`` more rounds, the one that is being played included; the
    lowest total wins.  ``last-standing``: who has ``limit`` or more is out; the last one
    in wins, the lowest total of the last where all go out together.  ``to-limit``: when
    someone has ``limit`` or more; the lowest total wins.  Who ties shares.

    ``shut_wins_round``: who has not played yet when the box is shut scores nothing.
    """

    kind: str
    limit: int
    shut_wins_round: bool = False

    def __post_init__(self) -> None:
        """Raises RuleError for another kind."""
        if self.kind not in KINDS:
            raise RuleError(f"match kind {self.kind!r}; allowed: {', '.join(KINDS)}")


@dataclass(frozen=True, slots=True)
class Sampled:
    """Each seat's chance, and the standard error of that."""

    chances: tuple[float, ...]
    errors: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Sampler:
    """Draws matches under one set of rules.  ``policy``: for the least expected score."""

    graph: Graph
    policy: Policy

    @classmethod
    def of(cls, graph: Graph) -> Sampler:
        """A sampler; a millisecond for nine tiles."""
        policy = Policy.none(graph, 1)
        solve(graph, (graph.scores[-1] - graph.scores)[:, np.newaxis].astype(np.float64), policy)
        return cls(graph, policy)

    def sample(
        self,
        plan: Plan,
        totals: Sequence[int],
        scores: Sequence[int | None],
        box: Box,
        chance: np.random.Generator,
        matches: int = 4000,
    ) -> Sampled:
        """The chances in a match that stands at ``totals``, ``scores`` of this round not yet added.

        ``scores``: None where a seat has not played; the first of them that is in plays now, with
        ``box``.  In ``last-standing`` a seat whose total has reached the limit is out.
        ``chance`` makes it repeatable: the same state, the same answer.
        """
        full = Box.full(self.graph.rules.tiles)
        draw = _Matches.start(plan, totals, matches)
        to_play = [seat for seat, score in enumerate(scores) if score is None and draw.is_in[0, seat]]
        points = self._turns(full, chance, draw.totals.shape)
        for seat in to_play[:1]:
            points[:, seat] = self._turns(box, chance, (matches,))
        for seat, score in enumerate(scores):
            if score is not None:
                points[:, seat] = score
        draw.play(points)
        while not draw.is_over.all():
            draw.play(self._turns(full, chance, draw.totals.shape))
        chances, errors = draw.shares.mean(axis=0), draw.shares.std(axis=0) / np.sqrt(matches)
        return Sampled(tuple(chances.tolist()), tuple(errors.tolist()))

    def _turns(self, box: Box, chance: np.random.Generator, shape: tuple[int, ...]) -> Ints:
        """Final scores of turns from ``box``."""
        ends = spread(self.graph, self.policy, self.graph.place(box))[:, 0].cumsum()
        index = ends.searchsorted(chance.random(shape) * ends[-1], side="right")
        found: Ints = self.graph.scores[index.clip(max=len(ends) - 1)]
        return found


@dataclass(slots=True, eq=False)
class _Matches:
    """Many matches at once: ``totals``, ``is_in`` and ``shares`` (matches, seats), ``is_over`` (matches,)."""

    plan: Plan
    totals: Ints
    is_in: Bools
    shares: Floats
    is_over: Bools
    rounds: int = 0

    @classmethod
    def start(cls, plan: Plan, totals: Sequence[int], matches: int) -> _Matches:
        """All as they stand."""
        standing = np.tile(np.array(totals, dtype=np.int64), (matches, 1))
        is_in = standing < plan.limit if plan.kind == "last-standing" else np.full(standing.shape, True)
        return cls(plan, standing, is_in, np.zeros(standing.shape), np.zeros(matches, dtype=np.bool_))

    def play(self, points: Ints) -> None:
        """Add a round to every match that is not over, and see who has won."""
        self.rounds += 1
        if self.plan.shut_wins_round:
            shut = (points == 0) & self.is_in
            points = np.where(shut.cumsum(axis=1) > 0, 0, points)
        goes_on = ~self.is_over[:, np.newaxis]
        self.totals += np.where(self.is_in & goes_on, points, 0)
        reached = (self.totals >= self.plan.limit) & self.is_in
        match self.plan.kind:
            case "last-standing":
                left = self.is_in & ~reached
                ends = left.sum(axis=1) <= 1
                rivals = np.where(left.any(axis=1, keepdims=True), left, self.is_in)
                self.is_in = np.where(ends[:, np.newaxis], self.is_in, left)
            case "to-limit":
                ends, rivals = reached.any(axis=1), self.is_in
            case _:
                ends, rivals = np.full(len(points), self.rounds >= self.plan.limit), self.is_in
        self._end(ends & ~self.is_over, rivals)

    def _end(self, ends: Bools, rivals: Bools) -> None:
        """The lowest total of ``rivals`` wins where a match ``ends``."""
        totals = np.where(rivals, self.totals, np.iinfo(np.int64).max)
        lowest = totals == totals.min(axis=1, keepdims=True)
        self.shares[ends] = (lowest / lowest.sum(axis=1, keepdims=True))[ends]
        self.is_over |= ends

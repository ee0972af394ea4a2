"""A turn's odds for one aim, as exact fractions.

Needs numpy, so import it only where odds are wanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.odds.advice import Advice, rank
from firmware_host.games.shut_the_box.odds.aims import Aim
from firmware_host.games.shut_the_box.odds.exact import Exact, spread_exactly
from firmware_host.games.shut_the_box.odds.graph import PARTS, Graph
from firmware_host.games.shut_the_box.rules import Rules, legal_shuts


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What every box is worth for one aim: a chance, or an expected score; a :class:`Valuation`.

    ``highest``: the score with all tiles open.
    """

    aim: Aim
    highest: int
    exact: Exact

    @classmethod
    def of(cls, graph: Graph, aim: Aim) -> Table:
        """The table of ``aim``; a millisecond for nine tiles."""
        scores = graph.scores.tolist()
        payoff = tuple(aim.payoff(score, scores[-1]) for score in scores)
        return cls(aim, scores[-1], Exact.solve(graph, payoff))

    @property
    def rules(self) -> Rules:
        """How the turn is played."""
        return self.exact.graph.rules

    @property
    def less_is_better(self) -> bool:
        """Best play makes the value small."""
        return self.aim.less_is_better

    def value(self, box: Box) -> Fraction:
        """What ``box`` is worth before the roll, best played."""
        return self._value(self._count(box), PARTS ** box.mask.bit_count())

    def value_when_stuck(self, box: Box) -> Fraction:
        """What it is worth to end with ``box``."""
        return self._value(int(self.exact.stuck[self.exact.graph.place(box), 0]), 1)

    def value_by_dice(self, box: Box) -> dict[int, Fraction]:
        """What rolling one die or two is worth, where it may be rolled; empty when the box is shut."""
        if box.is_shut:
            return {}
        parts = PARTS ** box.mask.bit_count()
        by_dice = self.exact.payoff_by_dice(self.exact.graph.place(box))
        return {dice: self._value(count, parts) for dice, count in by_dice.items()}

    def advise(self, box: Box, dice: tuple[int, ...]) -> Advice[Fraction]:
        """Every legal set for ``dice``, best first, and every exact tie for best.

        Raises RuleError for other dice than one or two values 1..6.
        """
        legal = legal_shuts(box, dice, self.rules)
        if not legal:
            return Advice(self.value_when_stuck(box), (), ())
        payoffs, values = [], []
        for shut in legal:
            left = box.shut(shut)
            count = self._count(left)
            payoffs.append(count * PARTS ** len(shut))  # all in the same parts
            values.append(self._value(count, PARTS ** left.mask.bit_count()))
        return rank(legal, payoffs, values)

    def best_dice(self, box: Box) -> tuple[int, ...]:
        """Every number of dice that nothing beats; ``()`` when the box is shut."""
        if box.is_shut:
            return ()
        payoffs = self.exact.payoff_by_dice(self.exact.graph.place(box))
        best = max(payoffs.values())
        return tuple(dice for dice, payoff in payoffs.items() if payoff == best)

    def final_scores(self, box: Box) -> dict[int, Fraction]:
        """The chance of each final score from ``box`` on, by score ascending.

        Played for this aim.  Where choices are exactly equal: one die before two; of
        sets, the fewest tiles, then the lowest.
        """
        return spread_exactly(self.exact.graph, self.exact.policy(), self.exact.graph.place(box))

    def _count(self, box: Box) -> int:
        return int(self.exact.counts[self.exact.graph.place(box), 0])

    def _value(self, count: int, parts: int) -> Fraction:
        return self.aim.value(count, parts, self.highest)

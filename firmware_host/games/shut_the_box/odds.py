"""The exact odds of a turn: what every box, roll and set is worth, for any rules and aim.

>>> table = Odds(Rules()).table(Aim.parse("shut"))
>>> table.value(Box.parse("123456789"))
Fraction(956177159, 9795520512)

numpy is imported when an :class:`Odds` is made; importing this module needs none.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from firmware_host.errors import RequirementError
from firmware_host.games.shut_the_box import advice
from firmware_host.games.shut_the_box.aims import Aim
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.rules import Rules

if TYPE_CHECKING:
    from firmware_host.games.shut_the_box.chances import MatchOdds
    from firmware_host.games.shut_the_box.exact import Exact
    from firmware_host.games.shut_the_box.solver import Floats


class Odds:
    """The odds under one set of rules; makes a table for each aim."""

    def __init__(self, rules: Rules) -> None:
        """Lay out the boxes; RequirementError where numpy is missing."""
        try:
            from firmware_host.games.shut_the_box.graph import Graph
        except ModuleNotFoundError as error:
            raise RequirementError(
                f"odds need {error.name}, which is not installed; pip install 'boxkeeper[odds]'"
            ) from None
        self.rules = rules
        self.graph = Graph.of(rules)

    def table(self, aim: Aim) -> Table:
        """What every box is worth for ``aim``, as exact fractions."""
        from firmware_host.games.shut_the_box.exact import Exact

        scores = self.graph.scores.tolist()
        payoff = tuple(aim.payoff(score, scores[-1]) for score in scores)
        return Table(self.rules, aim, scores[-1], Exact.solve(self.graph, payoff))

    def beat_every_target(self) -> Floats:
        """The best chance to beat each possible final score, from every box: (boxes, scores).

        Boxes by ``graph.place``, scores by ``graph.scores``; exactly the score is half a win.
        """
        from firmware_host.games.shut_the_box.chances import beat_payoffs
        from firmware_host.games.shut_the_box.solver import solve

        return solve(self.graph, beat_payoffs(len(self.graph.scores)))

    def match(self, players: int, *, shut_wins: bool = True, ties: str = "shared") -> MatchOdds:
        """Each player's chances in a round of up to ``players``; see :class:`MatchOdds`."""
        from firmware_host.games.shut_the_box.chances import MatchOdds

        return MatchOdds.of(self.graph, players, shut_wins=shut_wins, ties=ties)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What every box is worth for one aim: a chance, or an expected score; a :class:`Valuation`.

    ``highest``: the score with all tiles open.
    """

    rules: Rules
    aim: Aim
    highest: int
    exact: Exact

    @property
    def less_is_better(self) -> bool:
        """Best play makes the value small."""
        return self.aim.less_is_better

    def value(self, box: Box) -> Fraction:
        """What ``box`` is worth before the roll, best played."""
        return self._natural(self.exact.value(self.exact.graph.place(box)))

    def value_when_stuck(self, box: Box) -> Fraction:
        """What it is worth to end with ``box``."""
        return self._natural(self.exact.value_when_stuck(self.exact.graph.place(box)))

    def value_by_dice(self, box: Box) -> dict[int, advice.Value]:
        """What rolling one die or two is worth, where it may be rolled; empty when the box is shut."""
        if box.is_shut:
            return {}
        by_dice = self.exact.value_by_dice(self.exact.graph.place(box))
        return {dice: self._natural(payoff) for dice, payoff in by_dice.items()}

    def advise(self, box: Box, dice: tuple[int, ...]) -> advice.Advice:
        """Every legal set for ``dice``, best first, and every exact tie for best."""
        return advice.advise(self, box, dice)

    def best_dice(self, box: Box) -> tuple[int, ...]:
        """Every number of dice that nothing beats; ``()`` when the box is shut."""
        return advice.best_dice(self, box)

    def final_scores(self, box: Box) -> dict[int, Fraction]:
        """The chance of each final score from ``box`` on, by score ascending.

        Played for this aim.  Where choices are exactly equal: one die before two; of
        sets, the fewest tiles, then the lowest.
        """
        from firmware_host.games.shut_the_box.exact import spread_exactly

        return spread_exactly(self.exact.graph, self.exact.policy(), self.exact.graph.place(box))

    def _natural(self, payoff: Fraction) -> Fraction:
        return self.aim.value(payoff, self.highest)

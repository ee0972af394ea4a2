"""The exact odds of a turn: what every box, roll and set is worth, for any rules and aim.

>>> table = Odds(Rules()).table(Aim.parse("shut"))
>>> table.value(Box.parse("123456789"))
Fraction(956177159, 9795520512)

numpy is imported when an :class:`Odds` is made; importing this module needs none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_host.errors import RequirementError
from firmware_host.games.shut_the_box.odds.aims import Aim
from firmware_host.games.shut_the_box.rules import Rules

if TYPE_CHECKING:
    from firmware_host.games.shut_the_box.odds.live import MatchOdds
    from firmware_host.games.shut_the_box.odds.sampling import Sampler
    from firmware_host.games.shut_the_box.odds.solver import Floats
    from firmware_host.games.shut_the_box.odds.table import Table


class Odds:
    """The odds under one set of rules; makes a table for each aim."""

    def __init__(self, rules: Rules) -> None:
        """Lay out the boxes; RequirementError where numpy is missing."""
        try:
            from firmware_host.games.shut_the_box.odds.graph import Graph
        except ModuleNotFoundError as error:
            raise RequirementError(
                f"odds need {error.name}, which is not installed; pip install numpy"
            ) from None
        self.rules = rules
        self.graph = Graph.of(rules)

    def table(self, aim: Aim) -> Table:
        """What every box is worth for ``aim``, as exact fractions."""
        from firmware_host.games.shut_the_box.odds.table import Table

        return Table.of(self.graph, aim)

    def beat_every_target(self) -> Floats:
        """The best chance to beat each possible final score, from every box: (boxes, scores).

        Boxes by ``graph.place``, scores by ``graph.scores``; exactly the score is half a win.
        """
        from firmware_host.games.shut_the_box.odds.chances import beat_payoffs
        from firmware_host.games.shut_the_box.odds.solver import solve_all

        return solve_all(self.graph, beat_payoffs(len(self.graph.scores)))

    def match(self, players: int, *, shut_wins: bool = True, ties: str = "shared") -> MatchOdds:
        """Each player's chances in a round of up to ``players``; see :class:`MatchOdds`."""
        from firmware_host.games.shut_the_box.odds.live import MatchOdds

        return MatchOdds.of(self.graph, players, shut_wins=shut_wins, ties=ties)

    def sampler(self) -> Sampler:
        """Draws whole matches of several rounds; see :class:`Sampler`."""
        from firmware_host.games.shut_the_box.odds.sampling import Sampler

        return Sampler.of(self.graph)

"""A round's chances at every event of it: before a roll, after it, between turns.

Needs numpy, so import it only where odds are wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from firmware_host.errors import RuleError
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.odds.advice import Advice, is_best, rank
from firmware_host.games.shut_the_box.odds.chances import Standing, Standings, tie_shares
from firmware_host.games.shut_the_box.odds.graph import PARTS, Graph
from firmware_host.games.shut_the_box.odds.solver import Floats, LayerPlay, Policy, solve, spread
from firmware_host.games.shut_the_box.rules import Rules, legal_shuts, score

Scores = Sequence[int | None]
"""By seat in the order of play; None where a seat has not played yet."""


@dataclass(frozen=True, slots=True, eq=False)
class MatchOdds:
    """Each seat's chance to win a round, for any number of seats up to ``standings.players``."""

    standings: Standings

    @classmethod
    def of(cls, graph: Graph, players: int, *, shut_wins: bool = True, ties: str = "shared") -> MatchOdds:
        """The odds for up to ``players`` seats.

        ``shut_wins``: a shut wins at once, else it only scores 0.  ``ties``: ``shared``,
        ``play-off`` or ``carry-over`` (nobody wins, so the chances may add up to less than 1).

        Raises RuleError without a player or for other ``ties``.
        """
        if players < 1:
            raise RuleError(f"players {players!r}: at least one")
        shares = tie_shares(graph, players, ties)
        return cls(Standings.of(graph, players, shut_wins, shares))

    def chances(
        self, scores: Scores, box: Box | None = None, dice: tuple[int, ...] = ()
    ) -> tuple[float, ...]:
        """Each seat's chance; the first without a score has ``box`` (None: full) and ``dice`` before it.

        When many events of one turn follow each other, :meth:`turn` saves time.
        """
        if self._is_over(scores):
            return tuple(self._after(scores).tolist())
        full = Box.full(self.standings.graph.rules.tiles)
        return self.turn(scores).chances(full if box is None else box, dice)

    def turn(self, scores: Scores) -> TurnOdds:
        """The odds within the turn of the first seat without a score; RuleError when all have one."""
        if self._is_over(scores):
            raise RuleError(f"scores {list(scores)!r}: the round is over")
        seat = list(scores).index(None)
        graph = self.standings.graph
        finals = graph.scores.tolist()
        after = np.stack([self._after([*scores[:seat], final, *scores[seat + 1 :]]) for final in finals])
        payoff = after[:, seat : seat + 1]
        policy = Policy.none(graph, 1)
        return TurnOdds(graph, seat, after, solve(graph, payoff, policy), policy)

    def _is_over(self, scores: Scores) -> bool:
        if not 1 <= len(scores) <= self.standings.players:
            raise RuleError(f"scores {list(scores)!r}: made for 1 to {self.standings.players} seats")
        return None not in scores or (self.standings.shut_wins and 0 in scores)

    def _after(self, scores: Scores) -> Floats:
        """Each seat's chance between two turns."""
        standing = Standing.of(scores)
        chances = np.zeros(len(scores))
        if self.standings.shut_wins and standing.lowest == 0:
            chances[standing.leaders[0]] = 1.0
            return chances
        to_play, tied = len(standing.to_play), len(standing.leaders)
        lowest = self._index(standing.lowest)
        chances[list(standing.to_play)] = self.standings.follows[to_play][lowest, tied, :to_play]
        if tied:
            chances[list(standing.leaders)] = self.standings.leads[to_play][lowest, tied, :tied]
        return chances

    def _index(self, lowest: int | None) -> int:
        """The index of a score among the possible ones."""
        known = self.standings.graph.scores
        if lowest is None:
            return len(known)
        index = int(np.searchsorted(known, lowest))
        if index == len(known) or known[index] != lowest:
            raise RuleError(f"score {lowest!r} is not possible with these tiles")
        return index


@dataclass(frozen=True, slots=True, eq=False)
class TurnOdds:
    """The odds within one turn, which stay until the next; a :class:`Valuation` for its player.

    ``after`` (scores, seats): the chances once the turn has ended with a score.
    ``values`` (boxes, 1): the player's own chance before the roll, best played.
    """

    graph: Graph
    seat: int
    after: Floats
    values: Floats
    policy: Policy

    @property
    def rules(self) -> Rules:
        """How the turn is played."""
        return self.graph.rules

    def chances(self, box: Box, dice: tuple[int, ...] = ()) -> tuple[float, ...]:
        """Each seat's chance with ``box`` and ``dice`` on the table, none before the roll."""
        if dice:
            advice = self.advise(box, dice)
            if not advice.best:
                return self._ended(box)
            box = box.shut(advice.best[0])
        if box.is_shut:
            return self._ended(box)
        ends = spread(self.graph, self.policy, self.graph.place(box))
        return tuple((ends[:, 0] @ self.after).tolist())

    def value(self, box: Box) -> float:
        """The player's chance before the roll."""
        return float(self.values[self.graph.place(box), 0])

    def value_when_stuck(self, box: Box) -> float:
        """His chance once his turn has ended with ``box``."""
        return self._ended(box)[self.seat]

    def value_by_dice(self, box: Box) -> dict[int, float]:
        """His chance if he rolls one die or two, where he may; empty when the box is shut."""
        if box.is_shut:
            return {}
        place = self.graph.place(box)
        layer = slice(place, place + 1)
        targets = self.graph.targets[:, layer]
        sets = np.where(targets < self.graph.boxes, self.values[targets % self.graph.boxes, 0], -1.0)
        stuck = np.array([[self.value_when_stuck(box)]])
        play = LayerPlay.of(self.graph, layer, self.graph.weights / PARTS, sets[:, :, np.newaxis], stuck)
        values = play.by_dice.ravel().tolist()
        return {dice: value for dice, value in enumerate(values, 1) if value >= 0}

    def advise(self, box: Box, dice: tuple[int, ...]) -> Advice[float]:
        """Every legal set for ``dice``, best first; RuleError for other dice than one or two values 1..6."""
        legal = legal_shuts(box, dice, self.rules)
        if not legal:
            return Advice(self.value_when_stuck(box), (), ())
        values = [self.value(box.shut(shut)) for shut in legal]
        return rank(legal, values, values)

    def best_dice(self, box: Box) -> tuple[int, ...]:
        """Every number of dice that nothing beats; ``()`` when the box is shut."""
        by_dice = self.value_by_dice(box)
        best = max(by_dice.values(), default=0.0)
        return tuple(dice for dice, value in by_dice.items() if is_best(value, best))

    def _ended(self, box: Box) -> tuple[float, ...]:
        index = int(np.searchsorted(self.graph.scores, score(box, self.rules.scoring)))
        return tuple(self.after[index].tolist())

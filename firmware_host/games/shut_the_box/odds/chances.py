"""Who will win a round, now: each seat's chance, everyone playing for his own win.

For a seat still to play, a round is told by three numbers: the lowest score so
far, how many share it, and how many seats are still to play.  From the last
seat backwards, each such *standing* gives a payoff by final score, best play for
that payoff gives the chance of each final score, and those give the chances in
the standings with one seat more to play.

Where a player's choices are equal for himself, he plays as :class:`Policy` says.

Needs numpy, so import it only where odds are wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from firmware_host.errors import RuleError
from firmware_host.games.shut_the_box.odds.graph import Graph, Ints
from firmware_host.games.shut_the_box.odds.solver import Floats, Policy, parts, solve, spread

TIES = ("shared", "play-off", "carry-over")

_LARGEST_PLAY_OFF = 4  # more who tie count as sharing: with five players that moves no chance by 1e-7


def beat_payoffs(scores: int) -> Floats:
    """What each final score (row) is worth against each target (column): below 1, the target itself 1/2."""
    final, target = np.indices((scores, scores))
    return np.where(final < target, 1.0, np.where(final == target, 0.5, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class Standings:
    """The chances in every standing, by number of seats still to play, from 0 up to all ``players``.

    ``leads[to_play]`` (scores, tied, rank): the chance of one who leads with a score,
    ``tied`` in all, ``rank`` of them before him in the order of play.
    ``follows[to_play]`` (scores + 1, tied, turn): the chance of one still to play,
    ``turn`` of them before him.  Row ``scores`` with nobody tied: nobody has played.
    """

    graph: Graph
    players: int
    shut_wins: bool
    leads: tuple[Floats, ...]
    follows: tuple[Floats, ...]

    @classmethod
    def of(cls, graph: Graph, players: int, shut_wins: bool, shares: Floats) -> Standings:
        """All standings; ``shares`` (tied, rank): what each gets of a tie."""
        scores = len(graph.scores)
        leads = [np.broadcast_to(shares, (scores, *shares.shape)).copy()]
        follows = [np.zeros((scores + 1, players + 2, players))]
        for to_play in range(1, players + 1):
            step = _Step(graph, players, shut_wins, to_play, leads[-1], follows[-1])
            lead, follow = step.solve()
            leads.append(lead)
            follows.append(follow)
        return cls(graph, players, shut_wins, tuple(leads), tuple(follows))

    def opening(self, players: int) -> Floats:
        """Each seat's chance before the first roll: (players,)."""
        return self.follows[players][len(self.graph.scores), 0, :players]


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """From the chances with one seat less to play to those with ``to_play``."""

    graph: Graph
    players: int
    shut_wins: bool
    to_play: int
    lead: Floats
    follow: Floats

    def solve(self) -> tuple[Floats, Floats]:
        """``leads`` and ``follows`` with ``to_play``."""
        lead, follow = np.zeros_like(self.lead), np.zeros_like(self.follow)
        for lowest, tied in self._standings():
            value, ends = self._play(lowest, tied)
            below, equal, above = self._sides(lowest, ends)
            led = np.minimum(lowest, len(ends) - 1)  # where nobody leads, equal and above are 0
            lead[led, tied] = _outer(above, self.lead[led, tied]) + _outer(equal, self.lead[led, tied + 1])
            after = below.T @ self.follow[:-1, 1]
            after += _outer(above, self.follow[led, tied]) + _outer(equal, self.follow[led, tied + 1])
            follow[lowest, tied, 0] = value
            follow[lowest, tied, 1:] = after[:, :-1]
        return lead, follow

    def _standings(self) -> Iterator[tuple[Ints, Ints]]:
        """Every (lowest score's index, tied) that so many seats to play leave room for, some at a time."""
        scores = len(self.graph.scores)
        most = self.players - self.to_play
        lowest = np.append(np.repeat(np.arange(scores), most), scores)
        tied = np.append(np.tile(np.arange(1, most + 1), scores), 0)
        for part in parts(self.graph, len(lowest)):
            yield lowest[part], tied[part]

    def _play(self, lowest: Ints, tied: Ints) -> tuple[Floats, Floats]:
        """Of who plays now: the chance to win (standings,) and of each final score (scores, standings)."""
        scores = len(self.graph.scores)
        final = np.arange(scores)[:, np.newaxis]
        alone = self.lead[:, 1, 0, np.newaxis]
        shared = self.lead[np.minimum(lowest, scores - 1), tied + 1, tied]
        payoff = np.where(final < lowest, alone, np.where(final == lowest, shared, 0.0))
        if self.shut_wins:
            payoff[0] = 1.0
        policy = Policy.none(self.graph, len(lowest))
        values = solve(self.graph, payoff, policy)
        return values[-1], spread(self.graph, policy, self.graph.boxes - 1)

    def _sides(self, lowest: Ints, ends: Floats) -> tuple[Floats, Floats, Floats]:
        """The chance to end below the lowest (scores, standings), with it, and above it (standings,)."""
        final = np.arange(len(ends))[:, np.newaxis]
        below = np.where(final < lowest, ends, 0.0)
        if self.shut_wins:
            below[0] = 0.0  # the round is over: nobody follows
        equal = np.where(final == lowest, ends, 0.0).sum(axis=0)
        return below, equal, np.where(final > lowest, ends, 0.0).sum(axis=0)


def _outer(chances: Floats, rows: Floats) -> Floats:
    """Each row times its chance."""
    return chances[:, np.newaxis] * rows


def tie_shares(graph: Graph, players: int, ties: str) -> Floats:
    """What each of so many (row) who tie gets, by the order of play (column); RuleError for another rule.

    Shared: even parts.  Carry over: nothing, unless alone.  Play-off: the chance in a
    round of those who tied, which a shut ends and which is played again while they tie.
    """
    if ties not in TIES:
        raise RuleError(f"ties {ties!r}; allowed: {', '.join(TIES)}")
    shares = np.zeros((players + 2, players))
    for tied in range(1, players + 1):
        shares[tied, :tied] = 1 / tied if ties != "carry-over" or tied == 1 else 0.0
    if ties == "play-off":
        for tied in range(2, min(players, _LARGEST_PLAY_OFF) + 1):
            shares[tied, :tied] = _play_off(graph, tied, shares[: tied + 2, :tied].copy())
    return shares


def _play_off(graph: Graph, tied: int, shares: Floats) -> Floats:
    """The chances of ``tied`` in a play-off: those that, given for a tie in it, come out of it."""
    while True:
        opening = Standings.of(graph, tied, True, shares).opening(tied)
        if np.abs(opening - shares[tied]).max() < 1e-14:
            return opening
        shares[tied] = opening


@dataclass(frozen=True, slots=True)
class Standing:
    """A round so far, from its ``scores`` by seat in the order of play, None where a seat has not played.

    ``lowest``: None before the first score.  ``leaders``, ``to_play``: seats.
    """

    lowest: int | None
    leaders: tuple[int, ...]
    to_play: tuple[int, ...]

    @classmethod
    def of(cls, scores: Sequence[int | None]) -> Standing:
        """The standing that ``scores`` make."""
        lowest = min((score for score in scores if score is not None), default=None)
        leaders = tuple(seat for seat, score in enumerate(scores) if score is not None and score == lowest)
        return cls(lowest, leaders, tuple(seat for seat, score in enumerate(scores) if score is None))

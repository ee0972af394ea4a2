"""``python tests/campaigns/odds_matches.py``: simulated rounds against the exact chances.

Every seat of a round plays for its own win.  The dice come from a seeded generator, the scores and the
winners from plain play: nothing but the choices is shared with what is being checked.  Exit code 1 when a
win rate lies more than four standard errors from its exact chance.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from math import sqrt

from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.odds import Odds
from firmware_host.games.shut_the_box.odds.live import MatchOdds
from firmware_host.games.shut_the_box.odds.opponents import BestPlay, Opponent
from firmware_host.games.shut_the_box.rules import Rules, Shut, score

MOST_ERRORS = 4.0
TILES = tuple(range(1, 10))
Scores = list[int | None]

CASES = (  # players, whether a shut wins at once, ties, the scores so far, the box of who plays
    (2, True, "shared", (), "123456789"),
    (2, False, "shared", (), "123456789"),
    (4, True, "shared", (), "123456789"),
    (4, False, "shared", (), "123456789"),
    (4, True, "carry-over", (7,), "1234-67--"),
    (3, True, "play-off", (7, 7), "1-34-----"),
    (4, False, "shared", (0,), "-23--6---"),
)


class Remembered:
    """An opponent that thinks only once about the same."""

    def __init__(self, opponent: Opponent) -> None:
        self._opponent = opponent
        self._dice: dict[int, int] = {}
        self._shuts: dict[tuple[int, tuple[int, ...]], Shut] = {}

    def choose_dice(self, box: Box) -> int:
        """As the opponent would."""
        if box.mask not in self._dice:
            self._dice[box.mask] = self._opponent.choose_dice(box)
        return self._dice[box.mask]

    def choose(self, box: Box, dice: tuple[int, ...]) -> Shut:
        """As the opponent would."""
        key = (box.mask, (min(dice), max(dice)) if len(dice) == 2 else dice)
        if key not in self._shuts:
            self._shuts[key] = self._opponent.choose(box, dice)
        return self._shuts[key]


class Perfect:
    """Makes a perfect opponent for each standing of a round."""

    def __init__(self, match: MatchOdds) -> None:
        self._match = match
        self._made: dict[tuple[int | None, int, int, int], Opponent] = {}

    def __call__(self, scores: Scores) -> Opponent:
        """The opponent for the first seat without a score."""
        lowest = min((s for s in scores if s is not None), default=None)
        key = (lowest, scores.count(lowest), scores.count(None), len(scores))
        if key not in self._made:
            self._made[key] = Remembered(BestPlay(self._match.turn(scores)))
        return self._made[key]


def play_turn(opponent: Opponent, box: Box, rules: Rules, rng: random.Random) -> int:
    """The final score of a turn from ``box``."""
    while not box.is_shut:
        dice = tuple(rng.randint(1, 6) for _ in range(opponent.choose_dice(box)))
        shut = opponent.choose(box, dice)
        if not shut:
            break
        box = box.shut(shut)
    return score(box, rules.scoring)


def play_round(
    seats: Sequence[Callable[[Scores], Opponent]],
    scores: Scores,
    box: Box,
    rules: Rules,
    rng: random.Random,
    *,
    shut_wins: bool,
) -> list[int]:
    """The seats with the lowest score once the round is over."""
    scores = list(scores)
    for seat, opponent in enumerate(seats):
        if scores[seat] is None:
            scores[seat] = play_turn(opponent(scores), box, rules, rng)
            box = Box.full(rules.tiles)
            if shut_wins and scores[seat] == 0:
                return [seat]
    lowest = min(s for s in scores if s is not None)
    return [seat for seat, points in enumerate(scores) if points == lowest]


def shares(winners: list[int], players: int, ties: str, replay: Callable[[int], list[int]]) -> list[float]:
    """What each seat gets of a round; ``replay`` plays a round of so many, for a play-off."""
    while ties == "play-off" and len(winners) > 1:
        winners = [winners[place] for place in replay(len(winners))]
    if ties == "carry-over" and len(winners) > 1:
        return [0.0] * players
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(players)]


def check(games: int, seed: int) -> Iterator[tuple[str, float]]:
    """Each case and seat as a line, and how many standard errors it is off."""
    rules = Rules()
    odds = Odds(rules)
    for players, shut_wins, ties, so_far, text in CASES:
        rng = random.Random(seed)
        match = odds.match(players, shut_wins=shut_wins, ties=ties)
        start: Scores = [*so_far, *[None] * (players - len(so_far))]
        exact = match.chances(start, Box.parse(text))
        seat = Perfect(match)
        playing_off = Perfect(match)

        def replay(
            count: int, perfect: Perfect = playing_off, rng: random.Random = rng
        ) -> list[int]:  # bound to this case
            full = Box.full(TILES)
            return play_round([perfect] * count, [None] * count, full, rules, rng, shut_wins=True)

        won, squares = [0.0] * players, [0.0] * players
        for _ in range(games):
            winners = play_round([seat] * players, start, Box.parse(text), rules, rng, shut_wins=shut_wins)
            for place, share in enumerate(shares(winners, players, ties, replay)):
                won[place] += share
                squares[place] += share * share
        for place in range(players):
            mean = won[place] / games
            error = sqrt(max(squares[place] / games - mean * mean, 1 / games) / games)
            off = (mean - exact[place]) / error
            how = "shut wins" if shut_wins else "shut scores 0"
            case = f"{how}, ties {ties}, scores {list(so_far)}, box {text}"
            yield f"{case:<66} {place + 1}/{players} {exact[place]:9.6f} {mean:9.6f} {off:+6.2f}", off


def main() -> int:
    """Simulate and print; 1 when a chance is off."""
    parser = argparse.ArgumentParser(prog="python tests/campaigns/odds_matches.py", description=__doc__)
    parser.add_argument("--games", type=int, default=200_000, help="rounds a case")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    _write(f"seed {args.seed}, {args.games:,} rounds a case\n\n")
    _write(f"{'':<66} {'seat':<4} {'exact':>8} {'won':>9} {'errors':>6}\n")
    worst = 0.0
    for line, off in check(args.games, args.seed):
        _write(f"{line}\n")
        worst = max(worst, abs(off))
    _write(f"\nfarthest: {worst:.2f} standard errors of {MOST_ERRORS:g}\n")
    return int(worst > MOST_ERRORS)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())

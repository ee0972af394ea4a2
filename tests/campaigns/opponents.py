"""``python tests/campaigns/opponents.py``: each of the box's own players against each, one round a match.

The row plays first; a cell is the row's share of wins, a tie being half of one, with its standard error.
The dice and Casual's carelessness come from the seed, the winners from plain play.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from math import sqrt

from odds_matches import TILES, Perfect, Remembered, Scores, play_round

from firmware_host.games.opponents import Opponent as Kind
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.odds import Odds
from firmware_host.games.shut_the_box.odds.aims import Aim
from firmware_host.games.shut_the_box.odds.opponents import BestPlay, Casual, Opponent
from firmware_host.games.shut_the_box.rules import Rules

Seat = Callable[[Scores], Opponent]


def seats(rules: Rules, rng: random.Random) -> dict[str, Seat]:
    """Who plays, by name, each made for the scores so far."""
    odds = Odds(rules)
    good, casual = Remembered(BestPlay(odds.table(Aim.parse("score")))), Casual(rules, rng)
    return {
        Kind.PERFECT.value: Perfect(odds.match(2)),
        Kind.GOOD.value: lambda _: good,
        Kind.CASUAL.value: lambda _: casual,
    }


def share(first: Seat, second: Seat, games: int, rng: random.Random) -> tuple[float, float]:
    """What ``first`` gets of ``games`` rounds, and its standard error."""
    won = squares = 0.0
    for _ in range(games):
        winners = play_round([first, second], [None, None], Box.full(TILES), Rules(), rng, shut_wins=True)
        part = (0 in winners) / len(winners)
        won, squares = won + part, squares + part * part
    mean = won / games
    return mean, sqrt(max(0.0, squares / games - mean * mean) / games)


def matrix(games: int, seed: int) -> Iterator[str]:
    """The table, a line at a time."""
    rng = random.Random(seed)
    named = seats(Rules(), rng)
    yield f"{'first':<10}" + "".join(f"{name:>18}" for name in named)
    for name, first in named.items():
        shares = (share(first, second, games, rng) for second in named.values())
        yield f"{name:<10}" + "".join(f"{mean:>9.4f} ± {error:.4f}" for mean, error in shares)


def main() -> int:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python tests/campaigns/opponents.py", description=__doc__)
    parser.add_argument("--games", type=int, default=100_000, help="rounds a pair")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    sys.stdout.write(f"seed {args.seed}, {args.games:,} rounds a pair\n\n")
    for line in matrix(args.games, args.seed):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

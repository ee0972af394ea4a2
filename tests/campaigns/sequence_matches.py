"""``python tests/campaigns/sequence_matches.py``: matches of Sequence Dice against a second, naive one.

First random matches of two, three and four, with five and with six in a row: at each roll the game's
targets are the naive implementation's boards, and who has won is known at once.  Then the opponents
against each other, sides alternating.  Exit code 1 where something differs, or where *normal* or *hard*
wins too few of its matches against random play.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

import sequence_naive as naive

from firmware_host.games.records import MatchStarted, TurnEnded
from firmware_host.games.sequence_dice.game import SequenceDice
from firmware_host.games.sequence_dice.opponents import Casual, Hard, Normal, Opponent
from firmware_host.games.sequence_dice.position import Colour, Position
from firmware_host.games.sequence_dice.rules import Action, Rules, after, legal_actions
from firmware_host.games.start import begin, opening

LEAST_SHARE = 0.8  # of its matches that normal and hard must win against random play
CASES = ((2, 5), (2, 6), (3, 5), (4, 5), (4, 6))  # players, in a row
NAMES = ("Ann", "Bob", "Cem", "Dee")


class Random:
    """Any legal action."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def choose(self, position: Position, colour: int, total: int) -> Action:
        """One of them."""
        return self._chance.choice(legal_actions(position, colour, total))


def throw(chance: random.Random) -> tuple[int, int]:
    """Two dice."""
    return chance.randint(1, 6), chance.randint(1, 6)


def play_against_naive(players: int, in_a_row: int, chance: random.Random) -> int:
    """A whole match at random, each step held against the naive one; the number of its rolls.

    Raises AssertionError where the two differ.
    """
    settings = {"rules.game": "sequence-dice", "rules.in_a_row": in_a_row}
    started, first = opening(1, settings, NAMES[:players])
    assert isinstance(started, MatchStarted)
    game = begin(started).apply(first)
    assert isinstance(game, SequenceDice)
    while game.is_starting:
        for record in game.roll(throw(chance), "roller"):
            game = game.apply(record)
    chips: naive.Chips = {}
    seat, rolls = game.match.seat, 0
    while not game.match.is_over:
        assert game.match.seat == seat, "whose turn it is"
        colour = "gbr"[seat % (3 if players == 3 else 2)]
        dice = throw(chance)
        rolls += 1
        for record in game.roll(dice, "roller"):
            game = game.apply(record)
        acts = naive.legal(chips, colour, sum(dice))
        blocked = acts == [("pass", None)]
        if not blocked:
            boards = {target.layout for target in game.targets()}
            expected = {naive.layout(naive.play(chips, colour, act)): act for act in acts}
            assert boards == set(expected), f"{naive.write(chips)} {colour} {dice}"
            layout, act = chance.choice(list(expected.items()))
            chips = naive.play(chips, colour, act)
            records = game.stand(layout)
            assert sum(isinstance(record, TurnEnded) for record in records) == 1
            for record in records:
                game = game.apply(record)
        assert game.position.text == naive.write(chips)
        has_won = naive.longest_run(chips, colour) >= in_a_row
        assert game.match.is_over == has_won, f"{naive.write(chips)}: {colour} has won: {has_won}"
        if has_won:
            winners = tuple(
                NAMES[s] for s in range(players) if "gbr"[s % (3 if players == 3 else 2)] == colour
            )
            assert game.match.winners == winners
        if sum(dice) not in (2, 12) or blocked:
            seat = (seat + 1) % players
    return rolls


def duel(opponents: Sequence[Opponent], first: int, rules: Rules, chance: random.Random) -> int:
    """The side that wins a match between ``opponents``."""
    position, side = Position(), first
    while True:
        total = sum(throw(chance))
        action = opponents[side].choose(position, side, total)
        if action not in legal_actions(position, side, total):
            raise AssertionError(f"{action} in {position.text} for {Colour(side).word} with {total}")
        position = after(position, side, action)
        if position.line(side, rules.in_a_row):
            return side
        if not rules.brings_extra_turn(total, blocked=action.square is None):
            side = (side + 1) % len(opponents)


def duels(
    make: Callable[[str, int], Opponent], pairs: Sequence[tuple[str, str, int]], count: int, seed: int
) -> Iterator[tuple[str, str, int, float]]:
    """Each pair of names with a number of sides, and the share of wins of the first."""
    for one, other, sides in pairs:
        chance, rules, won = random.Random(seed), Rules(), 0
        for number in range(count):
            own = number % sides
            opponents = [make(one if side == own else other, sides) for side in range(sides)]
            won += duel(opponents, number // sides % sides, rules, chance) == own
        yield one, other, sides, won / count


def main() -> int:
    """Play and print; 1 where something is wrong."""
    parser = argparse.ArgumentParser(prog="python tests/campaigns/sequence_matches.py", description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000, help="random ones, over all cases")
    parser.add_argument("--duels", type=int, default=400, help="a pair of opponents")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chance = random.Random(args.seed)
    _write(f"seed {args.seed}\n\nrandom matches against the naive implementation\n")
    for place, (players, in_a_row) in enumerate(CASES):
        count = args.matches * (place + 1) // len(CASES) - args.matches * place // len(CASES)
        if not count:
            continue
        start = time.perf_counter()
        rolls = [play_against_naive(players, in_a_row, chance) for _ in range(count)]
        took = time.perf_counter() - start
        case = f"{players} players, {in_a_row} in a row"
        _write(
            f"{case:<24} {count:>6,} matches, {fmean(rolls):6.1f} rolls in the mean,"
            f" {max(rolls)} at most; {took:.1f} s\n"
        )
    _write(f"\nopponents, {args.duels} matches a pair, each colour and the start in turn\n")

    def make(name: str, sides: int) -> Opponent:
        rules = Rules()
        return {
            "random": Random(chance),
            "casual": Casual(rules, sides, chance),
            "normal": Normal(rules, sides),
            "hard": Hard(rules, sides, time.monotonic, limit_s=60.0),  # strength, whatever the machine
        }[name]

    pairs = (
        ("casual", "random", 2),
        ("normal", "random", 2),
        ("hard", "random", 2),
        ("normal", "casual", 2),
        ("hard", "casual", 2),
        ("hard", "normal", 2),
        ("normal", "random", 3),
        ("hard", "random", 3),
    )
    too_few = 0
    for one, other, sides, share in duels(make, pairs, args.duels, args.seed):
        is_held = sides == 2 and other == "random" and one in ("normal", "hard")
        too_few += is_held and share < LEAST_SHARE
        limit = f", at least {LEAST_SHARE:.0%}" if is_held else ""
        _write(f"{one} of {sides} sides against {other:<8} {share:6.1%}{limit}\n")
    return int(too_few > 0)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())

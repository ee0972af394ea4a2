"""Opponents: they play by the rules, and each in its way."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.odds import Odds
from firmware_host.games.shut_the_box.odds.aims import Aim
from firmware_host.games.shut_the_box.odds.opponents import BestPlay, Casual, Opponent
from firmware_host.games.shut_the_box.rules import OneDie, Rules, dice_allowed, legal_shuts

RULES = Rules()
CAMPAIGN = Path(__file__).parents[3] / "campaigns" / "opponents.py"


@pytest.fixture(scope="module")
def odds() -> Odds:
    return Odds(RULES)


class Never:
    """A chance that is never careless."""

    def random(self) -> float:
        """The largest there is."""
        return 0.999999


def good(odds: Odds) -> Opponent:
    return BestPlay(odds.table(Aim.parse("score")))


def test_good_plays_the_least_expected_score(odds: Odds) -> None:
    assert good(odds).choose(Box.parse("12345----"), (3, 4)) == (3, 4)
    assert good(odds).choose(Box.parse("123456---"), (4, 5)) == (4, 5)
    assert good(odds).choose_dice(Box.parse("1--------")) == 1


def test_perfect_gambles_when_behind(odds: Odds) -> None:
    match = odds.match(2)
    box, dice = Box.parse("123456789"), (1, 1)
    differs = [
        (text, roll)
        for text in ("1-3-5----", "12--5----", "-2345----", "12345----", "1234-6---", "123-56---")
        for roll in ((1, 2), (2, 2), (1, 4), (2, 4), (3, 4), (2, 6), (4, 5))
        if (shut := BestPlay(match.turn([1, None])).choose(Box.parse(text), roll))
        and shut != good(odds).choose(Box.parse(text), roll)
    ]
    assert differs
    assert BestPlay(match.turn([1, None])).choose(box, dice) == (2,)


def test_casual_shuts_the_largest_tile_first() -> None:
    casual = Casual(RULES, Never())
    assert casual.choose(Box.parse("123456789"), (3, 5)) == (8,)
    assert casual.choose(Box.parse("12345----"), (3, 4)) == (2, 5)
    assert casual.choose(Box.parse("123-----9"), (6, 6)) == (3, 9)
    assert casual.choose_dice(Box.parse("123456---")) == 1
    assert casual.choose_dice(Box.parse("1234567--")) == 2


def test_casual_is_careless_by_the_chance_that_is_handed_in() -> None:
    def choices(seed: int) -> list[tuple[int, ...]]:
        casual = Casual(RULES, random.Random(seed), carelessness=0.5)
        return [casual.choose(Box.parse("123456789"), (3, 5)) for _ in range(200)]

    assert choices(1) == choices(1)
    assert set(choices(1)) == {(8,), (1, 7), (2, 6), (3, 5), (1, 2, 5), (1, 3, 4)}
    assert 90 < choices(1).count((8,)) < 150


@pytest.mark.parametrize("rules", [RULES, Rules(one_die=OneDie.SUM_BELOW_6, one_die_compulsory=True)])
@pytest.mark.parametrize("name", ["perfect", "good", "casual"])
def test_every_opponent_plays_by_the_rules(rules: Rules, name: str) -> None:
    odds = Odds(rules)
    rng = random.Random(5)
    opponents: dict[str, Opponent] = {
        "perfect": BestPlay(odds.match(2).turn([9, None])),
        "good": good(odds),
        "casual": Casual(rules, rng, carelessness=0.5),
    }
    opponent = opponents[name]
    for _ in range(100):
        box = Box.full(rules.tiles)
        while not box.is_shut:
            number = opponent.choose_dice(box)
            assert number in dice_allowed(box, rules)
            dice = tuple(rng.randint(1, 6) for _ in range(number))
            shut = opponent.choose(box, dice)
            if not shut:
                assert not legal_shuts(box, dice, rules)
                break
            assert shut in legal_shuts(box, dice, rules)
            box = box.shut(shut)


def test_each_plays_against_each_in_a_campaign() -> None:
    """A short one; by it Casual loses to the others, whoever plays first."""
    command = [sys.executable, str(CAMPAIGN), "--games", "300", "--seed", "3"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    rows = [line.split() for line in done.stdout.splitlines()[2:]]
    assert [row[0] for row in rows] == ["first", "perfect", "good", "casual"]
    against_casual = [float(row[7]) for row in rows[1:3]]
    assert min(against_casual) > 0.5 > float(rows[3][1])

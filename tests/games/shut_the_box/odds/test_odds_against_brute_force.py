"""The odds against a second method: plain recursion in fractions that knows nothing of masks and layers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest

from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.notation import parse_tiles
from firmware_host.games.shut_the_box.odds import Odds
from firmware_host.games.shut_the_box.odds.aims import Aim
from firmware_host.games.shut_the_box.rules import FirstRoll, OneDie, Rules, Scoring, Sets, dice_allowed

Tiles = tuple[int, ...]
AIMS = ("shut", "score", "beat:9", "stay-open")
ONE = [((a,), Fraction(1, 6)) for a in range(1, 7)]
TWO = [((a, b), Fraction(1, 36)) for a, b in product(range(1, 7), repeat=2)]

RULES = [
    ("1-9", Rules()),
    ("1-9, compulsory", Rules(one_die_compulsory=True)),
    ("1-9, sum at most 6", Rules(one_die=OneDie.SUM_AT_MOST_6, one_die_compulsory=True)),
    ("1-9, sum below 6, unlucky", Rules(one_die=OneDie.SUM_BELOW_6, unlucky_7=True)),
    ("1-9, only 1, two tiles", Rules(one_die=OneDie.ONLY_1, sets=Sets.AT_MOST_TWO)),
    ("1-9, thai", Rules(sets=Sets.THAI)),
    ("1-9, digits", Rules(scoring=Scoring.DIGITS)),
    ("1-12, count", Rules(tiles=parse_tiles("1-12"), scoring=Scoring.COUNT)),
    ("2 to go", Rules(tiles=(1, 2, 3, 5, 8), first_roll=FirstRoll.TWO_TO_GO)),
    ("3 to go, thai", Rules(tiles=(1, 3, 4, 7, 9), first_roll=FirstRoll.THREE_TO_GO, sets=Sets.THAI)),
    ("a single 7", Rules(tiles=(7,), unlucky_7=True)),
    ("a single 12", Rules(tiles=(12,))),
]


@cache
def naive_legal(tiles: Tiles, dice: Tiles, rules: Rules) -> list[Tiles]:
    """Tries every subset."""
    if rules.unlucky_7 and sum(dice) == 7:
        return []
    found = []
    for size in range(1, len(tiles) + 1):
        for shut in combinations(tiles, size):
            fits = sum(shut) == sum(dice)
            if rules.sets is Sets.AT_MOST_TWO:
                fits = fits and size <= 2
            elif rules.sets is Sets.THAI:
                fits = size == 1 and shut[0] in {*dice, sum(dice)}
            if rules.first_roll is not FirstRoll.FREE and tiles == rules.tiles:
                fits = fits and int(rules.first_roll.value[0]) in shut
            if fits:
                found.append(shut)
    return found


def naive_score(tiles: Tiles, scoring: Scoring) -> int:
    if scoring is Scoring.DIGITS:
        return int("".join(str(tile) for tile in tiles) or 0)
    return len(tiles) if scoring is Scoring.COUNT else sum(tiles)


def worth(aim: str) -> tuple[Callable[[int], Fraction], Callable[..., Fraction]]:
    """What a final score is worth, and how the best of several is found."""
    if aim == "score":
        return Fraction, min
    if aim.startswith("beat:"):
        target = int(aim[5:])
        return lambda score: Fraction((score < target) + (score <= target), 2), max
    return lambda score: Fraction(score == 0), max if aim == "shut" else min


def naive_values(rules: Rules, aim: str) -> Callable[[Tiles], Fraction]:
    """The value of a box before the roll."""
    final, best = worth(aim)

    @cache
    def value(tiles: Tiles) -> Fraction:
        if not tiles:
            return final(0)
        return best(
            sum(
                (chance * best(after_roll(tiles, dice)) for dice, chance in (ONE if number == 1 else TWO)),
                Fraction(0),
            )
            for number in dice_allowed(Box.full(rules.tiles).shut(set(rules.tiles) - set(tiles)), rules)
        )

    def after_roll(tiles: Tiles, dice: Tiles) -> Iterator[Fraction]:
        legal = naive_legal(tiles, tuple(sorted(dice)), rules)
        for shut in legal:
            yield value(tuple(tile for tile in tiles if tile not in shut))
        if not legal:
            yield final(naive_score(tiles, rules.scoring))

    return value


@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("rules", [rules for _, rules in RULES], ids=[name for name, _ in RULES])
def test_every_box_of_up_to_five_tiles(rules: Rules, aim: str) -> None:
    table = Odds(rules).table(Aim.parse(aim))
    value = naive_values(rules, aim)
    for size in range(6):
        for tiles in combinations(rules.tiles, size):
            box = Box.full(rules.tiles).shut(set(rules.tiles) - set(tiles))
            assert table.value(box) == value(tiles), box.text


def test_the_whole_box_of_nine() -> None:
    assert naive_values(Rules(), "shut")(tuple(range(1, 10))) == Fraction(956177159, 9795520512)

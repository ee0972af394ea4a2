"""The rules against a second implementation that tries every subset and knows nothing of masks."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.records import MatchStarted, MoveMade, TurnStarted
from firmware_host.games.shut_the_box.battle import Battle
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.notation import parse_tiles
from firmware_host.games.shut_the_box.rules import (
    FirstRoll,
    OneDie,
    Rules,
    Scoring,
    Sets,
    Shut,
    dice_allowed,
    legal_shuts,
    score,
)
from firmware_host.games.start import begin, opening

TILE_SETS = ("1-9", "1-10", "1-12", "1,3,5,7,9,11", "2,4,6,8,10,12", "4-9", "7")
ROLLS = [(a,) for a in range(1, 7)] + [(a, b) for a in range(1, 7) for b in range(1, 7)]


def naive_legal(open_tiles: list[int], all_tiles: int, dice: tuple[int, ...], rules: Rules) -> set[Shut]:
    total = sum(dice)
    if rules.unlucky_7 and total == 7:
        return set()
    subsets: list[Shut] = [
        subset for size in range(1, len(open_tiles) + 1) for subset in combinations(sorted(open_tiles), size)
    ]
    found: set[Shut]
    if rules.sets is Sets.THAI:
        found = {subset for subset in subsets if len(subset) == 1 and subset[0] in (*dice, total)}
    else:
        found = {subset for subset in subsets if sum(subset) == total}
    if rules.sets is Sets.AT_MOST_TWO:
        found = {subset for subset in found if len(subset) < 3}
    if len(open_tiles) == all_tiles and rules.first_roll is not FirstRoll.FREE:
        found = {subset for subset in found if int(rules.first_roll.value[0]) in subset}
    return found


def naive_dice(open_tiles: list[int], rules: Rules) -> tuple[int, ...]:
    may_be_one = {
        "high-down": not {7, 8, 9, 10, 11, 12} & set(open_tiles),
        "sum-at-most-6": sum(open_tiles) in range(7),
        "sum-below-6": sum(open_tiles) in range(6),
        "only-1": open_tiles == [1],
        "never": False,
    }[rules.one_die.value]
    if rules.sets is Sets.THAI or not may_be_one:
        return (2,)
    return (1,) if rules.one_die_compulsory else (1, 2)


def naive_score(open_tiles: list[int], scoring: Scoring) -> int:
    points = 0
    for tile in sorted(open_tiles):
        if scoring is Scoring.SUM:
            points += tile
        elif scoring is Scoring.COUNT:
            points += 1
        else:
            points = points * (100 if tile > 9 else 10) + tile
    return points


def subsets_of(tiles: tuple[int, ...]) -> st.SearchStrategy[list[int]]:
    return st.lists(st.sampled_from(tiles), unique=True).map(sorted)


def box_of(tiles: tuple[int, ...], open_tiles: list[int]) -> Box:
    return Box.full(tiles).shut(tile for tile in tiles if tile not in open_tiles)


@st.composite
def rule_sets(draw: st.DrawFn, tiles: tuple[int, ...], one_die: OneDie) -> Rules:
    kind = draw(st.sampled_from(Sets))
    may_compel = one_die is not OneDie.NEVER and kind is not Sets.THAI
    first_rolls = [FirstRoll.FREE]
    first_rolls += [FirstRoll.TWO_TO_GO] if 2 in tiles else []
    first_rolls += [FirstRoll.THREE_TO_GO] if 3 in tiles else []
    return Rules(
        tiles=tiles,
        one_die=one_die,
        one_die_compulsory=may_compel and draw(st.booleans()),
        sets=kind,
        first_roll=draw(st.sampled_from(first_rolls)),
        unlucky_7=draw(st.booleans()),
        scoring=draw(st.sampled_from(Scoring)),
    )


@pytest.mark.parametrize("one_die", OneDie)
@pytest.mark.parametrize("text", TILE_SETS)
@given(data=st.data())
def test_the_rules_agree_with_brute_force(text: str, one_die: OneDie, data: st.DataObject) -> None:
    tiles = parse_tiles(text)
    rules = data.draw(rule_sets(tiles, one_die))
    open_tiles = data.draw(subsets_of(tiles))
    dice = data.draw(st.sampled_from(ROLLS))
    box = box_of(tiles, open_tiles)

    found = legal_shuts(box, dice, rules)

    assert set(found) == naive_legal(open_tiles, len(tiles), dice, rules)
    assert len(set(found)) == len(found)
    assert list(found) == sorted(found, key=lambda shut: (len(shut), shut))
    assert dice_allowed(box, rules) == naive_dice(open_tiles, rules)
    assert score(box, rules.scoring) == naive_score(open_tiles, rules.scoring)


@pytest.mark.parametrize("text", TILE_SETS)
@given(data=st.data())
def test_every_legal_set_is_open_and_sums_to_the_roll(text: str, data: st.DataObject) -> None:
    tiles = parse_tiles(text)
    box = box_of(tiles, data.draw(subsets_of(tiles)))
    dice = data.draw(st.sampled_from(ROLLS))
    for shut in legal_shuts(box, dice, Rules(tiles=tiles)):
        assert sum(shut) == sum(dice)
        assert set(shut) <= set(box.open_tiles)
        assert shut == tuple(sorted(set(shut)))
        assert box.shut(shut).open_tiles == tuple(tile for tile in box.open_tiles if tile not in shut)


def test_all_positions_of_nine_tiles_and_all_rolls_agree_with_brute_force() -> None:
    tiles, rules = parse_tiles("1-9"), Rules()
    for size in range(10):
        for open_tiles in combinations(tiles, size):
            box = box_of(tiles, list(open_tiles))
            for dice in ROLLS:
                if len(dice) == 1 or dice[0] <= dice[1]:
                    naive = naive_legal(list(open_tiles), 9, dice, rules)
                    assert set(legal_shuts(box, dice, rules)) == naive, (box.text, dice)


@pytest.mark.parametrize("one_die", OneDie)
@pytest.mark.parametrize("text", TILE_SETS)
def test_one_die_agrees_with_brute_force_in_every_position(text: str, one_die: OneDie) -> None:
    tiles = parse_tiles(text)
    for is_compulsory in {False, one_die is not OneDie.NEVER}:
        rules = Rules(tiles=tiles, one_die=one_die, one_die_compulsory=is_compulsory)
        for size in range(len(tiles) + 1):
            for open_tiles in combinations(tiles, size):
                box = box_of(tiles, list(open_tiles))
                assert dice_allowed(box, rules) == naive_dice(list(open_tiles), rules), box.text


@pytest.mark.parametrize("one_die", OneDie)
@pytest.mark.parametrize("text", TILE_SETS)
@given(data=st.data())
def test_the_mirror_of_the_battle_agrees_with_brute_force(
    text: str, one_die: OneDie, data: st.DataObject
) -> None:
    tiles = parse_tiles(text)
    kind = data.draw(st.sampled_from(Sets))
    may_compel = one_die is not OneDie.NEVER and kind is not Sets.THAI
    rules = Rules(tiles, one_die, may_compel and data.draw(st.booleans()), kind)
    settings = {f"rules.{key}": setting for key, setting in rules.settings().items()}
    (started, _) = opening(1, {"match.kind": "battle", **settings}, ("Ann", "Bob"))
    assert isinstance(started, MatchStarted)
    open_tiles = data.draw(subsets_of(tiles))
    shut_tiles = [tile for tile in tiles if tile not in open_tiles]
    dice = data.draw(st.sampled_from(ROLLS))

    battle = begin(started).apply(MoveMade("Ann", (), 0, tuple(open_tiles)))
    for player, movable in (("Ann", open_tiles), ("Bob", shut_tiles)):
        game = battle.apply(TurnStarted(player, 1))
        assert isinstance(game, Battle)
        assert game.dice_allowed() == naive_dice(movable, rules)
        rolled, *_ = game.roll(dice, "roller")
        game = game.apply(rolled)
        naive = naive_legal(movable, 0, dice, rules)  # 0: a box that is never whole, no first roll
        assert set(game.legal()) == naive
        assert {target.layout for target in game.targets()} == {
            tuple(int((tile in open_tiles) != (tile in moved)) for tile in tiles) for moved in naive
        }

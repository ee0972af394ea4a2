"""The settings of Shut the Box, by the examples of the rule book."""

from __future__ import annotations

import itertools

import pytest

from firmware_host.errors import RuleError
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.notation import parse_tiles
from firmware_host.games.shut_the_box.rules import (
    FirstRoll,
    OneDie,
    Rules,
    Scoring,
    Sets,
    dice_allowed,
    legal_shuts,
    score,
)

TWO_DICE = {total: (total - total // 2, total // 2) for total in range(2, 13)}


def sets(*texts: str) -> set[tuple[int, ...]]:
    return {tuple(sorted(map(int, text.split()))) for text in texts}


def legal(text: str, dice: tuple[int, ...], rules: Rules | None = None) -> set[tuple[int, ...]]:
    rules = rules or Rules()
    return set(legal_shuts(Box.parse(text, rules.tiles), dice, rules))


# R2, R3, R5: what a roll may shut


@pytest.mark.parametrize(
    ("text", "total", "expected"),
    [
        ("123456789", 7, sets("7", "6 1", "5 2", "4 3", "4 2 1")),  # 000
        ("123456789", 8, sets("8", "7 1", "6 2", "5 3", "5 2 1", "4 3 1")),  # 002
        ("123456789", 10, sets("9 1", "8 2", "7 3", "6 4", "7 2 1", "6 3 1", "5 4 1", "5 3 2", "4 3 2 1")),
        ("123456789", 2, sets("2")),
        ("1-34---8-", 8, sets("8", "1 3 4")),  # 003
        ("1-34---8-", 6, set()),  # 003
        ("-2----7--", 6, set()),  # 000
        ("1---5---9", 4, set()),  # 002, 003
        ("---------", 7, set()),
    ],
)
def test_any_set_of_open_tiles_that_adds_up_may_be_shut(
    text: str, total: int, expected: set[tuple[int, ...]]
) -> None:
    assert legal(text, TWO_DICE[total]) == expected


def test_only_the_total_counts() -> None:
    assert legal("123456789", (4, 4)) == legal("123456789", (5, 3)) == legal("123456789", (6, 2))


def test_sets_come_by_size_then_by_tiles() -> None:
    assert legal_shuts(Box.parse("123456789"), (3, 4), Rules()) == ((7,), (1, 6), (2, 5), (3, 4), (1, 2, 4))


def test_a_single_die_shuts_sets_of_its_own_value() -> None:
    assert legal("12-------", (3,)) == sets("1 2")
    assert legal("12-------", (4,)) == set()
    assert legal("123------", (3,)) == sets("3", "1 2")
    assert legal("-2-4-----", (3,)) == set()
    assert legal("1234-----", (4,)) == sets("4", "1 3")


def test_tiles_above_nine_are_shut_like_others() -> None:
    rules = Rules(tiles=parse_tiles("1-12"))
    assert legal("123456789ABC", (6, 6), rules) >= sets("12", "11 1", "10 2", "5 4 2 1")
    assert legal("---------A--", (4, 6), rules) == sets("10")


@pytest.mark.parametrize("dice", [(), (0,), (7,), (3, 7), (-1, 3), (1, 2, 3)])
def test_other_dice_than_one_or_two_of_six_sides_are_refused(dice: tuple[int, ...]) -> None:
    with pytest.raises(RuleError, match="one or two values from 1 to 6"):
        legal_shuts(Box.parse("123456789"), dice, Rules())


# Sets


def test_at_most_two_tiles_may_be_shut() -> None:
    rules = Rules(sets=Sets.AT_MOST_TWO)
    assert legal("123456789", (4, 4), rules) == sets("8", "7 1", "6 2", "5 3")
    assert legal("12345----", (5, 5), rules) == set()


@pytest.mark.parametrize(
    ("text", "dice", "expected"),
    [
        ("123456789", (3, 5), sets("3", "5", "8")),
        ("123456789", (4, 4), sets("4", "8")),
        ("123456789", (6, 6), sets("6")),
        ("12-4-67-9", (3, 5), set()),
        ("12-4-678-", (3, 5), sets("8")),
    ],
)
def test_thai_shuts_one_tile_a_die_or_both(
    text: str, dice: tuple[int, ...], expected: set[tuple[int, ...]]
) -> None:
    assert legal(text, dice, Rules(sets=Sets.THAI)) == expected


@pytest.mark.parametrize("one_die", OneDie)
def test_thai_rolls_two_dice_always(one_die: OneDie) -> None:
    rules = Rules(sets=Sets.THAI, one_die=one_die)
    assert dice_allowed(Box.parse("1--------"), rules) == (2,)


# First roll, unlucky 7


@pytest.mark.parametrize(("first_roll", "tile"), [(FirstRoll.TWO_TO_GO, 2), (FirstRoll.THREE_TO_GO, 3)])
def test_the_first_roll_must_shut_the_tile_to_go(first_roll: FirstRoll, tile: int) -> None:
    rules = Rules(first_roll=first_roll)
    for total in range(2, 13):
        expected = {tiles for tiles in legal("123456789", TWO_DICE[total]) if tile in tiles}
        assert legal("123456789", TWO_DICE[total], rules) == expected


def test_three_to_go_has_nothing_for_a_two() -> None:
    assert legal("123456789", (1, 1), Rules(first_roll=FirstRoll.THREE_TO_GO)) == set()


def test_two_to_go_counts_for_the_first_roll_only() -> None:
    assert legal("12345678-", (3, 5), Rules(first_roll=FirstRoll.TWO_TO_GO)) >= sets("8", "7 1", "5 3")


@pytest.mark.parametrize("dice", [(1, 6), (2, 5), (3, 4), (4, 3)])
def test_an_unlucky_7_shuts_nothing(dice: tuple[int, ...]) -> None:
    assert legal("123456789", dice, Rules(unlucky_7=True)) == set()


def test_other_totals_are_not_unlucky() -> None:
    for total in set(range(2, 13)) - {7}:
        assert legal("123456789", TWO_DICE[total], Rules(unlucky_7=True)) == legal(
            "123456789", TWO_DICE[total]
        )


# One die


@pytest.mark.parametrize(
    ("one_die", "allowed", "refused"),
    [
        (OneDie.HIGH_DOWN, ["---456---", "123456---", "1--------", "-----6---"], ["1-----7--", "--------9"]),
        (
            OneDie.SUM_AT_MOST_6,
            ["-----6---", "1---5----", "-2-4-----", "123------", "1--------"],
            ["---456---", "1----6---", "------7--"],
        ),
        (
            OneDie.SUM_BELOW_6,
            ["1--4-----", "-23------", "----5----"],
            ["-----6---", "1---5----", "-2-4-----", "123------"],
        ),
        (OneDie.ONLY_1, ["1--------"], ["-2-------", "12-------", "123456789"]),
        (OneDie.NEVER, [], ["1--------", "-----6---", "123456789"]),
    ],
)
def test_when_one_die_may_be_rolled(one_die: OneDie, allowed: list[str], refused: list[str]) -> None:
    for text in allowed:
        assert dice_allowed(Box.parse(text), Rules(one_die=one_die)) == (1, 2), text
    for text in refused:
        assert dice_allowed(Box.parse(text), Rules(one_die=one_die)) == (2,), text


def test_high_down_counts_10_11_and_12_as_high() -> None:
    rules = Rules(tiles=parse_tiles("1-12"))
    for text in ("---------A--", "----------B-", "12---------C"):
        assert dice_allowed(Box.parse(text, rules.tiles), rules) == (2,)


def test_one_die_must_be_rolled_where_it_is_compulsory() -> None:
    rules = Rules(one_die_compulsory=True)
    assert dice_allowed(Box.parse("---456---"), rules) == (1,)
    assert dice_allowed(Box.parse("---456--9"), rules) == (2,)


def test_from_1234_a_total_of_4_decides_whether_a_single_die_may_follow() -> None:
    rules = Rules(one_die=OneDie.SUM_BELOW_6)
    at_most = Rules(one_die=OneDie.SUM_AT_MOST_6)
    assert legal("1234-----", (4,)) == sets("4", "1 3")
    for left in ("123------", "-2-4-----"):
        assert dice_allowed(Box.parse(left), at_most) == (1, 2)
        assert dice_allowed(Box.parse(left), rules) == (2,)
    assert legal("123------", (3,)) == sets("3", "1 2")
    assert legal("-2-4-----", (3,)) == set()


# Scoring


@pytest.mark.parametrize(
    ("text", "by_sum", "by_digits", "by_count"),
    [
        ("1---5---9", 15, 159, 3),  # 002, 003
        ("12----7--", 10, 127, 3),  # 000
        ("1--4----9", 14, 149, 3),  # 000
        ("-2-------", 2, 2, 1),
        ("12-------", 3, 12, 2),
        ("---------", 0, 0, 0),
        ("123456789", 45, 123456789, 9),
    ],
)
def test_what_the_open_tiles_cost(text: str, by_sum: int, by_digits: int, by_count: int) -> None:
    box = Box.parse(text)
    assert score(box, Scoring.SUM) == by_sum
    assert score(box, Scoring.DIGITS) == by_digits
    assert score(box, Scoring.COUNT) == by_count


def test_tiles_above_nine_are_two_digits() -> None:
    assert score(Box.parse("--3---7-9-B-", parse_tiles("1-12")), Scoring.DIGITS) == 37911


# Contradictions, and rules as they are kept


@pytest.mark.parametrize(
    ("first_roll", "tiles"), [(FirstRoll.TWO_TO_GO, "1,3,5,7,9"), (FirstRoll.THREE_TO_GO, "2,4,6,8")]
)
def test_the_tile_to_go_must_be_there(first_roll: FirstRoll, tiles: str) -> None:
    with pytest.raises(RuleError, match=f"first_roll {first_roll} needs tile") as caught:
        Rules(tiles=parse_tiles(tiles), first_roll=first_roll)
    assert tiles in str(caught.value)


def test_one_die_that_is_never_rolled_cannot_be_compulsory() -> None:
    with pytest.raises(RuleError, match="one_die is never"):
        Rules(one_die=OneDie.NEVER, one_die_compulsory=True)
    with pytest.raises(RuleError, match="two dice always"):
        Rules(sets=Sets.THAI, one_die_compulsory=True)


def test_every_rule_is_read_back_from_its_settings() -> None:
    flags = (False, True)
    for one_die, compulsory, kind, first_roll, unlucky, scoring in itertools.product(
        OneDie, flags, Sets, FirstRoll, flags, Scoring
    ):
        if compulsory and (one_die is OneDie.NEVER or kind is Sets.THAI):
            continue
        rules = Rules(parse_tiles("1-10"), one_die, compulsory, kind, first_roll, unlucky, scoring)
        assert Rules.from_settings(rules.settings()) == rules


def test_rules_without_settings_are_the_default() -> None:
    assert Rules.from_settings({}) == Rules()


@pytest.mark.parametrize(
    "settings", [{"sets": "three"}, {"one_die": "now"}, {"tiles": "1-13"}, {"scoring": ""}, {"first_roll": 2}]
)
def test_rules_that_do_not_exist_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(RuleError):
        Rules.from_settings(settings)

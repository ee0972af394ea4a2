"""What each roll asks for, and which lines win; and the settings."""

from __future__ import annotations

import pytest

from firmware_host.errors import RuleError
from firmware_host.games.match_rules import Kind, MatchRules
from firmware_host.games.sequence_dice.board import SQUARES
from firmware_host.games.sequence_dice.notation import format_square, parse_square
from firmware_host.games.sequence_dice.position import Colour, Position
from firmware_host.games.sequence_dice.rules import (
    Action,
    Do,
    Rules,
    after,
    legal_actions,
    sides,
)

GREEN, BLUE, RED = Colour
EMPTY = "....../....../....../....../....../......"
THREES = {"r0c1": "b", "r1c5": "g", "r4c0": "b", "r5c4": "g"}


def with_chips(chips: dict[str, str]) -> Position:
    position = Position()
    for square, letter in chips.items():
        position = position.with_chip(parse_square(square), Colour.parse(letter))
    return position


def legal(position: Position, colour: Colour, total: int) -> tuple[str, str]:
    """What to do, and the squares."""
    actions = legal_actions(position, colour, total)
    assert len({action.do for action in actions}) == 1
    squares = " ".join(format_square(a.square) for a in actions if a.square is not None)
    return actions[0].do.value, squares


def test_a_chip_goes_on_an_empty_square_with_the_total() -> None:
    assert legal(Position(), GREEN, 3) == ("place", "r0c1 r1c5 r4c0 r5c4")
    assert legal(Position(), BLUE, 12) == ("place", "r2c2 r2c3 r3c2 r3c3")
    assert legal(with_chips({"r0c1": "g", "r4c0": "b"}), GREEN, 3) == ("place", "r1c5 r5c4")


def test_nothing_is_replaced_while_a_square_is_empty() -> None:
    assert legal(with_chips({"r0c1": "b", "r1c5": "b", "r4c0": "b"}), GREEN, 3) == ("place", "r5c4")


def test_an_opponents_chip_is_replaced_where_all_four_are_covered() -> None:
    assert legal(with_chips(THREES), GREEN, 3) == ("replace", "r0c1 r4c0")
    assert legal(with_chips(THREES), BLUE, 3) == ("replace", "r1c5 r5c4")
    assert legal(with_chips(THREES), RED, 3) == ("replace", "r0c1 r1c5 r4c0 r5c4")


def test_chips_on_2_and_12_are_replaced_as_well() -> None:
    corners = with_chips({"r0c0": "b", "r0c5": "g", "r5c0": "g", "r5c5": "g"})
    assert legal(corners, GREEN, 2) == ("replace", "r0c0")
    centre = with_chips({"r2c2": "b", "r2c3": "r", "r3c2": "g", "r3c3": "g"})
    assert legal(centre, GREEN, 12) == ("replace", "r2c2 r2c3")


def test_four_squares_of_ones_own_leave_nothing_to_do() -> None:
    own = with_chips(dict.fromkeys(THREES, "g"))
    assert legal_actions(own, GREEN, 3) == (Action(Do.PASS, None),)
    assert legal(own, BLUE, 3) == ("replace", "r0c1 r1c5 r4c0 r5c4")


def test_a_10_takes_an_opponents_chip_but_none_from_a_2_or_12() -> None:
    position = with_chips({"r0c0": "b", "r2c2": "b", "r0c1": "g", "r1c1": "b", "r5c4": "r"})
    assert legal(position, GREEN, 10) == ("remove", "r1c1 r5c4")
    assert legal(position, BLUE, 10) == ("remove", "r0c1 r5c4")


@pytest.mark.parametrize("chips", [{}, {"r0c1": "g"}, {"r0c0": "b", "r3c3": "b", "r1c1": "g"}])
def test_a_10_without_a_chip_to_take_is_passed(chips: dict[str, str]) -> None:
    assert legal(with_chips(chips), GREEN, 10) == ("pass", "")


def test_an_11_goes_on_any_empty_square() -> None:
    assert legal(Position(), GREEN, 11)[1].split() == [format_square(s) for s in range(SQUARES)]
    do, squares = legal(with_chips({"r0c0": "b", "r2c2": "g"}), GREEN, 11)
    assert do == "place"
    assert len(squares.split()) == 34
    assert "r0c5" in squares
    assert "r0c0" not in squares


def test_an_11_on_a_full_board_replaces_any_opponents_chip() -> None:
    full = Position.parse("ggbbgg/bbggbb/ggbbgg/bbggbb/ggbbgg/bbggbb")
    do, squares = legal(full, GREEN, 11)
    assert do == "replace"
    assert len(squares.split()) == 18
    assert "r0c2" in squares  # a chip on a 4
    assert "r2c2" in squares  # and on a 12
    almost = full.without_chip(0)
    assert legal(almost, GREEN, 11) == ("place", "r0c0")


def test_actions_change_the_board() -> None:
    position = with_chips(THREES)
    assert after(position, GREEN, Action(Do.PLACE, 0)).colour_at(0) is GREEN
    assert after(position, GREEN, Action(Do.REPLACE, 1)).colour_at(1) is GREEN
    assert after(position, GREEN, Action(Do.REMOVE, 1)).colour_at(1) is None
    assert after(position, GREEN, Action(Do.PASS, None)) is position


def test_an_action_as_other_programs_read_it() -> None:
    assert Action(Do.PLACE, 11).to_fields() == {"do": "place", "cell": [1, 5]}
    assert Action(Do.PASS, None).to_fields() == {"do": "pass", "cell": None}


# Lines


def at(*squares: str) -> Position:
    return with_chips(dict.fromkeys(squares, "g"))


@pytest.mark.parametrize(
    ("squares", "wins"),
    [
        ("r0c0 r0c1 r0c2 r0c3 r0c4", True),
        ("r0c1 r0c2 r0c3 r0c4 r0c5", True),
        ("r1c5 r2c5 r3c5 r4c5 r5c5", True),
        ("r0c0 r1c1 r2c2 r3c3 r4c4", True),
        ("r1c1 r2c2 r3c3 r4c4 r5c5", True),
        ("r0c1 r1c2 r2c3 r3c4 r4c5", True),  # beside the diagonal
        ("r1c0 r2c1 r3c2 r4c3 r5c4", True),
        ("r5c1 r4c2 r3c3 r2c4 r1c5", True),
        ("r4c0 r3c1 r2c2 r1c3 r0c4", True),
        ("r5c0 r4c1 r3c2 r2c3 r1c4 r0c5", True),  # six count
        ("r4c1 r3c2 r2c3 r1c4", False),  # four on the anti-diagonal
        ("r5c0 r4c1 r3c2 r2c3", False),
        ("r0c2 r1c3 r2c4 r3c5", False),  # a diagonal of four squares
        ("r0c0 r0c1 r0c2 r0c4 r0c5", False),  # a gap
        ("r0c3 r0c4 r0c5 r1c0 r1c1", False),  # round the edge
    ],
)
def test_lines_of_five(squares: str, wins: bool) -> None:
    chips = squares.split()
    position = at(*chips)
    assert all(position.wins_at(parse_square(chip), GREEN, 5) is wins for chip in chips)
    assert not position.wins_at(parse_square(chips[0]), BLUE, 5)
    assert (position.line(GREEN, 5) == position.chips[GREEN]) is wins
    assert (position.line(GREEN, 5) == 0) is not wins


def test_six_in_a_row_need_six() -> None:
    five = at("r0c0", "r0c1", "r0c2", "r0c3", "r0c4")
    assert not five.wins_at(0, GREEN, 6)
    assert five.with_chip(5, GREEN).wins_at(0, GREEN, 6)


def test_a_line_of_two_colours_is_none() -> None:
    assert not at("r0c0", "r0c1", "r0c2", "r0c3").with_chip(4, BLUE).wins_at(4, BLUE, 5)


# Settings


@pytest.mark.parametrize(("players", "colours"), [(2, 2), (3, 3), (4, 2)])
def test_how_many_colours_there_are(players: int, colours: int) -> None:
    assert sides(players) == colours


@pytest.mark.parametrize("rules", [Rules(), Rules(6), Rules(5, True), Rules(6, True)])
def test_rules_are_read_back_from_their_settings(rules: Rules) -> None:
    full = {f"rules.{key}": value for key, value in rules.settings().items()}
    assert Rules.from_match(full) == rules


def test_a_missing_setting_has_its_default() -> None:
    assert Rules.from_match({}) == Rules(in_a_row=5, extra_after_blocked=False)


@pytest.mark.parametrize("in_a_row", [4, 7, "five", None])
def test_another_length_of_a_line_is_refused(in_a_row: object) -> None:
    with pytest.raises(RuleError, match="in_a_row"):
        Rules.from_match({"rules.in_a_row": in_a_row})


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.ONE_ROUND])
def test_a_match_is_one_game(kind: Kind) -> None:
    with pytest.raises(RuleError, match=r"match\.kind .* sequence-dice"):
        Rules().check(MatchRules(kind), "roller")


def test_the_dice_must_be_known() -> None:
    with pytest.raises(RuleError, match=r"dice\.source none"):
        Rules().check(MatchRules(), "none")


@pytest.mark.parametrize(
    ("players", "in_a_row", "what"),
    [
        ("A", 5, "two, three or four"),
        ("ABCDE", 5, "two, three or four"),
        ("ABC", 6, "never for three"),
    ],
)
def test_who_cannot_play(players: str, in_a_row: int, what: str) -> None:
    with pytest.raises(RuleError, match=what):
        Rules(in_a_row).check_players(MatchRules(), tuple(players))


@pytest.mark.parametrize(
    ("players", "in_a_row"), [("AB", 5), ("AB", 6), ("ABC", 5), ("ABCD", 5), ("ABCD", 6)]
)
def test_who_can_play(players: str, in_a_row: int) -> None:
    Rules(in_a_row).check_players(MatchRules(), tuple(players))

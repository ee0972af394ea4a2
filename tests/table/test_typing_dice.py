"""Dice typed with three buttons: how many presses it takes, and what the table makes of them."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from driven_table import BACK, NEXT, ROLL, Table, begin

from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.rules import Rules, dice_allowed, legal_shuts
from firmware_host.table.typing_dice import TypedDice
from firmware_host.table.view import Notice, Scene


def type_in(*dice: int) -> tuple[tuple[int, ...], int]:
    """What is taken when ``dice`` are typed the shorter way round, and the presses it took."""
    typed, presses = TypedDice.begin(len(dice)), 0
    for die in sorted(dice):
        ways = []
        for by in (1, -1):
            way, turns = typed, 0
            while way.digit != die:
                way, turns = way.turn(by), turns + 1
            ways.append((turns, way))
        turns, typed = min(ways, key=lambda way: way[0])
        presses += turns + 1
        typed, taken = typed.take()
        if taken:
            return taken, presses
    raise AssertionError("the throw is never taken")


@pytest.mark.parametrize("count", [1, 2])
def test_every_throw_can_be_typed(count: int) -> None:
    for dice in product(range(1, 7), repeat=count):
        assert type_in(*dice)[0] == tuple(sorted(dice))


def test_two_fair_dice_take_145_presses_in_36_throws() -> None:
    presses = [type_in(*dice)[1] for dice in product(range(1, 7), repeat=2)]
    assert sum(presses) == 145
    assert sum(presses) / 36 == pytest.approx(4.03, abs=0.005)
    assert max(presses) == 6


def test_one_die_takes_two_and_a_half_presses_in_the_mean() -> None:
    assert sum(type_in(die)[1] for die in range(1, 7)) == 15


def test_in_a_turn_with_one_die_where_it_is_allowed_it_is_less_than_four_presses_a_throw() -> None:
    rules = Rules()

    @cache
    def to_come(box: Box) -> tuple[float, float]:
        """Throws and presses still to be expected; one die is chosen by a hold of *roll*."""
        if box.is_shut:
            return 0.0, 0.0
        count = min(dice_allowed(box, rules))
        hold = 1 if count == 1 else 0
        throws = presses = 0.0
        for dice in product(range(1, 7), repeat=count):
            legal = legal_shuts(box, dice, rules)
            more = to_come(box.shut(legal[0])) if legal else (0.0, 0.0)
            throws += (1 + more[0]) / 6**count
            presses += (hold + type_in(*dice)[1] + more[1]) / 6**count
        return throws, presses

    throws, presses = to_come(Box.full(rules.tiles))
    assert presses / throws < 4


def test_two_dice_are_typed_in_ascending_order() -> None:
    typed, taken = TypedDice.begin(2).turn(2).take()  # 4
    assert (taken, typed.done, typed.lowest) == ((), (4,), 4)
    assert {typed.turn(by).digit for by in range(-6, 7)} == {4, 5, 6}


def test_a_first_six_can_only_be_two() -> None:
    assert TypedDice(2, 6).take()[1] == (6, 6)


# At the table


def keypad(**settings: object) -> Table:
    return begin(source="keypad", **settings)


def test_with_the_keypad_digits_are_on_the_screen_whenever_a_roll_is_wanted() -> None:
    table = keypad()
    assert (table.view.scene, table.view.typed, table.view.typed_count) == (Scene.ROLL, (2,), 2)
    table.press(ROLL)
    assert table.report.typed == (3,)
    table.press(BACK)
    table.press(BACK)
    assert table.report.typed == (1,)
    table.press(BACK)
    assert table.report.typed == (6,), "round at the end"


def test_what_is_typed_is_rolled_and_nothing_is_asked_of_a_source() -> None:
    table = keypad()
    for button in (ROLL, NEXT, NEXT):  # 3, and 5 is proposed beside it
        table.press(button)
    rolled = table.events("rolled")
    assert [(r["dice"], r["source"]) for r in rolled] == [((3, 5), "keypad")]
    assert table.asked == []
    assert table.wants == ("move",)
    assert table.report.typed == ()


def test_the_complete_move_stands_with_the_next_throw_that_is_typed() -> None:
    table = keypad()
    for button in (ROLL, NEXT, NEXT):
        table.press(button)
    table.flip(8)
    assert table.view.scene is Scene.DONE
    assert table.report.typed == (2,)
    table.press(NEXT)
    assert table.events("move_made") == [], "only a digit was taken"
    table.press(NEXT)
    assert table.events("move_made")[0]["shut"] == (8,)
    assert table.events("rolled")[-1]["dice"] == (2, 4)


def test_one_die_is_typed_after_roll_was_held_and_two_after_it_was_held_again() -> None:
    table = keypad(rules_tiles="1-6")
    table.press(ROLL, held=True)
    assert (table.report.typed_count, table.report.typed) == (1, (3,))
    table.press(ROLL, held=True)
    assert table.report.typed_count == 2
    table.press(ROLL, held=True)
    table.press(NEXT)
    assert table.events("rolled")[0]["dice"] == (3,)


def test_one_die_where_two_are_to_be_thrown_is_refused() -> None:
    table = keypad()
    table.press(ROLL, held=True)
    assert table.view.notice is Notice.TWO_DICE
    assert table.report.typed_count == 2


def test_a_single_die_that_must_be_thrown_is_asked_for_at_once() -> None:
    assert keypad(rules_tiles="1-6", rules_one_die_compulsory=True).report.typed_count == 1


def test_a_tile_that_is_flipped_between_digits_is_to_be_put_right_and_typing_begins_anew() -> None:
    table = keypad()
    table.press(NEXT)
    assert len(table.report.typed) == 2
    table.flip(9)
    assert table.report.typed == ()
    assert table.wants == ((9,), ())
    table.flip(9)
    assert table.report.typed == (2,)


def test_back_held_undoes_a_throw_that_was_typed_and_another_is_typed() -> None:
    """Real dice lie on the table: whoever typed wrong types again, and nothing is kept for them."""
    table = keypad()
    table.press(NEXT)
    table.press(NEXT)
    table.press(BACK, held=True)
    assert table.view.notice is Notice.UNDONE
    assert table.report.typed == (2,)
    assert not table.view.can_set_dice
    table.press(ROLL)
    table.press(NEXT)
    table.press(NEXT)
    assert [r["dice"] for r in table.events("rolled")] == [(2, 4), (3, 5)]
    assert table.events("corrected") == []


# A throw that was undone is set by hand


def undone_throw(**settings: object) -> Table:
    table = begin(**settings)
    table.roll(4, 5)
    table.press(BACK, held=True)
    return table


def test_after_undoing_a_throw_next_offers_to_set_it_by_hand() -> None:
    table = undone_throw()
    assert table.view.can_set_dice
    table.press(NEXT)
    assert (table.view.typed, table.view.can_set_dice) == ((2,), False)
    table.press(NEXT)
    table.press(NEXT)
    assert table.events("corrected") == [{"what": "dice", "player": "Ann", "was": (4, 5), "is_": (2, 4)}]
    assert [(r["dice"], r["source"]) for r in table.events("rolled")] == [
        ((4, 5), "roller"),
        ((2, 4), "hand"),
    ]


def test_back_held_leaves_setting_by_hand_and_the_throw_stays() -> None:
    table = undone_throw()
    table.press(NEXT)
    table.press(BACK, held=True)
    assert table.report.typed == ()
    table.roll(1, 1)
    assert table.events("rolled")[-1]["dice"] == (4, 5)
    assert len(table.events("undone")) == 1


def test_undoing_a_throw_set_by_hand_gives_the_first_one_back() -> None:
    """However often it is set and undone: no free second throw."""
    table = undone_throw()
    for _ in range(3):
        for button in (NEXT, NEXT, NEXT):
            table.press(button)
        assert table.events("rolled")[-1]["dice"] == (2, 4)
        table.press(BACK, held=True)
        assert table.view.can_set_dice
    table.roll(1, 1)
    assert table.events("rolled")[-1]["dice"] == (4, 5)
    assert table.asked == [2]


def test_a_throw_is_set_with_as_many_dice_as_it_had() -> None:
    table = begin(rules_tiles="1-6")
    table.roll(4)
    table.press(BACK, held=True)
    table.press(NEXT)
    assert table.report.typed_count == 1
    table.press(ROLL, held=True)
    assert table.report.typed_count == 1, "the number was chosen before the throw"
    two = begin(rules_tiles="1-6")
    two.roll(4, 5)
    two.press(BACK, held=True)
    two.press(NEXT)
    two.press(ROLL, held=True)
    assert (two.view.notice, two.report.typed_count) == (Notice.TWO_DICE, 2)


def test_a_throw_of_a_turn_that_was_undone_as_a_whole_is_kept_for_it() -> None:
    table = begin(rules_tiles="9")  # a 2 fits nothing
    table.roll(1, 1)
    assert table.report.player == "Bob"
    table.press(BACK, held=True)
    assert (table.report.player, table.view.can_set_dice) == ("Ann", True)
    for button in (ROLL, ROLL, NEXT, NEXT):  # 4 and 5
        table.press(button)
    assert table.events("rolled")[-1]["dice"] == (1, 1), "roll shows the throw once more"

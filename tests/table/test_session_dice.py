"""How rolls are asked for, taken, refused and shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from driven_table import ROLL, Table, start

from firmware_host.table.effects import Show
from firmware_host.table.events import (
    DeviceBack,
    DeviceLost,
    DiceSeen,
)
from firmware_host.table.state import TUMBLE_S
from firmware_host.table.view import Notice, Scene


def test_one_die_may_be_chosen_by_holding() -> None:
    table = start(tiles="1-6")
    assert table.wants == (1, 2)
    table.roll(4)
    assert table.asked == [1]
    assert table.events("rolled")[0]["dice"] == (4,)


def test_a_press_rolls_two_and_where_only_one_is_allowed_one() -> None:
    two, one = start(tiles="1-6"), start(tiles="1-6", one_die_compulsory=True)
    for table in (two, one):
        table.press(ROLL)
    assert (two.asked, one.asked) == ([2], [1])


@pytest.mark.parametrize(
    ("prepare", "reason", "notice"),
    [
        (lambda t: t.flip(4), "not_wanted", Notice.NOT_NOW),
        (lambda t: (t.roll(3, 5), t.flip(5)), "tiles_do_not_add_up", Notice.TILES_FIRST),
        (lambda t: (t.roll(3, 5), t.flip(9)), "tiles_do_not_add_up", Notice.TILES_FIRST),
    ],
    ids=["a tile before the roll", "a part of a set", "a wrong tile"],
)
def test_a_roll_that_is_not_wanted_is_answered(
    prepare: Callable[[Table], object], reason: str, notice: Notice
) -> None:
    table = start()
    prepare(table)
    before = table.session.history
    table.press(ROLL)
    assert table.events("roll_refused") == [{"reason": reason}]
    assert table.view.notice is notice
    assert table.session.history is before


def test_one_die_where_two_are_to_be_rolled_is_refused() -> None:
    table = start()
    table.press(ROLL, held=True)
    assert table.events("roll_refused") == [{"reason": "wrong_number_of_dice"}]
    assert table.view.notice is Notice.TWO_DICE
    assert table.asked == []


def test_another_number_of_dice_than_asked_for_is_refused() -> None:
    table = start()
    table.press(ROLL)
    table.send(DiceSeen((3,), "camera"))
    assert table.events("roll_refused") == [{"reason": "wrong_number_of_dice"}]
    assert table.view.notice is Notice.TWO_DICE
    one = start(tiles="1-6")
    one.press(ROLL, held=True)
    one.send(DiceSeen((3, 4), "camera"))
    assert one.view.notice is Notice.ONE_DIE


def test_dice_that_nobody_asked_for_are_refused() -> None:
    table = start()
    table.send(DiceSeen((3, 4), "camera"))
    assert table.events("roll_refused") == [{"reason": "not_wanted"}]
    assert table.events("rolled") == []


def test_while_the_dice_roll_nothing_more_is_asked() -> None:
    table = start()
    table.press(ROLL)
    table.press(ROLL)
    assert table.asked == [2]


def test_the_box_may_be_touched_while_the_dice_roll() -> None:
    table = start()
    table.press(ROLL)
    table.flip(9)
    table.send(DiceSeen((4, 5), "camera"))
    assert table.events("rolled")[0]["dice"] == (4, 5)
    assert table.view.scene is Scene.DONE


def test_dice_that_were_asked_for_another_set_are_refused() -> None:
    """7 leaves {1, 5, 6}, where one die may be rolled; 6 and 1 leave {5, 7}, where it may not."""
    table = start(tiles="1,5-7")
    table.roll(3, 4)
    table.flip(7)
    table.press(ROLL, held=True)
    table.flip(7, 6, 1)
    table.send(DiceSeen((5,), "camera"))
    assert table.events("roll_refused") == [{"reason": "wrong_number_of_dice"}]
    assert table.wants == (2,)
    assert len(table.events("rolled")) == 1


def test_dice_that_come_when_the_last_tile_lies_are_refused() -> None:
    table = start(tiles="1-3")
    table.roll(3, 3)
    table.flip(1, 2)
    table.roll(6)  # not asked: no set yet
    table.flip(3)
    assert table.events("roll_refused") == [{"reason": "tiles_do_not_add_up"}]
    late = start(tiles="1,6,7")
    late.roll(1, 6)
    late.flip(7)
    late.roll(6, 1)
    late.flip(6)
    late.press(ROLL)  # 6 is no set for 7
    late.flip(1)
    late.send(DiceSeen((1, 1), "camera"))
    late.wait(2.0)
    assert late.report.winners == ("Ann",)


def test_dice_that_are_gone_are_not_asked_for_and_asked_for_when_they_are_back() -> None:
    table = start()
    table.send(DeviceLost("dice", "busy"))
    table.press(ROLL)
    assert table.asked == []
    assert table.events("roll_refused") == [{"reason": "no_dice"}]
    table.send(DeviceBack("dice"))
    table.press(ROLL)
    assert table.asked == [2]


def test_a_throw_that_was_asked_for_is_forgotten_when_the_dice_are_lost() -> None:
    table = start()
    table.press(ROLL)
    table.send(DeviceLost("dice", "busy"))
    table.send(DeviceBack("dice"))
    table.press(ROLL)
    assert table.asked == [2, 2]


def test_the_dice_tumble_on_the_screen_in_eight_frames() -> None:
    table = start()
    table.press(ROLL)
    table.send(DiceSeen((3, 4), "roller"))
    table.wait(1.0)
    frames = [e.view.tumble for e in table.out if isinstance(e, Show) and e.view.dice == (3, 4)]
    assert frames == [1, 2, 3, 4, 5, 6, 7, 8, 0]


def test_dice_that_rolled_for_all_to_see_do_not_tumble_again() -> None:
    table = start()
    table.press(ROLL)
    table.send(DiceSeen((3, 4), "camera"))
    assert table.view.tumble == 0


def test_while_the_last_dice_of_a_turn_tumble_nothing_is_given_away() -> None:
    table = start(tiles="12")
    table.press(ROLL)
    table.send(DiceSeen((1, 1), "roller"))
    assert (table.view.player, table.view.scene, table.view.last_turn) == ("Ann", Scene.MOVE, None)
    table.wait(TUMBLE_S)
    assert table.view.player == "Bob"
    assert table.view.last_turn is not None

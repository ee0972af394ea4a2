"""A camera reads the dice that people throw."""

from __future__ import annotations

import pytest
from driven_table import BACK, NEXT, ROLL, Table, begin, choose

from firmware_host.table.dialog import SetUp
from firmware_host.table.effects import AwaitThrow
from firmware_host.table.events import DeviceBack, DeviceLost, DiceRefused, DiceSeen
from firmware_host.table.session import Session
from firmware_host.table.view import Scene


def at_the_table(*players: str, **settings: object) -> Table:
    return begin(*players, source="camera", **settings)


def throw(table: Table, *dice: int) -> None:
    table.send(DiceSeen(dice, "camera"))
    table.wait(0.1)


def told(table: Table) -> list[int]:
    """What the camera was told to watch for."""
    return [effect.count for effect in table.out if isinstance(effect, AwaitThrow)]


class TestThrowing:
    def test_the_button_says_that_a_throw_is_to_come(self) -> None:
        table = at_the_table()
        table.press(ROLL)
        assert told(table) == [2]
        assert table.asked == []
        assert table.view.scene is Scene.THROW
        assert table.view.awaited == 2
        assert not table.session.is_pending  # people take their time

    def test_held_it_says_one_die(self) -> None:
        table = at_the_table(rules_tiles="1-3")
        table.press(ROLL, held=True)
        assert told(table) == [1]

    def test_one_die_is_not_awaited_where_two_are_to_be_thrown(self) -> None:
        table = at_the_table()
        table.press(ROLL, held=True)
        assert told(table) == []
        assert table.events("roll_refused") == [{"reason": "wrong_number_of_dice"}]

    def test_what_the_camera_reads_is_the_roll(self) -> None:
        table = at_the_table()
        table.press(ROLL)
        throw(table, 5, 3)
        (rolled,) = table.events("rolled")
        assert (rolled["dice"], rolled["source"]) == ((5, 3), "camera")
        assert table.wants == ("move",)
        assert told(table) == [2, 0]
        assert table.view.tumble == 0

    def test_dice_thrown_without_the_button_are_nobodys_business(self) -> None:
        table = at_the_table()
        throw(table, 5, 3)
        assert table.events("rolled") == []
        assert table.events("roll_refused") == []

    def test_another_number_may_be_said_before_the_throw(self) -> None:
        table = at_the_table(rules_tiles="1-3")
        table.press(ROLL)
        table.press(ROLL, held=True)
        assert told(table) == [2, 1]

    def test_back_takes_the_word_back(self) -> None:
        table = at_the_table()
        table.press(ROLL)
        table.press(BACK)
        assert told(table) == [2, 0]
        assert table.view.scene is Scene.ROLL

    def test_a_tile_flipped_meanwhile_is_put_right_and_the_throw_counts(self) -> None:
        table = at_the_table()
        table.press(ROLL)
        table.flip(4)
        assert table.view.scene is Scene.PUT_RIGHT
        throw(table, 4, 5)
        assert len(table.events("rolled")) == 1

    def test_a_move_taken_back_ends_the_wait(self) -> None:
        table = at_the_table()
        table.press(ROLL)
        throw(table, 4, 5)
        table.flip(9)
        table.press(ROLL)
        table.flip(9)
        assert told(table) == [2, 0, 2, 0]
        assert table.wants == ("move",)

    def test_after_an_undo_the_throw_stays(self) -> None:
        table = at_the_table()
        table.press(ROLL)
        throw(table, 4, 5)
        table.press(BACK, held=True)
        table.press(ROLL)
        assert [(r["dice"], r["source"]) for r in table.events("rolled")] == [((4, 5), "camera")] * 2
        assert told(table) == [2, 0]


class TestRefusals:
    @pytest.fixture
    def table(self) -> Table:
        table = at_the_table()
        table.press(ROLL)
        table.send(DiceRefused("cocked"))
        return table

    def test_are_told_and_shown_until_the_next_throw(self, table: Table) -> None:
        table.wait(30.0)
        assert table.events("roll_refused") == [{"reason": "cocked"}]
        assert table.view.refused == "cocked"

    def test_leave_the_wish(self, table: Table) -> None:
        throw(table, 1, 2)
        assert len(table.events("rolled")) == 1
        assert table.view.refused == ""
        assert told(table) == [2, 0]

    def test_are_not_forgotten_at_another_press(self, table: Table) -> None:
        table.press(ROLL)
        assert table.view.refused == "cocked"

    def test_next_types_the_dice_and_the_record_tells(self, table: Table) -> None:
        table.press(NEXT)
        assert told(table) == [2, 0]
        table.press(NEXT)
        table.press(NEXT)
        (rolled,) = table.events("rolled")
        assert rolled["source"] == "keypad"

    def test_typing_can_be_left_for_another_throw(self, table: Table) -> None:
        table.press(NEXT)
        table.press(BACK, held=True)
        assert table.view.scene is Scene.ROLL
        table.press(ROLL)
        assert told(table) == [2, 0, 2]

    def test_two_dice_where_one_was_said_are_a_players_slip(self) -> None:
        table = at_the_table(rules_tiles="1-3")
        table.press(ROLL, held=True)
        table.send(DiceRefused("two_dice"))
        assert table.events("roll_refused") == [{"reason": "wrong_number_of_dice"}]
        assert table.view.refused == "two_dice"

    def test_of_what_nobody_waits_for_are_not_told(self) -> None:
        table = at_the_table()
        table.send(DiceRefused("cocked"))
        assert table.events("roll_refused") == []


class TestWithoutTheCamera:
    @pytest.fixture
    def table(self) -> Table:
        table = at_the_table()
        table.press(ROLL)
        table.send(DeviceLost("camera", "unplugged"))
        return table

    def test_the_dice_are_typed(self, table: Table) -> None:
        assert table.view.typed == (2,)
        assert table.view.troubles == ("camera",)
        table.press(NEXT)
        table.press(NEXT)
        (rolled,) = table.events("rolled")
        assert rolled["source"] == "keypad"

    def test_it_reads_again_once_it_is_back(self, table: Table) -> None:
        table.send(DeviceBack("camera"))
        assert table.view.typed == ()
        table.press(ROLL)
        throw(table, 6, 6)
        assert len(table.events("rolled")) == 1

    def test_what_is_half_typed_may_be_typed_to_its_end(self, table: Table) -> None:
        table.press(NEXT)
        table.send(DeviceBack("camera"))
        assert table.view.typed[0] == 2
        table.press(NEXT)
        assert len(table.events("rolled")) == 1

    def test_an_undone_throw_is_not_typed_anew(self) -> None:
        table = at_the_table()
        table.press(ROLL)
        throw(table, 4, 5)
        table.send(DeviceLost("camera", "unplugged"))
        table.press(BACK, held=True)
        table.press(ROLL)
        assert [r["dice"] for r in table.events("rolled")] == [(4, 5), (4, 5)]


def test_the_set_up_offers_the_camera_only_where_there_is_one() -> None:
    for source, offered in (("camera", True), ("roller", False)):
        table = Table(Session(house=SetUp(source=source), setup=SetUp(source=source)))
        table.press(BACK)
        for _ in range(4):
            table.press(NEXT)
        page = table.view.page
        assert page is not None
        assert ("dice_camera" in [item.key for item in page.items]) == offered
        assert page.items[page.index].key == f"dice_{source}"


def test_a_match_set_up_for_typed_dice_does_not_ask_the_camera() -> None:
    table = Table(Session(house=SetUp(source="camera"), setup=SetUp(source="camera")))
    table.look()
    table.press(BACK)
    for _ in range(4):
        table.press(NEXT)
    choose(table, "dice_keypad")
    table.wait(1.0)
    assert table.session.source == "keypad"
    table.press(ROLL)
    assert told(table) == []

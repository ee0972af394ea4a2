"""A turn at the table, step by step: what hands and buttons do, and what it answers."""

from __future__ import annotations

from driven_table import BACK, NEXT, ROLL, start

from firmware_host.table.events import (
    ButtonsSeen,
    DeviceLost,
)
from firmware_host.table.state import AGAIN_AFTER_S
from firmware_host.table.view import Notice, Scene


def test_a_match_begins_with_a_roll_of_the_first_seat() -> None:
    table = start()
    assert table.report.player == "Ann"
    assert table.wants == (2,)
    assert table.events("roll_wanted") == [{"player": "Ann", "dice": (2,)}]


def test_a_tile_before_the_roll_is_to_be_put_back_and_costs_nothing() -> None:
    table = start()
    table.flip(4)
    assert table.wants == ((4,), ())
    assert table.events("put_right") == [{"open": (4,), "shut": ()}]
    table.flip(4)
    assert table.events("righted") == [{}]
    assert table.wants == (2,)
    assert [r.event for r in table.records] == ["match_started", "turn_started"]


def test_a_part_of_a_set_waits_for_the_rest() -> None:
    table = start()
    table.roll(3, 5)
    table.flip(5)
    assert table.wants == ("move",)
    assert (table.view.scene, table.view.to_shut) == (Scene.MOVE, 3)


def test_a_complete_move_is_said_at_once_and_stands_with_the_next_roll() -> None:
    table = start()
    table.roll(3, 5)
    table.flip(5, 3)
    assert table.view.scene is Scene.DONE
    assert table.report.open == (1, 2, 4, 6, 7, 8, 9)
    assert table.events("move_made") == []
    table.roll(6, 6)
    assert [r.event for r in table.records][-2:] == ["move_made", "rolled"]
    assert table.events("move_made")[0]["shut"] == (3, 5)


def test_a_complete_move_may_be_taken_back_until_the_next_roll() -> None:
    table = start()
    table.roll(3, 5)
    table.flip(8, 8)
    assert table.wants == ("move",)
    table.flip(5, 3)
    table.roll(6, 6)
    assert table.events("move_made")[0]["shut"] == (3, 5)
    table.flip(5)  # now it is an earlier move
    assert table.wants == ((), (5,))


def test_a_whole_set_that_is_a_part_of_a_longer_one_goes_on_as_a_part() -> None:
    """Of 8 by 5 and 3 to 5, 2 and 1: the 3 goes back up."""
    table = start()
    table.roll(3, 5)
    table.flip(5, 3, 3, 2)
    assert table.wants == ("move",)
    table.flip(1)
    assert table.view.scene is Scene.DONE


def test_wrong_tiles_ask_for_the_fewest_flips_and_go_on_by_themselves() -> None:
    table = start()
    table.roll(1, 2)
    table.flip(3, 9, 1)
    assert table.wants == ((1, 9), ())
    table.flip(9)
    assert table.wants == ((1,), ())
    table.flip(1)
    assert table.view.scene is Scene.DONE


def test_among_equals_the_tile_flipped_last_goes_back() -> None:
    first, second = start(), start()
    for table, tiles in ((first, (1, 3)), (second, (3, 1))):
        table.roll(1, 2)
        table.flip(*tiles)
    assert first.wants == ((3,), ())
    assert second.wants == ((1,), ())


def test_two_tiles_30_ms_apart_are_two_tiles() -> None:
    table = start()
    table.roll(3, 5)
    table.flip(5, 3, every_s=0.03)
    table.wait(0.1)
    assert table.view.scene is Scene.DONE


def test_a_tile_that_came_straight_back_is_none() -> None:
    table = start()
    table.flip(5, 5, every_s=0.03)
    table.wait(1.0)
    assert table.events("put_right") == []


def test_tiles_outside_the_rules_are_ignored() -> None:
    table = start(tiles="1-9")
    table.flip(10, 11, 12)
    assert table.wants == (2,)


def test_a_roll_that_fits_nothing_ends_the_turn_and_the_next_finds_the_box_to_be_opened() -> None:
    table = start(tiles="4,5")
    table.roll(3, 1)
    table.flip(4)
    table.roll(6, 6)
    assert table.events("turn_ended") == [
        {"player": "Ann", "open": (5,), "score": 5, "reason": "no_move"},
    ]
    assert table.report.player == "Bob"
    assert table.wants == ((4,), ())
    table.flip(4)
    assert table.wants == (1, 2)


def test_the_last_tile_wins_after_it_has_lain_for_a_moment() -> None:
    table = start(tiles="7")
    table.roll(3, 4)
    table.flip(7)
    assert table.wants == ((), ())
    assert table.report.winners == ()
    table.wait(1.0)
    assert table.report.winners == ("Ann",)
    assert [r.event for r in table.records][-4:] == ["move_made", "turn_ended", "round_ended", "match_ended"]


def test_the_last_tile_may_still_go_back() -> None:
    table = start(tiles="7")
    table.roll(3, 4)
    table.flip(7, every_s=0.8)
    table.flip(7)
    table.wait(5.0)
    assert table.wants == ("move",)
    table.flip(7, every_s=0.5)
    assert table.report.winners == (), "the moment begins anew"
    table.wait(1.0)
    assert table.report.winners == ("Ann",)


def test_next_lets_a_complete_move_stand() -> None:
    table = start()
    table.roll(4, 5)
    table.flip(9)
    table.press(NEXT)
    assert table.events("move_made")[0]["shut"] == (9,)
    assert table.view.scene is Scene.ROLL


def test_next_reads_a_notice_away() -> None:
    table = start()
    table.press(ROLL, held=True)
    table.press(NEXT)
    assert table.view.notice is None


def test_next_after_the_end_plays_again_with_the_same_rules_and_seats() -> None:
    table = start(tiles="7")
    table.roll(3, 4)
    table.flip(7)
    table.wait(1.0 + AGAIN_AFTER_S)
    table.press(NEXT)
    started = table.events("match_started")
    assert [fields["match"] for fields in started] == [1, 2]
    assert started[0]["rules"] == started[1]["rules"]
    assert table.wants == ((7,), ())


def test_back_held_undoes_one_step_each_time() -> None:
    table = start()
    table.roll(4, 5)
    table.flip(9)
    table.roll(3, 5)
    table.press(BACK, held=True)
    assert table.view.notice is Notice.UNDONE
    assert table.view.scene is Scene.DONE  # the 9 lies, and may be exchanged again
    table.press(BACK, held=True)
    assert table.wants == ((9,), ())
    table.press(BACK, held=True)
    assert table.view.notice is Notice.NOTHING_TO_UNDO
    assert [fields["undid"] for fields in table.events("undone")] == [4, 3]


def test_a_throw_that_was_undone_is_rolled_again_without_asking_for_dice() -> None:
    table = start()
    table.roll(4, 5)
    table.press(BACK, held=True)
    table.roll(1, 1)
    assert table.asked == [2]
    assert [fields["dice"] for fields in table.events("rolled")] == [(4, 5), (4, 5)]


def test_a_kept_throw_decides_how_many_dice_are_rolled() -> None:
    table = start(tiles="1-6")
    table.roll(3)
    table.press(BACK, held=True)
    assert table.wants == (1,)
    table.roll(1, 1)
    assert table.events("rolled")[-1]["dice"] == (3,)


def test_levels_of_buttons_become_presses() -> None:
    table = start()
    for levels, for_s in (((0, 0, 0), 0.1), ((1, 0, 0), 0.2), ((0, 0, 0), 0.1)):
        table.send(ButtonsSeen(levels))
        table.wait(for_s)
    assert table.asked == [2]


def test_a_button_whose_cable_comes_off_while_it_is_down_is_not_held() -> None:
    table = start()
    table.roll(4, 5)
    table.send(ButtonsSeen((0, 0, 0)))
    table.send(ButtonsSeen((0, 0, 1)))
    table.wait(0.2)
    table.send(DeviceLost("buttons", "no answer"))
    table.wait(5.0)
    assert table.events("undone") == []

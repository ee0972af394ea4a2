"""The menu of a match: ending a turn, setting a score, leaving, abandoning; and undoing each of them."""

from __future__ import annotations

import pytest
from driven_table import BACK, NEXT, ROLL, Table, begin, choose

from firmware_host.games.records import EndReason
from firmware_host.table.state import STUCK_S
from firmware_host.table.view import Notice, Scene


def items(table: Table) -> list[str]:
    assert table.view.page is not None
    return [item.key for item in table.view.page.items]


def set_score(table: Table, player: str, *digits: int) -> None:
    """From the menu; every digit by *roll*."""
    choose(table, "menu_set_score")
    choose(table, player)
    for digit in digits:
        page = table.view.page
        assert page is not None
        while table.view.page is not None and table.view.page.digits[page.index] != digit:
            table.press(ROLL)
        table.press(NEXT)


def test_the_menu_begins_with_a_tile_not_seen_only_where_tiles_are_waited_for() -> None:
    table = begin()
    table.press(NEXT, held=True)
    assert items(table)[0] == "menu_end_turn"
    table.press(BACK)
    table.roll(3, 5)
    table.press(NEXT, held=True)
    assert items(table)[0] == "menu_not_seen"
    assert table.events("undone") == []


def test_whoever_flips_a_tile_leaves_the_menu_and_sees_what_it_does() -> None:
    table = begin()
    table.roll(3, 5)
    table.press(NEXT, held=True)
    table.flip(8)
    assert table.view.scene is Scene.DONE


def test_a_turn_ended_by_hand_scores_what_is_open_and_back_undoes_it() -> None:
    table = begin()
    table.roll(4, 5)
    table.flip(9)
    table.roll(6, 6)
    choose(table, "menu_end_turn")
    (ended,) = table.events("turn_ended")
    assert (ended["score"], ended["reason"]) == (36, EndReason.ENDED_BY_HAND)
    assert table.report.player == "Bob"
    table.press(BACK, held=True)
    assert (table.report.player, table.wants) == ("Ann", ("move",))


def test_a_complete_move_stands_when_the_turn_is_ended_by_hand() -> None:
    table = begin()
    table.roll(4, 5)
    table.flip(9)
    choose(table, "menu_end_turn")
    assert [r.event for r in table.records][-3:] == ["move_made", "turn_ended", "turn_started"]
    assert table.events("turn_ended")[0]["score"] == 36
    table.press(BACK, held=True)
    assert table.view.scene is Scene.DONE


def test_the_last_tile_wins_also_where_the_turn_is_ended_by_hand_before_it_has_lain() -> None:
    table = begin(rules_tiles="7")
    table.roll(3, 4)
    table.flip(7, every_s=0.1)
    choose(table, "menu_end_turn")
    assert [ended["reason"] for ended in table.events("turn_ended")] == [EndReason.SHUT]
    assert table.report.winners == ("Ann",)


def test_a_score_set_by_hand_is_told_and_can_be_undone() -> None:
    table = begin(match_kind="last-standing")
    set_score(table, "Bob", 0, 3, 0)
    assert table.events("corrected") == [{"what": "score", "player": "Bob", "was": 0, "is_": 30}]
    assert table.report.totals == (("Ann", 0), ("Bob", 30))
    assert table.wants == (2,)
    table.press(BACK, held=True)
    assert table.report.totals == (("Ann", 0), ("Bob", 0))


def test_a_score_that_stays_as_it_was_is_no_correction() -> None:
    table = begin()
    set_score(table, "Ann", 0, 0, 0)
    assert table.events("corrected") == []
    assert table.view.scene is Scene.ROLL


def test_a_score_may_be_set_while_tiles_lie_and_they_go_on_lying() -> None:
    table = begin()
    table.roll(3, 5)
    table.flip(5)
    set_score(table, "Bob", 0, 1, 2)
    assert (table.view.scene, table.view.to_shut) == (Scene.MOVE, 3)


def test_who_leaves_in_the_own_turn_has_no_score_and_the_next_plays() -> None:
    table = begin("Ann", "Bob", "Cem")
    choose(table, "menu_leave")
    choose(table, "Ann")
    (ended,) = table.events("turn_ended")
    assert (ended["score"], ended["reason"]) == (None, EndReason.LEFT)
    assert table.report.player == "Bob"
    table.press(NEXT, held=True)
    choose(table, "menu_leave")
    assert table.view.page is not None
    assert [item.name for item in table.view.page.items] == ["Bob", "Cem"]
    table.press(BACK)
    table.press(BACK, held=True)
    assert table.report.player == "Ann"


def test_who_leaves_out_of_turn_disturbs_nobody() -> None:
    table = begin("Ann", "Bob", "Cem", rules_tiles="9")
    table.roll(4, 5)
    choose(table, "menu_leave")
    choose(table, "Bob")
    assert table.wants == ("move",)
    choose(table, "menu_end_turn")
    assert table.report.player == "Cem"


def test_the_last_one_who_stays_wins() -> None:
    table = begin(match_stake=2)
    choose(table, "menu_leave")
    choose(table, "Ann")
    (ended,) = table.events("match_ended")
    assert (ended["winners"], ended["stakes"]) == (("Bob",), {"Ann": -2, "Bob": 2})
    table.press(BACK, held=True)
    assert (table.report.winners, table.report.player) == ((), "Ann")


def test_an_abandoned_match_has_no_winners_and_can_be_undone() -> None:
    table = begin(match_stake=2)
    table.roll(3, 5)
    choose(table, "menu_abandon")
    (ended,) = table.events("match_ended")
    assert (ended["winners"], ended["reason"]) == ((), "abandoned")
    assert (table.view.scene, table.view.winners) == (Scene.OVER, ())
    table.press(BACK, held=True)
    assert table.wants == ("move",)


# Undoing, and what does not stand again by itself


def test_an_undone_win_waits_until_next_says_that_it_holds_or_the_tile_is_moved() -> None:
    table = begin(rules_tiles="7")
    table.roll(3, 4)
    table.flip(7)
    table.wait(2.0)
    table.press(BACK, held=True)
    table.wait(60.0)
    assert (table.view.scene, table.report.winners) == (Scene.DONE, ())
    table.press(NEXT)
    assert table.report.winners == ("Ann",)
    table.press(BACK, held=True)
    table.flip(7)
    assert table.wants == ("move",)
    table.flip(7)
    table.wait(2.0)
    assert table.report.winners == ("Ann",)


# Nobody puts it right


def test_after_ten_seconds_the_screen_says_how_to_go_on_without_the_sensor() -> None:
    table = begin()
    table.flip(4)
    table.wait(STUCK_S - 1.0)
    assert table.view.notice is None
    table.wait(2.0)
    assert table.view.notice is Notice.STUCK
    table.flip(4)
    assert table.view.notice is None


def test_other_tiles_to_put_right_begin_the_ten_seconds_anew() -> None:
    table = begin()
    table.flip(4)
    table.wait(STUCK_S - 1.0)
    table.flip(5)
    table.wait(STUCK_S - 1.0)
    assert table.view.notice is None


# Dice that nobody knows


def test_without_known_dice_any_flips_are_taken_and_next_ends_the_turn() -> None:
    table = begin(source="none")
    assert (table.view.scene, table.wants) == (Scene.FREE, ("move",))
    table.flip(9, 1, 5, 5)
    table.press(NEXT)
    moved, ended = table.events("move_made")[0], table.events("turn_ended")[0]
    assert (moved["shut"], ended["score"], ended["reason"]) == ((1, 9), 35, EndReason.ENDED_BY_HAND)
    assert table.report.player == "Bob"
    assert table.wants == ((1, 9), ())
    table.flip(1, 9)
    assert table.view.scene is Scene.FREE


def test_without_known_dice_no_roll_is_taken() -> None:
    table = begin(source="none")
    table.press(ROLL)
    assert table.asked == []
    assert table.view.notice is Notice.NOT_NOW


def test_without_known_dice_the_last_tile_shuts_the_box_by_itself() -> None:
    table = begin(source="none", rules_tiles="1-3")
    table.flip(1, 2, 3)
    table.wait(2.0)
    assert table.report.winners == ("Ann",)
    table.press(BACK, held=True)
    assert table.view.scene is Scene.FREE
    table.wait(30.0)
    assert table.report.winners == ()


def test_without_known_dice_the_menu_ends_a_turn_with_what_lies() -> None:
    table = begin(source="none")
    table.flip(9, 8)
    choose(table, "menu_end_turn")
    assert table.events("turn_ended")[0]["score"] == 28


@pytest.mark.parametrize("what", ["menu_set_score", "menu_leave"])
def test_without_known_dice_tiles_lie_on_when_something_else_is_set_right(what: str) -> None:
    table = begin("Ann", "Bob", "Cem", source="none")
    table.flip(9, 8)
    if what == "menu_leave":
        choose(table, what)
        choose(table, "Cem")
    else:
        set_score(table, "Bob", 0, 1, 0)
    assert table.wants == ("move",)
    table.press(NEXT)
    assert table.events("turn_ended")[0]["score"] == 28


# The battle


def battle() -> Table:
    """Ann has shut the 8 for 3 and 5, and the turn has passed to Bob."""
    table = begin(match_kind="battle")
    table.roll(3, 5)
    table.flip(8)
    table.wait(2.0)
    assert table.report.player == "Bob"
    return table


def test_in_a_battle_a_move_that_is_opened_again_before_the_next_roll_returns_the_turn() -> None:
    table = battle()
    table.flip(8)
    assert (table.report.player, table.wants) == ("Ann", ("move",))
    assert table.view.notice is Notice.UNDONE
    table.flip(5, 3)
    table.wait(2.0)
    assert [made["shut"] for made in table.events("move_made")] == [(8,), (3, 5)]
    assert table.report.player == "Bob"


def test_in_a_battle_nothing_is_taken_back_after_the_next_roll() -> None:
    table = battle()
    table.roll(6, 6)  # passes: nothing shut adds up to 12
    assert table.report.player == "Ann"
    table.flip(8)
    assert table.wants == ((), (8,))


def test_in_a_battle_a_turn_ended_by_hand_does_not_return_with_a_tile() -> None:
    table = begin(match_kind="battle")
    table.roll(3, 5)
    choose(table, "menu_end_turn")
    table.flip(8)
    assert (table.report.player, table.wants) == ("Bob", ((8,), ()))


def test_an_undone_move_of_a_battle_does_not_pass_the_turn_again_by_itself() -> None:
    table = battle()
    table.press(BACK, held=True)
    table.wait(30.0)
    assert (table.report.player, table.view.scene) == ("Ann", Scene.DONE)
    table.press(NEXT)
    assert table.report.player == "Bob"


def test_the_raiser_opens_what_is_shut() -> None:
    table = battle()
    table.roll(2, 6)
    assert table.report.legal == ((8,),)
    table.flip(8)
    table.wait(2.0)
    assert table.report.winners == ("Bob",)
    assert table.events("move_made")[-1]["opened"] == (8,)

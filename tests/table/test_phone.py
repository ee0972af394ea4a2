"""What the keeper's phone asks for is done as if hands did it, or refused without a trace."""

from __future__ import annotations

from typing import Any

import pytest
from driven_table import BACK, NEXT, ROLL, Table, begin, choose

from firmware_host.games.records import Corrected, Rolled, Undone
from firmware_host.table.effects import Answered
from firmware_host.table.events import DiceSeen, PhoneAsked, PhoneOffered
from firmware_host.table.session import resume
from firmware_host.table.view import Notice, Scene
from firmware_host.table.wishes import EndTurn, HandOver, Rename, SetDice, SetScore, Start, TakeBack, Wish

NOT_NOW = "the last step was no throw; undo up to it first"


def ask(table: Table, wish: Wish) -> str:
    """The problem that the phone is told."""
    number = 1 + sum(isinstance(effect, Answered) for effect in table.out)
    table.send(PhoneAsked(number, wish))
    answers = [effect for effect in table.out if isinstance(effect, Answered)]
    assert answers[-1].number == number
    table.wait(0.1)
    return answers[-1].problem


def refuses(table: Table, wish: Wish) -> str:
    """The same, and nothing has changed by it."""
    records, history = len(table.records), table.session.history
    problem = ask(table, wish)
    assert problem
    assert len(table.records) == records
    assert table.session.history == history
    return problem


# Dice


def test_dice_misread_are_set_while_their_tiles_lie_wrong() -> None:
    table = begin("Ann", "Bob")
    table.roll(3, 5)
    table.flip(8)
    assert ask(table, SetDice((1, 3))) == ""
    assert table.report.legal[0] == (4,)
    assert table.wants == ((8,), ()), "the 8 that was shut for the wrong dice is to be opened"
    corrected = next(r for r in table.records if isinstance(r, Corrected))
    assert (corrected.what, corrected.player, corrected.was, corrected.is_) == ("dice", "Ann", (3, 5), (1, 3))


def test_the_move_before_the_throw_stands_all_the_same() -> None:
    table = begin("Ann", "Bob")
    table.roll(4, 5)
    table.flip(9)
    table.roll(3, 5)
    assert ask(table, SetDice((2, 4))) == ""
    assert table.report.open == (1, 2, 3, 4, 5, 6, 7, 8)
    assert table.report.legal[0] == (6,)


def test_a_throw_that_ended_the_turn_can_be_set_too() -> None:
    table = begin("Ann", "Bob", rules_tiles="1-3")
    table.roll(2, 1)
    table.flip(1, 2)
    table.roll(6)
    assert table.report.player == "Bob"
    assert ask(table, SetDice((3,))) == ""
    assert (table.report.player, table.report.legal) == ("Ann", ((3,),))


def test_dice_set_by_hand_are_told_as_such_and_are_no_free_throw() -> None:
    table = begin("Ann", "Bob")
    table.roll(3, 5)
    ask(table, SetDice((6, 6)))
    rolled = [r for r in table.records if isinstance(r, Rolled)]
    assert [(r.dice, r.source) for r in rolled] == [((3, 5), "roller"), ((6, 6), "hand")]
    table.press(BACK, held=True)
    assert table.session.history.kept_dice(2) == (3, 5)


@pytest.mark.parametrize("dice", [(3,), (4,)])
def test_another_number_of_dice_than_may_be_thrown_is_refused(dice: tuple[int, ...]) -> None:
    table = begin("Ann", "Bob")
    table.roll(3, 5)
    assert refuses(table, SetDice(dice)) == "2 dice, not 1"


def test_without_a_throw_there_is_nothing_to_set() -> None:
    table = begin("Ann", "Bob")
    assert refuses(table, SetDice((3, 5))) == NOT_NOW
    table.roll(3, 5)
    ask(table, SetScore("Bob", 7))
    assert refuses(table, SetDice((3, 6))) == NOT_NOW


# The rest


def test_undo_takes_one_step_back_and_says_when_there_is_none() -> None:
    table = begin("Ann", "Bob")
    table.roll(3, 5)
    assert ask(table, TakeBack()) == ""
    assert table.view.scene is Scene.ROLL
    assert isinstance(table.records[-1], Undone)
    assert refuses(table, TakeBack()) == "nothing to undo"


def test_a_score_is_set() -> None:
    table = begin("Ann", "Bob")
    assert ask(table, SetScore("Bob", 40)) == ""
    assert dict(table.report.totals) == {"Ann": 0, "Bob": 40}
    assert refuses(table, SetScore("Zed", 1)) == "Zed does not play in this match"


def test_a_turn_is_handed_over_with_its_dice_and_whose_it_was_plays_after() -> None:
    table = begin("Ann", "Bob", "Cy")
    table.roll(3, 5)
    assert ask(table, HandOver("Cy")) == ""
    assert (table.report.player, table.report.wants_move) == ("Cy", True)
    ask(table, EndTurn())
    assert dict(table.report.totals)["Cy"] == 45
    assert table.report.player == "Ann"


def test_a_turn_is_handed_over_only_to_who_has_still_to_play() -> None:
    table = begin("Ann", "Bob")
    assert refuses(table, HandOver("Ann")) == "it is Ann's turn already"
    ask(table, EndTurn())
    assert refuses(table, HandOver("Ann")) == "Ann has nothing to play in this round"
    battle = begin("Ann", "Bob", match_kind="battle")
    assert refuses(battle, HandOver("Bob")) == "in a battle each has his own part"


def test_a_player_is_renamed_with_all_that_is_known_of_him() -> None:
    table = begin("Player 1", "Bob")
    ask(table, EndTurn())
    assert ask(table, Rename("Player 1", "Ann")) == ""
    assert dict(table.report.totals) == {"Ann": 45, "Bob": 0}
    assert table.view.last_turn is not None
    assert table.view.last_turn.player == "Ann"
    assert "Ann" in table.session.people
    assert refuses(table, Rename("Ann", "Bob")) == "Bob plays already"
    ask(table, TakeBack())
    assert dict(table.report.totals) == {"Player 1": 45, "Bob": 0}


def test_a_throw_that_was_kept_is_kept_for_who_is_renamed() -> None:
    table = begin("Player 1", "Bob")
    table.roll(3, 5)
    ask(table, TakeBack())
    ask(table, Rename("Player 1", "Ann"))
    assert table.session.history.kept_dice(2) == (3, 5)


def test_a_rename_taken_back_leaves_the_throw_that_was_kept() -> None:
    table = begin("Player 1", "Bob")
    table.roll(6, 6)
    ask(table, TakeBack())
    ask(table, Rename("Player 1", "Ann"))
    ask(table, TakeBack())
    assert table.session.history.kept_dice(2) == (6, 6)


def test_a_throw_that_was_kept_goes_with_its_turn_to_who_gets_it() -> None:
    table = begin("Ann", "Bob")
    table.roll(6, 6)
    ask(table, TakeBack())
    ask(table, HandOver("Bob"))
    assert table.session.history.kept_dice(2) == (6, 6)
    ask(table, TakeBack())
    assert (table.report.player, table.session.history.kept_dice(2)) == ("Ann", (6, 6))
    ask(table, HandOver("Bob"))
    ask(table, EndTurn())
    assert (table.report.player, table.session.history.kept_dice(2)) == ("Ann", ())


def test_the_next_turn_keeps_its_throw_when_the_one_before_changes_hands() -> None:
    """Bob threw in the second turn; it stays thrown for it, whoever has it, there and back."""
    table = begin("Ann", "Bob")
    ask(table, EndTurn())
    table.roll(6, 6)
    ask(table, TakeBack())
    ask(table, TakeBack())
    ask(table, HandOver("Bob"))
    assert table.session.history.kept_dice(2) == ()
    ask(table, EndTurn())
    assert (table.report.player, table.session.history.kept_dice(2)) == ("Ann", (6, 6))
    ask(table, TakeBack())
    ask(table, TakeBack())
    ask(table, EndTurn())
    assert (table.report.player, table.session.history.kept_dice(2)) == ("Bob", (6, 6))


def test_a_throw_set_to_another_number_of_dice_is_used_up_all_the_same() -> None:
    table = begin("Ann", "Bob")
    for tile, dice in ((9, (3, 6)), (8, (2, 6)), (7, (1, 6))):
        table.roll(*dice)
        table.flip(tile)
    table.roll(1, 1)
    assert ask(table, SetDice((2,))) == ""
    table.flip(2)
    table.wait(2.0)
    assert (table.report.wants_roll, table.session.history.kept_dice(1, 2)) == ((1, 2), ())
    ask(table, TakeBack())
    assert table.session.history.kept_dice(1, 2) == (1, 1)


@pytest.mark.parametrize("is_undone", [False, True])
def test_a_score_that_is_being_set_at_the_panel_is_left_when_its_player_gets_another_name(
    is_undone: bool,
) -> None:
    table = begin("Ann", "Bob")
    if is_undone:
        ask(table, Rename("Ann", "Zoe"))
    choose(table, "menu_set_score")
    table.press(NEXT)
    assert ask(table, TakeBack() if is_undone else Rename("Ann", "Zoe")) == ""
    assert table.view.scene is Scene.ROLL


@pytest.mark.parametrize("name", ["bot:x", "bot:good"])
def test_nobody_is_called_what_stands_for_the_box(name: str) -> None:
    table = begin("Ann", "Bob")
    problem = f"{name} is no name: bot: stands before whom the box plays"
    assert refuses(table, Rename("Ann", name)) == problem


def test_a_match_that_cannot_be_played_again_is_not_now() -> None:
    """A journal may hold a name of an earlier release."""
    table = begin("Ann", rules_tiles="1-4")
    history = table.session.history.add((Corrected("name", "Ann", "Ann", "bot:x"),))
    assert history.game is not None
    again = Table(resume(history.add(history.game.end_turn()), 0.0))
    again.look()
    again.wait(5.0)
    again.press(NEXT)
    assert again.view.notice is Notice.NOT_NOW
    assert again.view.scene is Scene.OVER


def test_a_name_is_refused_that_is_like_one_at_the_table_but_ones_own() -> None:
    table = begin("ann", "bot:good")
    assert refuses(table, Rename("ann", "good")) == "Good plays already"
    assert ask(table, Rename("ann", "Ann")) == ""


def test_a_name_that_was_misspelt_is_known_no_more_until_it_is_taken_back() -> None:
    table = begin("Anm", "Bob")
    ask(table, Rename("Anm", "Ann"))
    assert table.session.people == ("Ann", "Bob")
    assert table.session.setup.players == ("Ann", "Bob")
    ask(table, TakeBack())
    assert table.session.people == ("Anm", "Bob")


def test_who_has_played_before_is_known_still_when_another_sits_there() -> None:
    table = begin("Ann", "Bob")
    ask(table, Start({}, ("Ann", "bot:good"), "roller"))
    ask(table, Rename("Ann", "Cy"))
    ask(table, Rename("Good", "Dora"))
    assert table.session.people == ("Cy", "Ann", "Bob")


@pytest.mark.parametrize("wish", [SetScore("Bob", 5), Rename("Ann", "Zoe")])
def test_a_correction_beside_the_game_leaves_dice_in_the_air(wish: Wish) -> None:
    table = begin("Ann", "Bob", source="camera")
    table.press(ROLL)
    ask(table, wish)
    assert table.view.scene is Scene.THROW
    table.send(DiceSeen((3, 5), "camera"))
    assert table.view.scene is Scene.MOVE
    typing = begin("Ann", "Bob", source="keypad")
    typing.press(ROLL)
    typed = typing.report.typed
    ask(typing, wish)
    assert typing.report.typed == typed != begin(source="keypad").report.typed


def test_a_match_started_before_the_box_was_seen_is_not_resumed() -> None:
    table = Table(resume(begin("Ann").session.history, 0.0))
    ask(table, Start({}, ("Bob",), "roller"))
    table.look()
    table.wait(2.0)
    assert not table.events("resumed")
    assert table.view.notice is None


def test_what_a_phone_did_is_the_same_after_a_power_cut() -> None:
    table = begin("Player 1", "Bob", "Cy")
    table.roll(3, 5)
    ask(table, HandOver("Cy"))
    ask(table, Rename("Cy", "Zoe"))
    again = resume(table.session.history, 0.0)
    assert again.history.snapshot() == table.session.history.snapshot()


def test_a_match_is_started_and_the_one_that_went_on_is_abandoned() -> None:
    table = begin("Ann", "Bob")
    assert ask(table, Start({"rules.tiles": "1-10"}, ("Cy", "Dora"), "keypad")) == ""
    assert table.report.player == "Cy"
    assert table.session.source == "keypad"
    assert table.view.tiles == tuple(range(1, 11))


@pytest.mark.parametrize(
    ("rules", "players", "problem"),
    [
        ({"match.kind": "battle"}, ("Ann",), "match.players Ann: a battle is for exactly two"),
        ({}, ("Ann", "Ann"), "match.players Ann, Ann: at least one, each name once"),
        ({"rules.tiles": "0"}, ("Ann",), "tiles '0': '0' is not within 1-12"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(
    rules: dict[str, Any], players: tuple[str, ...], problem: str
) -> None:
    assert refuses(begin("Ann", "Bob"), Start(rules, players, "roller")) == problem


def test_after_the_match_only_undo_and_a_start_are_left() -> None:
    table = begin("Ann")
    ask(table, EndTurn())
    assert table.view.scene is Scene.OVER
    over = "the match is over; undo its end first"
    assert refuses(table, SetScore("Ann", 1)) == over
    assert refuses(table, Rename("Ann", "Zoe")) == over
    assert ask(table, TakeBack()) == ""
    assert table.view.scene is Scene.ROLL


def test_before_the_first_match_a_phone_can_start_it() -> None:
    table = Table()
    table.look()
    assert refuses(table, EndTurn()) == "no match goes on"
    assert ask(table, Start({}, ("Ann",), "roller")) == ""
    assert table.report.player == "Ann"


# How it gets there


def offered(table: Table, digits: str = "0471") -> None:
    table.send(PhoneOffered("http://10.0.0.5:8137/k", digits, ("10", "01")))


def test_without_a_page_no_menu_leads_to_a_phone() -> None:
    table = begin("Ann")
    table.press(NEXT, held=True)
    assert table.view.page is not None
    assert "menu_phone" not in [item.key for item in table.view.page.items]


def test_the_menu_shows_the_way_for_two_minutes() -> None:
    table = begin("Ann")
    offered(table)
    choose(table, "menu_phone")
    page = table.view.page
    assert page is not None
    assert (page.title, page.name, page.digits, page.code) == (
        "phone", "http://10.0.0.5:8137/k", (0, 4, 7, 1), ("10", "01"),
    )  # fmt: skip
    table.wait(119)
    assert table.view.scene is Scene.MENU
    table.wait(2)
    assert table.view.scene is Scene.ROLL


def test_before_a_match_the_set_up_leads_there_too() -> None:
    table = Table()
    table.look()
    offered(table)
    table.press(BACK)
    table.press(ROLL)
    table.press(NEXT)
    assert table.view.page is not None
    assert table.view.page.title == "phone"
    table.press(ROLL)
    assert table.view.scene is Scene.TITLE


def test_digits_that_count_no_more_are_not_shown() -> None:
    table = begin("Ann")
    offered(table)
    choose(table, "menu_phone")
    offered(table, "1234")
    assert table.view.scene is Scene.ROLL
    choose(table, "menu_phone")
    assert table.view.page is not None
    assert table.view.page.digits == (1, 2, 3, 4)

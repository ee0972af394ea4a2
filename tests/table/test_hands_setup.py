"""Setting up at the table: the first match, another one, and the rematch."""

from __future__ import annotations

from driven_table import BACK, NEXT, ROLL, Table, begin, choose

from firmware_host.table.dialog import SetUp
from firmware_host.table.history import History
from firmware_host.table.session import resume
from firmware_host.table.state import AGAIN_AFTER_S, DIALOG_S
from firmware_host.table.view import Scene

HOUSE = SetUp({"rules.tiles": "1-10"}, ("Player 1", "Player 2"))
PEOPLE = ("Ann", "Bob", "李小龍")


def blank() -> Table:
    """A table that has never been played on."""
    table = Table(resume(History(), 0.0, house=HOUSE, people=PEOPLE))
    table.look()
    table.wait(1.0)
    return table


def title(table: Table) -> str:
    return "" if table.view.page is None else table.view.page.title


def won(*players: str, **settings: object) -> Table:
    """A match that the first seat has won by shutting the only tile."""
    table = begin(*players, rules_tiles="7", **settings)
    table.roll(3, 4)
    table.flip(7)
    table.wait(2.0)
    return table


def test_next_on_the_title_plays_at_once_by_the_house_rules() -> None:
    table = blank()
    table.press(NEXT)
    (started,) = table.events("match_started")
    assert started["players"] == HOUSE.players
    assert started["rules"]["rules.tiles"] == "1-10"


def test_back_or_a_held_next_on_the_title_sets_up() -> None:
    for button, held in ((BACK, False), (NEXT, True)):
        table = blank()
        table.press(button, held=held)
        assert (table.view.scene, title(table)) == (Scene.MENU, "set_up_rules")
        table.press(BACK)
        assert table.view.scene is Scene.TITLE


def test_a_set_up_from_the_first_page_to_the_first_roll() -> None:
    table = blank()
    table.press(BACK)
    choose(table, "digits")
    assert title(table) == "set_up_players"
    table.press(ROLL)  # three
    table.press(NEXT)
    for name in ("Bob", "李小龍", "Player 3"):
        assert title(table) == "set_up_seat"
        choose(table, name)
    choose(table, "dice_keypad")
    (started,) = table.events("match_started")
    assert started["players"] == ("Bob", "李小龍", "Player 3")
    assert started["rules"]["rules.scoring"] == "digits"
    assert started["rules"]["rules.tiles"] == "1-9", "a preset is a whole set of rules"
    assert (table.report.source, table.report.player) == ("keypad", "Bob")


def test_a_battle_needs_no_question_how_many() -> None:
    table = blank()
    table.press(BACK)
    for item in ("battle", "Ann", "Bob", "dice_roller"):
        choose(table, item)
    (started,) = table.events("match_started")
    assert (started["players"], started["rules"]["match.kind"]) == (("Ann", "Bob"), "battle")


def test_a_dialog_that_nobody_goes_on_with_is_left() -> None:
    table = blank()
    table.press(BACK)
    table.wait(DIALOG_S - 1.0)
    assert table.view.scene is Scene.MENU
    table.press(ROLL)
    table.wait(DIALOG_S - 1.0)
    assert table.view.scene is Scene.MENU
    table.wait(2.0)
    assert table.view.scene is Scene.TITLE
    assert table.events("match_started") == []


def test_a_button_held_leaves_every_dialog() -> None:
    for button in (ROLL, NEXT, BACK):
        table = blank()
        table.press(BACK)
        table.press(NEXT)
        table.press(button, held=True)
        assert table.view.scene is Scene.TITLE


def test_next_after_the_end_is_a_rematch_that_who_did_worst_starts() -> None:
    table = won("Ann", "Bob", "Cem", match_stake=2)
    assert table.view.scene is Scene.OVER
    table.wait(AGAIN_AFTER_S)
    table.press(NEXT)
    first, second = table.events("match_started")
    assert second["players"] == ("Bob", "Cem", "Ann"), "the seats keep their order"
    assert first["rules"] == second["rules"]


def test_back_after_the_end_sets_up_with_those_who_played_proposed() -> None:
    table = won("Cem", "Dee")
    table.press(BACK)
    table.press(NEXT)
    table.press(NEXT)
    page = table.view.page
    assert page is not None
    assert page.items[page.index].name == "Cem"


def test_another_match_in_mid_match_abandons_the_running_one_in_the_same_step() -> None:
    table = begin("Ann", "Bob", match_stake=5)
    table.roll(3, 5)
    choose(table, "menu_set_up")
    assert title(table) == "set_up_rules"
    assert table.events("match_ended") == [], "nothing has happened yet"
    for _ in range(5):
        table.press(NEXT)
    (ended,) = table.events("match_ended")
    assert (ended["reason"], ended["winners"], ended["stakes"]) == ("abandoned", (), {"Ann": 0, "Bob": 0})
    assert [r.event for r in table.records][-3:] == ["match_ended", "match_started", "turn_started"]
    table.press(BACK, held=True)
    assert table.events("undone") == [], "the match before cannot be undone into"


def test_a_pot_that_stays_goes_into_the_next_match_also_over_one_that_is_abandoned() -> None:
    table = begin("Ann", "Bob", rules_tiles="9", match_stake=3, rules_ties="carry-over")
    table.roll(1, 1)
    table.roll(1, 1)  # 9 each
    (ended,) = table.events("match_ended")
    assert (ended["winners"], ended["stakes"], ended["pot"]) == ((), {"Ann": -3, "Bob": -3}, 6)
    table.wait(AGAIN_AFTER_S)
    table.press(NEXT)
    choose(table, "menu_abandon")
    table.wait(AGAIN_AFTER_S)
    table.press(NEXT)
    assert [started["pot"] for started in table.events("match_started")] == [0, 6, 6]
    table.roll(4, 5)
    table.flip(9)
    table.wait(2.0)
    last = table.events("match_ended")[-1]
    assert sum(last["stakes"].values()) + last["pot"] == 6

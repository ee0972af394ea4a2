"""The dialogs alone: which pages there are, what each press leads to, and what is decided."""

from __future__ import annotations

from driven_table import BACK, NEXT, ROLL

from firmware_host.games.shut_the_box.presets import PRESETS
from firmware_host.table.dialog import (
    MOST_PLAYERS,
    Choice,
    ChooseRules,
    Chosen,
    Dialog,
    Intent,
    Menu,
    SetUp,
)
from firmware_host.table.events import Button

MENU = Menu((Choice.END_TURN, Choice.SET_SCORE, Choice.LEAVE), (("Ann", 12), ("Bob", 7)))
HOUSE = SetUp({"rules.tiles": "1-10"}, ("Ann", "Bob"), "keypad")
PEOPLE = ("Bob", "Cem", "Dee")


def after(dialog: Dialog, *buttons: Button) -> tuple[Dialog | None, Intent | None]:
    """The dialog after ``buttons``, and what the last of them decided."""
    now: Dialog | None = dialog
    intent: Intent | None = None
    for button in buttons:
        assert now is not None
        assert intent is None
        now, intent = now.press(button)
    return now, intent


def shown(dialog: Dialog | None) -> list[str]:
    """The selected item first, as key and name, then the others round."""
    assert dialog is not None
    page = dialog.page
    items = [f"{item.key} {item.name}{item.number or ''}".strip() for item in page.items]
    return items[page.index :] + items[: page.index]


def page_of(dialog: Dialog | None) -> tuple[str, tuple[int, ...], int]:
    assert dialog is not None
    return dialog.page.title, dialog.page.digits, dialog.page.index


def test_roll_goes_round_the_menu() -> None:
    seen = [shown(after(MENU, *[ROLL] * times)[0])[0] for times in range(4)]
    assert seen == ["menu_end_turn", "menu_set_score", "menu_leave", "menu_end_turn"]


def test_back_leaves_and_decides_nothing() -> None:
    assert after(MENU, BACK) == (None, None)
    assert after(MENU, ROLL, NEXT, BACK) == (None, None)
    assert after(ChooseRules(HOUSE, PEOPLE), BACK) == (None, None)


def test_ending_the_turn_asks_nothing_more() -> None:
    assert after(MENU, NEXT) == (None, Chosen(Choice.END_TURN))


def test_who_leaves_is_asked() -> None:
    who, _ = after(MENU, ROLL, ROLL, NEXT)
    assert shown(who) == ["player Ann12", "player Bob7"]
    assert after(MENU, ROLL, ROLL, NEXT, ROLL, NEXT) == (None, Chosen(Choice.LEAVE, "Bob"))


def test_a_score_is_set_digit_by_digit_from_the_left() -> None:
    ask = (ROLL, NEXT, NEXT)  # Ann's
    assert page_of(after(MENU, *ask)[0]) == ("menu_set_score", (0, 1, 2), 0)
    assert page_of(after(MENU, *ask, NEXT, NEXT, ROLL)[0]) == ("menu_set_score", (0, 1, 3), 2)
    assert page_of(after(MENU, *ask, BACK)[0]) == ("menu_set_score", (9, 1, 2), 0)
    decided = after(MENU, *ask, NEXT, ROLL, NEXT, BACK, BACK, NEXT)
    assert decided == (None, Chosen(Choice.SET_SCORE, "Ann", 20))


def test_there_is_one_more_digit_than_the_score_has() -> None:
    large = Menu((Choice.SET_SCORE,), (("Ann", 985), ("Bob", 12345)))
    assert page_of(after(large, NEXT, NEXT)[0])[1] == (0, 9, 8, 5)
    assert page_of(after(large, NEXT, ROLL, NEXT)[0])[1] == (0, 1, 2, 3, 4, 5)


def test_the_set_up_begins_with_the_house_rules_and_every_preset() -> None:
    assert shown(ChooseRules(HOUSE, PEOPLE)) == ["set_up_house", *(f"preset {name}" for name in PRESETS)]


def test_four_times_next_and_two_names_play_as_the_house_does() -> None:
    decided = after(ChooseRules(HOUSE, PEOPLE), NEXT, NEXT, NEXT, NEXT, NEXT)
    assert decided == (None, HOUSE)


def test_up_to_eight_players_two_are_proposed() -> None:
    how_many, _ = after(ChooseRules(HOUSE, PEOPLE), NEXT)
    assert shown(how_many)[0] == "players 2"
    assert len(shown(how_many)) == MOST_PLAYERS


BOX = ["player bot:perfect", "player bot:good", "player bot:casual"]


def test_who_sat_there_last_is_proposed_then_the_people_then_just_a_player_then_the_box() -> None:
    seat, _ = after(ChooseRules(HOUSE, PEOPLE), NEXT, NEXT)
    assert shown(seat) == ["player Ann", "player Bob", "player Cem", "player Dee", "player Player 1", *BOX]


def test_nobody_sits_on_two_seats() -> None:
    second, _ = after(ChooseRules(HOUSE, PEOPLE), NEXT, NEXT, ROLL, NEXT)  # Bob first
    assert shown(second) == ["player Cem", "player Dee", "player Player 2", *BOX]
    solo, _ = after(ChooseRules(HOUSE, ()), NEXT, ROLL, ROLL, ROLL, ROLL, ROLL, ROLL, ROLL, NEXT)
    assert shown(solo) == ["player Ann", "player Player 1", *BOX]


def test_a_preset_takes_the_place_of_the_rules_and_the_dice_stay_as_they_were() -> None:
    _, decided = after(ChooseRules(HOUSE, PEOPLE), *[ROLL] * 3, NEXT, NEXT, NEXT, NEXT, NEXT)
    assert decided == SetUp(PRESETS["cards"].settings, ("Ann", "Bob"), "keypad")


def test_the_source_of_the_dice_is_asked_last_with_the_present_one_proposed() -> None:
    dice, _ = after(ChooseRules(HOUSE, PEOPLE), NEXT, NEXT, NEXT, NEXT)
    assert shown(dice) == ["dice_keypad", "dice_none", "dice_roller"]
    _, decided = after(ChooseRules(HOUSE, PEOPLE), NEXT, NEXT, NEXT, NEXT, ROLL, NEXT)
    assert isinstance(decided, SetUp)
    assert decided.source == "none"


def test_a_battle_is_for_two_and_for_dice_that_are_known() -> None:
    at = list(PRESETS).index("battle") + 1
    house = SetUp(HOUSE.settings, HOUSE.players, "none")
    first, _ = after(ChooseRules(house, PEOPLE), *[ROLL] * at, NEXT)
    assert page_of(first)[0] == "set_up_seat"
    dice, _ = after(ChooseRules(house, PEOPLE), *[ROLL] * at, NEXT, NEXT, NEXT)
    assert sorted(shown(dice)) == ["dice_keypad", "dice_roller"]


def test_the_box_may_sit_on_two_seats_and_then_the_dice_must_be_known() -> None:
    presses = (NEXT, NEXT, *[ROLL] * 2, NEXT, *[ROLL] * 2, NEXT)
    dice, _ = after(ChooseRules(HOUSE, ()), *presses)
    assert sorted(shown(dice)) == ["dice_keypad", "dice_roller"]
    _, decided = after(ChooseRules(HOUSE, ()), *presses, NEXT)
    assert isinstance(decided, SetUp)
    assert decided.players == ("bot:perfect", "bot:perfect")


def test_the_box_sits_down_to_no_battle() -> None:
    seat, _ = after(ChooseRules(HOUSE, PEOPLE), *[ROLL] * (list(PRESETS).index("battle") + 1), NEXT)
    assert not set(BOX) & set(shown(seat))

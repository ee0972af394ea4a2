"""What the panel says, scene by scene."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.screens.text import lines
from firmware_host.table.view import Notice, Scene, TurnResult, View

Views = dict[str, View]

SAID = {
    "title": ("Boxkeeper", "NEXT: play", "BACK: set up"),
    "title_notice": ("Boxkeeper", "Journal damaged", "NEXT: play"),
    "paused": ("PAUSED", "all is saved"),
    "paused_not_saved": ("NOT SAVED", "PAUSED", "NOT SAVED"),
    "roll": ("Ann", "ROLL", "1 2 3 4 5 6 7 8 9"),
    "roll_choice": ("Ann", "ROLL 1 or 2", "1 2 - - 5 6 - - -"),
    "roll_one_die": ("Ann", "ROLL one die", "1 2 - - - - - - -"),
    "roll_after_ann": ("Bob", "ROLL", "Ann 14: 4 fits nothing", "Ann 14  Bob -"),
    "roll_six": ("P6", "ROLL", "Ann 14 Bar… 23 Цвет… 7", "Dora 0 Eve 45 P6 -"),
    "roll_long_name_troubles": (
        "Bartholomew L… NOT SAVED NO BUTTONS",
        "ROLL",
        "1 2 3 4 5 6 7 8 9",
    ),
    "move": ("Ann", "⚂ ⚄ 8 ↓", "1 2 3 4 5 6 7 8 9"),
    "move_partial": ("Ann", "⚂ ⚄ 8 5 more", "1 2 - 4 5 6 7 8 9"),
    "move_total_blind": ("Ann 37", "⚅ ⚂ 9 ↓", "1 -? 3 4 5? 6 -? 8 9"),
    "done": ("Ann", "⚂ ⚄ 8 done", "ROLL 1 or 2", "1 2 - 4 - 6 - - -"),
    "shut_the_box": ("Ann", "⚂ ⚄", "SHUT THE", "BOX!", "- - - - - - - - -"),
    "put_right_both": ("Ann", "1 2 3 4 - 6 7 8 9", "OPEN 5", "SHUT 12"),
    "put_right_after": (
        "Bob",
        "⚀ ⚂",
        "Ann 14: 4 fits nothing",
        "- 2 - - - - - - -",
        "OPEN 1 3 4 5",
        "6 7 8 9",
    ),
    "put_right_stuck": ("Ann", "Stuck? Hold NEXT", "OPEN 5"),
    "put_right_after_long": (
        "Maximiliane Musterma",
        "Barth… 14: 4 fits nothing",
        "- - - - - - - - -",
        "OPEN 1 2 3 4 5 6 7 8",
        "9 10 11 12",
    ),
    "put_right_resumed": ("Ann", "Resumed", "OPEN 3 9", "SHUT 12"),
    "confirm": ("Ann", "NEXT yes  BACK other", "1 2 3 4 5? 6 7 8 9", "SHUT 5?"),
    "confirm_both": ("Ann", "NEXT yes  BACK other", "1 2 3 4 5? 6 7 8 9", "OPEN 3 4", "SHUT 5?"),
    "over": ("Bob WINS", "Bob 12: 11 fits nothing", "Ann 14  Bob 12", "NEXT: again BACK: set up"),
    "over_abandoned": ("Match over", "Ann 14  Bob 12", "NEXT: again BACK: set up"),
    "over_battle": ("Bob WINS", "Bob moved", "NEXT: again BACK: set up"),
    "over_battle_abandoned": ("Match over", "NEXT: again BACK: set up"),
    "over_left": ("Ann WINS", "Bartholomew Longname left", "NEXT: again BACK: set up"),
    "roll_after_passing": ("Bob", "ROLL", "Ann passed", "1 2 3 4 5 6 7 8 9"),
    "roll_no_dice": ("Ann", "ROLL", "No dice"),
    "roll_can_set": ("Ann 37", "ROLL", "NEXT: set the dice"),
    "roll_can_set_choice": ("Ann", "ROLL 1 or 2", "Ann 14", "NEXT: set the dice"),
    "type_first": ("Ann", "ROLL [⚁]", "ROLL + BACK - NEXT ok"),
    "type_second": ("Ann", "ROLL ⚁ [⚃]", "ROLL + BACK - NEXT ok"),
    "type_choice": ("Ann", "ROLL 1 or 2 [⚁]", "hold ROLL: 1 die", "ROLL + BACK - NEXT ok"),
    "type_one_of_choice": (
        "Ann NOT SAVED",
        "ROLL 1 or 2 [⚂]",
        "hold ROLL: 2 dice",
        "ROLL + BACK - NEXT ok",
    ),
    "type_one": ("Ann", "ROLL one die [⚅]", "ROLL + BACK - NEXT ok"),
    "type_done": ("Ann", "ROLL 1 or 2 ⚄ [⚅]", "8 done hold ROLL: 1 die", "ROLL + BACK - NEXT ok"),
    "type_done_two": ("Ann", "ROLL [⚁]", "8 done", "ROLL + BACK - NEXT ok"),
    "type_after_ann": (
        "Bob",
        "ROLL ⚀ [⚅]",
        "Ann 14: 4 fits nothing",
        "Ann 14 Bob -",
        "ROLL + BACK - NEXT ok",
    ),
    "type_notice": ("Ann", "ROLL [⚁]", "Two dice"),
    "free": ("Ann", "flip tiles", "NEXT: end turn", "1 2 - 4 - 6 7 8 -"),
    "free_total": ("Ann 37", "flip tiles", "NEXT: end turn", "1 2 - 4 - 6 7 8 -"),
    "free_after_ann": ("Bob", "flip tiles", "NEXT: end turn", "Ann 14", "Ann 14 Bob -"),
    "menu": ("Menu", "[End this turn]", "Set a total", "Player leaves ▼", "ROLL ↓ NEXT ok BACK out"),
    "menu_middle": (
        "Menu",
        "End this turn ▲",
        "[Set a total]",
        "Player leaves ▼",
        "ROLL ↓ NEXT ok BACK out",
    ),
    "menu_last": ("Menu", "Player leaves ▲", "New match", "[Abandon match]", "ROLL ↓ NEXT ok BACK out"),
    "menu_leave": (
        "Who leaves?",
        "Ann 14",
        "[Bartholomew 23]",
        "Цветана 7 ▼",
        "ROLL ↓ NEXT ok BACK out",
    ),
    "menu_score": ("Whose total?", "Dora 0 ▲", "Eve 45", "[P6 0]", "ROLL ↓ NEXT ok BACK out"),
    "score_first": ("Ann: total", "[0] 1 4", "ROLL up BACK down NEXT ok"),
    "score_last": ("Bartholomew Longn…: total", "0 1 [4]", "ROLL up BACK down NEXT ok"),
    "score_long": ("Total NOT SAVED", "1 2 [3] 4 5", "ROLL up BACK down NEXT ok"),
    "set_up_pub": (
        "Which rules?",
        "[pub] ▲",
        "cards ▼",
        "for a pot; who shuts the",
        "box takes double",
        "ROLL ↓ NEXT ok BACK out",
    ),
    "set_up_players": (
        "How many players?",
        "1 player",
        "[2 players]",
        "3 players ▼",
        "ROLL ↓ NEXT ok BACK out",
    ),
    "set_up_seat": (
        "Seat 2: who?",
        "Bartholomew Longname ▲",
        "[Цветана]",
        "P2 #4 ▼",
        "ROLL ↓ NEXT ok BACK out",
    ),
    "set_up_dice_keypad": (
        "Which dice?",
        "Box rolls",
        "[Type the dice]",
        "throw real dice, type",
        "what they show",
        "ROLL ↓ NEXT ok BACK out",
    ),
    "hint": ("Ann", "⚂ ⚄", "BEST 8", "7 1: 5.7 points worse", "1 2 3 4 5 6 7 8 9"),
    "hint_begun": ("Ann", "⚂ ⚄", "BEST 8", "5 2 1: 12.8 points worse", "1 - 3 4 5 6 7 8 9"),
    "hint_to_win": ("Ann", "⚂ ⚄", "BEST 8", "7 1: 2.1% worse", "1 2 3 4 5 6 7 8 9"),
    "hint_tie": ("Ann", "⚂ ⚄", "BEST 8", "7 1: as good", "1 2 3 4 5 6 7 8 9"),
    "hint_only": ("Ann", "⚂ ⚄", "BEST 8", "nothing else fits", "1 2 - - - - - 8 -"),
    "hint_dice": ("Ann", "ROLL 1 or 2", "BEST one die", "two dice: 0.4 worse"),
    "review": ("Bob", "ROLL", "Ann 14: 4 fits nothing", "5 2 1 cost 0.8 points", "best was 8; all: 1.3"),
    "review_of_dice": (
        "Bob",
        "ROLL",
        "Ann 14: 4 fits nothing",
        "two dice cost 0.4 points",
        "best was one die",
    ),
    "review_none": ("Bob", "ROLL", "Ann 14: 4 fits nothing", "no point given away"),
    "chances": ("Bob", "ROLL", "Ann 14: 4 fits nothing", "Ann 14 58%  Bob - 42%"),
    "opponent": ("Perfect", "⚂ ⚄", "1 2 3 4 5 6 7 8 9", "SHUT 3 5"),
}


@pytest.mark.parametrize("name", SAID)
def test_each_scene_says(views: Views, name: str) -> None:
    assert lines(views[name]) == SAID[name]


def test_tiles_to_put_right_stay_one_text_however_they_wrap(views: Views) -> None:
    said = " ".join(lines(views["put_right_after"]))
    assert "OPEN 1 3 4 5 6 7 8 9" in said
    said = " ".join(lines(views["put_right_worst"]))
    assert "OPEN 1 2 3 4 5 6 7 8 9 10 11 SHUT 12" in said
    said = " ".join(lines(views["put_right_halves"]))
    assert "OPEN 1 3 5 7 9 11 SHUT 2 4 6 8 10 12" in said


def test_only_the_tiles_to_put_right_follow_open_and_shut(views: Views) -> None:
    for view in views.values():
        if view.scene is Scene.PUT_RIGHT:
            words = " ".join(lines(view)).split(" OPEN ")[-1].split()
            assert {int(word) for word in words if word.isdigit()} <= {*view.must_open, *view.must_shut}


@pytest.mark.parametrize("frame", range(1, 13))
def test_tumbling_dice_tell_nothing(views: Views, frame: int) -> None:
    tumbling = replace(views["move"], tumble=frame)
    assert lines(tumbling) == ("Ann", "1 2 3 4 5 6 7 8 9")
    assert lines(replace(tumbling, dice=(6, 6))) == lines(tumbling)


def test_what_is_missing_is_told_once_a_tile_lies(views: Views) -> None:
    assert not any("more" in line for line in lines(views["move"]))
    assert any("5 more" in line for line in lines(views["move_partial"]))


@pytest.mark.parametrize(
    ("notice", "words"),
    [
        (Notice.TILES_FIRST, "First shut 5"),
        (Notice.NOT_NOW, "Not now"),
        (Notice.TWO_DICE, "Two dice"),
        (Notice.ONE_DIE, "One die"),
        (Notice.UNDONE, "Undone"),
        (Notice.NOTHING_TO_UNDO, "Nothing to undo"),
        (Notice.RESUMED, "Resumed"),
        (Notice.DAMAGED, "Journal damaged"),
    ],
)
def test_a_notice_leaves_what_is_to_be_done(views: Views, notice: Notice, words: str) -> None:
    for name in ("move_partial", "done", "roll_choice", "put_right_both", "confirm", "over"):
        view = replace(views[name], notice=notice, to_shut=5)
        said = lines(view)
        assert words in said
        assert {"⚂ ⚄ 8 5 more", "ROLL 1 or 2", "OPEN 5", "SHUT 5?", "Bob WINS"} & {*said}
        hidden = {*lines(views[name])} - {*said}
        assert len(hidden) <= 1
        assert not hidden & {"Ann", "ROLL 1 or 2", "OPEN 5", "SHUT 12", "SHUT 5?", "Bob WINS"}


def test_tiles_first_without_a_number_where_none_is_known(views: Views) -> None:
    assert "Tiles first" in lines(replace(views["put_right_one"], notice=Notice.TILES_FIRST))


def test_troubles_never_hide_what_is_to_be_done(named: tuple[str, View]) -> None:
    view = replace(named[1], troubles=("buttons", "store", "tiles", "dice", "display"))
    said = " ".join(lines(view))
    assert "NOT SAVED +4" in said
    for call in ("ROLL", "OPEN", "SHUT", "WINS", "PAUSED", "NEXT"):
        assert (call in said) == (call in " ".join(lines(replace(view, troubles=()))))


def test_two_troubles_are_both_told_the_graver_first(views: Views) -> None:
    assert lines(replace(views["roll"], troubles=("dice", "tiles")))[0] == "Ann NO TILES NO DICE"


@pytest.mark.parametrize(
    ("reason", "dice", "why"),
    [
        ("no_move", (6, 6), "Ann 14: 12 fits nothing"),
        ("no_move", (), "Ann 14"),
        ("shut", (2, 1), "Ann 14: shut the box"),
        ("unlucky", (3, 4), "Ann 14: unlucky 7"),
        ("ended_by_hand", (), "Ann 14: turn ended"),
        ("something_newer", (1, 1), "Ann 14"),
    ],
)
def test_why_the_turn_ended(views: Views, reason: str, dice: tuple[int, ...], why: str) -> None:
    view = replace(views["roll_after_ann"], last_turn=TurnResult("Ann", 14, reason, dice))
    assert lines(view)[2] == why


def test_a_turn_without_a_score(views: Views) -> None:
    moved = TurnResult("Ann", None, "moved", (1, 3))
    assert lines(replace(views["put_right_after"], last_turn=moved))[:3] == ("Bob", "⚀ ⚂", "Ann moved")
    for reason, said in {
        "moved": "Ann moved",
        "passed": "Ann passed",
        "blocked": "Ann blocked",
        "left": "Ann left",
        "ended_by_hand": "Ann: turn ended",
        "something_newer": "Ann",
    }.items():
        view = replace(views["roll_after_ann"], last_turn=replace(moved, reason=reason))
        assert lines(view)[2] == said


def test_an_undrawable_name_on_a_list_is_the_seat_where_that_is_known(views: Views) -> None:
    """Somebody who sat before them has left: the place on the list is not the seat."""
    view = views["menu_score"]
    assert view.page is not None
    left = replace(view, page=replace(view.page, items=view.page.items[1:], index=4))
    assert lines(left)[3] == "[P5 0]"
    seated = replace(left, totals=views["roll_six"].totals)
    assert lines(seated)[3] == "[P6 0]"
    assert lines(replace(views["score_long"], totals=seated.totals))[0] == "P6: total NOT SAVED"


def test_a_notice_after_a_turn_still_tells_whose_turn_it_is(views: Views) -> None:
    said = lines(replace(views["put_right_after"], notice=Notice.RESUMED))
    assert said[:4] == ("Bob", "⚀ ⚂", "Ann 14: 4 fits nothing", "Resumed")
    said = lines(replace(views["confirm_all"], notice=Notice.RESUMED))
    assert said[:4] == ("Bob", "⚀ ⚂", "Resumed", "NEXT yes  BACK other")


def test_tiles_to_put_right_are_shown_as_they_lie(views: Views) -> None:
    both = replace(views["put_right_one"], open=(1, 2, 5), must_open=(2,), must_shut=(7,))
    assert "1 - - - 5 - 7 - -" in lines(both)


def test_the_dice_that_end_a_turn_do_not_tell_so_while_they_tumble(views: Views) -> None:
    view = views["tumble_at_the_end"]
    assert lines(view) == ("Ann", "- 2 - - - - - - -")


@pytest.mark.parametrize("name", ["Ann", "Žofia", "Αθηνά", "Владимир", "Nguyễn", "Bartholomew Longname"])
def test_a_name_is_shown_in_full_where_it_is_the_turn(views: Views, name: str) -> None:
    assert lines(replace(views["roll"], player=name, totals=((name, 0, False),)))[0] in (name, "P1")


@pytest.mark.parametrize("name", ["李小龍", "שרה", "أحمد", "🎲", "", "  ", "A\nB", "\u200b"])
def test_a_name_the_font_cannot_draw_is_its_seat(views: Views, name: str) -> None:
    totals = (("Ann", 3, True), (name, 5, False))
    assert lines(replace(views["roll"], player=name, seat=1, totals=totals)) == (
        "P2 5",
        "ROLL",
        "Ann 3  P2 5",
    )
    assert lines(replace(views["over"], totals=totals, winners=(name,)))[0] == "P2 WINS"
    result = TurnResult(name, 5, "no_move", (1, 3))
    said = lines(replace(views["roll"], totals=totals, last_turn=result))
    assert "P2 5: 4 fits nothing" in said


def test_all_winners_are_named_by_seat_at_the_least(views: Views) -> None:
    said = " ".join(lines(views["over_six_win"]))
    assert said.startswith("WINS: Ann & Bartholomew & Цветана & Dora & Eve & P6 ")
    many = tuple((f"Somebody Else Number{n}", n, True) for n in range(6))
    said = " ".join(lines(replace(views["over"], totals=many, winners=tuple(name for name, *_ in many))))
    assert said.count("&") == 5


def test_points_of_this_player_from_earlier_rounds_where_there_is_room(views: Views) -> None:
    assert lines(views["move_total_blind"])[0] == "Ann 37"
    crowded = replace(views["move_total_blind"], troubles=("tiles",))
    assert lines(crowded)[0] == "Ann NO TILES"


@pytest.mark.parametrize(
    ("dice", "words"), [((3, 4), "place on a 7"), ((4, 4), "place on an 8"), ((5, 6), "place on any")]
)
def test_where_a_chip_is_to_be_placed(views: Views, dice: tuple[int, int], words: str) -> None:
    assert words in " ".join(lines(replace(views["board_place"], dice=dice)))

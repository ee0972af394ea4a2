"""The views the tests of the screens look at, by name: each scene, in ease and at its worst."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from firmware_host.games.counsel import Review, Slip
from firmware_host.games.shut_the_box.presets import PRESETS
from firmware_host.screens.words import ENGLISH
from firmware_host.table.dialog import WITH_CAMERA, Choice, Item, Page, ShowPhone
from firmware_host.table.view import Board, Hint, Notice, Scene, TurnResult, View

NINE, TEN, TWELVE = (tuple(range(1, last + 1)) for last in (9, 10, 12))
TWO = (("Ann", 0, False), ("Bob", 0, False))
AFTER_ANN = (("Ann", 14, True), ("Bob", 0, False))
SIX = (
    ("Ann", 14, True),
    ("Bartholomew", 23, True),
    ("Цветана", 7, True),
    ("Dora", 0, True),
    ("Eve", 45, True),
    ("李小龍", 0, False),
)
LONG = "Bartholomew Longname"
ANN_14 = TurnResult("Ann", 14, "no_move", (1, 3))

ROLL = View(Scene.ROLL, "Ann", 0, NINE, NINE, dice_allowed=(2,), totals=TWO)
MOVE = replace(ROLL, scene=Scene.MOVE, dice=(3, 5), to_shut=8, dice_allowed=())
DONE = replace(
    ROLL, scene=Scene.DONE, open=(1, 2, 4, 6), dice=(3, 5), dice_allowed=(1, 2), totals=(("Ann", 0, False),)
)
PUT_RIGHT = View(Scene.PUT_RIGHT, "Ann", 0, NINE, NINE, must_open=(5,), totals=TWO)
RESET = replace(PUT_RIGHT, player="Bob", seat=1, must_open=(1, 3, 4, 5, 6, 7, 8, 9), last_turn=ANN_14)
CONFIRM = replace(PUT_RIGHT, scene=Scene.CONFIRM, must_open=(), must_shut=(5,), blind=(5,))
OVER = View(
    Scene.OVER,
    "Bob",
    1,
    NINE,
    (1, 2, 9),
    totals=(("Ann", 14, True), ("Bob", 12, True)),
    winners=("Bob",),
    last_turn=TurnResult("Bob", 12, "no_move", (5, 6)),
)

QR = tuple("".join("1" if (3 * i + i * j + j) % 5 < 2 else "0" for j in range(25)) for i in range(25))
PHONE = ShowPhone("http://192.168.178.55:8137/k", "4711", QR)

PEOPLE = ("Ann", LONG, "Цветана", "李小龍", "W" * 20, "Eve")
CHOICES = tuple(Item(choice.value) for choice in Choice if choice is not Choice.PHONE)
RULES = (Item("set_up_house"), *(Item("preset", name) for name in PRESETS))
SEATED = tuple(Item("player", name, total) for name, total, _ in SIX)
SOURCES = tuple(Item(f"dice_{source}") for source in ("roller", "keypad", "none"))
TYPING = replace(ROLL, typed=(2,), typed_count=2)
THROW = replace(ROLL, scene=Scene.THROW, awaited=2, open=(1, 2, 4, 6, 7, 8))
CODES = tuple(key.removeprefix("refused.") for key in ENGLISH if key.startswith("refused."))
FREE = replace(ROLL, scene=Scene.FREE, dice_allowed=(), open=(1, 2, 4, 6, 7, 8))


def shown_page(title: str, items: tuple[Item, ...], index: int = 0, number: int | None = None) -> View:
    """A page of the menu to choose from."""
    return View(Scene.MENU, page=Page(title, items, index, number=number))


def setting_score(name: str, digits: tuple[int, ...], index: int) -> View:
    """A score being set by hand."""
    return View(Scene.MENU, page=Page(Choice.SET_SCORE.value, index=index, name=name, digits=digits))


SLIPPED = Review("Ann", 1.31, Slip((1, 2, 5), (8,), 0.83))
PERFECT = (("Ann", 0, False), ("Perfect", 0, False))
FOUR = (*SIX[:3], ("Eve", 0, False))
SEATS = tuple(Item("player", name) for name in ("Ann", "Player 2", "bot:perfect", "bot:good", "bot:casual"))


def on_board(scene: Scene, board: Board, player: str = "Ann", **fields: Any) -> View:
    """A scene of Sequence Dice."""
    return View(scene, player, board=board, totals=TWO, **fields)


BOARD = Board(
    tuple({"g": 1, "b": 2, "r": 3}.get(sign, 0) for sign in ".g.....g....b.g.......b.......r....b"),
    colour="green",
)
ANY_11 = frozenset(square for square, level in enumerate(BOARD.squares) if not level)
BLOCKED = TurnResult("Bob", None, "blocked", (5, 5))
REPLACED = replace(BOARD, asks="replace", place=((35, "green"),), lift=(35,), marked=frozenset((35,)))

VIEWS: dict[str, View] = {
    "board_start": on_board(Scene.ROLL, Board((0,) * 36, asks="start", colour="green")),
    "board_start_after": on_board(
        Scene.ROLL,
        Board((0,) * 36, asks="start", colour="blue"),
        LONG,
        last_turn=TurnResult("Ann", None, "rolled", (6, 5)),
    ),
    "board_roll": on_board(Scene.ROLL, BOARD),
    "board_roll_after_blocked": on_board(Scene.ROLL, BOARD, last_turn=BLOCKED),
    "board_roll_trouble": on_board(Scene.ROLL, BOARD, troubles=("chips", "store")),
    "board_tumble": on_board(Scene.MOVE, BOARD, dice=(3, 4), tumble=3),
    "board_place": on_board(
        Scene.MOVE, replace(BOARD, asks="place", marked=frozenset((10, 25, 28))), dice=(3, 4)
    ),
    "board_place_dark": on_board(
        Scene.MOVE,
        replace(BOARD, asks="place", marked=frozenset((10, 25, 28)), is_blinking=True),
        dice=(3, 4),
    ),
    "board_wild": on_board(
        Scene.MOVE, replace(BOARD, asks="place", marked=ANY_11, used_up=("green",)), "李小龍", dice=(5, 6)
    ),
    "board_ordered": on_board(
        Scene.MOVE, replace(BOARD, asks="place", ordered=25, marked=frozenset((25,))), "Hard", dice=(3, 4)
    ),
    "board_remove": on_board(
        Scene.MOVE,
        replace(BOARD, asks="remove", victim="blue", marked=frozenset((12, 22))),
        dice=(4, 6),
    ),
    "board_replace": on_board(
        Scene.MOVE, replace(BOARD, asks="replace", marked=frozenset((30, 35))), dice=(1, 1)
    ),
    "board_chip_first": on_board(
        Scene.MOVE,
        replace(BOARD, asks="place", marked=frozenset((10,))),
        dice=(3, 4),
        notice=Notice.CHIP_FIRST,
    ),
    "board_put_right": on_board(
        Scene.PUT_RIGHT,
        replace(BOARD, lift=(7,), place=((1, "green"),), marked=frozenset((1, 7))),
        notice=Notice.RESUMED,
    ),
    "board_put_right_many": on_board(
        Scene.PUT_RIGHT,
        replace(
            BOARD,
            squares=(-1, *BOARD.squares[1:]),
            lift=(0, 7, 14),
            place=((1, "green"), (2, "green"), (12, "blue")),
            marked=frozenset((0, 1, 2, 7, 12, 14)),
        ),
        LONG,
    ),
    "board_confirm": on_board(Scene.CONFIRM, REPLACED, dice=(6, 6)),
    "board_blind": on_board(Scene.MOVE, replace(BOARD, asks="place", blind=frozenset((0, 20))), dice=(1, 1)),
    "board_type": on_board(Scene.ROLL, BOARD, typed=(3,), typed_count=2),
    "board_throw": on_board(Scene.THROW, BOARD, awaited=2),
    "board_throw_refused": on_board(Scene.THROW, BOARD, awaited=2, refused="touching_ambiguous"),
    "board_over": on_board(Scene.OVER, replace(BOARD, marked=frozenset((1, 7, 14))), winners=("Ann",)),
    "board_over_team": on_board(Scene.OVER, BOARD, winners=(LONG, "Цветана")),
    "board_over_abandoned": on_board(Scene.OVER, BOARD, notice=Notice.NOTHING_TO_UNDO),
    "title": View(Scene.TITLE),
    "title_notice": View(Scene.TITLE, notice=Notice.DAMAGED),
    "title_troubles": View(Scene.TITLE, troubles=("tiles", "dice", "store")),
    "paused": View(Scene.PAUSED),
    "paused_not_saved": View(Scene.PAUSED, troubles=("store",)),
    "roll": ROLL,
    "roll_choice": replace(ROLL, dice_allowed=(1, 2), open=(1, 2, 5, 6)),
    "roll_one_die": replace(ROLL, dice_allowed=(1,), open=(1, 2)),
    "roll_alone_again": replace(ROLL, totals=(("Ann", 14, True),), last_turn=ANN_14),
    "roll_after_ann": replace(ROLL, player="Bob", seat=1, totals=AFTER_ANN, last_turn=ANN_14),
    "roll_round_two": replace(ROLL, totals=(("Ann", 14, False), ("Bob", 23, False))),
    "roll_six": replace(ROLL, player="李小龍", seat=5, totals=SIX),
    "roll_six_after": replace(
        ROLL, player="Eve", seat=4, totals=SIX, last_turn=replace(ANN_14, player="Bartholomew", score=23)
    ),
    "roll_six_choice": replace(ROLL, player="Eve", seat=4, totals=SIX, last_turn=ANN_14, dice_allowed=(1, 2)),
    "roll_long_name": replace(
        ROLL,
        player=LONG,
        totals=((LONG, 100, True), ("Maximiliane Musterma", 7, True)),
        last_turn=replace(ANN_14, player=LONG),
    ),
    "roll_not_saved": replace(ROLL, troubles=("store",)),
    "roll_long_name_troubles": replace(ROLL, player=LONG, troubles=("store", "buttons")),
    "roll_undone": replace(ROLL, notice=Notice.UNDONE),
    "roll_resumed": replace(ROLL, notice=Notice.RESUMED, last_turn=ANN_14, totals=AFTER_ANN),
    "roll_after_passing": replace(
        ROLL, player="Bob", seat=1, last_turn=TurnResult("Ann", None, "passed", (6, 6))
    ),
    "roll_no_camera": replace(ROLL, troubles=("camera",)),
    "roll_no_dice": replace(ROLL, notice=Notice.NO_DICE),
    "roll_can_set": replace(ROLL, can_set_dice=True, totals=(("Ann", 37, False), ("Bob", 20, True))),
    "roll_can_set_choice": replace(ROLL, can_set_dice=True, dice_allowed=(1, 2), last_turn=ANN_14),
    "throw": replace(THROW, totals=(("Ann", 37, False), ("Bob", 20, True))),
    "throw_one": replace(THROW, awaited=1, open=(1, 2, 5, 6)),
    "throw_long_name": replace(THROW, player=LONG, notice=Notice.TWO_DICE, troubles=("store",)),
    **{f"throw_{code}": replace(THROW, refused=code) for code in CODES},
    "throw_refused_notice": replace(THROW, player=LONG, refused="on_rim", notice=Notice.TWO_DICE),
    "type_first": TYPING,
    "type_second": replace(TYPING, typed=(2, 4)),
    "type_choice": replace(TYPING, dice_allowed=(1, 2), open=(1, 2, 5, 6)),
    "type_one_of_choice": replace(
        TYPING, dice_allowed=(1, 2), typed=(3,), typed_count=1, open=(1, 2, 5, 6), troubles=("store",)
    ),
    "type_one": replace(TYPING, dice_allowed=(1,), typed=(6,), typed_count=1, open=(1, 2)),
    "type_done": replace(DONE, typed=(5, 6), typed_count=2),
    "type_done_two": replace(DONE, typed=(2,), typed_count=2, dice_allowed=(2,)),
    "type_after_ann": replace(TYPING, player="Bob", seat=1, totals=AFTER_ANN, last_turn=ANN_14, typed=(1, 6)),
    "type_after_ann_choice": replace(
        TYPING, player="Bob", seat=1, totals=AFTER_ANN, last_turn=ANN_14, dice_allowed=(1, 2)
    ),
    "type_round_two": replace(TYPING, totals=(("Ann", 14, False), ("Bob", 23, False))),
    "type_six": replace(TYPING, player="Eve", seat=4, totals=SIX),
    "type_six_after": replace(
        TYPING, player="Eve", seat=4, totals=SIX, last_turn=replace(ANN_14, player="Bartholomew")
    ),
    "type_notice": replace(TYPING, notice=Notice.TWO_DICE),
    "free": FREE,
    "free_total": replace(FREE, totals=(("Ann", 37, False), ("Bob", 20, True))),
    "free_after_ann": replace(
        FREE, player="Bob", seat=1, open=NINE, totals=AFTER_ANN, last_turn=replace(ANN_14, dice=())
    ),
    "free_six": replace(FREE, player="Eve", seat=4, open=NINE, totals=SIX, last_turn=ANN_14),
    "free_twelve_notice": replace(
        FREE, tiles=TWELVE, player=LONG, notice=Notice.NOT_NOW, troubles=("tiles",)
    ),
    "menu": shown_page("menu", CHOICES[1:]),
    "menu_middle": shown_page("menu", CHOICES, 2),
    "menu_last": shown_page("menu", CHOICES, len(CHOICES) - 1),
    "menu_troubles": replace(shown_page("menu", CHOICES, 1), troubles=("store", "buttons", "dice")),
    "menu_leave": shown_page(Choice.LEAVE.value, SEATED, 1),
    "menu_score": shown_page(Choice.SET_SCORE.value, SEATED, 5),
    "menu_score_long": shown_page(
        Choice.SET_SCORE.value, tuple(Item("player", name, 1234) for name in PEOPLE), 4
    ),
    "score_first": setting_score("Ann", (0, 1, 4), 0),
    "score_last": setting_score(LONG, (0, 1, 4), 2),
    "score_long": replace(setting_score("李小龍", (1, 2, 3, 4, 5), 2), troubles=("store",)),
    "phone": View(Scene.MENU, page=PHONE.page),
    "phone_long": View(Scene.MENU, page=replace(PHONE, url="http://box-in-the-pub.fritz.box:8137/k").page),
    "phone_without_code": View(Scene.MENU, page=replace(PHONE, code=()).page),
    "set_up_house": shown_page("set_up_rules", RULES),
    "set_up_masters": shown_page("set_up_rules", RULES, 1),
    "set_up_pub": shown_page("set_up_rules", RULES, 2),
    "set_up_last_standing": shown_page("set_up_rules", RULES, 4),
    "set_up_thai": replace(shown_page("set_up_rules", RULES, len(RULES) - 1), troubles=("display",)),
    "set_up_players": shown_page("set_up_players", tuple(Item("players", number=n) for n in range(1, 9)), 1),
    "set_up_seat": shown_page("set_up_seat", tuple(Item("player", name) for name in PEOPLE), 2, number=2),
    "set_up_seat_one": shown_page("set_up_seat", (Item("player", "Player 1"),), number=1),
    "set_up_dice": shown_page("set_up_dice", SOURCES),
    "set_up_dice_camera": shown_page("set_up_dice", tuple(Item(f"dice_{source}") for source in WITH_CAMERA)),
    "set_up_dice_keypad": shown_page("set_up_dice", SOURCES[:2], 1),
    "set_up_dice_none": shown_page("set_up_dice", SOURCES, 2),
    "roll_damaged": replace(ROLL, notice=Notice.DAMAGED),
    "tumble": replace(MOVE, tumble=1),
    "tumble_at_the_end": replace(MOVE, tumble=8, dice=(1, 3), must_open=RESET.must_open, totals=AFTER_ANN),
    "move": MOVE,
    "move_partial": replace(MOVE, to_shut=5, open=(1, 2, 4, 5, 6, 7, 8, 9)),
    "move_twelve": replace(MOVE, tiles=TWELVE, open=(1, 2, 3, 5, 8, 10, 11, 12), dice=(6, 6), to_shut=2),
    "move_ten": replace(MOVE, tiles=TEN, open=(2, 3, 4, 6, 7, 9, 10), dice=(4, 6), to_shut=10),
    "move_one_die": replace(MOVE, open=(1, 2, 3), dice=(3,), to_shut=3),
    "move_odd_tiles": replace(MOVE, tiles=(1, 3, 5, 7, 9), open=(1, 5, 9), dice=(1, 4), to_shut=5),
    "move_total_blind": replace(
        MOVE,
        open=(1, 3, 4, 5, 6, 8, 9),
        blind=(2, 5, 7),
        dice=(6, 3),
        to_shut=9,
        totals=(("Ann", 37, False), ("Bob", 20, True)),
    ),
    "move_twelve_blind": replace(MOVE, tiles=TWELVE, open=(1, 2, 3, 5, 11), blind=TWELVE),
    "move_tiles_first": replace(MOVE, to_shut=5, notice=Notice.TILES_FIRST),
    "move_no_tiles": replace(MOVE, to_shut=5, troubles=("tiles",)),
    "done": DONE,
    "done_two_dice": replace(DONE, dice_allowed=(2,), dice=(6, 6)),
    "done_one_die": replace(DONE, open=(1,), dice_allowed=(1,), dice=(4,)),
    "done_notice": replace(DONE, notice=Notice.TWO_DICE),
    "shut_the_box": replace(DONE, open=(), dice_allowed=()),
    "shut_the_box_notice": replace(DONE, open=(), dice_allowed=(), notice=Notice.NOT_NOW),
    "put_right_one": PUT_RIGHT,
    "put_right_both": replace(PUT_RIGHT, must_shut=(12,)),
    "put_right_more": replace(PUT_RIGHT, must_open=(3, 4, 9), must_shut=(1, 2)),
    "put_right_resumed": replace(PUT_RIGHT, must_open=(3, 9), must_shut=(12,), notice=Notice.RESUMED),
    "put_right_stuck": replace(PUT_RIGHT, notice=Notice.STUCK),
    "put_right_move": replace(PUT_RIGHT, dice=(4, 6), must_open=(12,), tiles=TWELVE, open=TWELVE),
    "put_right_after": RESET,
    "put_right_after_few": replace(RESET, must_open=(8, 9)),
    "put_right_after_last": replace(RESET, must_open=(9,)),
    "put_right_after_long": replace(
        RESET,
        player="Maximiliane Musterma",
        last_turn=replace(ANN_14, player=LONG),
        totals=((LONG, 14, True), ("Maximiliane Musterma", 0, False)),
        must_open=TWELVE,
    ),
    "put_right_worst": replace(
        RESET, tiles=TWELVE, must_open=TWELVE[:-1], must_shut=(12,), troubles=("store", "tiles")
    ),
    "put_right_halves": replace(PUT_RIGHT, tiles=TWELVE, must_open=TWELVE[::2], must_shut=TWELVE[1::2]),
    "put_right_all": replace(PUT_RIGHT, tiles=TWELVE, must_open=TWELVE),
    "confirm": CONFIRM,
    "confirm_both": replace(CONFIRM, must_open=(3, 4), must_shut=(5,)),
    "confirm_all": replace(RESET, scene=Scene.CONFIRM, must_open=TWELVE[:-1], must_shut=(12,), tiles=TWELVE),
    "over": OVER,
    "over_alone": replace(OVER, totals=OVER.totals[1:], seat=0),
    "over_alone_best": replace(OVER, totals=OVER.totals[1:], seat=0, best=3),
    "over_abandoned": replace(OVER, winners=(), last_turn=None),
    "over_six": replace(OVER, totals=SIX, winners=("Цветана",)),
    "over_shared": replace(OVER, totals=SIX, winners=("Ann", "Dora"), troubles=("store",)),
    "over_long": replace(
        OVER, totals=((LONG, 7, True), ("Maximiliane Musterma", 14, True)), winners=(LONG,), last_turn=None
    ),
    "over_six_win": replace(OVER, totals=SIX, winners=tuple(name for name, _, _ in SIX)),
    "over_battle": replace(
        OVER,
        totals=(("Ann", 0, False), ("Bob", 0, False)),
        last_turn=TurnResult("Bob", None, "moved", (3, 4)),
    ),
    "over_battle_abandoned": replace(
        OVER, totals=(("Ann", 0, False), ("Bob", 0, False)), winners=(), last_turn=None
    ),
    "over_left": replace(
        OVER,
        winners=("Ann",),
        totals=(("Ann", 0, False), (LONG, 0, False)),
        last_turn=TurnResult(LONG, None, "left", ()),
    ),
    "over_two_troubles": replace(OVER, troubles=("store", "dice")),
    "over_notice": replace(OVER, notice=Notice.NOTHING_TO_UNDO),
    # The coach
    "hint": replace(MOVE, hint=Hint((8,), (1, 7), 5.678), lit=(8,)),
    "hint_begun": replace(
        MOVE, open=(1, 3, 4, 5, 6, 7, 8, 9), to_shut=6, hint=Hint((8,), (1, 2, 5), 12.755, is_begun=True)
    ),
    "hint_four_tiles": replace(MOVE, dice=(5, 5), hint=Hint((1, 2, 3, 4), (1, 4, 5), 0.0004)),
    "hint_to_win": replace(MOVE, hint=Hint((8,), (1, 7), 0.0213, is_chance=True)),
    "hint_tie": replace(MOVE, hint=Hint((8,), (1, 7))),
    "hint_only": replace(MOVE, open=(1, 2, 8), hint=Hint((8,))),
    "hint_twelve": replace(MOVE, tiles=TWELVE, open=TWELVE, hint=Hint((12,), (1, 2, 3, 6), 0.35)),
    "hint_dice": replace(ROLL, open=(1, 2), dice_allowed=(1, 2), hint=Hint((1,), (2,), 0.41)),
    "review": replace(ROLL, player="Bob", seat=1, totals=AFTER_ANN, last_turn=ANN_14, review=SLIPPED),
    "review_of_dice": replace(
        ROLL,
        player="Bob",
        seat=1,
        totals=AFTER_ANN,
        last_turn=ANN_14,
        review=Review("Ann", 0.412, Slip((2,), (1,), 0.412, is_dice=True)),
    ),
    "review_none": replace(
        ROLL, player="Bob", seat=1, totals=AFTER_ANN, last_turn=ANN_14, review=Review("Ann", 0.0)
    ),
    "review_typing": replace(
        TYPING, player="Bob", seat=1, totals=AFTER_ANN, last_turn=ANN_14, review=SLIPPED
    ),
    "review_over": replace(OVER, review=replace(SLIPPED, player="Bob")),
    "chances": replace(ROLL, player="Bob", seat=1, totals=AFTER_ANN, last_turn=ANN_14, chances=(58, 42)),
    "chances_four": replace(ROLL, player="Eve", seat=3, totals=FOUR, chances=(8, 0, 61, 31)),
    "chances_six": replace(ROLL, player="李小龍", seat=5, totals=SIX, chances=(0, 0, 0, 97, 0, 3)),
    "opponent": replace(MOVE, player="Perfect", seat=1, totals=PERFECT, must_shut=(3, 5), lit=(3, 5)),
    "opponent_four_tiles": replace(MOVE, player="Perfect", seat=1, totals=PERFECT, must_shut=(1, 2, 3, 4)),
    "set_up_opponents": shown_page("set_up_seat", SEATS, 2, number=2),
}


@pytest.fixture(scope="session")
def views() -> dict[str, View]:
    """All the named views."""
    return VIEWS


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes ``named`` runs once for each view, as (name, view)."""
    if "named" in metafunc.fixturenames:
        metafunc.parametrize("named", VIEWS.items(), ids=VIEWS.keys())

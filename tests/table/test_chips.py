"""The chip board at the table: what stands and when, what is put right, what next says, what is shown."""

from __future__ import annotations

from typing import Any

import pytest
from driven_table import Driven

from firmware_host.errors import RuleError
from firmware_host.games.game import CHIPS, TILES
from firmware_host.games.records import ChipPlaced, ChipReplaced, Record, Resumed
from firmware_host.games.sequence_dice.game import SequenceDice
from firmware_host.games.sequence_dice.notation import format_square, parse_square
from firmware_host.games.sequence_dice.seats import counsel
from firmware_host.screens.text import lines
from firmware_host.table.board import board as scoreboard
from firmware_host.table.chips import board
from firmware_host.table.dialog import Choice, SetUp
from firmware_host.table.effects import (
    Ask,
    ChipsPutRight,
    Effect,
    Keep,
    Righted,
    RollRefused,
    Say,
    Show,
    WantRoll,
)
from firmware_host.table.events import (
    COVERED,
    UNKNOWN,
    Advised,
    BoxSeen,
    Button,
    ButtonPressed,
    DeviceBack,
    DeviceLost,
    DiceSeen,
    MatchWanted,
)
from firmware_host.table.history import History
from firmware_host.table.report import report
from firmware_host.table.session import resume
from firmware_host.table.situation import Phase
from firmware_host.table.state import BLINK_S, BLINKS, Session
from firmware_host.table.view import Board, Scene

GAME = {"rules.game": "sequence-dice"}
GREEN, BLUE, RED = 1, 2, 3
ROLL, NEXT, BACK = Button


class Table(Driven):
    """A board of chips."""

    def __init__(self, players: int = 2, session: Session | None = None, **rules: Any) -> None:
        self.session = session or resume(History(), 0.0, house=SetUp(GAME))
        self.now, self.out = 0.0, list[Effect]()
        self.levels: list[int | None] = [0] * 36
        if session is None:
            settings = {**GAME, **{f"rules.{key}": value for key, value in rules.items()}}
            self.send(MatchWanted(settings, ("Ann", "Bob", "Cem", "Dee")[:players]))
            self.look()
            for total in (12, *range(2, players + 1)):
                self.roll(total)

    def look(self) -> None:
        self.send(BoxSeen(tuple(self.levels), CHIPS))

    def put(self, square: str, level: int | None, wait_s: float = 1.0) -> None:
        self.levels[parse_square(square)] = level
        self.look()
        self.wait(wait_s)

    def roll(self, total: int) -> None:
        before = len(self.out)
        self.send(ButtonPressed(ROLL, False))
        if any(isinstance(effect, WantRoll) for effect in self.out[before:]):
            self.send(DiceSeen((max(1, total - 6), min(6, total - 1)), "roller"))
        self.wait(1.0)

    def play(self, total: int, square: str, level: int) -> None:
        self.roll(total)
        self.put(square, level)

    @property
    def game(self) -> SequenceDice:
        game = self.session.history.game
        assert isinstance(game, SequenceDice)
        return game

    @property
    def phase(self) -> Phase:
        return self.session.situation.phase

    def kept(self, kind: type[Record]) -> list[Record]:
        kept = (record for effect in self.out if isinstance(effect, Keep) for record in effect.records)
        return [record for record in kept if isinstance(record, kind)]

    def said(self, kind: type) -> list[Any]:
        return [e.saying for e in self.out if isinstance(e, Say) and isinstance(e.saying, kind)]

    @property
    def shown(self) -> Board:
        assert self.session.view.board is not None
        return self.session.view.board


# When an action stands


def test_an_action_stands_once_the_board_has_lain_so_for_300_ms() -> None:
    table = Table()
    table.roll(3)
    table.put("r0c1", GREEN, 0.29)
    assert table.kept(ChipPlaced) == []
    table.wait(0.02)
    assert table.kept(ChipPlaced) == [ChipPlaced("Ann", (0, 1), "green")]


def test_what_a_hand_only_passes_does_not_count() -> None:
    table = Table()
    table.roll(3)
    for level in (GREEN, UNKNOWN, BLUE, RED, 0):
        table.put("r1c5", level, 0.1)
    table.wait(1.0)
    assert table.kept(ChipPlaced) == []
    assert table.phase is Phase.MOVE
    assert table.said(ChipsPutRight) == []


def test_a_replaced_chip_is_on_its_way_while_the_other_is_lifted() -> None:
    table = Table()
    for square, level in (("r0c1", GREEN), ("r1c5", BLUE), ("r4c0", GREEN), ("r5c4", BLUE)):
        table.play(3, square, level)
    table.roll(3)
    table.put("r5c4", 0, 5.0)
    assert table.phase is Phase.MOVE
    assert table.said(ChipsPutRight) == []
    table.put("r5c4", GREEN)
    assert table.kept(ChipReplaced) == [ChipReplaced("Ann", (5, 4), "green", "blue")]


# What is put right


@pytest.mark.parametrize(
    ("square", "level", "place", "lift"),
    [
        ("r0c0", GREEN, (), ("r0c0",)),  # a 2
        ("r1c5", BLUE, (), ("r1c5",)),
        ("r1c5", UNKNOWN, (), ("r1c5",)),
        ("r0c1", 0, ("r0c1 green",), ()),
        ("r0c1", BLUE, ("r0c1 green",), ("r0c1",)),
        ("r0c1", UNKNOWN, ("r0c1 green",), ("r0c1",)),
    ],
)
def test_anything_else_is_put_right_square_by_square(
    square: str, level: int, place: tuple[str, ...], lift: tuple[str, ...]
) -> None:
    table = Table()
    table.play(3, "r0c1", GREEN)
    table.play(4, "r0c2", BLUE)
    table.roll(3)
    was = table.levels[parse_square(square)]
    table.put(square, level)
    assert table.said(ChipsPutRight) == [ChipsPutRight(place, lift)]
    assert (report(table.session).wants_place, report(table.session).wants_lift) == (place, lift)
    assert table.shown.marked == {parse_square(square)}
    table.put(square, was)
    assert len(table.said(Righted)) == 1
    assert table.phase is Phase.MOVE


def test_a_chip_moved_before_the_roll_is_a_slip() -> None:
    table = Table()
    table.put("r0c1", GREEN)
    assert table.said(ChipsPutRight) == [ChipsPutRight((), ("r0c1",))]
    table.roll(3)
    assert [refused.reason for refused in table.said(RollRefused)] == ["not_wanted"]
    table.put("r0c1", 0)
    table.play(3, "r0c1", GREEN)
    assert table.game.match.player == "Bob"


def test_a_roll_before_the_chip_lies_is_refused() -> None:
    table = Table()
    table.roll(3)
    table.roll(4)
    assert [refused.reason for refused in table.said(RollRefused)] == ["chip_not_moved"]
    assert "Chip first" in lines(table.session.view)


def test_nothing_may_be_moved_while_everyone_rolls_for_the_start() -> None:
    table = Table()
    table.send(MatchWanted(GAME, ("Ann", "Bob")))
    table.put("r0c1", GREEN)
    assert table.phase is Phase.PUT_RIGHT
    table.put("r0c1", 0)
    assert table.phase is Phase.ROLL


def test_holding_next_takes_the_games_word_and_the_square_is_played_blind() -> None:
    table = Table()
    table.play(3, "r0c1", GREEN)
    table.put("r0c1", 0)
    table.press(NEXT, held=True)
    assert table.phase is Phase.ROLL
    assert table.shown.blind == {1}
    table.put("r0c1", GREEN)
    assert table.shown.blind == frozenset()


def test_a_dead_sensor_is_played_on_the_players_word() -> None:
    table = Table()
    table.put("r0c1", None)
    assert table.phase is Phase.ROLL  # an empty square, as before
    table.roll(3)
    table.put("r1c5", GREEN)
    assert table.kept(ChipPlaced) == [ChipPlaced("Ann", (1, 5), "green")]


# Without colours


def covered(table: Table, square: str, is_covered: bool = True) -> None:
    table.put(square, COVERED if is_covered else 0)


def test_the_colour_of_a_chip_follows_from_the_turn() -> None:
    table = Table()
    table.roll(3)
    covered(table, "r0c1")
    table.roll(4)
    covered(table, "r0c2")
    assert table.kept(ChipPlaced) == [ChipPlaced("Ann", (0, 1), "green"), ChipPlaced("Bob", (0, 2), "blue")]
    assert table.phase is Phase.ROLL


def test_a_replacement_that_cannot_be_seen_is_confirmed_by_next_and_back_shows_others() -> None:
    table = Table()
    for square in ("r0c1", "r1c5", "r4c0", "r5c4"):
        table.roll(3)
        covered(table, square)
    table.roll(3)
    assert table.session.view.scene is Scene.CONFIRM
    assert table.shown.place == ((34, "green"),)
    table.press(BACK)
    assert table.shown.place == ((11, "green"),)
    table.press(NEXT)
    assert table.kept(ChipReplaced) == [ChipReplaced("Ann", (1, 5), "green", "blue")]
    assert table.shown.blind == frozenset()
    assert table.phase is Phase.ROLL


def test_a_chip_lifted_and_put_back_is_the_one_meant_for_replacement() -> None:
    table = Table()
    for square in ("r0c1", "r1c5", "r4c0", "r5c4"):
        table.roll(3)
        covered(table, square)
    table.roll(3)
    covered(table, "r1c5", is_covered=False)
    assert table.session.view.scene is Scene.MOVE
    covered(table, "r1c5")
    assert table.shown.place == ((11, "green"),)


# Devices, games, power


def test_without_the_board_chips_are_played_on_the_players_word() -> None:
    table = Table()
    table.send(DeviceLost(CHIPS, "gone"))
    table.roll(3)
    assert table.session.view.scene is Scene.CONFIRM
    table.press(BACK)
    table.press(NEXT)
    table.wait(1.0)
    assert table.kept(ChipPlaced) == [ChipPlaced("Ann", (1, 5), "green")]
    table.send(DeviceBack(CHIPS))
    table.levels[11] = GREEN
    table.look()
    assert table.phase is Phase.ROLL


def test_levels_of_another_device_are_nothing() -> None:
    table = Table()
    before = table.session
    table.send(BoxSeen((0,) * 12, TILES))
    assert table.session is before


def test_a_match_of_the_other_game_is_played_on_its_own_device() -> None:
    table = Table()
    table.send(MatchWanted({}, ("Ann", "Bob")))
    assert table.phase is Phase.IDLE
    table.send(BoxSeen((1,) * 12, TILES))
    assert table.phase is Phase.ROLL
    assert table.session.view.board is None


def test_it_comes_up_in_the_same_match_and_lists_what_to_put_right() -> None:
    table = Table()
    table.play(3, "r0c1", GREEN)
    table.play(4, "r0c2", BLUE)
    again = Table(session=resume(table.session.history, 0.0))
    again.levels = [BLUE if square == 2 else RED if square == 9 else 0 for square in range(36)]
    again.look()
    assert again.kept(Resumed) == [Resumed(1, (), (), ("r0c1 green",), ("r1c3",))]
    assert again.phase is Phase.PUT_RIGHT


# Seats that the box plays


def against_the_box(kind: str) -> Table:
    table = Table()
    table.send(MatchWanted(GAME, ("Ann", f"bot:{kind}")))
    table.roll(2)
    table.roll(12)
    return table


def answer(table: Table) -> None:
    """What is asked of outside is reckoned and told."""
    question = [effect for effect in table.out if isinstance(effect, Ask)][-1]
    assert isinstance(question.game, SequenceDice)
    table.send(Advised(question.seq, counsel(question.game, lambda: 0.0)))
    table.wait(0.1)


@pytest.mark.parametrize("kind", ["casual", "normal", "hard"])
def test_the_box_says_which_square_it_wants_and_nothing_else_will_do(kind: str) -> None:
    table = against_the_box(kind)
    assert table.game.match.player == kind.capitalize()
    answer(table)
    table.roll(7)
    answer(table)
    (wanted,) = table.shown.marked
    assert table.shown.ordered == wanted
    assert f"PLACE {format_square(wanted)}" in " ".join(lines(table.session.view))
    other = next(s for s in map(parse_square, ("r1c1", "r1c4", "r4c1", "r4c4")) if s != wanted)
    table.put(format_square(other), BLUE)
    assert table.phase is Phase.PUT_RIGHT
    table.put(format_square(other), 0)
    table.put(format_square(wanted), BLUE)
    assert table.kept(ChipPlaced) == [ChipPlaced(kind.capitalize(), divmod(wanted, 6), "blue")]
    assert table.game.match.player == "Ann"


@pytest.mark.parametrize("kind", ["good", "perfect"])
def test_opponents_of_the_other_game_are_refused(kind: str) -> None:
    with pytest.raises(RuleError, match="allowed: bot:normal, bot:hard, bot:casual"):
        Table().send(MatchWanted(GAME, ("Ann", f"bot:{kind}")))


# What is shown


def test_marked_squares_blink_for_a_while_and_then_stay_lit() -> None:
    table = Table()
    table.roll(3)
    shows = []
    for _ in range(3 * BLINKS):
        table.wait(BLINK_S)
        shows.append(table.shown.is_blinking)
    assert shows[:6] in ([True, False] * 3, [False, True] * 3)
    assert not any(shows[BLINKS:])
    told = len([effect for effect in table.out if isinstance(effect, Show)])
    table.wait(30.0)
    assert len([effect for effect in table.out if isinstance(effect, Show)]) == told


def test_the_winning_line_is_marked() -> None:
    table = Table()
    for green, blue in (((6, "r5c1"), (7, "r1c1")), ((5, "r5c2"), (7, "r1c4")), ((4, "r5c3"), (8, "r2c4"))):
        table.play(*green, GREEN)
        table.play(*blue, BLUE)
    table.play(3, "r5c4", GREEN)
    table.play(3, "r0c1", BLUE)
    table.play(2, "r5c0", GREEN)
    assert table.phase is Phase.OVER
    assert table.shown.marked == {30, 31, 32, 33, 34}
    assert table.session.view.winners == ("Ann",)


def test_a_roll_says_what_it_asks_for() -> None:
    table = Table()
    table.roll(3)
    assert (table.shown.asks, table.shown.victim, table.shown.colour) == ("place", "", "green")
    table.put("r0c1", GREEN)
    table.roll(10)
    assert (table.shown.asks, table.shown.victim, table.shown.colour) == ("remove", "green", "blue")
    assert table.shown.marked == {1}


def test_the_box_has_no_board() -> None:
    table = Table()
    table.send(MatchWanted({}, ("Ann", "Bob")))
    assert board(table.session, table.now) is None


def test_the_menu_sets_no_score_and_the_set_up_offers_only_this_game() -> None:
    table = Table()
    table.press(NEXT, held=True)
    page = table.session.view.page
    assert page is not None
    keys = [item.key for item in page.items]
    assert Choice.SET_SCORE.value not in keys
    for _ in range(keys.index(Choice.SET_UP.value)):
        table.press(ROLL)
    table.press(NEXT)
    page = table.session.view.page
    assert page is not None
    assert [item.key for item in page.items] == ["set_up_house"]
    table.press(NEXT)
    page = table.session.view.page
    assert page is not None
    assert [item.number for item in page.items] == [2, 3, 4]


def test_the_scoreboard_is_told_of_the_board() -> None:
    table = Table()
    table.play(3, "r0c1", GREEN)
    table.roll(10)
    told = scoreboard(table.session, table.now)["chips"]
    assert told["squares"][:3] == (0, GREEN, 0)
    assert (told["asks"], told["victim"], told["colour"], told["marked"]) == ("remove", "green", "blue", [1])
    table.put("r3c3", RED)
    told = scoreboard(table.session, table.now)["chips"]
    assert (told["place"], told["lift"]) == ((), ("r3c3",))
    table.send(MatchWanted({}, ("Ann", "Bob")))
    assert scoreboard(table.session, table.now)["chips"] is None

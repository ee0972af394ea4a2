"""Opponents: they play by the rules, take a win, and break the worst line."""

from __future__ import annotations

import random

import pytest

from firmware_host.games.sequence_dice.notation import format_square, parse_square
from firmware_host.games.sequence_dice.opponents import Casual, Hard, Normal, Opponent
from firmware_host.games.sequence_dice.position import Colour, Position
from firmware_host.games.sequence_dice.rules import PASS, Do, Rules, after, legal_actions, sides

RULES = Rules()
GREEN, BLUE, RED = Colour
STRONG = ("normal", "hard")


class Never:
    """A chance that is never careless."""

    def random(self) -> float:
        """The largest there is."""
        return 0.999999


class Clock:
    """Goes on by ``step_s`` whenever it is asked."""

    def __init__(self, step_s: float = 0.0) -> None:
        self.now, self.step_s = 0.0, step_s

    def __call__(self) -> float:
        """Seconds."""
        self.now += self.step_s
        return self.now


def opponent(name: str, players: int = 2, rules: Rules = RULES) -> Opponent:
    colours = sides(players)
    if name == "casual":
        return Casual(rules, colours, random.Random(2))
    return Normal(rules, colours) if name == "normal" else Hard(rules, colours, Clock())


def choice(name: str, position: str, total: int, colour: Colour = GREEN, players: int = 2) -> str:
    action = opponent(name, players).choose(Position.parse(position), colour, total)
    return format_square(action.square) if action.square is not None else "pass"


@pytest.mark.parametrize("name", ["casual", *STRONG])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_opponent_plays_by_the_rules(name: str, players: int) -> None:
    chance, colours, rules = random.Random(5), sides(players), RULES
    player = opponent(name, players)
    position, side, dos = Position(), 0, set()
    for _ in range(150):
        total = chance.randint(1, 6) + chance.randint(1, 6)
        action = player.choose(position, side, total)
        assert action in legal_actions(position, side, total)
        dos.add(action.do)
        position = after(position, side, action)
        if position.line(side, rules.in_a_row):
            position = Position()
        side = (side + 1) % colours
    assert {Do.PLACE, Do.REMOVE} <= dos


@pytest.mark.parametrize("name", STRONG)
@pytest.mark.parametrize(
    ("position", "total", "wins"),
    [
        ("....../....../....../....../....../.gggg.", 2, "r5c0 r5c5"),
        (".gggg./....../.bbbb./....../....../......", 11, "r0c0 r0c5"),  # rather than stop blue
        ("....../.g..../..g.../...g../....g./.bbbb.", 2, "r0c0 r5c5"),
        (".g..../..g.../...g../....../.....g/bbbb..", 9, "r3c4"),
        ("gbggg./.....b/....../....../b...../....b.", 3, "r0c1"),  # by a replacement
    ],
)
def test_a_win_that_is_offered_is_taken(name: str, position: str, total: int, wins: str) -> None:
    assert choice(name, position, total) in wins.split()


@pytest.mark.parametrize("name", STRONG)
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("line", ["r1c1 r1c2 r1c3 r1c4", "r0c1 r1c2 r3c4 r4c5", "r5c1 r4c2 r2c4 r1c5"])
def test_a_10_breaks_the_worst_line(name: str, players: int, line: str) -> None:
    chips = dict.fromkeys(line.split(), "b") | dict.fromkeys(("r5c2", "r3c0", "r4c4"), "b")
    text = "/".join("".join(chips.get(f"r{row}c{column}", ".") for column in range(6)) for row in range(6))
    assert choice(name, text, 10, players=players) in line.split()


@pytest.mark.parametrize("name", STRONG)
def test_a_line_about_to_be_complete_is_stopped(name: str) -> None:
    # Blue wins with a 7 on r1c4, and so would green's 7 stop it there.
    assert choice(name, "....../bbbb../....../....../....../......", 7) == "r1c4"


@pytest.mark.parametrize("name", ["casual", *STRONG])
def test_where_nothing_can_be_done_it_passes(name: str) -> None:
    assert opponent(name).choose(Position(), GREEN, 10) == PASS


def test_casual_sees_only_its_own_lines() -> None:
    casual = Casual(RULES, 2, Never())
    board = Position.parse("....../bbbb../....../.g..../....../.g....")
    assert casual.choose(board, GREEN, 7).square == parse_square("r4c1")
    board = Position.parse("....../....../....../....../....../.gggg.")
    assert casual.choose(board, GREEN, 2).square in (parse_square("r5c0"), parse_square("r5c5"))


def test_casual_is_careless_by_the_chance_that_is_handed_in() -> None:
    def choices(seed: int) -> list[int | None]:
        casual = Casual(RULES, 2, random.Random(seed), carelessness=0.5)
        return [casual.choose(Position(), GREEN, 11).square for _ in range(100)]

    assert choices(1) == choices(1)
    assert len(set(choices(1))) > 10


def test_hard_keeps_to_its_time() -> None:
    clock = Clock(step_s=0.15)  # past the limit after the second action
    hard = Hard(RULES, 2, clock)
    action = hard.choose(Position(), GREEN, 11)
    assert action in legal_actions(Position(), GREEN, 11)
    assert clock.now == pytest.approx(0.15 * 3)


def test_hard_out_of_time_plays_like_normal() -> None:
    board = Position.parse("..g.../.bbb../..g.../.g..../....b./......")
    for total in (5, 7, 9, 10, 11):
        hurried = Hard(RULES, 2, Clock(step_s=1.0)).choose(board, GREEN, total)
        assert hurried == Normal(RULES, 2).choose(board, GREEN, total)

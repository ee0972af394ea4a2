"""Anything may happen at the table, and the game stays right and always knows a way forward.

A Hypothesis machine at the level of ``step``: hands flip any tile, anybody presses anything, dice
show what they like, devices vanish, time passes, the plug is pulled.  ``Book`` holds every
record against the rules, told a second time and naively; ``Shell`` is the box and its service.

The long campaign (it prints how to repeat what it finds):

    BOXKEEPER_RUNS=2000 pytest tests/stateful --hypothesis-seed=1
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from naive_rules import PLACES, Tiles, read_tiles
from table_shell import Player, Shell, check_view

from firmware_host.table.effects import (
    PutRight,
    RollWanted,
)
from firmware_host.table.events import (
    Button,
    ButtonPressed,
    MatchWanted,
)

RUNS = int(os.environ.get("BOXKEEPER_RUNS", "0"))
DEFAULT_RUNS, STEPS = 60, 30
DEVICES = ("tiles", "buttons", "dice", "display", "store")
NAMES = ("Ann", "Bob", "Bartholomew Longname", "李小龍", "Eve")

pytestmark = pytest.mark.timeout(0 if RUNS else 60)

TILE = st.integers(1, PLACES)
DICE = st.lists(st.integers(1, 6), min_size=1, max_size=2).map(tuple)
TILE_LISTS = st.one_of(
    st.sampled_from(["1-9", "1-10", "1-12", "7", "1-6", "1,3,5,7,9"]),
    st.sets(TILE, min_size=1, max_size=6).map(lambda tiles: ",".join(map(str, sorted(tiles)))),
)
TIMES = st.sampled_from([0.01, 0.03, 0.059, 0.06, 0.1, 0.3, 0.9, 1.0, 2.0, 5.0, 60.0, 599.0, 1801.0, 2400.0])


@st.composite
def rule_sets(draw: st.DrawFn) -> dict[str, Any]:
    """Rules that do not contradict each other."""
    tiles = draw(TILE_LISTS)
    numbers = read_tiles(tiles)
    sets = draw(st.sampled_from(["any", "any", "at-most-two", "thai"]))
    one_die = draw(st.sampled_from(["high-down", "sum-at-most-6", "sum-below-6", "only-1", "never"]))
    first = [f"{tile}-to-go" for tile in (2, 3) if tile in numbers]
    may_be_compulsory = sets != "thai" and one_die != "never"
    return {
        "rules.tiles": tiles,
        "rules.one_die": one_die,
        "rules.one_die_compulsory": may_be_compulsory and draw(st.booleans()),
        "rules.sets": sets,
        "rules.first_roll": draw(st.sampled_from(["free", *first])),
        "rules.unlucky_7": draw(st.booleans()),
        "rules.scoring": draw(st.sampled_from(["sum", "digits", "count"])),
    }


class TableMachine(RuleBasedStateMachine):
    """Hands, dice, faults, time and the plug, in any order."""

    @initialize(
        rules=rule_sets(),
        players=st.integers(1, 5),
        is_blank=st.integers(0, 9).map(lambda n: n == 0),
        absent=st.just(set()) | st.sets(TILE, max_size=2),
        gone=st.just(set()) | st.sets(st.sampled_from(DEVICES)),
    )
    def set_the_table(
        self, rules: dict[str, Any], players: int, is_blank: bool, absent: set[int], gone: set[str]
    ) -> None:
        self.shell = Shell(absent, gone)
        if not is_blank:
            self.new_match(rules, players)

    @rule(rules=rule_sets(), players=st.integers(1, 5))
    def new_match(self, rules: dict[str, Any], players: int) -> None:
        self.shell.send(MatchWanted(rules, NAMES[:players]))

    # Hands

    @rule(tile=TILE)
    def flip(self, tile: int) -> None:
        self.shell.flip(tile)

    @rule(tiles=st.lists(TILE, min_size=2, max_size=12), every_s=st.sampled_from([0.0, 0.01, 0.03, 0.15]))
    def flip_many(self, tiles: list[int], every_s: float) -> None:
        for tile in tiles:
            self.shell.flip(tile)
            self.shell.wait(every_s)

    @rule(which=st.integers(0, 30), is_quick=st.booleans())
    def play_a_legal_set(self, which: int, is_quick: bool) -> None:
        legal = self.shell.report.legal
        assume(legal)
        for tile in legal[which % len(legal)]:
            if tile in self.shell.open:
                self.shell.flip(tile)
        self.shell.wait(0.05 if is_quick else 2.0)

    @rule(
        rolls=st.lists(st.tuples(DICE, st.integers(0, 30)), min_size=1, max_size=8),
        others=st.lists(st.tuples(DICE, st.integers(0, 30)), max_size=5),
    )
    def play_well(self, rolls: list[tuple[Tiles, int]], others: list[tuple[Tiles, int]]) -> None:
        """Some rolls as they should be; then the last is undone, and another set laid before it."""
        for dice, which in rolls:
            self.put_it_right()
            self.roll_fairly(dice)
            self.lay_a_set(which)
        for dice, which in others:
            self.undo(1)
            self.lay_a_set(which)
            self.roll_fairly(dice)

    def roll_fairly(self, dice: Tiles) -> None:
        """A roll of a number of dice that is wanted."""
        is_one = len(dice) == 1 and 1 in self.shell.report.wants_roll
        self.roll(dice, is_one)

    def lay_a_set(self, which: int) -> None:
        """The box as it is after one of the legal sets, whatever lay there before."""
        now = self.shell.report
        game = self.shell.session.history.game
        if now.legal and game is not None:
            opened = {tile for tile, up in zip(self.shell.view.tiles, game.layout, strict=False) if up}
            self.shell.open = opened - set(now.legal[which % len(now.legal)])
            self.shell.look()
            self.shell.rest()

    @rule()
    def put_it_right(self) -> None:
        for tile in (*self.shell.view.must_open, *self.shell.view.must_shut):
            self.shell.flip(tile)
        self.shell.rest()

    @rule(button=st.sampled_from(Button), for_s=st.sampled_from([0.005, 0.05, 0.15, 0.99, 1.0, 1.2, 3.0]))
    def press(self, button: Button, for_s: float) -> None:
        self.shell.press(button, for_s)

    @rule(button=st.sampled_from(Button))
    def lean_on_or_let_go(self, button: Button) -> None:
        self.shell.down ^= {button}
        self.shell.read_buttons()

    @rule(button=st.sampled_from(Button), held=st.booleans())
    def press_on_the_page(self, button: Button, held: bool) -> None:
        self.shell.send(ButtonPressed(button, held))

    @rule(times=st.integers(1, 6))
    def undo(self, times: int) -> None:
        for _ in range(times):
            self.shell.send(ButtonPressed(Button.BACK, True))

    # Dice

    @rule(dice=DICE, held=st.booleans())
    def roll(self, dice: Tiles, held: bool) -> None:
        self.shell.throw = list(dice) * 2
        self.shell.send(ButtonPressed(Button.ROLL, held))

    @rule(answers=st.booleans())
    def the_dice_take_their_time(self, answers: bool) -> None:
        self.shell.answers = answers

    @rule(dice=DICE, which=st.integers(0, 30), held=st.booleans())
    def the_dice_roll_while_another_set_is_laid(self, dice: Tiles, which: int, held: bool) -> None:
        self.shell.answers = False
        self.roll(dice, held)
        self.lay_a_set(which)
        if self.shell.asked:
            self.shell.show_dice((dice * 2)[: self.shell.asked])
        self.shell.answers = True

    @rule(dice=DICE)
    def dice_show(self, dice: Tiles) -> None:
        self.shell.show_dice(dice)

    # Faults

    @rule(device=st.sampled_from(DEVICES))
    def lose(self, device: str) -> None:
        self.shell.lose(device)

    @precondition(lambda self: bool(self.shell.gone))
    @rule(which=st.integers(0, 4))
    def find(self, which: int) -> None:
        gone = sorted(self.shell.gone)
        self.shell.find(gone[which % len(gone)])

    @rule(tile=TILE, level=st.none() | st.integers(0, 1))
    def stick(self, tile: int, level: int | None) -> None:
        self.shell.stuck[tile] = int(tile in self.shell.open) if level is None else level
        self.shell.look()

    @rule(tile=TILE)
    def mend(self, tile: int) -> None:
        self.shell.stuck.pop(tile, None)
        self.shell.look()

    # Time and the plug

    @rule(seconds=TIMES)
    def wait(self, seconds: float) -> None:
        self.shell.wait(seconds)

    @rule(seconds=TIMES)
    def the_loop_is_held_up(self, seconds: float) -> None:
        """A later event comes before the ticks that were asked for."""
        self.shell.now += seconds
        self.shell.look()

    @rule(moved=st.lists(TILE, max_size=3), seconds=TIMES)
    def pull_the_plug(self, moved: list[int], seconds: float) -> None:
        self.shell.power_cut()
        self.shell.open ^= set(moved)
        self.shell.now += seconds
        self.shell.power_on()

    # What holds

    @invariant()
    def what_is_shown_is_what_is(self) -> None:
        if not hasattr(self, "shell"):
            return
        shell = self.shell
        check_view(shell.view, shell)
        if isinstance(shell.session.said, RollWanted | PutRight):
            assert shell.said == shell.session.said
        now = shell.report
        if isinstance(shell.said, PutRight) and shell.session.said is not None:
            assert (now.wants_open, now.wants_shut) == (shell.said.open, shell.said.shut)

    def teardown(self) -> None:
        if hasattr(self, "shell") and self.shell.session.history.game is not None:
            Player(self.shell).finish()


PROFILE = settings(
    max_examples=RUNS or DEFAULT_RUNS,
    stateful_step_count=STEPS,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


class TestTable(TableMachine.TestCase):  # type: ignore[misc, valid-type]
    """The machine as a test."""

    settings = PROFILE

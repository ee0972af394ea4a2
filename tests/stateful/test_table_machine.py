"""Anything may happen at the table, and the game stays right and always knows a way forward.

A Hypothesis machine at the level of ``step``: hands flip any tile, anybody presses anything, dice
show what they like, devices vanish, time passes, the plug is pulled.  ``Book`` holds every
record against the rules, told a second time and naively; ``Shell`` is the box and its service.

The long campaign (it prints how to repeat what it finds):

    BOXKEEPER_RUNS=2000 pytest tests/stateful --hypothesis-seed=1
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, event, reject, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from naive_rules import PLACES, Tiles, Turn, next_seats, read_tiles
from table_shell import Player, Shell, check_view

from firmware_host.errors import RuleError
from firmware_host.games.start import opening
from firmware_host.table.dialog import Choice
from firmware_host.table.effects import (
    PutRight,
    RollWanted,
)
from firmware_host.table.events import (
    Button,
    ButtonPressed,
    DiceRefused,
    MatchWanted,
)
from firmware_host.table.state import AGAIN_AFTER_S
from firmware_host.table.view import Brightness, Scene

RUNS = int(os.environ.get("BOXKEEPER_RUNS", "0"))
DEFAULT_RUNS, STEPS = 40, 30
DEVICES = ("tiles", "buttons", "dice", "camera", "display", "store")
NAMES = ("Ann", "Bob", "Bartholomew Longname", "李小龍", "Eve")

pytestmark = pytest.mark.timeout(0 if RUNS else 400)

TILE = st.integers(1, PLACES)
DICE = st.lists(st.integers(1, 6), min_size=1, max_size=2).map(tuple)
TILE_LISTS = st.one_of(
    st.sampled_from(["1-9", "1-10", "1-12", "7", "1-6", "1,3,5,7,9"]),
    st.sets(TILE, min_size=1, max_size=6).map(lambda tiles: ",".join(map(str, sorted(tiles)))),
)
TIMES = st.sampled_from([0.01, 0.03, 0.059, 0.06, 0.1, 0.3, 0.9, 1.0, 2.0, 5.0, 60.0, 599.0, 1801.0, 2400.0])


MOST_TILES_OF_A_THAI_BATTLE = 3  # with more, what one shuts the other opens, and it goes to and fro
KINDS = ("one-round", "rounds", "last-standing", "to-limit", "battle")
SOURCES = st.sampled_from(["roller", "roller", "camera", "keypad", "none"])


@st.composite
def rule_sets(draw: st.DrawFn, kinds: tuple[str, ...] = KINDS) -> dict[str, Any]:
    """Rules of turn, match and dice that do not contradict each other."""
    kind = draw(st.sampled_from(kinds))
    tiles = draw(TILE_LISTS)
    numbers = read_tiles(tiles)
    sets = draw(st.sampled_from(["any", "any", "at-most-two", "thai"]))
    one_die = draw(st.sampled_from(["high-down", "sum-at-most-6", "sum-below-6", "only-1", "never"]))
    first = [f"{tile}-to-go" for tile in (2, 3) if tile in numbers]
    may_be_compulsory = sets != "thai" and one_die != "never"
    rules = {
        "rules.tiles": tiles,
        "rules.one_die": one_die,
        "rules.one_die_compulsory": may_be_compulsory and draw(st.booleans()),
        "rules.sets": sets,
        "match.kind": kind,
        "match.stake": draw(st.integers(0, 3)),
        "dice.source": draw(SOURCES),
    }
    if kind == "battle":
        rules["dice.source"] = "roller" if rules["dice.source"] == "none" else rules["dice.source"]
    else:
        rules["rules.first_roll"] = draw(st.sampled_from(["free", *first]))
        rules["rules.unlucky_7"] = draw(st.booleans())
        rules["rules.scoring"] = draw(st.sampled_from(["sum", "digits", "count"]))
        rules["rules.shut"] = draw(st.sampled_from([None, "wins-match", "wins-round", "scores-0"]))
        rules["rules.ties"] = draw(st.sampled_from(["shared", "play-off", "carry-over"]))
    if kind == "rounds":
        rules["match.rounds"] = draw(st.integers(1, 4))
    if kind in ("last-standing", "to-limit"):
        most = 8 if rules["rules.scoring"] == "count" else 60
        rules["match.limit"] = draw(st.none() | st.integers(5, most) if most == 60 else st.integers(1, most))
    if rules["match.stake"] and rules.get("rules.shut") in ("wins-match", None):
        rules["match.double_on_shut"] = draw(st.booleans())
    try:
        opening(1, rules, NAMES[:2])
    except RuleError:
        reject()
    if kind == "battle" and sets == "thai" and len(numbers) > MOST_TILES_OF_A_THAI_BATTLE:
        rules["rules.sets"] = "any"
    assume(can_end(rules, numbers))
    return rules


def can_end(rules: Mapping[str, Any], tiles: Tiles) -> bool:
    """Some throw moves something.  Else a battle and a play-off go on for ever."""
    thrown = [7] if rules.get("rules.unlucky_7") else []
    turn = Turn(1, {"match.kind": "one-round", "scoring": "sum", "unlucky_7": False, **{
        key.removeprefix("rules."): value for key, value in {"rules.first_roll": "free", **rules}.items()
        if key.startswith("rules.")
    }}, tiles, [""], "", list(tiles), 0, {"": 0})  # fmt: skip
    for count in turn.numbers_of_dice:
        for dice in product(range(1, 7), repeat=count):
            turn.dice = list(dice)
            if sum(dice) not in thrown and turn.legal:
                return True
    return False


class TableMachine(RuleBasedStateMachine):
    """Hands, dice, faults, time and the plug, in any order."""

    @initialize(
        rules=rule_sets(),
        players=st.integers(1, 5),
        is_blank=st.integers(0, 9).map(lambda n: n == 0),
        absent=st.just(set()) | st.sets(TILE, max_size=2),
        gone=st.just(set()) | st.sets(st.sampled_from(DEVICES)),
        dice_name=st.sampled_from(["roller", "roller", "serial"]),
    )
    def set_the_table(
        self,
        rules: dict[str, Any],
        players: int,
        is_blank: bool,
        absent: set[int],
        gone: set[str],
        dice_name: str,
    ) -> None:
        self.shell = Shell(absent, gone, dice_name)
        if not is_blank:
            self.new_match(rules, players)

    @rule(rules=rule_sets(), players=st.integers(1, 5))
    def new_match(self, rules: dict[str, Any], players: int) -> None:
        count = 2 if rules["match.kind"] == "battle" else players
        source = rules["dice.source"]
        own = {key: value for key, value in rules.items() if key != "dice.source"}
        self.shell.send(MatchWanted(own, NAMES[:count], source))

    @precondition(lambda self: self.is_at(Scene.OVER))
    @rule()
    def a_rematch(self) -> None:
        """The same again with *next*, and who did worst begins."""
        book = self.shell.book
        assert book.turn is not None
        wanted, number = next_seats(book.turn), book.turn.number
        rules = book.turn.rules
        self.shell.wait(AGAIN_AFTER_S)
        self.shell.send(ButtonPressed(Button.NEXT, False))
        assert (book.turn.number, book.turn.players) == (number + 1, wanted)
        assert book.turn.rules == rules

    def is_at(self, scene: Scene) -> bool:
        """A person sees ``scene``."""
        view = self.shell.view if hasattr(self, "shell") else None
        return view is not None and view.scene is scene and view.brightness is not Brightness.OFF

    @rule(choice=st.sampled_from(Choice), more=st.lists(st.integers(0, 4), max_size=8))
    def go_through_the_menu(self, choice: Choice, more: list[int]) -> None:
        """Some item of the menu (or of the set-up), and then some presses in what it leads to."""
        if not self.is_at(Scene.MENU):
            self.shell.send(ButtonPressed(Button.NEXT, True))
        page = self.shell.view.page
        keys = [item.key for item in page.items] if page is not None else []
        if choice.value in keys:
            event(f"{choice.value} in {self.shell.session.situation.phase.name}")
        times = keys.index(choice.value) if choice.value in keys else 0
        for turns in (times, *more):
            if not self.is_at(Scene.MENU):
                return
            for _ in range(turns):
                self.shell.send(ButtonPressed(Button.ROLL, False))
            self.shell.send(ButtonPressed(Button.NEXT, False))

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
        if not legal:
            return
        wants_open = self.shell.book.turn is not None and self.shell.book.turn.raises
        for tile in legal[which % len(legal)]:
            if (tile in self.shell.open) != wants_open:
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

    @rule(
        roll=DICE,
        which=st.integers(0, 30),
        choice=st.sampled_from(Choice),
        more=st.lists(st.integers(0, 4), max_size=6),
    )
    def play_and_choose(self, roll: Tiles, which: int, choice: Choice, more: list[int]) -> None:
        """The menu while tiles lie for a roll, or without known dice."""
        if self.is_at(Scene.MENU):
            self.shell.send(ButtonPressed(Button.BACK, True))
        self.put_it_right()
        if self.shell.view.scene is Scene.FREE:
            self.flip(self.shell.view.tiles[which % len(self.shell.view.tiles)])
            self.shell.wait(0.1)
        self.roll_fairly(roll)
        self.lay_a_set(which)
        self.go_through_the_menu(choice, more)

    def roll_fairly(self, dice: Tiles) -> None:
        """A roll of a number of dice that is wanted."""
        now = self.shell.report
        if now.typed:
            self.type_dice(dice)
        else:
            self.roll(dice, len(dice) == 1 and 1 in now.wants_roll)

    def lay_a_set(self, which: int) -> None:
        """The box as it is after one of the legal sets, whatever lay there before."""
        now = self.shell.report
        game = self.shell.session.history.game
        if now.legal and game is not None:
            opened = {tile for tile, up in zip(self.shell.view.tiles, game.layout, strict=False) if up}
            self.shell.open = opened ^ set(now.legal[which % len(now.legal)])
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

    @rule(dice=DICE)
    def type_dice(self, dice: Tiles) -> None:
        """What is typed is what was thrown."""
        shell = self.shell
        allowed = shell.report.wants_roll
        if not shell.report.typed or self.is_at(Scene.MENU) or shell.view.brightness is Brightness.OFF:
            return
        if len(dice) not in allowed or len(shell.report.typed) > 1:
            return
        if shell.report.typed_count != len(dice):
            shell.send(ButtonPressed(Button.ROLL, True))
        for die in sorted(dice):
            for _ in range(6):
                if not shell.report.typed or shell.report.typed[-1] == die:
                    break
                shell.send(ButtonPressed(Button.ROLL, False))
            if die != 6 or shell.report.typed:
                shell.send(ButtonPressed(Button.NEXT, False))
            if dice == (6, 6):
                break
        assert shell.book.turn is not None

    @precondition(lambda self: self.is_at(Scene.ROLL) and self.shell.view.can_set_dice)
    @rule(dice=DICE)
    def set_the_dice(self, dice: Tiles) -> None:
        """A throw that was undone is set by hand."""
        self.shell.send(ButtonPressed(Button.NEXT, False))
        assert self.shell.report.typed
        self.type_dice(dice)

    @rule(answers=st.booleans())
    def the_dice_take_their_time(self, answers: bool) -> None:
        self.shell.answers = answers

    @rule(dice=DICE, which=st.integers(0, 30), held=st.booleans())
    def the_dice_roll_while_another_set_is_laid(self, dice: Tiles, which: int, held: bool) -> None:
        self.shell.answers = False
        self.roll(dice, held)
        self.lay_a_set(which)
        wanted = self.shell.asked or self.shell.awaited
        if wanted:
            self.shell.show_dice((dice * 2)[:wanted])
        self.shell.answers = True

    @rule(dice=DICE)
    def dice_show(self, dice: Tiles) -> None:
        self.shell.show_dice(dice)

    @rule(reason=st.sampled_from(["cocked", "two_dice", "camera_moved"]))
    def a_throw_cannot_be_told(self, reason: str) -> None:
        is_awaited = bool(self.shell.session.awaited)
        self.shell.send(DiceRefused(reason))
        assert (self.shell.session.refused == reason) == is_awaited

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
            player = Player(self.shell)
            player.finish()
            turn = self.shell.book.turn
            assert turn is not None
            event(f"{turn.kind}, dice {turn.rules['dice.source']}")
            event(f"steps to the end: {10 ** len(str(player.steps // 10)) if player.steps > 9 else 10}")
            event(f"pot left: {bool(turn.pot)}")


PROFILE = settings(
    max_examples=RUNS or DEFAULT_RUNS,
    derandomize=not RUNS,  # the default run is the same each time; campaigns are by chance
    stateful_step_count=STEPS,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


class TestTable(TableMachine.TestCase):  # type: ignore[misc, valid-type]
    """The machine as a test."""

    settings = PROFILE

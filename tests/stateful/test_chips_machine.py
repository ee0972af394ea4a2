"""Hands do anything with chips, and the game stays right and always knows a way forward.

A Hypothesis machine at the level of ``step``, over both kinds of board.  A naive implementation of the
rules (``sequence_naive``) holds every record; the board that is seen is a dictionary of chips.
"""

from __future__ import annotations

import os

import pytest
import sequence_naive as naive
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from firmware_host.games.game import CHIPS
from firmware_host.games.records import (
    ChipPlaced,
    ChipRemoved,
    ChipReplaced,
    MatchEnded,
    MatchStarted,
    Record,
    Rolled,
    Undone,
)
from firmware_host.games.sequence_dice.game import SequenceDice
from firmware_host.screens.layout import PANEL
from firmware_host.screens.scenes import lay_out
from firmware_host.table.effects import Effect, Keep, WantRoll
from firmware_host.table.events import (
    COVERED,
    UNKNOWN,
    BoxSeen,
    Button,
    ButtonPressed,
    DeviceBack,
    DeviceLost,
    DiceSeen,
    Event,
    MatchWanted,
    Tick,
)
from firmware_host.table.history import History
from firmware_host.table.session import resume, step
from firmware_host.table.situation import Phase

RUNS = int(os.environ.get("BOXKEEPER_RUNS", "0"))
NAMES = ("Ann", "Bob", "Cem", "Dee")
LEVELS = {"g": 1, "b": 2, "r": 3, "?": UNKNOWN}
CELLS = st.sampled_from(naive.CELLS)

pytestmark = pytest.mark.timeout(0 if RUNS else 400)


class ChipsMachine(RuleBasedStateMachine):
    """``lying``: what really lies on the board, ``?`` a foreign magnet."""

    @initialize(players=st.integers(2, 4), in_a_row=st.sampled_from((5, 5, 6)), has_colours=st.booleans())
    def begin(self, players: int, in_a_row: int, has_colours: bool) -> None:
        self.in_a_row = 5 if players == 3 else in_a_row
        self.has_colours = has_colours
        self.lying: dict[naive.Cell, str] = {}
        self.records: list[Record] = []
        self.history = History()
        self.now, self.session = 0.0, resume(History(), 0.0)
        rules = {"rules.game": "sequence-dice", "rules.in_a_row": self.in_a_row}
        self.send(MatchWanted(rules, NAMES[:players]))
        self.look()

    # The table

    def send(self, event: Event) -> list[Effect]:
        self.session, effects = step(self.session, event, self.now)
        for effect in effects:
            if isinstance(effect, Keep):
                assert effect.seq == self.history.seq + 1
                self.history = self.history.add(effect.records)
                self.records += effect.records
        return effects

    def look(self) -> None:
        levels = tuple(LEVELS[self.lying[cell]] if cell in self.lying else 0 for cell in naive.CELLS)
        if not self.has_colours:
            levels = tuple(COVERED if level else 0 for level in levels)
        self.send(BoxSeen(levels, CHIPS))

    def pass_time(self, seconds: float) -> None:
        until = self.now + seconds
        turns = 0
        while self.session.wake_at is not None and self.session.wake_at <= until:
            self.now = self.session.wake_at
            self.send(Tick())
            turns += 1
            assert turns < 1000, "time stands still"
        self.now = until

    @property
    def game(self) -> SequenceDice:
        game = self.session.history.game
        assert isinstance(game, SequenceDice)
        return game

    # Hands

    @rule(cell=CELLS, sign=st.sampled_from("gggbbbr?"))
    def place(self, cell: naive.Cell, sign: str) -> None:
        self.lying[cell] = sign
        self.look()
        self.pass_time(0.5)

    @rule(cell=CELLS)
    def lift(self, cell: naive.Cell) -> None:
        self.lying.pop(cell, None)
        self.look()
        self.pass_time(0.5)

    @rule(cell=CELLS)
    def brush(self, cell: naive.Cell) -> None:
        """A chip passes by too quickly to count."""
        was = dict(self.lying)
        self.lying[cell] = "r"
        self.look()
        self.pass_time(0.1)
        self.lying = was
        self.look()
        self.pass_time(0.3)

    @rule(number=st.integers(0, 35))
    def obey(self, number: int) -> None:
        """Do what the table asks for: put right, else one of the moves it allows."""
        situation = self.session.situation
        if situation.phase is Phase.PUT_RIGHT:
            wanted = list(situation.seen)
            for index in situation.fixes:
                wanted[index] = self.game.layout[index]
        elif situation.phase is Phase.MOVE:
            wanted = list(self.session.targets[number % len(self.session.targets)].layout)
        else:
            return
        for cell, level in zip(naive.CELLS, wanted, strict=True):
            if level > 0:
                self.lying[cell] = "gbr"[level - 1]
            elif level == 0:
                self.lying.pop(cell, None)
        self.look()
        self.pass_time(1.0)
        if self.session.situation.proposals:
            self.press(Button.NEXT, False)

    @rule(choices=st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(0, 35)), max_size=12))
    def play_on(self, choices: list[tuple[int, int, int]]) -> None:
        """People who do what they are asked to, for some turns."""
        for one, two, number in choices:
            if self.session.dialog is not None:
                self.press(Button.BACK, True)
            self.obey(number)
            self.roll(one, two)
            self.obey(number)
            assert self.session.situation.phase is not Phase.PUT_RIGHT

    @rule(one=st.integers(1, 6), two=st.integers(1, 6))
    def roll(self, one: int, two: int) -> None:
        effects = self.send(ButtonPressed(Button.ROLL, False))
        if any(isinstance(effect, WantRoll) for effect in effects):
            self.send(DiceSeen((one, two), "roller"))
        self.pass_time(1.0)

    @rule(button=st.sampled_from((Button.NEXT, Button.BACK)), held=st.booleans())
    def press(self, button: Button, held: bool) -> None:
        self.send(ButtonPressed(button, held))
        self.pass_time(0.2)

    @rule(seconds=st.sampled_from((0.05, 0.16, 0.31, 2.0, 40.0)))
    def wait(self, seconds: float) -> None:
        self.pass_time(seconds)

    @rule()
    def lose_and_find_the_board(self) -> None:
        self.send(DeviceLost(CHIPS, "gone"))
        self.pass_time(1.0)
        self.send(DeviceBack(CHIPS))
        self.look()
        self.pass_time(1.0)

    @rule()
    def pull_the_plug(self) -> None:
        self.session = resume(self.history, self.now)
        self.look()
        self.pass_time(1.0)

    # What must hold

    @invariant()
    def the_journal_is_the_game(self) -> None:
        if hasattr(self, "session"):
            assert self.session.history.snapshot() == self.history.snapshot()

    @invariant()
    def every_record_is_by_the_rules(self) -> None:
        if hasattr(self, "session"):
            for match in _matches(self.records):
                _hold(match)

    @invariant()
    def the_panel_has_room(self) -> None:
        if hasattr(self, "session"):
            for row in lay_out(self.session.view):
                assert all(PANEL.contains(placed.area) for placed in row)

    @invariant()
    def there_is_a_way_forward(self) -> None:
        """Whatever lies there, doing what the table asks leads on."""
        if not hasattr(self, "session") or self.session.dialog is not None:
            return
        situation = self.session.situation
        if situation.phase is Phase.PUT_RIGHT:
            assert situation.fixes
        if situation.phase is Phase.MOVE:
            assert self.session.targets


def _matches(records: list[Record]) -> list[list[Record]]:
    """What stands of each match: steps that were undone are left out by their numbers."""
    standing: list[tuple[int, Record]] = []
    for seq, record in enumerate(records, 1):
        if isinstance(record, Undone):
            standing = [(number, other) for number, other in standing if number < record.undid]
        else:
            standing.append((seq, record))
    matches: list[list[Record]] = []
    for _, record in standing:
        if isinstance(record, MatchStarted):
            matches.append([])
        matches[-1].append(record)
    return matches


def _hold(records: list[Record]) -> None:
    """Every action of a match is legal for its roll, and it ends with a line, or otherwise than played."""
    started = records[0]
    assert isinstance(started, MatchStarted)
    chips: naive.Chips = {}
    total, last = 0, ""
    for record in records:
        match record:
            case Rolled():
                total = record.total
            case ChipPlaced(_, cell, colour):
                assert ("place", cell) in naive.legal(chips, colour[0], total)
                chips, last = {**chips, cell: colour[0]}, colour[0]
            case ChipReplaced(_, cell, colour, was):
                assert chips[cell] == was[0]
                assert ("replace", cell) in naive.legal(chips, colour[0], total)
                chips, last = {**chips, cell: colour[0]}, colour[0]
            case ChipRemoved(player, cell, colour):
                seat = started.players.index(player)
                own = "gbr"[seat % (3 if len(started.players) == 3 else 2)]
                assert ("remove", cell) in naive.legal(chips, own, total)
                assert chips[cell] == colour[0]
                chips = {other: sign for other, sign in chips.items() if other != cell}
            case MatchEnded(winners, reason="played") if winners:
                left = any(r.event == "player_left" for r in records)
                assert left or naive.longest_run(chips, last) >= started.rules["rules.in_a_row"]


ChipsMachine.TestCase.settings = settings(
    max_examples=RUNS or 40,
    derandomize=not RUNS,  # as the other machines
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestChips = ChipsMachine.TestCase

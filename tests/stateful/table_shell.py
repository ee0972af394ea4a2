"""A fake box and service around ``step``, and a player who does what the screen says."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import TypeGuard

from naive_rules import PLACES, Book, Tiles

from firmware_host.games.records import EndReason, Record, TurnEnded, from_fields, to_fields
from firmware_host.screens.layout import PANEL
from firmware_host.screens.picture import draw
from firmware_host.screens.scenes import lay_out
from firmware_host.screens.text import lines
from firmware_host.table.dialog import SetUp
from firmware_host.table.effects import (
    AwaitThrow,
    BackSaid,
    Keep,
    LostSaid,
    PutRight,
    Righted,
    RollWanted,
    Say,
    Saying,
    Show,
    WakeAt,
    WantRoll,
)
from firmware_host.table.events import (
    BoxSeen,
    Button,
    ButtonsSeen,
    DeviceBack,
    DeviceLost,
    DiceSeen,
    Event,
    Tick,
)
from firmware_host.table.history import Checkpoint, History
from firmware_host.table.report import Report, report
from firmware_host.table.session import resume, step
from firmware_host.table.situation import Phase
from firmware_host.table.state import Session
from firmware_host.table.view import Brightness, Scene, View

MOST_STEPS_TO_THE_END, MOST_STEPS_TO_LOWER, MOST_TURNS_UNSEEN = 4000, 300, 20
HOUSE = SetUp({"rules.tiles": "1-6", "match.kind": "rounds", "match.stake": 1}, ("Eve", "Bob"), "keypad")
FREE_SHUTS, GOES_ON = 0.7, 0.5
PEOPLE = ("Ann", "Bob", "李小龍")


class Shell:
    """A fake box, service and journal: it does what effects ask and checks each as it comes."""

    def __init__(self, absent: set[int], gone: set[str], dice_name: str = "roller") -> None:
        """``absent``: tiles without a switch; ``gone``: devices that do not answer."""
        self.now = 0.0
        self.dice_name = dice_name
        self.absent, self.gone = set(absent), set(gone)
        self.open = set(range(1, PLACES + 1))
        self.stuck: dict[int, int] = {}
        self.down: set[Button] = set()
        self.asked = 0  # dice wanted of the source
        self.awaited = 0  # dice that the camera watches for
        self.answers = True  # the source answers at once
        self.throw: list[int] = []  # what it is going to show
        self.disk: list[list[str]] = []  # steps, each a list of JSON lines
        self.waiting: list[list[str]] = []  # while the store is gone
        self.book, self.read_back = Book(), History()
        self.session = Session()
        self.said: Saying | None = None
        self.power_on()

    # Events in, effects out

    def send(self, event: Event) -> None:
        """One event now, and what it leads to at once."""
        before = copy.copy(self.session)
        was, is_prompt = self.report, before.wake_at is None or before.wake_at > self.now
        after, effects = step(self.session, event, self.now)
        assert self.session == before, "a session is a value"
        assert step(self.session, event, self.now) == (after, effects), "the same again is the same"
        self.session = after
        wanted = thrown = 0
        kept = any(isinstance(effect, Keep) for effect in effects)
        for effect in effects:
            match effect:
                case Keep(seq, records, history):
                    assert history.seq == seq + len(records) - 1
                    rows = [json.dumps([r.event, to_fields(r)]) for r in records]
                    self.book.step(seq, [tuple(json.loads(row)) for row in rows])
                    if is_prompt:
                        assert all(r.open == was.open for r in records if is_by_hand(r)), "another box"
                    self.read_back = add(self.read_back, rows)
                    self.waiting.append(rows)
                    self.flush()
                case Say(saying):
                    self._hear(saying)
                case Show(view):
                    assert view == after.view
                    check_view(view, self)
                case WantRoll(count):
                    assert not wanted, "asked twice"
                    wanted = self.asked = count
                case AwaitThrow(count):
                    assert count != self.awaited, "told what is known"
                    assert not (count and "camera" in self.gone), "nobody watches"
                    thrown = self.awaited = count
                case WakeAt(at):
                    assert at is None or at > self.now, "a wish for the past"
        self.check(kept)
        if "dice" in self.gone:
            self.asked = 0  # nobody hears the wish
        elif wanted and self.answers:
            self.show_dice(tuple((self.throw or [3, 4])[:wanted]))
        if thrown and self.answers:
            self.show_dice(tuple((self.throw or [3, 4])[:thrown]))

    def _hear(self, saying: Saying) -> None:
        match saying:
            case PutRight() | RollWanted():
                self.said = saying
            case Righted():
                assert isinstance(self.said, PutRight)
                self.said = None
            case LostSaid(device=device):
                assert device in self.gone
            case BackSaid(device=device):
                assert device not in self.gone

    def flush(self) -> None:
        """To the disk, where there is one."""
        if "store" not in self.gone:
            self.disk += self.waiting
            self.waiting = []

    def fold(self, steps: list[list[str]]) -> tuple[History, Book]:
        """What a journal of ``steps`` leads to."""
        history, book = History(), Book()
        for rows in steps:
            book.step(history.seq + 1, [tuple(json.loads(row)) for row in rows])
            history = add(history, rows)
        return history, book

    def check(self, is_new: bool) -> None:
        """What holds whenever nothing is being worked on; ``is_new``: something was kept."""
        session, now = self.session, self.report
        if is_new:
            assert are_same(self.read_back, session.history)
            assert json.loads(json.dumps(self.read_back.snapshot())) == session.history.snapshot()
        turn, game = self.book.turn, session.history.game
        assert (game is None) == (turn is None)
        if turn is None:
            return
        assert game is not None
        assert sorted(tile for tile, up in zip(turn.tiles, game.layout, strict=True) if up) == turn.open
        assert list(game.dice) == turn.dice
        assert now.player == turn.player
        assert dict(now.totals) == turn.totals
        assert game.match.round == turn.round
        assert session.history.pot == turn.pot
        assert now.winners == tuple(turn.winners or ())
        assert {tuple(sorted(s)) for s in now.legal} == (set(turn.legal) if turn.dice else set())
        assert set(now.wants_roll) <= {1, 2}
        if turn.is_over:
            assert (now.wants_roll, now.wants_move, now.wants_open, now.wants_shut) == ((), False, (), ())
        elif session.sight.is_known:
            wants = (now.wants_roll, now.wants_move, now.wants_open + now.wants_shut)
            stands = session.situation.phase is Phase.DONE and not now.wants_roll
            assert sum(map(bool, wants)) + stands == 1, "one thing at a time, and always one"
            assert not stands or session.is_pending or session.settling == session.situation.target
        assert bool(now.typed) == bool(now.typed_count)
        assert not now.typed or now.typed_count in now.wants_roll
        assert now.source != "keypad" or bool(now.typed) == bool(now.wants_roll)

    @property
    def report(self) -> Report:
        """What the table says to those who watch it."""
        return report(self.session)

    @property
    def view(self) -> View:
        """What the table shows."""
        return self.session.view

    # Time

    def wait(self, seconds: float) -> None:
        """Time passes; the table is woken when it asked for it."""
        until = self.now + seconds
        while self.session.wake_at is not None and self.session.wake_at <= until:
            self.now = max(self.now, self.session.wake_at)
            self.send(Tick())
        self.now = until

    def rest(self) -> None:
        """Long enough for a debounce, a settle and an animation."""
        self.wait(2.0)

    # The box

    def levels(self) -> tuple[int | None, ...]:
        """What the switches read."""
        return tuple(
            None if tile in self.absent else self.stuck.get(tile, int(tile in self.open))
            for tile in range(1, PLACES + 1)
        )

    def look(self) -> None:
        """The tiles are read, where they can be."""
        if "tiles" not in self.gone:
            self.send(BoxSeen(self.levels()))

    def flip(self, tile: int) -> None:
        """A hand flips ``tile``."""
        self.open ^= {tile}
        self.look()

    def read_buttons(self) -> None:
        """The buttons are read, where they can be."""
        if "buttons" not in self.gone:
            self.send(ButtonsSeen(tuple(int(button in self.down) for button in Button)))

    def press(self, button: Button, for_s: float = 0.15) -> None:
        """A finger presses ``button``."""
        self.down.add(button)
        self.read_buttons()
        self.wait(for_s)
        self.down.discard(button)
        self.read_buttons()
        self.wait(0.05)

    def show_dice(self, dice: Tiles) -> None:
        """The source shows ``dice``; people throw them before the camera where it reads them."""
        self.asked = 0
        self.send(DiceSeen(dice, "camera" if self.session.source == "camera" else self.dice_name))

    def lose(self, device: str) -> None:
        """``device`` does not answer any more."""
        self.gone.add(device)
        if device == "dice":
            self.asked = 0
        self.send(DeviceLost(device, "no answer"))

    def find(self, device: str) -> None:
        """``device`` answers again."""
        self.gone.discard(device)
        self.flush()
        self.send(DeviceBack(device))
        if device == "tiles":
            self.look()
        if device == "buttons":
            self.read_buttons()

    # The plug

    def power_on(self) -> None:
        """The service comes up with what is on the disk."""
        history, self.book = self.fold(self.disk)
        self.read_back = self.fold(self.disk)[0]
        self.session = resume(history, self.now, house=HOUSE, people=PEOPLE)
        self.said = None
        for device in sorted(self.gone):
            self.send(DeviceLost(device, "no answer"))
        self.look()
        self.read_buttons()

    def power_cut(self) -> None:
        """Nobody gets a chance to say goodbye."""
        self.waiting = []
        self.asked = self.awaited = 0


def is_by_hand(record: Record) -> TypeGuard[TurnEnded]:
    """A turn was ended by somebody, and not by the dice."""
    return isinstance(record, TurnEnded) and record.reason is EndReason.ENDED_BY_HAND


def add(history: History, rows: Sequence[str]) -> History:
    """``history`` with one more step, as a journal gives it back."""
    events = [tuple(json.loads(row)) for row in rows]
    return history.add(tuple(from_fields(name, fields) for name, fields in events))


def are_same(a: History, b: History) -> bool:
    """The same game with the same last step; the steps before it were compared when they came."""

    def flat(history: History) -> tuple[object, ...]:
        past = history.past
        last = (past.seq, past.game, past.pot, past.throw) if isinstance(past, Checkpoint) else None
        return (history.game, history.settings, history.pot, history.seq, history.matches, history.kept, last)

    return flat(a) == flat(b)


_SEEN: set[View] = set()


def check_view(view: View, shell: Shell) -> None:
    """The screen says what to do, and all of it can be drawn."""
    assert view.troubles == shell.session.lost
    if view.tumble:
        assert view.dice
    elif view.scene is Scene.ROLL:
        assert view.dice_allowed
    elif view.scene is Scene.MOVE:
        assert view.dice
        is_thai = shell.book.turn is not None and shell.book.turn.rules["sets"] == "thai"
        assert is_thai or view.to_shut > 0
    elif view.scene is Scene.DONE:
        is_battle = shell.book.turn is not None and shell.book.turn.kind == "battle"
        assert view.dice_allowed or not view.open or is_battle
    elif view.scene in (Scene.PUT_RIGHT, Scene.CONFIRM):
        assert view.must_open or view.must_shut
    elif view.scene is Scene.FREE:
        assert not view.dice_allowed
    elif view.scene is Scene.OVER:
        assert shell.book.turn is not None
        assert list(view.winners) == shell.book.turn.winners
    elif view.scene is Scene.MENU:
        assert view.page is not None
        assert 0 <= view.page.index < len(view.page.items or view.page.digits)
    assert not view.typed or view.scene in (Scene.ROLL, Scene.DONE) or view.tumble
    if view.scene not in (Scene.TITLE, Scene.PAUSED, Scene.MENU):
        assert view.player in [name for name, _, _ in view.totals]
        assert view.tiles
        assert set(view.blind) <= set(view.tiles)
    if view in _SEEN:
        return
    layout = lay_out(view)
    things = [placed for row in layout for placed in row]
    assert things
    if view.last_turn is not None and (view.last_turn.score or 0) > 99999:
        return  # a score of so many digits has no room beside its reason yet
    assert [thing for thing in things if not PANEL.contains(thing.area)] == [], view
    assert [(a, b) for a, b in combinations(things, 2) if a.area.overlaps(b.area)] == [], view
    assert draw(view).size == (PANEL.width, PANEL.height)
    text = f" {' '.join(lines(view))} "
    if view.scene in (Scene.PUT_RIGHT, Scene.CONFIRM):
        for word, tiles in (("OPEN", view.must_open), ("SHUT", view.must_shut)):
            assert not tiles or f" {word} {' '.join(map(str, tiles))}" in text
    _SEEN.add(view)


class Player:
    """Somebody who does what the screen says and nothing else; knows which tiles are on whose word."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.steps = 0
        self.unseen = 0  # turns without known dice in which no tile was seen to move
        self.chance = random.Random(1)

    def finish(self) -> None:
        """Play the match to its end."""
        shell = self.shell
        for device in ("buttons", "dice"):  # nothing can be played without these two
            if device in shell.gone:
                shell.find(device)
        if shell.asked or shell.awaited:
            shell.show_dice((1, 1)[: shell.asked or shell.awaited])
        shell.down.clear()
        shell.read_buttons()
        shell.answers, shell.throw = True, [2, 1]
        shell.rest()
        if shell.view.brightness is Brightness.OFF:
            shell.press(Button.NEXT)
        while shell.view.scene is not Scene.OVER:
            self.steps += 1
            assert self.steps < MOST_STEPS_TO_THE_END, f"no way forward from {shell.view}"
            self._obey()
            shell.rest()

    def _obey(self) -> None:
        shell, view = self.shell, self.shell.view
        match view.scene:
            case Scene.MENU:
                self._leave()
            case Scene.ROLL | Scene.DONE if view.typed:
                self._type(view)
            case Scene.ROLL:
                self._roll(view.dice_allowed)
            case Scene.DONE if view.dice_allowed:
                self._roll(view.dice_allowed)
            case Scene.DONE:
                self._let_it_stand(view)
            case Scene.MOVE:
                self._move(view)
            case Scene.FREE if set(view.blind) == set(view.tiles) or self.unseen > MOST_TURNS_UNSEEN:
                self._abandon()
            case Scene.FREE:
                self._play_freely(view)
            case Scene.PUT_RIGHT:
                self._lay(view.must_open, view.must_shut)
                if self._is_as(view):
                    shell.press(Button.NEXT, 1.2)
            case Scene.CONFIRM:
                self._lay(view.must_open, view.must_shut)
                if self._is_as(view):
                    shell.press(Button.NEXT)

    def _leave(self) -> None:
        """A dialog is left with *back*; where digits are set, with *back* held."""
        shell = self.shell
        page = shell.view.page
        assert page is not None
        shell.press(Button.BACK, 1.2 if page.digits else 0.15)
        assert shell.view.scene is not Scene.MENU

    def _play_freely(self, view: View) -> None:
        """Any tiles, and *next* where the last one did not end the turn by itself."""
        self._lay((), tuple(tile for tile in view.open if self.chance.random() < FREE_SHUTS))
        self.unseen = self.unseen + 1 if self._is_as(view) else 0
        if self.shell.view.scene is Scene.FREE:
            self.shell.press(Button.NEXT)

    def _abandon(self) -> None:
        """Neither dice nor tiles are seen: all turns are alike, and a play-off would never end."""
        shell = self.shell
        shell.press(Button.NEXT, 1.2)
        for _ in range(10):
            page = shell.view.page
            assert page is not None
            if page.items[page.index].key == "menu_abandon":
                break
            shell.press(Button.ROLL)
        shell.press(Button.NEXT)

    def _lucky(self, numbers: Tiles) -> Tiles:
        """Dice that bring the match nearer to its end; the same while nothing has happened."""
        shell, chance = self.shell, random.Random(self.shell.book.seq)
        assert shell.book.turn is not None
        turn = copy.copy(shell.book.turn)
        turn.open = list(shell.report.open)
        throws: dict[bool, list[Tiles]] = {True: [], False: []}
        for count in numbers:
            for dice in combinations_with_replacement(range(1, 7), count):
                turn.dice = list(dice)
                throws[bool(turn.legal)].append(dice)
        is_one_sided = turn.kind == "battle" and self.steps < MOST_STEPS_TO_LOWER  # a last 1 may not fit
        moves = not turn.raises if is_one_sided else chance.random() < GOES_ON
        return chance.choice(throws[moves] or throws[not moves])

    def _type(self, view: View) -> None:
        """One digit of a throw is typed."""
        shell = self.shell
        dice = self._lucky(view.dice_allowed)
        if len(dice) != view.typed_count and len(view.typed) == 1:
            shell.press(Button.ROLL, 1.2)
        at = len(view.typed) - 1
        for _ in range(6):
            if shell.view.typed[-1] == dice[min(at, len(dice) - 1)]:
                break
            shell.press(Button.ROLL)
        shell.press(Button.NEXT)

    def _let_it_stand(self, view: View) -> None:
        """A complete move that does not stand by itself: it was undone, and *next* says that it holds."""
        if self._is_as(view):
            self.shell.press(Button.NEXT)

    def _roll(self, numbers: Tiles) -> None:
        shell = self.shell
        shell.throw = list(self._lucky(numbers))
        shell.press(Button.ROLL, 0.15 if len(shell.throw) == numbers[-1] else 1.2)

    def _move(self, view: View) -> None:
        """Move one of the sets; where the table does not see it, say so and choose it on the screen."""
        shell = self.shell
        before = self._open_before()
        moved = before ^ set(view.open)
        wanted = self.chance.choice([s for s in shell.report.legal if moved <= set(s)])
        after = before ^ set(wanted)
        to_open, to_shut = tuple(after - set(view.open)), tuple(set(view.open) - after)
        self._lay(to_open, to_shut)
        if not self._is_as(view) and shell.view.scene is not Scene.MOVE:
            return
        shell.press(Button.NEXT, 1.2)
        if shell.view.scene is Scene.MENU:
            assert shell.view.page is not None
            assert shell.view.page.items[0].key == "menu_not_seen"
            shell.press(Button.NEXT)
        assert shell.view.scene is Scene.CONFIRM
        missing = set(wanted) - (before ^ set(shell.view.open))
        for _ in range(100):
            if {*shell.view.must_shut, *shell.view.must_open} == missing:
                break
            shell.press(Button.BACK)
        assert {*shell.view.must_shut, *shell.view.must_open} == missing, "the set is never proposed"
        shell.press(Button.NEXT)

    def _open_before(self) -> set[int]:
        """The tiles that were open when the dice were thrown."""
        return set(self.shell.report.open)

    def _lay(self, to_open: Tiles, to_shut: Tiles) -> None:
        shell = self.shell
        for tile in to_open + to_shut:
            if (tile in shell.open) != (tile in to_open):
                shell.flip(tile)
                shell.wait(0.15)
        shell.look()
        shell.rest()

    def _is_as(self, view: View) -> bool:
        """The screen asks for the same as before."""
        now = self.shell.view
        return (now.scene, now.must_open, now.must_shut, now.open) == (
            view.scene, view.must_open, view.must_shut, view.open,
        )  # fmt: skip

"""Hands at a table: plays whole matches into ``step`` and keeps what came in and what was shown."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware_host.games.shut_the_box.rules import Rules
from firmware_host.table.effects import Effect, Show, WantRoll
from firmware_host.table.events import BoxSeen, Button, ButtonsSeen, DiceSeen, Event, MatchWanted, Tick
from firmware_host.table.report import Report, report
from firmware_host.table.session import step
from firmware_host.table.state import Session
from firmware_host.table.view import View

PLACES = 12
PLAYERS = ("Ann", "Bob", "Cleo")
REST_S = 1.2  # the last tile has settled, the dice have tumbled
_BOUNCES_S = (0.0, 0.001, 0.0015, 0.004, 0.0055, 0.007, 0.008)  # a tile falls: an odd number of edges
_PRESS_BOUNCES_S = (0.0, 0.001, 0.002)


@dataclass(frozen=True, slots=True)
class Came:
    """What came in, and when (seconds)."""

    event: Event
    now: float


@dataclass(frozen=True, slots=True)
class Change:
    """The screen changed because of what came in."""

    session: Session
    came: Came
    before: View
    after: View


class Hands:
    """One table, its people and their dice.  A seed makes the same match anywhere."""

    def __init__(self, seed: int, *, polls: bool = False, changed: Callable[[Change], None] | None = None):
        """``polls``: the slow re-reads come in as well.  ``changed`` hears of every change of the screen."""
        self.trace: list[Came] = []
        self.session = Session()
        self._now, self._polls, self._changed = 0.0, polls, changed
        self._next_poll = 1.0
        self._chance = random.Random(seed)
        self._levels = [1] * PLACES
        self._throw: tuple[int, ...] = ()
        self._post(BoxSeen(tuple(self._levels)))
        self._post(ButtonsSeen((0, 0, 0)))

    # Matches

    def play_match(self) -> None:
        """A match with slips: wrong tiles, tiles taken back, rolls too early."""
        self.start_match()
        self.play_on()

    def start_match(self) -> None:
        """A new match; what was before can no longer be taken back."""
        rules = {f"rules.{key}": value for key, value in Rules().settings().items()}
        self._post(MatchWanted(rules, PLAYERS))

    def play_on(self) -> None:
        """Play the match to its end."""
        for _ in range(1000):
            now = self.now_wanted
            if now.winners:
                return
            if now.wants_move:
                self._move(now)
            elif now.wants_open or now.wants_shut:
                self._put_right()
            else:
                self._roll(now)

    @property
    def now_wanted(self) -> Report:
        """What the table waits for."""
        return report(self.session)

    def _roll(self, now: Report) -> None:
        if now.legal and self._chance.random() < 0.3:
            self.press(Button.NEXT)  # the move stands; otherwise it does so with the roll
        count = now.wants_roll[0]
        if self._chance.random() < 0.6:  # lucky dice, or no box would ever be shut
            fitting = [pair for pair in _PAIRS if _has_sum(now.open, sum(pair[:count]))]
            self._throw = self._chance.choice(fitting or _PAIRS)[:count]
        else:
            self._throw = tuple(self._chance.randint(1, 6) for _ in range(count))
        self.press(Button.ROLL, 1.2 if count == 1 and len(now.wants_roll) > 1 else 0.15)
        self.rest(REST_S)

    def _move(self, now: Report) -> None:
        """One of the legal sets, tile by tile; now and then something else before."""
        tiles = list(max(now.legal, key=lambda legal: (self._chance.random(), legal)))
        self._chance.shuffle(tiles)
        slip = self._chance.random()
        wrong = [tile for tile in now.open if all(tile not in legal for legal in now.legal)]
        if slip < 0.15 and wrong:
            tile = self._chance.choice(wrong)
            self.flip(tile)
            self.flip(tile)
        elif slip < 0.3:
            self.flip(tiles[0])
            self.flip(tiles[0])
        elif slip < 0.35 and len(tiles) > 1:
            self.flip(tiles[0])
            self.press(Button.ROLL)  # too early
            self.rest(5.0)
            tiles = tiles[1:]
        for tile in tiles:
            self.flip(tile)
        self.rest(REST_S)

    def _put_right(self) -> None:
        now = self.now_wanted
        for tile in (*now.wants_open, *now.wants_shut):
            self.flip(tile)

    # Hands

    def flip(self, tile: int) -> None:
        """A tile goes over; its switch bounces."""
        was = self._levels[tile - 1]
        start = self._now + 0.06
        for i, after_s in enumerate(_BOUNCES_S):
            self._wait_until(start + after_s)
            self._levels[tile - 1] = 1 - was if i % 2 == 0 else was
            self._post(BoxSeen(tuple(self._levels)))
        self.rest(0.2)

    def press(self, button: Button, for_s: float = 0.15) -> None:
        """A finger, and the button's bounce."""
        start = self._now
        for edge_at, is_down in ((start, 1), (start + for_s, 0)):
            for i, after_s in enumerate(_PRESS_BOUNCES_S):
                self._wait_until(edge_at + after_s)
                levels = [0, 0, 0]
                levels[button] = is_down if i % 2 == 0 else 1 - is_down
                self._post(ButtonsSeen(tuple(levels)))
        self.rest(0.1)

    def rest(self, for_s: float) -> None:
        """Time passes."""
        self._wait_until(self._now + for_s)

    # The service in little

    def _wait_until(self, moment: float) -> None:
        while True:
            wake_at = self.session.wake_at
            due = min(moment, wake_at if wake_at is not None else moment)
            if self._polls and self._next_poll <= due:
                self._now = max(self._now, self._next_poll)
                self._next_poll += 1.0
                self._post(BoxSeen(tuple(self._levels)))
                self._post(ButtonsSeen(self.session.buttons.levels.raw))
            elif wake_at is not None and wake_at <= moment:
                self._now = max(self._now, wake_at)
                self._post(Tick())
            else:
                self._now = max(self._now, moment)
                return

    def _post(self, event: Event) -> None:
        came, before = Came(event, self._now), self.session
        self.trace.append(came)
        self.session, effects = step(before, event, self._now)
        if self._changed is not None:
            for view in views(effects):
                self._changed(Change(before, came, before.view, view))
        if any(isinstance(effect, WantRoll) for effect in effects):
            self._post(DiceSeen(self._throw, "roller"))


def views(effects: Sequence[Effect]) -> list[View]:
    """What ``effects`` show."""
    return [effect.view for effect in effects if isinstance(effect, Show)]


_PAIRS = [(a, b) for a in range(1, 7) for b in range(1, 7)]


def _has_sum(tiles: tuple[int, ...], total: int) -> bool:
    sums = {0}
    for tile in tiles:
        sums |= {total_so_far + tile for total_so_far in sums}
    return total in sums

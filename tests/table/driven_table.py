"""A table that is driven event by event and ticks when the session asks for it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from firmware_host.games.records import Record
from firmware_host.table.effects import Effect, Keep, Say, Saying, WantRoll
from firmware_host.table.events import (
    BoxSeen,
    Button,
    ButtonPressed,
    DiceSeen,
    Event,
    MatchWanted,
    Tick,
)
from firmware_host.table.report import Report, report
from firmware_host.table.session import resume, step
from firmware_host.table.state import Session
from firmware_host.table.view import Notice, View

PLACES = 12
ROLL, NEXT, BACK = Button


class Driven:
    """A session with hands on it; it ticks when the session asks for it, and remembers all that went out."""

    session: Session
    now: float
    out: list[Effect]

    def send(self, event: Event) -> None:
        self.session, effects = step(self.session, event, self.now)
        self.out += effects

    def wait(self, seconds: float) -> None:
        until = self.now + seconds
        while self.session.wake_at is not None and self.session.wake_at <= until:
            self.now = self.session.wake_at
            self.send(Tick())
        self.now = until

    def press(self, button: Button, held: bool = False) -> None:
        self.send(ButtonPressed(button, held))
        self.wait(0.1)


class Table(Driven):
    """A box of tiles."""

    def __init__(self, session: Session | None = None, now: float = 0.0) -> None:
        self.session, self.now = session or Session(), now
        self.open = set(range(1, PLACES + 1))
        self.stuck: set[int] = set()
        self.out: list[Effect] = []

    def look(self) -> None:
        self.send(BoxSeen(tuple(int(tile in self.open) for tile in range(1, PLACES + 1))))

    def flip(self, *tiles: int, every_s: float = 0.15) -> None:
        """Hands flip tiles one by one; a stuck one is not seen to move."""
        for tile in tiles:
            if tile not in self.stuck:
                self.open ^= {tile}
            self.look()
            self.wait(every_s)

    def roll(self, *dice: int) -> None:
        """The button, and the roller's answer where it is asked."""
        asked = len(self.asked)
        self.send(ButtonPressed(ROLL, len(dice) == 1))
        if len(self.asked) > asked:
            self.send(DiceSeen(dice, "roller"))
        self.wait(1.0)

    @property
    def asked(self) -> list[int]:
        """The throws that the source was asked for."""
        return [effect.count for effect in self.out if isinstance(effect, WantRoll)]

    @property
    def records(self) -> list[Record]:
        return [record for effect in self.out if isinstance(effect, Keep) for record in effect.records]

    @property
    def said(self) -> list[Saying]:
        return [effect.saying for effect in self.out if isinstance(effect, Say)]

    def events(self, name: str) -> list[dict[str, Any]]:
        """The fields of all that was told of that name."""
        told: list[Any] = [*self.records, *self.said]
        return [{f.name: getattr(e, f.name) for f in fields(e)} for e in told if e.event == name]

    @property
    def view(self) -> View:
        return self.session.view

    @property
    def report(self) -> Report:
        return report(self.session)

    @property
    def wants(self) -> tuple[object, ...]:
        now = self.report
        return now.wants_roll or (now.wants_move and ("move",)) or (now.wants_open, now.wants_shut)


def start(*players: str, tiles: str = "1-9", **rules: object) -> Table:
    """A match on a box that was seen, all open."""
    table = Table()
    table.look()
    settings = {"rules.tiles": tiles, **{f"rules.{key}": value for key, value in rules.items()}}
    table.send(MatchWanted(settings, players or ("Ann", "Bob")))
    table.wait(2.0)
    return table


def begin(*players: str, source: str = "roller", **settings: object) -> Table:
    """A match by full keys, such as ``match_kind="battle"``, on a box that was seen, all open."""
    table = Table()
    table.look()
    rules = {key.replace("_", ".", 1): value for key, value in settings.items()}
    table.send(MatchWanted(rules, players or ("Ann", "Bob"), source))
    table.wait(2.0)
    return table


def choose(table: Table, key: str) -> None:
    """Hold *next* for the menu where none is shown, go to the item ``key`` (or of that name), choose it."""
    if table.view.page is None:
        table.press(NEXT, held=True)
    for _ in range(20):
        page = table.view.page
        assert page is not None
        item = page.items[page.index]
        if key in (item.key, item.name):
            table.press(NEXT)
            return
        table.press(ROLL)
    raise AssertionError(f"{key} is not among {page.items}")


def power_cut(table: Table, moved: tuple[int, ...] = (), notice: Notice | None = None) -> Table:
    """The table that comes up again; hands have ``moved`` tiles meanwhile."""
    again = Table(resume(table.session.history, 0.0, notice))
    again.open = table.open ^ set(moved)
    again.look()
    again.wait(0.5)
    return again

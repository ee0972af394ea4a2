"""THE main loop: one consumer owns the state, everything else only tells it what came in.

Event in -> step -> journal -> everything else.  Nothing that was accepted is shown or
told before it is on disk, and no device can hold the loop up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol

from firmware_host.config import Config
from firmware_host.games.records import to_fields
from firmware_host.service.keeper import Keeper
from firmware_host.store.journal import Stamp
from firmware_host.table.dialog import SetUp
from firmware_host.table.effects import (
    Answered,
    Ask,
    AwaitThrow,
    Effect,
    Keep,
    Say,
    Show,
    WakeAt,
    WantRoll,
)
from firmware_host.table.events import BestKnown, Event
from firmware_host.table.session import resume, step
from firmware_host.table.state import Session
from firmware_host.table.view import Notice, View


class Clock(Protocol):
    """Monotonic and wall time."""

    def now(self) -> float:
        """Seconds, monotonic; the loop's own time."""

    def wall(self) -> tuple[str, bool]:
        """UTC in ISO 8601, and whether the clock was set."""


class Outside(Protocol):
    """What the loop's decisions reach; none of it may make the loop wait."""

    def announce(self, event: str, fields: Mapping[str, Any], seq: int | None, at: float) -> None:
        """Tell the listener a public event; ``seq``: of the journal, None where it is not kept."""

    def show(self, view: View) -> None:
        """Bring ``view`` to the panel."""

    def answer(self, number: int, problem: str) -> None:
        """Tell the phone that asked with ``number`` how it went."""

    def changed(self, session: Session) -> None:
        """What is kept or shown is now that of ``session``."""

    def want_roll(self, count: int) -> None:
        """Ask the dice for a throw of ``count``."""

    def await_throw(self, count: int) -> None:
        """Have the camera watch for a throw of ``count`` dice; 0: no longer."""

    def wake_at(self, at: float | None) -> None:
        """Post a Tick at ``at``, and no longer at the moment asked for before; None: at none."""

    def ask(self, question: Ask) -> None:
        """Post an Advised with the answer when it is known."""

    def back(self, device: str) -> None:
        """``device`` is there."""

    def gone(self, device: str, reason: str) -> None:
        """``device`` is not there, or no longer."""

    def worked(self) -> None:
        """An event was worked off, to the end."""


class MainLoop:
    """``session``: the state of the table, which only :meth:`run` changes."""

    def __init__(self, config: Config, clock: Clock, started_at: float, outside: Outside) -> None:
        self.session = Session()
        self.is_busy = False  # an event is being worked off
        self.keeper = Keeper(config.store_dir, outside.back, outside.gone)
        self._house = SetUp(config.match_settings, config.players, config.dice.played)
        self._coach = config.coach
        self._clock, self._started_at, self._outside = clock, started_at, outside

    async def open(self) -> None:
        """Come back to the match that the journal holds.

        Raises JournalInUseError when another process owns it.
        """
        history = await self.keeper.open()
        notice = Notice.DAMAGED if self.keeper.damage else None
        people = await self.keeper.people()
        self.session = resume(
            history, self._clock.now(), notice, house=self._house, people=people, coach=self._coach
        )

    async def run(self, events: asyncio.Queue[tuple[float, Event] | None]) -> None:
        """Work ``events`` off, each with the moment it came in, until None."""
        while (item := await events.get()) is not None:
            self.is_busy = True
            at, event = item
            await self._work_off(event, at)
            self.is_busy = False
            self._outside.worked()

    async def _work_off(self, event: Event, at: float) -> None:
        self.session, effects = step(self.session, event, at)
        for effect in effects:
            await self._perform(effect, at)
        # A menu hides from the panel, and from it alone, what happens meanwhile.
        if self.session.dialog is not None or any(isinstance(effect, Keep | Show) for effect in effects):
            self._outside.changed(self.session)
        if any(isinstance(effect, Keep) for effect in effects):
            await self._look_up_best(at)

    async def _look_up_best(self, at: float) -> None:
        """After a match alone: what it is to be compared with is in the store."""
        history = self.session.history
        if history.game is None or not history.game.match.is_over or len(history.game.match.players) > 1:
            return
        best = await self.keeper.own_best(history.game.match.player, history.settings)
        if best is not None:
            await self._work_off(BestKnown(best), at)

    async def _perform(self, effect: Effect, at: float) -> None:
        match effect:
            case Keep(seq, records, after):
                stamp = Stamp(at - self._started_at, *self._clock.wall())
                await self.keeper.append((seq, records, stamp, after.snapshot()))
                for i, record in enumerate(records):
                    self._outside.announce(record.event, to_fields(record), seq + i, at)
            case Say(saying):
                self._outside.announce(saying.event, saying.to_fields(), None, at)
            case Show(view):
                self._outside.show(view)
            case Answered(number, problem):
                self._outside.answer(number, problem)
            case WantRoll(count):
                self._outside.want_roll(count)
            case AwaitThrow(count):
                self._outside.await_throw(count)
            case WakeAt(wake_at):
                self._outside.wake_at(wake_at)
            case Ask():
                self._outside.ask(effect)

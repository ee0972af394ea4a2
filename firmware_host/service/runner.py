"""THE main loop: one consumer owns the state, everything else only tells it what came in.

Event in -> step -> journal -> everything else.  Nothing that was accepted is shown or
told before it is on disk, and no device can hold the loop up.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from firmware_host.config import Config
from firmware_host.games.records import to_fields
from firmware_host.ports import Backend, DiceSource, Levels, LevelSensor
from firmware_host.service.inputs import SensorWatch
from firmware_host.service.keeper import Keeper
from firmware_host.service.panel import Panel
from firmware_host.service.supervise import Supervised
from firmware_host.store.journal import Stamp
from firmware_host.table.effects import Effect, Keep, Say, Show, WakeAt, WantRoll
from firmware_host.table.events import (
    BoxSeen,
    ButtonsSeen,
    DeviceBack,
    DeviceLost,
    DiceSeen,
    Event,
    MatchWanted,
    Stopping,
    Tick,
)
from firmware_host.table.session import resume, step
from firmware_host.table.state import Session
from firmware_host.table.view import Notice

STOP_S = 2.0  # the last picture and the last commit may take so long

Listener = Callable[[Mapping[str, Any]], None]
"""Gets each public event as its JSON object: ``seq``, ``t``, ``event``, its fields."""


def match_wanted(config: Config, players: tuple[str, ...]) -> MatchWanted:
    """The event that starts a match by ``config``."""
    rules = {f"rules.{key}": value for key, value in config.rules.settings().items()}
    return MatchWanted(config.game, rules, players)


class Clock(Protocol):
    """Monotonic and wall time."""

    def now(self) -> float:
        """Seconds, monotonic; the loop's own time."""

    def wall(self) -> tuple[str, bool]:
        """UTC in ISO 8601, and whether the clock was set."""


class Runner:
    """The running table."""

    def __init__(self, backend: Backend, config: Config, clock: Clock, listener: Listener) -> None:
        self.session = Session()
        self._clock, self._listener = clock, listener
        self._started_at = clock.now()
        self._events: asyncio.Queue[tuple[float, Event] | None] = asyncio.Queue()
        self._unfinished = 0  # events that came in and are not worked off
        self._wake: asyncio.TimerHandle | None = None
        self._lost: set[str] = set()
        self.panel = Panel(
            backend.open_display,
            self._back,
            self._gone,
            self._shown,
            blank_at_exit=config.display.blank_at_exit,
        )
        self._keeper = Keeper(config.store_dir, self._back, self._gone)
        self._tiles = self._watch("tiles", backend.open_tiles, BoxSeen)
        self._buttons = self._watch("buttons", backend.open_buttons, ButtonsSeen)
        self._dice: Supervised[DiceSource] = Supervised(
            "dice", backend.open_dice, lambda _: self._back("dice"), lambda reason: self._gone("dice", reason)
        )

    # The loop

    async def run(self, first_match: MatchWanted | None = None) -> None:
        """Run until :meth:`stop`; then say so on the panel and let go of everything.

        ``first_match`` starts where no match was ever played.  Cancelled, it ends without a
        word, as when the plug is pulled.

        Raises JournalInUseError when another process runs this table.
        """
        loop = asyncio.get_running_loop()
        tasks = [loop.create_task(self.panel.keep())]
        try:
            history = await self._keeper.open()
            notice = Notice.DAMAGED if self._keeper.damage else None
            session = resume(history, self._clock.now(), notice)
            # Without a match to come back to, the first one is not resumed.
            self.session = replace(session, is_resuming=history.game is not None)
            devices = (self._keeper, self._tiles, self._buttons, self._dice)
            tasks += [loop.create_task(device.keep()) for device in devices]
            consumer = loop.create_task(self._consume())
            # A device's task never ends by itself: if one does, that is our fault, and it is to be seen.
            tasks.append(consumer)
            if first_match is not None and self.session.history.game is None:
                self.post(first_match)
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    task.result()
            await self._end(tasks)
            await self._say_goodbye()
        finally:
            await self._end(tasks)
            await self._let_go()

    async def _consume(self) -> None:
        while (item := await self._events.get()) is not None:
            at, event = item
            self.session, effects = step(self.session, event, at)
            for effect in effects:
                await self._perform(effect, at)
            self._unfinished -= 1

    async def _perform(self, effect: Effect, at: float) -> None:
        match effect:
            case Keep(seq, records, after):
                stamp = Stamp(at - self._started_at, *self._clock.wall())
                await self._keeper.append((seq, records, stamp, after.snapshot()))
                for i, record in enumerate(records):
                    self._announce(record.event, to_fields(record), seq + i, at)
            case Say(saying):
                self._announce(saying.event, saying.to_fields(), None, at)
            case Show(view):
                self.panel.show(view)
            case WantRoll(count):
                self._want_roll(count)
            case WakeAt(wake_at):
                self._wake_at(wake_at)

    # In

    def post(self, event: Event) -> None:
        """Tell the table what came in; from within the loop."""
        self._enqueue(event, self._clock.now())

    def _enqueue(self, event: Event, at: float) -> None:
        self._unfinished += 1
        self._events.put_nowait((at, event))

    def stop(self) -> None:
        """End :meth:`run` after what has come in so far."""
        self.post(Stopping())
        self._events.put_nowait(None)

    @property
    def is_at_rest(self) -> bool:
        """Nothing is under way: no event, no picture, nothing that happens by itself soon."""
        return not self._unfinished and self.panel.is_current and not self.session.is_pending

    def _watch(
        self, name: str, open_sensor: Callable[[], LevelSensor], event: Callable[[Levels], Event]
    ) -> SensorWatch:
        return SensorWatch(name, open_sensor, lambda levels: self.post(event(levels)), self._back, self._gone)

    def _gone(self, device: str, reason: str) -> None:
        self._lost.add(device)
        self.post(DeviceLost(device, reason))

    def _back(self, device: str) -> None:
        if device in self._lost:
            self._lost.remove(device)
            self.post(DeviceBack(device))

    # Out

    def _announce(self, event: str, fields: Mapping[str, Any], seq: int | None, at: float) -> None:
        self._listener({"seq": seq, "t": round(at - self._started_at, 3), "event": event, **fields})

    def _shown(self, lines: tuple[str, ...]) -> None:
        self._announce("screen", {"lines": list(lines)}, None, self._clock.now())

    def _want_roll(self, count: int) -> None:
        source, loop = self._dice.device, asyncio.get_running_loop()
        if source is None:
            return

        def seen(dice: tuple[int, ...]) -> None:
            loop.call_soon_threadsafe(self.post, DiceSeen(dice, source.name))

        source.want(count, seen)

    def _wake_at(self, at: float | None) -> None:
        if self._wake is not None:
            self._wake.cancel()
        self._wake = None if at is None else asyncio.get_running_loop().call_at(at, self._tick, at)

    def _tick(self, at: float) -> None:
        # A timer may fire a hair early; the moment that was asked for has come all the same.
        self._enqueue(Tick(), max(at, self._clock.now()))

    async def _end(self, tasks: list[asyncio.Task[None]]) -> None:
        self._wake_at(None)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)

    async def _say_goodbye(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_S):
                await self._keeper.finish()
                await self.panel.finish()

    async def _let_go(self) -> None:
        for device in (self.panel, self._tiles, self._buttons, self._dice, self._keeper):
            await device.close()

"""The running table: its devices around THE main loop, which is ``MainLoop.run`` in ``main_loop``.

It draws first and loads later: the title is on the panel before the heart, the journal and the
sensors' libraries are imported.  So nothing that takes long to import belongs at the top of this module.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware_host.config import Config
from firmware_host.errors import JournalInUseError
from firmware_host.games.game import CHIPS, TILES
from firmware_host.games.start import SEQUENCE_DICE, opening
from firmware_host.ports import Backend, DiceSource, Levels, LevelSensor
from firmware_host.service.adviser import Adviser
from firmware_host.service.inputs import SensorWatch
from firmware_host.service.manager import ServiceManager
from firmware_host.service.panel import Panel
from firmware_host.service.signals import TileLamps, TunePlayer
from firmware_host.service.supervise import Supervised
from firmware_host.store.files import LOCK_NAME, lock
from firmware_host.store.people import seats
from firmware_host.table.events import (
    Advised,
    BoxSeen,
    ButtonsSeen,
    DeviceBack,
    DeviceLost,
    DiceRefused,
    DiceSeen,
    Event,
    MatchWanted,
    Stopping,
    Tick,
)
from firmware_host.table.view import View

if TYPE_CHECKING:
    from firmware_host.service.main_loop import Clock, MainLoop
    from firmware_host.table.effects import Ask
    from firmware_host.table.state import Session

FIRST_PICTURE_S = 1.0  # a panel that hangs must not keep the table from its start
CAMERA = "camera"  # the device, and the dice source that it is
STOP_S = 2.0  # the last picture and the last commit may take so long

Listener = Callable[[Mapping[str, Any]], None]
"""Gets each public event as its JSON object: ``seq``, ``t``, ``event``, its fields."""


def match_wanted(config: Config, players: tuple[str, ...]) -> MatchWanted:
    """The event that starts a match by ``config``; RuleError where these players cannot play it."""
    seated, source = seats(players), config.dice.played
    opening(1, {**config.match_settings, "dice.source": source}, seated)
    return MatchWanted(config.match_settings, seated, source)


class Runner:
    """The running table.

    ``is_ready`` is set once it plays.  ``watch``, where it is set, gets the session after each event that
    changed what is kept or shown; ``answered`` the number of what a phone asked for, and the problem.
    """

    def __init__(
        self, backend: Backend, config: Config, clock: Clock, listener: Listener,
        manager: ServiceManager | None = None,
    ) -> None:  # fmt: skip
        self._config, self._clock, self._listener = config, clock, listener
        self._manager = manager or ServiceManager()
        self._started_at = clock.now()
        self._events: asyncio.Queue[tuple[float, Event] | None] = asyncio.Queue()
        self._main: MainLoop | None = None  # not loaded yet
        self._wake: asyncio.TimerHandle | None = None
        self._lost: set[str] = set()
        self.is_ready = asyncio.Event()
        self.answered: Callable[[int, str], None] | None = None
        self.watch: Callable[[Session], None] | None = None
        self.panel = Panel(
            backend.open_display,
            self.back,
            self.gone,
            self._shown,
            blank_at_exit=config.display.blank_at_exit,
        )
        self._adviser = Adviser(lambda seq, counsel: self.post(Advised(seq, counsel)))
        self._signals: list[TileLamps | TunePlayer] = []
        if config.lamps.driver != "none":
            self._signals.append(TileLamps(backend.open_lamps, self.back, self.gone))
        if config.buzzer.driver != "none" and config.buzzer.volume != "off":
            self._signals.append(TunePlayer(backend.open_buzzer, self.back, self.gone))
        self._box = self._watch_box(backend)
        self._buttons = self._watch("buttons", backend.open_buttons, ButtonsSeen)
        self._dice: Supervised[DiceSource] = Supervised(
            "dice", backend.open_dice, lambda _: self.back("dice"), lambda reason: self.gone("dice", reason)
        )

        self._camera: Supervised[DiceSource] | None = None
        if config.dice.source == CAMERA:
            self._camera = Supervised(
                CAMERA, backend.open_camera, self._camera_opened, lambda reason: self.gone(CAMERA, reason)
            )

    # From the start to the end

    async def run(self, first_match: MatchWanted | None = None) -> None:
        """Run until :meth:`stop`; then say so on the panel and let go of everything.

        ``first_match`` starts where no match was ever played.  Cancelled, it ends without a
        word, as when the plug is pulled.

        Raises JournalInUseError, the panel untouched, when another process runs this table.
        """
        loop = asyncio.get_running_loop()
        tasks: list[asyncio.Task[None]] = []
        try:
            with claimed(self._config.store_dir):
                tasks.append(loop.create_task(self.panel.keep()))
                main = self._main = await self._load_after_the_first_picture()
            await main.open()
            devices = (main.keeper, self._box, self._buttons, self._dice, *self._signals)
            tasks += [loop.create_task(device.keep()) for device in devices]
            if self._camera is not None:
                tasks.append(loop.create_task(self._camera.keep()))
            # A device's task never ends by itself: if one does, that is our fault, and it is to be seen.
            tasks.append(loop.create_task(main.run(self._events)))
            game = main.session.history.game
            if first_match is not None and game is None:
                self.post(first_match)
            if game is not None and game.device != self._played_on:
                self.gone(game.device, f"not watched: rules.game is {self._config.game}")
            tasks.append(loop.create_task(self._manager.keep_asking(lambda: self.post(Tick()))))
            self._manager.ready()
            self.is_ready.set()
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    task.result()
            await self._end(tasks)
            await self._say_goodbye(main)
        finally:
            await self._end(tasks)
            await self._let_go()

    async def _load_after_the_first_picture(self) -> MainLoop:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FIRST_PICTURE_S):
                await self.panel.first_picture()
        # Here, not at the top: the title needs neither the heart nor the journal, and people wait for it.
        from firmware_host.service.main_loop import MainLoop

        return MainLoop(self._config, self._clock, self._started_at, self)

    @property
    def session(self) -> Session:
        """The state of the table, once the main loop has it."""
        assert self._main is not None, "nothing is loaded before the first picture"
        return self._main.session

    # In

    def post(self, event: Event) -> None:
        """Tell the table what came in; from within the loop."""
        self._enqueue(event, self._clock.now())

    def _enqueue(self, event: Event, at: float) -> None:
        self._events.put_nowait((at, event))

    def stop(self) -> None:
        """End :meth:`run` after what has come in so far."""
        self._manager.stopping()
        self.post(Stopping())
        self._events.put_nowait(None)

    @property
    def is_at_rest(self) -> bool:
        """Nothing is under way: no event, no picture, nothing that happens by itself soon."""
        main = self._main
        if main is None or main.is_busy or self._adviser.is_busy or not self._events.empty():
            return False
        return self.panel.is_current and not main.session.is_pending

    @property
    def _played_on(self) -> str:
        """The device whose layouts are watched."""
        return CHIPS if self._config.game == SEQUENCE_DICE else TILES

    def _watch_box(self, backend: Backend) -> SensorWatch:
        """What is played on: the tiles, or the chip board."""
        if self._played_on == CHIPS:
            return self._watch(CHIPS, backend.open_chips, lambda levels: BoxSeen(levels, CHIPS))
        return self._watch(TILES, backend.open_tiles, BoxSeen)

    def _watch(
        self, name: str, open_sensor: Callable[[], LevelSensor], event: Callable[[Levels], Event]
    ) -> SensorWatch:
        return SensorWatch(name, open_sensor, lambda levels: self.post(event(levels)), self.back, self.gone)

    def gone(self, device: str, reason: str) -> None:
        """``device`` is not there, or no longer."""
        self._lost.add(device)
        self.post(DeviceLost(device, reason))

    def back(self, device: str) -> None:
        """``device`` is there; that is news only after it was not."""
        if device in self._lost:
            self._lost.remove(device)
            self.post(DeviceBack(device))

    # Out

    def worked(self) -> None:
        """Feed the watchdog: the main loop has worked an event off."""
        self._manager.alive(self._clock.now())

    def announce(self, event: str, fields: Mapping[str, Any], seq: int | None, at: float) -> None:
        """Tell the listener a public event."""
        self._listener({"seq": seq, "t": round(at - self._started_at, 3), "event": event, **fields})

    def _shown(self, lines: tuple[str, ...]) -> None:
        self.announce("screen", {"lines": list(lines)}, None, self._clock.now())

    def show(self, view: View) -> None:
        """Bring ``view`` to the panel, the lamps and the buzzer."""
        self.panel.show(view)
        for signal in self._signals:
            signal.show(view)

    def answer(self, number: int, problem: str) -> None:
        """Tell the phone that asked with ``number`` how it went."""
        if self.answered is not None:
            self.answered(number, problem)

    def changed(self, session: Session) -> None:
        """All that the event brought is on disk."""
        if self.watch is not None:
            self.watch(session)

    def want_roll(self, count: int) -> None:
        """Ask the dice for a throw; where there are none, the step knows."""
        source, loop = self._dice.device, asyncio.get_running_loop()
        if source is None:
            self.gone("dice", "not ready yet")
            return

        def seen(dice: tuple[int, ...]) -> None:
            loop.call_soon_threadsafe(self.post, DiceSeen(dice, source.name))

        source.want(count, seen, lambda reason: None)

    def _camera_opened(self, source: DiceSource) -> None:
        loop, camera = asyncio.get_running_loop(), self._camera
        self.back(CAMERA)

        def fail(reason: str) -> None:
            if camera is not None and camera.device is source:
                camera.fail(reason)

        def lost(reason: str) -> None:
            loop.call_soon_threadsafe(fail, reason)

        source.watch(lost)

    def await_throw(self, count: int) -> None:
        """Have the camera watch for a throw; where there is none, the step knows."""
        source, loop = self._camera.device if self._camera else None, asyncio.get_running_loop()
        if source is None:
            if count:
                self.gone(CAMERA, "not ready yet" if self._camera else "set dice.source to camera")
            return
        name = source.name

        def seen(dice: tuple[int, ...]) -> None:
            loop.call_soon_threadsafe(self.post, DiceSeen(dice, name))

        def refused(reason: str) -> None:
            loop.call_soon_threadsafe(self.post, DiceRefused(reason))

        source.want(count, seen, refused)

    def wake_at(self, at: float | None) -> None:
        """Post a Tick at ``at``, and no longer at the moment asked for before."""
        if self._wake is not None:
            self._wake.cancel()
        self._wake = None if at is None else asyncio.get_running_loop().call_at(at, self._tick, at)

    def _tick(self, at: float) -> None:
        # A timer may fire a hair early; the moment that was asked for has come all the same.
        self._enqueue(Tick(), max(at, self._clock.now()))

    def ask(self, question: Ask) -> None:
        """Post an Advised with the answer when it is known."""
        self._adviser.ask(question)

    async def _end(self, tasks: list[asyncio.Task[None]]) -> None:
        self.wake_at(None)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _say_goodbye(self, main: MainLoop) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_S):
                await main.keeper.finish()
                await self.panel.finish()

    async def _let_go(self) -> None:
        for device in (
            self._adviser,
            self.panel,
            self._box,
            self._buttons,
            self._dice,
            *self._signals,
        ):
            await device.close()
        if self._camera is not None:
            await self._camera.close()
        if self._main is not None:
            await self._main.keeper.close()


@contextlib.contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Hold the store's lock till just before the journal takes it: another table's panel is not even opened.

    Raises JournalInUseError where another process holds it.
    """
    held = -1
    try:
        held = lock(folder / LOCK_NAME)
    except JournalInUseError:
        raise
    except OSError:
        pass  # no folder yet, or none to be written to: the journal makes it, or says so
    try:
        yield
    finally:
        if held >= 0:
            os.close(held)

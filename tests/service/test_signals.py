"""Lamps and buzzer follow the view, one worker each, and may come and go."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import replace

from firmware_host.errors import DeviceLostError, DeviceNotFoundError
from firmware_host.screens.tunes import OK, WRONG
from firmware_host.service.signals import RESTATE_S, TileLamps, TunePlayer
from firmware_host.table.view import Brightness, Scene, View
from sim.clock import VirtualLoop

MOVE = View(Scene.MOVE, lit=frozenset({3, 5}))
DONE = View(Scene.DONE)
PUT_RIGHT = View(Scene.PUT_RIGHT, must_open=(4,))


class Device:
    """Lamps and a buzzer in one, with the moments of what they were told."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.told: list[tuple[float, object]] = []
        self.is_gone = False

    def light(self, tiles: frozenset[int]) -> None:
        self._tell(set(tiles))

    def tone(self, hz: int) -> None:
        self._tell(hz)

    def close(self) -> None:
        self.told.append((self.loop.time(), "closed"))

    def _tell(self, what: object) -> None:
        if self.is_gone:
            raise DeviceLostError("no answer")
        self.told.append((round(self.loop.time(), 3), what))


class Stage:
    """A signal with its device, which may be absent."""

    def __init__(self, kind: type[TileLamps] | type[TunePlayer]) -> None:
        self.device, self.is_absent = Device(), False
        self.said: list[str] = []
        back, lost = self.said.append, lambda name, reason: self.said.append(f"{name} lost: {reason}")
        self.signal = kind(self._open, back, lost)

    def _open(self) -> Device:
        if self.is_absent:
            raise DeviceNotFoundError("nothing there")
        return self.device

    @property
    def told(self) -> list[object]:
        return [what for _, what in self.device.told]


def run(kind: type[TileLamps] | type[TunePlayer], play: Callable[[Stage], Awaitable[None]]) -> Stage:
    async def scene() -> Stage:
        stage = Stage(kind)
        task = asyncio.create_task(stage.signal.keep())
        await asyncio.sleep(0.1)
        await play(stage)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await stage.signal.close()
        return stage

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(scene())


def test_the_lamps_are_those_of_the_view_and_dark_at_the_end() -> None:
    async def play(stage: Stage) -> None:
        for view in (MOVE, replace(MOVE, lit=frozenset({5})), DONE):
            stage.signal.show(view)
            await asyncio.sleep(0.1)

    assert run(TileLamps, play).told == [set(), {3, 5}, {5}, set(), "closed"]


def test_lamps_are_told_nothing_when_nothing_changed_but_now_and_then() -> None:
    async def play(stage: Stage) -> None:
        for _ in range(5):
            stage.signal.show(MOVE)
            await asyncio.sleep(0.1)
        assert stage.told == [set(), {3, 5}]
        await asyncio.sleep(RESTATE_S)
        assert stage.told == [set(), {3, 5}, {3, 5}]

    run(TileLamps, play)


def test_the_lamps_sleep_with_the_table() -> None:
    async def play(stage: Stage) -> None:
        stage.signal.show(MOVE)
        await asyncio.sleep(0.1)
        stage.signal.show(replace(MOVE, brightness=Brightness.OFF))
        await asyncio.sleep(0.1)

    assert run(TileLamps, play).told[-2:] == [set(), "closed"]


def test_lamps_that_were_gone_show_the_latest_when_they_are_back() -> None:
    async def play(stage: Stage) -> None:
        stage.device.is_gone = stage.is_absent = True
        stage.signal.show(MOVE)
        await asyncio.sleep(3)
        stage.signal.show(replace(MOVE, lit=frozenset({9})))
        stage.device.is_gone = stage.is_absent = False
        await asyncio.sleep(10)

    stage = run(TileLamps, play)
    assert stage.said == ["lamps", "lamps lost: no answer", "lamps"]
    assert stage.told[-2:] == [{9}, "closed"]
    assert {3, 5} not in stage.told


def test_a_tune_is_played_note_by_note_and_ends_in_silence() -> None:
    async def play(stage: Stage) -> None:
        stage.signal.show(MOVE)
        stage.signal.show(DONE)
        await asyncio.sleep(1)

    stage = run(TunePlayer, play)
    (first, first_ms), (second, second_ms) = OK
    start = stage.device.told[0][0]
    moments = [round(at - start, 3) for at, _ in stage.device.told[:3]]
    assert stage.told == [first, second, 0, "closed"]
    assert moments == [0, first_ms / 1000, (first_ms + second_ms) / 1000]


def test_a_new_tune_cuts_the_one_before_short() -> None:
    async def play(stage: Stage) -> None:
        stage.signal.show(MOVE)
        stage.signal.show(DONE)
        await asyncio.sleep(0.03)
        stage.signal.show(PUT_RIGHT)
        await asyncio.sleep(1)

    assert run(TunePlayer, play).told == [OK[0][0], WRONG[0][0], WRONG[1][0], 0, "closed"]


def test_without_a_buzzer_tunes_are_dropped_and_none_comes_late() -> None:
    async def play(stage: Stage) -> None:
        stage.device.is_gone = stage.is_absent = True
        stage.signal.show(MOVE)
        stage.signal.show(DONE)
        await asyncio.sleep(0.2)
        stage.signal.show(PUT_RIGHT)
        await asyncio.sleep(0.2)
        stage.device.is_gone = stage.is_absent = False
        await asyncio.sleep(10)

    stage = run(TunePlayer, play)
    assert stage.told == ["closed", "closed"]
    assert stage.said == ["buzzer", "buzzer lost: no answer", "buzzer"]

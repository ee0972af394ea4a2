"""The main loop on the simulated box: the journal first, then everything else, and a proper end."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from firmware_host.config import Config, DisplayConfig, StoreConfig
from firmware_host.errors import DeviceNotFoundError, JournalInUseError
from firmware_host.screens.picture import draw
from firmware_host.service import panel as panel_module
from firmware_host.service.runner import FIRST_PICTURE_S, Runner, match_wanted
from firmware_host.store.journal import FILE_NAME, Journal, fold, read
from firmware_host.table.board import board
from firmware_host.table.state import Session
from firmware_host.table.view import Scene, View
from hardware.backend import DeviceSet
from sim.buses import SimBuses, header_lines
from sim.clock import VirtualClock, VirtualLoop
from sim.world import World

Event = Mapping[str, Any]
ROOT = Path(__file__).parents[2]


class Room:
    """A simulated box with its power on; ``events``: what the table said."""

    def __init__(
        self, folder: Path, world: World | None = None, display: DisplayConfig | None = None
    ) -> None:
        self.config = replace(Config(), store=StoreConfig(folder), display=display or DisplayConfig())
        self.world = world or World(asyncio.get_running_loop(), self.config.rules.tiles)
        buttons = {name: getattr(self.config.buttons, name) for name in ("roll", "next", "back")}
        buses = SimBuses(self.world, header_lines(self.world, self.config.tiles.pins, buttons))
        self.backend = DeviceSet(self.config, buses, self.world.chance)
        self.events: list[Event] = []
        self.path = folder / FILE_NAME
        clock = VirtualClock(asyncio.get_running_loop())
        self.runner = Runner(self.backend, self.config, clock, self.hear)
        self.task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        await self.runner.run(match_wanted(self.config, ("Ann", "Bob")))

    def hear(self, event: Event) -> None:
        self.events.append(event)

    def seqs_on_disk(self) -> int:
        """The last event that another process would find now."""
        with contextlib.suppress(Exception):
            return read(self.path)[0][-1].seq
        return 0

    async def roll(self, *dice: int) -> None:
        self.world.chance.ready.append(dice)
        self.world.press("roll", 0.15)
        await asyncio.sleep(3)

    async def shut(self, *tiles: int) -> None:
        for tile in tiles:
            self.world.flip(tile, to_open=False)
            await asyncio.sleep(0.15)
        await asyncio.sleep(2)

    async def play(self) -> None:
        await asyncio.sleep(1)
        await self.roll(4, 5)
        await self.shut(9)
        await self.roll(3, 5)
        await self.shut(8)
        await self.roll(6, 6)

    async def unplug(self) -> None:
        self.task.cancel()
        await asyncio.wait([self.task])

    async def stop(self) -> None:
        self.runner.stop()
        await self.task

    @property
    def names(self) -> list[str]:
        return [event["event"] for event in self.events if event["event"] != "screen"]


def run(scene: Callable[[], Awaitable[None]]) -> None:
    async def run_scene() -> None:
        await scene()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(run_scene())


def test_nothing_is_told_before_it_is_on_the_disk(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(tmp_path)
        on_disk: list[tuple[int, int]] = []
        hear = room.hear

        def check(event: Event) -> None:
            hear(event)
            if event["seq"] is not None:
                on_disk.append((event["seq"], room.seqs_on_disk()))

        room.runner._listener = check
        await room.play()
        await room.unplug()
        assert len(on_disk) >= 7
        assert all(seq <= last for seq, last in on_disk)

    run(scene)


def test_nothing_is_shown_before_it_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        room = Room(tmp_path)
        drawn: list[tuple[View, tuple[int, ...]]] = []

        def spy(view: View) -> Image.Image:
            with contextlib.suppress(Exception):
                game = fold(read(room.path)[0]).game
                assert game is not None
                drawn.append((view, game.thrown))
            return draw(view)

        monkeypatch.setattr(panel_module, "draw", spy)
        await room.play()
        await room.unplug()
        with_dice = [(view.dice, thrown) for view, thrown in drawn if view.dice]
        assert {dice for dice, _ in with_dice} == {(4, 5), (3, 5), (6, 6)}
        assert all(dice == thrown for dice, thrown in with_dice)

    run(scene)


def test_the_order_of_the_public_events(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(tmp_path)
        await room.play()
        await room.unplug()
        assert room.names == [
            "match_started", "turn_started", "roll_wanted",
            "rolled", "roll_wanted",  # the move is complete: the next roll is wanted
            "move_made", "rolled", "roll_wanted",
            "move_made", "rolled",
        ]  # fmt: skip
        assert [e["seq"] for e in room.events if e["seq"] is not None] == list(range(1, 8))
        assert [row.record.event for row in read(room.path)[0]] == [
            e["event"] for e in room.events if e["seq"] is not None
        ]
        times = [event["t"] for event in room.events]
        assert times == sorted(times)
        assert all(set(event) > {"seq", "t", "event"} for event in room.events)

    run(scene)


def test_a_menu_on_the_panel_holds_nothing_back_from_who_watches(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(tmp_path)
        await asyncio.sleep(1)
        told: list[tuple[bool, bool]] = []

        def watch(session: Session) -> None:
            is_tumbling = board(session, asyncio.get_running_loop().time())["is_tumbling"]
            told.append((session.dialog is not None, is_tumbling))

        room.runner.watch = watch
        room.world.press("next", 1.2)  # the menu opens while the dice roll
        await asyncio.sleep(0.6)
        await room.roll(4, 5)
        assert (True, True) in told
        assert told[-1] == (True, False)
        await room.unplug()

    run(scene)


def test_fault_13_stopped_it_says_paused_and_everything_is_saved(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(tmp_path)
        await room.play()
        await room.stop()
        assert room.events[-1]["lines"][0] == "PAUSED"
        assert room.world.panel.pixels() == draw(View(Scene.PAUSED)).tobytes()
        rows, snapshot = read(room.path)
        assert fold(rows).snapshot() == snapshot == room.runner.session.history.snapshot()
        Journal(room.path).close()  # it let go of the folder

    run(scene)


def test_stopped_in_the_middle_of_a_step_it_is_worked_off_first(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(tmp_path)
        await asyncio.sleep(1)
        room.world.press("roll", 0.15)
        while not any(event["event"] == "rolled" for event in room.events):
            await asyncio.sleep(0.01)
        await room.stop()
        assert read(room.path)[0][-1].record.event == "rolled"

    run(scene)


def test_the_plug_is_no_goodbye(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(tmp_path)
        await room.play()
        before = room.world.panel.pixels()
        count = len(room.events)
        await room.unplug()
        assert room.task.cancelled()
        assert len(room.events) == count
        assert room.world.panel.pixels() == before

    run(scene)


def test_it_comes_up_in_the_same_match_and_starts_no_other(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(tmp_path)
        await room.play()
        before = room.runner.session.history
        await room.unplug()
        room.world.unplug()
        again = Room(tmp_path, room.world)
        await asyncio.sleep(2)
        assert again.names == ["resumed"]
        assert [e["seq"] for e in again.events if e["event"] == "resumed"] == [before.seq + 1]
        after = again.runner.session.history
        assert (after.game, after.past) == (before.game, before.past)
        await again.unplug()

    run(scene)


def test_a_second_table_on_the_same_store_is_refused(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(tmp_path)
        await asyncio.sleep(1)
        second = Room(tmp_path)
        with pytest.raises(JournalInUseError):
            await second.task
        assert second.world.i2c.bytes_on_bus == 0  # in life this is the panel of the first one
        await room.unplug()

    run(scene)


def test_the_title_is_told_before_anything_heavy_is_imported(tmp_path: Path) -> None:
    heavy = ("firmware_host.service.main_loop", "firmware_host.store.journal", "gpiozero")
    script = f"""
import asyncio, sys
from pathlib import Path
from dataclasses import replace
from firmware_host.config import Config, StoreConfig
from firmware_host.service.clock import SystemClock
from firmware_host.service.runner import Runner
from hardware.backend import DeviceSet
from sim.buses import SimBuses, header_lines, header_lines
from sim.world import World

async def main():
    config = replace(Config(), store=StoreConfig(Path({str(tmp_path)!r})))
    world = World(asyncio.get_running_loop(), config.rules.tiles)
    buttons = dict(roll=config.buttons.roll, next=config.buttons.next, back=config.buttons.back)
    lines = header_lines(world, config.tiles.pins, buttons)
    backend = DeviceSet(config, SimBuses(world, lines), world.chance)
    def hear(event):
        print(event["event"], *sorted(set(sys.modules) & set({heavy!r})))
        runner.stop()
    runner = Runner(backend, config, SystemClock(), hear)
    await runner.run()
    print("end", *sorted(set(sys.modules) & set({heavy!r})))

asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=30, check=True
    )
    said = done.stdout.splitlines()
    assert said[0] == "screen"
    assert set(said[-1].split()) > set(heavy[:2])


def test_without_a_panel_nothing_waits_for_a_picture(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(tmp_path, display=DisplayConfig(controller="none"))
        await asyncio.sleep(FIRST_PICTURE_S / 2)
        assert "match_started" in room.names
        await room.unplug()

    run(scene)


def test_a_fault_of_our_own_ends_the_table_and_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    async def scene() -> None:
        room = Room(tmp_path)
        await asyncio.sleep(1)
        monkeypatch.setattr("firmware_host.service.main_loop.step", broken)
        room.world.press("roll", 0.15)
        with pytest.raises(ZeroDivisionError):
            await room.task
        Journal(room.path).close()

    run(scene)


def test_a_lost_store_is_written_before_the_panel_says_goodbye(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "stick"
    folder.write_text("not mounted")

    async def scene() -> None:
        room = Room(folder)
        await room.play()
        assert "device_lost" in room.names
        folder.unlink()
        order: list[str] = []
        finish = room.runner.panel.finish

        async def spy() -> None:
            order.append(f"panel, with {room.seqs_on_disk()} events saved")
            await finish()

        monkeypatch.setattr(room.runner.panel, "finish", spy)
        await room.stop()
        assert order == [f"panel, with {room.runner.session.history.seq} events saved"]

    run(scene)


@pytest.mark.parametrize("device", ["tiles", "buttons", "dice", "display"])
def test_a_device_that_is_absent_at_the_start_is_said_once_and_the_rest_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: str
) -> None:
    is_there = False
    open_device = getattr(DeviceSet, f"open_{device}")

    def open_if_there(backend: DeviceSet) -> object:
        if not is_there:
            raise DeviceNotFoundError("nothing there")
        return open_device(backend)

    monkeypatch.setattr(DeviceSet, f"open_{device}", open_if_there)

    async def scene() -> None:
        nonlocal is_there
        room = Room(tmp_path)
        await asyncio.sleep(60)
        lost = [event for event in room.events if event["event"] == "device_lost"]
        assert [(event["device"], event["reason"]) for event in lost] == [(device, "nothing there")]
        assert room.runner.session.history.game is not None
        is_there = True
        await asyncio.sleep(6)
        assert [event["device"] for event in room.events if event["event"] == "device_back"] == [device]
        await room.roll(4, 5)
        assert "rolled" in room.names
        await room.unplug()

    run(scene)


class Hanging:
    """A display whose bus hangs until it is let go of."""

    def __init__(self, go: threading.Event) -> None:
        self._go = go

    def show(self, image: Image.Image) -> None:
        assert self._go.wait(10)

    def dim(self, level: int) -> None: ...

    def refresh(self) -> None: ...

    def power(self, on: bool) -> None: ...

    def close(self, blank: bool) -> None: ...


def test_a_slow_display_never_delays_a_tile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()
    monkeypatch.setattr(DeviceSet, "open_display", lambda _: Hanging(go))

    async def scene() -> None:
        room = Room(tmp_path)
        async with asyncio.timeout(10):
            await until(lambda: "match_started" in room.names)
            room.world.press("roll", 0.05)
            await until(lambda: "rolled" in room.names)
        assert not any(event["event"] == "screen" for event in room.events)
        go.set()
        await room.unplug()

    asyncio.run(scene())


async def until(holds: Callable[[], bool]) -> None:
    """The real loop's turns until ``holds``."""
    while not holds():
        await asyncio.sleep(0)

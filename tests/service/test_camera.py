"""The camera behind its port, as the running table has it: wishes, refusals, loss and return."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.config import Config, DiceConfig, StoreConfig
from firmware_host.errors import DeviceBusyError
from firmware_host.service.runner import Runner, match_wanted
from hardware.backend import DeviceSet
from sim.buses import SimBuses, header_lines
from sim.clock import VirtualClock, VirtualLoop
from sim.world import World


class HandCamera:
    """A source whose throws are told by hand."""

    name = "camera"

    def __init__(self) -> None:
        self.wishes: list[int] = []
        self.is_closed = False

    def want(self, count: int, seen: Callable[..., None], refused: Callable[[str], None]) -> None:
        self.wishes.append(count)
        self.seen, self.refused = seen, refused

    def watch(self, lost: Callable[[str], None]) -> None:
        self.lost = lost

    def close(self) -> None:
        self.is_closed = True


class Box(DeviceSet):
    """A simulated box with such a camera, or none yet."""

    def __init__(self, config: Config, world: World) -> None:
        buttons = {name: getattr(config.buttons, name) for name in ("roll", "next", "back")}
        super().__init__(
            config, SimBuses(world, header_lines(world, config.tiles.pins, buttons)), world.chance
        )
        self.cameras: list[HandCamera] = []
        self.is_busy = False

    def open_camera(self) -> HandCamera:
        if self.is_busy:
            raise DeviceBusyError("another program holds it")
        self.cameras.append(HandCamera())
        return self.cameras[-1]


class Room:
    def __init__(self, folder: Path) -> None:
        loop = asyncio.get_running_loop()
        self.config = replace(Config(), store=StoreConfig(folder), dice=DiceConfig("camera"))
        self.world = World(loop, self.config.rules.tiles)
        self.box = Box(self.config, self.world)
        self.events: list[Mapping[str, Any]] = []
        self.runner = Runner(self.box, self.config, VirtualClock(loop), self.events.append)

    def told(self, name: str) -> list[dict[str, Any]]:
        kept = [{k: v for k, v in e.items() if k not in ("seq", "t")} for e in self.events]
        return [event for event in kept if event.pop("event") == name]

    async def press(self, button: str = "roll") -> None:
        self.world.press(button, 0.15)
        await asyncio.sleep(0.5)


def in_room(tmp_path: Path, play: Callable[[Room], Awaitable[None]]) -> Room:
    """The room after ``play``, the table switched on before and stopped behind it."""

    async def run() -> Room:
        room = Room(tmp_path)
        task = asyncio.create_task(room.runner.run(match_wanted(room.config, ("Ann", "Bob"))))
        await asyncio.sleep(1.0)
        await play(room)
        room.runner.stop()
        await task
        return room

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(run())


def test_a_wish_reaches_the_camera_and_its_answer_the_table(tmp_path: Path) -> None:
    async def play(room: Room) -> None:
        await room.press()
        room.box.cameras[0].seen((5, 3))
        await asyncio.sleep(0.5)

    room = in_room(tmp_path, play)
    assert room.box.cameras[0].wishes == [2, 0]
    assert room.box.cameras[0].is_closed
    (rolled,) = room.told("rolled")
    assert (rolled["dice"], rolled["source"]) == ([5, 3], "camera")


def test_a_refusal_reaches_the_table(tmp_path: Path) -> None:
    async def play(room: Room) -> None:
        await room.press()
        room.box.cameras[0].refused("glare")
        await asyncio.sleep(0.5)

    room = in_room(tmp_path, play)
    assert room.told("roll_refused") == [{"reason": "glare"}]
    assert room.box.cameras[0].wishes == [2]


def test_a_camera_that_is_lost_is_opened_again(tmp_path: Path) -> None:
    async def play(room: Room) -> None:
        room.box.is_busy = True
        room.box.cameras[0].lost("unplugged")
        await asyncio.sleep(3.0)
        assert room.told("device_lost") == [{"device": "camera", "reason": "unplugged"}]
        assert room.told("device_back") == []
        room.box.is_busy = False
        await asyncio.sleep(6.0)
        await room.press()

    room = in_room(tmp_path, play)
    assert room.told("device_back") == [{"device": "camera", "reason": "answers again"}]
    assert [camera.wishes for camera in room.box.cameras] == [[], [2]]


def test_a_loss_told_by_a_camera_of_before_is_no_news(tmp_path: Path) -> None:
    async def play(room: Room) -> None:
        room.box.cameras[0].lost("unplugged")
        await asyncio.sleep(3.0)
        room.box.cameras[0].lost("unplugged")
        await asyncio.sleep(3.0)

    room = in_room(tmp_path, play)
    assert len(room.box.cameras) == 2
    assert len(room.told("device_lost")) == 1


def test_a_camera_that_is_busy_at_the_start_leaves_the_dice_to_be_typed(tmp_path: Path) -> None:
    async def run() -> Room:
        room = Room(tmp_path)
        room.box.is_busy = True
        task = asyncio.create_task(room.runner.run(match_wanted(room.config, ("Ann",))))
        await asyncio.sleep(1.0)
        await room.press("next")
        await room.press("next")
        room.runner.stop()
        await task
        return room

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        room = runner.run(run())
    assert room.told("device_lost") == [{"device": "camera", "reason": "another program holds it"}]
    assert [rolled["source"] for rolled in room.told("rolled")] == ["keypad"]


@pytest.mark.parametrize("source", ["roller", "keypad"])
def test_without_a_camera_nothing_of_it_is_imported(tmp_path: Path, source: str) -> None:
    play = tmp_path / "a.play"
    play.write_text(f"set dice.source {source}\nplayers Ann\nroll 3 5\nshut 8\n", encoding="utf-8")
    code = (
        "import sys\nfrom firmware_host.cli.main import main\n"
        f"main(['bench', {str(play)!r}])\n"
        "names = ('cv2', 'numpy', 'hardware.dice.camera', 'sim.camera')\n"
        "print([name for name in names if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"

"""The dice tray of the simulated box and the camera above it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("cv2", reason="the simulated camera needs OpenCV: pip install 'boxkeeper[camera]'")

import numpy as np

from firmware_host.errors import DeviceNotFoundError
from hardware.dice.pips import read_dice
from sim.camera import WATCHED_S
from sim.clock import VirtualLoop
from sim.dice_tray import FLIGHT_S, HAND_S, DiceTray, rig
from sim.world import World

REST_S = HAND_S + FLIGHT_S


@pytest.mark.parametrize("seed", range(5))
def test_dice_show_what_was_thrown_from_left_to_right(seed: int) -> None:
    tray = DiceTray(seed)
    tray.throw((5, 2), 0.0)
    reading = read_dice(tray.frame(REST_S), rig(), 2)
    assert [die.value for die in sorted(reading.dice, key=lambda die: die.centre)] == [5, 2]


@pytest.mark.parametrize("landing", ["cocked", "stacked", "short"])
def test_dice_that_land_badly_are_not_read(landing: str) -> None:
    tray = DiceTray(1)
    tray.landing = landing
    tray.throw((5, 2), 0.0)
    assert read_dice(tray.frame(REST_S), rig(), 2).values is None


def test_the_same_seed_throws_the_same_dice() -> None:
    frames = []
    for _ in range(2):
        tray = DiceTray(7)
        tray.throw((6, 1), 0.0)
        frames.append(tray.frame(REST_S))
    assert (frames[0] == frames[1]).all()


@pytest.mark.parametrize("sight", ["covered", "dim", "bumped", "hand"])
def test_what_is_in_the_way_is_seen(sight: str) -> None:
    tray = DiceTray(1)
    clear = tray.frame(0.0).astype(int)
    tray.see_through(sight, 0.0)
    assert (np.abs(tray.frame(0.0) - clear) > 30).mean() > 0.03


def camera_of(loop: VirtualLoop) -> tuple[World, list[float], list[str]]:
    world, seen, lost = World(loop, (1,)), list[float](), list[str]()
    world.lay_tray()
    world.open_camera().start(lambda frame, at: seen.append(at), lost.append)
    return world, seen, lost


def test_frames_come_while_something_changes_and_then_none() -> None:
    loop = VirtualLoop()
    world, seen, _ = camera_of(loop)

    async def play() -> tuple[int, int, Any]:
        await asyncio.sleep(60.0)
        idle = len(seen)
        world.throw((1, 2))
        await asyncio.sleep(60.0)
        return idle, len(seen), seen[-1]

    idle, after, last = loop.run_until_complete(play())
    loop.close()
    assert seen[idle - 1] < WATCHED_S + 1.0
    assert 60.0 + REST_S + WATCHED_S <= last < 61.0 + REST_S + WATCHED_S
    assert after > idle + 20


def test_a_cable_that_is_off_is_lost_and_not_found() -> None:
    loop = VirtualLoop()
    world, _, lost = camera_of(loop)
    world.unplug_camera()
    assert lost == ["the camera brings no picture"]
    with pytest.raises(DeviceNotFoundError):
        world.open_camera()
    world.plug_camera()
    world.open_camera()
    loop.close()

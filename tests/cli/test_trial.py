"""The panel and the buttons beside a builder's tool: they help where they work, and are not needed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from firmware_host.cli.trial import Screen, hear_presses
from firmware_host.config import Config
from firmware_host.selftest.card import prompt
from firmware_host.table.events import Button
from sim.clock import VirtualLoop
from sim.workshop import Workshop

T = TypeVar("T")


def run(scene: Callable[[Workshop], Awaitable[T]]) -> T:
    async def play() -> T:
        with Workshop(Config()) as workshop:
            return await scene(workshop)

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(play())


def test_only_presses_of_good_buttons_are_heard() -> None:
    async def scene(workshop: Workshop) -> list[Button]:
        heard: list[Button] = []
        sensor = workshop.backend.open_buttons()
        task = asyncio.create_task(hear_presses(sensor, {Button.NEXT, Button.BACK}, heard.append))
        await asyncio.sleep(0.5)
        for name in ("roll", "next", "back", "next"):
            workshop.world.press(name, 0.15)
            await asyncio.sleep(1)
        task.cancel()
        sensor.close()
        return heard

    assert run(scene) == [Button.NEXT, Button.BACK, Button.NEXT]


def test_the_latest_picture_gets_to_the_panel() -> None:
    async def scene(workshop: Workshop) -> bytes:
        screen = Screen(workshop.backend.open_display())
        task = asyncio.create_task(screen.keep())
        for word in ("SHUT", "OPEN"):
            screen.show(prompt(word))
        await screen.settled()
        shown = workshop.world.panel.pixels()
        task.cancel()
        screen.close()
        return shown

    assert run(scene) == prompt("OPEN").tobytes()


def test_a_panel_that_is_lost_is_told_and_holds_up_nothing() -> None:
    async def scene(workshop: Workshop) -> str:
        screen = Screen(workshop.backend.open_display())
        task = asyncio.create_task(screen.keep())
        screen.show(prompt("SHUT"))
        await screen.settled()
        workshop.world.unplug_oled()
        screen.show(prompt("OPEN"))
        await screen.settled()
        await task
        screen.show(prompt("SHUT"))
        await screen.settled()
        assert not screen.is_there
        return str(screen.error)

    assert run(scene).startswith("OLED: ")

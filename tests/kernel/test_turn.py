"""A turn at a real chip and a real bus: edges, debounce, dice, picture."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from header import Header
from panel_bus import PanelBus, bring_bus, take_bus_away
from running_table import PATIENCE_S, RunningTable, running

from firmware_host.screens.picture import draw
from firmware_host.table.view import Scene

Record = Callable[[str, object], None]


async def shows_what_was_drawn(bus: PanelBus, table: RunningTable) -> bool:
    """Whether the picture on the panel becomes the one the service drew."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        await asyncio.sleep(0.2)
        if bus.pixels() == draw(table.runner.panel.view).tobytes():
            return True
    return False


def test_a_whole_turn_with_bouncing_switches_and_its_picture(
    backend: str, header: Header, bus: PanelBus, tmp_path: Path, record_property: Record
) -> None:
    async def play() -> None:
        table = RunningTable(tmp_path, header, backend, [(4, 5), (3, 5), (6, 6), (2, 3)])
        after_tiles, after_buttons = list[float](), list[float]()
        async with running(table):
            await table.heard("roll_wanted", player="Ann")
            for dice, tiles in (([4, 5], (9,)), ([3, 5], (5, 3)), ([6, 6], (8, 4))):
                await table.press("roll")
                await table.heard("rolled", dice=dice, source="roller")
                after_buttons.append(table.late_ms)
                await table.shut(*tiles)
                await table.heard("roll_wanted", player="Ann")
                after_tiles.append(table.late_ms)
                assert await shows_what_was_drawn(bus, table)
            await table.press("roll")
            ended = await table.heard("turn_ended", player="Ann")
            assert (ended["open"], ended["score"], ended["reason"]) == ([1, 2, 6, 7], 16, "no_move")
            await table.heard("put_right", open=[3, 4, 5, 8, 9])
            await table.open(9, 8, 5, 4, 3)
            await table.heard("roll_wanted", player="Bob")
            assert await shows_what_was_drawn(bus, table)
        shuts = [event["shut"] for event in table.events if event["event"] == "move_made"]
        assert [sorted(shut) for shut in shuts] == [[9], [3, 5], [4, 8]]
        record_property("last edge to event in ms: tile", round(median(after_tiles)))
        record_property("button", round(median(after_buttons)))
        record_property("bytes on the bus", bus.bytes_written)

    asyncio.run(play())


def test_fault_8_tiles_that_are_down_at_the_start_are_asked_for_before_the_first_roll(
    backend: str, header: Header, bus: PanelBus, tmp_path: Path
) -> None:
    async def play() -> None:
        table = RunningTable(tmp_path, header, backend, [])
        for tile in (3, 7):
            header.drive(table.config.tiles.pins[tile], False)
        async with running(table):
            await table.heard("put_right", open=[3, 7])
            assert [event for event in table.events if event["event"] == "roll_wanted"] == []
            await table.open(3, 7)
            await table.heard("roll_wanted", player="Ann")
            assert await shows_what_was_drawn(bus, table)

    asyncio.run(play())


def test_fault_12_an_oled_unplugged_in_play_comes_back_with_the_picture_of_now(
    header: Header, bus: PanelBus, tmp_path: Path
) -> None:
    async def play() -> None:
        table = RunningTable(tmp_path, header, "lgpio", [(4, 5)])
        async with running(table):
            await table.heard("roll_wanted")
            assert await shows_what_was_drawn(bus, table)
            bus.unplug()
            await table.press("roll")
            lost = await table.heard("device_lost", device="display")
            assert lost["reason"] == "OLED: I2C device not found on address: 0x3C"
            await table.shut(9)
            await table.heard("roll_wanted")
            bus.plug()
            await table.heard("device_back", device="display")
            assert await shows_what_was_drawn(bus, table)
        assert table.runner.panel.view.scene is Scene.PAUSED
        assert await shows_what_was_drawn(bus, table)

    asyncio.run(play())


def test_fault_25_a_bus_that_is_not_there_at_the_start_is_found_later(header: Header, tmp_path: Path) -> None:
    take_bus_away()

    async def play() -> None:
        table = RunningTable(tmp_path, header, "lgpio", [(4, 5)])
        async with running(table):
            lost = await table.heard("device_lost", device="display")
            assert "there is no I2C bus /dev/i2c-1" in lost["reason"]
            await table.heard("roll_wanted")
            await table.press("roll")
            await table.heard("rolled")
            bus = bring_bus()
            await table.heard("device_back", device="display")
            assert await shows_what_was_drawn(bus, table)

    try:
        asyncio.run(play())
    finally:
        if not Path("/dev/i2c-1").exists():
            bring_bus()


def test_fault_3_the_header_is_found_behind_another_chip(bus: PanelBus, tmp_path: Path) -> None:
    other = Header("pinctrl-other", lines=8)
    header = Header()
    assert header.chip != "gpiochip0"

    async def play() -> None:
        table = RunningTable(tmp_path, header, "lgpio", [(4, 5)])
        async with running(table):
            await table.heard("roll_wanted")
            await table.press("roll")
            await table.heard("rolled")

    try:
        asyncio.run(play())
    finally:
        header.close()
        other.close()

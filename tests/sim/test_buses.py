"""The simulated buses: the world's wires on mock pins, and its panel on luma's bus."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from hardware.pinmap import BUTTON_PINS, TILE_PINS
from hardware.tiles.gpio import GpioLevels
from sim.buses import SimBuses, header_lines
from sim.clock import VirtualLoop
from sim.world import World


def run(play: Callable[[World, SimBuses], None]) -> None:
    async def scene() -> None:
        world = World(asyncio.get_running_loop(), (1, 2, 9))
        play(world, SimBuses(world, header_lines(world, TILE_PINS, BUTTON_PINS)))

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(scene())


def tiles(buses: SimBuses) -> GpioLevels:
    places = {tile - 1: bcm for tile, bcm in TILE_PINS.items()}
    labels = [f"tile {tile}" for tile in range(1, 13)]
    return GpioLevels(buses.pins("lgpio"), places, labels, pull="up", low=0)


def test_a_tile_is_on_its_pin_and_a_pin_without_one_follows_its_pull() -> None:
    def play(world: World, buses: SimBuses) -> None:
        world.tiles[2].line.drive(False)
        levels = tiles(buses).read()
        assert levels == (1, 0, *[1] * 10)
        world.tiles[2].line.drive(True)
        assert tiles(SimBuses(world, header_lines(world, TILE_PINS, BUTTON_PINS))).read() == (1,) * 12

    run(play)


def test_every_change_of_a_line_is_an_edge() -> None:
    def play(world: World, buses: SimBuses) -> None:
        sensor, seen = tiles(buses), list[int | None]()
        sensor.watch(lambda: seen.append(sensor.read()[8]))
        for level in (False, True, False):
            world.tiles[9].line.drive(level)
        assert seen == [0, 1, 0]

    run(play)


def test_with_the_tiles_cable_off_they_cannot_be_read_and_the_buttons_can() -> None:
    def play(world: World, buses: SimBuses) -> None:
        sensor = tiles(buses)
        places, labels = dict(enumerate(BUTTON_PINS.values())), list(BUTTON_PINS)
        buttons = GpioLevels(buses.pins("lgpio"), places, labels, pull="up", low=1)
        world.are_tiles_cut = True
        with pytest.raises(OSError, match="tile 1 on BCM 4"):
            sensor.read()
        world.buttons["roll"].line.drive(False)
        assert buttons.read() == (1, 0, 0)
        world.are_tiles_cut = False
        assert sensor.read()[0] == 1

    run(play)


def test_the_panel_is_on_lumas_bus() -> None:
    def play(world: World, buses: SimBuses) -> None:
        serial = buses.i2c(1, 0x3C)
        serial.command(0xAF)
        assert world.panel.is_on

    run(play)

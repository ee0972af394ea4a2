"""Both boards, opened as the config says on the simulated buses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from firmware_host.config import Config, load
from firmware_host.errors import DeviceNotFoundError
from hardware.backend import DeviceSet
from sim.buses import SimBuses
from sim.clock import VirtualLoop
from sim.wiring import Wiring
from sim.world import World

GAME = "rules.game=sequence-dice"


def run(config: Config, play: Callable[[World, Wiring, DeviceSet], None]) -> None:
    async def scene() -> None:
        world = World(asyncio.get_running_loop(), ())
        wiring = Wiring(world)
        wiring.fit(config)
        play(world, wiring, DeviceSet(config, SimBuses(world, wiring.lines, wiring), world.chance))

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(scene())


@pytest.mark.parametrize(
    ("settings", "level"),
    [([], 3), (["chips.select=5,6,13,19", "chips.bus=spi0.0", "tiles.driver=mcp23017"], 3),
     (["chips.driver=matrix"], 4), (["chips.driver=matrix", "chips.address=0x27"], 4)],
)  # fmt: skip
def test_a_chip_is_read_through_the_buses(settings: list[str], level: int) -> None:
    def play(world: World, wiring: Wiring, devices: DeviceSet) -> None:
        sensor = devices.open_chips()
        world.chips.place(17, "red")
        assert sensor.read() == tuple(level if square == 17 else 0 for square in range(36))
        sensor.close()
        assert devices.open_chips().read()[17] == level

    run(load(None, [GAME, *settings]), play)


def test_what_was_measured_is_taken_from_the_config() -> None:
    def measure(world: World, wiring: Wiring, devices: DeviceSet) -> None:
        board = devices.open_chips()
        assert board.read() != (0,) * 36  # rests of this sensor differ by more than a chip makes
        rest.extend(board.measure_rest(8))

    def play(world: World, wiring: Wiring, devices: DeviceSet) -> None:
        assert devices.open_chips().read() == (0,) * 36

    rest: list[float] = []
    run(load(None, [GAME, "chips.sensor=ss49e"]), measure)
    run(load(None, [GAME, "chips.sensor=ss49e", f"chips.rest={rest}"]), play)


def test_a_line_that_is_in_use_is_named() -> None:
    def play(world: World, wiring: Wiring, devices: DeviceSet) -> None:
        first = devices.open_chips()
        with pytest.raises(DeviceNotFoundError, match="the select lines of the chip board"):
            devices.open_chips()
        first.close()
        devices.open_chips()

    run(load(None, [GAME]), play)


def test_a_board_that_is_not_wired_is_not_found() -> None:
    def play(world: World, wiring: Wiring, devices: DeviceSet) -> None:
        world.i2c.detach(0x22)
        with pytest.raises(DeviceNotFoundError, match="MCP23017 at 0x22"):
            devices.open_chips()

    run(load(None, [GAME, "chips.driver=matrix"]), play)

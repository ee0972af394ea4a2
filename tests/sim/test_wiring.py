"""The simulated box wired each way: chips between the world's lines and the Pi, and what may break there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from firmware_host.config import load
from firmware_host.errors import DeviceLostError, DeviceNotFoundError, PlayError
from firmware_host.ports import LevelSensor
from hardware.backend import DeviceSet
from sim.buses import SimBuses
from sim.clock import VirtualLoop
from sim.wiring import Wiring
from sim.world import World

SETTLED_S = 0.3


class Box:
    """Nine tiles, wired as the settings say; its devices are opened in a worker, as the service does."""

    def __init__(self, *settings: str) -> None:
        self.loop = asyncio.get_running_loop()
        self.config = load(None, settings)
        self.world = World(self.loop, range(1, 10))
        self.wiring = Wiring(self.world)
        self.power_on()

    def power_on(self) -> None:
        self.wiring.fit(self.config)
        buses = SimBuses(self.world, self.wiring.lines, self.wiring)
        self.devices = DeviceSet(self.config, buses, self.world.chance)

    async def do(self, job: Callable[[], object]) -> object:
        return await self.loop.run_in_executor(None, job)

    async def tiles(self) -> LevelSensor:
        return await self.do(self.devices.open_tiles)  # type: ignore[return-value]

    async def flip(self, *tiles: int) -> None:
        for tile in tiles:
            self.world.flip(tile, tile not in self.world.open_tiles)
        await asyncio.sleep(SETTLED_S)


def play(scene: Callable[[Box], Awaitable[None]], *settings: str) -> None:
    async def run() -> None:
        await scene(Box(*settings))

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(run())


WAYS = pytest.mark.parametrize(
    "settings",
    [
        ("tiles.driver=gpio",),
        ("tiles.driver=mcp23017",),
        ("tiles.driver=mcp23017", "tiles.pull=external", "expander.interrupt=4"),
        ("tiles.driver=serial",),
    ],
    ids=lambda settings: "-".join(settings),
)


@WAYS
def test_tiles_are_read_as_they_lie_and_every_flip_is_told_or_polled(settings: tuple[str, ...]) -> None:
    async def scene(box: Box) -> None:
        await box.flip(2)
        sensor, calls = await box.tiles(), list[None]()
        sensor.watch(lambda: calls.append(None))
        assert sensor.read()[:9] == (1, 0, *[1] * 7)
        before = len(calls)
        await box.flip(9, 2)
        assert sensor.read()[:9] == (*[1] * 8, 0)
        assert len(calls) > before or sensor.poll_s < 0.05
        await box.do(sensor.close)

    play(scene, *settings)


@WAYS
def test_with_the_tiles_cable_out_they_are_lost_and_mended_they_can_be_opened(
    settings: tuple[str, ...],
) -> None:
    async def scene(box: Box) -> None:
        sensor = await box.tiles()
        box.wiring.fault("tiles", "gone")
        with pytest.raises(DeviceLostError):
            await box.do(sensor.read)
        await box.do(sensor.close)
        box.power_on()  # the plug changes nothing of the cable
        with pytest.raises((DeviceNotFoundError, DeviceLostError)):
            await box.do(lambda: box.devices.open_tiles().read())
        box.wiring.fault("tiles", "")
        box.power_on()
        again = await box.tiles()
        assert again.read()[:9] == (1,) * 9
        await box.do(again.close)

    play(scene, *settings)


@pytest.mark.parametrize(
    ("device", "how", "what"),
    [
        ("serial", "noise", "nothing is on a serial port: set tiles.driver serial"),
        ("expander", "gone", "there is no expander: set tiles.driver mcp23017"),
    ],
)
def test_what_is_not_wired_cannot_break(device: str, how: str, what: str) -> None:
    async def scene(box: Box) -> None:
        with pytest.raises(PlayError, match=what):
            box.wiring.fault(device, how)

    play(scene)


@pytest.mark.parametrize(
    ("how", "after_s", "why"),
    [("gone", 0, "hung up"), ("reset", 0.1, "was reset"), ("hang", 4, "says nothing any more")],
)
def test_a_pico_that_goes_resets_or_hangs_is_lost_and_comes_back(how: str, after_s: float, why: str) -> None:
    async def scene(box: Box) -> None:
        sensor = await box.tiles()
        box.wiring.fault("serial", how)
        await asyncio.sleep(after_s)
        with pytest.raises(DeviceLostError, match=why):
            sensor.read()
        await box.do(sensor.close)
        box.wiring.fault("serial", "")
        again = await box.tiles()
        await box.flip(1)
        assert again.read()[0] == 0
        await box.do(again.close)

    play(scene, "tiles.driver=serial")


def test_plugged_in_again_the_pico_has_another_name() -> None:
    async def scene(box: Box) -> None:
        pico = box.wiring.pico
        assert pico is not None
        first = pico.port_name
        box.wiring.fault("serial", "gone")
        box.wiring.fault("serial", "")
        assert pico.port_name != first
        assert (await box.tiles()).read()[:9] == (1,) * 9

    play(scene, "tiles.driver=serial")


def test_on_a_noisy_cable_no_tile_moves_by_itself_and_flips_get_through() -> None:
    async def scene(box: Box) -> None:
        sensor, seen = await box.tiles(), set[tuple[int | None, ...]]()
        sensor.watch(lambda: seen.add(sensor.read()))
        box.wiring.fault("serial", "noise")
        await asyncio.sleep(20)
        assert seen == set()
        await box.flip(3)
        await asyncio.sleep(3)
        assert sensor.read()[2] == 0
        box.wiring.fault("serial", "")
        await box.do(sensor.close)

    play(scene, "tiles.driver=serial")


def test_i2c_gone_takes_the_panel_and_the_expander() -> None:
    async def scene(box: Box) -> None:
        sensor = await box.tiles()
        box.wiring.fault("i2c", "gone")
        with pytest.raises(DeviceLostError):
            sensor.read()
        with pytest.raises(DeviceNotFoundError):
            box.devices.open_display()
        box.wiring.fault("i2c", "")
        assert box.devices.open_display() is not None

    play(scene, "tiles.driver=mcp23017")


def test_an_expander_that_resets_is_set_up_again_and_nobody_notices() -> None:
    async def scene(box: Box) -> None:
        sensor = await box.tiles()
        await box.flip(5)
        for _ in range(5):
            box.wiring.fault("expander", "reset")
            assert sensor.read()[:9] == (1, 1, 1, 1, 0, 1, 1, 1, 1)

    play(scene, "tiles.driver=mcp23017")


def test_lamps_and_buzzer_are_where_the_config_says() -> None:
    async def on_the_pico(box: Box) -> None:
        pico = box.wiring.pico
        assert pico is not None
        lamps, buzzer = await box.do(box.devices.open_lamps), await box.do(box.devices.open_buzzer)
        await box.do(lambda: lamps.light(frozenset({1, 3})))  # type: ignore[attr-defined]
        await box.do(lambda: buzzer.tone(440))  # type: ignore[attr-defined]
        await asyncio.sleep(0.01)
        assert (pico.pins.lit, pico.pins.hz) == (0b101, 440)
        await asyncio.sleep(2)
        assert pico.pins.hz == 0  # nobody ended it

    async def on_the_expander(box: Box) -> None:
        lamps = await box.do(box.devices.open_lamps)
        await box.do(lambda: lamps.light(frozenset({1, 3})))  # type: ignore[attr-defined]
        assert box.wiring.lamp_chip is not None
        assert box.wiring.lamp_chip.outputs == 0b101

    play(on_the_pico, "lamps.driver=serial", "buzzer.driver=serial")
    play(on_the_expander, "lamps.driver=mcp23017")

"""Ten plays on wall time, with tiles, buttons and lamps on a real MicroPython behind a pty.

Each has a table, a box and a chip of its own.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

import pytest

from firmware_host.cli.bench_table import BenchTable
from firmware_host.config import Settings
from hardware.link.link import Port
from hardware.mcu.wire import STATE, Lines
from sim.bench import Bench, Set, VirtualClock, VirtualLoop, parse
from sim.wiring import Wiring
from sim.world import World

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "hardware" / "mcu"))

from chip import Chip, needs_micropython  # noqa: E402

on_wall_time = pytest.mark.skipif(
    "BOXKEEPER_WALL_TIME" not in os.environ,
    reason="plays on wall time take a minute: set BOXKEEPER_WALL_TIME=1",
)

CHOSEN = (
    "all-at-once", "battle-pot", "double-on-shut", "extra-tiles", "odd-tiles",
    "one-die-sum-at-most-6", "quick-hands", "quick-turn", "too-early", "unlucky-7",
)  # fmt: skip
TICK_S = 0.01
SETTINGS = ("tiles.driver=serial", "dice.source=serial", "lamps.driver=serial")


class PatientLoop(VirtualLoop):
    """A second of it takes one on the wall at least: chips have a time of their own.

    On a busy machine it takes longer, as the clock stands still while a worker works or a chip has not
    yet told what its lines are: nobody is late.
    """

    def __init__(self) -> None:
        super().__init__()
        self.cables = list[ChipOnCable]()

    def _skip(self, seconds: float) -> bool:
        tick_s = min(seconds, TICK_S)
        time.sleep(tick_s)
        return any(cable.is_behind for cable in self.cables) or super()._skip(tick_s)


class TappedPort:
    """The host's end of a cable, which takes note of the last state that came."""

    def __init__(self, port: Port) -> None:
        self._port, self._lines = port, Lines()
        self.state = ""

    @property
    def name(self) -> str:
        return self._port.name

    def read(self) -> bytes:
        data = self._port.read()
        for kind, _token, _seq, body in self._lines.feed(data):
            if kind == STATE:
                self.state = body
        return data

    def write(self, data: bytes) -> None:
        self._port.write(data)

    def close(self) -> None:
        self.state = ""
        self._port.close()


class ChipOnCable:
    """A real chip in the place of the simulated one."""

    def __init__(self, wiring: ChipWiring, folder: Path) -> None:
        self._wiring = wiring
        self._port: TappedPort | None = None
        self.chip = Chip(folder)
        self.is_plugged = True
        self.changed()

    @property
    def port_name(self) -> str:
        return self.chip.name

    @property
    def is_behind(self) -> bool:
        """What came last over an open port is not what its lines are."""
        state = self._port.state if self._port is not None else ""
        return bool(state) and state != f"{self.chip.tiles:X} {self.chip.buttons:X}"

    def open(self) -> Port:
        self._port = TappedPort(self.chip.open_port())
        return self._port

    def changed(self) -> None:
        self.chip.drive(*self._wiring._levels())

    def unplug(self) -> None:
        if self.is_plugged:
            self.is_plugged = False
            self.chip.unplug()


class ChipWiring(Wiring):
    """Wires a real chip; each power-on has a new one."""

    def __init__(self, world: World, folder: Path) -> None:
        super().__init__(world)
        self._folder, self.chips = folder, list[ChipOnCable]()

    def _fit_pico(self) -> None:
        pico = ChipOnCable(self, self._folder / f"chip{len(self.chips)}")
        self.chips.append(pico)
        self._world.loop.cables.append(pico)  # type: ignore[attr-defined]
        self.pico = pico  # type: ignore[assignment]
        for switch in (*self._world.tiles.values(), *self._world.buttons.values()):
            switch.line.listen(lambda _: pico.changed())


async def until_it_is_read(table: BenchTable) -> None:
    """Real chips take a while to start, and hands would not wait for them."""
    runner = table._runner
    while runner is None or None in (runner._box._device.device, runner._buttons._device.device):
        await asyncio.sleep(0.05)
        runner = table._runner


async def play(name: str, folder: Path) -> list[str]:
    """What the chip's board was told; raises where the play does not hold."""
    settings = Settings.load(None, [*SETTINGS, f"store.dir={folder / 'store'}"])
    loop = asyncio.get_running_loop()
    table = BenchTable(settings, VirtualClock(loop), lambda event: bench.heard(event))
    bench = Bench(table, HERE)
    wiring = bench.wiring = ChipWiring(bench.world, folder)
    try:
        for line in parse((HERE / f"{name}.play").read_text()):
            try:
                if not isinstance(line.action, Set):
                    await bench.power_on()
                    await until_it_is_read(table)
                await bench.perform(line)
            except Exception as error:
                raise AssertionError(f"{name}, line {line.number}: {line.text}: {error}") from error
    finally:
        await table.power_off()
        for pico in wiring.chips:
            pico.unplug()
    return [line for pico in wiring.chips for line in pico.chip.told]


@needs_micropython
@pytest.mark.timeout(300)
@on_wall_time
def test_ten_plays_hold_on_wall_time_over_a_real_micropython(tmp_path: Path) -> None:
    async def all_of_them() -> dict[str, list[str]]:
        told = await asyncio.gather(*(play(name, tmp_path / name) for name in CHOSEN))
        return dict(zip(CHOSEN, told, strict=True))

    with asyncio.Runner(loop_factory=PatientLoop) as runner:
        told = runner.run(all_of_them())["too-early"]
    assert any(line.startswith("lamps ") and line != "lamps 0" for line in told)

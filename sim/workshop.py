"""The simulated box on a builder's bench: built with faults, and with a hand that does what it is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from firmware_host.config import Config
from firmware_host.selftest.asking import Ask, Step
from hardware.backend import DeviceSet
from hardware.expander import pin_bit
from sim.buses import SimBuses
from sim.clock import VirtualLoop
from sim.false_pi import false_pi, is_of_computer
from sim.wiring import Wiring
from sim.wiring_faults import wire_wrongly
from sim.world import BUTTONS, World

if TYPE_CHECKING:
    from PIL import Image

    from hardware.doctor import Place

__all__ = ["VirtualLoop", "Workshop"]

HAND_S = 0.4  # to find the tile that is asked for


class Workshop:
    """A box for ``config`` with ``faults`` built in; a guide for builder's tools.

    A fault is one of the box, see ``sim.wiring_faults``, or of its computer, see ``sim.false_pi``.
    """

    PROBE_S = 4.0  # what hangs on a simulated computer hangs for good

    def __init__(self, config: Config, faults: Sequence[str] = (), seed: int = 0) -> None:
        """PlayError for a fault that there is not."""
        self._loop = asyncio.get_running_loop()
        self._config, self._faults = config, faults
        self.world = World(self._loop, config.rules.tiles, seed)
        for fault in faults:
            if not is_of_computer(fault):
                wire_wrongly(self.world, fault)
        self.wiring = Wiring(self.world, seed)
        self.wiring.fit(config)
        if "oled another" in faults:
            self.world.fit_panel("ssd1306" if config.display.controller == "sh1106" else "sh1106")
        self._buses = SimBuses(self.world, self.wiring.lines, self.wiring)
        self.backend = DeviceSet(config, self._buses, self.world.chance)
        self._folder = TemporaryDirectory()
        self._answered: Callable[[str], None] | None = None
        self._asked: tuple[str, Ask | None] = ("", None)

    def __enter__(self) -> Workshop:
        return self

    def __exit__(self, *_error: object) -> None:
        self._folder.cleanup()

    @cached_property
    def place(self) -> Place:
        """The computer of the box, for the doctor."""
        return false_pi(Path(self._folder.name), self.world, self._buses, self._config, self._faults)

    def asks(self, device: str, ask: Ask | None) -> None:
        """The hand reads ``ask``, finds the tile or button, and does it."""
        self._asked = (device, ask)
        self._loop.call_later(HAND_S, self._do, device, ask)

    def listen(self, answered: Callable[[str], None] | None) -> None:
        """Where the hand says that it is done."""
        self._answered = answered

    async def sees(self, wanted: Image.Image | str) -> bool | None:
        """Whether the panel shows just the picture ``wanted``, "lamp 4" alone is lit, the "buzzer" hums."""
        await asyncio.sleep(HAND_S)
        if not isinstance(wanted, str):
            return wanted.tobytes() == self.world.panel.pixels()
        if wanted == "buzzer":
            return self._hums and not self.world.is_buzzer_dead
        return self._lit - self.world.dead_lamps == {int(wanted.removeprefix("lamp "))}

    @property
    def _lit(self) -> set[int]:
        lamps, chip, pico = self._config.lamps, self.wiring.lamp_chip, self.wiring.pico
        if lamps.driver == "mcp23017" and chip is not None:
            return {tile for tile, name in lamps.pins.items() if chip.outputs & 1 << pin_bit(name)}
        return {tile for tile in self.world.tiles if pico is not None and pico.pins.lit & 1 << tile - 1}

    @property
    def _hums(self) -> bool:
        buzzer, pico = self._config.buzzer, self.wiring.pico
        if buzzer.driver == "gpio":
            return bool(self._buses.pins("").pin(buzzer.pin).state)
        return pico is not None and pico.pins.hz > 0

    def _do(self, device: str, ask: Ask | None) -> None:
        if ask is None or ask.step is Step.WATCH or (device, ask) != self._asked:
            return
        if ask.step is Step.REST:
            for tile in self.world.tiles if device == "tile" else ():
                self.world.flip(tile, True)
            self._loop.call_later(1.0, self._say_done, (device, ask))
        elif ask.index is not None and device == "tile":
            self.world.flip(ask.index + 1, ask.step is Step.BACK)
        elif ask.index is not None:
            self.world.buttons[BUTTONS[ask.index]].move(ask.step is Step.BACK, 0.0)

    def _say_done(self, asked: tuple[str, Ask]) -> None:
        if asked == self._asked and self._answered is not None:
            self._answered("")

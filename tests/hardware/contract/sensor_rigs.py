"""One way to wire twelve tiles each: with hands on the lines, and a cable that can be pulled."""

from __future__ import annotations

import queue
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from chip import Chip
from gpiozero.pins.mock import MockFactory, MockPin

from firmware_host.ports import LevelSensor
from hardware.expander import Expander, mask
from hardware.link.link import Port
from hardware.link.shared import SharedLink
from hardware.mcu.firmware import Firmware
from hardware.pinmap import TILE_PINS
from hardware.tiles.gpio import GpioLevels
from hardware.tiles.mcp23017 import ExpanderLevels
from hardware.tiles.serial import SerialLevels
from hardware.ways import EXPANDER_TILE_PINS
from sim.devices.i2c_bus import I2cBus
from sim.devices.mcp23017 import Mcp23017
from sim.devices.pico import SimPins
from sim.devices.usb_port import SimPort

LABELS = [f"tile {tile}" for tile in range(1, 13)]
ADDRESS, INTERRUPT = 0x20, 4
TILES = range(12)


class Rig(Protocol):
    """A box wired in one way; places 0..11, all lines high at first."""

    name: str
    has_edges: bool  # a change is told, else it is polled
    empty_place: int | None  # opened with ``without``: this place has no sensor

    def open(self) -> LevelSensor: ...

    def drive(self, place: int, is_high: bool) -> None: ...

    def lose(self) -> None: ...

    def bring_back(self) -> None: ...

    def close(self) -> None: ...


class CutPin(MockPin):  # type: ignore[misc]
    """A pin with a switch on it, on a chip that may fail."""

    def _set_pull(self, value: str) -> None:
        self._pull = value

    def _get_state(self) -> Any:
        if self.factory.is_cut:
            raise OSError(5, "Input/output error")
        return super()._get_state()


class GpioRig:
    """On the Pi's own pins."""

    name, has_edges = "gpio", True
    empty_place: int | None = 11

    def __init__(self) -> None:
        self._factory = MockFactory(pin_class=CutPin)
        self._factory.is_cut = False
        for bcm in TILE_PINS.values():
            self._factory.pin(bcm).drive_high()

    def open(self) -> LevelSensor:
        places = {tile - 1: bcm for tile, bcm in TILE_PINS.items() if tile - 1 != self.empty_place}
        return GpioLevels(self._factory, places, LABELS, pull="up", low=0)

    def drive(self, place: int, is_high: bool) -> None:
        pin = self._factory.pin(TILE_PINS[place + 1])
        (pin.drive_high if is_high else pin.drive_low)()

    def lose(self) -> None:
        self._factory.is_cut = True

    def bring_back(self) -> None:
        self._factory.is_cut = False

    def close(self) -> None:
        self._factory.is_cut = False


class ExpanderRig:
    """On an MCP23017, with its interrupt line wired or not."""

    empty_place: int | None = 11

    def __init__(self, has_edges: bool) -> None:
        self.name, self.has_edges = "mcp23017" + ("-interrupt" if has_edges else "-polled"), has_edges
        self._factory = MockFactory(pin_class=CutPin)
        self._factory.is_cut = False
        self.bus = I2cBus()
        self.line = self._factory.pin(INTERRUPT)
        self.chip = Mcp23017(1, self._interrupt)
        self._interrupt(False)
        self.bus.attach(ADDRESS, self.chip)

    def open(self) -> LevelSensor:
        places = {tile - 1: pin for tile, pin in EXPANDER_TILE_PINS.items() if tile - 1 != self.empty_place}
        line = (
            GpioLevels(self._factory, {0: INTERRUPT}, ["its line"], pull="up", low=1)
            if self.has_edges
            else None
        )
        try:
            chip = Expander(self.bus, ADDRESS, watched=mask(places.values()))
        except OSError:
            if line is not None:
                line.close()
            raise
        return ExpanderLevels(chip, places, LABELS, low=0, interrupt=line)

    def drive(self, place: int, is_high: bool) -> None:
        bit = place if place < 6 else 8 + place - 6
        self.chip.drive(bit, None if is_high else False)

    def lose(self) -> None:
        self.bus.detach(ADDRESS)

    def bring_back(self) -> None:
        self.chip.reset()
        self.bus.attach(ADDRESS, self.chip)

    def close(self) -> None:
        """Nothing is held."""

    def _interrupt(self, is_low: bool) -> None:
        (self.line.drive_low if is_low else self.line.drive_high)()


class DeskPico:
    """The firmware's logic on CPython, in a thread of its own, behind a port."""

    def __init__(self) -> None:
        self.tiles = 0xFFF
        self._pins = SimPins(lambda: (self.tiles, 0x7))
        self._jobs: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._now_ms = 0
        self.port: SimPort | None = None
        self._firmware = Firmware(self._pins)
        self._thread.start()

    def open(self) -> Port:
        if self.port is not None and not self.is_there:
            raise FileNotFoundError(2, "No such file or directory")
        self.port = SimPort("/dev/ttyACM0", lambda data: self._jobs.put(partial(self._step, data)))
        return self.port

    is_there = True

    def do(self, act: Callable[[], None]) -> None:
        """Have the chip do something, and wait till the host has heard of it."""
        done = Future[None]()
        self._jobs.put(lambda: (act(), self._step(b""), done.set_result(None))[0])
        done.result(10)

    def _step(self, data: bytes) -> None:
        self._now_ms += 1
        out = self._firmware.step(self._now_ms, data)
        if out and self.port is not None:
            self.port.deliver(out)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()

    def stop(self) -> None:
        self._jobs.put(None)
        self._thread.join(10)


class SerialRig:
    """On a Pico, whose firmware runs here."""

    name, has_edges = "serial", True
    empty_place: int | None = None

    def __init__(self) -> None:
        self._pico = DeskPico()
        self._shared = SharedLink(self._open_port)

    def _open_port(self) -> Port:
        from firmware_host.errors import DeviceNotFoundError

        try:
            return self._pico.open()
        except OSError as error:
            raise DeviceNotFoundError(str(error)) from error

    def open(self) -> LevelSensor:
        return SerialLevels(self._shared, lambda state: state.tiles, low=0)

    def drive(self, place: int, is_high: bool) -> None:
        def put() -> None:
            bit = 1 << place
            self._pico.tiles = self._pico.tiles | bit if is_high else self._pico.tiles & ~bit

        self._pico.do(put)

    def lose(self) -> None:
        self._pico.is_there = False
        self._pico.port = self._pico.port or SimPort("", lambda _: None)
        self._pico.port.hang_up()

    def bring_back(self) -> None:
        self._pico.is_there = True

    def close(self) -> None:
        self._pico.stop()


class MicroPythonRig:
    """On a board whose firmware runs under a real MicroPython."""

    name, has_edges = "serial-micropython", True
    empty_place: int | None = None

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._chip = Chip(Path(self._folder.name) / "chip")
        self._is_there = True
        self._shared = SharedLink(self._open_port)

    def _open_port(self) -> Port:
        from firmware_host.errors import DeviceNotFoundError

        if not self._is_there:
            raise DeviceNotFoundError("no board on USB")
        return self._chip.open_port()

    def open(self) -> LevelSensor:
        return SerialLevels(self._shared, lambda state: state.tiles, low=0)

    def drive(self, place: int, is_high: bool) -> None:
        bit = 1 << place
        tiles = self._chip.tiles | bit if is_high else self._chip.tiles & ~bit
        self._chip.drive(tiles, self._chip.buttons)

    def lose(self) -> None:
        self._is_there = False
        self._chip.unplug()

    def bring_back(self) -> None:
        self._is_there = True
        self._chip.plug()

    def close(self) -> None:
        self._chip.unplug()
        self._folder.cleanup()

"""The simulated buses, in the shape of ``hardware.buses``: the adapters above do not know."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from firmware_host.errors import DeviceNotFoundError
from sim.devices.i2c_bus import I2cBus
from sim.wiring import Wiring
from sim.world import Line, World

if TYPE_CHECKING:
    from luma.core.interface.serial import i2c

    from firmware_host.config_wiring import SerialConfig
    from hardware.dice.camera import Camera
    from hardware.dice.rig_file import Controls
    from hardware.link.link import Port
    from hardware.spi import SpiInterface
    from sim.devices.mcp3008 import Mcp3008
    from sim.pins import WiredFactory


def header_lines(
    world: World, tile_pins: Mapping[int, int], button_pins: Mapping[str, int]
) -> dict[int, Line]:
    """The world's switches on the header's pins, by BCM number."""
    lines = {tile_pins[tile]: switch.line for tile, switch in world.tiles.items() if tile in tile_pins}
    return lines | {button_pins[name]: switch.line for name, switch in world.buttons.items()}


class SimBuses:
    """The buses of a simulated Pi; ``lines``: the world's wires to its header, by BCM number."""

    def __init__(self, world: World, lines: Mapping[int, Line], wiring: Wiring | None = None) -> None:
        self._world, self._lines, self._wiring = world, lines, wiring
        self._lock = threading.Lock()
        self._factory: WiredFactory | None = None

    def pins(self, backend: str) -> WiredFactory:
        """gpiozero's mock pins, whatever the backend; may be asked from any thread."""
        from sim.pins import WiredFactory

        with self._lock:
            self._factory = self._factory or WiredFactory(self._world, self._lines)
            return self._factory

    def i2c(self, bus: int, address: int) -> i2c:
        """Luma's interface over the world's I2C bus."""
        from luma.core.interface.serial import i2c

        return i2c(bus=self._world.i2c, address=address)

    def camera(self, device: str, size: tuple[int, int], controls: Controls) -> Camera:
        """The camera over the world's tray, whatever it is called."""
        return self._world.open_camera()

    def smbus(self, bus: int) -> I2cBus:
        """The world's I2C bus."""
        return self._world.i2c

    def spi(self, bus: str, dc: int, reset: int | None, backend: str) -> SpiInterface:
        """The panel on SPI, its two pins on the header."""
        from sim.devices.spi_display import spi_display

        return spi_display(self._world, self.pins(backend), dc, reset)

    def adc(self, bus: str) -> Mcp3008:
        """The converter of the world's chip board, its select lines on the header."""
        if self._wiring is None:
            raise DeviceNotFoundError(f"there is no /dev/{bus}")
        return self._wiring.hall_adc(self.pins("").pin)

    def serial(self, wanted: SerialConfig) -> Port:
        """The Pico's port, found as on a Pi."""
        from hardware.link.ports import find_port
        from sim.devices.usb_port import UsbPort

        pico = self._wiring.pico if self._wiring is not None else None
        is_there = pico is not None and pico.is_plugged
        ports = [UsbPort(pico.port_name)] if pico is not None and is_there else []
        name = find_port(wanted, ports)
        if pico is None or name != pico.port_name:
            raise DeviceNotFoundError(f"{name}: cannot be opened (No such file or directory)")
        try:
            return pico.open()
        except OSError as error:
            raise DeviceNotFoundError(f"{name}: cannot be opened ({error.strerror})") from error

    def close(self) -> None:
        """Nothing is held."""

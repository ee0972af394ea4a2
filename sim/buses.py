"""The simulated buses, in the shape of ``hardware.buses``: the adapters above do not know."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sim.world import World

if TYPE_CHECKING:
    from luma.core.interface.serial import i2c

    from hardware.dice.camera import Camera
    from hardware.dice.rig_file import Controls
    from sim.pins import WiredFactory


class SimBuses:
    """The buses of a simulated Pi, wired to ``world`` as the config's pins say."""

    def __init__(self, world: World, tile_pins: Mapping[int, int], button_pins: Mapping[str, int]) -> None:
        self._world = world
        self._lines = {
            tile_pins[tile]: switch.line for tile, switch in world.tiles.items() if tile in tile_pins
        }
        self._lines |= {button_pins[name]: switch.line for name, switch in world.buttons.items()}
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

    def close(self) -> None:
        """Nothing is held."""

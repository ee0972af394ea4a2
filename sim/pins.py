"""gpiozero's mock pins on the world's wires; imported when pins are asked for, as gpiozero takes long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

from sim.world import Line, World


class WiredPin(MockPWMPin):  # type: ignore[misc]
    """A mock pin on a wire of the world; a pull does nothing against a driven line."""

    def __init__(self, factory: WiredFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._factory = factory
        self._line = factory.lines.get(int(info.name.removeprefix("GPIO")))
        if self._line is not None:
            self._follow(self._line.is_high)
            self._line.listen(self._follow)

    def _follow(self, is_high: bool) -> None:
        (self.drive_high if is_high else self.drive_low)()

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self._line is not None:
            self._follow(self._line.is_high)

    def _set_edges(self, value: str) -> None:
        if value != "none" and not self._factory.world.has_edges:
            raise OSError("Failed to add edge detection")  # as RPi.GPIO where the kernel took sysfs away
        super()._set_edges(value)

    def _get_state(self) -> Any:
        if self._factory.world.are_tiles_cut and self._line in self._factory.tile_lines:
            raise OSError("the tiles' cable is off")
        return super()._get_state()


class WiredFactory(MockFactory):  # type: ignore[misc]
    """Mock pins on the world's wires.  ``lines``: by BCM number."""

    def __init__(self, world: World, lines: Mapping[int, Line]) -> None:
        super().__init__(pin_class=WiredPin)
        self.world, self.lines = world, lines
        self.tile_lines = [switch.line for switch in world.tiles.values()]

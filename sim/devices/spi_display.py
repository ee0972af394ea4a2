"""A display on SPI: the same chip, told by a pin whether a byte is a command.  Nothing ever answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hardware.spi import SpiInterface

if TYPE_CHECKING:
    from sim.world import World

_COMMANDS, _DATA = b"\x00", b"\x40"  # the control bytes that say the same on I2C


class SimSpiDev:
    """As much of ``spidev.SpiDev`` as is used."""

    def __init__(self, world: World, dc: Any) -> None:
        self._world, self._dc = world, dc
        self.bytes_on_bus = 0

    def writebytes(self, values: Sequence[int]) -> None:
        """Clock bytes out, whether anybody is there or not."""
        self.bytes_on_bus += len(values)
        if self._world.is_oled_plugged:
            self._world.panel.write((_DATA if self._dc.value else _COMMANDS) + bytes(values))

    def close(self) -> None:
        """Nothing is held."""


class _ResetLine:
    """The pin at the panel's RES: low resets it."""

    def __init__(self, world: World, pin: Any) -> None:
        self._world, self._pin = world, pin

    def on(self) -> None:
        self._pin.on()

    def off(self) -> None:
        self._pin.off()
        self._world.panel.reset()

    def close(self) -> None:
        self._pin.close()


def spi_display(world: World, factory: Any, dc: int, reset: int | None) -> SpiInterface:
    """The interface of the world's panel; the pins are taken from ``factory``."""
    from gpiozero import OutputDevice

    dc_pin = OutputDevice(dc, pin_factory=factory)
    reset_line = _ResetLine(world, OutputDevice(reset, pin_factory=factory)) if reset is not None else None
    return SpiInterface(SimSpiDev(world, dc_pin), dc_pin, reset_line)

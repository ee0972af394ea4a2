"""The devices of one box: which adapter each one gets, and on which bus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from firmware_host.errors import ConfigError
from firmware_host.ports import Backend, Chance, DiceSource, Display, LevelSensor

if TYPE_CHECKING:
    from firmware_host.config import Config
    from hardware.buses import BusSet

TILES = 12


class DeviceSet:
    """Opens the devices that the config names; real and simulated boxes differ in ``buses`` only."""

    def __init__(self, config: Config, buses: BusSet, chance: Chance) -> None:
        """``buses`` belong to this from now on; ``chance`` is what the roller throws with."""
        self._config = config
        self._buses = buses
        self._chance = chance

    def open_tiles(self) -> LevelSensor:
        """The tiles' switches: 12 places, 1 open, 0 shut, None where no pin is named."""
        from hardware.tiles.gpio import GpioLevels

        tiles = self._config.tiles
        if tiles.driver != "gpio":
            raise ConfigError(f"tiles.driver: {tiles.driver!r} is not built in, 'gpio' is")
        return GpioLevels(
            self._buses.pins(tiles.backend),
            places={tile - 1: bcm for tile, bcm in tiles.pins.items()},
            labels=[f"tile {tile}" for tile in range(1, TILES + 1)],
            pull=tiles.pull,
            low=0,
        )

    def open_buttons(self) -> LevelSensor:
        """Roll, next, back: from the pin to ground, so always pulled up."""
        from hardware.tiles.gpio import GpioLevels

        buttons = self._config.buttons
        return GpioLevels(
            self._buses.pins(self._config.tiles.backend),
            places=dict(enumerate((buttons.roll, buttons.next, buttons.back))),
            labels=["the button roll", "the button next", "the button back"],
            pull="up",
            low=1,
        )

    def open_dice(self) -> DiceSource:
        """The source of rolls; with typed or unknown dice the roller stands by for the next set-up."""
        from hardware.dice.roller import Roller

        return Roller(self._chance)

    def open_display(self) -> Display | None:
        """The panel, None if the config says there is none."""
        display = self._config.display
        if display.controller == "none":
            return None
        if display.controller != "ssd1306":
            raise ConfigError(f"display.controller: {display.controller!r} is not built in, 'ssd1306' is")
        from hardware.display.oled import Oled

        assert isinstance(display.bus, int)
        return Oled(self._buses.i2c(display.bus, display.address))

    def open_candidates(self) -> tuple[LevelSensor, tuple[Any, ...]]:
        """Every input a tile may be wired to, and its name in the config, see ``hardware.candidates``."""
        from hardware.candidates import open_candidates

        return open_candidates(self._config, self._buses)

    def close(self) -> None:
        """Let go of the buses; close the devices before."""
        self._buses.close()


def open_backend(config: Config) -> Backend:
    """The box this Raspberry Pi is wired to; nothing is opened yet."""
    from hardware.buses import Buses
    from hardware.dice.roller import SecureChance

    return DeviceSet(config, Buses(), SecureChance())

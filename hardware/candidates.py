"""Every input that a tile may be wired to, for learning which one it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from firmware_host.config_wiring import bus_lines, line_uses
from firmware_host.errors import ConfigError, DeviceError, DeviceNotFoundError
from firmware_host.ports import LevelSensor
from hardware.pinmap import HEADER

if TYPE_CHECKING:
    from firmware_host.config import Config
    from hardware.buses import BusSet

# Read a HAT's EEPROM while the Pi starts; and the UART, on which a console may be at work.
_NEVER = (0, 1, 14, 15)


def open_candidates(config: Config, buses: BusSet) -> tuple[LevelSensor, tuple[Any, ...]]:
    """All inputs not used otherwise, and what each is called in ``tiles.pins``, in the levels' order.

    A line that another program holds is left out.  Raises DeviceError where none can be had.
    """
    match config.tiles.driver:
        case "gpio":
            return _header(config, buses)
        case "mcp23017":
            return _expander(config, buses)
    raise ConfigError(f"tiles.driver: the inputs of {config.tiles.driver!r} cannot be learned")


def _expander(config: Config, buses: BusSet) -> tuple[LevelSensor, tuple[Any, ...]]:
    from hardware.expander import Expander, mask
    from hardware.tiles.mcp23017 import ExpanderLevels

    names = [f"GP{port}{bit}" for port in "AB" for bit in range(7)]  # GPA7 and GPB7 may not be inputs
    wired, pull = config.expander, config.tiles.pull == "up"
    chip = Expander(buses.smbus(wired.bus), wired.address, watched=mask(names), pull=pull)
    return ExpanderLevels(chip, dict(enumerate(names)), names, low=0), tuple(names)


def _header(config: Config, buses: BusSet) -> tuple[LevelSensor, tuple[Any, ...]]:
    from hardware.tiles.gpio import GpioLevels

    factory = buses.pins(config.tiles.backend)

    def levels(lines: list[int]) -> GpioLevels:
        return GpioLevels(
            factory,
            places=dict(enumerate(lines)),
            labels=[f"BCM {bcm}" for bcm in lines],
            pull=config.tiles.pull,
            low=0,
        )

    free: list[int] = []
    error: DeviceError = DeviceNotFoundError("there is no line free")
    for bcm in _lines(config):
        try:
            levels([bcm]).close()
        except DeviceError as held:
            error = held
        else:
            free.append(bcm)
    if not free:
        raise error
    return levels(free), tuple(free)


def _lines(config: Config) -> list[int]:
    """The lines of the header that nothing but a tile takes."""
    taken = {line.bcm for line in line_uses(config) if line.key != "tiles.pins"}
    taken |= {bcm for bcm, *_ in bus_lines(config)}
    return [
        pin.bcm
        for pin in HEADER
        if pin.bcm is not None
        and pin.bcm not in taken
        and (pin.bcm not in _NEVER or pin.bcm in config.tiles.pins.values())
    ]

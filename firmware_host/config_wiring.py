"""What hangs on what: the sections of the config about wires, and which lines of the Pi they take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from firmware_host.games.start import SEQUENCE_DICE

if TYPE_CHECKING:
    from firmware_host.config import Config

_BCM = {1: 4, 2: 17, 3: 27, 4: 22, 5: 5, 6: 6, 7: 13, 8: 19, 9: 26, 10: 16, 11: 20, 12: 21}
_EXPANDER = {tile: f"GPA{tile - 1}" if tile <= 6 else f"GPB{tile - 7}" for tile in range(1, 13)}
_I2C_LINES: Mapping[int, Mapping[int, str]] = {1: {2: "SDA", 3: "SCL"}}  # bus -> BCM number -> line
# The lines that the kernel's SPI takes on the header: bus -> BCM number -> line.
_SPI_LINES: Mapping[str, Mapping[int, str]] = {
    "spi0": {7: "CE1", 8: "CE0", 9: "MISO", 10: "MOSI", 11: "SCLK"},
    "spi1": {16: "CE2", 17: "CE1", 18: "CE0", 19: "MISO", 20: "MOSI", 21: "SCLK"},
}


@dataclass(frozen=True, slots=True)
class TileConfig:
    """How the tiles' switches are wired; ``pins``: BCM number by tile, for the driver gpio."""

    driver: Literal["gpio", "mcp23017", "serial"] = "gpio"
    pins: Mapping[int, int] = field(default_factory=lambda: MappingProxyType(_BCM), hash=False)
    pull: Literal["up", "down", "external"] = "up"
    backend: Literal["lgpio", "rpigpio"] = "lgpio"


@dataclass(frozen=True, slots=True)
class ButtonConfig:
    """BCM numbers of the buttons."""

    roll: int = 23
    next: int = 24
    back: int = 25


@dataclass(frozen=True, slots=True)
class ExpanderConfig:
    """The MCP23017 with the tiles; ``pins``: by tile; ``interrupt``: the BCM number that INTA is wired to."""

    bus: int = 1
    address: int = 0x20
    pins: Mapping[int, str] = field(default_factory=lambda: MappingProxyType(_EXPANDER), hash=False)
    interrupt: int | None = None


@dataclass(frozen=True, slots=True)
class SerialConfig:
    """The microcontroller; ``port``: a device file, "auto": found by ``usb`` and ``number``.

    ``usb``: vendor and product in hexadecimal.  ``number``: the serial number on USB, empty: any.
    """

    port: str = "auto"
    usb: str = "2e8a:0005"  # MicroPython on an RP2040 or RP2350
    number: str = ""


@dataclass(frozen=True, slots=True)
class LampConfig:
    """One lamp a tile; ``address``, ``pins``: of the MCP23017 they are on, at the bus of the expander."""

    driver: Literal["none", "mcp23017", "serial"] = "none"
    address: int = 0x21
    pins: Mapping[int, str] = field(default_factory=lambda: MappingProxyType(_EXPANDER), hash=False)


@dataclass(frozen=True, slots=True)
class BuzzerConfig:
    """The buzzer; ``pin``: BCM number, for the driver gpio."""

    driver: Literal["none", "gpio", "serial"] = "none"
    pin: int = 15
    volume: Literal["high", "low", "off"] = "high"


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """The camera over the tray: ``auto``, ``picamera2``, a device such as ``/dev/video0``, or a folder of
    pictures or a video; ``rig``: its calibration, ``FILE`` or ``FILE:NAME``; None: in the store's folder.
    """

    device: str = "auto"
    rig: str | None = None


@dataclass(frozen=True, slots=True)
class DisplayConfig:
    """The panel; ``bus``: of I2C, or "spi0.0"; ``dc``, ``reset``: BCM numbers, on SPI only.

    ``blank_at_exit``: leave it dark, else the last picture stays.
    """

    controller: Literal["ssd1306", "sh1106", "ssd1309", "none"] = "ssd1306"
    bus: int | str = 1
    address: int = 0x3C
    dc: int = 12
    reset: int | None = 18
    blank_at_exit: bool = False


@dataclass(frozen=True, slots=True)
class ChipConfig:
    """The board of Sequence Dice; its lines are taken where that is played.

    ``bus``, ``select``, ``sensor``, ``rest``: of the driver hall; ``address``: of matrix.
    ``select``: BCM numbers of S0 to S3.  ``rest``: counts of the empty board by square, empty: the middle.
    """

    driver: Literal["hall", "matrix"] = "hall"
    bus: str = "spi0.1"
    select: tuple[int, ...] = (12, 14, 15, 18)  # free where the display is on I2C and there is no buzzer
    sensor: Literal["drv5055a3", "ss49e"] = "drv5055a3"
    rest: tuple[float, ...] = ()
    address: int = 0x22


@dataclass(frozen=True, slots=True)
class LineUse:
    """A line of the header in use: its key, and the use in words."""

    bcm: int
    key: str
    use: str


def line_uses(config: Config) -> Iterator[LineUse]:
    """Every line that ``config`` asks for itself; those of I2C and SPI are in :func:`bus_lines`."""
    tiles, display = config.tiles, config.display
    if tiles.driver == "gpio":
        for tile, bcm in tiles.pins.items():
            yield LineUse(bcm, "tiles.pins", f"tiles.pins for tile {tile}")
    if tiles.driver == "mcp23017" and config.expander.interrupt is not None:
        yield LineUse(config.expander.interrupt, "expander.interrupt", "expander.interrupt")
    if config.dice.source != "serial":
        for name in ("roll", "next", "back"):
            yield LineUse(getattr(config.buttons, name), f"buttons.{name}", f"buttons.{name}")
    if config.buzzer.driver == "gpio":
        yield LineUse(config.buzzer.pin, "buzzer.pin", "buzzer.pin")
    if display.controller != "none" and isinstance(display.bus, str):
        yield LineUse(display.dc, "display.dc", "display.dc")
        if display.reset is not None:
            yield LineUse(display.reset, "display.reset", "display.reset")
    if _chips_driver(config) == "hall":
        for number, bcm in enumerate(config.chips.select):
            yield LineUse(bcm, "chips.select", f"chips.select for S{number}")


def bus_lines(config: Config) -> Iterator[tuple[int, str, tuple[str, ...], str]]:
    """BCM number, what it is, the keys that ask for it, and the mend, of each line that a bus takes."""
    display = config.display
    if display.controller != "none":
        keys = ("display.controller", "display.bus")
        mend = "use another pin, or set display.controller to none"
        if isinstance(display.bus, int):
            for bcm, line in _I2C_LINES.get(display.bus, {}).items():
                yield bcm, f"the {line} line of the display's I2C bus", keys, mend
        else:
            for bcm, line in _SPI_LINES.get(display.bus.partition(".")[0], {}).items():
                yield bcm, f"the {line} line of the display's SPI bus", keys, "use another pin"
    if _chips_driver(config) == "hall":
        keys = ("chips.driver", "chips.bus")
        for bcm, line in _SPI_LINES.get(config.chips.bus.partition(".")[0], {}).items():
            yield bcm, f"the {line} line of the chip board's SPI bus", keys, "use another pin"
    for key, driver in (
        ("tiles.driver", config.tiles.driver),
        ("lamps.driver", config.lamps.driver),
        ("chips.driver", _chips_driver(config)),
    ):
        if driver in ("mcp23017", "matrix"):
            for bcm, line in _I2C_LINES.get(config.expander.bus, {}).items():
                yield (
                    bcm,
                    f"the {line} line of the expander's I2C bus",
                    (key, "expander.bus"),
                    "use another pin",
                )


def _chips_driver(config: Config) -> str:
    """Of the chip board; empty where it is not played on."""
    return config.chips.driver if config.game == SEQUENCE_DICE else ""


def address_clash(config: Config) -> tuple[tuple[str, ...], str] | None:
    """Two devices at one address of one bus: their keys, and what is wrong in words; None: there are none."""
    uses: dict[str, str] = {}
    for place, key in _addresses(config):
        other = uses.setdefault(place, key)
        if other != key:
            return (other, key), f"{other} and {key} are both {place}; allowed: each address once"
    return None


def _addresses(config: Config) -> Iterator[tuple[str, str]]:
    """Where each device is on a bus, in words, and the key that says so."""
    display, expander = config.display, config.expander
    if display.controller != "none":
        if isinstance(display.bus, int):
            yield f"{display.address:#04x} on I2C bus {display.bus}", "display.address"
        else:
            yield display.bus, "display.bus"
    if config.tiles.driver == "mcp23017":
        yield f"{expander.address:#04x} on I2C bus {expander.bus}", "expander.address"
    if config.lamps.driver == "mcp23017":
        yield f"{config.lamps.address:#04x} on I2C bus {expander.bus}", "lamps.address"
    if _chips_driver(config) == "matrix":
        yield f"{config.chips.address:#04x} on I2C bus {expander.bus}", "chips.address"
    if _chips_driver(config) == "hall":
        yield config.chips.bus, "chips.bus"

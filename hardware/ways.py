"""Every way to wire a part, as data: boards with their contacts, wires between them, the config that says so.

The 40-pin header itself, and the way with nothing but the Pi, is in ``pinmap``.  Tables and drawings are made
from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hardware.pinmap import BUTTON_PINS, HEADER, TILE_PINS, header_pin

TILES = range(1, 13)
BUTTONS = ("roll", "next", "back")

PI, EXPANDER, LAMP_EXPANDER, PICO, OLED, BUZZER, LAMP_STRIP = (
    "Pi", "MCP23017", "MCP23017 (lamps)", "Pico", "OLED", "buzzer", "lamps",
)  # fmt: skip
CONVERTER, CHIP_EXPANDER = "MCP3008", "MCP23017 (chips)"
MULTIPLEXERS = ("CD74HC4067 (rows 0, 1)", "CD74HC4067 (rows 2, 3)", "CD74HC4067 (rows 4, 5)")

# Microchip DS20001952D, table 1-1: the 28-pin case, pin 1 first.
_MCP23017 = (
    *(f"GPB{bit}" for bit in range(8)), "VDD", "VSS", "NC", "SCL", "SDA", "NC",
    "A0", "A1", "A2", "RESET", "INTB", "INTA", *(f"GPA{bit}" for bit in range(8)),
)  # fmt: skip
# Raspberry Pi Pico data sheet, figure 4; Pico 2 and the W boards are alike.
_PICO = (
    "GP0", "GP1", "GND", "GP2", "GP3", "GP4", "GP5", "GND", "GP6", "GP7",
    "GP8", "GP9", "GND", "GP10", "GP11", "GP12", "GP13", "GND", "GP14", "GP15",
    "GP16", "GP17", "GND", "GP18", "GP19", "GP20", "GP21", "GND", "GP22", "RUN",
    "GP26", "GP27", "GND", "GP28", "ADC_VREF", "3V3", "3V3_EN", "GND", "VSYS", "VBUS",
)  # fmt: skip

# Microchip DS21295D, page 1.
_MCP3008 = (
    *(f"CH{channel}" for channel in range(8)), "DGND", "CS", "DIN", "DOUT", "CLK", "AGND", "VREF", "VDD",
)  # fmt: skip
# Texas Instruments SCHS209, the 24-pin case; breakout boards print the same names in another order.
_CD74HC4067 = (
    "COM", *(f"C{number}" for number in range(7, -1, -1)), "S0", "S1", "GND",
    "S3", "S2", "E", *(f"C{number}" for number in range(15, 7, -1)), "VCC",
)  # fmt: skip

# GPA7 and GPB7 stay free: they may not be inputs.
EXPANDER_TILE_PINS: Mapping[int, str] = MappingProxyType(
    {tile: f"GPA{tile - 1}" if tile <= 6 else f"GPB{tile - 7}" for tile in TILES}
)
# What hardware/mcu/board.py has.
PICO_TILE_PINS: Mapping[int, int] = MappingProxyType({tile: tile - 1 for tile in TILES})
PICO_BUTTON_PINS: Mapping[str, int] = MappingProxyType({"roll": 12, "next": 13, "back": 14})
PICO_BUZZER_PIN, PICO_LAMP_PIN = 15, 16
INTERRUPT_PIN = 4  # free where no tile is on the header
BUZZER_PIN = 15  # pulled down from power-on: the buzzer is quiet until it is wanted
SPI_DC_PIN, SPI_RESET_PIN = 12, 18
SELECT_PINS = (12, 14, 15, 18)  # S0 to S3; not beside a display on SPI or a buzzer on the Pi


@dataclass(frozen=True, slots=True)
class Board:
    """A part with numbered pins; ``contacts``: what is printed at each, pin 1 first; a contact may repeat."""

    name: str
    contacts: tuple[str, ...]

    def pin(self, contact: str) -> int:
        """The number of the first pin called ``contact``; ValueError if there is none."""
        return self.contacts.index(contact) + 1


@dataclass(frozen=True, slots=True)
class End:
    """One end of a wire: ``contact`` of ``part``; ``pin``: its number on a board or a chip, 0: none."""

    part: str
    contact: str
    pin: int = 0


@dataclass(frozen=True, slots=True)
class Lead:
    """A wire between two ends; ``through``: what is soldered into it, as "330 Ohm", empty: nothing."""

    a: End
    b: End
    through: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to wire one thing.

    ``key``: a word for file names.  ``settings``: lines of the config, by key; none where the defaults do.
    ``leads``: every wire, the Pi's or the board's end second.
    """

    key: str
    title: str
    settings: Mapping[str, str]
    leads: tuple[Lead, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts in the order they first appear."""
        return tuple(dict.fromkeys(end.part for lead in self.leads for end in (lead.a, lead.b)))


BOARDS: Mapping[str, Board] = MappingProxyType(
    {
        PI: Board(PI, tuple(pin.function for pin in HEADER)),
        EXPANDER: Board(EXPANDER, _MCP23017),
        LAMP_EXPANDER: Board(LAMP_EXPANDER, _MCP23017),
        PICO: Board(PICO, _PICO),
        CHIP_EXPANDER: Board(CHIP_EXPANDER, _MCP23017),
        CONVERTER: Board(CONVERTER, _MCP3008),
        **{name: Board(name, _CD74HC4067) for name in MULTIPLEXERS},
    }
)
"""The boards with many pins, by the name that leads give them."""


def _pi(bcm: int) -> End:
    pin = header_pin(bcm)
    assert pin is not None
    return End(PI, pin.function, pin.number)


def _pi_pin(number: int) -> End:
    return End(PI, HEADER[number - 1].function, number)


def _on(board: str, contact: str, pin: int | None = None) -> End:
    return End(board, contact, pin if pin is not None else BOARDS[board].pin(contact))


def _switches(tiles: Mapping[int, End], supply: End, ground: End) -> Iterator[Lead]:
    """The tiles' sensors: one wire each, and two rails."""
    yield from (Lead(End(f"tile {tile}", "OUT"), end) for tile, end in tiles.items())
    yield Lead(End("all tiles", "VCC"), supply)
    yield Lead(End("all tiles", "GND"), ground)


def _buttons(ends: Mapping[str, End], ground: End) -> Iterator[Lead]:
    yield from (Lead(End(name, "one leg"), end) for name, end in ends.items())
    yield Lead(End("all buttons", "other leg"), ground)


def _chip(name: str, address: int) -> Iterator[Lead]:
    """An expander on the I2C bus 1, at 0x20 to 0x22."""
    yield Lead(_on(name, "VDD"), _pi_pin(1), "100 nF to VSS, close to the chip")
    yield Lead(_on(name, "VSS"), _pi_pin(9))
    yield Lead(_on(name, "SDA"), _pi(2))
    yield Lead(_on(name, "SCL"), _pi(3))
    yield Lead(_on(name, "RESET"), _pi_pin(17))
    for bit in range(3):
        yield Lead(_on(name, f"A{bit}"), _pi_pin(17) if address >> bit & 1 else _pi_pin(9))


def _oled_spi() -> Iterator[Lead]:
    for contact, end in (
        ("VCC", _pi_pin(1)), ("GND", _pi_pin(6)), ("D0 (SCLK)", _pi(11)), ("D1 (MOSI)", _pi(10)),
        ("CS", _pi(8)), ("DC", _pi(SPI_DC_PIN)), ("RES", _pi(SPI_RESET_PIN)),
    ):  # fmt: skip
        yield Lead(End(OLED, contact), end)


def _hall_board() -> Iterator[Lead]:
    """36 sensors, twelve on each multiplexer; select lines and supply are common."""
    for name, first in zip(MULTIPLEXERS, (0, 2, 4), strict=True):
        for number in range(12):
            row, column = divmod(number, 6)
            yield Lead(End(f"sensor r{first + row}c{column}", "OUT"), _on(name, f"C{number}"))
    yield Lead(End("all sensors", "VCC"), _pi_pin(17), "100 nF to GND at each sensor")
    yield Lead(End("all sensors", "GND"), _pi_pin(39))
    for channel, name in enumerate(MULTIPLEXERS):
        yield Lead(_on(name, "COM"), _on(CONVERTER, f"CH{channel}"))
        yield Lead(_on(name, "VCC"), _pi_pin(17), "100 nF to GND, close to the chip")
        yield Lead(_on(name, "GND"), _pi_pin(39))
        yield Lead(_on(name, "E"), _pi_pin(39))
    for number, bcm in enumerate(SELECT_PINS):
        yield Lead(End("all CD74HC4067", f"S{number}", _CD74HC4067.index(f"S{number}") + 1), _pi(bcm))
    for contact, end in (
        ("VDD", _pi_pin(17)), ("VREF", _pi_pin(17)), ("AGND", _pi_pin(39)), ("DGND", _pi_pin(39)),
        ("CLK", _pi(11)), ("DOUT", _pi(9)), ("DIN", _pi(10)), ("CS", _pi(7)),
    ):  # fmt: skip
        yield Lead(
            _on(CONVERTER, contact), end, "100 nF to AGND, close to the chip" if contact == "VDD" else ""
        )


def _matrix_board() -> Iterator[Lead]:
    """Six rows, six columns, at each crossing a switch and a diode."""
    for number in range(6):
        yield Lead(End(f"row {number}", "all switches"), _on(CHIP_EXPANDER, f"GPA{number}"))
    for number in range(6):
        through = "a BAT85 at each switch, its ring towards the switch"
        yield Lead(End(f"column {number}", "all switches"), _on(CHIP_EXPANDER, f"GPB{number}"), through)
    yield from _chip(CHIP_EXPANDER, 0x22)


WAYS: tuple[Way, ...] = (
    Way(
        "tiles-gpio", "Tiles and buttons on the Pi's own pins", {},
        (
            *_switches({tile: _pi(bcm) for tile, bcm in TILE_PINS.items()}, _pi_pin(17), _pi_pin(39)),
            *_buttons({name: _pi(bcm) for name, bcm in BUTTON_PINS.items()}, _pi_pin(20)),
        ),
    ),
    Way(
        "tiles-mcp23017", "Tiles on an MCP23017 expander, buttons on the Pi",
        {"tiles.driver": "mcp23017", "expander.interrupt": str(INTERRUPT_PIN)},
        (
            *_switches(
                {tile: _on(EXPANDER, pin) for tile, pin in EXPANDER_TILE_PINS.items()},
                _pi_pin(17), _pi_pin(39),
            ),
            *_chip(EXPANDER, 0x20),
            Lead(_on(EXPANDER, "INTA"), _pi(INTERRUPT_PIN)),
            *_buttons({name: _pi(bcm) for name, bcm in BUTTON_PINS.items()}, _pi_pin(20)),
        ),
    ),
    Way(
        "tiles-serial", "Tiles and buttons on a Raspberry Pi Pico, one USB cable to the Pi",
        {"tiles.driver": "serial", "dice.source": "serial"},
        (
            *_switches(
                {tile: _on(PICO, f"GP{gp}") for tile, gp in PICO_TILE_PINS.items()},
                _on(PICO, "3V3"), _on(PICO, "GND", 38),
            ),
            *_buttons(
                {name: _on(PICO, f"GP{gp}") for name, gp in PICO_BUTTON_PINS.items()}, _on(PICO, "GND", 18)
            ),
            Lead(End("USB cable", "USB-A"), End(PI, "USB")),
            Lead(End("USB cable", "micro USB"), End(PICO, "USB")),
        ),
    ),
    Way(
        "oled-i2c", "An OLED with four pins: SSD1306, SH1106 or SSD1309 on I2C", {},
        tuple(
            Lead(End(OLED, contact), _pi_pin(number))
            for contact, number in (("VCC", 1), ("SDA", 3), ("SCL", 5), ("GND", 6))
        ),
    ),
    Way(
        "oled-spi", "An OLED with seven pins: SSD1306, SH1106 or SSD1309 on SPI",
        {"display.bus": "spi0.0", "display.dc": str(SPI_DC_PIN), "display.reset": str(SPI_RESET_PIN)},
        tuple(_oled_spi()),
    ),
    Way(
        "chips-hall", "The chip board with colours: 36 linear hall sensors, DRV5055A3 or SS49E",
        {"rules.game": "sequence-dice"}, tuple(_hall_board()),
    ),
    Way(
        "chips-matrix", "The chip board without colours: 36 switches with diodes on an MCP23017",
        {"rules.game": "sequence-dice", "chips.driver": "matrix"}, tuple(_matrix_board()),
    ),
    Way(
        "lamps-mcp23017", "A lamp beside each tile, on an MCP23017 of their own",
        {"lamps.driver": "mcp23017", "lamps.address": "0x21"},
        (
            *(
                Lead(End(f"lamp {tile}", "+"), _on(LAMP_EXPANDER, pin), "470 Ohm")
                for tile, pin in EXPANDER_TILE_PINS.items()
            ),
            Lead(End("all lamps", "-"), _pi_pin(39)),
            *_chip(LAMP_EXPANDER, 0x21),
        ),
    ),
    Way(
        "lamps-serial", "A lamp beside each tile: a strip of twelve WS2812B on the Pico",
        {"lamps.driver": "serial"},
        (
            Lead(End(LAMP_STRIP, "DIN"), _on(PICO, f"GP{PICO_LAMP_PIN}"), "330 Ohm"),
            Lead(End(LAMP_STRIP, "+5V"), _on(PICO, "VBUS"), "1N4001 in series, 100 uF behind it to GND"),
            Lead(End(LAMP_STRIP, "GND"), _on(PICO, "GND", 23)),
        ),
    ),
    Way(
        "buzzer-gpio", "A passive piezo buzzer on the Pi", {"buzzer.driver": "gpio"},
        (
            Lead(End(BUZZER, "+"), _pi(BUZZER_PIN), "100 Ohm"),
            Lead(End(BUZZER, "-"), _pi_pin(14)),
        ),
    ),
    Way(
        "buzzer-serial", "A passive piezo buzzer on the Pico", {"buzzer.driver": "serial"},
        (
            Lead(End(BUZZER, "+"), _on(PICO, f"GP{PICO_BUZZER_PIN}"), "100 Ohm"),
            Lead(End(BUZZER, "-"), _on(PICO, "GND", 18)),
        ),
    ),
)  # fmt: skip
"""Every way, the usual one of each part first."""

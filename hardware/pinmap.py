"""The wiring as data: the Pi's 40-pin header, and what goes to which of its pins.

``wiring.md`` is written from here: ``python -m hardware.pinmap --write``.  The other ways to wire the box are
in ``ways``.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

# The header of every Pi since 2014, pin 1 first: a supply, or the BCM number of a line
# (Raspberry Pi documentation, "GPIO and the 40-pin header").  Pins 27 and 28 read a HAT's EEPROM.
_HEADER: tuple[str | int, ...] = (
    "3.3 V", "5 V",    2, "5 V",     3, "GND",     4,   14, "GND",   15,
        17,    18,    27, "GND",    22,    23, "3.3 V", 24,    10, "GND",
         9,    25,    11,     8, "GND",     7,     0,    1,     5, "GND",
         6,    12,    13, "GND",    19,    16,    26,   20, "GND",   21,
)  # fmt: skip

# Free of I2C (2, 3), UART (14, 15) and SPI (7 to 11): those stay for the display and what comes later.
TILE_PINS: Mapping[int, int] = MappingProxyType(
    {1: 4, 2: 17, 3: 27, 4: 22, 5: 5, 6: 6, 7: 13, 8: 19, 9: 26, 10: 16, 11: 20, 12: 21}
)
BUTTON_PINS: Mapping[str, int] = MappingProxyType({"roll": 23, "next": 24, "back": 25})


@dataclass(frozen=True, slots=True)
class HeaderPin:
    """A pin of the header: its number 1..40, what it is, and its BCM number if it is a line."""

    number: int
    function: str
    bcm: int | None


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire: from ``contact`` of ``part`` to ``pin`` of the header."""

    part: str
    contact: str
    pin: HeaderPin


def _pin(number: int) -> HeaderPin:
    what = _HEADER[number - 1]
    return HeaderPin(number, what, None) if isinstance(what, str) else HeaderPin(number, f"BCM {what}", what)


HEADER: tuple[HeaderPin, ...] = tuple(_pin(number) for number in range(1, len(_HEADER) + 1))
_BY_BCM = {pin.bcm: pin for pin in HEADER if pin.bcm is not None}


def header_pin(bcm: int) -> HeaderPin | None:
    """Where line ``bcm`` comes out; None if it does not.

    >>> header_pin(17)
    HeaderPin(number=11, function='BCM 17', bcm=17)
    """
    return _BY_BCM.get(bcm)


def wires(tiles: Mapping[int, int] = TILE_PINS, buttons: Mapping[str, int] = BUTTON_PINS) -> tuple[Wire, ...]:
    """Every wire to the header, for these BCM numbers of tiles and buttons; the rails are shared.

    Raises KeyError for a number that is not on the header.
    """
    return (
        *(Wire(f"tile {tile}", "OUT", _BY_BCM[bcm]) for tile, bcm in sorted(tiles.items())),
        Wire("all tiles", "VCC", _pin(17)),
        Wire("all tiles", "GND", _pin(39)),
        *(Wire(name, "one leg", _BY_BCM[bcm]) for name, bcm in buttons.items()),
        Wire("all buttons", "other leg", _pin(20)),
        Wire("OLED", "VCC", _pin(1)),
        Wire("OLED", "SDA", _pin(3)),
        Wire("OLED", "SCL", _pin(5)),
        Wire("OLED", "GND", _pin(6)),
    )


def table(all_wires: tuple[Wire, ...]) -> str:
    """The wires as a table in Markdown."""
    rows = [("Part", "Its pin", "Header pin", "Line")]
    rows += [(wire.part, wire.contact, str(wire.pin.number), wire.pin.function) for wire in all_wires]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ("-" * widths[0], "-" * widths[1], "-" * (widths[2] - 1) + ":", "-" * widths[3]))
    return "\n".join(
        f"| {part:{widths[0]}} | {contact:{widths[1]}} | {number:>{widths[2]}} | {line:{widths[3]}} |"
        for part, contact, number, line in rows
    )


def drawing(all_wires: tuple[Wire, ...]) -> str:
    """The header seen from above, pin 1 at the top left, each wire led to its pin."""
    labels = {wire.pin.number: _label(wire) for wire in all_wires}
    indent = max(map(len, labels.values())) + 11
    edge = " " * (indent + 1) + "+---------+"
    lines = [edge]
    for left, right in zip(HEADER[::2], HEADER[1::2], strict=True):
        to_left, to_right = f"{left.function:>{indent}}", right.function
        if label := labels.get(left.number):
            to_left = f"{label} {'-' * (indent - len(label) - len(left.function) - 2)} {left.function}"
        if label := labels.get(right.number):
            to_right = f"{right.function} {'-' * (9 - len(right.function))} {label}"
        lines.append(f"{to_left} | {left.number:>2}   {right.number:>2} | {to_right}")
    lines.append(edge)
    return "\n".join(lines)


def _label(wire: Wire) -> str:
    if wire.contact in ("OUT", "one leg"):
        return wire.part
    return f"{wire.part.removeprefix('all ')} {'GND' if wire.contact == 'other leg' else wire.contact}"


def document() -> str:
    """The text of ``wiring.md``."""
    return _DOCUMENT.format(table=table(wires()), drawing=drawing(wires()))


_DOCUMENT = """\
# Wiring

Twelve tiles, three buttons and an OLED on the 40-pin header of a Raspberry Pi (any with 40 pins).
A box with nine or ten tiles leaves the last ones out. This file is written from `hardware/pinmap.py` by
`python -m hardware.pinmap --write`: change it there.

**Switch the Pi off and pull its plug before you wire. Everything here runs on 3.3 V: the Pi's lines are
not 5 V tolerant, and one wire from pin 2 or 4 to a line may end it.**

## The header

Seen from above, the header along the right edge of the board and the SD card at the top. Pin 1 is at the top
left; on the underside it is the one with the square pad.

```
{drawing}
```

## Every wire

"BCM" is the number the software uses, "header pin" is where you count on the board. All tiles share one
wire to 3.3 V and one to GND, all buttons one to GND: run a rail along the box and branch from it.

{table}

Other pins are set in the config: `tiles.pins` (tile = BCM number), `buttons.roll`, `buttons.next`,
`buttons.back`. Left free: pins 8 and 10 (UART), 19 to 26 except 20 and 22 (SPI), 12 and 32. Pins 27 and
28 belong to HATs. An overlay or a HAT may hold a line of ours: `dtoverlay=w1-gpio` takes BCM 4, sound
HATs and `dtparam=i2s=on` take BCM 18 to 21, `dtoverlay=spi1-...` takes BCM 16 to 21.

## Tiles: hall switches

| Sensor | For tiles | Why |
| ------ | --------- | --- |
| DRV5033 | **yes** | runs from 2.5 V; looks all the time; either pole will do; open drain |
| DRV5032 | with care | looks only 5, 20 or 80 times a second by variant: take 20 or 80 |
| A3144 | no | needs 4.5 V or more; on 5 V it must still be pulled up to 3.3 V, never to 5 V |
| US1881, many "KY-003" modules | no | a latch: on until the other pole comes, so the tile never opens |

- The sensor sits in the floor where the shut tile lies, the magnet in the tile right above it. Shut: the
  magnet is near and the sensor pulls its line to GND. Open: the pull-up holds it at 3.3 V.
- Pull-ups: the outputs are open drain, so each line needs one. `tiles.pull = "up"` (the default) uses the
  Pi's own, good for wires inside a box. For long wires, or beside motors and LED strips, fit 4.7 to
  10 kOhm from each OUT to **3.3 V** and set `tiles.pull = "external"`.
- Put 100 nF from VCC to GND at each sensor, close to it. Check the order of the legs in the data sheet of
  the case you bought: it differs between cases of the same sensor.
- Magnets: a small neodymium disc, 5 or 6 mm wide and 2 or 3 mm thick, glued into the tile. With a DRV5033
  either side may be down. Try one tile on the bench before you drill twelve: shut, it must switch its own
  sensor with room to spare and no neighbour's.
- Until the service has set the pull-ups, lines from BCM 9 on are pulled down: they read 0 V, as if shut.

## Buttons

Push buttons that close when pressed, one leg to the line, the other to GND. No resistor: the Pi's own
pull-ups are always used for buttons. With four legs take two that lie diagonally.

## OLED

An SSD1306 module of 128 x 64 pixels with four pins (VCC, GND, SCL, SDA), at address 0x3c on I2C bus 1.
**Read the names on the module: some have VCC and GND the other way round.** Feed it from 3.3 V: on 5 V it
may pull SDA and SCL up to 5 V. They need no resistors of yours, the Pi has them on the board. Switch I2C on
once with `sudo raspi-config nonint do_i2c 0` and restart; `dtparam=i2c_arm_baudrate=400000` in `config.txt`
makes it four times as fast.

## Before you close the box

- With nothing but power: 3.3 V between pins 1 and 6, and between VCC and GND of every sensor. No line may
  ever show more.
- `sudo i2cdetect -y 1` (package `i2c-tools`) lists 3c, the OLED.
- With `boxkeeper run` running, each tile's line shows 3.3 V while it is open and 0 V while it is shut; each
  button's 3.3 V, and 0 V while it is pressed. What cannot be opened is named with its pin and header pin.
"""


def main(arguments: list[str]) -> int:
    """Print ``wiring.md``, or with ``--write`` put it into the checkout; 2 for any other argument."""
    if arguments == ["--write"]:
        Path(__file__).resolve().parents[1].joinpath("wiring.md").write_text(document(), encoding="utf-8")
    elif not arguments:
        sys.stdout.write(document())
    else:
        sys.stderr.write("usage: python -m hardware.pinmap [--write]\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

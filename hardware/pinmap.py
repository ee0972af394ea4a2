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


def main(arguments: list[str]) -> int:
    """Print ``wiring.md``, or with ``--write`` put it into the checkout; 2 for any other argument."""
    from hardware.wiring_page import document  # late: it is made from what is here

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

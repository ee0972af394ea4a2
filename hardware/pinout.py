"""What the wires of one config lead to, pin by pin, for every board that has many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hardware.pinmap import header_pin
from hardware.ways import BOARDS, EXPANDER, LAMP_EXPANDER, PI, WAYS, End, Lead

if TYPE_CHECKING:
    from firmware_host.config import Config

_BY_KEY = {way.key: way for way in WAYS}
_BUTTONS = ("roll", "next", "back")
# Two pins a row as on the header: 1 2, 3 4; chips and the Pico count down the left side and up the right.
_ZIGZAG = (PI,)
# Contacts that say no more than the part, or less than what they are wired to.
_NAMES = {"OUT": "", "one leg": "", "other leg": "GND"}


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin of a board: its number, what is printed at it, and what is wired to it."""

    number: int
    function: str
    wired: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A board seen from above; ``rows``: the pin on the left and the one on the right.

    ``beside``: what is plugged into it elsewhere.
    """

    title: str
    rows: tuple[tuple[Pin, Pin], ...]
    beside: tuple[str, ...] = ()


def pictures(config: Config) -> tuple[Picture, ...]:
    """The Pi's header first, then each other board that is wired."""
    wired: dict[str, dict[int, list[End]]] = {PI: {}}
    for lead in leads(config):
        for end, other in ((lead.a, lead.b), (lead.b, lead.a)):
            if end.part in BOARDS:
                wired.setdefault(end.part, {}).setdefault(end.pin, []).append(other)
    return tuple(_picture(board, pins) for board, pins in wired.items())


def leads(config: Config) -> Iterator[Lead]:
    """Every wire of the box, its ends where the config puts them."""
    for way in _ways(config):
        for lead in _BY_KEY[way].leads:
            end = _end(config, lead)
            if end is not None:
                yield replace(lead, b=end)


def _ways(config: Config) -> Iterator[str]:
    yield f"tiles-{config.tiles.driver}"
    if config.display.controller != "none":
        yield "oled-i2c" if isinstance(config.display.bus, int) else "oled-spi"
    if config.lamps.driver != "none":
        yield f"lamps-{config.lamps.driver}"
    if config.buzzer.driver != "none":
        yield f"buzzer-{config.buzzer.driver}"


def _end(config: Config, lead: Lead) -> End | None:
    """Where the wire ends in this config; None where it has no such wire."""
    part, contact = lead.a.part, lead.a.contact
    kind, _, number = part.partition(" ")
    if kind in ("tile", "lamp") and number.isdigit():
        return _of_tile(config, lead, int(number)) if int(number) in config.rules.tiles else None
    if part in _BUTTONS and lead.b.part == PI:
        return _pi(getattr(config.buttons, part))
    if (part, contact) == (EXPANDER, "INTA"):
        return None if config.expander.interrupt is None else _pi(config.expander.interrupt)
    if (part, contact) == ("buzzer", "+") and lead.b.part == PI:
        return _pi(config.buzzer.pin)
    if (part, contact) == ("OLED", "DC"):
        return _pi(config.display.dc)
    if (part, contact) == ("OLED", "RES"):
        return None if config.display.reset is None else _pi(config.display.reset)
    return lead.b


def _of_tile(config: Config, lead: Lead, tile: int) -> End | None:
    """The pin of a tile's sensor or lamp."""
    if lead.b.part == PI:
        bcm = config.tiles.pins.get(tile)
        return None if bcm is None else _pi(bcm)
    pins = {EXPANDER: config.expander.pins, LAMP_EXPANDER: config.lamps.pins}.get(lead.b.part)
    if pins is None:
        return lead.b
    return End(lead.b.part, pins[tile], BOARDS[lead.b.part].pin(pins[tile])) if tile in pins else None


def _pi(bcm: int) -> End:
    pin = header_pin(bcm)
    assert pin is not None  # the config allows only lines of the header
    return End(PI, pin.function, pin.number)


def _names(ends: Iterable[End]) -> tuple[str, ...]:
    """Each part once, with its contacts: "MCP23017 VSS A0 A1"."""
    contacts: dict[str, list[str]] = {}
    for end in ends:
        contacts.setdefault(end.part.removeprefix("all "), []).append(_NAMES.get(end.contact, end.contact))
    return tuple(" ".join((part, *dict.fromkeys(of_part))).strip() for part, of_part in contacts.items())


def _picture(board: str, wired: dict[int, list[End]]) -> Picture:
    pins = [
        Pin(i, function, _names(wired.get(i, ()))) for i, function in enumerate(BOARDS[board].contacts, 1)
    ]
    half = len(pins) // 2
    left, right = (pins[::2], pins[1::2]) if board in _ZIGZAG else (pins[:half], pins[: half - 1 : -1])
    title = "the Pi's header, the board's edge on the right" if board == PI else board
    return Picture(title, tuple(zip(left, right, strict=True)), _names(wired.get(0, ())))

"""How the value of a setting is read: as TOML gives it, or from text.

Text is what ``--set``, a bench script or a quoted TOML value holds, and is read alike
in all three.  The kinds here know nothing of keys and of files.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from firmware_host.errors import RuleError
from firmware_host.games.opponents import PREFIX
from firmware_host.games.shut_the_box.notation import HIGHEST_TILE, parse_tiles

LONGEST_NAME = 20
_HIGHEST_PIN = 27  # BCM numbers on the 40-pin header
_EEPROM_PINS = (0, 1)  # the Pi reads a HAT's ID EEPROM on them while it starts
_HIGHEST_BUS = 31
_EXPANDER_PINS = tuple(f"GP{port}{bit}" for port in "AB" for bit in range(8))
_OUTPUTS_ONLY = (
    "GPA7",
    "GPB7",
)  # as inputs they may disturb SDA (MCP23017 data sheet, DS20001952D, table 1-1)
_SPI_BUS = re.compile(r"spi[0-9]\.[0-9]")
_USB_ID = re.compile(r"[0-9a-f]{4}:[0-9a-f]{4}")
# Characters that no line of text can show: control, half of a surrogate pair, line and paragraph ends.
_UNSHOWABLE = ("Cc", "Cs", "Zl", "Zp")


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value.

    ``allowed``: what may be given, in words.  ``read``: the value of what was given;
    raises ValueError with the reason, which is empty where ``allowed`` says it all.
    """

    allowed: str
    read: Callable[[object], Any]


def one_of(*values: str) -> Kind:
    """One of ``values``, which may be members of a StrEnum."""

    def read(given: object) -> str:
        text = _text(given)
        for value in values:
            if text == value:
                return value
        raise ValueError

    return Kind(", ".join(values), read)


def number(low: int, high: int, allowed: str) -> Kind:
    """An integer from ``low`` to ``high``, both included; text may be hexadecimal."""

    def read(given: object) -> int:
        value = _integer(given)
        if not low <= value <= high:
            raise ValueError
        return value

    return Kind(allowed, read)


def _flag(given: object) -> bool:
    if isinstance(given, bool):
        return given
    text = _text(given)
    if text not in ("true", "false"):
        raise ValueError
    return text == "true"


def _pin(given: object) -> int:
    bcm = _integer(given)
    if bcm in _EEPROM_PINS:
        raise ValueError(f"BCM {bcm} reads a HAT's EEPROM")
    if not 0 <= bcm <= _HIGHEST_PIN:
        raise ValueError(f"there is no BCM {bcm}")
    return bcm


def _pin_or_none(given: object) -> int | None:
    return None if isinstance(given, str) and _text(given) == "none" else _pin(given)


def _tile_list(given: object) -> tuple[int, ...]:
    parts = _toml(given) if isinstance(given, str) and given.strip().startswith("[") else given
    if isinstance(parts, list):
        text = ",".join(part if isinstance(part, str) else str(_integer(part)) for part in parts)
    else:
        text = _text(parts) if isinstance(parts, str) else str(_integer(parts))
    try:
        return parse_tiles(text)
    except RuleError as error:
        raise ValueError(str(error).removeprefix(f"tiles {text!r}: ")) from None


def _by_tile(given: object, read_pin: Callable[[object], T]) -> MappingProxyType[int, T]:
    pins: dict[int, T] = {}
    for tile_given, pin_given in _pairs(given):
        tile = _integer(tile_given)
        if not 1 <= tile <= HIGHEST_TILE:
            raise ValueError(f"there is no tile {tile}")
        if tile in pins:
            raise ValueError(f"tile {tile} stands twice")
        pins[tile] = read_pin(pin_given)
    if not pins:
        raise ValueError("no tile")
    return MappingProxyType(dict(sorted(pins.items())))


def _tile_pins(given: object) -> MappingProxyType[int, int]:
    return _by_tile(given, _pin)


def _expander_pin(given: object) -> str:
    name = _text(given).upper()
    if name not in _EXPANDER_PINS:
        raise ValueError(f"there is no {name!r} on an MCP23017")
    return name


def _expander_pins(given: object) -> MappingProxyType[int, str]:
    pins = _by_tile(given, _expander_pin)
    names = list(pins.values())
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{name} stands twice")
    return pins


def _expander_inputs(given: object) -> MappingProxyType[int, str]:
    pins = _expander_pins(given)
    for name in _OUTPUTS_ONLY:
        if name in pins.values():
            raise ValueError(f"{name} may not be an input, see the data sheet of the MCP23017, DS20001952D")
    return pins


def _display_bus(given: object) -> int | str:
    """The number of an I2C bus, or "spiBUS.DEVICE"."""
    if isinstance(given, str) and _SPI_BUS.fullmatch(_text(given)):
        return _text(given)
    bus = _integer(given)
    if not 0 <= bus <= _HIGHEST_BUS:
        raise ValueError
    return bus


def _spi_bus(given: object) -> str:
    text = _text(given)
    if not _SPI_BUS.fullmatch(text):
        raise ValueError
    return text


def _select_pins(given: object) -> tuple[int, ...]:
    pins = tuple(_pin(pin) for pin in _list(given))
    if len(pins) != 4:
        raise ValueError(f"{len(pins)} pins")
    return pins


def _counts(given: object) -> tuple[float, ...]:
    """36 numbers, or none."""
    counts = tuple(_count(count) for count in _list(given))
    if len(counts) not in (0, 36):
        raise ValueError(f"{len(counts)} numbers")
    return counts


def _count(given: object) -> float:
    try:
        count = float(given if type(given) in (int, float) else _text(given))  # type: ignore[arg-type]
    except ValueError:
        raise ValueError(f"{given!r} is no number") from None
    if not 0 <= count <= 1023:
        raise ValueError(f"{count:g} is not within 0 to 1023")
    return count


def _list(given: object) -> list[object]:
    """A list of TOML, or text with commas."""
    if isinstance(given, str):
        text = given.strip()
        given = _toml(text) if text.startswith("[") else text.split(",") if text else []
    if not isinstance(given, list):
        raise ValueError
    return given


def _usb_id(given: object) -> str:
    text = _text(given).lower()
    if not _USB_ID.fullmatch(text):
        raise ValueError
    return text


def _plain(given: object) -> str:
    text = _text(given)
    if any(unicodedata.category(character) in _UNSHOWABLE for character in text):
        raise ValueError("it has a control character")
    return text


def _pairs(given: object) -> Iterable[tuple[object, object]]:
    """Tile and pin of a table, of a list (tile 1 first), or of text of either kind."""
    if isinstance(given, str) and given.strip()[:1] in ("{", "["):
        given = _toml(given)
    if isinstance(given, dict):
        return given.items()
    if isinstance(given, list):
        return enumerate(given, start=1)
    parts = [part.partition("=") for part in _text(given).split(",")]
    return [(tile, bcm) for tile, _, bcm in parts]


def _names(given: object) -> tuple[str, ...]:
    if isinstance(given, str):
        given = _name_list(given.strip())
    if not isinstance(given, list):
        raise ValueError
    if not given:
        raise ValueError("no name")
    names = tuple(_name(name) for name in given)
    for name in names:
        if names.count(name) > 1 and not name.startswith(PREFIX):
            raise ValueError(f"{name!r} stands twice")
    return names


def _name_list(text: str) -> object:
    if not (text.startswith("[") and text.endswith("]")):
        return text.split(",")
    try:
        return _toml(text)
    except ValueError:  # a shell has taken the quotes: [Ann,Bob]
        return text[1:-1].split(",")


def _name(given: object) -> str:
    # Composed, so that a name typed on a phone and one from a keyboard are the same and as long.
    name = unicodedata.normalize("NFC", _text(given))
    if not name:
        raise ValueError("a name is empty")
    if len(name) > LONGEST_NAME:
        raise ValueError(f"{name!r} has {len(name)} characters, at most {LONGEST_NAME}")
    if any(unicodedata.category(character) in _UNSHOWABLE for character in name):
        raise ValueError(f"{name!r} has a control character")
    return name


def _folder(given: object) -> Path:
    text = _text(given)
    if not text or "\0" in text:
        raise ValueError
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise ValueError("there is no such home folder") from None


def _path_text(given: object) -> str:
    text = _text(given)
    if not text or "\0" in text:
        raise ValueError
    return str(Path(text).expanduser()) if text.startswith("~") else text


def _camera(given: object) -> str:
    """A camera by number is the device of that number."""
    text = str(given) if type(given) is int else _path_text(given)
    return f"/dev/video{text}" if text.isascii() and text.isdigit() else text


def _host(given: object) -> str:
    text = _text(given)
    if not 0 < len(text) <= 253 or not all(c.isascii() and (c.isalnum() or c in ".:-") for c in text):
        raise ValueError
    return text


def _text(given: object) -> str:
    """``given`` trimmed, without a pair of quotes around it."""
    if not isinstance(given, str):
        raise ValueError
    text = given.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1].strip()
    return text


def _integer(given: object) -> int:
    if type(given) is int:  # a bool is no number here
        return given
    text = _text(given)
    try:
        return int(text, 0)
    except ValueError:
        raise ValueError(f"{text!r} is no number" if text else "a number is missing") from None


def _toml(text: str) -> object:
    """The value that ``text`` is in TOML."""
    import tomllib

    try:
        parsed = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        raise ValueError("brackets, quotes and commas do not fit") from None
    if len(parsed) > 1:
        raise ValueError("more than one value")
    return parsed["value"]


_PINS_TEXT = f"BCM 2 to {_HIGHEST_PIN}"
FLAG = Kind("true, false", _flag)
PIN = Kind(_PINS_TEXT, _pin)
PIN_OR_NONE = Kind(f"{_PINS_TEXT}, none", _pin_or_none)
_EXPANDER_TEXT = "tile = pin, such as 1=GPA0,2=GPA1"
EXPANDER_INPUTS = Kind(f"{_EXPANDER_TEXT}; GPA0 to GPA6, GPB0 to GPB6", _expander_inputs)
EXPANDER_OUTPUTS = Kind(f"{_EXPANDER_TEXT}; GPA0 to GPA7, GPB0 to GPB7", _expander_pins)
DISPLAY_BUS = Kind(f"the number of an I2C bus, 0 to {_HIGHEST_BUS}, or spi0.0, spi0.1", _display_bus)
SPI_BUS = Kind("spi0.0, spi0.1, and so on", _spi_bus)
SELECT_PINS = Kind(f"four pins, such as 12,14,15,18; {_PINS_TEXT}", _select_pins)
COUNTS = Kind("36 numbers from 0 to 1023, or none", _counts)
USB_ID = Kind("VENDOR:PRODUCT in hexadecimal, as lsusb shows it, such as 2e8a:0005", _usb_id)
PLAIN = Kind("plain text", _plain)
TILES = Kind(f"1-9, 1-10, 1-12, or a list of 1 to {HIGHEST_TILE}, each once, such as 1,3,5,7,9", _tile_list)
TILE_PINS = Kind(f"tile = pin for tiles 1 to {HIGHEST_TILE}, such as 1=4,2=17; {_PINS_TEXT}", _tile_pins)
NAMES = Kind(f"names of 1 to {LONGEST_NAME} characters, people once, such as Ann,Bob,{PREFIX}good", _names)
CAMERA = Kind("auto, picamera2, a device such as /dev/video0, a folder of pictures or a video", _camera)
FILE = Kind("the path of a file", _path_text)
FOLDER = Kind("the path of a folder", _folder)
HOST = Kind("an address or a name of this machine: 127.0.0.1, 0.0.0.0 for all networks", _host)

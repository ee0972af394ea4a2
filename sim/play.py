"""The bench script's language: a line of text an action."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from firmware_host.errors import PlayError, RuleError
from firmware_host.games.sequence_dice.notation import parse_square

FLIP_EVERY_S = 0.15
PRESS_S = 0.15
LONGEST_S = 24 * 3600.0  # a year of simulated polling would never end
BUTTONS = ("roll", "next", "back")
COLOURS = ("green", "blue", "red")  # of chips

HELP = """\
players Ann Bob          start a match
roll 3 5 | roll 6        these dice
shut 1 3 | open 9        flip tiles; shut all, open all
place r2c3 green | lift r2c3      chips, with rules.game sequence-dice
press next | press back 2s        a button, pressed or held
set rules.tiles 1-10     a setting, before players
wait 2s                  time passes
fault tile 5 stuck       or: tile 7 bounce 40ms, oled gone, tiles gone, i2c gone, serial noise; mend oled
fault dice cocked        with dice.source camera; or: camera covered, camera gone; mend camera
power off | power on     the plug
expect wants roll 2      what must hold; all of it is in the README
help | quit\
"""


# Named tuples: ten dataclasses take ten times as long to define, and the bench draws first.


class Set(NamedTuple):
    """A setting."""

    key: str
    value: str


class Players(NamedTuple):
    """Start a match."""

    names: tuple[str, ...]


class Roll(NamedTuple):
    """These dice, through the configured source."""

    dice: tuple[int, ...]


class Flip(NamedTuple):
    """One flip; ``tile`` None: all."""

    tile: int | None
    to_open: bool


class Flips(NamedTuple):
    """Flips, one every so many seconds."""

    flips: tuple[Flip, ...]
    every_s: float = FLIP_EVERY_S


class Chip(NamedTuple):
    """A chip of ``colour`` is put on ``square``; empty: all that lies there is taken away."""

    square: int
    colour: str = ""


class Press(NamedTuple):
    """A button, held for so many seconds, so many times."""

    button: str
    for_s: float
    times: int = 1


class Wait(NamedTuple):
    """Time passes."""

    for_s: float


class Fault(NamedTuple):
    """``device`` breaks in this way; ``how`` empty: it is mended."""

    device: str
    how: str
    tile: int = 0
    for_s: float = 0.0


class Power(NamedTuple):
    """The plug."""

    on: bool


class Expect(NamedTuple):
    """What must hold now: the words behind ``expect``; ``is_not``: must not."""

    what: str
    words: tuple[str, ...]
    is_not: bool


Action = Set | Players | Roll | Flips | Chip | Press | Wait | Fault | Power | Expect


class Line(NamedTuple):
    """A line of a play that does something."""

    number: int
    text: str
    action: Action


def parse(text: str) -> Iterator[Line]:
    """The lines of a play; PlayError names the line and the reason."""
    for number, line in enumerate(text.splitlines(), 1):
        action = parse_line(line, number)
        if action is not None:
            yield Line(number, line.strip(), action)


def parse_line(line: str, number: int) -> Action | None:
    """The action of one line, None for a comment; PlayError with ``number`` where it is malformed."""
    try:
        words = tuple(shlex.split(_without_comment(line)))
    except ValueError as error:
        raise PlayError(f"line {number}: {str(error).lower()}") from None
    if not words:
        return None
    verb, rest = words[0], words[1:]
    reader = _READERS.get(verb)
    if reader is None:
        raise PlayError(f"line {number}: {verb!r} is none of {', '.join(_READERS)}")
    try:
        return reader(words if verb in ("shut", "open", "expect", "!expect", "fault", "mend") else rest)
    except PlayError as error:
        raise PlayError(f"line {number}: {error}") from None


def _without_comment(line: str) -> str:
    """``line`` up to a ``#`` that begins a word; within one, as in ``Ann#1``, it is a letter like others."""
    quote = ""
    for i, character in enumerate(line):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == "#" and (i == 0 or line[i - 1].isspace()):
            return line[:i]
    return line


def _set(words: tuple[str, ...]) -> Action:
    if len(words) < 2:
        raise PlayError("set KEY VALUE")
    return Set(words[0], " ".join(words[1:]))


def _players(words: tuple[str, ...]) -> Action:
    if not words:
        raise PlayError("players NAME ...: at least one")
    return Players(words)


def _roll(words: tuple[str, ...]) -> Action:
    dice = tuple(_number(word, 1, 6, "die") for word in words)
    if not 1 <= len(dice) <= 2:
        raise PlayError("roll: one die or two")
    return Roll(dice)


def _flips(words: tuple[str, ...]) -> Action:
    every_s = FLIP_EVERY_S
    if len(words) > 2 and words[-2] == "every":
        every_s, words = _seconds(words[-1]), words[:-2]
    flips: list[Flip] = []
    for part in " ".join(words).split(","):
        verb, *tiles = part.split() or [""]
        if verb not in ("shut", "open") or not tiles:
            raise PlayError(f"{part.strip()!r}: write shut or open, then tiles or all")
        if tiles == ["all"]:
            flips.append(Flip(None, verb == "open"))
        else:
            flips += [Flip(_number(tile, 1, 12, "tile"), verb == "open") for tile in tiles]
    return Flips(tuple(flips), every_s)


def _place(words: tuple[str, ...]) -> Action:
    if len(words) != 2 or words[1] not in COLOURS:
        raise PlayError(f"place: a square and a colour, {', '.join(COLOURS)}, as r2c3 green")
    return Chip(_square(words[0]), words[1])


def _lift(words: tuple[str, ...]) -> Action:
    if len(words) != 1:
        raise PlayError("lift: a square, as r2c3")
    return Chip(_square(words[0]))


def _square(word: str) -> int:
    try:
        return parse_square(word)
    except RuleError:
        raise PlayError(f"{word!r} is no square: r0c0 to r5c5") from None


def _press(words: tuple[str, ...]) -> Action:
    if words[1:] == ("twice",) and words[0] in BUTTONS:
        return Press(words[0], PRESS_S, 2)
    if not 1 <= len(words) <= 2 or words[0] not in BUTTONS:
        raise PlayError(f"press: one of {', '.join(BUTTONS)}, then how long, as 2s, or twice")
    return Press(words[0], _seconds(words[1]) if len(words) == 2 else PRESS_S)


def _wait(words: tuple[str, ...]) -> Action:
    if len(words) != 1:
        raise PlayError("wait: how long, as 2s")
    return Wait(_seconds(words[0]))


_FAULTS = {
    "oled": ("gone",),
    "tiles": ("gone",),
    "chips": ("gone",),
    "i2c": ("gone",),
    "expander": ("gone", "reset"),
    "serial": ("gone", "noise", "reset", "hang"),
    "camera": ("gone", "covered", "dim", "bumped", "hand"),
    "dice": ("cocked", "touching", "stacked", "short"),
}


def _fault(words: tuple[str, ...]) -> Action:
    match words:
        case ["fault", "tile", tile, "bounce", time]:
            return Fault("tile", "bounce", _number(tile, 1, 12, "tile"), _seconds(time))
        case ["fault", "tile", tile, "stuck"]:
            return Fault("tile", "stuck", _number(tile, 1, 12, "tile"))
        case ["fault", device, how] if how in _FAULTS.get(device, ()):
            return Fault(device, how)
        case ["mend", "tile", tile]:
            return Fault("tile", "", _number(tile, 1, 12, "tile"))
        case ["mend", device] if device in _FAULTS:
            return Fault(device, "")
    faults = ", ".join(f"{device} {' or '.join(hows)}" for device, hows in _FAULTS.items())
    raise PlayError(
        f"{' '.join(words)!r}: write tile N bounce 40ms, tile N stuck, {faults}; "
        f"mend tile N, mend {' or '.join(_FAULTS)}"
    )


def _power(words: tuple[str, ...]) -> Action:
    if words not in (("on",), ("off",)):
        raise PlayError("power: on or off")
    return Power(words == ("on",))


_EXPECTATIONS = ("open", "shut", "legal", "wants", "turn", "score", "winner", "screen", "event", "pixels")


def _expect(words: tuple[str, ...]) -> Action:
    what = words[1] if len(words) > 1 else ""
    rest = words[2:]
    if what not in _EXPECTATIONS:
        raise PlayError(f"expect {what!r}: one of {', '.join(_EXPECTATIONS)}")
    needs = {"turn": 1, "score": 2, "screen": 1, "pixels": 1}.get(what)
    if needs is not None and len(rest) != needs:
        raise PlayError(f"expect {what}: {needs} word{'s' if needs > 1 else ''}, not {len(rest)}")
    if what in ("event", "wants", "winner") and not rest:
        raise PlayError(f"expect {what}: what?")
    if what == "wants":
        _check_wants(rest)
    if what in ("open", "shut", "legal"):
        for word in " ".join(rest).replace(",", " ").split() if what == "legal" else rest:
            if what == "legal" and word.startswith("r"):
                _square(word)
            else:
                _number(word, 1, 12, "tile")
    if what == "score" and re.fullmatch(r"-?\d+", rest[1], re.ASCII) is None:
        raise PlayError(f"{rest[1]!r} is no score")
    if what == "event" and rest[0] not in _events():
        raise PlayError(f"expect event {rest[0]!r}: one of {', '.join(_events())}")
    if what == "event" and not all("=" in word for word in rest[1:]):
        raise PlayError("expect event NAME key=value ...")
    return Expect(what, rest, words[0].startswith("!"))


@cache
def _events() -> list[str]:
    """The names of all public events."""
    from firmware_host.games.records import RECORDS  # late, like the heart: the bench draws first
    from firmware_host.table.effects import Saying

    return sorted({*RECORDS, *(saying.event for saying in Saying.__subclasses__()), "screen"})


def _check_wants(rest: tuple[str, ...]) -> None:
    kind, *numbers = rest
    if kind in ("place", "lift") and numbers:
        for word in numbers:
            _square(word)
        return
    if kind not in ("roll", "move", "open", "shut") or (kind == "move") == bool(numbers):
        raise PlayError("expect wants: roll N ..., move, open N ..., shut N ..., place or lift rNcN ...")
    for word in numbers:
        _number(word, 1, 12, kind)


def _number(word: str, low: int, high: int, what: str) -> int:
    if not word.isascii() or not word.isdigit() or not low <= int(word) <= high:
        raise PlayError(f"{word!r} is no {what}: {low} to {high}")
    return int(word)


_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def _seconds(word: str) -> float:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|m|h)", word, re.ASCII)
    if found is None:
        raise PlayError(f"{word!r} is no time: write 30ms, 2s, 5m")
    seconds = float(found[1]) * _UNITS[found[2]]
    if seconds > LONGEST_S:
        raise PlayError(f"{word!r} is too long: at most 24h")
    return seconds


_READERS: dict[str, Callable[[tuple[str, ...]], Action]] = {
    "set": _set,
    "players": _players,
    "roll": _roll,
    "shut": _flips,
    "open": _flips,
    "place": _place,
    "lift": _lift,
    "press": _press,
    "wait": _wait,
    "fault": _fault,
    "mend": _fault,
    "power": _power,
    "expect": _expect,
    "!expect": _expect,
}

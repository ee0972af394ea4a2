"""What came in: everything that the table's core ever hears."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from firmware_host.games.counsel import Counsel

from firmware_host.games.game import TILES
from firmware_host.table.wishes import Wish

COVERED = 4  # level of a square: a chip lies there, whose colour no sensor tells
UNKNOWN = -1  # level of a square: no chip of ours makes this


class Button(IntEnum):
    """The three buttons, in the order of their sensor's levels."""

    ROLL = 0
    NEXT = 1
    BACK = 2


@dataclass(frozen=True, slots=True)
class BoxSeen:
    """The raw levels of ``device``, by sensor place; None where there is no sensor.

    ``tiles``: 1 open, 0 shut.  ``chips``: 0 empty, 1 to 3 a colour, :data:`COVERED`, :data:`UNKNOWN`.
    """

    levels: tuple[int | None, ...]
    device: str = TILES


@dataclass(frozen=True, slots=True)
class ButtonsSeen:
    """The raw levels of the buttons: 1 down."""

    levels: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A whole press; ``held``: a second or longer."""

    button: Button
    held: bool


@dataclass(frozen=True, slots=True)
class DiceSeen:
    """A throw from the dice source named ``source``."""

    dice: tuple[int, ...]
    source: str


@dataclass(frozen=True, slots=True)
class DiceRefused:
    """A throw that the dice source cannot tell; ``reason``: its public code, such as ``cocked``."""

    reason: str


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """``device`` (``tiles buttons dice camera display store lamps buzzer``) does not answer."""

    device: str
    reason: str


@dataclass(frozen=True, slots=True)
class DeviceBack:
    """``device`` answers again."""

    device: str


@dataclass(frozen=True, slots=True)
class MatchWanted:
    """Start a match between ``players``, ``bot:good`` and the like among them.

    ``rules`` as in ``match_started``, a missing key has its default.
    """

    rules: Mapping[str, Any] = field(hash=False)
    players: tuple[str, ...]
    source: str = "roller"


@dataclass(frozen=True, slots=True)
class BestKnown:
    """The lowest total that the player of a match alone ever reached by its rules, this match included."""

    best: int


@dataclass(frozen=True, slots=True)
class Advised:
    """What was asked about the state at ``seq`` of the journal."""

    seq: int
    counsel: Counsel


@dataclass(frozen=True, slots=True)
class PhoneOffered:
    """The page at ``url`` takes these ``digits``; ``code``: the rows of its QR code, 1 is dark."""

    url: str
    digits: str
    code: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PhoneAsked:
    """The keeper's phone asks for something, and for an answer with this number."""

    number: int
    wish: Wish


@dataclass(frozen=True, slots=True)
class Stopping:
    """The service is about to stop: say so on the screen."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A moment that the core asked for with ``WakeAt`` has come."""


Event = (
    BoxSeen
    | ButtonsSeen
    | ButtonPressed
    | DiceSeen
    | DiceRefused
    | DeviceLost
    | DeviceBack
    | MatchWanted
    | BestKnown
    | Advised
    | PhoneOffered
    | PhoneAsked
    | Stopping
    | Tick
)

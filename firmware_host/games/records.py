"""What happened, as it is kept: the public events of the journal.

Each record is a frozen value; :func:`to_fields` and :func:`from_fields` turn it
into the public JSON object and back.  Players appear by their shown name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from enum import StrEnum
from typing import Any, ClassVar

from firmware_host.errors import RuleError


class EndReason(StrEnum):
    """Why a turn ended."""

    NO_MOVE = "no_move"  # the roll fits no set of open tiles
    SHUT = "shut"  # the box is shut
    UNLUCKY = "unlucky"  # a total of seven, where it is unlucky
    MOVED = "moved"  # battle, chips: one roll a turn, and it was played
    PASSED = "passed"  # battle: the roll fits nothing, the other rolls
    ROLLED = "rolled"  # chips: rolled for the start, which is no move
    BLOCKED = "blocked"  # chips: nothing can be done with this roll
    ENDED_BY_HAND = "ended_by_hand"  # somebody ended it
    LEFT = "left"  # the player left the match


class Record:
    """Base of all records; ``event`` is the public name."""

    __slots__ = ()
    event: ClassVar[str]


@dataclass(frozen=True, slots=True)
class MatchStarted(Record):
    """A match began.

    ``rules`` holds every key and value, ``pot`` what lies in the pot from earlier matches, ``opponents`` the
    kind of each player whom the box plays, by name.
    """

    event: ClassVar[str] = "match_started"
    match: int
    game: str
    rules: Mapping[str, Any] = field(hash=False)
    players: tuple[str, ...]
    pot: int = 0
    opponents: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class TurnStarted(Record):
    """``player`` is to roll; rounds count from 1.  Round 0: to roll for the start."""

    event: ClassVar[str] = "turn_started"
    player: str
    round: int


@dataclass(frozen=True, slots=True)
class Rolled(Record):
    """A roll was accepted; ``source`` is the name of a dice source."""

    event: ClassVar[str] = "rolled"
    player: str
    dice: tuple[int, ...]
    total: int
    source: str


@dataclass(frozen=True, slots=True)
class MoveMade(Record):
    """A complete move stands; ``open`` are the tiles open after it.

    ``opened``: what the raiser of a battle opened; then ``shut`` is empty.
    """

    event: ClassVar[str] = "move_made"
    player: str
    shut: tuple[int, ...]
    total: int
    open: tuple[int, ...]
    opened: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ChipPlaced(Record):
    """A chip of ``colour`` (``green blue red``) lies on an empty square; ``cell``: row and column."""

    event: ClassVar[str] = "chip_placed"
    player: str
    cell: tuple[int, int]
    colour: str


@dataclass(frozen=True, slots=True)
class ChipRemoved(Record):
    """``player`` took a chip of ``colour`` off the board."""

    event: ClassVar[str] = "chip_removed"
    player: str
    cell: tuple[int, int]
    colour: str


@dataclass(frozen=True, slots=True)
class ChipReplaced(Record):
    """A chip of ``colour`` lies where one of the colour ``was`` lay."""

    event: ClassVar[str] = "chip_replaced"
    player: str
    cell: tuple[int, int]
    colour: str
    was: str


@dataclass(frozen=True, slots=True)
class TurnEnded(Record):
    """A turn is over; ``score`` is what it cost, None where a turn has none."""

    event: ClassVar[str] = "turn_ended"
    player: str
    open: tuple[int, ...]
    score: int | None
    reason: EndReason


@dataclass(frozen=True, slots=True)
class RoundEnded(Record):
    """A round is over; ``scores`` of those who played, ``totals`` of the match, ``out``: all who are out."""

    event: ClassVar[str] = "round_ended"
    round: int
    scores: Mapping[str, int] = field(hash=False)
    totals: Mapping[str, int] = field(hash=False)
    out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchEnded(Record):
    """The match is over; ``scores`` are totals, ``stakes`` the net of each, ``pot`` what stays."""

    event: ClassVar[str] = "match_ended"
    winners: tuple[str, ...]
    scores: Mapping[str, int] = field(hash=False)
    stakes: Mapping[str, int] = field(hash=False)
    reason: str
    pot: int = 0


@dataclass(frozen=True, slots=True)
class Undone(Record):
    """All since ``undid`` (a ``seq``), itself included, was taken back."""

    event: ClassVar[str] = "undone"
    undid: int


@dataclass(frozen=True, slots=True)
class Corrected(Record):
    """Somebody set ``what`` (``dice``, ``score``, ``turn``) by hand; ``is_`` is ``is`` in public."""

    event: ClassVar[str] = "corrected"
    what: str
    player: str
    was: Any
    is_: Any


@dataclass(frozen=True, slots=True)
class PlayerLeft(Record):
    """``player`` plays no more in this match."""

    event: ClassVar[str] = "player_left"
    player: str


@dataclass(frozen=True, slots=True)
class Resumed(Record):
    """The table came up again in a match; tiles to open and to shut, chips to place and squares to clear."""

    event: ClassVar[str] = "resumed"
    match: int
    open: tuple[int, ...]
    shut: tuple[int, ...]
    place: tuple[str, ...] = ()
    lift: tuple[str, ...] = ()


RECORDS: Mapping[str, type[Record]] = {
    kind.event: kind
    for kind in (
        MatchStarted, TurnStarted, Rolled, MoveMade, ChipPlaced, ChipRemoved, ChipReplaced, TurnEnded,
        RoundEnded, MatchEnded, Undone, Corrected, PlayerLeft, Resumed,
    )
}  # fmt: skip


def to_fields(record: Record) -> dict[str, Any]:
    """The public fields of ``record`` for JSON: tuples as lists; a field at its default is left out."""
    out: dict[str, Any] = {}
    for f in fields(record):  # type: ignore[arg-type]
        value = getattr(record, f.name)
        default = f.default if f.default_factory is MISSING else f.default_factory()
        if value != default:
            out[f.name.rstrip("_")] = list(value) if isinstance(value, tuple) else value
    return out


def from_fields(event: str, values: Mapping[str, Any]) -> Record:
    """The record named ``event``; keys it does not know (of a later release) are ignored.

    Raises RuleError for an unknown event, a missing field, or a reason of a later release.
    """
    kind = RECORDS.get(event)
    if kind is None:
        raise RuleError(f"no such event: {event!r}")
    names = {f.name.rstrip("_"): f.name for f in fields(kind)}  # type: ignore[arg-type]
    known = {names[key]: value for key, value in values.items() if key in names}
    try:
        if "reason" in known and kind is TurnEnded:
            known["reason"] = EndReason(known["reason"])
        return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in known.items()})
    except (TypeError, ValueError) as error:
        raise RuleError(f"event {event!r}: {error}") from None

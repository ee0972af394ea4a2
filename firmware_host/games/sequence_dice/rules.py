"""What a roll asks for, and the settings (004)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from firmware_host.errors import RuleError
from firmware_host.games.match_rules import Kind, MatchRules
from firmware_host.games.opponents import Opponent
from firmware_host.games.sequence_dice.board import ALL, BY_NUMBER, LENGTHS, SIZE, SQUARES, squares_of
from firmware_host.games.sequence_dice.position import Position

DEFENSIVE, WILD = 10, 11
EXTRA_TURN = (2, 12)
_REMOVABLE = ALL & ~(BY_NUMBER[2] | BY_NUMBER[12])


class Do(StrEnum):
    """What a player does with a roll; every roll asks for one of these."""

    PLACE = "place"  # a chip of one's own on an empty square
    REPLACE = "replace"  # an opponent's chip by one of one's own
    REMOVE = "remove"  # an opponent's chip
    PASS = "pass"  # nothing can be done


@dataclass(frozen=True, slots=True)
class Action:
    """One legal action; ``square`` is None for a pass."""

    do: Do
    square: int | None

    def to_fields(self) -> dict[str, Any]:
        """``do`` and ``cell`` (row, column), ready for JSON."""
        cell = None if self.square is None else list(divmod(self.square, SIZE))
        return {"do": self.do.value, "cell": cell}


PASS = Action(Do.PASS, None)
_ACTIONS = {do: tuple(Action(do, square) for square in range(SQUARES)) for do in Do}


def options(position: Position, colour: int, total: int) -> tuple[Do, int]:
    """What ``colour`` must do with a roll of ``total`` (2..12), and the set of squares to choose from.

    The set is empty where nothing can be done.

    >>> do, squares = options(Position(), 0, 2)
    >>> do.value, squares == BY_NUMBER[2]
    ('place', True)
    """
    if total == DEFENSIVE:
        removable = position.others(colour) & _REMOVABLE
        return (Do.REMOVE if removable else Do.PASS), removable
    asked = ALL if total == WILD else BY_NUMBER[total]
    empty = asked & ~position.covered
    if empty:
        return Do.PLACE, empty
    replaceable = asked & position.others(colour)
    return (Do.REPLACE if replaceable else Do.PASS), replaceable


def legal_actions(position: Position, colour: int, total: int) -> tuple[Action, ...]:
    """All legal actions of ``colour`` for a roll of ``total`` (2..12), by square; a pass alone if none."""
    do, squares = options(position, colour, total)
    if not squares:
        return (PASS,)
    actions = _ACTIONS[do]
    return tuple([actions[square] for square in squares_of(squares)])


def after(position: Position, colour: int, action: Action) -> Position:
    """The position after a legal ``action`` of ``colour``."""
    if action.square is None:
        return position
    if action.do is Do.REMOVE:
        return position.without_chip(action.square)
    return position.with_chip(action.square, colour)


def sides(players: int) -> int:
    """How many colours so many players have: two teams where they are four."""
    return 3 if players == 3 else 2


@dataclass(frozen=True, slots=True)
class Rules:
    """``in_a_row``: chips of a line that wins.

    ``extra_after_blocked``: a roll of 2 or 12 brings the extra turn also where nothing could be done.
    """

    in_a_row: int = 5
    extra_after_blocked: bool = False

    def __post_init__(self) -> None:
        """Raises RuleError for another length of a line."""
        if self.in_a_row not in LENGTHS:
            raise RuleError(f"rules.in_a_row {self.in_a_row!r}: 5 or 6")

    def settings(self) -> dict[str, Any]:
        """Every key and value; :meth:`from_match` reads it back, from full keys."""
        return {"in_a_row": self.in_a_row, "extra_after_blocked": self.extra_after_blocked}

    @classmethod
    def from_match(cls, settings: Mapping[str, Any]) -> Rules:
        """The rules in a match's settings, whose keys begin with ``rules.``; a missing key has its default.

        Raises RuleError for a value that does not exist.
        """
        blocked = bool(settings.get("rules.extra_after_blocked", False))
        return cls(settings.get("rules.in_a_row", LENGTHS[0]), blocked)

    @property
    def opponents(self) -> tuple[Opponent, ...]:
        """How the box may play a seat."""
        return (Opponent.NORMAL, Opponent.HARD, Opponent.CASUAL)

    def check(self, match: MatchRules, source: str) -> None:
        """Raises RuleError where the match or the dice's ``source`` is nothing for this game."""
        if match.kind is not Kind.ONE_ROUND:
            raise RuleError(f"match.kind {match.kind} has no meaning in rules.game sequence-dice")
        if source == "none":
            raise RuleError("dice.source none: in rules.game sequence-dice the dice must be known")

    def check_players(self, match: MatchRules, players: tuple[str, ...]) -> None:
        """Raises RuleError where these ``players``, each name once, cannot play so."""
        names = ", ".join(players)
        if not 2 <= len(players) <= 4:
            raise RuleError(f"match.players {names}: Sequence Dice is for two, three or four")
        if len(players) == 3 and self.in_a_row == 6:
            raise RuleError("rules.in_a_row 6 is for two sides, never for three players")

    def brings_extra_turn(self, total: int, *, blocked: bool) -> bool:
        """The same player takes one more turn after a roll of ``total``."""
        return total in EXTRA_TURN and (self.extra_after_blocked or not blocked)

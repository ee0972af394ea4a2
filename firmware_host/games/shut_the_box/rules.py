"""The settings of Shut the Box, and what they allow.

Sources of the rules: the texts named 000, 002 and 003 in the rule book
(000: playing cards, 002: the pub, 003: Masters Traditional Games).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, Self, TypeVar

from firmware_host.errors import RuleError
from firmware_host.games.match_rules import Kind, MatchRules
from firmware_host.games.opponents import Opponent
from firmware_host.games.shut_the_box import notation
from firmware_host.games.shut_the_box.box import Box, tiles_to_mask

Shut = tuple[int, ...]
"""A set of tiles shut for one roll, ascending."""


class _Arithmetic(Protocol):
    """What a score can do, whether it is one number or an array of them."""

    def __add__(self, other: int, /) -> Self: ...
    def __mul__(self, other: int, /) -> Self: ...


_Points = TypeVar("_Points", bound=_Arithmetic)


class OneDie(StrEnum):
    """When one die may be rolled instead of two."""

    HIGH_DOWN = "high-down"  # no open tile is above 6
    SUM_AT_MOST_6 = "sum-at-most-6"  # the open tiles add up to 6 or less
    SUM_BELOW_6 = "sum-below-6"  # the open tiles add up to 5 or less
    ONLY_1 = "only-1"  # tile 1 alone is open
    NEVER = "never"


class Sets(StrEnum):
    """Which sets of tiles a roll may shut."""

    ANY = "any"  # any set that adds up to the total
    AT_MOST_TWO = "at-most-two"  # one tile or two
    THAI = "thai"  # exactly one tile: die a, die b or a + b; two dice always


class FirstRoll(StrEnum):
    """What the first roll of a turn must shut."""

    FREE = "free"
    TWO_TO_GO = "2-to-go"  # a set with tile 2
    THREE_TO_GO = "3-to-go"  # a set with tile 3


class Scoring(StrEnum):
    """What the open tiles cost at the end of a turn."""

    SUM = "sum"  # 1, 4, 9 open: 14
    DIGITS = "digits"  # read from left to right: 149
    COUNT = "count"  # three tiles: 3


@dataclass(frozen=True, slots=True)
class Rules:
    """How one turn is played.  The defaults are 003's."""

    tiles: tuple[int, ...] = tuple(range(1, 10))
    one_die: OneDie = OneDie.HIGH_DOWN
    one_die_compulsory: bool = False
    sets: Sets = Sets.ANY
    first_roll: FirstRoll = FirstRoll.FREE
    unlucky_7: bool = False
    scoring: Scoring = Scoring.SUM

    def __post_init__(self) -> None:
        """Raises RuleError where two settings contradict each other."""
        must = _FIRST_TILE.get(self.first_roll)
        if must is not None and must not in self.tiles:
            tiles = notation.format_tiles(self.tiles)
            raise RuleError(f"rules.first_roll {self.first_roll} needs tile {must}, the tiles are {tiles}")
        if self.one_die_compulsory and (self.one_die is OneDie.NEVER or self.sets is Sets.THAI):
            why = "sets thai rolls two dice always" if self.sets is Sets.THAI else "one_die is never"
            raise RuleError(f"rules.one_die_compulsory cannot be true: {why}")

    @property
    def places(self) -> tuple[int, ...]:
        """The sensor's places of the tiles: tile ``n`` lies at ``n - 1``."""
        return tuple(tile - 1 for tile in self.tiles)

    def settings(self) -> dict[str, str | bool]:
        """Every key and value as text and booleans; :meth:`from_settings` reads it back."""
        return {
            "tiles": notation.format_tiles(self.tiles),
            "one_die": self.one_die.value,
            "one_die_compulsory": self.one_die_compulsory,
            "sets": self.sets.value,
            "first_roll": self.first_roll.value,
            "unlucky_7": self.unlucky_7,
            "scoring": self.scoring.value,
        }

    @classmethod
    def from_match(cls, settings: Mapping[str, Any]) -> Rules:
        """The rules in a match's settings, whose keys begin with ``rules.``; others are passed over."""
        return cls.from_settings({key.removeprefix("rules."): value for key, value in settings.items()})

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Rules:
        """Rules from :meth:`settings`; a missing key has its default.

        Raises RuleError for a value that does not exist.
        """
        try:
            return cls(
                tiles=notation.parse_tiles(str(settings.get("tiles", "1-9"))),
                one_die=OneDie(settings.get("one_die", OneDie.HIGH_DOWN)),
                one_die_compulsory=bool(settings.get("one_die_compulsory", False)),
                sets=Sets(settings.get("sets", Sets.ANY)),
                first_roll=FirstRoll(settings.get("first_roll", FirstRoll.FREE)),
                unlucky_7=bool(settings.get("unlucky_7", False)),
                scoring=Scoring(settings.get("scoring", Scoring.SUM)),
            )
        except ValueError as error:
            raise RuleError(str(error)) from None

    @property
    def opponents(self) -> tuple[Opponent, ...]:
        """How the box may play a seat."""
        return (Opponent.PERFECT, Opponent.GOOD, Opponent.CASUAL)

    def check(self, match: MatchRules, source: str) -> None:
        """Raises RuleError where the match or the dice's ``source`` contradicts these rules."""
        if match.kind is not Kind.BATTLE:
            return
        if source == "none":
            raise RuleError("dice.source none: in match.kind battle the dice must be known")
        for key in ("first_roll", "unlucky_7", "scoring"):
            if getattr(self, key) != getattr(Rules(), key):
                raise RuleError(f"rules.{key} has no meaning in match.kind battle")

    def check_players(self, match: MatchRules, players: tuple[str, ...]) -> None:
        """Raises RuleError where these ``players``, each name once, cannot play so."""
        if match.kind is Kind.BATTLE and len(players) != 2:
            raise RuleError(f"match.players {', '.join(players)}: a battle is for exactly two")


_FIRST_TILE = {FirstRoll.TWO_TO_GO: 2, FirstRoll.THREE_TO_GO: 3}


def _sets_by_total() -> tuple[tuple[tuple[int, Shut], ...], ...]:
    """For each total 0..12 all sets of distinct tiles 1..12 that add up to it, as (mask, tiles).

    Sorted by size, then by tiles.  70 sets in all: small enough to build at import.
    """
    by_total: list[list[Shut]] = [[] for _ in range(notation.HIGHEST_TILE + 1)]
    by_total[0].append(())
    for tile in range(1, notation.HIGHEST_TILE + 1):
        for total in range(notation.HIGHEST_TILE, tile - 1, -1):
            by_total[total] += [(*shut, tile) for shut in by_total[total - tile]]
    return tuple(
        tuple((tiles_to_mask(shut), shut) for shut in sorted(sets, key=lambda shut: (len(shut), shut)))
        for sets in by_total
    )


_SETS = _sets_by_total()


def legal_shuts(box: Box, dice: tuple[int, ...], rules: Rules) -> tuple[Shut, ...]:
    """All sets of open tiles that ``dice`` may shut under ``rules``.

    ``dice``: one or two values 1..6.  Sorted by size, then by tiles.  Empty when
    the turn is over.  A first-roll setting counts while all tiles are open.

    Raises RuleError for other dice.

    >>> legal_shuts(Box.parse("1234-----"), (2, 3), Rules())
    ((1, 4), (2, 3))
    """
    if not 1 <= len(dice) <= 2 or not all(1 <= die <= 6 for die in dice):
        raise RuleError(f"dice {dice!r}: one or two values from 1 to 6")
    total = sum(dice)
    if rules.unlucky_7 and total == 7:
        return ()
    if rules.sets is Sets.THAI:
        singles = sorted({*dice, total})
        found: tuple[Shut, ...] = tuple((tile,) for tile in singles if box.mask >> (tile - 1) & 1)
    else:
        most = 2 if rules.sets is Sets.AT_MOST_TWO else notation.HIGHEST_TILE
        is_shut = ~box.mask
        found = tuple(tiles for mask, tiles in _SETS[total] if not mask & is_shut and len(tiles) <= most)
    must = _FIRST_TILE.get(rules.first_roll)
    if must is not None and box.is_full:
        return tuple(tiles for tiles in found if must in tiles)
    return found


def dice_allowed(box: Box, rules: Rules) -> tuple[int, ...]:
    """The numbers of dice that may be rolled now: ``(2,)``, ``(1, 2)`` or ``(1,)``.

    >>> dice_allowed(Box.parse("---456---"), Rules())
    (1, 2)
    """
    if rules.sets is Sets.THAI or not one_die_allowed(box.open_tiles, rules.one_die):
        return (2,)
    return (1,) if rules.one_die_compulsory else (1, 2)


def one_die_allowed(tiles: tuple[int, ...], rule: OneDie) -> bool:
    """May one die be rolled while ``tiles`` are still to be moved?"""
    if rule is OneDie.HIGH_DOWN:
        return all(tile <= 6 for tile in tiles)
    if rule is OneDie.SUM_AT_MOST_6:
        return sum(tiles) <= 6
    if rule is OneDie.SUM_BELOW_6:
        return sum(tiles) < 6
    return rule is OneDie.ONLY_1 and tiles == (1,)


def score(box: Box, scoring: Scoring) -> int:
    """What the open tiles cost; 0 when all are shut.

    >>> score(Box.parse("1--4----9"), Scoring.DIGITS)
    149
    """
    points = 0
    for tile in box.open_tiles:
        points = add_to_score(points, tile, scoring)
    return points


def add_to_score(points: _Points, tile: int, scoring: Scoring) -> _Points:
    """The score with ``tile`` open as well, which stands right of all tiles that made up ``points``.

    ``points`` may be an array of scores as well as one.
    """
    if scoring is Scoring.SUM:
        return points + tile
    if scoring is Scoring.COUNT:
        return points + 1
    shift: int = 10 ** len(str(tile))
    return points * shift + tile

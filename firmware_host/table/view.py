"""What the person at the table is to see: plain values, from which screens are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from firmware_host.table.dialog import Page

if TYPE_CHECKING:
    from firmware_host.games.counsel import Review


class Scene(Enum):
    """Which screen is shown."""

    TITLE = auto()  # no match yet
    ROLL = auto()  # a roll is wanted; nothing else is pending
    THROW = auto()  # people are to throw their dice before the camera
    MOVE = auto()  # a roll waits for its tiles (nothing or only a part of a legal set lies)
    DONE = auto()  # the tiles are a legal set; the next roll is wanted, until then it can be taken back
    PUT_RIGHT = auto()  # box and game disagree: tiles to open and to shut
    CONFIRM = auto()  # tiles without a working sensor: were they moved so?
    FREE = auto()  # dice unknown: flip what was thrown; *next* ends the turn
    MENU = auto()  # something to choose or to type
    OVER = auto()  # the match has its winners
    PAUSED = auto()  # the service is stopping; all is saved


class Notice(Enum):
    """A short answer to a slip; stands for some seconds."""

    TILES_FIRST = auto()  # rolled before the tiles add up
    CHIP_FIRST = auto()  # rolled before the chip is where it is to be
    NOT_NOW = auto()  # a roll that is not wanted here
    NO_DICE = auto()  # the dice source does not answer
    TWO_DICE = auto()  # one die asked for, two are to be rolled
    ONE_DIE = auto()  # two dice asked for, one is to be rolled
    STUCK = auto()  # the same tiles are to be put right for long: *next* held takes the game's word
    THINKING = auto()  # the box makes up its mind for a seat that it plays
    UNDONE = auto()  # one step was taken back
    NOTHING_TO_UNDO = auto()  # back was held at the start of the match
    RESUMED = auto()  # the table came up again in the same match
    DAMAGED = auto()  # the journal was damaged: what could be read of it goes on


class Brightness(Enum):
    """How bright the panel is."""

    FULL = auto()
    DIM = auto()  # idle for 10 minutes
    OFF = auto()  # idle for 30 minutes


@dataclass(frozen=True, slots=True)
class TurnResult:
    """How the last turn ended, shown until the next roll.

    ``dice``: the last roll of the turn, empty where there was none.
    ``reason``: the public reason of ``turn_ended``, such as ``no_move``.
    """

    player: str
    score: int | None
    reason: str
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Hint:
    """``best``: tiles, or before a roll how many dice, as ``(1,)``.

    ``rival``: the next best or, where it ``is_begun``, what is being made; empty: there is no other.
    ``cost``: what that gives away, in points or (``is_chance``) as a part of a win.
    """

    best: tuple[int, ...]
    rival: tuple[int, ...] = ()
    cost: float = 0.0
    is_begun: bool = False
    is_chance: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """A board of chips; squares are numbers, row by row.

    ``squares``: what lies there: 0 nothing, 1 to 3 green, blue, red, else it is not known.  ``marked``: those
    that may be used, are to be put right, or have won; ``is_blinking``: they are dark just now.
    ``asks``: what the roll asks for, ``place``, ``replace`` or ``remove``; ``start``: everyone rolls for the
    start.  ``ordered``: the square that the box wants, for a seat that it plays.  ``colour``: of who plays;
    ``victim``: whose chip goes, empty where there are two such.  ``place``, ``lift``: PUT_RIGHT and CONFIRM.
    ``blind``: squares without a sensor.  ``used_up``: colours whose chips all lie on the board.
    """

    squares: tuple[int, ...]
    marked: frozenset[int] = frozenset()
    is_blinking: bool = False
    asks: str = ""
    ordered: int | None = None
    colour: str = ""
    victim: str = ""
    place: tuple[tuple[int, str], ...] = ()
    lift: tuple[int, ...] = ()
    blind: frozenset[int] = frozenset()
    used_up: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """All that a screen may show; of Sequence Dice there is a ``board``, and no tiles.

    ``tiles``: the box's numbers, ascending; ``open``: those that lie open, and before a roll or
    after the match those open in the game's own box.  ``seat`` counts from 0.
    ``dice``: the present roll, or in DONE the roll just played; ``tumble``: 0, or
    the frame (1, 2, ...) of the rolling animation, while which the dice are not told yet.
    ``to_shut``: MOVE: what is still missing of the total (total minus tiles down).
    ``dice_allowed``: ROLL and DONE: ``(2,)``, ``(1, 2)`` or ``(1,)``; empty in DONE: the last tile is
    down and about to win.  ``must_open``, ``must_shut``: PUT_RIGHT and CONFIRM; in MOVE ``must_shut`` is what
    is still to be shut for a seat that the box plays.
    ``awaited``: THROW: so many dice; ``refused``: why the last throw could not be told, a camera's code.
    ``typed``: digits of a throw that is being typed, the last one still to be taken; ``typed_count``: of how
    many dice.  ``can_set_dice``: a throw was undone and may be set by hand.  ``page``: MENU.
    ``best``: OVER, alone: the lowest total ever by these rules, this match included.
    ``blind``: tiles played without a sensor.  ``totals``: name, match total and
    whether the player has played this round, by seat.  ``troubles``: devices that are lost,
    by name (``display tiles buttons dice camera store``).  ``hint``: MOVE and ROLL.  ``chances``: to win, by
    seat, in percent; empty: not known or not wanted.  ``review``: of the turn before.  ``lit``: the tiles
    to point at: of the hint, of the box's own move, to put right, else all that still fit the roll.
    """

    scene: Scene
    player: str = ""
    seat: int = 0
    tiles: tuple[int, ...] = ()
    open: tuple[int, ...] = ()
    dice: tuple[int, ...] = ()
    tumble: int = 0
    to_shut: int = 0
    dice_allowed: tuple[int, ...] = ()
    must_open: tuple[int, ...] = ()
    must_shut: tuple[int, ...] = ()
    awaited: int = 0
    refused: str = ""
    typed: tuple[int, ...] = ()
    typed_count: int = 0
    can_set_dice: bool = False
    page: Page | None = None
    lit: frozenset[int] = frozenset()
    blind: tuple[int, ...] = ()
    totals: tuple[tuple[str, int, bool], ...] = ()
    last_turn: TurnResult | None = None
    winners: tuple[str, ...] = ()
    best: int | None = None
    notice: Notice | None = None
    troubles: tuple[str, ...] = ()
    hint: Hint | None = None
    chances: tuple[int, ...] = ()
    review: Review | None = None
    board: Board | None = None
    brightness: Brightness = Brightness.FULL

"""What is to be said about play: plain values, whatever they were reckoned with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """Something that may be done: tiles to shut, or how many dice to throw.

    ``cost``: what it gives away against the best, points or a part of a win; 0: nothing beats it.
    """

    what: tuple[int, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class Slip:
    """Something better could have been done; ``cost``: in points.  ``is_dice``: it is about the dice."""

    made: tuple[int, ...]
    best: tuple[int, ...]
    cost: float
    is_dice: bool = False


@dataclass(frozen=True, slots=True)
class Review:
    """What ``player`` gave away in a turn: ``cost`` points in all; ``worst``: the dearest slip, if any."""

    player: str
    cost: float
    worst: Slip | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """What the box wants done for a seat that it plays.

    ``tiles``: to shut for the roll; empty when a roll is due.  ``dice``: how many to throw next; 0: none.
    """

    tiles: tuple[int, ...]
    dice: int


@dataclass(frozen=True, slots=True)
class Counsel:
    """What is known about a moment of a game; whatever is not known or was not asked for is empty.

    ``options``: for the roll that waits its sets, else the numbers of dice; best first.
    ``is_chance``: their costs are parts of a win, else points.  ``chances``: to win, by seat;
    ``errors``: the standard errors of those, where they were sampled.  ``review``: of the turn that has
    just ended.  ``order``: where the box plays the seat.
    """

    options: tuple[Option, ...] = ()
    is_chance: bool = False
    chances: tuple[float, ...] = ()
    errors: tuple[float, ...] = ()
    review: Review | None = None
    order: Order | None = None


NOTHING_KNOWN = Counsel()

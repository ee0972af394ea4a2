"""What the box wants done for a seat that it plays."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.games.counsel import NOTHING_KNOWN, Counsel, Order
from firmware_host.games.drawn import Drawn
from firmware_host.games.opponents import Opponent as Kind
from firmware_host.games.sequence_dice.game import SequenceDice
from firmware_host.games.sequence_dice.opponents import Casual, Hard, Normal, Opponent
from firmware_host.games.sequence_dice.rules import sides


def counsel(game: SequenceDice, clock: Callable[[], float]) -> Counsel:
    """The square for the roll that waits, counted from 1 as tiles are, or a throw of two dice.

    Nothing where a person plays.  ``clock``: seconds; *hard* keeps to its time by it.
    """
    match = game.match
    if match.is_over or not match.opponent:
        return NOTHING_KNOWN
    if not game.dice:
        return Counsel(order=Order((), 2))
    action = _player(game, clock).choose(game.position, game.colour, sum(game.dice))
    return NOTHING_KNOWN if action.square is None else Counsel(order=Order((action.square + 1,), 0))


def _player(game: SequenceDice, clock: Callable[[], float]) -> Opponent:
    match, colours = game.match, sides(len(game.match.players))
    if match.opponent == Kind.CASUAL:
        moment = (match.number, match.round, match.seat, game.position.chips, game.dice)
        return Casual(game.rules, colours, Drawn(moment))
    return Hard(game.rules, colours, clock) if match.opponent == Kind.HARD else Normal(game.rules, colours)

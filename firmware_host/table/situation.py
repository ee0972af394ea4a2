"""What the table waits for now: the accepted game held against the seen box."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from firmware_host.games.game import Layout, Target
from firmware_host.table.history import History
from firmware_host.table.reconcile import Fit, compare


class Phase(Enum):
    """What the table waits for."""

    IDLE = auto()  # no match, or the box has not been seen yet
    ROLL = auto()  # a roll
    MOVE = auto()  # tiles for the roll
    DONE = auto()  # the move is complete: the next roll, or its settle
    PUT_RIGHT = auto()  # tiles to be put back
    FREE = auto()  # dice unknown: any flips, until *next* ends the turn
    OVER = auto()  # a new match


@dataclass(frozen=True, slots=True)
class Situation:
    """``dice``: the numbers of dice that may be rolled.  ``seen``: the layout as believed.

    ``fixes``: PUT_RIGHT: indices into the layout.  ``target``: DONE: the layout reached.
    ``proposals``: layouts that the player may confirm with *next*, since no sensor tells.
    """

    phase: Phase
    seen: Layout = ()
    dice: tuple[int, ...] = ()
    fixes: tuple[int, ...] = ()
    target: Target | None = None
    proposals: tuple[Layout, ...] = ()


class Free(Enum):
    """Is the game played without known dice?"""

    NO = auto()
    YES = auto()  # the turn begins when the box lies as it is to begin
    UNDER_WAY = auto()  # the turn has begun: any flips are taken


FREE_SETTLE_S = 1.5  # all tiles down: the turn is over

NOTHING = Situation(Phase.IDLE)


def assess(
    history: History,
    targets: tuple[Target, ...],
    seen: Layout | None,
    flipped: tuple[int, ...],
    unsensed: frozenset[int],
    free: Free = Free.NO,
) -> Situation:
    """The situation of a ``seen`` layout; None: the box has not been seen yet.

    ``targets``: of the game's present roll.  ``flipped``: indices by their last flip.
    ``unsensed``: indices whose level is the player's word.  ``free``: whether dice are known.
    """
    game = history.game
    if game is None or seen is None:
        return NOTHING
    if game.match.is_over:
        return Situation(Phase.OVER, seen)
    before = game.layout
    if free is Free.UNDER_WAY or (free is Free.YES and seen == before):
        return Situation(Phase.FREE, seen, target=Target(seen, FREE_SETTLE_S if not any(seen) else None, ()))
    verdict = compare(seen, before, targets, flipped)
    if verdict.fit is Fit.WRONG:
        righted = tuple(before[i] if i in verdict.fixes else now for i, now in enumerate(seen))
        may_ask = unsensed.issuperset(verdict.fixes)
        return Situation(Phase.PUT_RIGHT, seen, fixes=verdict.fixes, proposals=(righted,) if may_ask else ())
    if verdict.target is not None:
        dice = history.dice_allowed(verdict.target.next_dice)
        return Situation(Phase.DONE, seen, dice, target=verdict.target)
    if not game.dice:
        return Situation(Phase.ROLL, seen, history.dice_allowed(game.dice_allowed()))
    asks = [target.layout for target in targets if _only(unsensed, seen, before, target.layout)]
    asks.sort(key=lambda layout: _last_flip(flipped, seen, layout), reverse=True)
    return Situation(Phase.MOVE, seen, proposals=tuple(asks))


def _last_flip(flipped: tuple[int, ...], seen: Layout, layout: Layout) -> int:
    """The more, the later a place was flipped at which the two differ: where hands were last comes first."""
    rows = enumerate(zip(seen, layout, strict=True))
    return max((flipped.index(i) for i, (now, to) in rows if now != to and i in flipped), default=-1)


def _only(unsensed: frozenset[int], seen: Layout, before: Layout, target: Layout) -> bool:
    """Are ``unsensed`` places all that is missing from ``seen`` to ``target``, nothing put back?"""
    if not unsensed:
        return False
    rows = enumerate(zip(seen, before, target, strict=True))
    return all(now == to or (now == was and i in unsensed) for i, (now, was, to) in rows)

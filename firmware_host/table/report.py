"""The state of the table for those who watch it: plain values."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.games.game import Game, Layout
from firmware_host.table import chips
from firmware_host.table.coaching import moved
from firmware_host.table.portrait import to_put_right
from firmware_host.table.situation import Phase
from firmware_host.table.state import Session


@dataclass(frozen=True, slots=True)
class Report:
    """What the table holds and waits for now.

    ``source``: of the dice.  ``awaited``: dice that are to be thrown before the camera.  ``typed``: digits
    of a throw that is being typed, the last one still to be taken, of ``typed_count`` dice.  ``wants_roll``:
    the allowed numbers of dice.  ``wants_open``, ``wants_shut``: tiles to put right; ``wants_place``,
    ``wants_lift``: squares, as ``r0c1 green`` and ``r0c1``.  ``open``, ``shut``: the game's own box, the
    present move included once it is complete.  ``legal``: the sets of tiles that the present roll may move,
    or the squares, counted from 1.  ``totals``: name -> match total.
    """

    player: str = ""
    source: str = ""
    typed: tuple[int, ...] = ()
    typed_count: int = 0
    wants_roll: tuple[int, ...] = ()
    wants_move: bool = False
    wants_open: tuple[int, ...] = ()
    wants_shut: tuple[int, ...] = ()
    open: tuple[int, ...] = ()
    shut: tuple[int, ...] = ()
    legal: tuple[tuple[int, ...], ...] = ()
    totals: tuple[tuple[str, int], ...] = ()
    winners: tuple[str, ...] = ()
    awaited: int = 0
    wants_place: tuple[str, ...] = ()
    wants_lift: tuple[str, ...] = ()


def report(session: Session) -> Report:
    """The report of ``session``."""
    game, situation = session.history.game, session.situation
    if game is None:
        return Report()
    target = situation.target
    layout = target.layout if target is not None else game.layout
    is_wrong = situation.phase is Phase.PUT_RIGHT
    opened, shut = to_put_right(session) if is_wrong else ((), ())
    place, lift = chips.named(*chips.to_put_right(session)) if is_wrong else ((), ())
    return Report(
        player=game.match.player,
        source=session.source,
        awaited=session.awaited,
        typed=(*session.typed.done, session.typed.digit) if session.typed is not None else (),
        typed_count=session.typed.count if session.typed is not None else 0,
        wants_roll=situation.dice,
        wants_move=situation.phase in (Phase.MOVE, Phase.FREE),
        wants_open=opened,
        wants_shut=shut,
        open=_tiles(game, layout, 1),
        shut=_tiles(game, layout, 0),
        legal=tuple(moved(game, target.layout) for target in session.targets),
        totals=tuple(zip(game.match.players, game.match.totals, strict=True)),
        winners=game.match.winners or (),
        wants_place=place,
        wants_lift=lift,
    )


def _tiles(game: Game, layout: Layout, level: int) -> tuple[int, ...]:
    return tuple(place + 1 for place, now in zip(game.places, layout, strict=True) if now == level)

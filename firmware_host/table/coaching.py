"""What is known about play, at the table: asked for outside, taken in here, told when it is wanted.

The table's core reckons nothing: it asks with ``Ask`` about each state that it has accepted, and goes on
without an answer until ``Advised`` comes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from firmware_host.games.counsel import Counsel, Option, Order
from firmware_host.games.game import CHIPS, Game, Layout, Target
from firmware_host.table.effects import Ask, Chances, Effect, Reviewed, Say
from firmware_host.table.situation import Phase, Situation
from firmware_host.table.state import Session
from firmware_host.table.view import Hint

Tiles = tuple[int, ...]


def ask(session: Session, now: float, out: list[Effect]) -> Session:
    """Ask about the accepted state, once, where the coach or a seat that the box plays needs to know."""
    game, seq = session.history.game, session.history.seq
    if game is None or session.asked_about == seq:
        return session
    is_silent = session.coach.is_silent or game.device == CHIPS  # it knows no odds of chips
    if is_silent and not game.match.opponent:
        return session
    out.append(Ask(seq, game, session.coach))
    return replace(session, asked_about=seq, asked_at=now)


def take(session: Session, seq: int, counsel: Counsel, out: list[Effect]) -> Session:
    """What was asked about the state at ``seq`` is known; that of an earlier one is no use any more.

    It may come twice: what is quick to reckon, then all of it.
    """
    game = session.history.game
    if game is None or seq != session.history.seq:
        return session
    if counsel.chances:
        names = game.match.players
        errors = dict(zip(names, counsel.errors, strict=True)) if counsel.errors else {}
        out.append(Say(Chances(dict(zip(names, counsel.chances, strict=True)), errors)))
    if counsel.review is not None and session.counsel.review is None:
        out.append(Say(Reviewed.of(counsel.review)))
    targets = session.targets
    if counsel.order is not None and counsel.order.tiles:
        targets = _ordered(game, targets, counsel.order)
    return replace(session, asked_at=None, counsel=counsel, targets=targets)


def _ordered(game: Game, targets: tuple[Target, ...], order: Order) -> tuple[Target, ...]:
    """The one target that the box wants, with the number of dice that it wants after it."""
    dice = (order.dice,) if order.dice else ()
    wanted = (target for target in targets if moved(game, target.layout) == order.tiles)
    return tuple(replace(target, next_dice=dice) for target in wanted)


def hint(session: Session, now: float) -> Session:
    """*Next* was pressed where nothing waits: show a hint, where there are any."""
    game, situation = session.history.game, session.situation
    is_allowed = session.coach.hints and game is not None and not game.match.rules.ranked
    if not is_allowed or situation.phase not in (Phase.ROLL, Phase.MOVE):
        return session
    return replace(session, hinted_at=now)


def shown_hint(session: Session) -> Hint | None:
    """The hint while it is shown: what is best, against what is being made or the next best."""
    game, options = session.history.game, session.counsel.options
    if session.hinted_at is None or game is None or not options:
        return None
    if session.situation.phase is Phase.ROLL:
        return _hint(options[0], options[1:2], session.counsel) if len(options) > 1 else None
    if session.situation.phase is not Phase.MOVE:
        return None
    begun = set(moved(game, session.situation.seen))
    mine = [option for option in options if begun <= set(option.what)]
    best = next((option for option in mine if not option.cost), options[0])
    if best in mine:
        return _hint(best, [option for option in options if option is not best][:1], session.counsel)
    return replace(_hint(best, mine[:1], session.counsel), is_begun=True)


def _hint(best: Option, rivals: Iterable[Option], counsel: Counsel) -> Hint:
    rival = next(iter(rivals), None)
    if rival is None:
        return Hint(best.what, is_chance=counsel.is_chance)
    return Hint(best.what, rival.what, rival.cost, is_chance=counsel.is_chance)


def lit(session: Session) -> frozenset[int]:
    """The tiles to point at: of the hint, of the box's own move, else of every set that can still be made."""
    game, situation = session.history.game, session.situation
    if game is None:
        return frozenset()
    if situation.phase is Phase.PUT_RIGHT:
        return frozenset(game.places[i] + 1 for i in situation.fixes)
    if situation.phase is not Phase.MOVE:
        return frozenset()
    done = set(moved(game, situation.seen))
    shown = shown_hint(session)
    if shown is not None and not shown.is_begun:
        return frozenset(tile for tile in shown.best if tile not in done)
    sets = (moved(game, target.layout) for target in session.targets)
    return frozenset(tile for tiles in sets if done <= set(tiles) for tile in tiles) - done


def ordered_tiles(session: Session) -> Tiles:
    """What is still to be flipped of the move that the box wants; empty where a person decides."""
    game, situation, order = session.history.game, session.situation, session.counsel.order
    if game is None or order is None or situation.phase is not Phase.MOVE:
        return ()
    done = moved(game, situation.seen)
    return tuple(tile for tile in order.tiles if tile not in done)


def ordered_dice(session: Session, situation: Situation) -> Tiles:
    """The numbers of dice in a situation, narrowed to what the box wants where it waits for its roll."""
    order = session.counsel.order
    if order is None or situation.phase is not Phase.ROLL or order.dice not in situation.dice:
        return situation.dice
    return (order.dice,)


def moved(game: Game, layout: Layout) -> Tiles:
    """The tiles that lie otherwise in ``layout`` than in the accepted box, ascending."""
    rows = zip(game.places, game.layout, layout, strict=True)
    return tuple(place + 1 for place, was, to in rows if was != to)

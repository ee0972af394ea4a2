"""The session as people are to see it."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.games.game import TILES, Game, Layout
from firmware_host.games.match import Match
from firmware_host.table.chips import board
from firmware_host.table.coaching import lit, ordered_tiles, shown_hint
from firmware_host.table.situation import Phase
from firmware_host.table.state import Session
from firmware_host.table.view import Notice, Scene, TurnResult, View

_SCENES = {
    Phase.IDLE: Scene.TITLE,
    Phase.ROLL: Scene.ROLL,
    Phase.MOVE: Scene.MOVE,
    Phase.DONE: Scene.DONE,
    Phase.PUT_RIGHT: Scene.PUT_RIGHT,
    Phase.FREE: Scene.FREE,
    Phase.OVER: Scene.OVER,
}


def portray(session: Session, now: float) -> View:
    """The view of ``session`` at ``now``."""
    game, situation = session.history.game, session.situation
    if game is None or situation.phase is Phase.IDLE or session.is_stopping or session.dialog is not None:
        return _apart(session, now)
    match = game.match
    tumble = session.tumble(now)
    scene = Scene.CONFIRM if situation.proposals else _SCENES[situation.phase]
    if session.awaited and scene in (Scene.ROLL, Scene.DONE):
        scene = Scene.THROW
    player = match.last_turn.player if tumble and match.last_turn else match.player
    opened, shut = _to_confirm(session, game) if situation.proposals else to_put_right(session)
    shows_seen = situation.phase in (Phase.MOVE, Phase.DONE, Phase.FREE, Phase.PUT_RIGHT)
    if not situation.proposals and situation.phase is Phase.MOVE and not tumble:
        shut = ordered_tiles(session)
    typed = session.typed
    last = None if tumble else match.last_turn
    view = View(
        scene=Scene.MOVE if tumble else scene,
        player=player,
        seat=match.players.index(player),
        tiles=_numbers(game),
        open=_open(game, situation.seen if shows_seen else game.layout),
        dice=game.thrown if tumble else game.dice,
        tumble=tumble,
        to_shut=game.missing(situation.seen) if situation.phase is Phase.MOVE else 0,
        dice_allowed=situation.dice,
        must_open=opened,
        must_shut=shut,
        awaited=session.awaited,
        refused=session.refused,
        typed=(*typed.done, typed.digit) if typed is not None else (),
        typed_count=typed.count if typed is not None else 0,
        can_set_dice=typed is None
        and not session.awaited
        and situation.phase is Phase.ROLL
        and bool(session.history.kept_dice(*situation.dice)),
        blind=tuple(sorted(game.places[i] + 1 for i in session.sight.unsensed(game.places))),
        totals=_totals(match),
        last_turn=None if last is None else TurnResult(last.player, last.score, last.reason, game.thrown),
        winners=match.winners or (),
        best=session.best if match.is_over else None,
        notice=session.notice or _standing_notice(session, now),
        troubles=session.lost,
        brightness=session.brightness(now),
        hint=None if tumble else shown_hint(session),
        chances=_percent(session) if scene is Scene.ROLL and not tumble else (),
        review=session.counsel.review if session.shows_review(now) and not tumble else None,
        lit=frozenset() if tumble else lit(session),
    )
    return view if game.device == TILES else _with_board(view, session, now)


def _standing_notice(session: Session, now: float) -> Notice | None:
    """What is so for long, where no slip was answered."""
    if session.is_stuck(now):
        return Notice.STUCK
    thinks_from = session.thinks_from()
    return Notice.THINKING if thinks_from is not None and now >= thinks_from else None


def _with_board(view: View, session: Session, now: float) -> View:
    """Chips in place of tiles."""
    none: tuple[int, ...] = ()
    shown = board(session, now)
    return replace(
        view, tiles=none, open=none, must_open=none, must_shut=none, blind=none, lit=frozenset(), board=shown
    )


def _percent(session: Session) -> tuple[int, ...]:
    return tuple(round(100 * chance) for chance in session.counsel.chances)


def _apart(session: Session, now: float) -> View:
    """The screens that show nothing of a game."""
    scene, page = Scene.TITLE, None
    if session.is_stopping:
        scene = Scene.PAUSED
    elif session.dialog is not None:
        scene, page = Scene.MENU, session.dialog.page
    game = session.history.game
    return View(
        scene,
        seat=game.match.seat if game is not None else 0,
        page=page,
        totals=_totals(game.match) if game is not None and page is not None else (),
        notice=session.notice if scene is Scene.TITLE else None,
        troubles=session.lost,
        brightness=session.brightness(now),
    )


def _totals(match: Match) -> tuple[tuple[str, int, bool], ...]:
    """Name, total, and whether the player has played this round, by seat."""
    rows = zip(match.players, match.totals, match.scores, strict=True)
    return tuple((name, total, score is not None) for name, total, score in rows)


def to_put_right(session: Session) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The tiles to open and to shut, ascending."""
    game, situation = session.history.game, session.situation
    if game is None or not situation.fixes or game.device != TILES:
        return (), ()
    places, layout = game.places, game.layout
    rows = sorted((places[i] + 1, layout[i]) for i in situation.fixes)
    return tuple(tile for tile, to in rows if to), tuple(tile for tile, to in rows if not to)


def _to_confirm(session: Session, game: Game) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The tiles that *next* would say were opened and shut."""
    situation = session.situation
    proposal = situation.proposals[session.choice % len(situation.proposals)]
    rows = zip(_numbers(game), situation.seen, proposal, strict=True)
    changed = [(tile, to) for tile, now, to in rows if now != to]
    return tuple(tile for tile, to in changed if to), tuple(tile for tile, to in changed if not to)


def _numbers(game: Game) -> tuple[int, ...]:
    return tuple(place + 1 for place in game.places)


def _open(game: Game, layout: Layout) -> tuple[int, ...]:
    return tuple(tile for tile, level in zip(_numbers(game), layout, strict=True) if level)

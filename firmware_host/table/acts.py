"""What the table does with the game: every change of the accepted state goes through here."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.games.counsel import NOTHING_KNOWN
from firmware_host.games.game import CHIPS, Game
from firmware_host.games.records import (
    Corrected,
    MatchEnded,
    Record,
    TurnEnded,
    TurnStarted,
    Undone,
)
from firmware_host.table.acquaintance import meet
from firmware_host.table.effects import Effect, Keep, RollRefused, Say
from firmware_host.table.history import HAND, ROLLER
from firmware_host.table.situation import Phase
from firmware_host.table.state import Session
from firmware_host.table.view import Notice


def keep(session: Session, records: tuple[Record, ...], out: list[Effect]) -> Session:
    """Accept one step: to the journal first, then into the game."""
    history = session.history.add(records)
    out.append(Keep(session.history.seq + 1, records, history))
    session = replace(
        meet(session, history),
        history=history,
        targets=history.game.targets() if history.game is not None else (),
        best=None,
        counsel=NOTHING_KNOWN,
    )
    if all(isinstance(record, Corrected) and record.what in ("name", "score") for record in records):
        return session  # whoever throws or moves is not disturbed
    goes_on = not any(isinstance(record, TurnStarted) for record in records)
    is_over = any(isinstance(record, MatchEnded) for record in records)
    return replace(
        session,
        dialog=None if is_over else session.dialog,
        asked=0,
        awaited=0,
        refused="",
        typed=None,
        is_doubted=False,
        is_under_way=session.is_under_way and goes_on,
        is_undone=False,
        settling=None,
        choice=0,
        notice=None,
        settled_at=None,
        tumbled_at=None,
        hinted_at=None,
    )


def notify(session: Session, notice: Notice | None, now: float) -> Session:
    """Say something short for some seconds."""
    return replace(session, notice=notice, noticed_at=now)


def stand(session: Session, out: list[Effect]) -> Session:
    """The complete move stands."""
    game, target = session.history.game, session.situation.target
    assert game is not None
    assert target is not None
    if session.situation.phase is Phase.FREE:
        return keep(session, game.end_freely(target.layout), out)
    return keep(session, game.stand(target.layout), out)


def end_turn(session: Session, out: list[Effect]) -> Session:
    """End the turn by hand; the complete move stands before, and without known dice what lies shut."""
    if session.situation.phase is Phase.FREE:
        return stand(session, out)
    before, game = _standing(session)
    has_ended = any(isinstance(record, TurnEnded) for record in before)
    return keep(session, before if has_ended else (*before, *game.end_turn()), out)


def _standing(session: Session) -> tuple[tuple[Record, ...], Game]:
    """The records of the complete move, none where there is none, and the game after them."""
    game, target = session.history.game, session.situation.target
    assert game is not None
    records = game.stand(target.layout) if target is not None else ()
    for record in records:
        game = game.apply(record)
    return records, game


def roll(session: Session, dice: tuple[int, ...], source: str, now: float, out: list[Effect]) -> Session:
    """Accept a roll; the complete move before it stands now, in the same step.

    Dice set by hand in place of a throw that was undone are a correction of it.
    """
    before, game = _standing(session)
    if source == HAND:
        was = session.history.kept_dice(*session.situation.dice)
        before = (*before, Corrected("dice", game.match.player, was, dice))
    session = keep(session, (*before, *game.roll(dice, source)), out)
    return replace(session, tumbled_at=now if source == ROLLER else None)


def refuse(
    session: Session, now: float, out: list[Effect], reason: str = "", notice: Notice | None = None
) -> Session:
    """Answer a roll that is not accepted; by default because of what the table waits for."""
    if not reason:
        reason, notice = "not_wanted", Notice.NOT_NOW
        game = session.history.game
        if session.targets and session.situation.phase is not Phase.DONE:
            reason, notice = "tiles_do_not_add_up", Notice.TILES_FIRST
            if game is not None and game.device == CHIPS:
                reason, notice = "chip_not_moved", Notice.CHIP_FIRST
    out.append(Say(RollRefused(reason)))
    return notify(session, notice, now)


def undo(session: Session, now: float, out: list[Effect]) -> Session:
    """Take the last step back."""
    past = session.history.past
    if past is None:
        return notify(session, Notice.NOTHING_TO_UNDO, now)
    session = notify(keep(session, (Undone(past.seq),), out), Notice.UNDONE, now)
    return replace(session, is_under_way=True, is_undone=True)

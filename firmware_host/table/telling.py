"""What the table says and shows when something changed, and the next moment it asks for."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.games.game import CHIPS
from firmware_host.table import chips
from firmware_host.table.coaching import ask
from firmware_host.table.effects import (
    AwaitThrow,
    ChipsPutRight,
    Effect,
    PutRight,
    Righted,
    RollWanted,
    Say,
    Saying,
    Show,
    WakeAt,
)
from firmware_host.table.portrait import portray, to_put_right
from firmware_host.table.situation import Phase
from firmware_host.table.state import Session

_WRONG = (PutRight, ChipsPutRight)


def tell(session: Session, now: float, out: list[Effect]) -> Session:
    """Say and show what changed, and ask for the next moment."""
    session = ask(session, now, out)
    wanted, view, due = _wanted(session), portray(session, now), session.next_due(now)
    if wanted != session.said:
        if isinstance(session.said, _WRONG) and not isinstance(wanted, _WRONG):
            out.append(Say(Righted()))
        if wanted is not None:
            out.append(Say(wanted))
    if view != session.view:
        out.append(Show(view))
    if session.awaited != session.watched:
        out.append(AwaitThrow(session.awaited))
    if due != session.wake_at:
        out.append(WakeAt(due))
    return replace(session, said=wanted, view=view, watched=session.awaited, wake_at=due)


def wake(session: Session, now: float, out: list[Effect]) -> Session:
    """Ask for the next moment where nothing else has changed."""
    due = session.next_due(now)
    if due == session.wake_at:
        return session
    out.append(WakeAt(due))
    return replace(session, wake_at=due)


def _wanted(session: Session) -> Saying | None:
    """What the table asks of the people now, as a public event; None: tiles for a roll, or nothing."""
    game, situation = session.history.game, session.situation
    if game is None:
        return None
    if situation.phase is Phase.PUT_RIGHT and game.device == CHIPS:
        return ChipsPutRight(*chips.named(*chips.to_put_right(session)))
    if situation.phase is Phase.PUT_RIGHT:
        return PutRight(*to_put_right(session))
    if situation.phase in (Phase.ROLL, Phase.DONE) and situation.dice:
        return RollWanted(game.match.player, situation.dice)
    return None

"""What the table says and shows when something changed, and the next moment it asks for."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.table.effects import Effect, PutRight, Righted, RollWanted, Say, Saying, Show, WakeAt
from firmware_host.table.portrait import portray, to_put_right
from firmware_host.table.situation import Phase
from firmware_host.table.state import Session


def tell(session: Session, now: float, out: list[Effect]) -> Session:
    """Say and show what changed, and ask for the next moment."""
    wanted = _wanted(session)
    if wanted != session.said:
        if isinstance(session.said, PutRight) and not isinstance(wanted, PutRight):
            out.append(Say(Righted()))
        if wanted is not None:
            out.append(Say(wanted))
        session = replace(session, said=wanted)
    view = portray(session, now)
    if view != session.view:
        out.append(Show(view))
        session = replace(session, view=view)
    due = session.next_due(now)
    if due != session.wake_at:
        out.append(WakeAt(due))
        session = replace(session, wake_at=due)
    return session


def _wanted(session: Session) -> Saying | None:
    """What the table asks of the people now, as a public event; None: tiles for a roll, or nothing."""
    game, situation = session.history.game, session.situation
    if game is None:
        return None
    if situation.phase is Phase.PUT_RIGHT:
        return PutRight(*to_put_right(session))
    if situation.phase in (Phase.ROLL, Phase.DONE) and situation.dice:
        return RollWanted(game.match.player, situation.dice)
    return None

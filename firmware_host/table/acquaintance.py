"""Who is known at the table, for the set-up: whoever plays, first of all."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.games.opponents import retyped
from firmware_host.table.history import History
from firmware_host.table.state import Session


def meet(session: Session, history: History) -> Session:
    """The session that knows who plays in ``history``, its next one; dialogs with their old names are left.

    A name that nobody had before this match, and that has been put right, is nobody's.
    """
    before, after = session.history.game, history.game
    if after is None:
        return session
    is_same = before is not None and before.match.number == after.match.number
    if before is not None and is_same and before.match.players == after.match.players:
        return session
    playing = _people(history)
    wrong = set(_people(session.history)).difference(playing) if is_same else set()
    setup = session.setup
    if is_same:
        kinds = dict(zip(after.match.players, after.match.opponents, strict=True))
        setup = replace(setup, players=retyped(after.match.players, kinds))
    known = tuple(name for name in session.people if name not in wrong.intersection(session.newcomers))
    new = tuple(name for name in playing if name not in session.people)
    return replace(
        session,
        people=tuple(dict.fromkeys((*playing, *known))),
        newcomers=(*session.newcomers, *new) if is_same else new,
        setup=setup,
        dialog=None,
    )


def _people(history: History) -> tuple[str, ...]:
    """Who plays, without the seats that the box plays."""
    assert history.game is not None
    match = history.game.match
    seats = zip(match.players, match.opponents, strict=True)
    return tuple(name for name, opponent in seats if not opponent)

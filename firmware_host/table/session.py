"""The heart: ``step(session, event, now) -> (session, effects)``.

A pure function that holds a physical box against the rules.  Sensors report
levels, the game says which layouts its legal actions lead to, and the table always
knows what it waits for.  Time enters as ``now`` (seconds, monotonic) and the future is
asked for with ``WakeAt``.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_host.games.records import Record, Resumed, Undone
from firmware_host.table.buttons import Buttons
from firmware_host.table.effects import (
    BackSaid,
    Effect,
    Keep,
    LostSaid,
    PutRight,
    Righted,
    RollRefused,
    RollWanted,
    Say,
    Saying,
    Show,
    WakeAt,
    WantRoll,
)
from firmware_host.table.events import (
    BoxSeen,
    Button,
    ButtonPressed,
    ButtonsSeen,
    DeviceBack,
    DeviceLost,
    DiceSeen,
    Event,
    MatchWanted,
    Stopping,
    Tick,
)
from firmware_host.table.history import GAMES, ROLLER, History
from firmware_host.table.portrait import portray, to_put_right
from firmware_host.table.sight import Sight
from firmware_host.table.situation import NOTHING, Phase, assess
from firmware_host.table.state import NOTICE_S, TUMBLE_S, Session
from firmware_host.table.view import Brightness, Notice


def resume(history: History, now: float, notice: Notice | None = None) -> Session:
    """The session of a table that comes up with ``history``; ``notice`` is the first thing to say."""
    return Session(
        history=history,
        targets=history.game.targets() if history.game is not None else (),
        is_resuming=True,
        notice=notice,
        noticed_at=now,
        active_at=now,
    )


def step(session: Session, event: Event, now: float) -> tuple[Session, list[Effect]]:
    """The session after ``event`` at ``now``, and what is to be done for it.

    ``now`` never goes back.  What was due before ``now`` happens first.
    """
    out: list[Effect] = []
    after = session
    due = session.wake_at
    while due is not None and due <= now:
        after = _follow(_pass_time(after, due, out), due, out)
        due = after.next_due(due)
    handled = _handle(after, event, now, out)
    if isinstance(event, BoxSeen) and after is session and _only_bounced(session, handled):
        return _wake(handled, now, out), out
    if handled is not after:
        after = _follow(handled, now, out)
    return (after if after is session else _tell(after, now, out)), out


def _handle(session: Session, event: Event, now: float, out: list[Effect]) -> Session:
    match event:
        case BoxSeen(levels):
            return _see_box(session, session.sight.read(levels, now), now)
        case ButtonsSeen(levels):
            return _see_buttons(session, levels, now, out)
        case ButtonPressed():
            return _press(session, event, now, out)
        case DiceSeen(dice, source):
            return _see_dice(session, dice, source, now, out)
        case DeviceLost(device, reason):
            return _lose(session, device, reason, out)
        case DeviceBack(device):
            return _find(session, device, now, out)
        case MatchWanted(game, rules, players):
            opening = GAMES[game].opening(session.history.matches + 1, rules, players)
            return _keep(replace(session, sight=session.sight.trust_again(), active_at=now), opening, out)
        case Stopping():
            return replace(session, is_stopping=True)
        case Tick():
            return session


# Time and sight


def _pass_time(session: Session, now: float, out: list[Effect]) -> Session:
    """Everything that the mere passing of time brings."""
    session = replace(_see_box(session, session.sight.read(None, now), now), wake_at=None)
    session = _see_buttons(session, None, now, out)
    if session.tumbled_at is not None and now >= session.tumbled_at + TUMBLE_S:
        session = replace(session, tumbled_at=None)
    if session.notice is not None and now >= session.noticed_at + NOTICE_S:
        session = replace(session, notice=None)
    return session


def _see_box(session: Session, sight: Sight, now: float) -> Session:
    if sight is session.sight:
        return session
    if sight.levels.stable is session.sight.levels.stable:
        return replace(session, sight=sight)
    return replace(session, sight=sight, active_at=now)


def _see_buttons(
    session: Session, levels: tuple[int | None, ...] | None, now: float, out: list[Effect]
) -> Session:
    buttons, presses = session.buttons.read(levels, now)
    if buttons is not session.buttons:
        session = replace(session, buttons=buttons)
    for press in presses:
        session = _press(_follow(session, now, out), press, now, out)
    return session


def _follow(session: Session, now: float, out: list[Effect]) -> Session:
    """Assess anew what the table waits for, and let stand what has settled."""
    session = _assessed(session)
    if session.is_resuming and session.sight.is_known:
        session = _resume(session, now, out)
    target = session.situation.target
    if target is None or target.stands_after_s is None:
        session = replace(session, settled_at=None) if session.settled_at is not None else session
    elif session.settled_at is None:
        session = replace(session, settled_at=now + target.stands_after_s)
    elif now >= session.settled_at:
        session = _assessed(_stand(session, out))
    return session


def _assessed(session: Session) -> Session:
    game = session.history.game
    if game is None:
        return session if session.situation is NOTHING else replace(session, situation=NOTHING)
    sight, places = session.sight, game.places
    unsensed = frozenset(range(len(places))) if session.is_doubted else sight.unsensed(places)
    situation = assess(session.history, session.targets, sight.layout(places), sight.order(places), unsensed)
    if situation == session.situation:
        return session
    choice = session.choice if situation.proposals == session.situation.proposals else 0
    return replace(session, situation=situation, choice=choice)


def _resume(session: Session, now: float, out: list[Effect]) -> Session:
    """The first look at the box after the table came up in a match."""
    session = replace(session, is_resuming=False)
    game = session.history.game
    if game is None or game.match.is_over:
        return session
    opened, shut = to_put_right(session)
    notice = session.notice or Notice.RESUMED
    kept = _keep(session, (Resumed(game.match.number, opened, shut),), out)
    return _assessed(_noticed(kept, notice, now))


# Hands


def _press(session: Session, press: ButtonPressed, now: float, out: list[Effect]) -> Session:
    slept = session.brightness(now) is Brightness.OFF
    session = replace(session, active_at=now)
    if slept:
        return session  # this press only woke the screen: nobody saw what it would do
    match press.button, press.held:
        case Button.ROLL, held:
            return _ask_roll(session, held, now, out)
        case Button.NEXT, False:
            return _next(session, now, out)
        case Button.NEXT, True:
            return _take_word(session)
        case Button.BACK, False:
            return replace(session, choice=session.choice + 1)
    return _undo(session, now, out)


def _ask_roll(session: Session, held: bool, now: float, out: list[Effect]) -> Session:
    situation = session.situation
    if session.asked:
        return session
    if situation.phase not in (Phase.ROLL, Phase.DONE) or not situation.dice:
        return _refuse(session, now, out)
    count = 1 if held else situation.dice[-1]
    if count not in situation.dice:
        return _refuse(session, now, out, "wrong_number_of_dice", Notice.TWO_DICE)
    kept = session.history.kept_dice(count)
    if kept:
        return _roll(session, kept, ROLLER, now, out)
    if "dice" in session.lost:
        return _refuse(session, now, out, "no_dice")
    out.append(WantRoll(count))
    return replace(session, asked=count)


def _see_dice(session: Session, dice: tuple[int, ...], source: str, now: float, out: list[Effect]) -> Session:
    asked, session = session.asked, replace(session, asked=0, active_at=now)
    if not asked:
        return _refuse(session, now, out)
    if len(dice) != asked:
        notice = Notice.ONE_DIE if asked == 1 else Notice.TWO_DICE
        return _refuse(session, now, out, "wrong_number_of_dice", notice)
    game = session.history.game
    allowed: tuple[int, ...] = ()
    if session.situation.phase is Phase.DONE:
        allowed = session.situation.dice
    elif game is not None and not game.dice and not game.match.is_over:
        allowed = game.dice_allowed()
    if not allowed:
        return _refuse(session, now, out)
    if len(dice) not in allowed:
        # Another set lies there than when the dice were asked for.
        notice = Notice.ONE_DIE if len(dice) == 2 else Notice.TWO_DICE
        return _refuse(session, now, out, "wrong_number_of_dice", notice)
    return _roll(session, dice, source, now, out)


def _refuse(
    session: Session, now: float, out: list[Effect], reason: str = "", notice: Notice | None = None
) -> Session:
    """Answer a roll that is not accepted; by default because of what the table waits for."""
    if not reason:
        reason, notice = "not_wanted", Notice.NOT_NOW
        if session.targets and session.situation.phase is not Phase.DONE:
            reason, notice = "tiles_do_not_add_up", Notice.TILES_FIRST
    out.append(Say(RollRefused(reason)))
    return _noticed(session, notice, now)


def _roll(session: Session, dice: tuple[int, ...], source: str, now: float, out: list[Effect]) -> Session:
    """Accept a roll; the complete move before it stands now, in the same step."""
    game, target = session.history.game, session.situation.target
    assert game is not None
    stood: tuple[Record, ...] = ()
    if target is not None:
        stood = game.stand(target.layout)
        for record in stood:
            game = game.apply(record)
    session = _keep(session, (*stood, *game.roll(dice, source)), out)
    return replace(session, tumbled_at=now if source == ROLLER else None)


def _next(session: Session, now: float, out: list[Effect]) -> Session:
    situation, game = session.situation, session.history.game
    if situation.proposals and game is not None:
        layout = situation.proposals[session.choice % len(situation.proposals)]
        return replace(session, sight=session.sight.take_word(game.places, layout), is_doubted=False)
    if situation.phase is Phase.DONE:
        return _stand(session, out)
    if situation.phase is Phase.OVER and game is not None:
        opening = game.again(session.history.matches + 1)
        return _keep(replace(session, sight=session.sight.trust_again()), opening, out)
    return replace(session, notice=None)


def _take_word(session: Session) -> Session:
    """*next* held: the game's word counts against a sensor; or, in a move, the player's."""
    game, situation = session.history.game, session.situation
    if game is None or situation.phase not in (Phase.PUT_RIGHT, Phase.MOVE):
        return session
    if situation.phase is Phase.MOVE:
        return replace(session, is_doubted=not session.is_doubted)
    before = game.layout
    layout = tuple(before[i] if i in situation.fixes else level for i, level in enumerate(situation.seen))
    return replace(session, sight=session.sight.take_word(game.places, layout))


def _undo(session: Session, now: float, out: list[Effect]) -> Session:
    past = session.history.past
    if past is None:
        return _noticed(session, Notice.NOTHING_TO_UNDO, now)
    return _noticed(_keep(session, (Undone(past.seq),), out), Notice.UNDONE, now)


def _stand(session: Session, out: list[Effect]) -> Session:
    """The complete move stands."""
    game, target = session.history.game, session.situation.target
    assert game is not None
    assert target is not None
    return _keep(session, game.stand(target.layout), out)


def _keep(session: Session, records: tuple[Record, ...], out: list[Effect]) -> Session:
    """Accept one step: to the journal first, then into the game."""
    history = session.history.add(records)
    out.append(Keep(session.history.seq + 1, records, history))
    return replace(
        session,
        history=history,
        targets=history.game.targets() if history.game is not None else (),
        asked=0,
        is_doubted=False,
        choice=0,
        notice=None,
        settled_at=None,
        tumbled_at=None,
    )


def _noticed(session: Session, notice: Notice | None, now: float) -> Session:
    return replace(session, notice=notice, noticed_at=now)


# Devices


def _lose(session: Session, device: str, reason: str, out: list[Effect]) -> Session:
    if device in session.lost:
        return session
    out.append(Say(LostSaid(device, reason)))
    session = replace(session, lost=(*session.lost, device))
    if device == "tiles":
        game = session.history.game
        places, layout = (game.places, game.layout) if game is not None else ((), ())
        return replace(session, sight=session.sight.lose(places, layout))
    if device == "buttons":
        return replace(session, buttons=Buttons())  # a button that was down is not held
    return replace(session, asked=0) if device == "dice" else session


def _find(session: Session, device: str, now: float, out: list[Effect]) -> Session:
    if device not in session.lost:
        return session
    out.append(Say(BackSaid(device, "answers again")))
    lost = tuple(name for name in session.lost if name != device)
    sight = session.sight.find() if device == "tiles" else session.sight
    return replace(session, lost=lost, sight=sight)


# Telling


def _tell(session: Session, now: float, out: list[Effect]) -> Session:
    """Say and show what changed, and ask for the next moment."""
    wanted, view, due = _wanted(session), portray(session, now), session.next_due(now)
    if wanted != session.said:
        if isinstance(session.said, PutRight) and not isinstance(wanted, PutRight):
            out.append(Say(Righted()))
        if wanted is not None:
            out.append(Say(wanted))
    if view != session.view:
        out.append(Show(view))
    if due != session.wake_at:
        out.append(WakeAt(due))
    return replace(session, said=wanted, view=view, wake_at=due)


def _only_bounced(before: Session, after: Session) -> bool:
    """Tiles were read, and no level counts anew: most edges are so, as a tile falls with several."""
    return after.sight is not before.sight and after.sight.levels.stable is before.sight.levels.stable


def _wake(session: Session, now: float, out: list[Effect]) -> Session:
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
    if situation.phase is Phase.PUT_RIGHT:
        return PutRight(*to_put_right(session))
    if situation.phase in (Phase.ROLL, Phase.DONE) and situation.dice:
        return RollWanted(game.match.player, situation.dice)
    return None

"""The heart: ``step(session, event, now) -> (session, effects)``.

A pure function that holds a physical box against the rules.  Sensors report
levels, the game says which layouts its legal actions lead to, and the table always
knows what it waits for.  Time enters as ``now`` (seconds, monotonic) and the future is
asked for with ``WakeAt``.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_host.games.coach import Coach
from firmware_host.games.game import CHIPS, TILES
from firmware_host.games.opponents import retyped
from firmware_host.games.records import Resumed, Undone
from firmware_host.games.start import SEQUENCE_DICE
from firmware_host.table import chips
from firmware_host.table.acts import keep, notify, stand
from firmware_host.table.buttons import Buttons
from firmware_host.table.coaching import ordered_dice, take
from firmware_host.table.dialog import SetUp
from firmware_host.table.effects import BackSaid, Effect, LostSaid, Say
from firmware_host.table.events import (
    Advised,
    BestKnown,
    BoxSeen,
    ButtonPressed,
    ButtonsSeen,
    DeviceBack,
    DeviceLost,
    DiceRefused,
    DiceSeen,
    Event,
    MatchWanted,
    PhoneAsked,
    PhoneOffered,
    Stopping,
    Tick,
)
from firmware_host.table.hands import begin, press, see_dice, see_refusal
from firmware_host.table.history import History
from firmware_host.table.phone import fulfil, offer
from firmware_host.table.portrait import to_put_right
from firmware_host.table.reconcile import Fit, compare
from firmware_host.table.sight import Sight
from firmware_host.table.situation import NOTHING, Phase, assess
from firmware_host.table.state import (
    AGAIN_AFTER_S,
    CAMERA_DEVICE,
    HINT_S,
    NO_DICE,
    NOTICE_S,
    TUMBLE_S,
    Session,
)
from firmware_host.table.telling import tell, wake
from firmware_host.table.typing_dice import TypedDice
from firmware_host.table.view import Notice


def resume(
    history: History,
    now: float,
    notice: Notice | None = None,
    house: SetUp | None = None,
    people: tuple[str, ...] = (),
    coach: Coach = Coach(),  # noqa: B008 (a frozen value)
) -> Session:
    """The session of a table that comes up with ``history``; ``notice`` is the first thing to say.

    ``house``: what the config would have played.  ``people``: who is known, for the set-up.  ``coach``:
    what is said about play.
    """
    house = house or SetUp()
    game = history.game
    setup = house
    if game is not None:
        settings = dict(history.settings)
        source = settings.pop("dice.source", house.source)
        match = game.match
        opponents = dict(zip(match.players, match.opponents, strict=False))
        setup = SetUp(settings, retyped(match.players, opponents), source)
    is_chips = house.settings.get("rules.game") == SEQUENCE_DICE
    device = game.device if game is not None else CHIPS if is_chips else TILES
    return Session(
        history=history,
        sight=Sight.of(device),
        targets=game.targets() if game is not None else (),
        coach=coach,
        house=house,
        setup=setup,
        people=people,
        is_resuming=game is not None,  # without a match to come back to, the first one is not resumed
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
        return wake(handled, now, out), out
    if handled is not after:
        after = _follow(handled, now, out)
    return (after if after is session else tell(after, now, out)), out


def _only_bounced(before: Session, after: Session) -> bool:
    """Tiles were read, and no level counts anew: most edges are so, as a tile falls with several."""
    return after.sight is not before.sight and after.sight.levels.stable is before.sight.levels.stable


def _handle(session: Session, event: Event, now: float, out: list[Effect]) -> Session:
    match event:
        case BoxSeen(_, device) if device != session.sight.device:
            return session  # nothing of this game
        case BoxSeen(levels):
            return _see_box(session, session.sight.read(levels, now), now)
        case ButtonsSeen(levels):
            return _see_buttons(session, levels, now, out)
        case ButtonPressed():
            return press(session, event, now, out)
        case DiceSeen(dice, source):
            return see_dice(session, dice, source, now, out)
        case DiceRefused(reason):
            return see_refusal(session, reason, now, out)
        case DeviceLost(device, reason):
            return _lose(session, device, reason, out)
        case DeviceBack(device):
            return _find(session, device, now, out)
        case MatchWanted(rules, players, source):
            return begin(replace(session, dialog=None), SetUp(rules, players, source), now, out)
        case BestKnown(best):
            return replace(session, best=best)
        case Advised(seq, counsel):
            return take(session, seq, counsel, out)
        case PhoneOffered():
            return offer(session, event)
        case PhoneAsked():
            return fulfil(session, event, now, out)
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
    if session.hinted_at is not None and now >= session.hinted_at + HINT_S:
        session = replace(session, hinted_at=None)
    if session.ended_at is not None and now >= session.ended_at + AGAIN_AFTER_S:
        session = replace(session, ended_at=None)
    if session.dialog is not None and now >= session.active_at + session.dialog_s:
        session = replace(session, dialog=None)
    return session


def _see_box(session: Session, sight: Sight, now: float) -> Session:
    if sight is session.sight:
        return session
    if sight.levels.stable is session.sight.levels.stable:
        return replace(session, sight=sight)
    session = replace(session, sight=sight, active_at=now, is_undone=False)
    game = session.history.game
    if session.dialog is not None and game is not None and not game.match.is_over:
        return replace(session, dialog=None)  # whoever flips a tile plays, and is to see what it does
    return session


def _see_buttons(
    session: Session, levels: tuple[int | None, ...] | None, now: float, out: list[Effect]
) -> Session:
    buttons, presses = session.buttons.read(levels, now)
    if buttons is not session.buttons:
        session = replace(session, buttons=buttons)
    for pressed in presses:
        session = press(_follow(session, now, out), pressed, now, out)
    return session


def _follow(session: Session, now: float, out: list[Effect]) -> Session:
    """Assess anew what the table waits for, and let stand what has settled."""
    before = session.situation
    session = _assessed(session)
    if session.is_resuming and session.sight.is_known:
        session = _resume(session, now, out)
    session = _settle(_take_back(session, now, out), now, out)
    if session.situation is not before:
        session = replace(session, situated_at=now)
        if (session.situation.phase is Phase.OVER) != (before.phase is Phase.OVER):
            session = replace(session, ended_at=now if session.situation.phase is Phase.OVER else None)
    return _with_typing(_still_awaiting(session))


def _assessed(session: Session) -> Session:
    game = session.history.game
    if game is None:
        return session if session.situation is NOTHING else replace(session, situation=NOTHING)
    sight, places = session.sight, game.places
    unsensed = frozenset(range(len(places))) if session.is_doubted else sight.unsensed(places)
    levels = sight.layout(places)
    if levels is not None:
        unsensed |= game.unseen(levels)
        levels = game.interpret(levels)
    situation = assess(session.history, session.targets, levels, sight.order(places), unsensed, session.free)
    dice = ordered_dice(session, situation)
    if dice != situation.dice:
        situation = replace(situation, dice=session.history.dice_allowed(dice))
    if situation == session.situation:
        return session
    choice = session.choice if situation.proposals == session.situation.proposals else 0
    is_under_way = session.is_under_way or situation.phase is Phase.FREE
    return replace(session, situation=situation, choice=choice, is_under_way=is_under_way)


def _settle(session: Session, now: float, out: list[Effect]) -> Session:
    """A complete move that stands by itself does so when it has lain for its time."""
    target = session.situation.target
    if target is None or target.stands_after_s is None:
        return session if session.settling is None else replace(session, settling=None, settled_at=None)
    if session.is_undone:
        # It has just been taken back: it stands again when it is moved again, or with *next*.
        return replace(session, is_undone=False, settling=target, settled_at=None)
    if session.settling != target:
        return replace(session, settling=target, settled_at=now + target.stands_after_s)
    if session.settled_at is not None and now >= session.settled_at:
        return _assessed(stand(session, out))
    return session


def _take_back(session: Session, now: float, out: list[Effect]) -> Session:
    """A move that stood by itself is lifted again: it is taken back, and the turn returns."""
    past, situation, game = session.history.past, session.situation, session.history.game
    if game is None or past is None or not game.may_return or game.dice or not past.game.dice:
        return session
    if situation.phase is not Phase.PUT_RIGHT or past.game.layout == game.layout:
        return session  # nothing was moved: the turn was ended by hand
    verdict = compare(situation.seen, past.game.layout, past.game.targets())
    if verdict.fit is Fit.WRONG:
        return session
    return _assessed(notify(keep(session, (Undone(past.seq),), out), Notice.UNDONE, now))


def _still_awaiting(session: Session) -> Session:
    """A throw is awaited while it may count: also while tiles are put right that were flipped meanwhile."""
    situation = session.situation
    if not session.awaited or situation.phase is Phase.PUT_RIGHT:
        return session
    may_count = situation.phase in (Phase.ROLL, Phase.DONE) and session.awaited in situation.dice
    return session if may_count else replace(session, awaited=0, refused="")


def _with_typing(session: Session) -> Session:
    """Dice are typed while a roll is due; with the keypad always, else when somebody began to."""
    allowed = session.situation.dice
    typed = session.typed
    if typed is not None and typed.count not in allowed:
        session = replace(session, typed=None)
    is_due = session.typed is None and bool(allowed) and not session.awaited
    if is_due and session.are_dice_typed and not session.history.kept_dice(*allowed):
        return replace(session, typed=TypedDice.begin(allowed[-1]))
    return session


def _resume(session: Session, now: float, out: list[Effect]) -> Session:
    """The first look at the box after the table came up in a match."""
    session = _assessed(replace(session, is_resuming=False))
    game = session.history.game
    if game is None or game.match.is_over:
        return session
    is_under_way = session.source == NO_DICE and not _is_leftover(session)
    session = _assessed(replace(session, is_under_way=is_under_way))
    wrong = (*to_put_right(session), *chips.named(*chips.to_put_right(session)))
    notice = session.notice or Notice.RESUMED
    kept = notify(keep(session, (Resumed(game.match.number, *wrong),), out), notice, now)
    return _assessed(replace(kept, is_under_way=is_under_way, is_undone=kept.history.is_undone))


def _is_leftover(session: Session) -> bool:
    """All that lies shut was shut in the turn before: the box is still to be opened for this one."""
    game = session.history.game
    last = game.match.last_turn if game is not None else None
    if game is None or last is None:
        return False
    seen = session.sight.layout(game.places) or ()
    shut = {place + 1 for place, level in zip(game.places, seen, strict=True) if not level}
    return bool(shut) and shut.isdisjoint(last.open)


# Devices


def _lose(session: Session, device: str, reason: str, out: list[Effect]) -> Session:
    if device in session.lost:
        return session
    out.append(Say(LostSaid(device, reason)))
    session = replace(session, lost=(*session.lost, device))
    if device == session.sight.device:
        game = session.history.game
        places, layout = (game.places, game.layout) if game is not None else ((), ())
        return replace(session, sight=session.sight.lose(places, layout))
    if device == "buttons":
        return replace(session, buttons=Buttons())  # a button that was down is not held
    if device == CAMERA_DEVICE:
        return replace(session, awaited=0, refused="")
    return replace(session, asked=0) if device == "dice" else session


def _find(session: Session, device: str, now: float, out: list[Effect]) -> Session:
    if device not in session.lost:
        return session
    out.append(Say(BackSaid(device, "answers again")))
    lost = tuple(name for name in session.lost if name != device)
    sight = session.sight.find() if device == session.sight.device else session.sight
    typed = session.typed
    if device == CAMERA_DEVICE and typed is not None and typed == TypedDice.begin(typed.count):
        typed = None  # nobody has begun to type: the camera reads again
    return replace(session, lost=lost, sight=sight, typed=typed)

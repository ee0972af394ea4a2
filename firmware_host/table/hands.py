"""What hands do with the three buttons, and where their dice come from."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.errors import RuleError
from firmware_host.games.game import CHIPS, Game, Layout
from firmware_host.games.records import Corrected, MatchEnded
from firmware_host.table.acts import end_turn, keep, notify, refuse, roll, stand, undo
from firmware_host.table.coaching import hint
from firmware_host.table.dialog import (
    WITH_CAMERA,
    WITHOUT_CAMERA,
    Choice,
    ChooseRules,
    Chosen,
    Dialog,
    Intent,
    Menu,
    SetUp,
)
from firmware_host.table.effects import Effect, RollRefused, Say, WantRoll
from firmware_host.table.events import Button, ButtonPressed
from firmware_host.table.history import CAMERA, HAND, ROLLER
from firmware_host.table.sight import Sight
from firmware_host.table.situation import Phase
from firmware_host.table.state import KEYPAD, Session
from firmware_host.table.typing_dice import TypedDice
from firmware_host.table.view import Brightness, Notice


def press(session: Session, pressed: ButtonPressed, now: float, out: list[Effect]) -> Session:
    """The session after a whole press or hold of a button."""
    slept = session.brightness(now) is Brightness.OFF
    session = replace(session, active_at=now)
    if slept:
        return session  # this press only woke the screen: nobody saw what it would do
    if session.dialog is not None:
        return _in_dialog(session, session.dialog, pressed, now, out)
    match pressed.button, pressed.held:
        case Button.ROLL, held if session.typed is not None:
            return _turn_digit(session, session.typed, held, now, out)
        case Button.ROLL, held:
            return _ask_roll(session, held, now, out)
        case Button.NEXT, False:
            return _next(session, now, out)
        case Button.NEXT, True:
            return _hold_next(session)
        case Button.BACK, False:
            return _back(session)
    if session.typed is not None and session.source != KEYPAD:
        return replace(session, typed=None)  # setting a throw by hand is left; the throw stays
    return undo(session, now, out)


# Rolling


def _ask_roll(session: Session, held: bool, now: float, out: list[Effect]) -> Session:
    situation = session.situation
    if session.asked:
        return session
    if situation.phase not in (Phase.ROLL, Phase.DONE) or not situation.dice:
        return refuse(session, now, out)
    count = 1 if held else situation.dice[-1]
    if count not in situation.dice:
        return refuse(session, now, out, "wrong_number_of_dice", Notice.TWO_DICE)
    kept = session.history.kept_dice(count)
    if kept:
        return roll(session, kept, CAMERA if session.source == CAMERA else ROLLER, now, out)
    if session.source == CAMERA:
        if session.awaited == count:
            return session  # why the last throw was refused stays to be read
        return replace(session, awaited=count, refused="", notice=None)
    if "dice" in session.lost:
        return refuse(session, now, out, "no_dice", Notice.NO_DICE)
    out.append(WantRoll(count))
    return replace(session, asked=count)


def see_dice(session: Session, dice: tuple[int, ...], source: str, now: float, out: list[Effect]) -> Session:
    """A throw came from the dice source."""
    asked = session.asked or session.awaited
    if session.source == CAMERA and not asked:
        return session  # people throw dice for many reasons
    session = replace(session, asked=0, awaited=0, refused="", active_at=now)
    game = session.history.game
    if not asked or game is None:
        return refuse(session, now, out)
    allowed: tuple[int, ...] = ()
    if session.situation.phase is Phase.DONE:
        allowed = session.situation.dice
    elif not game.dice and not game.match.is_over:
        allowed = game.dice_allowed()
    if not allowed:
        return refuse(session, now, out)
    if len(dice) != asked or len(dice) not in allowed:  # another set may lie than when they were asked for
        notice = Notice.ONE_DIE if 1 in allowed and len(dice) == 2 else Notice.TWO_DICE
        return refuse(session, now, out, "wrong_number_of_dice", notice)
    return roll(session, dice, source, now, out)


def see_refusal(session: Session, reason: str, now: float, out: list[Effect]) -> Session:
    """A throw that the camera cannot tell; it is awaited still.

    Two dice where one is to be thrown are a player's slip, as with any other source.
    """
    if not session.awaited:
        return session
    out.append(Say(RollRefused("wrong_number_of_dice" if reason == "two_dice" else reason)))
    return replace(session, refused=reason, notice=None, active_at=now)


# Typing dice


def _turn_digit(session: Session, typed: TypedDice, held: bool, now: float, out: list[Effect]) -> Session:
    if not held:
        return replace(session, typed=typed.turn(1))
    if 1 not in session.situation.dice:
        return refuse(session, now, out, "wrong_number_of_dice", Notice.TWO_DICE)
    return replace(session, typed=TypedDice.begin(1 if typed.count == 2 else session.situation.dice[-1]))


def _take_digit(session: Session, typed: TypedDice, now: float, out: list[Effect]) -> Session:
    after, dice = typed.take()
    if not dice:
        return replace(session, typed=after)
    is_typed = session.source == KEYPAD or (session.source == CAMERA and not _has_kept(session))
    return roll(session, dice, KEYPAD if is_typed else HAND, now, out)


def _has_kept(session: Session) -> bool:
    """A throw was undone and is due once more."""
    return bool(session.history.kept_dice(*session.situation.dice))


# Next and back


def _next(session: Session, now: float, out: list[Effect]) -> Session:
    situation, game = session.situation, session.history.game
    if session.typed is not None:
        return _take_digit(session, session.typed, now, out)
    if session.awaited:
        typed = TypedDice.begin(session.awaited)
        return replace(session, awaited=0, refused="", typed=typed, notice=None)
    if situation.proposals and game is not None:
        layout = situation.proposals[session.choice % len(situation.proposals)]
        if _is_unseen(session, game, layout):
            return keep(session, game.stand(layout), out)
        return replace(_believe(session, game, layout), is_doubted=False)
    if situation.phase in (Phase.DONE, Phase.FREE):
        return stand(session, out)
    if situation.phase is Phase.ROLL and _has_kept(session):
        # A throw was undone: it stays, unless it is set by hand now.
        return replace(session, typed=TypedDice.begin(situation.dice[-1]), notice=None)
    if game is None:
        return _begin_if_possible(session, session.setup, now, out)
    if game.match.is_over and session.ended_at is not None:
        return session
    if game.match.is_over:
        again = replace(session.setup, players=game.match.next_seats())
        return _begin_if_possible(session, again, now, out)
    return hint(replace(session, notice=None), now)


def _is_unseen(session: Session, game: Game, layout: Layout) -> bool:
    """What leads to ``layout`` is a change that no sensor of this kind shows: a word is enough, for now."""
    levels = session.sight.layout(game.places)
    return levels is not None and game.unseen(levels).issuperset(_changed(session, layout))


def _believe(session: Session, game: Game, layout: Layout) -> Session:
    """Take the player's word that it lies as ``layout``, where it was seen otherwise."""
    changed = _changed(session, layout)
    places = tuple(game.places[i] for i in changed)
    return replace(session, sight=session.sight.take_word(places, tuple(layout[i] for i in changed)))


def _changed(session: Session, layout: Layout) -> tuple[int, ...]:
    rows = enumerate(zip(session.situation.seen, layout, strict=True))
    return tuple(i for i, (now, to) in rows if now != to)


def _back(session: Session) -> Session:
    game = session.history.game
    if session.typed is not None:
        return replace(session, typed=session.typed.turn(-1))
    if session.awaited:
        return replace(session, awaited=0, refused="")
    if game is None or game.match.is_over:
        return replace(session, dialog=_set_up(session))
    return replace(session, choice=session.choice + 1)


def _hold_next(session: Session) -> Session:
    """On a put-right screen the game's word counts against a sensor; else the menu opens."""
    game, situation = session.history.game, session.situation
    if game is None or game.match.is_over:
        return replace(session, dialog=_set_up(session))
    if situation.phase is Phase.PUT_RIGHT:
        before = game.layout
        layout = tuple(before[i] if i in situation.fixes else level for i, level in enumerate(situation.seen))
        return _believe(session, game, layout)
    if session.is_doubted:
        return replace(session, is_doubted=False)
    absent = {Choice.NOT_SEEN} if situation.phase is not Phase.MOVE else set()
    absent |= {Choice.PHONE} if session.phone is None else set()
    absent |= {Choice.SET_SCORE} if game.device == CHIPS else set()  # it has no points
    choices = tuple(choice for choice in Choice if choice not in absent)
    playing = game.match.playing
    totals = tuple((name, game.match.total(name)) for name in playing)
    return replace(session, dialog=Menu(choices, totals), notice=None)


# Dialogs


def _set_up(session: Session) -> Dialog:
    sources = WITH_CAMERA if session.house.source == CAMERA else WITHOUT_CAMERA
    setup = replace(session.setup, settings=session.house.settings)
    return ChooseRules(setup, session.people, sources=sources, has_phone=session.phone is not None)


def _in_dialog(
    session: Session, dialog: Dialog, pressed: ButtonPressed, now: float, out: list[Effect]
) -> Session:
    if pressed.held:
        return replace(session, dialog=None)
    after, intent = dialog.press(pressed.button)
    session = replace(session, dialog=after)
    return session if intent is None else _decide(session, intent, now, out)


def _decide(session: Session, intent: Intent, now: float, out: list[Effect]) -> Session:
    """Do what was chosen in a dialog; the game may have gone on meanwhile."""
    if isinstance(intent, SetUp):
        return _begin_if_possible(session, intent, now, out)
    if intent.choice is Choice.PHONE:
        return replace(session, dialog=session.phone)
    game = session.history.game
    if game is None or game.match.is_over:
        return session
    match intent:
        case Chosen(Choice.NOT_SEEN):
            return replace(session, is_doubted=session.situation.phase is Phase.MOVE)
        case Chosen(Choice.END_TURN):
            return end_turn(session, out)
        case Chosen(Choice.SET_SCORE, player, value):
            was = game.match.total(player)
            return keep(session, (Corrected("score", player, was, value),), out) if value != was else session
        case Chosen(Choice.LEAVE, player) if player in game.match.playing:
            return keep(session, game.leave(player), out)
        case Chosen(Choice.ABANDON):
            return keep(session, (abandoned(session),), out)
        case Chosen(Choice.SET_UP):
            return replace(session, dialog=_set_up(session))
    return session


def abandoned(session: Session) -> MatchEnded:
    """The record that ends the present match without winners."""
    game = session.history.game
    assert game is not None
    return game.match.ended((), reason="abandoned")


def _begin_if_possible(session: Session, setup: SetUp, now: float, out: list[Effect]) -> Session:
    """Start a match; one that cannot be played is not now: another can be set up."""
    try:
        return begin(session, setup, now, out)
    except RuleError:
        return notify(session, Notice.NOT_NOW, now)


def begin(session: Session, setup: SetUp, now: float, out: list[Effect]) -> Session:
    """Start a match; RuleError where these players cannot play by these rules."""
    settings = {**setup.settings, "dice.source": setup.source}
    opening = session.history.opening(settings, setup.players)
    sight = session.sight.trust_again()
    session = replace(session, sight=sight, active_at=now, setup=setup, is_resuming=False)
    session = keep(session, opening, out)
    game = session.history.game
    if game is None or game.device == session.sight.device:
        return session
    lost = tuple(name for name in session.lost if name != session.sight.device)
    return replace(session, sight=Sight.of(game.device), lost=lost)  # another game, on another device

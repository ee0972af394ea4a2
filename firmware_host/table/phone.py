"""The keeper's phone at the table: how it gets there, and what is done for it."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.errors import RuleError
from firmware_host.games.game import Game, Layout
from firmware_host.games.match_rules import Kind
from firmware_host.games.names import likeness
from firmware_host.games.opponents import PREFIX
from firmware_host.games.records import Corrected, EndReason, Undone
from firmware_host.table.acts import end_turn, keep, undo
from firmware_host.table.dialog import SetUp, ShowPhone
from firmware_host.table.effects import Answered, Effect
from firmware_host.table.events import PhoneAsked, PhoneOffered
from firmware_host.table.hands import begin
from firmware_host.table.history import HAND
from firmware_host.table.state import Session
from firmware_host.table.wishes import EndTurn, HandOver, Rename, SetDice, SetScore, Start, TakeBack, Wish

_ENDED_BY_A_THROW = (EndReason.NO_MOVE, EndReason.UNLUCKY, EndReason.PASSED)


def offer(session: Session, offered: PhoneOffered) -> Session:
    """Other digits count now; whoever still shows the old ones, stops."""
    dialog = None if isinstance(session.dialog, ShowPhone) else session.dialog
    return replace(session, phone=ShowPhone(offered.url, offered.digits, offered.code), dialog=dialog)


def fulfil(session: Session, asked: PhoneAsked, now: float, out: list[Effect]) -> Session:
    """Do what the phone asks for, and answer it; what cannot be done changes nothing, and is told why."""
    done: list[Effect] = []
    try:
        after = _do(replace(session, active_at=now), asked.wish, now, done)
    except RuleError as error:
        out.append(Answered(asked.number, str(error)))
        return session
    out += (*done, Answered(asked.number, ""))
    return after


def _do(session: Session, wish: Wish, now: float, out: list[Effect]) -> Session:
    match wish:
        case Start(rules, players, source):
            return begin(replace(session, dialog=None), SetUp(rules, players, source), now, out)
        case TakeBack():
            if session.history.past is None:
                raise RuleError("nothing to undo")
            return undo(session, now, out)
    game = _going_on(session)
    match wish:
        case SetDice(dice):
            return _set_dice(session, game, dice, out)
        case SetScore(player, total):
            was = _total(game, player)
            return keep(session, (Corrected("score", player, was, total),), out) if total != was else session
        case HandOver(player):
            _check_turn(game, player)
            return keep(session, (Corrected("turn", game.match.player, game.match.player, player),), out)
        case EndTurn():
            return end_turn(session, out)
        case Rename(player, name):
            _check_name(game, player, name)
            return keep(session, (Corrected("name", player, player, name),), out)


def _going_on(session: Session) -> Game:
    game = session.history.game
    if game is None:
        raise RuleError("no match goes on")
    if game.match.is_over:
        raise RuleError("the match is over; undo its end first")
    return game


def _total(game: Game, player: str) -> int:
    try:
        return game.match.total(player)
    except ValueError:
        raise RuleError(f"{player} does not play in this match") from None


def _check_name(game: Game, player: str, name: str) -> None:
    """Whether ``player`` can be called ``name`` in this match."""
    _total(game, player)
    if name.startswith(PREFIX):
        raise RuleError(f"{name} is no name: {PREFIX} stands before whom the box plays")
    for other in game.match.players:
        if other == name or (other != player and likeness(other) == likeness(name)):
            raise RuleError(f"{other} plays already")


def _check_turn(game: Game, player: str) -> None:
    """Whether the present turn can be ``player``'s."""
    _total(game, player)
    if game.match.rules.kind is Kind.BATTLE:
        raise RuleError("in a battle each has his own part")
    if player == game.match.player:
        raise RuleError(f"it is {player}'s turn already")
    if player not in game.match.to_play:
        raise RuleError(f"{player} has nothing to play in this round")


def _set_dice(session: Session, game: Game, dice: tuple[int, ...], out: list[Effect]) -> Session:
    """The step of the last throw is taken back, and made again with ``dice``.

    The move before the throw stood with it, so it is read from the game, not from the box, in which tiles
    may lie for the throw that was wrong.
    """
    past = session.history.past
    if past is None or not _was_thrown(past.game, game):
        raise RuleError("the last step was no throw; undo up to it first")
    before = past.game
    moved = before.stand(_layout_at_throw(before, game)) if before.dice else ()
    for record in moved:
        before = before.apply(record)
    if len(dice) not in before.dice_allowed():
        raise RuleError(f"{' or '.join(map(str, before.dice_allowed()))} dice, not {len(dice)}")
    corrected = Corrected("dice", before.match.player, game.thrown, dice)
    session = keep(session, (Undone(past.seq),), out)
    return keep(session, (*moved, corrected, *before.roll(dice, HAND)), out)


def _was_thrown(before: Game, after: Game) -> bool:
    """Was the step between the two a throw?"""
    if after.dice:
        return (before.dice, before.layout) != (after.dice, after.layout)
    ended = after.match.last_turn
    return ended is not None and ended != before.match.last_turn and ended.reason in _ENDED_BY_A_THROW


def _layout_at_throw(before: Game, after: Game) -> Layout:
    ended = after.match.last_turn
    if after.dice or ended is None:
        return after.layout
    return tuple(int(place + 1 in ended.open) for place in before.places)

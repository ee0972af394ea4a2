"""The chip board at the table: what a roll asks for, which squares, what is to be put right."""

from __future__ import annotations

from firmware_host.games.game import Layout
from firmware_host.games.sequence_dice.board import squares_of
from firmware_host.games.sequence_dice.game import SequenceDice
from firmware_host.games.sequence_dice.notation import format_square
from firmware_host.games.sequence_dice.position import Colour
from firmware_host.games.sequence_dice.rules import Do
from firmware_host.table.coaching import lit, ordered_tiles
from firmware_host.table.situation import Phase
from firmware_host.table.state import Session
from firmware_host.table.view import Board

_SHOWS_SEEN = (Phase.MOVE, Phase.DONE, Phase.PUT_RIGHT)
Places = tuple[tuple[int, str], ...]  # a square, and the colour to lie there


def board(session: Session, now: float) -> Board | None:
    """The board as it is to be shown; None where another game is played."""
    game, situation = session.history.game, session.situation
    if not isinstance(game, SequenceDice):
        return None
    place, lift = to_put_right(session)
    legal = game.legal()
    asks = legal[0].do if legal and situation.phase is not Phase.OVER else None
    marked = frozenset(squares_of(game.winning_squares)) if game.match.is_over else _marked(session)
    unsensed = session.sight.unsensed(game.places)
    return Board(
        squares=situation.seen if situation.phase in _SHOWS_SEEN else game.layout,
        marked=marked,
        is_blinking=session.blink(now) > 0 and session.blink(now) % 2 == 1,
        asks="start" if game.is_starting else asks.value if asks is not None else "",
        ordered=next((number - 1 for number in ordered_tiles(session)), None),
        colour=game.colour.word,
        victim=_victim(game) if asks in (Do.REPLACE, Do.REMOVE) else "",
        place=place,
        lift=lift,
        blind=unsensed,
        used_up=tuple(colour.word for colour in game.used_up),
    )


def _marked(session: Session) -> frozenset[int]:
    """The squares that may be used, or are to be put right or confirmed."""
    game, situation = session.history.game, session.situation
    if game is not None and situation.proposals:
        place, lift = to_put_right(session)
        return frozenset((*(square for square, _ in place), *lift))
    return frozenset(number - 1 for number in lit(session))


def _victim(game: SequenceDice) -> str:
    """The one colour whose chips may go; empty where there are two."""
    found = {game.position.colour_at(action.square) for action in game.legal() if action.square is not None}
    colours = [colour.word for colour in found if colour is not None]
    return colours[0] if len(colours) == 1 else ""


def to_put_right(session: Session) -> tuple[Places, tuple[int, ...]]:
    """Squares and the colours to lie there, and squares to be cleared before; or what *next* confirms."""
    game, situation = session.history.game, session.situation
    if not isinstance(game, SequenceDice):
        return (), ()
    if situation.proposals:
        return _changes(situation.seen, situation.proposals[session.choice % len(situation.proposals)])
    righted = tuple(
        game.layout[i] if i in situation.fixes else level for i, level in enumerate(situation.seen)
    )
    return _changes(situation.seen, righted)


def _changes(seen: Layout, wanted: Layout) -> tuple[Places, tuple[int, ...]]:
    changed = [(i, now, to) for i, (now, to) in enumerate(zip(seen, wanted, strict=True)) if now != to]
    place = tuple((i, Colour(to - 1).word) for i, _, to in changed if to)
    return place, tuple(i for i, now, _ in changed if now)


def named(place: Places, lift: tuple[int, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is to be placed, as ``r0c1 green``, and lifted, as ``r0c1``."""
    return tuple(f"{format_square(i)} {colour}" for i, colour in place), tuple(map(format_square, lift))

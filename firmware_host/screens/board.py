"""The chip board small and exact at the right; who plays, the roll and what it asks for at the left."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.games.sequence_dice.notation import format_square
from firmware_host.screens.fitting import centred, cut, fill, headline, largest, shorten
from firmware_host.screens.fonts import Font
from firmware_host.screens.frame import HEAD_FONTS, PAGE, notice_words, reason_words, trouble_line
from firmware_host.screens.layout import HEIGHT, WIDTH, Area, Chips, Die, Layout, Placed, Row, Text
from firmware_host.screens.names import seat_of, shown
from firmware_host.screens.words import say
from firmware_host.table.view import Board, Scene, TurnResult, View

EDGE = 61
_LEFT = WIDTH - EDGE - 3
_HEAD = Area(0, 0, _LEFT, 2 * PAGE)
_COLOUR = Area(0, 2 * PAGE, _LEFT, PAGE)
_CALL = Area(0, 3 * PAGE, _LEFT, 3 * PAGE)
_BELOW = Area(0, 6 * PAGE, _LEFT, 2 * PAGE)
_BODY = Area(0, _CALL.y, _LEFT, HEIGHT - _CALL.y)
_SMALL_FIRST = (Font.SMALL, Font.TINY)
_DIE, _GAP = 16, 2


def on_board(view: View, board: Board) -> Layout:
    """A scene of Sequence Dice; the board comes last."""
    lay_out = _SCENES.get(view.scene, _roll)
    return (*lay_out(view, board), (Placed(_chips(board), WIDTH - EDGE, 1),))


def _chips(board: Board) -> Chips:
    return Chips(board.squares, frozenset() if board.is_blinking else board.marked, board.blind, EDGE)


def _roll(view: View, board: Board) -> Layout:
    if view.typed:
        return (*_head(view, board), _typed(view), *_lines(view, [say("buttons_turn"), say("buttons_take")]))
    last = view.last_turn
    remark: Layout = ()
    if last is not None and last.reason != "moved":
        remark = (centred(_deed(view, last), _BELOW, _SMALL_FIRST),)
    elif board.asks == "start":
        remark = (centred(say("to_start"), _BELOW, _SMALL_FIRST),)
    call = centred(say("roll"), _CALL, (Font.BIG,))
    return (*_head(view, board), call, *(_notices(view) or remark))


def _deed(view: View, last: TurnResult) -> str:
    """How the last turn ended, in one line."""
    why = reason_words(last)
    who = shown(last.player, seat_of(last.player, view), Font.TINY)
    return say("deed", name=shorten(who, Font.TINY.columns(_LEFT) - len(why) - 1), why=why)


def _throw(view: View, board: Board) -> Layout:
    words = say("throw")
    if view.refused:
        words = say(f"refused.{view.refused}") or view.refused
    return (
        *_head(view, board),
        *headline(*(largest(lambda _: [words], _CALL) or cut([words], _CALL)), _CALL),
        *_lines(view, [say("next_type")]),
    )


def _move(view: View, board: Board) -> Layout:
    if view.tumble:
        faces = tuple((view.tumble * 5 + place * 3) % 6 + 1 for place in range(2))
        return (*_head(view, board), _dice(faces, is_told=False))
    total = Text(str(sum(view.dice)), Font.BIG)
    row = (Placed(total, 0, _CALL.y), *_dice(view.dice))
    what = _PLACES.get(sum(view.dice), board.asks) if board.asks == "place" else board.asks
    asks = say(f"asks.{what}", number=sum(view.dice), victim=board.victim or say("another"))
    if board.ordered is not None:
        verb = say("lift" if board.asks == "remove" else "place")
        asks = f"{verb} {format_square(board.ordered)}"
    return (*_head(view, board), row, *_lines(view, [asks]))


def _put_right(view: View, board: Board) -> Layout:
    return (*_head(view, board), *(_notices(view) or ()), *fill(_to_do(board), _without_notice(view)))


def _confirm(view: View, board: Board) -> Layout:
    asked = [*_to_do(board)[:-1], f"{_to_do(board)[-1]}?"]
    return (*_head(view, board), *fill(asked, _CALL), *_lines(view, [say("next_yes"), say("back_other")]))


def _over(view: View, board: Board) -> Layout:
    names = [shorten(shown(name, seat_of(name, view), Font.TINY), 12) for name in view.winners]
    form = "one_wins" if len(names) == 1 else "several_win"
    words = say(form, names=f" {say('and')} ".join(names)) if names else say("no_winner")
    marks = trouble_line(view, _BELOW.y - PAGE, _LEFT)
    area = Area(0, 0, _LEFT, _BELOW.y - (PAGE if marks else 0))
    winners = headline(*(largest(lambda _: [words], area) or cut([words], area)), area)
    return (*winners, *((marks,) if marks else ()), *_lines(view, [say("next_again")]))


_PLACES: Mapping[int, str] = {8: "place_an", 11: "anywhere"}
"""The words for a chip to be placed, where the number asks for others."""

_SCENES: Mapping[Scene, Callable[[View, Board], Layout]] = {
    Scene.ROLL: _roll,
    Scene.THROW: _throw,
    Scene.MOVE: _move,
    Scene.DONE: _move,
    Scene.PUT_RIGHT: _put_right,
    Scene.CONFIRM: _confirm,
    Scene.OVER: _over,
}


def _head(view: View, board: Board) -> Layout:
    """Who plays, and the colour, which says when it is used up; in its place what is out of order."""
    seat = seat_of(view.player, view)
    for font in HEAD_FONTS:
        words = shown(view.player, seat, font)
        if len(words) <= font.columns(_LEFT):
            break
    else:
        words = shorten(words, font.columns(_LEFT))
    name = Placed(Text(words, font), 0, 12 - font.baseline)
    colour = say(f"colour.{board.colour}")
    if board.colour in board.used_up:
        colour = say("used_up", colour=colour)
    below = trouble_line(view, _COLOUR.y, _LEFT) or (Placed(Text(colour, Font.TINY), 0, _COLOUR.y),)
    return ((name,), below)


def _lines(view: View, texts: list[str]) -> Layout:
    """Below: the notice, else the texts."""
    return _notices(view) or fill(texts, _BELOW)


def _notices(view: View) -> Layout:
    """The notice; nothing where there is none."""
    words = notice_words(view)
    return (centred(words, _BELOW, _SMALL_FIRST),) if words else ()


def _without_notice(view: View) -> Area:
    return _CALL if _notices(view) else _BODY


def _to_do(board: Board) -> list[str]:
    """Squares to clear, then chips to place: a text each."""
    texts = [" ".join((say("lift"), *map(format_square, board.lift)))] if board.lift else []
    colours = dict.fromkeys(colour for _, colour in board.place)
    for colour in colours:
        squares = [format_square(square) for square, its in board.place if its == colour]
        texts.append(" ".join((say("place"), *squares, colour)))
    return texts


def _dice(faces: tuple[int, ...], *, is_told: bool = True) -> Row:
    """Small faces at the right of the column."""
    x = _LEFT - len(faces) * (_DIE + _GAP) + _GAP
    y = _CALL.y + (_CALL.height - _DIE) // 2
    return tuple(Placed(Die(pips, _DIE, is_told), x + i * (_DIE + _GAP), y) for i, pips in enumerate(faces))


def _typed(view: View) -> Row:
    """The dice as they are typed, the one to be taken next in a frame."""
    edge, count = _CALL.height, max(view.typed_count, len(view.typed))
    faces = (*view.typed, *(0,) * (count - len(view.typed)))
    return tuple(
        Placed(Die(pips, edge, is_chosen=i == len(view.typed) - 1), i * (edge + _GAP), _CALL.y)
        for i, pips in enumerate(faces)
    )

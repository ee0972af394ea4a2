"""Each scene as a layout: who plays, what to do now in the largest type, how things stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial

from firmware_host.screens.board import on_board
from firmware_host.screens.coaching import best_dice, best_set, review
from firmware_host.screens.dice_rows import call_to_roll, outlines, played, rolled, stands_by_itself, to_type
from firmware_host.screens.fitting import centred, cut, fill, headline, largest, shorten, wrap
from firmware_host.screens.fonts import Font
from firmware_host.screens.frame import (
    BODY,
    FOOT,
    HEAD_FONTS,
    PAGE,
    REMARK,
    buttons,
    foot,
    head,
    notice_words,
    result_row,
    spread,
    tile_row,
    trouble_marks,
)
from firmware_host.screens.layout import HEIGHT, WIDTH, Area, Layout, Placed, Row, Text
from firmware_host.screens.menu import menu
from firmware_host.screens.names import seat_of, shown
from firmware_host.screens.put_right import confirm, put_right
from firmware_host.screens.standings import has_points, standings
from firmware_host.screens.throw import throw
from firmware_host.screens.words import say
from firmware_host.table.view import Scene, View

_FEW = 3  # so many names with points can be read on one page
_LAST_PAGE = HEIGHT - PAGE


@lru_cache(maxsize=4)
def lay_out(view: View) -> Layout:
    """What the panel shows of ``view``; kept, as text and picture are both made from it."""
    if view.board is not None:
        return on_board(view, view.board)
    return _SCENES[view.scene](view)


def _title(view: View) -> Layout:
    words = notice_words(view)
    below = [words, say("next_play")] if words else [say("next_play"), say("back_set_up")]
    return _sign(view, say("title"), below)


def _paused(view: View) -> Layout:
    return _sign(view, say("paused"), [say("trouble.store" if "store" in view.troubles else "saved")])


def _roll(view: View) -> Layout:
    if view.typed:
        return _typing(view)
    last, words = view.last_turn, notice_words(view)
    call = call_to_roll(view, has_remark=last is not None)
    below: Layout = foot(view)
    if view.hint and not words:
        below = best_dice(view.hint)
    elif view.review and not words:
        below = review(view)
    elif view.can_set_dice and not words:
        below = (centred(say("next_set_dice"), FOOT, HEAD_FONTS),)
    elif not words and has_points(view) and (last or view.open == view.tiles):
        below = standings(view, FOOT)
    room = WIDTH if len(call) == 1 else call[-1].x - PAGE
    remark = (result_row(view, last, REMARK.y, room),) if last else ()
    return (head(view), (*outlines(view), *call), *remark, *below)


def _typing(view: View) -> Layout:
    """Dice are being typed.  With many at the table their points stand where the buttons are explained."""
    if notice_words(view):
        return (head(view), to_type(view, BODY), *foot(view))
    if view.review and view.scene is Scene.ROLL:
        return (head(view), to_type(view, BODY), *review(view))
    help_row = buttons("buttons_dice", _LAST_PAGE)
    if view.scene is Scene.ROLL:
        is_crowded = len(view.totals) > _FEW and has_points(view)
        after, top = _after_a_turn(view, HEIGHT if is_crowded else _LAST_PAGE)
        if after:
            rows = after if is_crowded else (*after, help_row)
            return (head(view), to_type(view, _body_to(top)), *rows)
    hints = _hints(view)
    above_help = (spread(hints, _LAST_PAGE - PAGE),) if hints else ()
    return (head(view), to_type(view, BODY), *above_help, help_row)


def _hints(view: View) -> list[str]:
    """The total just played, and how to type the other number of dice where there is a choice."""
    hints = [say("played", total=sum(view.dice))] if view.scene is Scene.DONE and view.dice else []
    if view.dice_allowed == (1, 2):
        hints.append(say("hold_one_die" if view.typed_count > 1 else "hold_two_dice"))
    return hints


def _after_a_turn(view: View, bottom: int) -> tuple[Layout, int]:
    """How the last turn ended and everybody's points down to ``bottom``, and where they begin.

    Without any points the tiles take their place, where there is room for them.
    """
    last = view.last_turn
    if notice_words(view) or not (last or (has_points(view) and view.open == view.tiles)):
        return (), bottom
    if has_points(view):
        is_large = len(view.totals) > _FEW or (last is None and bottom == HEIGHT)
        height = 2 * PAGE if is_large else PAGE
        below = standings(view, Area(0, bottom - height, WIDTH, height))
    else:
        height = FOOT.height if bottom == HEIGHT else 0
        below = (tile_row(view, FOOT),) if height else ()
    top = bottom - height - (PAGE if last else 0)
    return (*((result_row(view, last, top),) if last else ()), *below), top


def _body_to(bottom: int) -> Area:
    return Area(0, BODY.y, WIDTH, min(bottom - BODY.y, BODY.height))


def _free(view: View) -> Layout:
    after, top = _after_a_turn(view, HEIGHT) if view.open == view.tiles else ((), FOOT.y)
    above = Area(0, BODY.y, WIDTH, min(top, FOOT.y) - PAGE - BODY.y)
    return (
        head(view),
        centred(say("flip_tiles"), above),
        centred(say("next_end_turn"), Area(0, above.bottom, WIDTH, PAGE)),
        *(after or foot(view)),
    )


def _move(view: View) -> Layout:
    if view.must_shut:
        return put_right(view)  # the box plays this seat, and says which tiles
    if view.hint:
        return (head(view), *best_set(view, view.hint), *foot(view))
    return (head(view), rolled(view), *foot(view))


def _done(view: View) -> Layout:
    if view.dice_allowed and view.typed:
        return _typing(view)
    if view.dice_allowed:
        return (head(view), played(view), call_to_roll(view), *foot(view))
    return (head(view), *stands_by_itself(view), *foot(view))


def _over(view: View) -> Layout:
    last, words = view.last_turn, notice_words(view)
    if not words and view.best is not None and view.totals:
        words = say("own_best", total=view.totals[0][1], best=view.best)
    is_compared = bool(words or view.review) or has_points(view)
    height = (4 if is_compared else 6) * PAGE - (PAGE if last else 0)
    table_area = Area(0, 4 * PAGE, WIDTH, 2 * PAGE)
    table: Layout = ()
    if is_compared:
        table = (centred(words, table_area, HEAD_FONTS),) if words else standings(view, table_area)
        if view.review and view.notice is None:
            table = review(view, table_area)
    return (
        *_winners(view, Area(0, 0, WIDTH, height)),
        *((result_row(view, last, height),) if last else ()),
        *table,
        _what_next(view),
    )


def _what_next(view: View) -> Row:
    """The foot after a match: again in large type, another set-up beside it; with marks both small."""
    again, other = say("next_again"), say("back_set_up")
    marks = trouble_marks(view, FOOT.y)
    if marks:
        texts = (Text(again, Font.TINY), Text(other, Font.TINY))
        below = tuple(Placed(text, 0, FOOT.y + i * PAGE) for i, text in enumerate(texts))
        return (*below, *marks)
    large = Text(again, Font.MEDIUM)
    columns = Font.TINY.columns(WIDTH - large.width - PAGE)
    small = [Text(line, Font.TINY) for line in wrap(other, columns) or (shorten(other, columns),)][:2]
    x = WIDTH - max(text.width for text in small)
    top = FOOT.y + (FOOT.height - PAGE * len(small)) // 2
    beside = tuple(Placed(text, x, top + i * PAGE) for i, text in enumerate(small))
    return (Placed(large, 0, FOOT.y), *beside)


_SCENES: Mapping[Scene, Callable[[View], Layout]] = {
    Scene.TITLE: _title,
    Scene.ROLL: _roll,
    Scene.THROW: throw,
    Scene.MOVE: _move,
    Scene.DONE: _done,
    Scene.PUT_RIGHT: put_right,
    Scene.CONFIRM: confirm,
    Scene.FREE: _free,
    Scene.MENU: menu,
    Scene.OVER: _over,
    Scene.PAUSED: _paused,
}


def _winners(view: View, area: Area) -> Layout:
    """Who wins, in full, else shortened, else by seat: whichever comes first to fit."""
    if not view.winners:
        return (centred(say("no_winner"), area),)
    form = "one_wins" if len(view.winners) == 1 else "several_win"

    def paragraphs(columns: int, font: Font) -> list[str]:
        names = [shorten(shown(name, seat_of(name, view), font), columns) for name in view.winners]
        return [say(form, names=f" {say('and')} ".join(names))]

    for columns in (WIDTH, 12, 8, 5, 2):
        fitting = largest(partial(paragraphs, columns), area)
        if fitting:
            return headline(*fitting, area)
    return headline(*cut(paragraphs(1, Font.TINY), area), area)


def _sign(view: View, words: str, below: list[str]) -> Layout:
    """A word on its own with a line or two below it."""
    marks = trouble_marks(view, 0)
    top = BODY.y if marks else 0
    height = len(below) * (Font.SMALL if marks and len(below) > 1 else Font.MEDIUM).height
    area = Area(0, top, WIDTH, HEIGHT - height - top)
    rows = (centred(words, area), *fill(below, Area(0, area.bottom, WIDTH, height)))
    return (marks, *rows) if marks else rows

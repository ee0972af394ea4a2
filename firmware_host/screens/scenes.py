"""Each scene as a layout: who plays, what to do now in the largest type, how things stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial

from firmware_host.screens.dice_rows import roll_again, rolled, to_roll
from firmware_host.screens.fitting import centred, cut, fill, headline, largest, shorten
from firmware_host.screens.fonts import Font
from firmware_host.screens.frame import (
    BODY,
    FOOT,
    HEAD_FONTS,
    PAGE,
    foot,
    head,
    head_with_total,
    notice_words,
    reason_words,
    result_row,
    trouble_marks,
)
from firmware_host.screens.layout import HEIGHT, WIDTH, Area, Layout, Placed, Text
from firmware_host.screens.names import seat_of, shown
from firmware_host.screens.standings import has_points, standings
from firmware_host.screens.words import say
from firmware_host.table.view import Scene, View


@lru_cache(maxsize=4)
def lay_out(view: View) -> Layout:
    """What the panel shows of ``view``; kept, as text and picture are both made from it."""
    return _SCENES[view.scene](view)


def _title(view: View) -> Layout:
    return _sign(view, say("title"), say("next_play"))


def _paused(view: View) -> Layout:
    return _sign(view, say("paused"), say("saved"))


def _roll(view: View) -> Layout:
    last, words = view.last_turn, notice_words(view)
    if words or not (last or (has_points(view) and view.open == view.tiles)):
        return (head_with_total(view), to_roll(view, BODY), *foot(view))
    table_height = 2 * PAGE if len(view.totals) > 3 or last is None else PAGE
    top = HEIGHT - table_height - (PAGE if last else 0)
    result = (result_row(view, last, top),) if last else ()
    table = standings(view, Area(0, HEIGHT - table_height, WIDTH, table_height))
    return (head(view, view.player), to_roll(view, Area(0, BODY.y, WIDTH, top - BODY.y)), *result, *table)


def _move(view: View) -> Layout:
    return (head_with_total(view), rolled(view, BODY), *foot(view))


def _done(view: View) -> Layout:
    if view.dice_allowed:
        return (head_with_total(view), *roll_again(view, BODY), *foot(view))
    area, below = (BODY, foot(view)) if notice_words(view) else (Area(0, BODY.y, WIDTH, 6 * PAGE), ())
    return (head(view, view.player), *_celebrate([say("shut_the_box")], area), *below)


def _put_right(view: View) -> Layout:
    top, height = _heading(view, most_remarks=2)
    return (*top, *fill(_to_do(view), Area(0, height, WIDTH, HEIGHT - height)))


def _confirm(view: View) -> Layout:
    top, height = _heading(view, most_remarks=1)
    asked = " ".join(_to_do(view)[-1:]) + "?"
    question = fill([*_to_do(view)[:-1], asked], Area(0, height, WIDTH, FOOT.y - height))
    return (*top, *question, centred(say("next_or_back"), FOOT, HEAD_FONTS))


def _over(view: View) -> Layout:
    last, words = view.last_turn, notice_words(view)
    height = 3 * PAGE if last else 4 * PAGE
    table_area = Area(0, 4 * PAGE, WIDTH, 2 * PAGE)
    marks = trouble_marks(view, HEIGHT - PAGE * min(2, len(view.troubles)))
    room = Area(0, FOOT.y, min((mark.x for mark in marks), default=WIDTH), FOOT.height)
    return (
        *_winners(view, Area(0, 0, WIDTH, height)),
        *((result_row(view, last, height),) if last else ()),
        *((centred(words, table_area, HEAD_FONTS),) if words else standings(view, table_area)),
        (*centred(say("next_again"), room, HEAD_FONTS), *marks),
    )


_SCENES: Mapping[Scene, Callable[[View], Layout]] = {
    Scene.TITLE: _title,
    Scene.ROLL: _roll,
    Scene.MOVE: _move,
    Scene.DONE: _done,
    Scene.PUT_RIGHT: _put_right,
    Scene.CONFIRM: _confirm,
    Scene.OVER: _over,
    Scene.PAUSED: _paused,
}


def _to_do(view: View) -> list[str]:
    """What to put right: a text for the tiles to open, one for those to shut."""
    pairs = (("open", view.must_open), ("shut", view.must_shut))
    return [" ".join((say(word), *map(str, tiles))) for word, tiles in pairs if tiles]


def _heading(view: View, most_remarks: int) -> tuple[Layout, int]:
    """The head with remarks of a page each below it, and where it ends."""
    last, words = view.last_turn, notice_words(view)
    top = head(view, last.player, last.score) if last else head(view, view.player)
    remarks = [words] if words else []
    if last:
        remarks = _after_turn(view, words or reason_words(last), most_remarks)
    rows = [(Placed(Text(text, Font.TINY), 0, BODY.y + i * PAGE),) for i, text in enumerate(remarks)]
    return (top, *rows), BODY.y + len(rows) * PAGE


def _after_turn(view: View, why: str, most_remarks: int) -> list[str]:
    """Why the turn ended (or a notice) and who is next, on one line where that fits."""
    columns = Font.TINY.columns(WIDTH)
    who = shown(view.player, seat_of(view.player, view), Font.TINY)
    up_next = say("up_next", name=who) if len(view.totals) > 1 else ""
    both = [text for text in (why, up_next) if text]
    if len(" ".join(both)) <= columns:
        return [" ".join(both)] if both else []
    return both if most_remarks > 1 else [f"{why} {shorten(up_next, columns - len(why) - 1)}"]


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


def _celebrate(paragraphs: list[str], area: Area) -> Layout:
    return headline(*(largest(lambda _: paragraphs, area) or cut(paragraphs, area)), area)


def _sign(view: View, words: str, below: str) -> Layout:
    """A word on its own with a line below it."""
    marks = trouble_marks(view, 0)
    area = BODY if marks else Area(0, 0, WIDTH, FOOT.y)
    rows = (centred(words, area), centred(notice_words(view) or below, FOOT, HEAD_FONTS))
    return (marks, *rows) if marks else rows

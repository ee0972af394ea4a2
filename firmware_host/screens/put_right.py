"""Box and game disagree: which tiles to open and to shut."""

from __future__ import annotations

from firmware_host.screens.dice_rows import dice, outlines
from firmware_host.screens.fitting import centred, cut, largest, listed
from firmware_host.screens.fonts import Font
from firmware_host.screens.frame import (
    BODY,
    CALL,
    FOOT,
    HEAD_FONTS,
    REMARK,
    foot,
    head,
    notice_words,
    result_row,
)
from firmware_host.screens.layout import WIDTH, Area, Layout
from firmware_host.screens.words import say
from firmware_host.table.view import View


def put_right(view: View) -> Layout:
    """The list comes last, as a text too: what follows OPEN and SHUT is only the tiles."""
    last = view.last_turn
    remark = (result_row(view, last, REMARK.y),) if last else ()
    height = CALL.height if last else BODY.height
    return (head(view), *_with_list(view, (*remark, *foot(view)), _to_do(view), height))


def confirm(view: View) -> Layout:
    """The same as a question, and what the buttons answer."""
    last, words = view.last_turn, notice_words(view)
    answers = say("next_or_back")
    below: Layout = (centred(answers, REMARK), *foot(view))
    if last:
        remark = centred(words, REMARK) if words else result_row(view, last, REMARK.y)
        below = (remark, centred(answers, FOOT, HEAD_FONTS))
    asked = [*_to_do(view)[:-1], " ".join(_to_do(view)[-1:]) + "?"]
    return (head(view), *_with_list(view, below, asked, CALL.height))


def _with_list(view: View, below: Layout, texts: list[str], height: int) -> Layout:
    """The dice with the list beside them; a list that is larger without them takes their place.

    After a turn the list is long and its dice are news: they stay where it can be read beside them.
    """
    beside, whole = (Area(x, BODY.y, WIDTH - x, height) for x in (CALL.x, 0))
    right = largest(lambda _: texts, beside)
    wide = largest(lambda _: texts, whole) or cut(texts, whole)
    least = Font.SMALL if view.last_turn else Font.MEDIUM
    if right and (right[0].height >= least.height or right[0].height >= wide[0].height):
        faces = view.dice or (view.last_turn.dice if view.last_turn else ())
        return (dice(faces) if faces else outlines(view), *below, *_in_pages(*right, beside))
    return (*below, *_in_pages(*wide, whole))


def _in_pages(font: Font, lines: tuple[str, ...], area: Area) -> Layout:
    """The lines in as many whole pages as they need from the top of ``area``."""
    is_low = len(lines) * font.height <= CALL.height
    return listed(font, lines, Area(area.x, area.y, area.width, CALL.height if is_low else area.height))


def _to_do(view: View) -> list[str]:
    """What to put right: a text for the tiles to open, one for those to shut."""
    pairs = (("open", view.must_open), ("shut", view.must_shut))
    return [" ".join((say(word), *map(str, tiles))) for word, tiles in pairs if tiles]

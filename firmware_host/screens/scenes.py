"""Each scene as a layout: who plays, what to do now in the largest type, how things stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial

from firmware_host.screens.dice_rows import roll_again, rolled, to_roll, to_type
from firmware_host.screens.fitting import centred, cut, fill, headline, largest, shorten, wrap
from firmware_host.screens.fonts import Font
from firmware_host.screens.frame import (
    BODY,
    FOOT,
    HEAD_FONTS,
    PAGE,
    buttons,
    foot,
    head,
    head_with_total,
    notice_words,
    reason_words,
    result_row,
    spread,
    tile_row,
    trouble_marks,
)
from firmware_host.screens.layout import HEIGHT, WIDTH, Area, Layout, Placed, Row, Text
from firmware_host.screens.menu import menu
from firmware_host.screens.names import seat_of, shown
from firmware_host.screens.standings import has_points, standings
from firmware_host.screens.words import say
from firmware_host.table.view import Scene, View

_FEW = 3  # so many names with points can be read on one page
_LAST_PAGE = HEIGHT - PAGE


@lru_cache(maxsize=4)
def lay_out(view: View) -> Layout:
    """What the panel shows of ``view``; kept, as text and picture are both made from it."""
    return _SCENES[view.scene](view)


def _title(view: View) -> Layout:
    words = notice_words(view)
    below = [words, say("next_play")] if words else [say("next_play"), say("back_set_up")]
    return _sign(view, say("title"), below)


def _paused(view: View) -> Layout:
    return _sign(view, say("paused"), [say("saved")])


def _roll(view: View) -> Layout:
    if view.typed:
        return _typing(view)
    if view.can_set_dice and not notice_words(view):
        offer = centred(say("next_set_dice"), FOOT, HEAD_FONTS)
        return (head_with_total(view), to_roll(view, BODY), offer)
    after, top = _after_a_turn(view, HEIGHT)
    if not after:
        return (head_with_total(view), to_roll(view, BODY), *foot(view))
    return (head(view, view.player), to_roll(view, _body_to(top)), *after)


def _typing(view: View) -> Layout:
    """Dice are being typed.  With many at the table their points stand where the buttons are explained."""
    if notice_words(view):
        return (head_with_total(view), to_type(view, BODY), *foot(view))
    help_row = buttons("buttons_dice", _LAST_PAGE)
    if view.scene is Scene.ROLL:
        is_crowded = len(view.totals) > _FEW and has_points(view)
        after, top = _after_a_turn(view, HEIGHT if is_crowded else _LAST_PAGE)
        if after:
            rows = after if is_crowded else (*after, help_row)
            return (head(view, view.player), to_type(view, _body_to(top)), *rows)
    hints = _hints(view)
    above_help = (spread(hints, _LAST_PAGE - PAGE),) if hints else ()
    return (head_with_total(view), to_type(view, BODY), *above_help, help_row)


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
    body = _body_to(top if after else FOOT.y)
    small = Font.SMALL if body.height >= BODY.height else Font.TINY
    above = Area(0, body.y, WIDTH, body.height - small.height)
    return (
        head(view, view.player) if after else head_with_total(view),
        centred(say("flip_tiles"), above),
        centred(say("next_end_turn"), Area(0, above.bottom, WIDTH, small.height), (small, Font.TINY)),
        *(after or foot(view)),
    )


def _move(view: View) -> Layout:
    return (head_with_total(view), rolled(view, BODY), *foot(view))


def _done(view: View) -> Layout:
    if view.dice_allowed and view.typed:
        return _typing(view)
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
    is_compared = bool(words) or has_points(view)
    height = (4 if is_compared else 6) * PAGE - (PAGE if last else 0)
    table_area = Area(0, 4 * PAGE, WIDTH, 2 * PAGE)
    table: Layout = ()
    if is_compared:
        table = (centred(words, table_area, HEAD_FONTS),) if words else standings(view, table_area)
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
    Scene.MOVE: _move,
    Scene.DONE: _done,
    Scene.PUT_RIGHT: _put_right,
    Scene.CONFIRM: _confirm,
    Scene.FREE: _free,
    Scene.MENU: menu,
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


def _sign(view: View, words: str, below: list[str]) -> Layout:
    """A word on its own with a line or two below it."""
    marks = trouble_marks(view, 0)
    top = BODY.y if marks else 0
    height = len(below) * (Font.SMALL if marks and len(below) > 1 else Font.MEDIUM).height
    area = Area(0, top, WIDTH, HEIGHT - height - top)
    rows = (centred(words, area), *fill(below, Area(0, area.bottom, WIDTH, height)))
    return (marks, *rows) if marks else rows

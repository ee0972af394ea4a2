"""What the scenes have in common: the head with a name, the places in the middle, the foot with the tiles.

All scenes of a game share one frame, so that what stays the same stays in its place and is not sent again.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from firmware_host.screens.fitting import centred, shorten
from firmware_host.screens.fonts import Font
from firmware_host.screens.layout import WIDTH, Area, Layout, Placed, Row, Text, Tile
from firmware_host.screens.names import seat_of, shown
from firmware_host.screens.words import say
from firmware_host.table.view import Notice, Scene, TurnResult, View

PAGE = 8  # the panel is sent in rows of 8 pixels: what starts on one changes fewer bytes
BODY = Area(0, 2 * PAGE, WIDTH, 4 * PAGE)
DICE = Area(0, BODY.y, 50, 3 * PAGE)
CALL = Area(56, BODY.y, WIDTH - 56, 3 * PAGE)  # what to do now, beside the dice
REMARK = Area(0, CALL.bottom, WIDTH, PAGE)  # below both
FOOT = Area(0, 6 * PAGE, WIDTH, 2 * PAGE)
HEAD_FONTS = (Font.MEDIUM, Font.SMALL, Font.TINY)
_GAP = 4
_MARK_GAP = 2
_LEAST_REASONED = 24  # columns
_DEEDS = ("moved", "passed", "blocked", "left")  # reasons that say what the player did
_MARKED_FIRST = ("store", "tiles", "chips", "dice", "camera", "buttons", "display")  # the gravest first


def _head(view: View) -> Row:
    """Two pages: whose turn it is; at the right what is out of order."""
    marks = trouble_marks(view, 0)
    room = min((mark.x for mark in marks), default=WIDTH + _GAP) - _GAP
    for font in HEAD_FONTS:
        words = shown(view.player, seat_of(view.player, view), font)
        if len(words) <= font.columns(room):
            break
    else:
        words = shorten(words, font.columns(room))
    return (Placed(Text(words, font), 0, 12 - font.baseline), *marks)


def head(view: View) -> Row:
    """The head of the player, with the points from earlier rounds where there is room for them.

    The dice that end a turn do not tell so while they tumble: the points that already count it are left out.
    """
    row = _head(view)
    _, total, has_played = view.totals[view.seat] if view.seat < len(view.totals) else ("", 0, False)
    if view.tumble and has_played:
        return row
    text = Text(str(total), Font.MEDIUM)
    fits = len(row) == 1 and row[0].area.right + 2 * _GAP + text.width <= WIDTH
    return (*row, Placed(text, WIDTH - text.width, 0)) if total and fits else row


def trouble_marks(view: View, y: int) -> Row:
    """At the right edge, one below the other: the two gravest troubles, or one and how many more."""
    says = _troubles(view, most=2)
    marks = [Text(words, Font.TINY, is_inverse=True) for words in says]
    return tuple(Placed(mark, WIDTH - mark.width, y + i * PAGE) for i, mark in enumerate(marks))


def trouble_line(view: View, y: int, right: int = WIDTH) -> Row:
    """On one page up to ``right``: the gravest trouble and how many more."""
    marks = [Text(words, Font.TINY, is_inverse=True) for words in _troubles(view, most=1)]
    xs = accumulate((mark.width + _MARK_GAP for mark in marks), initial=0)
    width = sum(mark.width for mark in marks) + _MARK_GAP * (len(marks) - 1)
    return tuple(Placed(mark, right - width + x, y) for mark, x in zip(marks, xs, strict=False))


def _troubles(view: View, most: int) -> list[str]:
    """The troubles in words, the gravest first; of more than ``most`` one and how many more."""
    says = [say(f"trouble.{trouble}") for trouble in _MARKED_FIRST if trouble in view.troubles]
    return says if len(says) <= most else [says[0], say("trouble.more", count=len(says) - 1)]


def notice_words(view: View) -> str:
    """The notice in words, empty where there is none."""
    if view.notice is None:
        return ""
    if view.notice is Notice.TILES_FIRST and view.to_shut:
        return say("notice.tiles_first_missing", missing=view.to_shut)
    return say(f"notice.{view.notice.name.lower()}")


def foot(view: View) -> Layout:
    """Two pages: the notice, else the tiles."""
    words = notice_words(view)
    if words:
        return (centred(words, FOOT, HEAD_FONTS),)
    return (tile_row(view, FOOT),)


def tile_row(view: View, area: Area) -> Row:
    """The tiles side by side, each in a place of its own that does not move.

    Those to put right are shown as they lie.
    """
    is_settled = view.scene not in (Scene.PUT_RIGHT, Scene.MOVE)
    lying = view.open if is_settled else {*view.open, *view.must_shut} - {*view.must_open}
    digits = sum(len(str(tile)) for tile in view.tiles)
    count = max(1, len(view.tiles))
    font = Font.MEDIUM if digits * Font.MEDIUM.width + 4 * count <= area.width else Font.SMALL
    pad = min(8, (area.width - digits * font.width) // count)
    gap = 1 if pad < 5 else 2
    cells = [len(str(tile)) * font.width + pad for tile in view.tiles]
    x = area.x + (area.width - sum(cells) + gap) // 2
    row: list[Placed] = []
    for number, cell in zip(view.tiles, cells, strict=True):
        is_open, is_blind = number in lying, number in view.blind
        tile = Tile(number, is_open, is_blind, cell - gap, area.height - 1, font)
        row.append(Placed(tile, x, area.y + 1))
        x += cell
    return tuple(row)


def reason_words(result: TurnResult) -> str:
    """Why a turn ended; empty where there is nothing to say."""
    if not result.dice and result.reason in ("no_move", "unlucky"):
        return ""
    return say(f"reason.{result.reason}", total=sum(result.dice))


def result_row(view: View, result: TurnResult, y: int, width: int = WIDTH) -> Row:
    """One page: who got what and, where there is room, why; the name shortened if need be."""
    columns = Font.TINY.columns(width)
    why = reason_words(result)
    who = shown(result.player, seat_of(result.player, view), Font.TINY)
    if not why or columns < _LEAST_REASONED:
        words = short_result(who, result.score, columns)
    elif result.score is None and result.reason in _DEEDS:
        words = say("deed", name=shorten(who, columns - len(why) - 1), why=why)
    else:
        words = say("result_why", result=short_result(who, result.score, columns - len(why) - 2), why=why)
    return (Placed(Text(words, Font.TINY), 0, y),)


def buttons(key: str, y: int) -> Row:
    """One page: what each button does."""
    return spread(say(key).split("  "), y)


def spread(parts: Sequence[str], y: int) -> Row:
    """Texts on one page from the left edge to the right; one alone in the middle."""
    texts = [Text(part, Font.TINY) for part in parts]
    spare = WIDTH - sum(text.width for text in texts)
    if len(texts) == 1:
        return (Placed(texts[0], spare // 2, y),)
    gap = spare // max(1, len(texts) - 1)
    xs = accumulate((text.width + gap for text in texts), initial=0)
    return tuple(Placed(text, x, y) for text, x in zip(texts, xs, strict=False))


def short_result(who: str, score: int | None, columns: int) -> str:
    """``who`` with the score, the name shortened if need be."""
    if score is None:
        return shorten(who, columns)
    return say("result", name=shorten(who, columns - len(str(score)) - 1), score=score)

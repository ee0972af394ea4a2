"""The menu and the set-up: a title, what there is to choose or to set, what the buttons do."""

from __future__ import annotations

from firmware_host.games.opponents import PREFIX
from firmware_host.games.shut_the_box.presets import PRESETS
from firmware_host.screens.fitting import cut, shorten
from firmware_host.screens.fonts import LARGE_FIRST, Font
from firmware_host.screens.frame import BODY, HEAD_FONTS, PAGE, buttons, short_result, trouble_line
from firmware_host.screens.layout import HEIGHT, WIDTH, Area, Layout, Option, Placed, Row, Text
from firmware_host.screens.names import drawable, seat_of, shown
from firmware_host.screens.phone import phone
from firmware_host.screens.words import say
from firmware_host.table.dialog import Item, Page
from firmware_host.table.view import View

_ROW = 15  # height of a choice
_BAR = WIDTH - Font.MEDIUM.width  # width of one; at its right the mark that there are more
_INDENT = 2
_GAP = 4
_FOOT = HEIGHT - PAGE


def menu(view: View) -> Layout:
    """The page of a dialog."""
    page = view.page or Page("menu")
    if page.title == "phone":
        return phone(view, page)
    if page.digits:
        return _setting_digits(view, page)
    about = [_about(item) for item in page.items]
    about_height = 2 * PAGE if any(about) else 0
    count = (_FOOT - PAGE - about_height) // _ROW
    selected = about[page.index] if page.index < len(about) else ""
    lines = _left(selected, Area(_INDENT, PAGE + count * _ROW, WIDTH - _INDENT, about_height))
    return (
        _title(view, _title_words(page)),
        *_choices(view, page, count),
        *lines,
        buttons("buttons_choose", _FOOT),
    )


def _title_words(page: Page) -> str:
    return say(f"title.{page.title}", number=page.number) or page.title


def _title(view: View, words: str) -> Row:
    marks = trouble_line(view, 0)
    room = min((mark.x - _GAP for mark in marks), default=WIDTH) - _INDENT
    return (Placed(Text(shorten(words, Font.TINY.columns(room)), Font.TINY), _INDENT, 0), *marks)


def _choices(view: View, page: Page, count: int) -> Layout:
    """The choices around the selected one, ``count`` rows of them; where there are more, it is marked."""
    first = max(0, min(page.index - (count - 1) // 2, len(page.items) - count))
    items = page.items[first : first + count]
    rows: list[Row] = [
        (Placed(_option(view, page, item, first + i), 0, PAGE + i * _ROW),) for i, item in enumerate(items)
    ]
    if first:
        rows[0] += (Placed(_more("more_above"), _BAR, PAGE),)
    if first + count < len(page.items):
        rows[-1] += (Placed(_more("more_below"), _BAR, PAGE + (count - 1) * _ROW),)
    return tuple(rows)


def _more(key: str) -> Option:
    return Option(say(key), Font.MEDIUM, WIDTH - _BAR, _ROW, indent=0, is_selected=False)


def _option(view: View, page: Page, item: Item, place: int) -> Option:
    """A choice in the largest type of a head in which it fits, else shortened."""
    room = _BAR - 2 * _INDENT
    for font in HEAD_FONTS:
        label = _label(view, page, item, place, font, WIDTH)
        if len(label) <= font.columns(room):
            break
    else:
        label = _label(view, page, item, place, font, font.columns(room))
    return Option(label, font, _BAR, _ROW, _INDENT, is_selected=place == page.index)


def _label(view: View, page: Page, item: Item, place: int, font: Font, columns: int) -> str:
    if item.key == "player" and item.name.startswith(PREFIX):
        return shorten(say("opponent", name=item.name.removeprefix(PREFIX)), columns)
    if item.key == "player":
        return short_result(_name(view, page, item.name, place, font), item.number, columns)
    if item.key == "players" and item.number == 1:
        return say("one_player")
    return shorten(say(item.key, name=item.name, number=item.number) or item.key, columns)


def _name(view: View, page: Page, name: str, place: int, font: Font) -> str:
    """A name on a list; one that cannot be drawn is the seat, on a list for one seat with its place."""
    if page.number is not None:
        return drawable(name, font) or say("seat_entry", seat=page.number, number=place + 1)
    return shown(name, seat_of(name, view) if _has_seat(name, view) else place, font)


def _about(item: Item) -> str:
    """A line about a choice; empty where none is needed."""
    if item.key == "preset":
        return PRESETS[item.name].line if item.name in PRESETS else ""
    if item.name.startswith(PREFIX):
        return say(f"about.opponent_{item.name.removeprefix(PREFIX)}")
    return say(f"about.{item.key}")


def _left(words: str, area: Area) -> Layout:
    """``words`` in small type along the left margin."""
    if not words:
        return ()
    font, lines = cut([words], area)
    return tuple(
        (Placed(Text(line, font), area.x, area.y + i * font.height),) for i, line in enumerate(lines)
    )


def _setting_digits(view: View, page: Page) -> Layout:
    """A name, and large digits of which one is being set."""
    return (
        _whose_score(view, page),
        _digits(page, Area(0, BODY.y, WIDTH, BODY.height)),
        buttons("buttons_digit", _FOOT),
    )


def _whose_score(view: View, page: Page) -> Row:
    """Whose score it is, by name, else by seat where that is known."""
    marks = trouble_line(view, 0)
    room = min((mark.x - _GAP for mark in marks), default=WIDTH)
    for font in HEAD_FONTS:
        is_seated = _has_seat(page.name, view)
        name = shown(page.name, seat_of(page.name, view), font) if is_seated else drawable(page.name, font)
        words = say("score_of", name=name) if name else say("score")
        if len(words) <= font.columns(room):
            break
    else:
        spare = font.columns(room) - len(say("score_of", name=""))
        words = say("score_of", name=shorten(name, spare))
    return (Placed(Text(words, font), 0, 12 - font.baseline), *marks)


def _has_seat(name: str, view: View) -> bool:
    return any(name == seated for seated, *_ in view.totals)


def _digits(page: Page, area: Area) -> Row:
    count = len(page.digits)
    step = area.width // count
    font = next((f for f in LARGE_FIRST if f.width + _GAP <= step), Font.TINY)
    cell = min(step, font.width + 2 * _GAP)
    x = area.x + (area.width - count * cell) // 2
    indent = (cell - 1 - font.width) // 2
    return tuple(
        Placed(
            Option(str(digit), font, cell - 1, area.height, indent, is_selected=i == page.index),
            x + i * cell,
            area.y,
        )
        for i, digit in enumerate(page.digits)
    )

"""How the keeper's phone gets to the page: a QR code, the digits to type, and the address in words."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.screens.fitting import centred
from firmware_host.screens.fonts import Font
from firmware_host.screens.frame import HEAD_FONTS, PAGE, trouble_line
from firmware_host.screens.layout import HEIGHT, WIDTH, Area, Code, Layout, Placed, Row, Text
from firmware_host.screens.words import say
from firmware_host.table.dialog import Page
from firmware_host.table.view import View

LEAST_SCALE = 2  # pixels a module: below, no phone reads it off so small a panel
_GAP = 2
_FONT = Font.TINY


def phone(view: View, page: Page) -> Layout:
    """The code at the left, where it fits; the digits as large as they can be."""
    digits = "".join(map(str, page.digits))
    scale = HEIGHT // len(page.code) if page.code else 0
    if scale < LEAST_SCALE:
        return (
            _title(view, Area(0, 0, WIDTH, 2 * PAGE)),
            centred(digits, Area(0, 2 * PAGE, WIDTH, 4 * PAGE)),
            *_address(page.name, Area(0, 6 * PAGE, WIDTH, 2 * PAGE)),
        )
    code = Placed(Code(page.code, HEIGHT, scale), 0, 0)
    right = Area(HEIGHT + _GAP, 0, WIDTH - HEIGHT - _GAP, HEIGHT)
    return (
        (code, *_title(view, Area(right.x, 0, right.width, 2 * PAGE))),
        centred(digits, Area(right.x, 2 * PAGE, right.width, 3 * PAGE)),
        *_address(page.name, Area(right.x, 5 * PAGE, right.width, 3 * PAGE)),
    )


def _title(view: View, area: Area) -> Row:
    """What it is, small below the troubles where there are any."""
    marks = trouble_line(view, area.y)
    if not marks:
        return centred(say("title.phone"), area, HEAD_FONTS)
    return (*centred(say("title.phone"), replace(area, y=area.y + PAGE, height=PAGE), (Font.TINY,)), *marks)


def _address(url: str, area: Area) -> Layout:
    """Host and port, on as few lines as they need."""
    host = url.partition("//")[2].partition("/")[0]
    columns = _FONT.columns(area.width)
    name, colon, port = host.rpartition(":")
    parts = [host] if len(host) <= columns else [name, colon + port]
    lines = [line for part in parts for line in _broken(part, columns)][: area.height // PAGE]
    return tuple(
        (Placed(Text(line, _FONT), area.x + (area.width - Text(line, _FONT).width) // 2, area.y + i * PAGE),)
        for i, line in enumerate(lines)
    )


def _broken(part: str, columns: int) -> list[str]:
    return [part[i : i + columns] for i in range(0, len(part), columns)]

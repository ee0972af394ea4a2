"""Everybody's points in little room."""

from __future__ import annotations

from firmware_host.screens.fitting import centred, shorten
from firmware_host.screens.fonts import Font
from firmware_host.screens.layout import Area, Layout, Placed, Text
from firmware_host.screens.names import shown
from firmware_host.screens.words import say
from firmware_host.table.view import View

_MOST = 8  # more than two lines of four cannot be read
_MOST_CHANCES = 4  # with more, nothing would be left of the names


def has_points(view: View) -> bool:
    """Somebody has played or has points: there is something to compare."""
    return any(total or has_played for _, total, has_played in view.totals)


def standings(view: View, area: Area) -> Layout:
    """Names with totals in seat order, in ``area`` of one or two pages; large where they fit on a line."""
    if not view.totals:
        return ()
    for font in (Font.MEDIUM, Font.SMALL):
        words = "  ".join(_entries(view, font, font.columns(area.width)))
        if font.height <= area.height and len(words) <= font.columns(area.width):
            return (centred(words, area, (font,)),)
    return _columns(view, area)


def _columns(view: View, area: Area) -> Layout:
    """One or two lines of the smallest type, in columns; long names are shortened."""
    font = Font.TINY
    count = min(len(view.totals), _MOST)
    line_count = min(area.height // font.height, count)
    across = -(-count // line_count)
    step = area.width // across
    entries = _entries(view, font, font.columns(step) - (across > 1))
    placed = [
        Placed(Text(words, font), area.x + i % across * step, area.y + i // across * font.height)
        for i, words in enumerate(entries)
    ]
    return tuple(tuple(placed[i : i + across]) for i in range(0, len(placed), across))


def _entries(view: View, font: Font, columns: int) -> list[str]:
    return [
        _entry(shown(name, seat, font), _score(view, seat, total if total or has_played else None), columns)
        for seat, (name, total, has_played) in enumerate(view.totals[:_MOST])
    ]


def _score(view: View, seat: int, total: int | None) -> str:
    """The total, and behind it the chance to win where it is known and names keep their room."""
    score = say("unplayed") if total is None else str(total)
    is_shown = view.chances and len(view.totals) <= _MOST_CHANCES
    return f"{score} {say('percent', number=view.chances[seat])}" if is_shown else score


def _entry(name: str, score: str, columns: int) -> str:
    entry = say("result", name=shorten(name, max(1, columns - len(score) - 1)), score=score)
    return shorten(entry, columns)

"""Putting text into an area: the largest type in which all of it fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from firmware_host.screens.fonts import LARGE_FIRST, Font
from firmware_host.screens.layout import Area, Layout, Placed, Row, Text

Paragraphs = Sequence[str]
"""Texts that each begin a line; they wrap at spaces."""


def shorten(words: str, columns: int) -> str:
    """``words`` in at most ``columns`` characters, the loss marked.

    >>> shorten("Bartholomew", 6)
    'Barth…'
    """
    return words if len(words) <= columns else words[: max(0, columns - 1)].rstrip() + "…"


def wrap(words: str, columns: int) -> tuple[str, ...] | None:
    """``words`` in lines of at most ``columns`` characters; None where a word is longer.

    >>> wrap("OPEN 1 2 3 4", 8)
    ('OPEN 1 2', '3 4')
    """
    lines: list[str] = []
    for word in words.split():
        if len(word) > columns:
            return None
        if lines and len(lines[-1]) + 1 + len(word) <= columns:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return tuple(lines)


def largest(
    paragraphs: Callable[[Font], Paragraphs], area: Area, fonts: Sequence[Font] = LARGE_FIRST
) -> tuple[Font, tuple[str, ...]] | None:
    """The first of ``fonts`` in which the paragraphs fit the area, and their lines; None: in none."""
    for font in fonts:
        wrapped = [wrap(text, font.columns(area.width)) for text in paragraphs(font)]
        lines = tuple(line for part in wrapped if part is not None for line in part)
        if None not in wrapped and len(lines) * font.height <= area.height:
            return font, lines
    return None


def listed(font: Font, lines: Sequence[str], area: Area) -> Layout:
    """Lines below each other with one left margin, in the middle of ``area``."""
    width = max(map(len, lines), default=0) * font.width
    x = area.x + (area.width - width) // 2
    y = area.y + (area.height - len(lines) * font.height) // 2
    return tuple((Placed(Text(line, font), x, y + i * font.height),) for i, line in enumerate(lines))


def headline(font: Font, lines: Sequence[str], area: Area) -> Layout:
    """Lines below each other, each in the middle of ``area``."""
    rows = listed(font, lines, area)
    return tuple((replace(placed, x=area.x + (area.width - placed.area.width) // 2),) for (placed,) in rows)


def fill(paragraphs: Paragraphs, area: Area) -> Layout:
    """The paragraphs as a list in the largest type that fits; what fits in none is cut off with a mark."""
    font, lines = largest(lambda _: paragraphs, area) or cut(paragraphs, area)
    return listed(font, lines, area)


def centred(words: str, area: Area, fonts: Sequence[Font] = LARGE_FIRST) -> Row:
    """One line in the middle of ``area``, in the first of ``fonts`` that fits, else shortened."""
    fitting = (font for font in fonts if font.height <= area.height)
    last = fonts[-1]
    font = next((font for font in fitting if len(words) <= font.columns(area.width)), last)
    text = Text(shorten(words, font.columns(area.width)), font)
    x = area.x + (area.width - text.width) // 2
    return (Placed(text, x, area.y + (area.height - font.height) // 2),)


def cut(paragraphs: Paragraphs, area: Area) -> tuple[Font, tuple[str, ...]]:
    """What fits of the paragraphs in the smallest type, and it."""
    font = Font.TINY
    columns, count = font.columns(area.width), area.height // font.height
    lines = [line for text in paragraphs for line in wrap(text, columns) or (shorten(text, columns),)]
    kept = lines[:count]
    if len(lines) > count:
        kept[-1] = shorten(kept[-1] + "…", columns)
    return font, tuple(kept)

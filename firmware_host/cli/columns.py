"""Columns of text, whatever script the names are in."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def aligned(heading: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """``rows`` below ``heading``, a line each; the first ``left`` columns begin, the others end, together."""
    lines = [heading, *rows]
    widths = [max(width(line[i]) for line in lines) for i in range(len(heading))]

    def cell(text: str, column: int) -> str:
        space = " " * (widths[column] - width(text))
        return text + space if column < left else space + text

    return "\n".join("  ".join(cell(text, i) for i, text in enumerate(line)).rstrip() for line in lines)


def width(text: str) -> int:
    """How many cells of a terminal ``text`` takes."""
    return sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1

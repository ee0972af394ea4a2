"""The panel as text."""

from __future__ import annotations

from firmware_host.screens.layout import text_lines
from firmware_host.screens.scenes import lay_out
from firmware_host.table.view import View


def lines(view: View) -> tuple[str, ...]:
    """The text on the panel in reading order, a string a line; what it says is what is drawn.

    >>> from firmware_host.table.view import Scene
    >>> lines(View(Scene.PAUSED))
    ('PAUSED', 'all is saved')
    """
    return text_lines(lay_out(view))

"""Before the camera: people are to throw, and why the last throw could not be told."""

from __future__ import annotations

from firmware_host.screens.dice_rows import dice
from firmware_host.screens.fitting import centred, cut, headline, largest
from firmware_host.screens.fonts import Font
from firmware_host.screens.frame import BODY, CALL, FOOT, HEAD_FONTS, PAGE, REMARK, foot, head, notice_words
from firmware_host.screens.layout import WIDTH, Area, Layout
from firmware_host.screens.words import say
from firmware_host.table.view import View

_WHY = Area(0, BODY.y, WIDTH, 3 * PAGE)


def throw(view: View) -> Layout:
    """The call to throw so many dice; after a refusal why, what to do, and that they can be typed."""
    if view.refused:
        return _refusal(view)
    call = centred(say("throw"), CALL, (Font.BIG,))
    hint = centred(say("next_type_dice"), REMARK, (Font.TINY,))
    return (head(view), (*dice((0,) * view.awaited), *call), hint, *foot(view))


def _refusal(view: View) -> Layout:
    why = say(f"refused.{view.refused}") or view.refused
    mend = say(f"mend.{view.refused}") or say("mend")
    return (
        head(view),
        *headline(*(largest(lambda _: [why], _WHY) or cut([why], _WHY)), _WHY),
        centred(say("next_type_dice"), REMARK, (Font.TINY,)),
        centred(notice_words(view) or mend, FOOT, HEAD_FONTS),
    )

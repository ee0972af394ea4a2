"""The middle of the panel around a roll: the call to roll, the dice, what is left to shut."""

from __future__ import annotations

from itertools import accumulate

from firmware_host.screens.fitting import headline, largest
from firmware_host.screens.fonts import LARGE_FIRST, Font
from firmware_host.screens.frame import BODY, CALL, DICE, REMARK
from firmware_host.screens.layout import Area, Die, Layout, Placed, Row, Text
from firmware_host.screens.sprites import FRAME
from firmware_host.screens.words import say
from firmware_host.table.view import View

_GAP = 2
_TOTAL_MIDDLE, _REST_MIDDLE = 72, 110  # of the columns for the total and for what is missing of it
_TALL = Area(CALL.x, CALL.y, CALL.width, BODY.height)


def dice(faces: tuple[int, ...], *, is_told: bool = True) -> Row:
    """The dice in their place at the left; 0: yet to be thrown."""
    step = DICE.height + _GAP
    x = DICE.x + (DICE.width - len(faces) * step + _GAP) // 2
    return tuple(
        Placed(Die(pips, DICE.height, is_told), x + i * step, DICE.y) for i, pips in enumerate(faces)
    )


def outlines(view: View) -> Row:
    """As many dice as may be thrown; two where that is not known yet."""
    return dice((0,) * max(view.dice_allowed, default=2))


def call_to_roll(view: View, *, has_remark: bool = False) -> Row:
    """The call to roll, the choice of dice below it; where a remark stands there, the choice is as small."""
    choice = _choice(view.dice_allowed)
    if choice and not has_remark:
        return _below_each_other(Text(say("roll"), Font.MEDIUM), Text(choice, Font.MEDIUM))
    if choice:
        return _below_each_other(Text(say("roll"), Font.BIG), Text(choice, Font.TINY))
    return _below_each_other(Text(say("roll"), Font.BIG if has_remark else Font.GREAT))


def rolled(view: View) -> Row:
    """The dice, their total, and what is missing of it once a tile lies.  Nothing told while they tumble."""
    if view.tumble:
        faces = tuple((view.tumble * 5 + place * 3) % 6 + 1 for place in range(len(view.dice)))
        return dice(faces, is_told=False)
    if not view.dice:
        return ()
    total = Text(str(sum(view.dice)), Font.GREAT)
    x = _TOTAL_MIDDLE - total.width // 2
    return (*dice(view.dice), Placed(total, x, CALL.y), *_left_to_do(view))


def _left_to_do(view: View) -> Row:
    """At the right edge: what a roll is for, and once a tile lies how much is missing."""
    if not view.to_shut:
        return ()
    if view.to_shut >= sum(view.dice):
        call = Text(say("flip_these"), Font.BIG)
        return (Placed(call, _REST_MIDDLE - call.width // 2, CALL.y),)
    count, more = Text(str(view.to_shut), Font.BIG), Text(say("more"), Font.TINY)
    return (
        Placed(count, _REST_MIDDLE - count.width // 2, CALL.y),
        Placed(more, _REST_MIDDLE - more.width // 2, REMARK.y),
    )


def played(view: View) -> Row:
    """The dice of a move that is complete, and below them that it is."""
    if not view.dice:
        return ()
    done = Text(say("played", total=sum(view.dice)), Font.TINY)
    return (*dice(view.dice), Placed(done, _centred(done, DICE), REMARK.y))


def stands_by_itself(view: View) -> Layout:
    """The dice of a move that stands in a moment, and beside them that it is good, or has shut the box."""
    fitting = largest(lambda _: [say("good_move" if view.open else "shut_the_box")], _TALL)
    return (dice(view.dice), *(headline(*fitting, _TALL) if fitting else ()))


def to_type(view: View, area: Area) -> Row:
    """The call to roll, and at the right the dice as they are typed: the one to be taken next in a frame."""
    count, edge = max(view.typed_count, len(view.typed)), area.height
    step = edge + _GAP
    x = area.right - count * step + _GAP
    row: list[Placed] = []
    for place, pips in enumerate((*view.typed, *(0,) * (count - len(view.typed)))):
        if place == len(view.typed) - 1:
            row.append(Placed(Die(pips, edge, is_chosen=True), x + place * step, area.y))
        else:
            row.append(Placed(Die(pips, edge - 2 * FRAME), x + place * step + FRAME, area.y + FRAME))
    return (*_call_over_choice(view, Area(area.x, area.y, x - _GAP - area.x, area.height)), *row)


def _call_over_choice(view: View, area: Area) -> Row:
    """The call to roll, with the choice of dice below it."""
    small = Font.SMALL if area.height >= 4 * Font.TINY.height else Font.TINY
    choice = _choice(view.dice_allowed)
    height = area.height - (small.height if choice else 0)
    words = say("roll")
    font = next(f for f in LARGE_FIRST if f.height <= height and len(words) <= f.columns(area.width))
    call, below = Text(words, font), Text(choice, small)
    top = area.y + (height - font.height) // 2
    row = (Placed(call, area.x + (area.width - call.width) // 2, top),)
    if not choice:
        return row
    return (*row, Placed(below, area.x + (area.width - below.width) // 2, area.bottom - small.height))


def _choice(dice_allowed: tuple[int, ...]) -> str:
    """The choice of dice in words; empty where two are to be rolled."""
    return {(1, 2): say("one_or_two"), (1,): say("one_die")}.get(dice_allowed, "")


def _centred(text: Text, area: Area) -> int:
    return area.x + (area.width - text.width) // 2


def _below_each_other(*texts: Text) -> Row:
    tops = accumulate((text.height for text in texts), initial=CALL.y)
    return tuple(Placed(text, _centred(text, CALL), y) for text, y in zip(texts, tops, strict=False))

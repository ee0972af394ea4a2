"""The middle of the panel around a roll: the call to roll, the dice, what is left to shut."""

from __future__ import annotations

from firmware_host.screens.fonts import LARGE_FIRST, Font
from firmware_host.screens.layout import Area, Die, Layout, Placed, Row, Text
from firmware_host.screens.sprites import FRAME
from firmware_host.screens.words import say
from firmware_host.table.view import View

_GAP = 2


def to_roll(view: View, area: Area) -> Row:
    """The call to roll, with the choice, or with the dice that are to be thrown."""
    call = Text(say("roll"), _call_font(area))
    baseline = area.y + call.font.baseline
    room = area.width - call.width - 2 * _GAP
    beside = _beside(view.dice_allowed, room)
    if not beside:
        dice = _dice((0,) * sum(view.dice_allowed[:1]), area.height - 6, 0, area.y + 3)
        width = dice[-1].area.right if dice else 0
        gap = (area.width - call.width - width) // 3
        shifted = tuple(Placed(die.thing, die.x + call.width + 2 * gap, die.y) for die in dice)
        return (Placed(call, gap, area.y), *shifted)
    x = area.right - beside.width
    gap = (area.width - call.width - beside.width) // 3
    return (Placed(call, gap, area.y), Placed(beside, x - gap, baseline - beside.font.baseline))


def rolled(view: View, area: Area) -> Row:
    """The dice, their total, and what is missing of it once a tile lies.  Nothing told while they tumble."""
    edge = area.height - 4
    if view.tumble:
        faces = tuple((view.tumble * 5 + place * 3) % 6 + 1 for place in range(len(view.dice)))
        return _dice(faces, edge, area.x, area.y + 2, is_told=False)
    dice = _dice(view.dice, edge, area.x, area.y + 2)
    if not dice:
        return ()
    total = Text(str(sum(view.dice)), Font.HUGE)
    x = dice[-1].area.right + 2 * _GAP + (Font.HUGE.width // 2 if len(total.words) == 1 else 0)
    return (*dice, Placed(total, x, area.y), *_left_to_do(view, area))


def _left_to_do(view: View, area: Area) -> Row:
    """At the right edge: what a roll is for, and once a tile lies how much is missing."""
    if not view.to_shut:
        return ()
    if view.to_shut >= sum(view.dice):
        words = [Text(word, Font.SMALL) for word in say("flip_tiles").split()]
        width = max(word.width for word in words)
        y = area.y + (area.height - len(words) * Font.SMALL.height) // 2
        return tuple(
            Placed(word, area.right - (width + word.width) // 2, y + i * word.height)
            for i, word in enumerate(words)
        )
    count, more = Text(str(view.to_shut), Font.BIG), Text(say("more"), Font.TINY)
    middle = area.right - Font.BIG.width
    return (
        Placed(count, middle - count.width // 2, area.y),
        Placed(more, middle - more.width // 2, area.y + count.height),
    )


def roll_again(view: View, area: Area) -> Layout:
    """The call to roll on the left; on the right the roll just played and the choice."""
    call = Text(say("roll"), Font.HUGE)
    half = area.height // 2
    dice = _dice(view.dice, half - 1, call.width + 2 * _GAP, area.y)
    row: Row = dice
    if dice:
        row = (*dice, Placed(Text(str(sum(view.dice)), Font.MEDIUM), dice[-1].area.right + 2 * _GAP, area.y))
    beside = _beside(view.dice_allowed, area.width - call.width - 2 * _GAP)
    calls: Row = (Placed(call, area.x, area.y),)
    if beside:
        calls = (*calls, Placed(beside, call.width + 2 * _GAP, area.bottom - beside.height))
    return (row, calls)


def to_type(view: View, area: Area) -> Row:
    """The call to roll, and at the right the dice as they are typed: the one to be taken next in a frame."""
    count, edge = max(view.typed_count, len(view.typed)), area.height
    step = edge + _GAP
    x = area.right - count * step + _GAP
    dice: list[Placed] = []
    for place, pips in enumerate((*view.typed, *(0,) * (count - len(view.typed)))):
        if place == len(view.typed) - 1:
            dice.append(Placed(Die(pips, edge, is_chosen=True), x + place * step, area.y))
        else:
            dice.append(Placed(Die(pips, edge - 2 * FRAME), x + place * step + FRAME, area.y + FRAME))
    return (*_call_over_choice(view, Area(area.x, area.y, x - _GAP - area.x, area.height)), *dice)


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


def _call_font(area: Area) -> Font:
    return next(font for font in LARGE_FIRST if font.height <= area.height)


def _choice(dice_allowed: tuple[int, ...]) -> str:
    """The choice of dice in words; empty where two are to be rolled."""
    return {(1, 2): say("one_or_two"), (1,): say("one_die")}.get(dice_allowed, "")


def _beside(dice_allowed: tuple[int, ...], width: int) -> Text | None:
    """The choice of dice in words, in the largest type that fits; None where two are to be rolled."""
    words = _choice(dice_allowed)
    if not words:
        return None
    fonts = (Font.MEDIUM, Font.SMALL, Font.TINY)
    return Text(words, next((f for f in fonts if len(words) <= f.columns(width)), Font.TINY))


def _dice(faces: tuple[int, ...], edge: int, x: int, y: int, *, is_told: bool = True) -> Row:
    step = edge + _GAP
    return tuple(Placed(Die(pips, edge, is_told), x + i * step, y) for i, pips in enumerate(faces))

"""What the coach says: a hint at a roll, a turn in review."""

from __future__ import annotations

from firmware_host.screens.dice_rows import dice
from firmware_host.screens.fitting import centred, headline, largest, listed
from firmware_host.screens.fonts import Font
from firmware_host.screens.frame import CALL, FOOT, REMARK
from firmware_host.screens.layout import Area, Layout
from firmware_host.screens.words import say
from firmware_host.table.view import Hint, View


def best_set(view: View, hint: Hint) -> Layout:
    """The dice with the best set beside them, and below what the next best, or the one begun, gives away."""
    fitting = largest(lambda _: [say("best", what=_spaced(hint.best))], CALL)
    remark = (centred(_against(hint, is_dice=False), REMARK, (Font.TINY,)),)
    return (dice(view.dice), *(headline(*fitting, CALL) if fitting else ()), *remark)


def best_dice(hint: Hint) -> Layout:
    """In place of the tiles: how many dice are best, and what the other number gives away."""
    lines = (say("best", what=_number(hint.best)), _against(hint, is_dice=True))
    return listed(Font.TINY, lines, FOOT)


def review(view: View, area: Area = FOOT) -> Layout:
    """Two lines: the dearest slip of the turn before, and what had been best."""
    seen = view.review
    if seen is None:
        return ()
    if seen.worst is None:
        return listed(Font.TINY, (say("review_none"),), area)
    worst = seen.worst
    made, best = ((_number if worst.is_dice else _spaced)(what) for what in (worst.made, worst.best))
    has_more = seen.cost - worst.cost >= 0.05
    after = say("review_best_of" if has_more else "review_best", best=best, cost=f"{seen.cost:.1f}")
    return listed(Font.TINY, (say("review_cost", made=made, cost=_points(worst.cost)), after), area)


def _against(hint: Hint, *, is_dice: bool) -> str:
    if not hint.rival:
        return say("hint_only")
    rival = (_number if is_dice else _spaced)(hint.rival)
    if not hint.cost:
        return say("hint_tie", rival=rival)
    cost = _percent(hint.cost) if hint.is_chance else _points(hint.cost)
    words = say("hint_cost", rival=rival, cost=cost)
    if len(words) <= Font.TINY.columns(FOOT.width):
        return words
    return say("hint_cost", rival=rival, cost=cost.split()[0])  # the unit is what can be spared


def _points(cost: float) -> str:
    """To a tenth, smaller ones to a thousandth."""
    return say("points", number=f"{cost:.1f}" if cost >= 0.1 else f"{max(cost, 0.001):.3f}".rstrip("0"))


def _percent(cost: float) -> str:
    return say("percent", number=f"{100 * cost:.1f}" if cost >= 0.0005 else "<.1")


def _spaced(tiles: tuple[int, ...]) -> str:
    return " ".join(map(str, reversed(tiles)))


def _number(dice_count: tuple[int, ...]) -> str:
    return say("one_die" if dice_count == (1,) else "two_dice")

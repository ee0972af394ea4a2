"""What is heard when the screen changes: a short tune, or nothing."""

from __future__ import annotations

from firmware_host.table.view import Notice, Scene, View

Tune = tuple[tuple[int, int], ...]
"""Notes: Hz (0: a rest), milliseconds."""

# Up for well done, down for a slip, a fanfare for the box; short, as the next flip does not wait.
OK: Tune = ((1319, 60), (1760, 90))
WRONG: Tune = ((392, 120), (262, 220))
WIN: Tune = ((1047, 110), (1319, 110), (1568, 110), (0, 40), (2093, 320))

_SLIPS = frozenset(
    {Notice.TILES_FIRST, Notice.NOT_NOW, Notice.NO_DICE, Notice.TWO_DICE, Notice.ONE_DIE, Notice.STUCK}
)


def tune(before: View, after: View) -> Tune:
    """The tune for the change from ``before`` to ``after``; empty: silence."""
    if after.scene is Scene.OVER and before.scene is not Scene.OVER and after.winners:
        return WIN
    last = after.last_turn
    if last is not None and last != before.last_turn and last.reason == "shut":
        return WIN
    if after.scene is Scene.PUT_RIGHT and (before.scene is not Scene.PUT_RIGHT or _asks_more(before, after)):
        return WRONG
    if after.notice in _SLIPS and after.notice is not before.notice:
        return WRONG
    if after.scene is Scene.DONE and before.scene in (Scene.MOVE, Scene.PUT_RIGHT, Scene.CONFIRM):
        return OK
    return ()


def _asks_more(before: View, after: View) -> bool:
    """One more tile is to be put right."""
    return bool({*after.must_open, *after.must_shut} - {*before.must_open, *before.must_shut})

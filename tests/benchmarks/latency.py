"""From a level that has stood long enough to the last byte of the screen that answers it."""

from __future__ import annotations

import time
from collections.abc import Iterator

from bus import Screen
from changes import FRAME, IN_A_TURN, kind
from figures import Figure, Length, calibrate, percentile
from hands import Change, Hands, views

from firmware_host.screens.fonts import load
from firmware_host.screens.sprites import sprite
from firmware_host.table.session import step

PART = "latency"
BUS_HZ = 400_000
CLOCKS_A_BYTE = 9
IN_A_TURN_MS, NEW_SCENE_MS = 12.0, 30.0


def measure(length: Length) -> Iterator[Figure]:
    """Computing (step, draw, plan, luma) as it takes here, and the bus at 400 kHz by its bytes."""
    loop_ms = calibrate()
    changes: list[Change] = []
    hands = Hands(1, changed=changes.append)
    for _ in range(length.matches):
        hands.play_match()
    screen = Screen()
    computing: dict[bool, list[float]] = {True: [], False: []}
    whole: dict[bool, list[float]] = {True: [], False: []}
    for change in changes:
        name = kind(change.before, change.after)
        computed_ms, total_ms = _change(screen, change)
        if name != FRAME:
            computing[name in IN_A_TURN].append(computed_ms)
            whole[name in IN_A_TURN].append(total_ms)
    for is_in_turn, what, limit_ms in ((True, "in a turn", IN_A_TURN_MS), (False, "new scene", NEW_SCENE_MS)):
        for share in (0.5, 0.99):
            value, limit = percentile(whole[is_in_turn], share), limit_ms
            name = f"level to last byte, {what}, p{share * 100:.0f} of {len(whole[is_in_turn]):,}"
            yield Figure(PART, name, value, "ms", limit, calibration_ms=loop_ms)
        value = percentile(computing[is_in_turn], 0.5)
        yield Figure(PART, f"of it computing, {what}, p50", value, "ms", calibration_ms=loop_ms)
    yield Figure(PART, "of it computing, the worst with nothing drawn before", _cold(changes), "ms",
                 calibration_ms=loop_ms)  # fmt: skip


def _change(screen: Screen, change: Change) -> tuple[float, float]:
    """Milliseconds of computing, and with the bus."""
    sent, start = 0, time.perf_counter()
    for view in views(step(change.session, change.came.event, change.came.now)[1]):
        sent += screen.show(view)
    computed_ms = 1000 * (time.perf_counter() - start)
    return computed_ms, computed_ms + 1000 * sent * CLOCKS_A_BYTE / BUS_HZ


def _cold(changes: list[Change]) -> float:
    """The longest computing of a change when every font and sprite has to be made anew."""
    worst = 0.0
    by_kind = {kind(change.before, change.after): change for change in changes}
    for change in by_kind.values():
        screen = Screen()
        load.cache_clear()
        sprite.cache_clear()
        worst = max(worst, _change(screen, change)[0])
    return worst

"""Memory after many events: what is kept for each of them adds up in a table that runs for months.

Caches are emptied before each look: all of them hold at most so many things, and fill up slowly.
"""

from __future__ import annotations

import functools
import gc
import tracemalloc
from collections.abc import Iterator

from bus import Screen
from figures import Figure, Length
from hands import Change, Hands

from firmware_host.screens.text import lines

PART = "memory"
EVENTS = 10_000
WARM_MATCHES = 24  # until all that is made once is made
LIMIT_KB = 16.0  # a few hundred objects: less than 2 bytes an event


def measure(_length: Length) -> Iterator[Figure]:
    """Heart, screens and panel: traced memory after match and match, each over and its past let go."""
    screen = Screen()

    def changed(change: Change) -> None:
        screen.show(change.after)
        lines(change.after)

    hands, done, matches = Hands(4, polls=True, changed=changed), 0, 0
    tracemalloc.start()  # before the warming: what was made untraced and is made anew would look like growth
    try:
        hands.start_match()
        for _ in range(WARM_MATCHES):
            _play(hands)
        before = _traced_kb()
        while done < EVENTS:
            done += _play(hands)
            matches += 1
        growth = _traced_kb() - before
    finally:
        tracemalloc.stop()
    name = f"memory: growth over {done:,} events, {matches} matches"
    yield Figure(PART, name, max(0.0, round(growth, 1)), "kB", LIMIT_KB)


def _play(hands: Hands) -> int:
    """A match to its end and the start of the next, when its past is let go; how many events came in."""
    hands.play_on()
    hands.start_match()
    count = len(hands.trace)
    hands.trace.clear()
    return count


def _traced_kb() -> float:
    for cache in gc.get_objects():
        if isinstance(cache, functools._lru_cache_wrapper):
            cache.cache_clear()
    gc.collect()
    return tracemalloc.get_traced_memory()[0] / 1024

"""The heart by itself: events and legal sets a second, and the journal's commits."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from figures import BEST_OF, Figure, Length, best_of, calibrate
from hands import Came, Hands

from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.rules import Rules, legal_shuts
from firmware_host.store.journal import FILE_NAME, Journal, Stamp
from firmware_host.table.effects import Keep
from firmware_host.table.session import step
from firmware_host.table.state import Session

PART = "core"
EVENTS_A_SECOND = 20_000
STEPS = 200  # journalled
TILES = tuple(range(1, 13))


def measure(length: Length) -> Iterator[Figure]:
    """A whole recorded match in ``step``; every box and roll in ``legal_shuts``; commits as moves come."""
    loop_ms = calibrate()
    for polls in (False, True):
        trace = record_trace(length.matches, polls=polls)
        rate = len(trace) / best_of(lambda trace=trace: replay(trace))  # type: ignore[misc]
        name = f"step, a trace of {len(trace):,} events" + (", slow re-reads included" if polls else "")
        yield Figure(PART, name, rate, "events/s", least=EVENTS_A_SECOND, calibration_ms=loop_ms)
    positions = [
        (Box(TILES, mask), dice) for mask in range(0, 1 << 12, 5) for dice in product(range(1, 7), repeat=2)
    ]
    rules = Rules(tiles=TILES)

    def look_up() -> None:
        for box, dice in positions:
            legal_shuts(box, dice, rules)

    yield Figure(PART, "legal sets of a box of twelve", len(positions) / best_of(look_up), "rolls/s",
                 calibration_ms=loop_ms)  # fmt: skip
    steps = _steps(record_trace(length.matches, polls=False))[:STEPS]
    commits, commit_ms = _commits(steps)
    yield Figure(PART, "journal: commits a step (a move with its roll, a turn's end)", commits, "commits", 1)
    yield Figure(PART, "journal: a commit on this disk", commit_ms, "ms", calibration_ms=loop_ms)


def record_trace(matches: int, *, polls: bool) -> list[Came]:
    """What came in through so many matches, every bounce of it."""
    hands = Hands(3, polls=polls)
    for _ in range(matches):
        hands.play_match()
    return hands.trace


def replay(trace: list[Came]) -> Session:
    """The session after all of ``trace``."""
    session = Session()
    for came in trace:
        session, _ = step(session, came.event, came.now)
    return session


def _steps(trace: list[Came]) -> list[Keep]:
    session, steps = Session(), []
    for came in trace:
        session, effects = step(session, came.event, came.now)
        steps += [effect for effect in effects if isinstance(effect, Keep)]
    return steps


def _commits(steps: list[Keep]) -> tuple[float, float]:
    """Commits a step as SQLite does them, and the milliseconds of a step, best of five."""
    best, statements = float("inf"), Counter[str]()
    for _ in range(BEST_OF):
        with tempfile.TemporaryDirectory() as folder:
            journal = Journal(Path(folder, FILE_NAME))
            statements.clear()
            journal._db.set_trace_callback(lambda text: statements.update((text.split()[0].upper(),)))
            start = time.perf_counter()
            for keep in steps:
                journal.append(keep.seq, keep.records, Stamp(1.0, "", False), keep.after.snapshot())
            best = min(best, time.perf_counter() - start)
            journal.close()
    return statements["COMMIT"] / len(steps), 1000 * best / len(steps)

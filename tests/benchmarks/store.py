"""The store with many matches in it: how big it is, how fast it answers, what a move costs.

By itself: ``PYTHONPATH=. python tests/benchmarks/store.py --matches 100000 --seed 1``.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

from firmware_host.games.game import Game
from firmware_host.games.records import MatchStarted, Record
from firmware_host.games.start import begin, opening
from firmware_host.store.backup import backup, restore
from firmware_host.store.journal import FILE_NAME, Journal, Row, Stamp
from firmware_host.store.looking import looking
from firmware_host.store.projections import Projector
from firmware_host.store.queries import standings
from firmware_host.store.rows import fold_last_match, insert, to_json
from firmware_host.store.schema import connect, transaction
from firmware_host.store.tables import COLUMNS, Span, table

Figure = tuple[str, float, str, float | None]
"""Name, figure, unit, and the limit where there is one."""

PEOPLE = tuple(f"Player {number}" for number in range(1, 13))
_PATTERNS = 500  # different matches; then they come again, by others
_AT_ONCE = 2000  # matches in a transaction, while they are made
STAMP = Stamp(0.0, "2026-01-01T00:00:00+00:00", True)
STEP_S = 4.0

Pattern = list[tuple[Record, ...]]


def match_pattern(chance: random.Random) -> Pattern:
    """The steps of a match of A and B, one round, all moves by chance."""
    step = opening(1, {"match.stake": 1}, ("A", "B"))
    started = step[0]
    assert isinstance(started, MatchStarted)
    game: Game = begin(started)
    pattern = [step]
    for record in step:
        game = game.apply(record)
    while not game.match.is_over:
        if game.dice:
            step = game.stand(chance.choice(game.targets()).layout)
        else:
            count = chance.choice(game.dice_allowed())
            step = game.roll(tuple(chance.randint(1, 6) for _ in range(count)), "roller")
        pattern.append(step)
        for record in step:
            game = game.apply(record)
    return pattern


def fill(path: Path, matches: int, seed: int) -> None:
    """A store of so many matches, through the tables and the projections that the table writes by."""
    chance = random.Random(seed)
    patterns = [match_pattern(chance) for _ in range(min(matches, _PATTERNS))]
    with contextlib.closing(connect(path)) as db:
        db.execute("PRAGMA synchronous = OFF")
        projector, seq, t = Projector(db), 1, 0.0
        for first in range(0, matches, _AT_ONCE):
            with transaction(db):
                for number in range(first, min(first + _AT_ONCE, matches)):
                    players = tuple(chance.sample(PEOPLE, 2))
                    for step in patterns[number % len(patterns)]:
                        records = tuple(renamed(record, number + 1, players) for record in step)
                        stamp = Stamp(t, STAMP.wall, True)
                        insert(db, (Row(seq + i, seq, stamp, record) for i, record in enumerate(records)))
                        projector.add(seq, records)
                        seq, t = seq + len(records), t + STEP_S
        with transaction(db):
            snapshot = fold_last_match(db).snapshot()
            db.execute("INSERT OR REPLACE INTO state VALUES (1, ?)", (to_json(snapshot),))


def renamed(record: Record, match: int, players: tuple[str, ...]) -> Record:
    """``record`` of a pattern, as of ``match`` between ``players``."""
    names = dict(zip(("A", "B"), players, strict=True))
    values = {}
    for name in (field.name for field in fields(record)):  # type: ignore[arg-type]
        value = getattr(record, name)
        if name == "player":
            value = names[value]
        elif name in ("players", "winners", "out"):
            value = tuple(names[one] for one in value)
        elif name in ("scores", "totals", "stakes"):
            value = {names[one]: points for one, points in value.items()}
        elif name == "match":
            value = match
        values[name] = value
    return type(record)(**values)


def measure(matches: int = 100_000, seed: int = 1, *, is_whole: bool = True) -> Iterator[Figure]:
    """The figures of a store of so many matches; ``is_whole``: export, backup and restore as well."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, FILE_NAME)
        yield "store: made in", timed(lambda: fill(path, matches, seed)), "s", None
        size = path.stat().st_size
        yield "store: file", size / 1e6, "MB", None
        yield "store: growth", size / matches, "bytes a match", None
        yield "store: of it beside the events", beside_events(path) / matches, "bytes a match", None
        yield "store: scores, asked", min(timed(lambda: ask(path)) for _ in range(5)), "s", 0.5
        yield "store: scores, the whole command", min(timed(lambda: call(folder)) for _ in range(3)), "s", 0.5
        yield from moves(path)
        if is_whole:
            yield from copies(path)


def moves(path: Path) -> Iterator[Figure]:
    """What a move costs: transactions, writes and time, disk and all."""
    journal, chance = Journal(path), random.Random(0)
    history = journal.load()
    queries: list[str] = []
    journal._db.set_trace_callback(queries.append)
    took: list[float] = []
    for step in match_pattern(chance):
        records = tuple(renamed(record, history.matches + (1 - bool(took)), PEOPLE[:2]) for record in step)
        history = history.add(records)
        seq, snapshot = history.seq - len(records) + 1, history.snapshot()
        took.append(timed(lambda: journal.append(seq, records, STAMP, snapshot)))  # noqa: B023
    journal._db.set_trace_callback(None)
    journal.close()
    yield "store: commits a step", queries.count("COMMIT") / len(took), "commits", 1
    yield "store: statements a step", len(queries) / len(took), "statements", None
    yield "store: a step, median", 1000 * sorted(took)[len(took) // 2], "ms", None


def copies(path: Path) -> Iterator[Figure]:
    """What goes through the whole store."""
    copy = path.with_name("copy.db")
    for what in ("turns", "rolls"):
        yield f"store: export of {what}", timed(lambda: export(path, what)), "s", None  # noqa: B023
    yield "store: backup", timed(lambda: backup(path, copy)), "s", None
    yield "store: restore, all events folded", timed(lambda: restore(path, copy)), "s", None


def beside_events(path: Path) -> int:
    """Bytes of all tables and indices that are made from the events."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        try:
            sql = "SELECT sum(pgsize) FROM dbstat WHERE name NOT IN ('events', 'state', 'match_starts')"
            return int(db.execute(sql).fetchone()[0])
        except sqlite3.OperationalError:  # built without dbstat
            return 0


def ask(path: Path) -> None:
    """All standings."""
    with looking(path) as db:
        assert standings(db)


def call(folder: str) -> None:
    """``boxkeeper scores``, the start of Python included."""
    command = [sys.executable, "-m", "firmware_host", "scores", "--json", "--set", f"store.dir={folder}"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def export(path: Path, what: str) -> None:
    """All rows of a table."""
    assert what in COLUMNS
    with looking(path) as db:
        span = Span.of(db)
        assert span is not None
        for _ in table(db, what, span):
            pass


def timed(work: Callable[[], object]) -> float:
    """Seconds that ``work`` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> int:
    """Measure and print; 1 where a figure is over its limit."""
    parser = argparse.ArgumentParser(description="Measure the store.")
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    over = 0
    for name, figure, unit, limit in measure(args.matches, args.seed):
        is_over = limit is not None and figure > limit
        over += is_over
        limited = f"  <= {limit:g}{'  OVER' if is_over else ''}" if limit is not None else ""
        sys.stdout.write(f"{name:40} {figure:12,.3f} {unit}{limited}\n")
        sys.stdout.flush()
    return int(over > 0)


if __name__ == "__main__":
    sys.exit(main())

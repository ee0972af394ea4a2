"""Pulls the plug of running matches, many times, and checks that nothing accepted was lost.

    python tests/campaigns/kill.py --kills 200 --seed 1

Each life is a ``boxkeeper bench - --json`` that is fed a random match, killed (SIGKILL) at a
random moment, and followed by the next one on the same store.  After each kill: every event
that was printed with a ``seq`` is in the journal as it was printed, the journal folds to its stored
state, and the next life says ``resumed`` in that state.  Exit 0: all held.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware_host.config import Config
from firmware_host.games.records import Undone, to_fields
from firmware_host.service.runner import match_wanted
from firmware_host.store.journal import FILE_NAME, Row, fold, read
from firmware_host.table.history import History

LIVES_A_STORE = 10
LINES_A_LIFE = 60
STARTING_S = 0.5  # about what a start takes: some kills hit it
PLAYING_S = 0.8  # about what the lines of a life take
WANTED = match_wanted(Config(), ("Ann", "Bob"))
Event = dict[str, Any]


class Player:
    """Writes the lines of a game that goes on from ``history`` in a box whose tiles are all open."""

    def __init__(self, history: History, chance: random.Random) -> None:
        self._history, self._chance = history, chance
        self._lies: list[int] = [1] * 9

    def lines(self) -> Iterator[str]:
        """Lines that mostly fit, for ever; those that do not are refused, which is a game too."""
        while True:
            game = self._history.game
            if game is None or game.match.is_over:
                yield "players Ann Bob" if game is None else "press next"
                opening = self._history.opening(WANTED.rules, WANTED.players)
                self._history = self._history.add(opening)
                continue
            yield from self._to(game.layout)
            if self._history.past is not None and self._chance.random() < 0.15:
                yield "press back 2s"
                self._history = self._history.add((Undone(self._history.past.seq),))
                continue
            if game.dice:
                layout = self._chance.choice(game.targets()).layout
                yield from self._to(layout)
                stood = game.stand(layout)
                if self._chance.random() < 0.3 or not any(layout):
                    yield "press next"
                    self._history = self._history.add(stood)
                    continue
                for record in stood:
                    game = game.apply(record)
            else:
                stood = ()
            dice = self._history.kept_dice(2) or (self._chance.randint(1, 6), self._chance.randint(1, 6))
            yield "roll " + " ".join(map(str, dice))
            self._history = self._history.add((*stood, *game.roll(dice, "roller")))

    def _to(self, layout: tuple[int, ...]) -> Iterator[str]:
        for verb, level in (("open", 1), ("shut", 0)):
            tiles = [i + 1 for i, to in enumerate(layout) if to == level != self._lies[i]]
            if tiles:
                yield f"{verb} {' '.join(map(str, tiles))}"
        self._lies = list(layout)


@dataclass
class Tally:
    """What came of the lives."""

    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    resumes: list[float] = field(default_factory=list)

    def check(self, holds: bool, what: str) -> None:
        if not holds:
            self.wrong.append(what)


def live(folder: Path, lines: list[str], delay_s: float | None, from_first_event: bool) -> list[Event]:
    """One life: the events it printed before it was killed, or (None) ended with its lines."""
    command = [sys.executable, "-m", "firmware_host", "bench", "-", "--json", "--set", f"store.dir={folder}"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        if delay_s is None:
            process.stdin.close()
        output = [process.stdout.readline()] if from_first_event else []
        timer = None if delay_s is None else threading.Timer(delay_s, process.kill)
        if timer is not None:
            timer.start()
        output += process.stdout.readlines()
        process.wait()
    return [json.loads(line) for line in output if line.endswith("\n")]


def printed_is_kept(events: list[Event], rows: list[Row]) -> str:
    """What is wrong, else empty."""
    for event in events:
        seq = event["seq"]
        if seq is None:
            continue
        if seq > len(rows):
            return f"event {seq} was printed and is not in the journal of {len(rows)}"
        record = rows[seq - 1].record
        fields = {key: value for key, value in event.items() if key not in ("seq", "t", "event")}
        if (event["event"], fields) != (record.event, json.loads(json.dumps(to_fields(record)))):
            return f"event {seq} was printed as {event} and kept as {record}"
    return ""


def resumes(events: list[Event], before: History) -> str:
    """Whether a life came up in the state that the one before it left; what is wrong, else empty."""
    game = before.game
    if game is None or game.match.is_over:
        return ""
    shut = [i + 1 for i, level in enumerate(game.layout) if level == 0]
    resumed = next((event for event in events if event["event"] == "resumed"), None)
    if resumed is None:
        return "" if not any(event["seq"] for event in events) else "went on without a word"
    wanted = {"seq": before.seq + 1, "match": game.match.number, "open": [], "shut": shut}
    there = {key: resumed[key] for key in wanted}
    return "" if there == wanted else f"resumed as {there}, not as {wanted}"


def chain(folder: Path, kills: int, seed: int) -> Tally:
    """``kills`` lives on one store, and a last one that is let live."""
    tally, chance, before = Tally(), random.Random(seed), History()
    for number in range(kills + 1):
        where = f"seed {seed}, kill {number + 1}"
        player = Player(before, chance).lines()
        is_last = number == kills
        lines = [next(player) for _ in range(3 if is_last else LINES_A_LIFE)]
        is_start = chance.random() < 0.15
        delay_s = None if is_last else chance.uniform(0, STARTING_S if is_start else PLAYING_S)
        started = time.monotonic()
        events = live(folder, lines, delay_s, from_first_event=not is_start)
        tally.resumes.append(time.monotonic() - started)
        path = folder / FILE_NAME
        rows, snapshot = read(path) if path.exists() and path.stat().st_size else ([], None)
        after = fold(rows)
        for wrong in (printed_is_kept(events, rows), resumes(events, before)):
            tally.check(not wrong, f"{where}: {wrong}")
        tally.check(snapshot is None or snapshot == after.snapshot(), f"{where}: the stored state differs")
        tally.check(not list(folder.glob("*damaged*")), f"{where}: taken for damaged")
        tally.check(not is_last or bool(events), f"{where}: does not start")
        old, new = {row.seq for row in rows[: before.seq]}, before.seq
        tally.check(len(old) == new, f"{where}: {new - len(old)} events are gone")
        tally.counts["kills"] += not is_last
        tally.counts["events printed"] += sum(event["seq"] is not None for event in events)
        tally.counts["events kept"] += len(rows) - before.seq
        tally.counts["lives resumed"] += any(event["event"] == "resumed" for event in events)
        tally.counts["killed before the first event"] += not events
        tally.counts["killed with an accepted event not yet printed"] += not is_last and (
            max((event["seq"] or 0 for event in events), default=before.seq) < len(rows)
        )
        before = after
    tally.counts["matches"] += before.matches
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description="Pull the plug of running matches, many times.")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    args = parser.parse_args()
    started = time.monotonic()
    sizes = [min(LIVES_A_STORE, args.kills - at) for at in range(0, args.kills, LIVES_A_STORE)]
    with tempfile.TemporaryDirectory() as root, ThreadPoolExecutor(args.jobs) as pool:
        folders = [Path(root, str(i)) for i in range(len(sizes))]
        seeds = range(1000 * args.seed, 1000 * args.seed + len(sizes))
        tallies = list(pool.map(chain, folders, sizes, seeds))
    counts = sum((tally.counts for tally in tallies), Counter[str]())
    wrong = [text for tally in tallies for text in tally.wrong]
    took_s = time.monotonic() - started
    lines = [f"{name}: {count}" for name, count in counts.items()]
    lines += [f"seconds: {took_s:.1f}, a kill: {took_s / args.kills:.2f}", f"wrong: {len(wrong)}", *wrong]
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

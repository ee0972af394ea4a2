"""``python tests/benchmarks``: speed and memory in one table.

Counts and ratios are the same or nearly so on any machine; absolute times stand beside the time of a fixed
loop in pure Python.  A figure over its limit is marked, and is no failure: the exit code is 0.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from importlib import import_module

from figures import Figure, Length, heading, row

PARTS = (
    "bus",
    "wires",
    "latency",
    "start",
    "idle",
    "core",
    "memory",
    "odds",
    "dice",
    "camera",
    "chips",
    "web",
)
FULL = Length(repeats=11, matches=20, idle_s=60.0)
QUICK = Length(repeats=3, matches=5, idle_s=5.0)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python tests/benchmarks", description="Measure speed and memory.")
    parser.add_argument("--only", action="append", choices=PARTS, help="a part; may be given more than once")
    parser.add_argument("--quick", action="store_true", help="fewer repeats, 5 s of idling")
    parser.add_argument("--idle", type=float, metavar="SECONDS", help="how long the idle table is watched")
    parser.add_argument("--json", action="store_true", help="a JSON object a figure, one a line")
    args = parser.parse_args()
    chosen = QUICK if args.quick else FULL
    length = Length(chosen.repeats, chosen.matches, args.idle if args.idle is not None else chosen.idle_s)
    if not args.json:
        where = f"Python {platform.python_version()}, {platform.machine()}, {platform.system()}"
        _write(f"{where}; loop ms: a fixed loop in pure Python, just before\n\n{heading()}")
    over = 0
    for part in args.only or PARTS:
        for figure in import_module(part).measure(length):
            over += figure.is_over
            _show(figure, args.json)
    if not args.json:
        _write(f"\n{over} over the limit" if over else "\nall within their limits")
    return 0


def _show(figure: Figure, as_json: bool) -> None:
    _write(json.dumps(figure.to_fields()) if as_json else row(figure))


def _write(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

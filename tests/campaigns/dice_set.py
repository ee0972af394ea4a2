"""Renders a set of frames from a seed, reads them, prints a table; exit 1 if any answer is wrong.

python tests/campaigns/dice_set.py --frames 3000 --seed 1
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

import cv2
import numpy as np
from dice_scenes import CLASSES, READ, random_rig, random_scene

from hardware.dice.pips import read_dice

_PER_TRAY = 24  # frames of one rig
_EVERY = 500  # frames the table is printed, so that a long run shows early what is wrong
# half the frames are free pairs; the rest goes around
_ORDER = [kind for other in CLASSES[1:] for kind in ("free", other)]


def main() -> int:
    """Render, read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="begin at this frame's tray, to see a few again")
    parser.add_argument("--keep", type=Path, help="a folder for the frames that were not read as they should")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    times: list[float] = []
    first = args.first - args.first % _PER_TRAY
    for n in range(first, args.frames):
        chance = np.random.default_rng((args.seed, n))
        if n % _PER_TRAY == 0:
            tray, rig = random_rig(np.random.default_rng((args.seed, n, 1)))
            _ = rig.background
        scene = random_scene(tray, rig, _ORDER[n % len(_ORDER)], chance)
        start = time.process_time()
        reading = read_dice(scene.image, rig)
        times.append(1e3 * (time.process_time() - start))
        row = counts[scene.kind]
        row["frames"] += 1
        if reading.reason is not None:
            row[reading.reason] += 1
        right = reading.values == scene.values
        row["answered"] += reading.values is not None
        row["wrong"] += reading.values is not None and not right
        if args.keep and not right:
            args.keep.mkdir(parents=True, exist_ok=True)
            what = f"{n:05}_{scene.kind}_{scene.values}_{reading.values}_{reading.reason}.png".replace(
                " ", ""
            )
            cv2.imwrite(str(args.keep / what), scene.image)
        if (n + 1) % _EVERY == 0 and n + 1 < args.frames:
            _report(counts, times, args.seed)
    return _report(counts, times, args.seed)


def _report(counts: dict[str, Counter[str]], times: list[float], seed: int) -> int:
    _say(f"seed {seed}\n{'class':9} {'frames':>6} {'answered':>8} {'wrong':>5}  refused by reason")
    for kind in CLASSES:
        row = counts[kind]
        reasons = {k: v for k, v in row.items() if k not in ("frames", "answered", "wrong")}
        text = " ".join(f"{k}:{v}" for k, v in sorted(reasons.items(), key=lambda kv: -kv[1]))
        _say(f"{kind:9} {row['frames']:6} {row['answered']:8} {row['wrong']:5}  {text}")
    frames = sum(counts[k]["frames"] for k in READ)
    _say(f"to be read: {sum(counts[k]['answered'] for k in READ) / max(frames, 1):.2%} answered")
    _say(f"ms a reading (CPU): p50 {np.percentile(times, 50):.1f}, p99 {np.percentile(times, 99):.1f}\n")
    return int(any(row["wrong"] for row in counts.values()))


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

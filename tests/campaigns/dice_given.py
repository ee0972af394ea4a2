"""Reads a folder of stills with rigs, one of photos and one of sequences, all labelled; prints tables; exit 1
if too much is wrong.

    python tests/campaigns/dice_given.py --frames FOLDER --photos FOLDER --sequences FOLDER

FOLDER of frames: ``frames.json`` (``file``, ``rig``, ``class``, ``expected``, ``values``) and ``rigs.json``;
of photos: ``labels.json`` (``file``, ``view``, ``expected``, ``values``); of sequences: ``sequences.json``
(``rig``, ``files``, ``fps``, ``rest_frame``, ``values``, ``expected_reports``) and ``rigs.json``.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.dice.images import load_image, need_opencv
from hardware.dice.pips import read_dice
from hardware.dice.rig import Rig, load_rig
from hardware.dice.watch import Watch

Image = NDArray[np.uint8]
_SOON_S = 1.5  # after the dice have come to rest
_ALLOWED_WRONG = {"stills": 0, "photos": 1}


def main() -> int:
    """Read all that is given, print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--frames", type=Path)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--sequences", type=Path)
    args = parser.parse_args()
    need_opencv()
    bad = False
    for title, cases in (
        ("stills", _stills(args.frames) if args.frames else None),
        ("photos", _photos(args.photos) if args.photos else None),
    ):
        if cases is not None:
            bad |= _table(title, cases) > _ALLOWED_WRONG[title]
    if args.sequences:
        bad |= not _sequences(args.sequences)
    return int(bad)


Case = tuple[str, Image, "Rig | None", "tuple[int, ...] | None", str]


def _stills(folder: Path) -> Iterator[Case]:
    rigs: dict[str, Rig] = {}
    for entry in json.loads((folder / "frames.json").read_text()):
        name = entry["rig"]
        if name not in rigs:
            rigs[name] = load_rig(folder / "rigs.json", name)
            _ = rigs[name].background
        yield entry["class"], _image(folder, entry), rigs[name], _values(entry), entry["file"]


def _photos(folder: Path) -> Iterator[Case]:
    for entry in json.loads((folder / "labels.json").read_text()):
        kind = entry["view"] if entry["expected"] == "read" else "refuse"
        yield kind, _image(folder, entry), None, _values(entry), entry["file"]


def _image(folder: Path, entry: dict[str, Any]) -> Image:
    image = load_image(folder / entry["file"])
    if image is None:
        raise SystemExit(f"{entry['file']} is no whole picture")
    return image


def _values(entry: dict[str, Any]) -> tuple[int, ...] | None:
    return tuple(entry["values"]) if entry["expected"] == "read" else None


def _table(title: str, cases: Iterator[Case]) -> int:
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    ours: list[float] = []
    for kind, image, rig, values, file in cases:
        if not ours:
            read_dice(image, rig)  # what is made once: templates
        start = time.perf_counter()
        reading = read_dice(image, rig)
        ours.append(1e3 * (time.perf_counter() - start))
        row = rows[kind]
        answered = reading.values is not None
        row.update(frames=1, answered=answered, wrong=answered and reading.values != values)
        if reading.reason is not None:
            row[reading.reason] += 1
        if reading.values != values:
            _say(f"  {file}: {kind} {values}, read {reading.values} {reading.reason or ''}")
    _say(f"\n{title:9} {'frames':>6} {'answered':>8} {'wrong':>5}  refused by reason")
    for kind, row in rows.items():
        reasons = " ".join(
            f"{k}:{v}" for k, v in row.most_common() if k not in ("frames", "answered", "wrong")
        )
        _say(f"{kind:9} {row['frames']:6} {row['answered']:8} {row['wrong']:5}  {reasons}")
    _say(f"ms a reading: p50 {np.percentile(ours, 50):.1f}, p99 {np.percentile(ours, 99):.1f}\n")
    return sum(row["wrong"] for row in rows.values())


def _sequences(folder: Path) -> bool:
    """Whether each throw was reported once, right, and soon; and nothing else was."""
    _say(f"{'sequence':9} {'class':11} {'expected':>8} {'reported':>8}  after rest, or refused")
    all_good = True
    for entry in json.loads((folder / "sequences.json").read_text()):
        watch = Watch(load_rig(folder / "rigs.json", entry["rig"]), wanted=2)
        reports = []
        for i, file in enumerate(entry["files"]):
            report = watch.feed(_image(folder, {"file": file}), i / entry["fps"])
            if report is not None:
                reports.append(report)
        read = [report for report in reports if report.reading.values is not None]
        waits = [report.at - entry["rest_frame"] / entry["fps"] for report in read]
        is_right = all(report.reading.values == tuple(entry["values"] or ()) for report in read)
        good = len(read) == entry["expected_reports"] and is_right and all(w <= _SOON_S for w in waits)
        all_good &= good
        told = [f"{wait:.2f} s" for wait in waits]
        told += [str(report.reading.reason) for report in reports if report.reading.reason]
        verdict = "" if good else "  WRONG"
        _say(
            f"{entry['id']:9} {entry['class']:11} {entry['expected_reports']:8} {len(read):8}"
            f"  {', '.join(told)}{verdict}"
        )
    _say("")
    return all_good


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main())

"""``boxkeeper dice --watch`` and ``--fairness``: throws as a camera, a folder or a video shows them."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from firmware_host.cli.fairness import FACES, chi_squared
from firmware_host.config import Config
from firmware_host.errors import ConfigError

_SURE_THROWS = 60  # below that the test says little: 20 of each face with two dice
_SUSPECT = 0.01  # a fair die does as badly one time in a hundred


def run_live(reader: Any, config: Config, args: argparse.Namespace) -> int:
    """Print each throw as it is read, and at the end (of the file, or Ctrl-C) the counts."""
    path, name = reader.find_rig(args.rig or config.camera_rig)
    if not args.rig and not path.is_file():
        mend = "boxkeeper calibrate camera --floor LxW --die MM"
        raise ConfigError(f"no calibration at {path}: {mend}")
    rig = reader.load_rig(path, name)
    device = args.device or config.camera.device
    faces: list[int] = []
    refused: Counter[str] = Counter()
    throws = 0
    with contextlib.suppress(KeyboardInterrupt):
        frames = reader.open_frames(device, rig.image_size, reader.load_controls(path))
        try:
            for at, reading in _throws(reader.Watch(rig, args.dice), frames):
                throws += reading.values is not None
                faces += reading.values or ()
                refused.update([str(reading.reason)] if reading.reason else [])
                _print_throw(at, reading, args.json)
        finally:
            frames.close()
    if args.fairness:
        _print_fairness(throws, faces, refused, args.json)
    return 0


def _throws(watch: Any, frames: Any) -> Iterator[tuple[float, Any]]:
    """Each throw and its moment in seconds; a file is read as fast as it goes, in its own time."""
    start, number = time.monotonic(), 0
    while (frame := frames.read()) is not None:
        at = time.monotonic() - start if frames.is_live else number / frames.fps
        number += 1
        report = watch.feed(frame, at)
        if report is not None:
            yield at, report.reading


def _print_throw(at: float, reading: Any, as_json: bool) -> None:
    values = None if reading.values is None else list(reading.values)
    reason = None if reading.reason is None else str(reading.reason)
    if as_json:
        text = json.dumps({"t": round(at, 2), "values": values, "reason": reason})
    else:
        text = f"{at:8.2f} s  {reason if values is None else ' '.join(map(str, values))}"
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _print_fairness(throws: int, faces: list[int], refused: Counter[str], as_json: bool) -> None:
    counts = {face: faces.count(face) for face in FACES}
    chi2, p = chi_squared(faces)
    if as_json:
        found = {"throws": throws, "faces": counts, "chi_squared": round(chi2, 3), "p": round(p, 5)}
        sys.stdout.write(json.dumps({**found, "refused": dict(refused.most_common())}) + "\n")
        return
    lines = [f"{throws} throws, {len(faces)} dice"]
    lines += [f"  {face}: {count}" for face, count in counts.items()]
    lines.append(f"chi-squared {chi2:.2f} (5 degrees of freedom): p = {p:.3f}, {_verdict(len(faces), p)}")
    if refused:
        reasons = ", ".join(f"{reason} {count}" for reason, count in refused.most_common())
        lines.append(f"refused, and so not counted: {reasons}")
        lines.append("Refusals bias the counts where one face is refused more often than another.")
    sys.stdout.write("\n".join(lines) + "\n")


def _verdict(dice: int, p: float) -> str:
    if dice < _SURE_THROWS:
        return "too few to tell"
    return "no fair die does so often" if p < _SUSPECT else "as a fair die may"

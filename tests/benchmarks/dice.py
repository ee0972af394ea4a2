"""Reading dice with a rig: milliseconds beside the common way, and memory after many readings.

The frames are drawn here: two dice apart or touching, 640 x 480, one thread.
"""

from __future__ import annotations

import gc
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from figures import Figure, Length, calibrate, percentile

from firmware_host.errors import DeviceNotFoundError
from hardware.dice.images import need_opencv

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardware.dice.rig import Rig

    Image = NDArray[np.uint8]

PART = "dice"
LIMIT_MS = 10.0
FRAMES = 24
READINGS = 10_000  # in the long run; a hundredth of it, and a warm-up, in the quick one
LIMIT_MB = 2.0  # of resident memory: less than two levels of one frame


def measure(length: Length) -> Iterator[Figure]:
    """A still reading and the common way on the same frames, best of each; then memory over readings."""
    try:
        need_opencv()
    except DeviceNotFoundError as error:
        sys.stderr.write(f"dice: left out: {error}\n")
        return
    from blobs_and_clusters import blobs_and_clusters

    from hardware.dice.pips import read_dice

    loop_ms = calibrate()
    frames, rig = _frames()
    for frame in frames:
        read_dice(frame, rig)  # what is made once
    ours = _best([lambda f=frame: read_dice(f, rig) for frame in frames], length.repeats)
    theirs = _best([lambda f=frame: blobs_and_clusters(f) for frame in frames], length.repeats)
    half = percentile(ours, 0.5)
    yield Figure(PART, "a still reading with a rig, p50", half, "ms", LIMIT_MS, calibration_ms=loop_ms)
    yield Figure(
        PART, "a still reading with a rig, p99", percentile(ours, 0.99), "ms", calibration_ms=loop_ms
    )
    common = percentile(theirs, 0.5)
    yield Figure(PART, "blobs and clusters on the same, p50", common, "ms", calibration_ms=loop_ms)
    yield Figure(PART, "a reading against blobs and clusters", half / common, "times", most=0.4)
    count = READINGS if length.repeats > 5 else READINGS // 100
    before = _resident_mb()
    for i in range(count):
        read_dice(frames[i % len(frames)], rig)
    gc.collect()
    growth = max(0.0, round(_resident_mb() - before, 2))
    yield Figure(PART, f"memory: growth over {count:,} readings", growth, "MB", LIMIT_MB)


def _best(works: Sequence[Callable[[], object]], times: int) -> list[float]:
    """Milliseconds of this thread's own time, the best of so many runs, of each."""
    best = [float("inf")] * len(works)
    for _ in range(times):
        for i, work in enumerate(works):
            start = time.thread_time()
            work()
            best[i] = min(best[i], 1000 * (time.thread_time() - start))
    return best


def _resident_mb() -> float:
    """The most memory that this process has held, by the system's count: OpenCV's is not seen from Python."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1e6 if sys.platform == "darwin" else 1e3)


def _frames() -> tuple[list[Image], Rig]:
    """Frames of one tray with two dice each, and its rig."""
    import numpy as np

    from hardware.dice.rig import Rig
    from sim.die_faces import turn_up
    from sim.tray import Body, Tray, render

    chance = np.random.default_rng(1)
    tray = Tray((640, 480), 640.0, (10.0, -8.0, 290.0))
    tray = replace(tray, floor=(60, 110, 50))
    empty = tuple(render(tray, (), chance) for _ in range(3))
    corners = tuple((float(x), float(y)) for x, y in tray.corners_px)
    rig = Rig("own", tray.image_size, corners, tray.floor_mm, tray.die.edge_mm, empty)
    half, frames = tray.die.edge_mm / 2, []
    for n in range(FRAMES):
        one, other = (int(v) for v in chance.integers(1, 7, 2))
        x, y, yaw = (
            float(chance.uniform(-80, 50)),
            float(chance.uniform(-55, 55)),
            float(chance.uniform(0, 1.5)),
        )
        away = 2.05 * half if n % 4 == 0 else float(chance.uniform(28, 60))  # a quarter of the pairs touch
        along = yaw if n % 4 == 0 else 0.0
        there = (x + away * np.cos(along), float(np.clip(y + away * np.sin(along), -65, 65)), half)
        dice = Body((x, y, half), turn_up(one, yaw)), Body(there, turn_up(other, yaw))
        frames.append(render(tray, dice, chance))
    return frames, rig

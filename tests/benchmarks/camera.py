"""The camera's frames: what the motion step takes, and that watching for hours takes no more memory."""

from __future__ import annotations

import gc
import resource
import time
from collections.abc import Iterator
from typing import Any

from figures import Figure, Length, calibrate, percentile

PART = "camera"
STEP_MS, GROWTH_MB = 3.0, 1.0
FRAMES, WARM_UP = 10_000, 1_000
_FPS = 15


def measure(length: Length) -> Iterator[Figure]:
    """Frames of 320 x 240 with a throw now and then; nothing where OpenCV is not installed."""
    try:
        import cv2  # noqa: F401
    except ImportError:
        return
    from hardware.dice.images import need_opencv

    need_opencv()
    loop_ms = calibrate()
    yield Figure(PART, "a motion step on a frame of 320 x 240: p50", _step_ms(length), "ms", STEP_MS,
                 calibration_ms=loop_ms)  # fmt: skip
    frames = FRAMES if length.repeats > 5 else FRAMES // 5
    yield Figure(PART, f"memory after {frames:,} frames more", _growth_mb(frames), "MB", GROWTH_MB)


def _step_ms(length: Length) -> float:
    from hardware.dice.motion import Motion
    from sim.dice_tray import rig

    motion, times = Motion(rig()), []
    for frame in _session(20 * length.repeats):
        start = time.perf_counter()
        motion.step(motion.small(frame))
        times.append(1000 * (time.perf_counter() - start))
    return percentile(times, 0.5)


def _growth_mb(frames: int) -> float:
    """Of the peak, while a throw is awaited and none is read: reading is a part of its own."""
    from hardware.dice.reading import Reading, Reason
    from hardware.dice.watch import Watch
    from sim.dice_tray import rig

    watch = Watch(rig(), 2, lambda frame, rig, wanted: Reading(reason=Reason.COCKED))
    shown = list(_session(8 * _FPS))
    for number in range(WARM_UP):
        watch.feed(shown[number % len(shown)].copy(), number / _FPS)
    before = _peak_mb()
    for number in range(WARM_UP, WARM_UP + frames):
        watch.feed(shown[number % len(shown)].copy(), number / _FPS)
    return _peak_mb() - before


def _session(frames: int) -> Iterator[Any]:
    """A throw every four seconds."""
    from sim.dice_tray import DiceTray

    tray = DiceTray(1)
    for number in range(frames):
        if number % (4 * _FPS) == 0:
            tray.throw((3, 5), number / _FPS)
        yield tray.frame(number / _FPS)


def _peak_mb() -> float:
    gc.collect()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

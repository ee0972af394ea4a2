"""From the start of the process to the first picture, against what the bare imports take."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from figures import Figure, Length, calibrate

PART = "start"
LIMIT = 1.5
BARE = "import gpiozero, luma.oled.device, serial, sqlite3, asyncio"
SERVICE = str(Path(__file__).with_name("service_child.py"))


def measure(length: Length) -> Iterator[Figure]:
    """The service, the bench and the bare imports in turn, so that all see the same machine."""
    loop_ms = calibrate()
    bare: list[float] = []
    run: list[float] = []
    bench: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for i in range(length.repeats + 1):
            times = (_process_s("-c", BARE), _first_line_s(SERVICE, f"{folder}/{i}"),
                     _first_line_s("-m", "firmware_host", "bench", "--json"))  # fmt: skip
            if i:  # the first round fills the system's caches
                for taken, values in zip(times, (bare, run, bench), strict=True):
                    values.append(taken)
    what = f"median of {length.repeats}"
    yield Figure(PART, f"start: bare imports, {what}", 1000 * median(bare), "ms", calibration_ms=loop_ms)
    for name, seconds in (("run on simulated buses", run), ("bench", bench)):
        yield Figure(PART, f"start: {name}, to the first picture, {what}", 1000 * median(seconds), "ms",
                     calibration_ms=loop_ms)  # fmt: skip
        ratio = median(seconds) / median(bare)
        yield Figure(PART, f"start: {name}, against the bare imports", ratio, "times", LIMIT)
        yield Figure(PART, f"start: {name}, best against best", min(seconds) / min(bare), "times", LIMIT)


def _process_s(*arguments: str) -> float:
    """Seconds of a whole process."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True)
    return time.perf_counter() - start


def _first_line_s(*arguments: str) -> float:
    """Seconds from the start of a process to its first line, which it writes when the picture is shown."""
    start = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        seconds = time.perf_counter() - start
        process.kill()
    if not line:
        raise RuntimeError(f"{arguments!r} ended without a picture")
    return seconds

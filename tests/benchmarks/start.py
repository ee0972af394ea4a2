"""From the start of the process to the first picture, against what the bare imports take.

The limit is on the time that people wait.  Processor time, of all threads, is a second figure
without a limit: it hardly changes when others keep the machine busy.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from figures import Figure, Length, calibrate

PART = "start"
LIMIT = 1.5
BARE = "import gpiozero, luma.oled.device, serial, sqlite3, asyncio"
SERVICE = str(Path(__file__).with_name("service_child.py"))


class Spent(NamedTuple):
    """Seconds: on the clock, and of the processor in the process and all of its threads."""

    waited: float
    worked: float


def measure(length: Length) -> Iterator[Figure]:
    """The service, the bench and the bare imports in turn, so that all see the same machine."""
    loop_ms = calibrate()
    bare: list[Spent] = []
    run: list[Spent] = []
    bench: list[Spent] = []
    with tempfile.TemporaryDirectory() as folder:
        for i in range(length.repeats + 1):
            spent = (_process("-c", BARE), _first_line(SERVICE, f"{folder}/{i}"),
                     _first_line("-m", "firmware_host", "bench", "-", "--json"))  # fmt: skip
            if i:  # the first round fills the system's caches
                for one, all_of_it in zip(spent, (bare, run, bench), strict=True):
                    all_of_it.append(one)
    what = f"median of {length.repeats}"
    bare_s = [spent.waited for spent in bare]
    yield Figure(PART, f"start: bare imports, {what}", 1000 * median(bare_s), "ms", calibration_ms=loop_ms)
    for name, start in (("run on simulated buses", run), ("bench", bench)):
        start_s = [spent.waited for spent in start]
        yield Figure(PART, f"start: {name}, to the first picture, {what}", 1000 * median(start_s), "ms",
                     calibration_ms=loop_ms)  # fmt: skip
        ratio = median(start_s) / median(bare_s)
        yield Figure(PART, f"start: {name}, against the bare imports", ratio, "times", LIMIT)
        yield Figure(PART, f"start: {name}, best against best", min(start_s) / min(bare_s), "times", LIMIT)
        worked = median(spent.worked for spent in start) / median(spent.worked for spent in bare)
        yield Figure(PART, f"start: {name}, processor time, median", worked, "times")


def _process(*arguments: str) -> Spent:
    """What a whole process takes."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments])
    _, status, used = os.wait4(process.pid, 0)
    waited = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{arguments!r} ended with {process.returncode}")
    return Spent(waited, used.ru_utime + used.ru_stime)


def _first_line(*arguments: str) -> Spent:
    """From the start of a process to its first line, which it writes when the picture is shown."""
    start = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        waited = time.perf_counter() - start
        worked = time.clock_gettime(_processor_clock(process.pid))
        process.kill()
    if not line:
        raise RuntimeError(f"{arguments!r} ended without a picture")
    return Spent(waited, worked)


def _processor_clock(pid: int) -> int:
    """Linux's clock of another process, as clock_getcpuclockid(3) makes it; Python has no name for it."""
    return ~pid << 3 | 2

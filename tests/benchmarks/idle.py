"""A table that waits for a roll: what it costs while nothing happens, watched from outside."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from figures import Figure, Length, calibrate
from start import SERVICE

PART = "idle"
SWITCHES_A_SECOND, CPU_PERCENT, RSS_MB = 2.0, 0.5, 45.0
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Usage:
    """Of a process and all of its threads, since its start."""

    switches: int  # voluntary: each is a wait, so a wake-up
    cpu_s: float
    rss_mb: float
    threads: int


def usage(pid: int) -> Usage:
    """What /proc says of ``pid`` now."""
    tasks = list(Path(f"/proc/{pid}/task").iterdir())
    switches = sum(_status(task, "voluntary_ctxt_switches") for task in tasks)
    times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    cpu_s = (int(times[11]) + int(times[12])) * _TICK_S  # utime, stime: fields 14 and 15
    return Usage(switches, cpu_s, _status(Path(f"/proc/{pid}"), "VmRSS") / 1024, len(tasks))


def _status(of: Path, key: str) -> int:
    lines = (of / "status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{key}:"))


def measure(length: Length) -> Iterator[Figure]:
    """``boxkeeper run`` in real time, its pins with edges, a match under way."""
    loop_ms = calibrate()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, SERVICE, folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                lines = iter(process.stdout.readline, "")
                if "ready\n" not in lines:
                    raise RuntimeError("the service ended before it was ready")
                before, start = usage(process.pid), time.perf_counter()
                time.sleep(length.idle_s)
                after, seconds = usage(process.pid), time.perf_counter() - start
            finally:
                process.kill()
    switches = (after.switches - before.switches) / seconds
    share = 100 * (after.cpu_s - before.cpu_s) / seconds
    what = f"idle for {length.idle_s:g} s"
    yield Figure(PART, f"{what}: voluntary context switches, {after.threads} threads", switches, "a second",
                 SWITCHES_A_SECOND)  # fmt: skip
    yield Figure(PART, f"{what}: share of a core", share, "%", CPU_PERCENT, calibration_ms=loop_ms)
    yield Figure(PART, f"{what}: resident memory", after.rss_mb, "MB", RSS_MB)

"""``boxkeeper run`` as a process of its own, as systemd starts it."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE_S = 90.0
# The root is read-only here, so the working directory is, too.
HERE = "/"


class ServiceProcess:
    """``lines``: what it said so far."""

    def __init__(self, root: Path, *settings: str) -> None:
        options = [word for setting in settings for word in ("--set", setting)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "firmware_host", "run", *options],
            cwd=HERE,
            env={"PYTHONPATH": str(root), "TMPDIR": "/run/tmp", "RPI_LGPIO_REVISION": "a020d3"},
            stderr=subprocess.PIPE,
            text=True,
        )
        self.lines: list[str] = []

    def said(self, start: str) -> str:
        """The next line that begins with ``start``."""
        assert self.process.stderr is not None
        guard = threading.Timer(PATIENCE_S, self.process.kill)
        guard.start()
        try:
            for line in self.process.stderr:
                self.lines.append(line.rstrip("\n"))
                if line.startswith(start):
                    return line.rstrip("\n")
        finally:
            guard.cancel()
        raise AssertionError(f"no line {start!r} before it ended: {self.lines}")

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """The exit code after the signal; the rest of what it said is in ``lines``."""
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=PATIENCE_S)
        self.lines += err.splitlines()
        return self.process.returncode


@contextmanager
def holder(chip: str, bcm: int) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds a line."""
    script = (
        "import lgpio, sys\n"
        f"lgpio.gpio_claim_input(lgpio.gpiochip_open({chip.removeprefix('gpiochip')}), {bcm})\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], cwd="/run/tmp",
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()

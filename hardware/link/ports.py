"""Serial ports of this machine: found by who they are, not by a name that changes."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from firmware_host.errors import DeviceBusyError, DeviceNotFoundError
from hardware.link.link import SILENCE_S

if TYPE_CHECKING:
    from firmware_host.config_wiring import SerialConfig
    from hardware.link.link import Port

AUTO = "auto"
_BAUD = 115_200  # USB has none; a UART behind an adapter would


class PortInfo(Protocol):
    """What is known of a port that is there, as pyserial's ``list_ports`` tells it."""

    @property
    def device(self) -> str: ...

    @property
    def vid(self) -> int | None: ...

    @property
    def pid(self) -> int | None: ...

    @property
    def serial_number(self) -> str | None: ...


def find_port(wanted: SerialConfig, ports: Iterable[PortInfo]) -> str:
    """The device file of the board that ``wanted`` describes, under whatever name it is now.

    Raises DeviceNotFoundError if there is none, or more than one.
    """
    if wanted.port != AUTO:
        return wanted.port
    found = [
        port
        for port in ports
        if port.vid is not None
        and f"{port.vid:04x}:{port.pid or 0:04x}" == wanted.usb
        and wanted.number in ("", port.serial_number)
    ]
    which = wanted.usb + (f" with serial number {wanted.number}" if wanted.number else "")
    if not found:
        mend = "is its cable in, and one that carries data?"
        raise DeviceNotFoundError(f"no board {which} on USB: {mend}")
    if len(found) > 1:
        names = ", ".join(f"{port.device} ({port.serial_number})" for port in found)
        raise DeviceNotFoundError(f"more than one board {which} on USB: {names}: set serial.number")
    return found[0].device


def open_port(wanted: SerialConfig) -> Port:
    """The port of the board, open and ours alone.

    Raises DeviceNotFoundError or DeviceBusyError, with what mends it.
    """
    import serial
    from serial.tools import list_ports

    name = find_port(wanted, list_ports.comports())
    try:
        return SerialPort(name, serial.Serial(name, _BAUD, timeout=SILENCE_S, exclusive=True))
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM):
            mend = f"add the user to the group {_group(name)} and log in again"
            raise DeviceNotFoundError(f"no permission for {name}: {mend}") from error
        if error.errno == errno.EBUSY or "exclusively lock" in str(error):
            raise DeviceBusyError(f"{name}: busy, another program has it open: stop it") from error
        raise DeviceNotFoundError(f"{name}: cannot be opened ({error.strerror or error})") from error


class SerialPort:
    """A port of pyserial's, or what behaves like one."""

    def __init__(self, name: str, port: Any) -> None:
        """Take over ``port``, which reads nothing after its time-out."""
        self._name, self._port = name, port
        self._lock = threading.Lock()
        self._is_closed = False

    @property
    def name(self) -> str:
        """As in /dev."""
        return self._name

    def read(self) -> bytes:
        """All that has come, at least one byte; empty once it was closed.

        TimeoutError where nothing has come till the port's time-out, OSError once it has hung up.
        """

        def take() -> bytes:
            first: bytes = self._port.read(1)
            rest: bytes = self._port.read(self._port.in_waiting) if first else b""
            return first + rest

        data: bytes = self._guarded(take)
        if not data and not self._is_closed:
            raise TimeoutError(errno.ETIMEDOUT, "nothing has come")
        return data

    def write(self, data: bytes) -> None:
        """Send ``data``; OSError."""
        self._guarded(lambda: self._port.write(data))

    def close(self) -> None:
        """Let go; a ``read`` that waits ends."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
        # The lock first: a read on its way out would keep it, and who opens the port anew be refused.
        for let_go in (self._unlock, lambda: self._port.cancel_read(), lambda: self._port.close()):
            with suppress(OSError, TypeError, ValueError, AttributeError):
                let_go()

    def _unlock(self) -> None:
        self._port.exclusive = False

    def _guarded(self, work: Callable[[], Any]) -> Any:
        """pyserial raises a TypeError where its port was closed or lost between two of its steps."""
        try:
            return work()
        except (OSError, TypeError, ValueError) as error:
            if self._is_closed:
                return b""
            number = error.errno if isinstance(error, OSError) and error.errno else errno.EIO
            raise OSError(number, str(error)) from error


def _group(path: str) -> str:
    """The group that may open ``path``: dialout or another, it differs between systems."""
    import grp

    with suppress(OSError, KeyError):
        return grp.getgrgid(os.stat(path).st_gid).gr_name
    return "dialout"

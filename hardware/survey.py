"""Looks at lines and buses without taking them: who holds what, and what answers.

``buses`` opens what is used; here nothing is claimed, so that it works beside a running service.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from firmware_host.errors import DeviceError, DeviceLostError, DeviceNotFoundError
from hardware.buses import HEADER_CHIPS

# Linux, include/uapi/linux/gpio.h: gpiochip_info (name, label, lines) and gpio_v2_line_info
# (name, consumer, offset, num_attrs, flags, 10 attributes, padding).
_CHIP_INFO = struct.Struct("32s32sI")
_LINE_INFO = struct.Struct("32s32sIIQ160s16s")
_GET_CHIP_INFO = 0x8000_B401 | _CHIP_INFO.size << 16
_GET_LINE_INFO = 0xC000_B405 | _LINE_INFO.size << 16
_USED = 1  # GPIO_V2_LINE_FLAG_USED
HEADER_LINES = 28

FIRST_ADDRESS, LAST_ADDRESS = 0x08, 0x77  # left to devices, UM10204, 3.1.12
# A write may change an EEPROM or a clock there; i2cdetect reads as well.
_READ_ONLY = (range(0x30, 0x38), range(0x50, 0x60))
# What an address that nobody has answers, by adapter.
_NOBODY = (errno.EREMOTEIO, errno.ENXIO, errno.EIO)
_I2C_FUNC_SMBUS_QUICK = 0x0001_0000


@dataclass(frozen=True, slots=True)
class LineInfo:
    """``consumer``: the name its holder gave to the kernel, empty where it is free."""

    is_held: bool
    consumer: str = ""


class SmBus(Protocol):
    """What is asked of a bus; ``smbus2.SMBus`` has it."""

    @property
    def funcs(self) -> Any:
        """What the adapter can do, a sum of I2C_FUNC_*."""

    def write_quick(self, i2c_addr: int) -> None:
        """Address a device and write nothing."""

    def read_byte(self, i2c_addr: int) -> int:
        """Read one byte."""

    def close(self) -> None:
        """Let go of the bus."""


def header_lines(dev: Path = Path("/dev")) -> tuple[str, Mapping[int, LineInfo]]:
    """The label of the header's chip, and its lines by BCM number.

    Raises DeviceNotFoundError, with the mend, where there is none or it may not be opened.
    """
    seen: list[str] = []
    for path in sorted(dev.glob("gpiochip*")):
        try:
            handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except PermissionError:
            mend = "add the user to the group gpio and log in again"
            raise DeviceNotFoundError(f"{path} cannot be opened: {mend}") from None
        except OSError:
            continue
        try:
            info = _ask(handle, _GET_CHIP_INFO, _CHIP_INFO, b"", b"", 0)
            label, count = _text(info[1]), info[2]
            if label in HEADER_CHIPS:
                lines = range(min(count, HEADER_LINES))
                return label, {bcm: _line(handle, bcm) for bcm in lines}
            seen.append(label)
        except OSError:
            continue
        finally:
            os.close(handle)
    found = f"only {', '.join(seen)}" if seen else "no GPIO chip at all"
    raise DeviceNotFoundError(f"no Raspberry Pi header here, {found}")


def _line(handle: int, bcm: int) -> LineInfo:
    info = _ask(handle, _GET_LINE_INFO, _LINE_INFO, b"", b"", bcm, 0, 0, b"", b"")
    return LineInfo(bool(info[4] & _USED), _text(info[1]))


def _ask(handle: int, request: int, layout: struct.Struct, *fields: Any) -> tuple[Any, ...]:
    buffer = bytearray(layout.pack(*fields))
    fcntl.ioctl(handle, request, buffer)
    return layout.unpack(buffer)


def _text(field: bytes) -> str:
    return field.split(b"\0", 1)[0].decode(errors="replace")


def open_smbus(bus: int) -> SmBus:
    """The I2C bus ``bus``; DeviceNotFoundError, with the mend, where it cannot be had."""
    from smbus2 import SMBus

    try:
        opened: SmBus = SMBus(bus)
    except PermissionError:
        mend = "add the user to the group i2c and log in again"
        raise DeviceNotFoundError(f"no permission for /dev/i2c-{bus}: {mend}") from None
    except OSError:
        mend = "enable I2C (sudo raspi-config nonint do_i2c 0) and restart"
        raise DeviceNotFoundError(f"there is no /dev/i2c-{bus}: {mend}") from None
    return opened


def answering(bus: int, open_bus: Callable[[int], SmBus] = open_smbus) -> tuple[int, ...]:
    """The addresses on ``bus`` at which something answers, or which a driver of the kernel has.

    Raises DeviceNotFoundError where there is no such bus, DeviceLostError at the first
    time-out: a bus whose lines are held down takes a second for each address.
    """
    opened = open_bus(bus)
    try:
        return tuple(_answers(opened))
    except TimeoutError:
        what = f"I2C bus {bus} does not move, SDA or SCL is held at 0 V"
        raise DeviceLostError(f"{what}: look for a short or a device without power") from None
    except DeviceError:
        raise
    except OSError as error:
        mend = "take its devices off one by one"
        raise DeviceLostError(f"I2C bus {bus} fails ({error.strerror or error}): {mend}") from None
    finally:
        opened.close()


def _answers(bus: SmBus) -> Iterator[int]:
    has_quick = int(bus.funcs) & _I2C_FUNC_SMBUS_QUICK
    for address in range(FIRST_ADDRESS, LAST_ADDRESS + 1):
        ask = bus.write_quick
        if not has_quick or any(address in addresses for addresses in _READ_ONLY):
            ask = bus.read_byte  # type: ignore[assignment]
        try:
            ask(address)
        except OSError as error:
            if error.errno == errno.EBUSY:
                yield address
            elif error.errno not in _NOBODY:
                raise
        else:
            yield address

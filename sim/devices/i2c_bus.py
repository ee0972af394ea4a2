"""An I2C bus with simulated devices on it, in the shape of ``smbus2.SMBus``.

Of smbus2's methods it has those that luma and the adapters call on a bus they are handed.
It may be used from several threads, as a bus of the kernel.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

# What SMBus carries in one block (linux/i2c.h, I2C_SMBUS_BLOCK_MAX).
BLOCK_MAX = 32


class I2cDevice(Protocol):
    """What can be attached: it takes what a transaction writes, without the address byte."""

    def write(self, payload: bytes) -> None: ...


@runtime_checkable
class ReadableDevice(I2cDevice, Protocol):
    """A device that can be read as well: so many bytes from where the last write has pointed."""

    def read(self, length: int) -> bytes: ...


class I2cBus:
    """A bus that counts, may keep a log, and may be cut.

    ``bytes_on_bus``: address bytes and payloads of all transactions that went through.
    ``log``: those transactions as (address, payload), if ``keep_log``.
    """

    def __init__(self, keep_log: bool = False) -> None:
        self.bytes_on_bus = 0
        self.log: list[tuple[int, bytes]] = []
        self._keep_log = keep_log
        self._devices: dict[int, I2cDevice] = {}
        self._readable: dict[int, ReadableDevice] = {}  # those of them that can be read
        self._cut_in: int | None = None
        self._error_number = 0
        self._lock = threading.Lock()

    def attach(self, address: int, device: I2cDevice) -> None:
        """Put ``device`` at ``address``, 7 bits; it takes the place of one that is there."""
        self.detach(address)
        self._devices[address] = device
        if isinstance(device, ReadableDevice):
            self._readable[address] = device

    def detach(self, address: int) -> None:
        """Take away the device at ``address``; nothing happens if there is none."""
        self._devices.pop(address, None)
        self._readable.pop(address, None)

    def fail_after(self, transactions: int, error_number: int = errno.EREMOTEIO) -> None:
        """Let so many more transactions through, then fail each one until ``mend``.

        Raises OSError with ``error_number``, as Python maps it: ETIMEDOUT is a TimeoutError.
        """
        self._cut_in = transactions
        self._error_number = error_number

    def mend(self) -> None:
        """End what ``fail_after`` began."""
        self._cut_in = None

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Write ``register`` and up to 32 bytes of ``data`` in one transaction.

        Raises OSError (EREMOTEIO) if nothing is at ``i2c_addr``, ValueError if there is too much data.
        """
        if len(data) > BLOCK_MAX:
            raise ValueError(f"Data length cannot exceed {BLOCK_MAX} bytes")
        payload = bytes((register, *data))
        with self._lock:
            self._begin(i2c_addr).write(payload)
            self.bytes_on_bus += 1 + len(payload)
            if self._keep_log:
                self.log.append((i2c_addr, payload))

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Write ``register``, then read ``length`` bytes, 1..32, in one transaction with a repeated start.

        Raises OSError (EREMOTEIO) if nothing that can be read is at ``i2c_addr``.
        """
        if not 1 <= length <= BLOCK_MAX:
            raise ValueError(f"Desired block length over {BLOCK_MAX} bytes")
        with self._lock:
            self._begin(i2c_addr)
            device = self._readable.get(i2c_addr)
            if device is None:
                raise _error(errno.EREMOTEIO)
            device.write(bytes((register,)))
            self.bytes_on_bus += 3 + length
            return list(device.read(length))

    @property
    def funcs(self) -> int:
        """What the adapter can do, as I2C_FUNCS of linux/i2c.h: quick writes are all that is asked for."""
        return 0x0001_0000

    def write_quick(self, i2c_addr: int) -> None:
        """Address a device and write nothing; OSError (EREMOTEIO) if nothing is there."""
        with self._lock:
            self._begin(i2c_addr)
            self.bytes_on_bus += 1

    def read_byte(self, i2c_addr: int) -> int:
        """Read one byte, the status of a device that has no more; OSError (EREMOTEIO) if nothing is there."""
        with self._lock:
            self._begin(i2c_addr)
            self.bytes_on_bus += 2
            device = self._readable.get(i2c_addr)
            return device.read(1)[0] if device is not None else 0

    def close(self) -> None:
        """The bus stays: whoever closes it has only let go."""

    def _begin(self, address: int) -> I2cDevice:
        """The device that answers, after one more transaction has been counted."""
        if self._cut_in == 0:
            raise _error(self._error_number)
        if address not in self._devices:
            raise _error(errno.EREMOTEIO)
        if self._cut_in is not None:
            self._cut_in -= 1
        return self._devices[address]


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))

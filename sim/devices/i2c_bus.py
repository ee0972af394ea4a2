"""An I2C bus with simulated devices on it, in the shape of ``smbus2.SMBus``.

Of smbus2's methods it has the one that ``luma.core.interface.serial.i2c`` calls
on a bus it is handed.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from typing import Protocol

# What SMBus carries in one block (linux/i2c.h, I2C_SMBUS_BLOCK_MAX).
BLOCK_MAX = 32


class I2cDevice(Protocol):
    """What can be attached: it takes what a transaction writes, without the address byte."""

    def write(self, payload: bytes) -> None: ...


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
        self._cut_in: int | None = None
        self._error_number = 0

    def attach(self, address: int, device: I2cDevice) -> None:
        """Put ``device`` at ``address``, 7 bits; it takes the place of one that is there."""
        self._devices[address] = device

    def detach(self, address: int) -> None:
        """Take away the device at ``address``; nothing happens if there is none."""
        self._devices.pop(address, None)

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
        if self._cut_in == 0:
            raise _error(self._error_number)
        if i2c_addr not in self._devices:
            raise _error(errno.EREMOTEIO)
        if self._cut_in is not None:
            self._cut_in -= 1
        payload = bytes((register, *data))
        self.bytes_on_bus += 1 + len(payload)
        if self._keep_log:
            self.log.append((i2c_addr, payload))
        self._devices[i2c_addr].write(payload)


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))

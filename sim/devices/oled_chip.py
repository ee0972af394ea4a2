"""What the OLED controllers have in common: how a write on I2C is parted into commands and data."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

WIDTH, HEIGHT = 128, 64  # of the glass
PAGES = HEIGHT // 8

# The control byte: Co (one byte follows, then another control byte), D/C# (data for the RAM).
_CO = 0x80
_DATA = 0x40


class OledChip(ABC):
    """A controller that takes what an I2C master writes and says what a person sees.

    ``unknown`` collects the bytes of every command that the data sheet does not
    have, or forbids with these arguments or in this addressing mode.  They do nothing.
    """

    ARGUMENTS: ClassVar[Mapping[int, int]]  # opcode -> number of arguments: the command table

    def __init__(self, seed: int = 0) -> None:
        self.unknown: list[bytes] = []
        self._random = random.Random(seed)
        self.reset()

    @abstractmethod
    def reset(self) -> None:
        """Power on: the registers' reset values, and noise in the RAM."""

    @abstractmethod
    def pixels(self) -> bytes:
        """What is seen: 64 rows of 16 bytes, the left pixel in the highest bit, 1 is lit."""

    @abstractmethod
    def _write_ram(self, data: bytes) -> None:
        """Store ``data`` from the pointer on; a command cut short by it is lost."""

    @abstractmethod
    def _do(self, opcode: int, arguments: list[int]) -> bool:
        """Do a command of the table; False where the data sheet forbids it as it stands."""

    def _power_on(self, ram_bytes: int, contrast: int) -> None:
        self._ram = bytearray(self._random.randbytes(ram_bytes))
        self._pending = bytearray()
        self._contrast = contrast
        self._is_on = False

    @property
    def is_on(self) -> bool:
        """Whether the display was turned on (AF); without its pump it is dark all the same."""
        return self._is_on

    @property
    def contrast(self) -> int:
        """The contrast, 0..255."""
        return self._contrast

    def write(self, payload: bytes) -> None:
        """Take one I2C write: all bytes after the address."""
        position = 0
        while position < len(payload):
            control = payload[position]
            end = position + 2 if control & _CO else len(payload)
            body = payload[position + 1 : end]
            if control & _DATA:
                self._write_ram(body)
            else:
                for byte in body:
                    self._write_command(byte)
            position = end

    def _write_command(self, byte: int) -> None:
        """Take one byte of a command; its arguments may come in later transactions."""
        self._pending.append(byte)
        opcode, *arguments = self._pending
        if opcode not in self.ARGUMENTS:
            self._refuse()
        elif len(arguments) == self.ARGUMENTS[opcode]:
            if self._do(opcode, arguments):
                self._pending.clear()
            else:
                self._refuse()

    def _refuse(self) -> None:
        self.unknown.append(bytes(self._pending))
        self._pending.clear()

"""The MCP23017, 16 more pins on I2C (Microchip DS20001952D): read and written, and set up anew after a reset.

Pins are bits of a number: GPA0 the lowest, GPB7 the highest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from firmware_host.errors import DeviceLostError, DeviceNotFoundError

# Addresses of port A with IOCON.BANK = 0, as after a reset; port B is one above (table 3-3).
_IODIR, _GPIO, _OLAT = 0x00, 0x12, 0x14
_IOCON_OF_BANK_1 = 0x05
_MIRROR, _ODR = 0x40, 0x04  # either port pulls INTA; open drain, so the Pi's pull-up makes the level
_OUTPUTS_ONLY = 0x8080  # GPA7 and GPB7 may not be inputs: driven low, nothing of them is left open
_TRIES = 3

T = TypeVar("T")


class Smbus(Protocol):
    """What is used of ``smbus2.SMBus``; all of it raises OSError."""

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]: ...

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None: ...

    def close(self) -> None: ...


def pin_bit(name: str) -> int:
    """The number of the pin called ``name``.

    >>> pin_bit("GPA0"), pin_bit("GPB7")
    (0, 15)
    """
    return 8 * "AB".index(name[2]) + int(name[3])


def mask(names: Iterable[str]) -> int:
    """The pins called ``names`` as bits."""
    return sum(1 << pin_bit(name) for name in names)


class Expander:
    """A chip on a bus that it takes over.  Any failure is final, as with every device."""

    def __init__(
        self, bus: Smbus, address: int, *, outputs: int = 0, watched: int = 0, pull: bool = True
    ) -> None:
        """Set the chip up: ``outputs`` driven low, all others inputs, those of ``watched`` interrupting.

        ``pull``: switch the inputs' pull-ups on.  Pins that nothing is on get theirs in any case.

        Raises DeviceNotFoundError if it does not answer.
        """
        self._bus, self._address = bus, address
        driven = outputs | _OUTPUTS_ONLY
        self._inputs = ~driven & 0xFFFF
        self._watched = watched & self._inputs
        self._pull_ups = self._inputs if pull else self._inputs & ~watched
        self._levels = 0
        self._is_closed = False
        try:
            self._set_up()
        except OSError as error:
            bus.close()
            mend = "check its power, SDA and SCL, and A0 to A2"
            raise DeviceNotFoundError(f"{self}: {error.strerror or error}: {mend}") from error

    def __str__(self) -> str:
        return f"MCP23017 at {self._address:#04x}"

    def read(self) -> int:
        """The levels at all pins; a chip that was reset meanwhile is set up again and read anew.

        Raises DeviceLostError.
        """
        return self._do(lambda: self._steadily(lambda: self._get(_GPIO)))

    def scan(self, patterns: Sequence[int]) -> list[int]:
        """Put the outputs to each of ``patterns`` in turn; the levels at all pins at each of them.

        A chip that was reset meanwhile is set up again and scanned anew.  Raises DeviceLostError.
        """

        def look() -> list[int]:
            found = []
            for levels in patterns:
                self._levels = levels
                self._put(_OLAT, _pair(levels & ~self._inputs))
                found.append(self._get(_GPIO))
            return found

        return self._do(lambda: self._steadily(look))

    def write(self, levels: int) -> None:
        """Put the outputs to ``levels``; the set-up is said again, for a chip that was reset meanwhile.

        Raises DeviceLostError.
        """
        self._levels = levels

        def say() -> None:
            self._put(_OLAT, _pair(levels & ~self._inputs))
            if self._get(_IODIR) != self._inputs:
                self._set_up()

        self._do(say)

    def close(self) -> None:
        """Let go of the bus; quiet when called twice."""
        if not self._is_closed:
            self._is_closed = True
            self._bus.close()

    def _steadily(self, look: Callable[[], T]) -> T:
        for _ in range(_TRIES):
            seen = look()
            # Asked for afterwards: what was seen, was seen by a chip that knew its pull-ups.
            if self._get(_IODIR) == self._inputs:
                return seen
            self._set_up()
        raise OSError("forgets its set-up again and again: is its supply steady?")

    def _set_up(self) -> None:
        # IOCON as it is addressed with BANK = 1, which another program may have left: back to BANK = 0.
        # With BANK = 0 it is GPINTENB, and clearing that does no harm.
        self._bus.write_i2c_block_data(self._address, _IOCON_OF_BANK_1, [0])
        self._put(_OLAT, _pair(self._levels & ~self._inputs))
        control = _MIRROR | _ODR
        self._put(
            _IODIR,
            [
                *_pair(self._inputs), 0, 0,  # IODIR; IPOL: as they are
                *_pair(self._watched), 0, 0,  # GPINTEN; DEFVAL
                0, 0, control, control,  # INTCON: any change; IOCON
                *_pair(self._pull_ups),  # GPPU
            ],
        )  # fmt: skip
        self._get(_GPIO)  # lines that rose with their pull-ups were changes: the interrupt is let go of

    def _do(self, work: Callable[[], T]) -> T:
        if self._is_closed:
            raise DeviceLostError(f"{self}: closed before")
        try:
            return work()
        except OSError as error:
            raise DeviceLostError(f"{self}: {error.strerror or error}") from error

    def _get(self, register: int) -> int:
        low, high = self._bus.read_i2c_block_data(self._address, register, 2)
        return high << 8 | low

    def _put(self, register: int, values: Sequence[int]) -> None:
        self._bus.write_i2c_block_data(self._address, register, list(values))


def _pair(pins: int) -> tuple[int, int]:
    """Port A, port B."""
    return pins & 0xFF, pins >> 8 & 0xFF

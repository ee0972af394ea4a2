"""The MCP3008, eight analogue inputs on SPI (Microchip DS21295D)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from firmware_host.errors import DeviceLostError

CLOCK_HZ = 1_000_000  # 1.35 MHz at most from 2.7 V, 3.6 MHz from 5 V: safe at 3.3 V
FULL_SCALE = 1024  # counts, of the supply that is its reference
BYTES = 3  # of a conversion
_SINGLE_ENDED = 0x80
_NULL_BIT = 0x04  # always 0 before the ten bits; 1: nothing drives the line


class Spi(Protocol):
    """What is used of ``spidev.SpiDev``."""

    def xfer2(self, values: Sequence[int]) -> list[int]:
        """Send bytes and get as many, chip select held; OSError."""

    def close(self) -> None: ...


class Adc:
    """The converter on a bus that it takes over.  Any failure is final, as with every device."""

    def __init__(self, spi: Spi) -> None:
        self._spi = spi
        self._is_closed = False

    def read(self, channel: int) -> int:
        """The level at ``channel`` (0..7) in counts, 0..1023.  Raises DeviceLostError."""
        if self._is_closed:
            raise DeviceLostError("MCP3008: closed before")
        try:
            # Seven zeros and the start bit; which input; room for the last eight bits (figure 6-1).
            _, high, low = self._spi.xfer2([1, _SINGLE_ENDED | channel << 4, 0])
        except OSError as error:
            raise DeviceLostError(f"MCP3008: {error.strerror or error}") from error
        if high & _NULL_BIT:
            raise DeviceLostError("MCP3008: does not answer: check its power, MISO and chip select")
        return (high & 3) << 8 | low

    def close(self) -> None:
        """Let go of the bus; quiet when called twice."""
        if not self._is_closed:
            self._is_closed = True
            self._spi.close()

"""An MCP3008 on SPI, bit by bit, by its data sheet (Microchip DS21295D, section 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

BITS = 10
FULL_SCALE = 1 << BITS
_CONTROL_BITS = 4  # single-ended or a pair, then D2 D1 D0
_BEFORE_B9 = 2  # a clock to sample, and the null bit


class Mcp3008:
    """The converter.  ``inputs``: the volts from CH0 on, asked for when it samples; ``supply_v``: its VREF.

    ``is_there``: its supply and its wires; away, nothing drives MISO and its pull-up reads ones.
    """

    def __init__(self, inputs: Sequence[Callable[[], float]], supply_v: float = 3.3) -> None:
        self._inputs = inputs
        self._supply_v = supply_v
        self.is_there = True
        self.clocks = 0

    def xfer2(self, values: Sequence[int]) -> list[int]:
        """One transfer: chip select falls, bytes go in and out, and it rises."""
        self.clocks += 8 * len(values)
        if not self.is_there:
            return [0xFF] * len(values)
        return list(self._answer(int.from_bytes(bytes(values))).to_bytes(len(values)))

    def close(self) -> None:
        """Whoever closes it has only let go."""

    def _answer(self, sent: int) -> int:
        """What is read at each clock, the last one lowest; 0 while the line is high-impedance."""
        left = sent.bit_length() - 1 - _CONTROL_BITS  # clocks after the start bit, the first 1, and control
        if left < 0:
            return 0
        count = self._convert(sent >> left & (1 << _CONTROL_BITS) - 1)
        backwards = int(f"{count:0{BITS}b}"[-2::-1], 2)  # after B0 they come again, B1 to B9
        spare = left - _BEFORE_B9 - (2 * BITS - 1)
        both = count << BITS - 1 | backwards
        return both << spare if spare >= 0 else both >> -spare

    def _convert(self, control: int) -> int:
        channel = control & 7
        volts = self._volts(channel)
        if not control >> 3:  # the other of the pair is IN-
            volts -= self._volts(channel ^ 1)
        return max(0, min(FULL_SCALE - 1, int(volts / self._supply_v * FULL_SCALE)))

    def _volts(self, channel: int) -> float:
        """At an input; one that nothing is wired to floats near ground."""
        return self._inputs[channel]() if channel < len(self._inputs) else 0.0

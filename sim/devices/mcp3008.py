"""An MCP3008 on SPI, bit by bit, by its data sheet (Microchip DS21295D, section 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

BITS = 10
FULL_SCALE = 1 << BITS
_CONTROL_BITS = 4  # single-ended or a pair, then D2 D1 D0


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
        sent = [value >> bit & 1 for value in values for bit in range(7, -1, -1)]
        self.clocks += len(sent)
        out = self._answer(sent) if self.is_there else [1] * len(sent)
        return [int("".join(map(str, out[first : first + 8])), 2) for first in range(0, len(out), 8)]

    def close(self) -> None:
        """Whoever closes it has only let go."""

    def _answer(self, sent: list[int]) -> list[int]:
        """What is read at each clock; 0 while the line is high-impedance, with a pull-down."""
        out = [0] * len(sent)
        if 1 not in sent:
            return out
        control_at = sent.index(1) + 1
        control = sent[control_at : control_at + _CONTROL_BITS]
        if len(control) < _CONTROL_BITS:
            return out
        count = self._convert(control)
        first = control_at + _CONTROL_BITS + 2  # a clock to sample, and the null bit
        falling = [count >> bit & 1 for bit in range(BITS - 1, -1, -1)]
        for at, bit in enumerate([*falling, *falling[-2::-1]], start=first):  # then backwards, B1 to B9
            if at < len(out):
                out[at] = bit
        return out

    def _convert(self, control: list[int]) -> int:
        is_single, *number = control
        channel = int("".join(map(str, number)), 2)
        volts = self._volts(channel)
        if not is_single:  # the other of the pair is IN-
            volts -= self._volts(channel ^ 1)
        return max(0, min(FULL_SCALE - 1, int(volts / self._supply_v * FULL_SCALE)))

    def _volts(self, channel: int) -> float:
        """At an input; one that nothing is wired to floats near ground."""
        return self._inputs[channel]() if channel < len(self._inputs) else 0.0

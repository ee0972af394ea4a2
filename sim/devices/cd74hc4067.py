"""A CD74HC4067 multiplexer: one of 16 inputs goes through to COM (Texas Instruments SCHS209)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

INPUTS = 16


class Cd74hc4067:
    """``inputs``: the volts at C0 to C15.  ``select``: the levels at S0 to S3.  E is tied low."""

    def __init__(self, inputs: Sequence[Callable[[], float]], select: Sequence[Callable[[], bool]]) -> None:
        self._inputs, self._select = inputs, select

    def com(self) -> float:
        """The volts at COM; an input that is not connected floats near ground."""
        address = 0
        for bit, is_high in enumerate(self._select):
            if is_high():
                address |= 1 << bit
        return self._inputs[address]() if address < len(self._inputs) else 0.0

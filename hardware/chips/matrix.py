"""Presence only: 36 switches in six rows and six columns, each with a diode, on an MCP23017.

A row is pulled low while the others are high; a closed switch pulls its column down through its diode.
Rows are GPA0 to GPA5, columns GPB0 to GPB5.
"""

from __future__ import annotations

from firmware_host.ports import Levels
from firmware_host.table.events import COVERED
from hardware.chips.polled import Polled
from hardware.expander import Expander

SIZE = 6
ROWS = (1 << SIZE) - 1
COLUMNS = ROWS << 8
_ONE_ROW_LOW = tuple(ROWS & ~(1 << row) for row in range(SIZE))


class MatrixBoard(Polled):
    """The switches as levels: 0 empty, 4 covered; only one row at a time can be seen."""

    def __init__(self, chip: Expander) -> None:
        """``chip``: with :data:`ROWS` as outputs and :data:`COLUMNS` pulled up; it belongs to this."""
        self._chip = chip

    def read(self) -> Levels:
        """What lies on each square; DeviceLostError."""
        rows = [pins >> 8 for pins in self._chip.scan(_ONE_ROW_LOW)]
        return tuple(0 if columns >> column & 1 else COVERED for columns in rows for column in range(SIZE))

    def measure_rest(self, scans: int) -> tuple[float, ...]:
        """Nothing: a switch has no rest to measure."""
        return ()

    def close(self) -> None:
        """Let go of the bus."""
        self._chip.close()

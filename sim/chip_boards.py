"""The two chip boards as circuits: sensors behind multiplexers, and a matrix of switches with diodes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from sim.devices.cd74hc4067 import Cd74hc4067
from sim.devices.hall_sensor import HallSensor
from sim.devices.mcp3008 import Mcp3008
from sim.devices.mcp23017 import Mcp23017
from sim.magnets import SIZE, Board

SQUARES = SIZE * SIZE
MULTIPLEXERS = 3
_COLUMNS = (1 << SIZE) - 1 << 8


class HallCircuit:
    """36 sensors, three multiplexers with common select lines, a converter: ``adc`` is what the Pi sees."""

    def __init__(self, board: Board, select: Sequence[Callable[[], bool]], kind: str, seed: int = 0) -> None:
        chance = random.Random(seed)
        self._board = board
        self.sensors = tuple(HallSensor(kind, chance) for _ in range(SQUARES))
        each = SQUARES // MULTIPLEXERS
        muxes = [
            Cd74hc4067([self._output(square) for square in range(first, first + each)], select)
            for first in range(0, SQUARES, each)
        ]
        self.adc = Mcp3008([mux.com for mux in muxes])

    def _output(self, square: int) -> Callable[[], float]:
        sensor = self.sensors[square]

        def volts() -> float:
            sensor.field_mt = self._board.field_mt(square)
            return sensor.volts()

        return volts


class MatrixCircuit:
    """A device on I2C: an MCP23017 whose rows and columns are wired through switches and diodes.

    Rows on GPA0 to GPA5, columns on GPB0 to GPB5.
    """

    def __init__(self, board: Board, seed: int = 0) -> None:
        self._board = board
        self.chip = Mcp23017(seed)

    def write(self, payload: bytes) -> None:
        """One I2C write; then the columns follow the rows."""
        self.chip.write(payload)
        self._follow()

    def read(self, length: int) -> bytes:
        """One I2C read, of the board as it lies now."""
        self._follow()
        return self.chip.read(length)

    def _follow(self) -> None:
        """A column is low where a closed switch leads, through its diode, to a row that is driven low."""
        sinks, low = self.chip.sinks, 0
        for row, covered in enumerate(self._board.covered):
            if sinks >> row & 1:
                low |= covered
        self.chip.drive_pins(_COLUMNS, low << 8, 0)

"""Boards wired to adapters, with magnets on them."""

from __future__ import annotations

from gpiozero import OutputDevice
from gpiozero.pins.mock import MockFactory

from hardware.chips.hall import HallBoard
from hardware.chips.matrix import ROWS, MatrixBoard
from hardware.chips.mcp3008 import Adc
from hardware.expander import Expander
from sim.chip_boards import HallCircuit, MatrixCircuit
from sim.devices.i2c_bus import I2cBus
from sim.magnets import Board

SELECT = (12, 14, 15, 18)
ADDRESS = 0x22


class HallRig:
    """36 sensors on mock pins and a fake converter."""

    def __init__(self, sensor: str = "drv5055a3", seed: int = 1) -> None:
        self.board, self.factory, self.sensor = Board(), MockFactory(), sensor
        pins = [self.factory.pin(bcm) for bcm in SELECT]
        select = [lambda pin=pin: bool(pin.state) for pin in pins]
        self.circuit = HallCircuit(self.board, select, sensor, seed)

    def open(self, rest: tuple[float, ...] = ()) -> HallBoard:
        """The adapter."""
        lines = [OutputDevice(bcm, pin_factory=self.factory) for bcm in SELECT]
        return HallBoard(Adc(self.circuit.adc), lines, sensor=self.sensor, rest=rest)

    def calibrated(self) -> HallBoard:
        """The adapter, once the empty board was measured."""
        first = self.open()
        rest = first.measure_rest(8)
        first.close()
        return self.open(rest)


class MatrixRig:
    """36 switches on an expander."""

    def __init__(self) -> None:
        self.board, self.bus = Board(), I2cBus()
        self.circuit = MatrixCircuit(self.board)
        self.bus.attach(ADDRESS, self.circuit)

    def open(self) -> MatrixBoard:
        """The adapter."""
        return MatrixBoard(Expander(self.bus, ADDRESS, outputs=ROWS))

"""36 linear hall sensors under the board: three CD74HC4067 multiplexers, an MCP3008 on SPI.

Rows 0 and 1 are on the first multiplexer, 2 and 3 on the second, 4 and 5 on the third, from its C0 on;
the three share their select lines, and their COM go to CH0, CH1, CH2.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from firmware_host.errors import DeviceLostError, DeviceNotFoundError
from firmware_host.games.sequence_dice.notation import format_square
from firmware_host.ports import Levels
from hardware.buses import backend_errors
from hardware.chips.fields import SENSORS, SUPPLY_V, classify
from hardware.chips.mcp3008 import FULL_SCALE, Adc
from hardware.chips.polled import Polled

SQUARES, MULTIPLEXERS = 36, 3
INPUTS = SQUARES // MULTIPLEXERS  # of each multiplexer in use
# One select line changes from each input to the next.
ORDER = (4, 5, 7, 6, 2, 3, 1, 0, 8, 9, 11, 10)
_RAIL = 20  # counts: no sensor drives its output so near to either supply
_REST = FULL_SCALE // 2
_NOISE = 2  # counts, of sensor and converter
_FOLLOW = 1 / 64  # of the difference at each reading: half of a drift within three seconds
_MOST_DRIFT_MT = 3.0  # from the calibration: less than any chip


class HallBoard(Polled):
    """The sensors as levels: 0 empty, 1 to 3 a colour, -1 a field that no chip makes, None: no sensor."""

    def __init__(self, adc: Adc, select: Sequence[Any], *, sensor: str, rest: Sequence[float] = ()) -> None:
        """``select``: gpiozero's outputs S0 to S3.  ``rest``: by square, counts of an empty board; empty:
        the middle of the scale.

        All belong to this from now on.  Raises DeviceNotFoundError if the converter does not answer.
        """
        self._adc, self._select = adc, tuple(select)
        self._selected: int | None = None  # by the select lines; None: not known yet
        volts_a_count = SUPPLY_V / FULL_SCALE
        self._mt_a_count = volts_a_count / SENSORS[sensor].volts_a_mt
        self._most_off = SENSORS[sensor].most_off_v / volts_a_count + _NOISE
        self._most_drift = _MOST_DRIFT_MT / self._mt_a_count
        self._calibrated = tuple(rest) or (float(_REST),) * SQUARES
        self._rest = list(self._calibrated)
        self._levels = [0] * SQUARES
        try:
            counts = self.scan()
        except DeviceLostError as error:
            self.close()
            raise DeviceNotFoundError(str(error)) from error
        if not any(map(_is_alive, counts)):
            self.close()
            raise DeviceNotFoundError(
                "no hall sensor answers: check 3.3 V at the board, and each COM to the MCP3008"
            )

    def read(self) -> Levels:
        """What lies on each square; DeviceLostError."""
        return tuple(self._level(square, count) for square, count in enumerate(self.scan()))

    def _level(self, square: int, count: int) -> int | None:
        if not _is_alive(count):
            return None
        off = count - self._rest[square]
        level = self._levels[square] = classify(off * self._mt_a_count, self._levels[square])
        if level == 0:  # warmth moves the rest; a chip may not
            drift = self._rest[square] + off * _FOLLOW - self._calibrated[square]
            self._rest[square] = self._calibrated[square] + max(
                -self._most_drift, min(self._most_drift, drift)
            )
        return level

    def scan(self) -> list[int]:
        """The counts of all sensors, by square; DeviceLostError."""
        counts = [0] * SQUARES
        try:
            for address in ORDER:
                self._choose(address)
                # No wait: it samples 12 clocks into a transfer, 12 us, and a sensor's 1 mA charges the 100 pF
                # of the switch and the converter in less than one.
                for multiplexer in range(MULTIPLEXERS):
                    counts[multiplexer * INPUTS + address] = self._adc.read(multiplexer)
        except DeviceLostError:
            raise
        except backend_errors() as error:
            raise DeviceLostError(f"the select lines of the chip board: {error}") from error
        return counts

    def _choose(self, address: int) -> None:
        """Put those select lines to ``address`` that are not."""
        changed = address ^ (self._selected if self._selected is not None else ~address)
        for bit, line in enumerate(self._select):
            if changed >> bit & 1:
                line.value = address >> bit & 1
        self._selected = address

    def measure_rest(self, scans: int) -> tuple[float, ...]:
        """The mean counts of an empty board, by square; the middle of the scale for a dead sensor.

        Raises DeviceNotFoundError where a square shows a field: it names them, as on the board.
        """
        sums = [0] * SQUARES
        for _ in range(scans):
            sums = [total + count for total, count in zip(sums, self.scan(), strict=True)]
        means = [total / scans for total in sums]
        off = [abs(mean - _REST) if _is_alive(mean) else 0.0 for mean in means]
        occupied = [square for square in range(SQUARES) if off[square] > self._most_off]
        if occupied:
            names = ", ".join(map(format_square, occupied))
            raise DeviceNotFoundError(f"a magnet is near {names}: take all chips off the board")
        return tuple(mean if _is_alive(mean) else float(_REST) for mean in means)

    def close(self) -> None:
        """Let go of the lines and of the bus; quiet when called twice."""
        for line in self._select:
            with suppress(*backend_errors()):
                line.close()
        self._adc.close()


def _is_alive(count: float) -> bool:
    """A sensor drives this; without its supply or its wire it lies at a rail."""
    return _RAIL < count < FULL_SCALE - _RAIL

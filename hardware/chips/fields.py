"""Which chip a magnetic field means.

Each colour has a magnet of its own size.  Round chips turn over, so only the strength tells; what lies
between the windows is no chip of ours, or one that lies askew, and is said to be unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from firmware_host.table.events import UNKNOWN

SUPPLY_V = 3.3
HYSTERESIS_MT = 1.0  # a level is left only so far beyond its window


@dataclass(frozen=True, slots=True)
class Sensor:
    """At 3.3 V: ``volts_a_mt``: how steep, ``most_off_v``: how far its rest may be from half the supply."""

    volts_a_mt: float
    most_off_v: float


SENSORS: Mapping[str, Sensor] = MappingProxyType(
    {
        "drv5055a3": Sensor(0.015, 0.06),  # TI SBAS640B, 6.5
        "ss49e": Sensor(0.014 * SUPPLY_V / 5, 0.25 * SUPPLY_V / 5),  # Honeywell: of 5 V, in proportion
    }
)


@dataclass(frozen=True, slots=True)
class Window:
    """``level`` is what lies on a square whose field is from ``low_mt`` to ``high_mt`` (mT, either pole)."""

    level: int
    low_mt: float
    high_mt: float


# Discs of N35, 3 x 1, 5 x 1 and 8 x 1.5 mm, 4 mm above the sensor make 13, 28 and 61 mT; each window
# takes the magnet 1.2 mm off the middle, 10 % weaker or nearer by 0.3 mm.
WINDOWS = (Window(0, 0.0, 4.0), Window(1, 8.5, 16.5), Window(2, 19.5, 36.0), Window(3, 44.0, 76.0))


def classify(field_mt: float, before: int) -> int:
    """What lies on a square with this field, where ``before`` lay last.

    >>> classify(-28.0, 0), classify(18.0, 0)
    (2, -1)
    """
    strength = abs(field_mt)
    for window in WINDOWS:
        more = HYSTERESIS_MT if window.level == before else 0.0
        if window.low_mt - more <= strength < window.high_mt + more:
            return window.level
    return UNKNOWN

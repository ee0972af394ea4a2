"""A linear hall sensor at 3.3 V: volts in proportion to the field, about half the supply."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """``rest_spread_v``: rests lie so far about the middle; ``margin_v``: it comes so near to either rail."""

    volts_a_mt: float
    rest_spread_v: float
    margin_v: float


TYPES = {
    "drv5055a3": Type(0.015, 0.06, 0.2),  # Texas Instruments SBAS640B, 6.5
    "ss49e": Type(0.00924, 0.165, 0.66),  # Honeywell, of 5 V in proportion
}
SUPPLY_V = 3.3
_NOISE_V = 0.0012  # SBAS640B 6.5: 0.12 mVpp a mV/mT of noise, of 15 mV/mT at 20 kHz


class HallSensor:
    """One sensor; ``drift_v`` is added by its warmth, ``is_dead``: it has no supply, and lies at ground."""

    def __init__(self, kind: str, chance: random.Random) -> None:
        self._type, self._chance = TYPES[kind], chance
        self._rest_v = SUPPLY_V / 2 + chance.uniform(-1, 1) * self._type.rest_spread_v
        self.field_mt = 0.0
        self.drift_v = 0.0
        self.is_dead = False

    def volts(self) -> float:
        """Its output just now."""
        if self.is_dead:
            return 0.0
        clean = self._rest_v + self.drift_v + self.field_mt * self._type.volts_a_mt
        noisy = clean + self._chance.gauss(0.0, _NOISE_V / 4)
        return max(self._type.margin_v, min(SUPPLY_V - self._type.margin_v, noisy))

"""What speaks for a flat die and against a tilted one that looks alike, and how much: points.

The points are learned from drawn dice, flat and cocked, by tests/campaigns/dice_flatness.py, which prints the
table as it stands here.  Ten points make it e times as likely that the die is flat.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a picture shows where only the flat cube would be seen (``flat_...``), and where only the tilted
    one (``leaning_...``); NaN where there is nothing to look at.
    """

    flat_area: float  # in upper faces
    flat_body: float  # how much of it is as the die's body or its pips, in whatever light
    flat_plain: float  # how much of it is as the empty floor
    flat_floor_light: float  # how strong the light on that floor would be, against the empty tray
    flat_floor_off: float  # how far it is off that floor, in levels
    flat_side_off: float  # how far it is off a side face in even light, in levels
    flat_step: float  # how much the picture steps along its outline, in levels, where it does so least
    leaning_area: float
    leaning_body: float
    leaning_slope: float  # how steep it is there, in levels a pixel: shadows are soft
    leaning_step: float
    is_by_wall: bool  # or by another die, behind which there is less to see

    @property
    def shows_flat(self) -> bool:
        """Whether that is enough."""
        return self.points >= (_LEAST_BY_WALL if self.is_by_wall else _LEAST_BY_DIE)

    @property
    def points(self) -> int:
        """How much it speaks for the flat die."""
        total = _START
        for name, (borders, own, nothing) in _TABLE.items():
            value = getattr(self, name)
            total += nothing if isnan(value) else own[bisect_right(borders, value)]
        return total


_LEAST_BY_WALL, _LEAST_BY_DIE = 15, 20
_START = 9
# Of each evidence: the borders between its bins, the points of each bin, and those of nothing seen.
_TABLE: Mapping[str, tuple[tuple[float, ...], tuple[int, ...], int]] = MappingProxyType(
    {
        "flat_area": (
            (0, 0.0094, 0.033, 0.06, 0.088, 0.12, 0.15, 0.19, 0.24),
            (0, 14, 1, 1, 2, 1, -2, -3, -4, -9),
            0,
        ),
        "flat_body": ((0, 0.027, 0.26, 0.67, 0.88, 0.96, 0.99, 1), (0, -25, -22, -12, 0, 9, 15, 17, 19), -2),
        "flat_plain": ((0, 0.011, 0.1, 0.46), (0, 14, 3, -6, -10), -2),
        "flat_floor_light": (
            (0.29, 0.41, 0.59, 0.73, 0.82, 0.89, 0.96, 1.1, 1.6),
            (22, 17, 5, -4, -4, -8, -5, -4, -12, -6),
            -2,
        ),
        "flat_floor_off": ((4.4, 7, 11, 17, 23, 29, 36, 45, 62), (-14, -7, -1, 1, 5, 4, 7, 3, 2, 3), -2),
        "flat_side_off": (
            (6.7, 9.1, 11, 14, 16, 19, 23, 31, 49),
            (22, 13, 14, 8, 4, 3, -5, -10, -20, -28),
            -2,
        ),
        "flat_step": ((2.8, 6.4, 13, 19, 26, 34, 43, 56, 80), (-23, -10, -3, 3, 7, 4, 9, 6, 4, 2), 1),
        "leaning_area": (
            (0, 0.0015, 0.011, 0.029, 0.058, 0.095, 0.14, 0.21, 0.29),
            (0, 0, 1, 3, 3, 1, 0, -2, -4, -3),
            0,
        ),
        "leaning_body": ((0, 0.02, 0.14, 0.47, 0.8, 0.96), (0, 21, 12, 2, -7, -11, -15), -3),
        "leaning_slope": ((2.6, 3.8, 5.5, 7.6, 10, 14, 18, 24, 32), (5, 3, 3, 3, 1, -2, -3, -1, -3, -3), -3),
        "leaning_step": ((1.5, 2.3, 3.3, 4.8, 7.3, 12, 18, 28, 48), (6, 6, 5, 5, 4, 4, -1, -4, -9, -16), -1),
    }
)

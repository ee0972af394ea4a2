"""What speaks for a flat die and against a tilted one that looks alike, and how much: points.

The points are learned from drawn dice, flat and cocked, by tests/campaigns/dice_flatness.py, which prints the
table as it stands here.  Ten points make it e times as likely that the die is flat.  How dark the floor is
below a raised die differs from lamp to lamp, so nothing is made of that.
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
    flat_side_off: float  # how far it is off a side face in even light, in levels
    flat_step: float  # how much the picture steps along its outline, in levels, where it does so least
    leaning_area: float
    leaning_body: float
    leaning_slope: float  # how steep it is there, in levels a pixel: shadows are soft
    leaning_step: float
    is_by_wall: bool  # or by another die, behind which there is less to see

    @property
    def shows_flat(self) -> bool:
        """Whether that is enough, or much of what only a tilted die would cover is plainly floor."""
        return self._shows_floor or self.points >= (_LEAST_BY_WALL if self.is_by_wall else _LEAST_BY_DIE)

    @property
    def _shows_floor(self) -> bool:
        return (
            self.leaning_area >= _MUCH
            and self.leaning_body < _NO_BODY
            and self.leaning_slope < _SOFT
            and self.leaning_step < _NO_STEP
        )

    @property
    def points(self) -> int:
        """How much it speaks for the flat die."""
        total = _START
        for name, (borders, own, nothing) in _TABLE.items():
            value = getattr(self, name)
            total += nothing if isnan(value) else own[bisect_right(borders, value)]
        return total


# Of an upper face; of that; levels a pixel, and levels: light and shadow, without pips or an edge.
_MUCH, _NO_BODY, _SOFT, _NO_STEP = 0.25, 0.05, 8.0, 5.0
_LEAST_BY_WALL, _LEAST_BY_DIE = 5, 20
_START = 14
# Of each evidence: the borders between its bins, the points of each bin, and those of nothing seen.
_TABLE: Mapping[str, tuple[tuple[float, ...], tuple[int, ...], int]] = MappingProxyType(
    {
        "flat_area": (
            (0.0091, 0.031, 0.058, 0.087, 0.12, 0.15, 0.19, 0.24),
            (12, 0, 1, 1, -2, -2, -2, -3, -5),
            0,
        ),
        "flat_body": ((0.017, 0.24, 0.68, 0.89, 0.96, 0.99, 1), (-30, -24, -11, 5, 12, 16, 19, 21), -8),
        "flat_side_off": (
            (6.7, 9.1, 11, 14, 16, 19, 24, 31, 52),
            (14, 12, 13, 11, 8, 7, -2, -8, -17, -29),
            -8,
        ),
        "flat_step": ((2.8, 6.4, 13, 20, 27, 35, 43, 57, 81), (-35, -19, -7, 0, 5, 6, 10, 12, 14, 10), 4),
        "leaning_area": (
            (0.0015, 0.0097, 0.028, 0.055, 0.091, 0.14, 0.21, 0.29),
            (0, 2, 2, 5, 4, 0, -3, -5, -5),
            0,
        ),
        "leaning_body": ((0.022, 0.16, 0.54, 0.84, 0.98), (24, 12, 1, -7, -11, -16), -2),
        "leaning_slope": ((2.6, 3.9, 5.6, 7.8, 11, 14, 19, 24, 32), (5, 4, 2, 2, 1, -3, -2, -1, -1, -3), -2),
        "leaning_step": ((1.6, 2.4, 3.5, 5, 7.8, 12, 19, 30, 50), (7, 7, 3, 2, 6, 7, 0, -5, -7, -19), -2),
    }
)

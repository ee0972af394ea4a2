"""Chips with magnets on the board, and what a sensor or a switch below a square feels of them.

It knows fields, not rules: a chip may lie askew, upside down, on another, and a magnet that is no chip.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

REMANENCE_MT = 1200.0  # of N35
FACE_MM = 4.0  # from a chip's magnet to the sensor, the chip either way up
CHIP_MM = 3.0  # how thick a chip is
PITCH_MM = 30.0  # from square to square
SIZE = 6


@dataclass(frozen=True, slots=True)
class Disc:
    """A disc magnet, magnetised through its thickness."""

    radius_mm: float
    thickness_mm: float

    def field_mt(self, face_mm: float, aside_mm: float) -> float:
        """The field along its axis, so far below its face and so far from its axis.

        On the axis that of a cylinder; aside it falls off as that of a dipole in its middle.
        """
        far, near = face_mm + self.thickness_mm, face_mm
        radius = self.radius_mm
        on_axis = REMANENCE_MT / 2 * (far / sqrt(radius**2 + far**2) - near / sqrt(radius**2 + near**2))
        depth = face_mm + self.thickness_mm / 2
        squared = depth**2 + aside_mm**2
        return on_axis * (depth**2 - aside_mm**2 / 2) * depth**3 / (squared**2 * sqrt(squared))


DISCS = {"green": Disc(1.5, 1.0), "blue": Disc(2.5, 1.0), "red": Disc(4.0, 1.5)}


@dataclass(frozen=True, slots=True)
class Magnet:
    """``up_mm``: above where a single chip lies; ``aside_mm``: right and down of the middle of its square."""

    disc: Disc
    square: int
    is_turned: bool = False
    up_mm: float = 0.0
    aside_mm: tuple[float, float] = (0.0, 0.0)


class Board:
    """What lies on the board, in no order; what is felt of it is worked out when something was moved."""

    def __init__(self) -> None:
        self.magnets = ()

    @property
    def magnets(self) -> tuple[Magnet, ...]:
        """All that lies there; set it to lay something else."""
        return self._magnets

    @magnets.setter
    def magnets(self, magnets: Iterable[Magnet]) -> None:
        self._magnets = tuple(magnets)
        squares = range(SIZE * SIZE)
        self._fields = [sum(_field_mt(magnet, square) for magnet in self._magnets) for square in squares]
        covered = [0] * SIZE
        for magnet in self._magnets:
            row, column = divmod(magnet.square, SIZE)
            covered[row] |= 1 << column
        self._covered = tuple(covered)

    def place(
        self,
        square: int,
        colour: str,
        *,
        is_turned: bool = False,
        aside_mm: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """A hand puts a chip on ``square``; on top where there is one."""
        up_mm = CHIP_MM * sum(magnet.square == square for magnet in self.magnets)
        self.magnets = (*self.magnets, Magnet(DISCS[colour], square, is_turned, up_mm, aside_mm))

    def lift(self, square: int) -> None:
        """A hand takes everything off ``square``."""
        self.magnets = tuple(magnet for magnet in self.magnets if magnet.square != square)

    @property
    def chips(self) -> dict[int, str]:
        """The colour on each square that has a chip; of several the one on top."""
        colours = {disc: colour for colour, disc in DISCS.items()}
        lying = sorted(self.magnets, key=lambda magnet: magnet.up_mm)
        return {magnet.square: colours[magnet.disc] for magnet in lying if magnet.disc in colours}

    def field_mt(self, square: int) -> float:
        """The field at the sensor below ``square``, of all magnets on the board."""
        return self._fields[square]

    @property
    def covered(self) -> tuple[int, ...]:
        """The squares whose switches are closed: for each row its columns, as bits."""
        return self._covered


def _field_mt(magnet: Magnet, square: int) -> float:
    (row, column), (own_row, own_column) = divmod(square, SIZE), divmod(magnet.square, SIZE)
    right, down = magnet.aside_mm
    aside = sqrt(((own_column - column) * PITCH_MM + right) ** 2 + ((own_row - row) * PITCH_MM + down) ** 2)
    field = magnet.disc.field_mt(FACE_MM + magnet.up_mm, aside)
    return -field if magnet.is_turned else field

"""What a reader of dice answers: the dice, or the reason why not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why a picture is not answered; the table shows it in words."""

    NO_DICE = "no_dice"  # nothing like a die is in view
    ONE_DIE = "one_die"  # one where two are wanted
    TWO_DICE = "two_dice"  # two where one is wanted
    MORE_THAN_TWO = "more_than_two"  # three or more
    MOVING = "moving"  # smeared by motion
    TOUCHING_AMBIGUOUS = "touching_ambiguous"  # dice so close that the pips fit in two ways
    COCKED = "cocked"  # a die that does not lie flat
    STACKED = "stacked"  # a die upon a die
    ON_RIM = "on_rim"  # a die, or something like it, that is not on the floor of the tray
    OCCLUDED = "occluded"  # something else is in the tray, such as a hand
    LOW_CONTRAST = "low_contrast"  # pips or edges that hardly differ from what is around them
    GLARE = "glare"  # a highlight hides part of a face
    DISAGREE = "disagree"  # two ways to read the face differ, or something on it is unexplained
    CAMERA_MOVED = "camera_moved"  # the tray is not where the calibration saw it
    CAMERA_FAILED = "camera_failed"  # no picture, or not a whole one


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it was read.

    ``centre`` is that of its upper face: in mm from the middle of the tray floor, x along the first side of
    the rig's corners; without a rig in pixels.  ``angle_deg`` is the direction of an edge, modulo 90.
    ``edge`` is the measured edge in the units of ``centre``, ``outline_px`` what it covers in the picture
    (for overlays), and ``confidence`` goes from 0 to 1: how well the face fits the pattern of its value.
    """

    value: int
    centre: tuple[float, float]
    angle_deg: float
    edge: float
    confidence: float
    outline_px: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """The dice, all of them and none in doubt, or the reason why there is no answer.

    With a reason, ``dice`` are those that were made out on the way to it; they are no answer.

    >>> Reading((Die(5, (0, 0), 0, 16, 1), Die(3, (40, 0), 0, 16, 1))).values
    (3, 5)
    """

    dice: tuple[Die, ...] = ()
    reason: Reason | None = None

    @property
    def values(self) -> tuple[int, ...] | None:
        """The values in ascending order; None where there is a reason why not."""
        return None if self.reason else tuple(sorted(die.value for die in self.dice))

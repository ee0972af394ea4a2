"""What the table is to say about play."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CoachAim(StrEnum):
    """What a hint is good for."""

    SCORE = "score"  # the least expected score
    WIN = "win"  # the chance to win, where it is known exactly: a match of one round, a play-off


@dataclass(frozen=True, slots=True)
class Coach:
    """What the table says about play; nothing by default.

    ``hints``: what is best, on *next*.  ``chances``: to win.  ``review``: what a turn gave away.
    """

    hints: bool = False
    chances: bool = False
    review: bool = False
    aim: CoachAim = CoachAim.SCORE

    @property
    def is_silent(self) -> bool:
        """Nothing is to be said."""
        return not (self.hints or self.chances or self.review)

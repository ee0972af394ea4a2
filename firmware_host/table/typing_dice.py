"""Dice typed with three buttons: *roll* the digit up, *back* down, *next* takes it.

Two dice are typed in ascending order, so the second digit runs only from the first
to 6.  The digits begin where the fewest presses are to be expected: 4.0 for two fair dice
(the table of starts is the best for the chances of the lower and the higher die).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

_FIRST_START = {1: 3, 2: 2}  # by number of dice: the lower of two is 2 more often than not
_SECOND_START = {1: 4, 2: 4, 3: 5, 4: 5, 5: 6, 6: 6}  # by the first digit
HIGHEST = 6


@dataclass(frozen=True, slots=True)
class TypedDice:
    """``count``: how many dice.  ``done``: digits taken.  ``digit``: the one that is being chosen."""

    count: int
    digit: int
    done: tuple[int, ...] = ()

    @classmethod
    def begin(cls, count: int) -> TypedDice:
        """Nothing typed yet."""
        return cls(count, _FIRST_START[count])

    @property
    def lowest(self) -> int:
        """The lowest digit that can be chosen now."""
        return self.done[-1] if self.done else 1

    def turn(self, by: int) -> TypedDice:
        """The digit up (1) or down (-1), round at the ends."""
        span = HIGHEST + 1 - self.lowest
        return replace(self, digit=(self.digit - self.lowest + by) % span + self.lowest)

    def take(self) -> tuple[TypedDice, tuple[int, ...]]:
        """The digit counts: what is typed next, or the whole throw (else empty)."""
        done = (*self.done, self.digit)
        if len(done) == 1 and self.count == 2 and self.digit == HIGHEST:
            done = (HIGHEST, HIGHEST)  # nothing is left to choose
        if len(done) == self.count:
            return TypedDice.begin(self.count), done
        return TypedDice(self.count, _SECOND_START[self.digit], done), ()

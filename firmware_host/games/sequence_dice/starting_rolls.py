"""Who starts: everyone rolls, the highest total starts, tied players roll again (004)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StartingRolls:
    """``waiting``: the seats still to roll, in their order; ``rolled``: seat and total of the others."""

    waiting: tuple[int, ...]
    rolled: tuple[tuple[int, int], ...] = ()

    @property
    def first(self) -> int | None:
        """The seat that starts; None: somebody is still to roll."""
        seats = (*self.waiting, *(seat for seat, _ in self.rolled))
        return seats[0] if len(seats) == 1 else None

    def roll(self, seat: int, total: int) -> StartingRolls:
        """After ``seat`` rolled ``total``."""
        waiting = tuple(other for other in self.waiting if other != seat)
        return StartingRolls(waiting, (*self.rolled, (seat, total)))._decided()

    def without(self, seat: int) -> StartingRolls:
        """After ``seat`` went away, or does not roll."""
        waiting = tuple(other for other in self.waiting if other != seat)
        rolled = tuple((other, total) for other, total in self.rolled if other != seat)
        return StartingRolls(waiting, rolled)._decided()

    def _decided(self) -> StartingRolls:
        """Once all have rolled those with the highest total are left; where they tie, to roll again."""
        if self.waiting or not self.rolled:
            return self
        highest = max(total for _, total in self.rolled)
        return StartingRolls(tuple(sorted(seat for seat, total in self.rolled if total == highest)))

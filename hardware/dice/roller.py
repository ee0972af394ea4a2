"""Dice without dice: a button rolls, the system's chance decides."""

from __future__ import annotations

from collections.abc import Callable
from random import SystemRandom

from firmware_host.ports import Chance


class SecureChance:
    """Throws from the system's secure random: unbiased, and nobody can foretell them."""

    def __init__(self) -> None:
        self._random = SystemRandom()

    def throw(self, count: int) -> tuple[int, ...]:
        """``count`` values 1..6; raises ValueError if ``count`` is below 1."""
        if count < 1:
            raise ValueError(f"at least one die is thrown, not {count!r}")
        return tuple(self._random.randint(1, 6) for _ in range(count))


class Roller:
    """A source that answers at once, in the thread that asks."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    @property
    def name(self) -> str:
        """As in ``rolled``'s ``source``."""
        return "roller"

    def want(
        self, count: int, seen: Callable[[tuple[int, ...]], None], refused: Callable[[str], None]
    ) -> None:
        """Throw ``count`` dice and tell ``seen`` before this returns; nothing is ever refused."""
        seen(self._chance.throw(count))

    def watch(self, lost: Callable[[str], None]) -> None:
        """Chance is never lost."""

    def close(self) -> None:
        """Nothing is held."""

"""What the games on the tiles have in common: where a tile lies, and what its switch tells."""

from __future__ import annotations

from firmware_host.games.game import TILES, Layout
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.rules import Rules


class OnTiles:
    """A game whose accepted state holds its ``rules`` and the ``box``."""

    __slots__ = ()

    rules: Rules
    box: Box

    @property
    def device(self) -> str:
        """The tiles' switches."""
        return TILES

    def interpret(self, levels: Layout) -> Layout:
        """A switch tells all there is."""
        return levels

    def unseen(self, levels: Layout) -> frozenset[int]:
        """Every flip is seen."""
        return frozenset()

    @property
    def places(self) -> tuple[int, ...]:
        """Tile ``n`` lies at the sensor's place ``n - 1``."""
        return self.rules.places

    @property
    def layout(self) -> Layout:
        """1 where a tile is open, 0 where it is shut."""
        return self.box.layout

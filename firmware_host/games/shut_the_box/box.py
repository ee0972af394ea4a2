"""The box: which tiles it has and which of them are open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from firmware_host.errors import RuleError
from firmware_host.games.shut_the_box import notation


def tiles_to_mask(tiles: Iterable[int]) -> int:
    """Bit ``tile - 1`` set for each tile."""
    mask = 0
    for tile in tiles:
        mask |= 1 << (tile - 1)
    return mask


@dataclass(frozen=True, slots=True)
class Box:
    """An immutable box.

    ``tiles``: its numbers, ascending, each 1..12.  ``mask``: bit ``n - 1`` is set
    while tile ``n`` is open.
    """

    tiles: tuple[int, ...]
    mask: int

    @classmethod
    def full(cls, tiles: tuple[int, ...]) -> Box:
        """A box with all of ``tiles`` open."""
        return cls(tiles, tiles_to_mask(tiles))

    @classmethod
    def parse(cls, text: str, tiles: tuple[int, ...] = tuple(range(1, 10))) -> Box:
        """A box from its text; RuleError if it does not fit ``tiles``.

        >>> Box.parse("12-45-7--").open_tiles
        (1, 2, 4, 5, 7)
        """
        return cls(tiles, tiles_to_mask(notation.parse_box(text, tiles)))

    @property
    def text(self) -> str:
        """One character a tile; :meth:`parse` reads it back."""
        return notation.format_box(self.tiles, self.open_tiles)

    @property
    def open_tiles(self) -> tuple[int, ...]:
        """The open tiles, ascending."""
        return tuple(tile for tile in self.tiles if self.mask >> (tile - 1) & 1)

    @property
    def shut_tiles(self) -> tuple[int, ...]:
        """The shut tiles, ascending."""
        return tuple(tile for tile in self.tiles if not self.mask >> (tile - 1) & 1)

    @classmethod
    def of(cls, tiles: tuple[int, ...], layout: tuple[int, ...]) -> Box:
        """The box that lies as ``layout``: by tile, 1 open, 0 shut."""
        return cls(tiles, tiles_to_mask(tile for tile, is_open in zip(tiles, layout, strict=True) if is_open))

    @property
    def layout(self) -> tuple[int, ...]:
        """1 where a tile is open, 0 where it is shut; :meth:`of` reads it back."""
        return _layout(self.tiles, self.mask)

    @property
    def mirror(self) -> Box:
        """The box with every tile the other way."""
        return Box(self.tiles, self.mask ^ tiles_to_mask(self.tiles))

    @property
    def is_full(self) -> bool:
        """All tiles are open."""
        return self.mask == tiles_to_mask(self.tiles)

    @property
    def is_shut(self) -> bool:
        """No tile is open."""
        return self.mask == 0

    def shut(self, tiles: Iterable[int]) -> Box:
        """The box after ``tiles`` went down; RuleError if one of them is not open."""
        down = tiles_to_mask(tiles)
        if down & ~self.mask:
            raise RuleError(f"not all of {tuple(tiles)!r} are open in {self.text}")
        return Box(self.tiles, self.mask & ~down)


@lru_cache(maxsize=4096)  # every box of twelve tiles; asked for at every edge
def _layout(tiles: tuple[int, ...], mask: int) -> tuple[int, ...]:
    return tuple(mask >> (tile - 1) & 1 for tile in tiles)

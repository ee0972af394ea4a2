"""The box and its OLED as text, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Set

WIDTH, HEIGHT = 128, 64  # pixels of the panel
_ROW_BYTES = WIDTH // 8
# Bit of each dot of a braille character, by (row, column): Unicode block 2800.
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


def draw_panel(pixels: bytes) -> str:
    """128 x 64 pixels (64 rows of 16 bytes, MSB left) in 64 x 16 braille characters, framed."""
    edge = "─" * (WIDTH // 2)
    rows = ("│" + "".join(_cell(pixels, x, y) for x in range(0, WIDTH, 2)) + "│" for y in range(0, HEIGHT, 4))
    return "\n".join((f"┌{edge}┐", *rows, f"└{edge}┘"))


def _cell(pixels: bytes, x: int, y: int) -> str:
    dots = 0
    for row, bits in enumerate(_DOTS):
        for column, bit in enumerate(bits):
            at = x + column
            if pixels[(y + row) * _ROW_BYTES + at // 8] >> (7 - at % 8) & 1:
                dots |= bit
    return chr(0x2800 + dots)


def draw_tiles(tiles: Iterable[int], open_tiles: Set[int]) -> str:
    """The tiles as they lie: open ones stand up with their number, shut ones lie flat.

    >>> print(draw_tiles((1, 2, 10), {1, 10}))
     ┌────┐      ┌────┐
     │  1 │      │ 10 │
     └────┘ ▁▁▁▁ └────┘
    """
    rows = ["", "", ""]
    for tile in tiles:
        is_open = tile in open_tiles
        cells = ("┌────┐", f"│ {tile:2} │", "└────┘") if is_open else (" " * 4, " " * 4, "▁▁▁▁")
        rows = [f"{row} {cell}" for row, cell in zip(rows, cells, strict=True)]
    return "\n".join(rows)

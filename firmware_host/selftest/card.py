"""Pictures for the panel while it is tried: what to do, and the test card."""

from __future__ import annotations

from PIL import Image, ImageDraw

from firmware_host.screens.fonts import LARGE_FIRST, Font, typeset
from firmware_host.screens.layout import HEIGHT, WIDTH


def prompt(*lines: str) -> Image.Image:
    """``lines`` one below the other, each as large as fits; mode "1", 128 x 64."""
    image = Image.new("1", (WIDTH, HEIGHT))
    share = HEIGHT // len(lines)
    for i, line in enumerate(lines):
        fitting = (f for f in LARGE_FIRST if f.height <= share and len(line) <= f.columns(WIDTH))
        font = next(fitting, Font.TINY)
        words = typeset(line[: font.columns(WIDTH)], font)
        image.paste(words, ((WIDTH - words.width) // 2, i * share + (share - font.height) // 2))
    return image


def edge_card() -> Image.Image:
    """A frame of one pixel on all four edges, and a diagonal that shows rows out of order.

    A panel driven as another kind shifts it (an SH1106 has 132 columns, the glass
    begins at the third), or tears it: then an edge is missing or the diagonal is broken.
    """
    image = Image.new("1", (WIDTH, HEIGHT))
    pen = ImageDraw.Draw(image)
    pen.line((0, 0, WIDTH - 1, HEIGHT - 1), fill=1)
    pen.rectangle((0, 0, WIDTH - 1, HEIGHT - 1), outline=1)
    for i, line in enumerate(("frame whole on", "all 4 edges?", "yes: next", "no: back")):
        words = typeset(line, Font.SMALL)
        image.paste(words, ((WIDTH - words.width) // 2, 6 + 13 * i))
    return image

"""The panel as a picture."""

from __future__ import annotations

from PIL import Image

from firmware_host.screens.layout import HEIGHT, WIDTH
from firmware_host.screens.scenes import lay_out
from firmware_host.screens.sprites import sprite
from firmware_host.table.view import View


def draw(view: View) -> Image.Image:
    """``view`` as 128 x 64 pixels, mode "1", white on black; a new picture each time."""
    image = Image.new("1", (WIDTH, HEIGHT))
    for row in lay_out(view):
        for placed in row:
            image.paste(sprite(placed.thing), (placed.x, placed.y))
    return image

"""A picture of the simulated box in play: the wooden box, its tiles and dice, the OLED pixel for pixel."""

from __future__ import annotations

from PIL import Image, ImageDraw, ImageFont

from sim.world import World

SIZE = (960, 600)
TABLE, WOOD, DARK_WOOD, FELT = "#2b2f33", "#b9854f", "#7d5530", "#2f5d46"
IVORY, INK, GLOW = "#f3ead6", "#3a2a1a", "#bfe6ff"
OLED_SCALE = 3
PIPS = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}  # cells of a 3 x 3 grid


def draw_box(world: World) -> Image.Image:
    """The box from above, with the roller's last throw in the tray."""
    image = Image.new("RGB", SIZE, TABLE)
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((30, 30, 930, 570), 18, fill=WOOD, outline=DARK_WOOD, width=10)
    pen.rounded_rectangle((60, 190, 500, 540), 10, fill=FELT, outline=DARK_WOOD, width=6)
    _draw_tiles(pen, world)
    for i, die in enumerate(world.chance.thrown):
        _draw_die(pen, 150 + 150 * i, 300 + 60 * (i % 2), die)
    _draw_oled(image, pen, world.panel.pixels())
    for i, label in enumerate(("roll", "next", "back")):
        x = 560 + 130 * i
        pen.ellipse((x, 440, x + 70, 510), fill="#a33b2e", outline=DARK_WOOD, width=5)
        pen.text((x + 35, 528), label, fill=INK, font=_font(22), anchor="mm")
    return image


def _draw_tiles(pen: ImageDraw.ImageDraw, world: World) -> None:
    width = 860 / len(world.tiles)
    for i, tile in enumerate(world.tiles):
        left, right = 50 + i * width + 5, 50 + (i + 1) * width - 5
        if tile in world.open_tiles:
            pen.rounded_rectangle((left, 50, right, 165), 8, fill=IVORY, outline=DARK_WOOD, width=3)
            pen.text(((left + right) / 2, 108), str(tile), fill=INK, font=_font(54), anchor="mm")
        else:
            pen.rounded_rectangle((left, 140, right, 165), 6, fill=DARK_WOOD)


def _draw_die(pen: ImageDraw.ImageDraw, x: int, y: int, die: int) -> None:
    pen.rounded_rectangle((x, y, x + 90, y + 90), 16, fill=IVORY, outline=INK, width=2)
    for cell in PIPS[die]:
        row, column = divmod(int(cell), 3)
        px, py = x + 22 + 23 * column, y + 22 + 23 * row
        pen.ellipse((px - 9, py - 9, px + 9, py + 9), fill=INK)


def _draw_oled(image: Image.Image, pen: ImageDraw.ImageDraw, panel: bytes) -> None:
    pixels = Image.frombytes("1", (128, 64), panel).resize((128 * OLED_SCALE, 64 * OLED_SCALE))
    left, top = 524, 205
    pen.rounded_rectangle(
        (left - 12, top - 12, left + 128 * OLED_SCALE - 4, top + 64 * OLED_SCALE + 12), 8, fill="#101418"
    )
    image.paste(Image.new("RGB", pixels.size, GLOW), (left - 8, top), pixels)


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)

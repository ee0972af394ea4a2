"""The small pictures a panel is put together from, each drawn once."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from firmware_host.screens.fonts import Font, typeset
from firmware_host.screens.layout import Chips, Code, Die, Option, Text, Thing, Tile

# Where the pips lie, in steps from the middle.
_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    0: (),
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_FLAT = 2  # height of a shut tile, pixels
FRAME = 3  # around a die that is being typed: two pixels of white, one of black


@lru_cache(maxsize=512)
def sprite(thing: Thing) -> Image.Image:
    """The picture of ``thing``, white on black.  Kept: paste it, never draw on it."""
    match thing:
        case Text():
            return typeset(thing.words, thing.font, is_inverse=thing.is_inverse)
        case Die():
            return _die(thing)
        case Tile():
            return _tile(thing)
        case Option():
            return _option(thing)
        case Code():
            return _code(thing)
        case Chips():
            return _chips(thing)


def _die(die: Die) -> Image.Image:
    """White with black pips; yet to be thrown: an outline."""
    last = die.edge - 1
    image = Image.new("1", (die.edge, die.edge))
    pen = ImageDraw.Draw(image)
    if die.is_chosen:
        pen.rounded_rectangle((0, 0, last, last), radius=die.edge // 5, outline=1, width=FRAME - 1)
        image.paste(_die(Die(die.pips, die.edge - 2 * FRAME)), (FRAME, FRAME))
        return image
    is_thrown = die.pips > 0
    pen.rounded_rectangle((0, 0, last, last), radius=die.edge // 5, fill=is_thrown, outline=1)
    pip = _pip_diameter(die.edge)
    middle, step = (die.edge - pip) // 2, round(die.edge * 0.28)
    for across, down in _PIPS[die.pips]:
        x, y = middle + across * step, middle + down * step
        pen.rounded_rectangle((x, y, x + pip - 1, y + pip - 1), radius=pip // 3, fill=0)
    return image


def _pip_diameter(edge: int) -> int:
    """About a fifth of the edge, and as even or odd as it, so that the middle is in the middle."""
    return edge % 2 + 2 * round((edge / 5 - edge % 2) / 2)


def _tile(tile: Tile) -> Image.Image:
    """Open: a block with its number, an outline where no sensor tells; shut: it lies flat."""
    image = Image.new("1", (tile.width, tile.height))
    pen = ImageDraw.Draw(image)
    right, bottom = tile.width - 1, tile.height - 1
    if tile.is_open:
        pen.rounded_rectangle((0, 0, right, bottom), radius=2, fill=not tile.is_blind, outline=1)
        number = _ink(str(tile.number), tile.font)
        corner = ((tile.width - number.width) // 2, (tile.height - number.height) // 2)
        pen.bitmap(corner, number, fill=1 if tile.is_blind else 0)
        return image
    pen.rectangle((0, bottom - _FLAT + 1, right, bottom), fill=1)
    if tile.is_blind:
        mark = _ink("?", Font.TINY)
        pen.bitmap(((tile.width - mark.width) // 2, bottom - _FLAT - 1 - mark.height), mark, fill=1)
    return image


def _option(option: Option) -> Image.Image:
    image = Image.new("1", (option.width, option.height), option.is_selected)
    label = typeset(option.label, option.font)
    corner = (option.indent, (option.height - label.height) // 2)
    ImageDraw.Draw(image).bitmap(corner, label, fill=not option.is_selected)
    return image


def _code(code: Code) -> Image.Image:
    """Dark modules in the middle of a lit square: what is lit around them is their quiet zone."""
    image = Image.new("1", (code.edge, code.edge), 1)
    pen = ImageDraw.Draw(image)
    margin = (code.edge - code.scale * len(code.rows)) // 2
    for row, modules in enumerate(code.rows):
        for column, module in enumerate(modules):
            if module == "1":
                x, y = margin + column * code.scale, margin + row * code.scale
                pen.rectangle((x, y, x + code.scale - 1, y + code.scale - 1), fill=0)
    return image


def _chips(board: Chips) -> Image.Image:
    """A disc is green, a ring is blue, a cross is red; a dot is empty, a dash without a sensor."""
    image = Image.new("1", (board.edge, board.edge))
    pen = ImageDraw.Draw(image)
    step = (board.edge - 1) // 6
    for square, level in enumerate(board.squares):
        x, y = square % 6 * step, square // 6 * step
        left, top, right, bottom = x + 2, y + 2, x + step - 2, y + step - 2
        match level:
            case 0:
                middle = (x + step // 2, y + step // 2)
                reach = 2 if square in board.blind else 0
                pen.line((middle[0] - reach, middle[1], middle[0] + reach, middle[1]), fill=1)
            case 1:
                pen.ellipse((left, top, right, bottom), fill=1)
            case 2:
                pen.ellipse((left, top, right, bottom), outline=1)
            case 3:
                pen.line((left, top, right, bottom), fill=1)
                pen.line((left, bottom, right, top), fill=1)
            case _:
                mark = _ink("?", Font.TINY)
                pen.bitmap((x + (step - mark.width) // 2 + 1, y + (step - mark.height) // 2), mark, fill=1)
        if square in board.framed:
            pen.rectangle((x, y, x + step, y + step), outline=1)
    return image


def _ink(words: str, font: Font) -> Image.Image:
    """``words`` without any margin."""
    image = typeset(words, font)
    return image.crop(image.getbbox())

"""The panel's type: seven sizes of bitmap fonts, loaded when first used."""

from __future__ import annotations

import gzip
import io
import unicodedata
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FOLDER = Path(__file__).parent / "fonts"
_NOWHERE = "\U0010fffe"  # a code point no font has: drawn as the font's sign for "missing"


class Font(Enum):
    """A size of type: file, cell width, cell height and baseline, in pixels."""

    TINY = ("5x8.pcf.gz", 5, 8, 7)  # remarks; one page high
    SMALL = ("ter-u12b_unicode.pcf.gz", 6, 12, 10)
    MEDIUM = ("ter-u16b_unicode.pcf.gz", 8, 16, 12)  # names; two pages
    LARGE = ("ter-u20b_unicode.pcf.gz", 10, 20, 16)
    BIG = ("ter-u24b_unicode.pcf.gz", 12, 24, 19)  # three pages
    GREAT = ("ter-u28b_unicode.pcf.gz", 14, 28, 22)
    HUGE = ("ter-u32b_unicode.pcf.gz", 16, 32, 26)  # what to do now; four pages

    def __init__(self, file: str, width: int, height: int, baseline: int) -> None:
        self.file, self.width, self.height, self.baseline = file, width, height, baseline

    def columns(self, width: int) -> int:
        """How many characters fit in ``width`` pixels."""
        return width // self.width


LARGE_FIRST = tuple(reversed(Font))


@cache
def load(font: Font) -> ImageFont.FreeTypeFont:
    """The font's file, opened once.

    It is unpacked here: FreeType would do it too, but anew for each glyph it steps back to.
    """
    unpacked = io.BytesIO(gzip.decompress((FOLDER / font.file).read_bytes()))
    return ImageFont.truetype(unpacked, font.height, layout_engine=ImageFont.Layout.BASIC)


def typeset(words: str, font: Font, *, is_inverse: bool = False) -> Image.Image:
    """``words`` in white on black, cell by cell: ``len(words) * font.width`` wide.

    ``is_inverse``: black on white, with a column of white before it.
    """
    width = len(words) * font.width + is_inverse
    image = Image.new("1", (max(1, width), font.height), is_inverse)
    ImageDraw.Draw(image).text((int(is_inverse), 0), words, fill=not is_inverse, font=load(font))
    return image


def can_draw(words: str, font: Font) -> bool:
    """Whether ``font`` has a sign for each character and they read from left to right."""
    face = font if font is Font.TINY else Font.SMALL  # all sizes of Terminus have the same signs
    return all(_has(character, face) for character in words)


@lru_cache(maxsize=1024)
def _has(character: str, font: Font) -> bool:
    if character.isascii() or not character.isprintable():
        return character.isprintable()  # asked first: Terminus draws a question mark for what it lacks
    if unicodedata.combining(character) or unicodedata.bidirectional(character) in ("R", "AL"):
        return False
    ink = typeset(character, font)
    return ink.getbbox() is not None and ink.tobytes() != _missing(font)


@cache
def _missing(font: Font) -> bytes:
    return typeset(_NOWHERE, font).tobytes()

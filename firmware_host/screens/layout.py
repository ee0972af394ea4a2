"""What stands where on the panel: one value from which both the picture and the text are made."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.screens.fonts import Font

WIDTH, HEIGHT = 128, 64
_CHIP_SIGNS = ".gbr"  # by what lies there
_FACE_BEFORE_ONE = 0x267F  # U+2680 is the die face of one


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle in pixels; ``right`` and ``bottom`` are the first outside."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column to the right of it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row below it."""
        return self.y + self.height

    def overlaps(self, other: Area) -> bool:
        """Whether a pixel belongs to both."""
        across = self.x < other.right and other.x < self.right
        return across and self.y < other.bottom and other.y < self.bottom

    def contains(self, other: Area) -> bool:
        """Whether ``other`` lies wholly inside."""
        across = self.x <= other.x and other.right <= self.right
        return across and self.y <= other.y and other.bottom <= self.bottom


PANEL = Area(0, 0, WIDTH, HEIGHT)


@dataclass(frozen=True, slots=True)
class Text:
    """Words on one line.  ``is_inverse``: black on white."""

    words: str
    font: Font
    is_inverse: bool = False

    @property
    def width(self) -> int:
        """Pixels; inverse text has a column of white before it."""
        return len(self.words) * self.font.width + self.is_inverse

    @property
    def height(self) -> int:
        """Pixels."""
        return self.font.height


class Square:
    """What is as high as it is wide: ``edge`` pixels."""

    __slots__ = ()

    edge: int

    @property
    def width(self) -> int:
        """Pixels."""
        return self.edge

    @property
    def height(self) -> int:
        """Pixels."""
        return self.edge


@dataclass(frozen=True, slots=True)
class Die(Square):
    """A die's face; ``pips`` 0: yet to be thrown.  ``is_told``: false while it tumbles.

    ``is_chosen``: being typed; a smaller face in a frame.
    """

    pips: int
    edge: int
    is_told: bool = True
    is_chosen: bool = False

    @property
    def words(self) -> str:
        """The face as a character."""
        face = chr(_FACE_BEFORE_ONE + self.pips) if self.pips and self.is_told else ""
        return _bracketed(face) if face and self.is_chosen else face


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile of the box in the game's own book: its number while open, flat when shut."""

    number: int
    is_open: bool
    is_blind: bool
    width: int
    height: int
    font: Font

    @property
    def words(self) -> str:
        """As in a position: the number or ``-``; with ``?`` where no sensor tells."""
        return (str(self.number) if self.is_open else "-") + ("?" if self.is_blind else "")


@dataclass(frozen=True, slots=True)
class Option:
    """Something to choose, or a digit to set, in a cell of its own; selected: black on white.

    ``indent``: pixels before the label.
    """

    label: str
    font: Font
    width: int
    height: int
    indent: int
    is_selected: bool

    @property
    def words(self) -> str:
        """The label, in brackets where it is selected."""
        return _bracketed(self.label) if self.is_selected else self.label


@dataclass(frozen=True, slots=True)
class Code(Square):
    """A QR code on a square of white; ``rows``: 1 is a dark module, each ``scale`` pixels wide."""

    rows: tuple[str, ...]
    edge: int
    scale: int

    @property
    def words(self) -> str:
        """Nothing that a person could read."""
        return ""


@dataclass(frozen=True, slots=True)
class Chips(Square):
    """A board of chips, six squares a row.

    ``squares``: 0 empty, 1 to 3 green, blue, red, else unknown.  ``framed``: squares in a frame.
    ``blind``: squares without a sensor.
    """

    squares: tuple[int, ...]
    framed: frozenset[int]
    blind: frozenset[int]
    edge: int

    @property
    def words(self) -> str:
        """As a position: six rows with ``/``, ``.`` empty, ``g b r`` chips, ``?`` unknown."""
        signs = "".join(_CHIP_SIGNS[level] if 0 <= level <= 3 else "?" for level in self.squares)
        return "/".join(signs[first : first + 6] for first in range(0, len(signs), 6))


Thing = Text | Die | Tile | Option | Code | Chips


@dataclass(frozen=True, slots=True)
class Placed:
    """A thing and its upper left corner."""

    thing: Thing
    x: int
    y: int

    @property
    def area(self) -> Area:
        """The pixels it may use."""
        return Area(self.x, self.y, self.thing.width, self.thing.height)


Row = tuple[Placed, ...]
"""One line of text, from left to right."""

Layout = tuple[Row, ...]
"""A whole panel in reading order; nothing overlaps."""


def _bracketed(words: str) -> str:
    return f"[{words}]"


def text_lines(layout: Layout) -> tuple[str, ...]:
    """The words of each row that has any."""
    rows = (" ".join(placed.thing.words for placed in row if placed.thing.words) for row in layout)
    return tuple(row for row in rows if row)

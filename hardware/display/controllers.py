"""The controllers behind the glass: how each is started, and told where the bytes of a picture go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

from luma.core.device import device
from luma.oled.const import sh1106 as sh1106_const
from luma.oled.device import ssd1306
from PIL import Image

from hardware.display.frame_diff import COLUMNS, HORIZONTAL, PAGED, PAGES, WHOLE, Addressing, Window

SIZE = (COLUMNS, 8 * PAGES)
USUAL_CONTRAST = 0xCF  # what luma starts an SSD1306 with

# SSD1306 rev 1.1, 10.1.4 and 10.1.5: start and end of the window, in horizontal addressing.
_COLUMNADDR = 0x21
_PAGEADDR = 0x22
# SH1106 V2.3, commands 1, 2, 11 and 12: 132 columns, of which the usual glass shows those from 2 on.
_LOW_COLUMN, _HIGH_COLUMN, _PAGE = 0x00, 0x10, 0xB0
_FIRST_COLUMN = 2
_DC_DC = 0xAD

# Tiles may be on the same bus, and wait while it carries a piece: no longer than for a page.
_CHUNK = COLUMNS


class Interface(Protocol):
    """How luma reaches a panel: I2C of its own, or :class:`hardware.spi.SpiInterface`."""

    def command(self, *cmd: int) -> None:
        """Send bytes as commands."""

    def data(self, data: Sequence[int]) -> None:
        """Send bytes for the panel's memory."""

    def cleanup(self) -> None:
        """Let go of the bus."""


class Panel(Protocol):
    """A started panel; every call raises what luma and the bus raise."""

    addressing: Addressing

    def __init__(self, serial_interface: Interface) -> None: ...

    def restate(self) -> None:
        """The settings of the start once more, without its switching off: nothing blinks."""

    def send(self, frame: bytes, windows: Iterable[Window]) -> None:
        """Send ``windows`` of ``frame``."""

    def contrast(self, level: int) -> None:
        """0..255."""

    def show(self) -> None:
        """On."""

    def hide(self) -> None:
        """Off; its memory stays."""

    def clear(self) -> None:
        """Nothing lit."""


class _NoExitHook(device):  # type: ignore[misc]
    """Takes the place of luma's base class, which would hold and blank every panel at exit.

    luma cannot be told otherwise, and a panel that is tried again every few
    seconds would pile up hooks, each with 300 kB of luma's tables.
    """

    def __init__(self, const: Any = None, serial_interface: Any = None) -> None:
        self._const = const
        self._serial_interface = serial_interface

    def display(self, image: Image.Image) -> None:
        """Send all of ``image``; luma does so to blank the panel before it turns it on."""
        self.send(page_order(image), (WHOLE,))


class Ssd1306Panel(ssd1306, _NoExitHook):  # type: ignore[misc]
    """luma's SSD1306: its start-up sequence and commands, with a faster way for pictures.

    The SSD1309 takes the same, and has no charge pump to turn on.
    """

    addressing = HORIZONTAL

    def display(self, image: Image.Image) -> None:
        """Not luma's way."""
        _NoExitHook.display(self, image)

    def restate(self) -> None:
        """luma's start-up once more, without its switching off."""
        set_to = self._const
        self.command(
            set_to.SETDISPLAYCLOCKDIV, 0x80, set_to.SETMULTIPLEX, 0x3F, set_to.SETDISPLAYOFFSET, 0x00,
            set_to.SETSTARTLINE, set_to.CHARGEPUMP, 0x14, set_to.MEMORYMODE, 0x00, set_to.SETSEGMENTREMAP,
            set_to.COMSCANDEC, set_to.SETCOMPINS, 0x12, set_to.SETPRECHARGE, 0xF1, set_to.SETVCOMDETECT, 0x40,
            set_to.DISPLAYALLON_RESUME, set_to.NORMALDISPLAY,
        )  # fmt: skip

    def send(self, frame: bytes, windows: Iterable[Window]) -> None:
        """Send ``windows`` of ``frame``."""
        for window in windows:
            self.command(
                _COLUMNADDR, window.first_column, window.last_column,
                _PAGEADDR, window.first_page, window.last_page,
            )  # fmt: skip
            data = window.data(frame)
            for start in range(0, len(data), _CHUNK):
                self.data(data[start : start + _CHUNK])


class Sh1106Panel(_NoExitHook):
    """An SH1106, started by its data sheet: luma's sequence has commands that only an SSD1306 knows."""

    addressing = PAGED

    def __init__(self, serial_interface: Interface) -> None:
        super().__init__(sh1106_const, serial_interface)
        self.capabilities(*SIZE, rotate=0)
        self.command(self._const.DISPLAYOFF)
        self.restate()
        self.contrast(USUAL_CONTRAST)
        self.clear()
        self.show()

    def restate(self) -> None:
        """The settings of the start, without switching off."""
        set_to = self._const
        self.command(
            set_to.SETDISPLAYCLOCKDIV, 0x80, set_to.SETMULTIPLEX, 0x3F, set_to.SETDISPLAYOFFSET, 0x00,
            set_to.SETSTARTLINE, _DC_DC, 0x8B, set_to.SETSEGMENTREMAP, set_to.COMSCANDEC,
            set_to.SETCOMPINS, 0x12, set_to.SETPRECHARGE, 0x22, set_to.SETVCOMDETECT, 0x35,
            set_to.DISPLAYALLON_RESUME, set_to.NORMALDISPLAY,
        )  # fmt: skip

    def send(self, frame: bytes, windows: Iterable[Window]) -> None:
        """Send ``windows`` of ``frame``, page by page."""
        for window in windows:
            column = window.first_column + _FIRST_COLUMN
            for page in range(window.first_page, window.last_page + 1):
                self.command(_PAGE | page, _LOW_COLUMN | column & 0x0F, _HIGH_COLUMN | column >> 4)
                self.data(Window(page, page, window.first_column, window.last_column).data(frame))


CONTROLLERS: Mapping[str, type[Panel]] = MappingProxyType(
    {"ssd1306": Ssd1306Panel, "ssd1309": Ssd1306Panel, "sh1106": Sh1106Panel}
)
"""By the name that the config gives them."""


def page_order(image: Image.Image) -> bytes:
    """``image`` (mode "1", 128 x 64) as 1,024 bytes in the panel's order, see ``frame_diff``.

    Transposed, a row is a column from top to bottom; packed with the lowest bit
    first, its 8 bytes are that column's share of the 8 pages.
    """
    columns = image.transpose(Image.Transpose.TRANSPOSE).tobytes("raw", "1;R")
    return b"".join(columns[page::PAGES] for page in range(PAGES))

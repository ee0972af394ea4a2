"""The OLED: a 128 x 64 SSD1306 on I2C, driven by luma and sent only what changed.

luma sends the whole frame each time (1,096 bytes, 99 ms at 100 kHz); here the
picture is compared with what the panel holds (see ``frame_diff``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from luma.core.device import device
from luma.core.error import Error as LumaError
from luma.core.interface.serial import i2c
from luma.oled.device import ssd1306
from PIL import Image

from firmware_host.errors import DeviceLostError, DeviceNotFoundError
from hardware.display.frame_diff import COLUMNS, PAGES, WHOLE, Window, plan

SIZE = (COLUMNS, 8 * PAGES)

# SSD1306 rev 1.1, 10.1.4 and 10.1.5: start and end of the window, in horizontal addressing.
_USUAL_CONTRAST = 0xCF  # what luma starts with
_COLUMNADDR = 0x21
_PAGEADDR = 0x22


class _NoExitHook(device):  # type: ignore[misc]
    """Takes the place of luma's base class, which would hold and blank every panel at exit.

    luma cannot be told otherwise, and a panel that is tried again every few
    seconds would pile up hooks, each with 300 kB of luma's tables.
    """

    def __init__(self, const: Any = None, serial_interface: Any = None) -> None:
        self._const = const
        self._serial_interface = serial_interface


class _Panel(ssd1306, _NoExitHook):  # type: ignore[misc]
    """luma's SSD1306: its start-up sequence and commands, with a faster way for pictures."""

    def display(self, image: Image.Image) -> None:
        """Send all of ``image``; luma does so to blank the panel before it turns it on."""
        self.send(page_order(image), (WHOLE,))

    def restate(self) -> None:
        """The settings of luma's start-up once more, without its switching off: nothing blinks."""
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
            self.data(window.data(frame))


class Oled:
    """A panel that shows pictures until it is closed or lost.

    It takes over ``serial``, and releases it when it is closed or not found.
    Any failure later is a DeviceLostError; from then on the object is dead and
    only ``close`` does anything.  A new one starts the panel from nothing.
    Equal pictures send nothing, so they do not find out that the panel is gone; ``refresh`` does.
    """

    def __init__(self, serial: i2c) -> None:
        """Start the panel: blank, on, at luma's usual contrast (0xCF).

        Raises DeviceNotFoundError if it does not answer all through the start.
        """
        self._serial = serial
        self._frame: bytes | None = None
        self._level = _USUAL_CONTRAST
        self._is_dead = False
        try:
            self._panel = _Panel(serial_interface=serial)
        except (LumaError, OSError) as error:
            serial.cleanup()
            raise DeviceNotFoundError(f"OLED: {error}") from error

    def show(self, image: Image.Image) -> None:
        """Show ``image``: mode "1", 128 x 64.  The first one is sent whole."""
        if image.mode != "1" or image.size != SIZE:
            raise ValueError(f"the OLED shows mode '1' at {SIZE}, not {image.mode!r} at {image.size}")
        frame = page_order(image)
        with self._bus():
            self._panel.send(frame, plan(self._frame, frame))
        self._frame = frame

    def dim(self, level: int) -> None:
        """Set the contrast, 0..255.  Even 0 is not dark."""
        if not 0 <= level <= 255:
            raise ValueError(f"contrast must be 0..255, not {level!r}")
        with self._bus():
            self._panel.contrast(level)
        self._level = level

    def refresh(self) -> None:
        """State all anew: a panel that was without power for a moment has forgotten it and says nothing.

        Sent to a panel that is on and shows a picture, it changes nothing that is seen.
        """
        if self._frame is None:
            return
        with self._bus():
            self._panel.restate()
            self._panel.contrast(self._level)
            self._panel.send(self._frame, (WHOLE,))
            self._panel.show()

    def power(self, on: bool) -> None:
        """Wake the panel or put it to sleep; it keeps its picture and takes new ones meanwhile."""
        with self._bus():
            if on:
                self._panel.show()
            else:
                self._panel.hide()

    def close(self, blank: bool) -> None:
        """Release the bus; leave the panel dark if ``blank``, else with its last picture."""
        try:
            if blank and not self._is_dead:
                with self._bus():
                    self._panel.hide()
                    self._panel.clear()
        finally:
            self._is_dead = True
            self._serial.cleanup()

    @contextmanager
    def _bus(self) -> Iterator[None]:
        """Turn whatever luma and the bus raise into a DeviceLostError, for good."""
        if self._is_dead:
            raise DeviceLostError("OLED: closed or lost before")
        try:
            yield
        except (LumaError, OSError) as error:  # luma wraps what commands raise, not what data raises
            self._is_dead = True
            raise DeviceLostError(f"OLED: {error}") from error


def page_order(image: Image.Image) -> bytes:
    """``image`` (mode "1", 128 x 64) as 1,024 bytes in the panel's order, see ``frame_diff``.

    Transposed, a row is a column from top to bottom; packed with the lowest bit
    first, its 8 bytes are that column's share of the 8 pages.
    """
    columns = image.transpose(Image.Transpose.TRANSPOSE).tobytes("raw", "1;R")
    return b"".join(columns[page::PAGES] for page in range(PAGES))

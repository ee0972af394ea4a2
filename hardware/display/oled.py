"""The OLED: 128 x 64, an SSD1306, SSD1309 or SH1106 on I2C or SPI, by way of luma and sent only what changed.

luma sends the whole frame each time (1,096 bytes, 99 ms at 100 kHz); here the
picture is compared with what the panel holds (see ``frame_diff``).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from luma.core.error import Error as LumaError
from PIL import Image

from firmware_host.errors import DeviceLostError, DeviceNotFoundError
from hardware.display.controllers import (
    CONTROLLERS,
    SIZE,
    USUAL_CONTRAST,
    Interface,
    Panel,
    Ssd1306Panel,
    page_order,
)
from hardware.display.frame_diff import WHOLE, plan

__all__ = ["CONTROLLERS", "Oled", "page_order"]


class Oled:
    """A panel that shows pictures until it is closed or lost.

    It takes over ``serial``, and releases it when it is closed or not found.
    Any failure later is a DeviceLostError; from then on the object is dead and
    only ``close`` does anything.  A new one starts the panel from nothing.
    Equal pictures send nothing, so they do not find out that the panel is gone; ``refresh`` does.
    """

    def __init__(self, serial: Interface, controller: type[Panel] = Ssd1306Panel) -> None:
        """Start the panel: blank, on, at luma's usual contrast (0xCF).

        ``controller``: one of :data:`hardware.display.controllers.CONTROLLERS`.

        Raises DeviceNotFoundError if it does not answer all through the start.
        """
        self._serial = serial
        self._frame: bytes | None = None
        self._level = USUAL_CONTRAST
        self._is_dead = False
        try:
            self._panel = controller(serial)
        except (LumaError, OSError) as error:
            serial.cleanup()
            raise DeviceNotFoundError(f"OLED: {error}") from error

    def show(self, image: Image.Image) -> None:
        """Show ``image``: mode "1", 128 x 64.  The first one is sent whole."""
        if image.mode != "1" or image.size != SIZE:
            raise ValueError(f"the OLED shows mode '1' at {SIZE}, not {image.mode!r} at {image.size}")
        frame = page_order(image)
        with self._bus():
            self._panel.send(frame, plan(self._frame, frame, self._panel.addressing))
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

"""A display's SPI interface in the shape of luma's: the kernel's SPI, and two pins by gpiozero.

luma's own takes its pins through RPi.GPIO, which does not know every Pi.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from firmware_host.errors import DeviceNotFoundError
from hardware.buses import backend_errors

SPEED_HZ = 4_000_000  # a clock of 250 ns: what the slowest of the three, the SH1106, takes at 3.3 V
_BLOCK = 4096  # the kernel's buffer (spidev.bufsiz)
_RESET_S = 0.001  # SSD1306, 8.9: at least 3 us; SH1106: 10 us and as long to come up


class SpiInterface:
    """``dc`` low: commands, high: data.  Both pins and ``spi`` belong to this from now on."""

    def __init__(self, spi: Any, dc: Any, reset: Any | None) -> None:
        """Reset the display where its line is wired.  ``spi``: as ``spidev.SpiDev``; the pins: gpiozero's."""
        self._spi, self._dc, self._reset = spi, dc, reset
        if reset is not None:
            reset.off()
            time.sleep(_RESET_S)
            reset.on()
            time.sleep(_RESET_S)

    def command(self, *cmd: int) -> None:
        """Send bytes as commands; OSError."""
        self._send(False, cmd)

    def data(self, data: Sequence[int]) -> None:
        """Send bytes for the display's memory; OSError."""
        self._send(True, data)

    def cleanup(self) -> None:
        """Let go of the bus and of the pins."""
        for device in (self._spi, self._dc, self._reset):
            if device is not None:
                with suppress(*backend_errors()):
                    device.close()

    def _send(self, is_data: bool, values: Sequence[int]) -> None:
        try:
            self._dc.value = is_data
            for start in range(0, len(values), _BLOCK):
                self._spi.writebytes(list(values[start : start + _BLOCK]))
        except backend_errors() as error:
            raise OSError(str(error)) from error


def open_spi(factory: Any, bus: int, device: int, dc: int, reset: int | None) -> SpiInterface:
    """The display at /dev/spidev``bus``.``device``; DeviceNotFoundError, with what mends it."""
    from gpiozero import OutputDevice

    name = f"/dev/spidev{bus}.{device}"
    try:
        import spidev
    except ModuleNotFoundError as error:
        mend = "apt install python3-spidev or pip install 'boxkeeper[spi]'"
        raise DeviceNotFoundError(f"spidev is not installed: {mend}") from error
    spi, pins = spidev.SpiDev(), list[Any]()
    try:
        spi.open(bus, device)
        spi.max_speed_hz = SPEED_HZ
        pins += [OutputDevice(bcm, pin_factory=factory) for bcm in (dc, reset) if bcm is not None]
    except FileNotFoundError as error:
        mend = "enable SPI (sudo raspi-config nonint do_spi 0) and restart, or set display.bus"
        raise DeviceNotFoundError(f"there is no {name}: {mend}") from error
    except PermissionError as error:
        mend = "add the user to the group spi and log in again"
        raise DeviceNotFoundError(f"no permission for {name}: {mend}") from error
    except backend_errors() as error:
        spi.close()
        for pin in pins:
            pin.close()
        raise DeviceNotFoundError(f"the display's pins BCM {dc} and {reset}: {error}") from error
    return SpiInterface(spi, pins[0], pins[1] if reset is not None else None)

"""A passive buzzer on a pin of the Pi: a square wave by the pin backend's PWM."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from firmware_host.errors import DeviceBusyError, DeviceLostError, DeviceNotFoundError
from hardware.buses import backend_errors

if TYPE_CHECKING:
    from gpiozero import Factory

_DUTIES = {"low": 0.02, "high": 0.5}  # of a period: a square wave is loudest at a half


class GpioBuzzer:
    """A pin that is low while it is quiet."""

    def __init__(self, factory: Factory, bcm: int, volume: Literal["low", "high"]) -> None:
        """Raises DeviceBusyError or DeviceNotFoundError, which name the pin."""
        from gpiozero import GPIOPinInUse, PWMOutputDevice

        self._duty, self._name = _DUTIES[volume], f"the buzzer on BCM {bcm}"
        try:
            self._pin = PWMOutputDevice(bcm, frequency=1000, pin_factory=factory)
        except GPIOPinInUse as error:
            raise DeviceBusyError(f"{self._name}: busy, opened before by this program") from error
        except backend_errors() as error:
            is_busy = "busy" in str(error).lower()
            text = f"{self._name}: {error}"
            raise (DeviceBusyError(text) if is_busy else DeviceNotFoundError(text)) from error

    def tone(self, hz: int) -> None:
        """Hum at ``hz``; 0: be quiet; DeviceLostError."""
        try:
            if hz:
                self._pin.frequency = hz
            self._pin.value = self._duty if hz else 0
        except backend_errors() as error:
            raise DeviceLostError(f"{self._name}: {error}") from error

    def close(self) -> None:
        """Be quiet, and let go of the pin."""
        self._pin.close()

"""Switches wired to pins of the Pi: tiles and buttons, read as levels.

gpiozero's classes for inputs keep a state of their own and call back only when
it changes, so that an edge lost once hides the next one as well; and they ask
for edges as they are made, or fail.  Here the pin below them is used: its edges
say "read again", and where there are none the levels are polled.  No backend is
asked to debounce, since each means something else by it; that is done above.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from firmware_host.errors import DeviceBusyError, DeviceLostError, DeviceNotFoundError
from firmware_host.ports import Levels
from hardware.buses import backend_errors, line_holder
from hardware.pinmap import header_pin

if TYPE_CHECKING:
    from gpiozero import Factory, InputDevice

_log = logging.getLogger(__name__)

Pull = Literal["up", "down", "external"]

# With edges, this only heals one that was lost: a second is the most a slip may go unanswered.
POLL_WITH_EDGES_S = 1.0
# Without, ten reads fit into the 100 ms that feel instant.
POLL_WITHOUT_EDGES_S = 0.01

# What backends say when they fail -> what mends it.
_MENDS = {
    "peripheral base address": "RPi.GPIO does not know this board, set tiles.backend to 'lgpio'",
    "No access to /dev/mem": "add the user to the group gpio and log in again",
    "resistor": "this line has a resistor on the board, use another",
}


class GpioLevels:
    """Lines that are held until closed; ``low`` is the level a line at 0 V stands for.

    A tile's switch pulls its line low while the magnet is near: shut, so 0.  A
    pressed button pulls it low as well: down, so 1.
    """

    def __init__(
        self,
        factory: Factory,
        places: Mapping[int, int],
        labels: Sequence[str],
        *,
        pull: Pull,
        low: Literal[0, 1],
    ) -> None:
        """Take the lines ``places`` (index -> BCM number) of as many places as there are ``labels``.

        ``labels`` name the places in messages: "tile 1", "next".  ``pull`` is the
        resistor to switch on; "external": there is one on the wire.  If any line
        cannot be had, none is kept.

        Raises DeviceBusyError if another holds a line, else DeviceNotFoundError;
        the text names the lines, with their header pins.
        """
        self._labels = tuple(labels)
        self._places = dict(places)
        self._low = low
        self._devices: dict[int, InputDevice] = {}
        self._changed: Callable[[], None] | None = None
        self._has_missed = False
        self._is_closed = False
        self._note = ""
        self._open(factory, pull)
        self._pins = tuple((index, device.pin) for index, device in self._devices.items())

    @property
    def poll_s(self) -> float:
        """How long to wait before the next read when no edge comes."""
        return POLL_WITHOUT_EDGES_S if self._note else POLL_WITH_EDGES_S

    @property
    def note(self) -> str:
        """ "polling, because ..." where there are no edges, else empty."""
        return self._note

    def read(self) -> Levels:
        """All levels, straight from the pins; DeviceLostError if one cannot be read."""
        if self._is_closed:
            raise DeviceLostError(f"{self._labels[0]} and the rest: closed before")
        levels: list[int | None] = [None] * len(self._labels)
        for index, pin in self._pins:  # of its own, so that closing meanwhile does no harm
            try:
                levels[index] = 1 - self._low if pin.state else self._low
            except backend_errors() as error:
                raise DeviceLostError(f"{self._name(index)}: {_text(error)}") from error
        return tuple(levels)

    def watch(self, changed: Callable[[], None]) -> None:
        """Call ``changed`` at every edge, in the backend's thread, and now if one came before.

        What ``changed`` raises is logged and goes no further.
        """
        self._changed = changed
        if self._has_missed:
            self._edge(0, 0)

    def close(self) -> None:
        """Let go of the lines; an edge on its way reaches nobody."""
        self._is_closed = True
        self._changed = _nothing
        while self._devices:
            _, device = self._devices.popitem()
            _release(device)

    def _open(self, factory: Factory, pull: Pull) -> None:
        """Take every line; the errors themselves are not kept.

        They would keep the devices that failed, and with those gpiozero's
        reservations of their pins: the next try would find them in use.
        """
        names: dict[str, list[str]] = {}
        is_busy = False
        for index, bcm in self._places.items():
            try:
                self._devices[index] = _input(factory, bcm, pull)
                self._note = self._note or self._ask_for_edges(factory, index, pull)
            except backend_errors() as error:
                is_busy = is_busy or _is_busy(error)
                names.setdefault(_reason(factory, bcm, error), []).append(self._name(index))
        if names:
            self.close()
            text = "; ".join(f"{_some(of_reason)}: {reason}" for reason, of_reason in names.items())
            raise DeviceBusyError(text) if is_busy else DeviceNotFoundError(text)

    def _ask_for_edges(self, factory: Factory, index: int, pull: Pull) -> str:
        """Why there are none, else empty; then the line is taken anew, whatever the try left of it."""
        pin = self._devices[index].pin
        try:
            pin.edges = "both"  # also forgets whom the pin called before it was closed
            pin.when_changed = self._edge  # held weakly
        except backend_errors() as error:
            _release(self._devices.pop(index))
            self._devices[index] = _input(factory, self._places[index], pull)
            return f"polling, because {self._name(index)} gives no edges ({_text(error)})"
        return ""

    def _edge(self, _ticks: Any, _state: Any) -> None:
        if self._changed is None:
            self._has_missed = True
            return
        try:
            self._changed()
        except Exception:  # noqa: BLE001 - one thread serves all lines; lgpio's ends at the first error
            _log.exception("what watches %s and the rest failed at an edge", self._labels[0])

    def _name(self, index: int) -> str:
        bcm = self._places[index]
        pin = header_pin(bcm)
        return f"{self._labels[index]} on BCM {bcm}" + (f" (header pin {pin.number})" if pin else "")


def _input(factory: Factory, bcm: int, pull: Pull) -> InputDevice:
    from gpiozero import InputDevice

    if pull == "external":
        return InputDevice(bcm, pull_up=None, active_state=True, pin_factory=factory)
    return InputDevice(bcm, pull_up=pull == "up", pin_factory=factory)


def _release(device: InputDevice) -> None:
    """Close ``device``, with a step that gpiozero leaves out for lgpio.

    Closing leaves the callback in lgpio's thread, and ``when_changed = None`` makes
    an edge on its way raise in that thread, which ends it: from then on no line of
    this process has edges.  Making the pin an input again takes the callback off,
    and an edge that comes late all the same is taken by ``_late``.
    """
    with suppress(*backend_errors()):
        if device.pin.when_changed is not None:
            device.pin.when_changed = _late
            device.pin.function = "input"
    with suppress(*backend_errors()):
        device.close()


def _late(_ticks: Any, _state: Any) -> None:
    """An edge after closing."""


def _nothing() -> None:
    """Nobody watches any more."""


def _is_busy(error: Exception) -> bool:
    from gpiozero import GPIOPinInUse

    return isinstance(error, GPIOPinInUse) or "busy" in str(error).lower()


def _reason(factory: Factory, bcm: int, error: Exception) -> str:
    """Why a line cannot be had, and the mend where there is one."""
    from gpiozero import GPIOPinInUse

    if isinstance(error, GPIOPinInUse):
        return "busy, opened before by this program"
    if _is_busy(error):
        holder = line_holder(factory, bcm) or "another program or overlay"
        return f"busy, held by {holder}: stop it, or use another pin"
    return _text(error)


def _some(names: Sequence[str]) -> str:
    """The first three, and how many more."""
    rest = len(names) - 3
    return ", ".join(names[:3]) + (f" and {rest} more" if rest > 0 else "")


def _text(error: Exception) -> str:
    """The backend's words (lgpio puts its own into quotes), and the mend where one is known."""
    text = str(error).strip("'")
    return next((f"{text}: {mend}" for words, mend in _MENDS.items() if words in text), text)

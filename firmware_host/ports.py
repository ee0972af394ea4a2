"""What the service asks of the outside world; adapters in ``hardware`` fulfil it.

All calls may block for as long as the bus takes and raise
:class:`~firmware_host.errors.DeviceError` when the device does not do its work.
After such an error the object is dead: it is closed and opened anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PIL import Image

Levels = tuple[int | None, ...]
"""What each place of a sensor reads now; None: no sensor.

A tile 1 open, 0 shut; a button 1 down, 0 up; a square of the chip board 0 empty, 1 to 3 a colour,
4 covered by a chip whose colour is not seen, -1 a field that no chip makes.
"""


class LevelSensor(Protocol):
    """Inputs that are read as levels; an edge is only a reason to read them all again."""

    @property
    def poll_s(self) -> float:
        """How often to read without an edge: seconds with edges, milliseconds where there are none."""

    @property
    def note(self) -> str:
        """What the builder should know ("polling, because ..."); empty when all is well."""

    def read(self) -> Levels:
        """All levels now; tile ``n`` at index ``n - 1``, buttons in the order roll, next, back.

        It may take the bus, so it is asked for in a worker.
        """

    def watch(self, changed: Callable[[], None]) -> None:
        """Call ``changed`` at every edge, from any thread, without work in it."""

    def close(self) -> None:
        """Let go of the lines; quiet when called twice."""


class ChipBoard(LevelSensor, Protocol):
    """The board of Sequence Dice: 36 places, row by row."""

    def measure_rest(self, scans: int) -> tuple[float, ...]:
        """What each square reads in the mean of so many scans, the board being empty.

        Empty where there is nothing to measure.  Raises DeviceError, which names them, where chips lie.
        """


class DiceSource(Protocol):
    """Where rolls come from."""

    @property
    def name(self) -> str:
        """The public name, as in ``rolled``'s ``source``."""

    def want(
        self, count: int, seen: Callable[[tuple[int, ...]], None], refused: Callable[[str], None]
    ) -> None:
        """A throw of ``count`` dice is wanted; ``seen`` gets it, from any thread.

        Where people throw, it comes when it comes: ``refused`` gets the public code of each throw that cannot
        be told, and the wish stays.  ``count`` 0: no throw is wanted any more.
        """

    def watch(self, lost: Callable[[str], None]) -> None:
        """Call ``lost`` with the reason, once and from any thread, when the source no longer works."""

    def close(self) -> None:
        """Stop looking."""


class Display(Protocol):
    """A 1-bit panel of 128 x 64 pixels."""

    def show(self, image: Image.Image) -> None:
        """Put ``image`` (mode "1") on the panel; sends only what changed."""

    def dim(self, level: int) -> None:
        """Contrast 0..255."""

    def refresh(self) -> None:
        """State settings and picture anew, for a panel that lost its power for a moment."""

    def power(self, on: bool) -> None:
        """Panel on or off; its memory stays."""

    def close(self, blank: bool) -> None:
        """Let go of the bus; ``blank``: leave it dark, else the last picture stays."""


class Lamps(Protocol):
    """One lamp a tile."""

    def light(self, tiles: frozenset[int]) -> None:
        """Light exactly the lamps of ``tiles``; said again, it heals a chip that forgot."""

    def close(self) -> None:
        """All dark, then let go."""


class Buzzer(Protocol):
    """Something that hums."""

    def tone(self, hz: int) -> None:
        """Hum at ``hz`` from now on; 0: be quiet."""

    def close(self) -> None:
        """Be quiet, then let go."""


class Chance(Protocol):
    """Where the roller's dice come from: the system's secure random, or a rigged one in tests."""

    def throw(self, count: int) -> tuple[int, ...]:
        """``count`` values 1..6."""


class Backend(Protocol):
    """The bundle of devices of one box, opened one by one so that each may be absent."""

    def open_tiles(self) -> LevelSensor:
        """The tiles' switches, 12 places."""

    def open_buttons(self) -> LevelSensor:
        """The buttons roll, next, back."""

    def open_dice(self) -> DiceSource:
        """The source of rolls that answers at once: the roller."""

    def open_camera(self) -> DiceSource:
        """The camera over the tray; asked for only where the config says that it reads the dice."""

    def open_display(self) -> Display | None:
        """The panel; None where the config says there is none."""

    def open_chips(self) -> ChipBoard:
        """The board of Sequence Dice; asked for only where that is played."""

    def open_lamps(self) -> Lamps:
        """The tiles' lamps; asked for only where the config names a driver."""

    def open_buzzer(self) -> Buzzer:
        """The buzzer; asked for only where the config names a driver."""

    def close(self) -> None:
        """Let go of what the devices shared."""

"""Bytes on the display's bus: counts, the same on every machine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from statistics import fmean

from changes import COMMONEST, FRAME, OTHER, kind
from figures import Figure, Length
from hands import Change, Hands
from luma.core.interface.serial import i2c

from firmware_host.screens.picture import draw
from firmware_host.table.view import View
from hardware.display.oled import Oled
from sim.devices.i2c_bus import I2cBus

PART = "bus"
ADDRESS = 0x3C
MATCHES = 30  # fixed, so that the figures are
WHOLE_FRAME = 1096  # what luma sends for any change: 1,024 bytes, a command, and 2 bytes a block of 32
LIMIT = WHOLE_FRAME // 4


class Sink:
    """A device that takes everything and costs no time: what is measured is our side of the bus."""

    def write(self, payload: bytes) -> None:
        """Take it."""


class Screen:
    """A panel on a bus that counts."""

    def __init__(self) -> None:
        self.bus = I2cBus()
        self.bus.attach(ADDRESS, Sink())
        self.oled = Oled(i2c(bus=self.bus, address=ADDRESS))

    def show(self, view: View) -> int:
        """Draw ``view`` and send what changed; the bytes it took."""
        before = self.bus.bytes_on_bus
        self.oled.show(draw(view))
        return self.bus.bytes_on_bus - before


def count_bytes(matches: int) -> dict[str, list[int]]:
    """The bytes of every change of the screen in so many matches, by its kind."""
    screen = Screen()
    found: dict[str, list[int]] = defaultdict(list)

    def changed(change: Change) -> None:
        found[kind(change.before, change.after)].append(screen.show(change.after))

    hands = Hands(0, changed=changed)
    for _ in range(matches):
        hands.play_match()
    return found


def measure(_length: Length) -> Iterator[Figure]:
    """Each kind's mean over many changes, and the mean of the ten commonest kinds."""
    found = count_bytes(MATCHES)
    for name in COMMONEST:
        yield Figure(PART, f"bus: {name}", fmean(found[name]), "bytes")
    mean = fmean(fmean(found[name]) for name in COMMONEST)
    yield Figure(PART, f"bus: the ten above, mean (a whole frame: {WHOLE_FRAME:,})", mean, "bytes", LIMIT)
    yield Figure(PART, "bus: no change", _no_change(), "bytes", 0)
    yield Figure(PART, f"bus: {FRAME}", fmean(found[FRAME]), "bytes")
    for name in sorted(set(found) - {*COMMONEST, FRAME, OTHER}):
        yield Figure(PART, f"bus: {name}", fmean(found[name]), "bytes")
    every = [count for counts in found.values() for count in counts]
    yield Figure(PART, "bus: all changes as often as they come, mean", fmean(every), "bytes")
    yield Figure(PART, f"bus: the most of all {len(every):,} changes", max(every), "bytes", WHOLE_FRAME)


def _no_change() -> int:
    screen, hands = Screen(), Hands(0)
    hands.play_match()
    screen.show(hands.session.view)
    return screen.show(hands.session.view)

"""Which parts of a picture must go over the bus to turn one frame into another.

A frame is 1,024 bytes in the page order of the SSD1306 and its kin: 8 pages of 128 columns, a
byte a column of 8 pixels with the top one in the lowest bit (SSD1306 rev 1.1,
8.7).  What costs time is bytes on the bus (9 clocks each, 99 ms for a whole
frame at 100 kHz), so a plan is a few windows, cheap in sum, not the fewest pixels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

PAGES = 8
COLUMNS = 128

# SMBus carries at most 32 data bytes a transaction; each adds its address and its control byte.
_BLOCK_DATA = 32
_BLOCK_BYTES = 2


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of a frame, all four edges included: pages 0..7, columns 0..127."""

    first_page: int
    last_page: int
    first_column: int
    last_column: int

    def data(self, frame: bytes) -> bytes:
        """The bytes of ``frame`` in here, as horizontal addressing takes them: page by page."""
        return b"".join(
            frame[page * COLUMNS + self.first_column : page * COLUMNS + self.last_column + 1]
            for page in range(self.first_page, self.last_page + 1)
        )

    @property
    def pages(self) -> int:
        """How many pages it spans."""
        return self.last_page - self.first_page + 1

    @property
    def columns(self) -> int:
        """How many columns it spans."""
        return self.last_column - self.first_column + 1

    @property
    def bus_bytes(self) -> int:
        """What sending this window costs with horizontal addressing."""
        return HORIZONTAL.cost(self)

    def around(self, other: Window) -> Window:
        """The smallest window that holds both."""
        return Window(
            min(self.first_page, other.first_page),
            max(self.last_page, other.last_page),
            min(self.first_column, other.first_column),
            max(self.last_column, other.last_column),
        )


@dataclass(frozen=True, slots=True)
class Addressing:
    """How a controller is told where the bytes go.

    ``command_bytes``: of the transaction that does, its address and control byte included.
    ``is_by_page``: it is needed for every page of a window, else once a window.
    """

    command_bytes: int
    is_by_page: bool

    def cost(self, window: Window) -> int:
        """Bytes on an I2C bus to send ``window``: its commands, its data and their overhead."""
        times = window.pages if self.is_by_page else 1
        return times * (self.command_bytes + _data_cost(window.pages * window.columns // times))

    def runs(self, changed: bytes) -> Iterator[tuple[int, int]]:
        """First and last column of each run of changes in a page, where 0 is no change.

        A gap is closed where that never costs more than a second window: it adds its own length, and at most
        one block more.
        """
        gap = self.command_bytes - _BLOCK_BYTES
        for run in re.finditer(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % gap, changed):
            yield run.start(), run.end() - 1


def _data_cost(count: int) -> int:
    return count + _BLOCK_BYTES * -(-count // _BLOCK_DATA)


# COLUMNADDR and PAGEADDR with two arguments each, in one transaction.
HORIZONTAL = Addressing(command_bytes=8, is_by_page=False)
# The SH1106 knows a page, and the column in two halves.
PAGED = Addressing(command_bytes=5, is_by_page=True)
WHOLE = Window(0, PAGES - 1, 0, COLUMNS - 1)


def plan(old: bytes | None, new: bytes, addressing: Addressing = HORIZONTAL) -> tuple[Window, ...]:
    """The windows of ``new`` to send to a panel that shows ``old``.

    ``None`` is a panel of unknown content and takes the whole frame; equal
    frames take nothing.  Never costs more than the whole frame (1,096 bytes; paged 1,128).
    Windows may overlap, and may be sent in any order.

    >>> plan(bytes(1024), bytes(130) + b"\\xff" + bytes(893))
    (Window(first_page=1, last_page=1, first_column=2, last_column=2),)
    """
    if old is None:
        return (WHOLE,)
    if old == new:
        return ()
    windows = _merged(_runs(old, new, addressing), addressing)
    box = windows[0]
    for window in windows[1:]:
        box = box.around(window)
    return min(((box,), tuple(windows)), key=lambda choice: bus_bytes(choice, addressing))


def bus_bytes(windows: Iterable[Window], addressing: Addressing = HORIZONTAL) -> int:
    """Bytes on an I2C bus, addresses and control bytes included, to send ``windows``."""
    return sum(addressing.cost(window) for window in windows)


def _runs(old: bytes, new: bytes, addressing: Addressing) -> Iterator[Window]:
    """The changed columns of every page, in runs with small gaps closed."""
    for page in range(PAGES):
        columns = slice(page * COLUMNS, (page + 1) * COLUMNS)
        before, after = old[columns], new[columns]
        if before != after:
            changed = int.from_bytes(before) ^ int.from_bytes(after)
            for first, last in addressing.runs(changed.to_bytes(COLUMNS)):
                yield Window(page, page, first, last)


def _merged(runs: Iterable[Window], addressing: Addressing) -> list[Window]:
    """Windows that cover ``runs``: no two of them would be cheaper as one.

    Each run in turn joins the window it saves most with, and what grew so looks
    for the next: a wide digit grows down its pages.  Greedy, so not always the
    least; n runs take n * n steps at the worst.
    """
    windows: list[Window] = []
    for window in runs:
        while (partner := _best_partner(window, windows, addressing)) is not None:
            windows.remove(partner)
            window = window.around(partner)
        windows.append(window)
    return windows


def _best_partner(window: Window, others: list[Window], addressing: Addressing) -> Window | None:
    """The one of ``others`` that saves most when sent together with ``window``, if any does not cost."""
    best, most = None, 0
    cost = addressing.cost
    alone = cost(window)
    for other in others:
        saved = alone + cost(other) - cost(window.around(other))
        if saved >= most:
            best, most = other, saved
    return best

"""Frames in, throws out: one report a throw, none without a throw.

A pure state machine: it is fed frames with their moments, and knows no camera and no clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from math import hypot
from typing import TYPE_CHECKING

from hardware.dice.lookout import Lookout
from hardware.dice.motion import Motion
from hardware.dice.pips import read_dice
from hardware.dice.reading import Die, Reading, Reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardware.dice.rig import Rig

    Image = NDArray[np.uint8]

AGREE_S = 0.3  # two readings so far apart agree: a die that rocks or creeps does not
UNSURE_S = 3.0  # a scene that stays so long without an answer is refused
STIRRING_S = 10.0  # something new that never comes to rest
LOOK_S = 0.14  # between two looks at a scene that is not settled
CALM_S = 1.0  # between two looks at one that is
AWAITED_S, IDLE_S = 1 / 15, 0.5  # between two frames while a throw is awaited, and else
_SAME_EDGES = 0.15  # a die lies where it lay: the centre as far off as readings of one die differ

# What light or a mended camera changes, so that it is worth reading the same dice again.  A cocked die is
# never asked twice: sooner or later noise would give an answer.
_MAY_PASS = (Reason.LOW_CONTRAST, Reason.GLARE, Reason.CAMERA_MOVED)

Reader = Callable[["Image", "Rig", int], Reading]


class State(Enum):
    """Where a throw is."""

    EMPTY = auto()  # nothing in the tray
    MOVING = auto()  # dice, hands, or not known yet
    SETTLING = auto()  # still, with something new in it that is not read yet
    STILL = auto()  # read once; a second reading is to agree
    REPORTED = auto()  # what lies there is known: reported, refused, or there before


@dataclass(slots=True)
class _Still:
    """A still scene: the last reading that gave an answer and when, how many agree with it, the looks that
    gave none, since when it is not known what lies there, and whether that was said.
    """

    last: tuple[Reading, float] | None = None
    agreeing: int = 0
    doubts: Counter[Reason] = field(default_factory=Counter)
    unsure_since: float | None = None
    is_refused: bool = False
    is_blind: bool = False  # the last look saw nothing of the tray


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """A throw that was read, or (``reading.reason``) one that cannot be; and the frame it was read off."""

    reading: Reading
    frame: Image
    at: float


class Watch:
    """Watches one tray.  ``state``: where the present throw is; ``wanted``: dice awaited, 0: none."""

    def __init__(self, rig: Rig, wanted: int = 0, read: Reader = read_dice) -> None:
        self.state, self.wanted = State.MOVING, wanted
        self._rig, self._read = rig, read
        self._motion = Motion(rig)
        self._lookout = Lookout(rig, self._motion)
        self._known_frame: Image | None = None
        self._refused: Image | None = None  # the small picture of what was refused last
        self._seen: tuple[Image, Image] | None = None  # the last still frame, and it small
        self._still: _Still | None = None
        self._stirring_since: float | None = None
        self._looked_at = float("-inf")

    @property
    def interval_s(self) -> float:
        """How soon the next frame is of use."""
        return self.interval_of(self.wanted)

    @staticmethod
    def interval_of(wanted: int) -> float:
        """The same, were so many dice awaited."""
        return AWAITED_S if wanted else IDLE_S

    def expect(self, wanted: int) -> None:
        """From now on a throw of ``wanted`` dice (0: none) is awaited; what lies there is known."""
        if wanted and not self.wanted and self._seen is not None:
            self._know(*self._seen)
        self.wanted, self._refused, self._still = wanted, None, None

    def feed(self, frame: Image, now: float) -> Report | None:
        """The report that is due with ``frame``, seen at ``now`` (seconds, never going back); None: none.

        Frames are height x width x 3, BGR, uint8, of the rig's size.
        """
        small = self._motion.small(frame)
        if self._motion.step(small):
            return self._stir(frame, now)
        self._stirring_since = None
        if self._still is None:
            self._still, self._looked_at = _Still(), float("-inf")
            self.state = State.SETTLING
        pause = CALM_S if self.state in (State.EMPTY, State.REPORTED) else LOOK_S
        last = self._still.last
        if now - self._looked_at < pause or (last is not None and now - last[1] < AGREE_S):
            return None
        self._looked_at = now
        return self._look(self._still, frame, small, now)

    # Motion

    def _stir(self, frame: Image, now: float) -> Report | None:
        self.state, self._still = State.MOVING, None
        if self._stirring_since is None:
            self._stirring_since = now
        if self.wanted and self._lookout.knows and now - self._stirring_since >= STIRRING_S:
            self._stirring_since = float("inf")  # said once
            return Report(Reading(reason=Reason.MOVING), frame, now)
        return None

    # A still scene

    def _look(self, still: _Still, frame: Image, small: Image, now: float) -> Report | None:
        look = self._lookout.look(small)
        if look.reason is not None:
            still.is_blind = True
            return self._doubt(still, Reading(reason=look.reason), frame, small, now)
        if still.is_blind:
            self._still = still = _Still()  # the light is back: what it was too dark for is no doubt now
        self._seen = (frame, small)
        if not look.is_new or not self._lookout.knows or not self.wanted:
            self._know(frame, small)
            self._still = _Still()
            self.state = State.EMPTY if look.is_empty else State.REPORTED
            return None
        if self._refused is not None and self._lookout.are_alike(small, self._refused):
            self.state = State.REPORTED
            return None
        reading = self._read(frame, self._rig, self.wanted)
        if reading.values is None:
            return self._doubt(still, reading, frame, small, now)
        return self._agree(still, reading, frame, small, now)

    def _know(self, frame: Image, small: Image) -> None:
        self._known_frame = frame
        self._lookout.know(small)

    def _doubt(
        self, still: _Still, reading: Reading, frame: Image, small: Image, now: float
    ) -> Report | None:
        assert reading.reason is not None
        still.doubts[reading.reason] += 1
        still.last, still.agreeing = None, 0
        if still.unsure_since is None:
            still.unsure_since = now
        if still.is_refused:
            self.state = State.REPORTED
            return None
        self.state = State.SETTLING
        if self.wanted and self._lookout.knows and now - still.unsure_since >= UNSURE_S:
            ((reason, _),) = still.doubts.most_common(1)
            return self._refuse(still, Reading(reading.dice, reason), frame, small, now)
        return None

    def _refuse(self, still: _Still, reading: Reading, frame: Image, small: Image, now: float) -> Report:
        self.state, still.is_refused = State.REPORTED, True
        still.doubts.clear()
        self._refused = None if reading.reason in _MAY_PASS else small
        return Report(reading, frame, now)

    def _agree(
        self, still: _Still, reading: Reading, frame: Image, small: Image, now: float
    ) -> Report | None:
        """Two readings agree, and one more for each look that gave none."""
        if still.last is None or not _are_same(still.last[0], reading, self._rig):
            report = None
            if still.last is not None:
                report = self._doubt(still, Reading(reading.dice, Reason.DISAGREE), frame, small, now)
            still.last, still.agreeing = (reading, now), 1
            if report is None:
                self.state = State.STILL
            return report
        still.last, still.agreeing = (reading, now), still.agreeing + 1
        if still.agreeing < 2 + still.doubts.total():
            return None
        unmoved = self._unmoved(reading)
        if 0 < unmoved < self.wanted:
            return self._refuse(still, Reading(reading.dice, Reason.ONE_DIE), frame, small, now)
        self._know(frame, small)
        self.state, self._refused, self._still = State.REPORTED, None, _Still()
        return None if unmoved else Report(reading, frame, now)

    def _unmoved(self, reading: Reading) -> int:
        """How many of the dice lie as they lay in the known scene: another light may make them look new."""
        assert self._known_frame is not None
        lay = self._read(self._known_frame, self._rig, self.wanted).dice
        return sum(any(_lies_as(die, other, self._rig) for other in lay) for die in reading.dice)


def _are_same(one: Reading, other: Reading, rig: Rig) -> bool:
    return one.values == other.values and all(
        any(_lies_as(die, before, rig) for before in one.dice) for die in other.dice
    )


def _lies_as(die: Die, other: Die, rig: Rig) -> bool:
    off = hypot(die.centre[0] - other.centre[0], die.centre[1] - other.centre[1])
    return die.value == other.value and off < _SAME_EDGES * rig.die_edge_mm

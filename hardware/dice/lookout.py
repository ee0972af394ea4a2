"""What lies in the tray that was not there before; and whether the camera can see it at all.

A scene is held against the empty tray and against the last one that is known.  What differs from both is
new: dice that were thrown, a hand.  What differs from the known one only has been taken away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.dice.difference import near_mask
from hardware.dice.images import strongest
from hardware.dice.motion import Motion
from hardware.dice.reading import Reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardware.dice.rig import Rig

    Floats = NDArray[np.float64]
    Image = NDArray[np.uint8]

_TOO_DARK, _TOO_BRIGHT = 0.35, 1.7  # of the level at calibration, in levels: a tenth of the light, 3 times it
_LEAST_LEVEL = 18.0  # below that a camera shows mostly noise
_STEP = 14.0  # levels
_NEW_SHARE = 0.2  # of a die's upper face
_MARKS, _MARK = 24, 10  # corners of wall and grain to know the tray by, and half of their size, in pixels
_SEARCH = 12  # pixels of the small picture that a bump is followed
_SURE = 0.7  # correlation with which a mark is found again
_FEWEST = 0.25  # of the marks: with fewer nothing can be said
_MOVED_PX = 1.5  # of 320: a millimetre in a tray of 200


@dataclass(frozen=True, slots=True)
class Look:
    """What a still scene is: new things in it, anything at all in it, or the reason why that is not known."""

    is_new: bool = False
    is_empty: bool = False
    reason: Reason | None = None


class Lookout:
    """Looks at still scenes of one rig (small pictures, see :meth:`Motion.small`)."""

    def __init__(self, rig: Rig, motion: Motion) -> None:
        import cv2
        import numpy as np

        self._empty = motion.small(np.mean(rig.empty, axis=0).astype(np.uint8))
        self._near = motion.small(near_mask(rig))
        self._step = _STEP + motion.least_step / 2
        self._new_px = _NEW_SHARE * motion.face_px
        self._level = _level(self._empty, self._near)
        self._known: Image | None = None
        grey = cv2.cvtColor(self._empty, cv2.COLOR_BGR2GRAY)
        inside = cv2.erode(motion.small(_floor_mask(rig)), np.ones((9, 9), np.uint8))
        rim = cv2.bitwise_and(self._near, cv2.bitwise_not(inside))
        rim[:_MARK], rim[-_MARK:], rim[:, :_MARK], rim[:, -_MARK:] = 0, 0, 0, 0
        found = cv2.goodFeaturesToTrack(grey, _MARKS, 0.05, _MARK, mask=rim)
        marks = [] if found is None else np.round(found[:, 0, :]).astype(int).tolist()
        self._marks = [
            (x, y, grey[y - _MARK : y + _MARK + 1, x - _MARK : x + _MARK + 1].copy()) for x, y in marks
        ]

    @property
    def knows(self) -> bool:
        """Whether there is a known scene."""
        return self._known is not None

    def know(self, small: Image) -> None:
        """``small`` is what lies in the tray; only what differs from it is new."""
        self._known = small

    def look(self, small: Image) -> Look:
        """What is new in ``small``; without a known scene all that is no empty tray."""
        import cv2

        if small.shape != self._empty.shape:
            return Look(reason=Reason.CAMERA_MOVED)
        level = _level(small, self._near)
        if level < max(_TOO_DARK * self._level, _LEAST_LEVEL):
            return Look(reason=Reason.LOW_CONTRAST)
        if level > min(_TOO_BRIGHT * self._level, 250.0):
            return Look(reason=Reason.GLARE)
        if self._has_moved(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)):
            return Look(reason=Reason.CAMERA_MOVED)
        there = self._differs(small, self._empty)
        is_empty = int(cv2.countNonZero(there)) < self._new_px
        if self._known is not None:
            there = cv2.bitwise_and(there, self._differs(small, self._known))
        return Look(int(cv2.countNonZero(there)) >= self._new_px, is_empty)

    def are_alike(self, small: Image, other: Image) -> bool:
        """Whether two scenes show the same things."""
        import cv2

        return int(cv2.countNonZero(self._differs(small, other))) < self._new_px

    def _differs(self, small: Image, other: Image) -> Image:
        """255 where ``small`` is another than ``other`` in the light of ``small``."""
        import cv2
        import numpy as np

        gains = [now / max(was, 1.0) for now, was in zip(cv2.mean(small), cv2.mean(other), strict=True)][:3]
        lit = cv2.LUT(other, np.clip(np.arange(256)[:, None] * gains, 0, 255).astype(np.uint8)[None])
        off = strongest(cv2.absdiff(small, lit))
        sway = cv2.morphologyEx(strongest(lit), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        allowed = cv2.addWeighted(sway, 0.5, sway, 0, self._step * min(1.0, max(gains)))
        return cv2.bitwise_and(cv2.compare(off, allowed, cv2.CMP_GT), self._near)  # type: ignore[no-any-return]

    def _has_moved(self, grey: Image) -> bool:
        """Whether the tray is elsewhere in the picture, or hardly to be found."""
        import cv2
        import numpy as np

        height, width = grey.shape
        shifts = []
        for x, y, mark in self._marks:
            reach = _MARK + _SEARCH
            x0, y0 = max(x - reach, 0), max(y - reach, 0)
            part = grey[y0 : min(y + reach + 1, height), x0 : min(x + reach + 1, width)]
            scores = cv2.matchTemplate(part, mark, cv2.TM_CCOEFF_NORMED)
            _, score, _, (u, v) = cv2.minMaxLoc(scores)
            if score > _SURE:
                shifts.append((u + x0 + _MARK - x, v + y0 + _MARK - y))
        if not self._marks:
            return False
        if len(shifts) < _FEWEST * len(self._marks):
            return True
        return float(np.hypot(*np.median(np.array(shifts), axis=0))) > _MOVED_PX


def _level(small: Image, near: Image) -> float:
    import cv2

    return float(max(cv2.mean(small, near)[:3]))


def _floor_mask(rig: Rig) -> Image:
    """255 on the floor of the tray."""
    import cv2
    import numpy as np

    mask = np.zeros(rig.image_size[::-1], np.uint8)
    cv2.fillPoly(mask, [np.round(rig.floor_px).astype(np.int32)], 255)
    return mask

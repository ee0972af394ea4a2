"""The motion step: whether something moves in the tray.  Cheap, as every frame passes it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hardware.dice.difference import near_mask

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardware.dice.rig import Rig

    Image = NDArray[np.uint8]

WIDTH = 320  # of the small picture; larger frames are made so small
_BLUR = (5, 5)  # takes three quarters of a camera's noise away
_STEP = 8.0  # levels beside the noise: JPEG's own flicker is about half of it
_SPREADS = 4.0  # how many times the noise is still no change
_STILL_SHARE = 0.04  # of a die's upper face: less than that is no die that moves
_LIGHT_STEP = 0.005  # a change of the light as a whole, below which none is taken out


class Motion:
    """Frames of one rig in order; each is held against the one before it."""

    def __init__(self, rig: Rig) -> None:
        import cv2

        self._near = self.small(near_mask(rig))
        self._before: Image | None = None
        self._level = 0.0
        empty = [cv2.cvtColor(self.small(frame), cv2.COLOR_BGR2GRAY) for frame in rig.empty]
        spreads = [cv2.mean(cv2.absdiff(a, b), self._near)[0] for a, b in pairwise(empty)]
        # The mean of a difference of two normal variables is 1.13 times the deviation of one of them.
        self.least_step = _STEP + _SPREADS * max(spreads, default=0.0) * 1.25
        shrunk = min(1.0, WIDTH / rig.image_size[0])
        self.face_px = face_px_of(rig) * shrunk**2

    @staticmethod
    def small(frame: Image) -> Image:
        """``frame`` at most ``WIDTH`` wide and smoothed: what all that is not a reading works on."""
        import cv2

        height, width = frame.shape[:2]
        if width > WIDTH:
            frame = cv2.resize(frame, (WIDTH, height * WIDTH // width), interpolation=cv2.INTER_AREA)
        return cv2.blur(frame, _BLUR)  # type: ignore[no-any-return]

    def step(self, small: Image) -> bool:
        """Whether something moves between the frame before and this one (of :meth:`small`).

        Light that changes as a whole is no motion.
        """
        import cv2

        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        if grey.shape != self._near.shape:
            self._before = None
            return False  # of another size: whoever looks at it will see
        level = cv2.mean(grey, self._near)[0]
        before, self._before = self._before, grey
        was, self._level = self._level, level
        if before is None:
            return True
        gain = level / max(was, 1.0)
        if abs(gain - 1) > _LIGHT_STEP:
            before = cv2.convertScaleAbs(before, alpha=gain)
        moved = cv2.compare(cv2.absdiff(grey, before), self.least_step, cv2.CMP_GT)
        return int(cv2.countNonZero(cv2.bitwise_and(moved, self._near))) > _STILL_SHARE * self.face_px


def face_px_of(rig: Rig) -> float:
    """The pixels that the upper face of a die covers in the middle of the floor."""
    import numpy as np

    half = rig.die_edge_mm / 2
    square = np.array(
        [[x, y, 2 * half] for x, y in ((-half, -half), (half, -half), (half, half), (-half, half))]
    )
    x, y = rig.pose.project(square).T
    return float(abs((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) / 2)

"""What differs from the empty tray, and what of that may be no more than a shadow.

Light that changes as a whole is taken out first: whatever exposure, gain or tone curve do, they send equal
levels to equal levels, so the curve from the empty tray's levels to this picture's is read off the picture
itself.  What then still differs is *sure* (no shadow can do that: it is brighter, or of another colour, or
darker than shadows are) or only *dark*: weaker light on the same floor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.images import strongest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.dice.rig import Rig

    Image = NDArray[np.uint8]
    Mask = NDArray[np.bool_]
    Floats = NDArray[np.float32]

_BINS = 32  # of the empty tray's levels, for the tone curve: 8 levels each
_FEW = 20  # pixels in a bin, below which its median says nothing
_LEAST_STEP = 14.0  # levels: JPEG at quality 75 leaves errors of up to about 10 beside edges
_SPREADS = 2.5  # how many times the spread between the empty frames is still no change


@dataclass(frozen=True, eq=False)
class EmptyTray:
    """The mean of the empty frames, and how much each pixel may differ from it without a reason."""

    mean: Image
    allowed: Image
    floor: Image  # 255 on the floor of the tray
    near: Image  # 255 where a die may be seen, or a hand that reaches it: the tray with its walls

    @classmethod
    def of(cls, rig: Rig) -> EmptyTray:
        """From the empty frames of ``rig``."""
        import cv2

        frames = np.stack([cv2.GaussianBlur(frame, (3, 3), 0) for frame in rig.empty]).astype(np.float32)
        mean = frames.mean(axis=0)
        spread = np.abs(frames - mean).max(axis=(0, 3))
        # Where the empty tray has an edge, half a pixel of sway changes much.
        grey = cv2.cvtColor(mean.astype(np.uint8), cv2.COLOR_BGR2GRAY)
        sway = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).astype(np.float32) / 4
        spread = cv2.dilate(spread, np.ones((5, 5), np.uint8))
        allowed = _LEAST_STEP + _SPREADS * spread + sway
        height, width = grey.shape
        floor = np.zeros((height, width), np.uint8)
        corners = rig.pose.project(_corners(rig.floor_mm, 0.0))
        cv2.fillConvexPoly(floor, np.round(corners).astype(np.int32), 255)
        near = np.zeros_like(floor)
        for margin in (0.0, 2 * rig.die_edge_mm):
            outer = np.vstack([_corners(rig.floor_mm, margin, z) for z in (0.0, 2 * rig.die_edge_mm)])
            hull = cv2.convexHull(rig.pose.project(outer).astype(np.float32))
            cv2.fillConvexPoly(near, np.round(hull).astype(np.int32), 255)
        return cls(
            np.clip(np.round(mean), 0, 255).astype(np.uint8),
            np.clip(allowed, 0, 255).astype(np.uint8),
            floor,
            near,
        )

    def expected(self, image: Image) -> Image:
        """The empty tray in the light of ``image``."""
        import cv2

        curves = np.stack(
            [_tone_curve(self.mean[::4, ::3, c], image[::4, ::3, c]) for c in range(3)], axis=-1
        )
        return np.asarray(cv2.LUT(self.mean, curves[None]), np.uint8)

    def changed(self, image: Image, expected: Image) -> Image:
        """255 where ``image`` differs from ``expected`` in any channel by more than is allowed there."""
        import cv2

        off = strongest(cv2.absdiff(image, expected))
        return np.asarray(cv2.compare(off, self.allowed, cv2.CMP_GT), np.uint8)


def _tone_curve(before: Image, now: Image) -> Image:
    """The curve (256 levels) that sends the empty tray's levels to this picture's: a running median."""
    import cv2

    counts = cv2.calcHist([before, now], [0, 1], None, [_BINS, 256], [0, 256, 0, 256])
    totals = counts.sum(axis=1)
    medians = (np.cumsum(counts, axis=1) < totals[:, None] / 2).sum(axis=1).astype(np.float64)
    centres = (np.arange(_BINS) + 0.5) * (256 / _BINS)
    sums = np.bincount((before >> 3).ravel(), before.ravel(), _BINS)
    known = totals >= _FEW
    if not known.any():
        return np.arange(256, dtype=np.uint8)
    centres = np.where(known, sums / np.maximum(totals, 1), centres)
    x, y = centres[known], np.maximum.accumulate(medians[known])
    levels = np.arange(256, dtype=np.float64)
    curve = np.interp(levels, x, y)
    curve = np.where(levels < x[0], levels * (y[0] / max(x[0], 1.0)), curve)
    curve = np.where(levels > x[-1], y[-1] * levels / max(x[-1], 1.0), curve)
    return np.clip(np.round(curve), 0, 255).astype(np.uint8)


def light_on(image: Image, expected: Image) -> tuple[Floats, Floats]:
    """How strong the light is against that on the empty tray (1: as strong), and what it does not explain,
    in levels.

    Both float32.  Weaker or stronger light lowers or raises all channels by the same factor (also after the
    tone curve, which is close to a power); the factor is the best one, the second value the most that any
    channel is off.
    """
    import cv2

    seen, empty = image.astype(np.float32), expected.astype(np.float32)
    add = np.ones((1, 3), np.float32)
    strength = cv2.transform(seen * empty, add) / np.maximum(cv2.transform(empty * empty, add), 1.0)
    off = strongest(np.abs(seen - strength[..., None] * empty))
    return np.asarray(strength, np.float32), np.asarray(off, np.float32)


def _corners(floor_mm: tuple[float, float], margin: float, z: float = 0.0) -> NDArray[np.float64]:
    x, y = floor_mm[0] / 2 + margin, floor_mm[1] / 2 + margin
    return np.array([[-x, -y, z], [x, -y, z], [x, y, z], [-x, y, z]])

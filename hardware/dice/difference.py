"""What differs from the empty tray, and what of that may be no more than a shadow.

Light that changes as a whole is taken out first: whatever exposure, gain or tone curve do, they send equal
levels to equal levels, so the curve from the empty tray's levels to this picture's is read off the picture
itself.  What then still differs is *sure* (no shadow can do that: it is brighter, or of another colour, or
darker than shadows are) or only *dark*: weaker light on the same floor.

Most of a picture is the empty tray, so a small copy of it tells first where anything changed at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.images import connected, shrunk, square, strongest
from hardware.dice.tone_curves import ToneCurves

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.dice.rig import Rig

    Floats = NDArray[np.float32]
    Image = NDArray[np.uint8]

_LEAST_STEP = 14.0  # levels: JPEG at quality 75 leaves errors of up to about 10 beside edges
_SPREADS = 2.5  # how many times the spread between the empty frames is still no change
_COARSE_EDGE_PX = 20.0  # a die in the small copy: its pips are still two pixels wide
_CELL = 2  # pixels of the small copy to one when places are told apart
_MARGIN = 0.75  # edges around a place: more than is looked at around a group
_APART = 0.6  # edges between places that are looked at apart
_SPECK = 0.006  # of an upper face: less is noise, not even a pip
# How far a channel may be off in a shadow, in levels and as a share of what is seen: the sky is bluer than a
# lamp, JPEG smears colour over 8 pixels.
_TINT, _TINT_SHARE = 5.0, 0.15
_BOUNCE = 40  # levels that light thrown back by a white die adds to a dark wall beside it


@dataclass(frozen=True, eq=False)
class Level:
    """The mean of the empty frames, how much each pixel may differ from it without a reason, and 255 where a
    die may be seen, or a hand that reaches it: the tray with its walls.
    """

    mean: Image
    allowed: Image
    near: Image

    @classmethod
    def of(cls, frames: Floats, near: Image, sway_px: float) -> Level:
        """From empty frames (n x height x width x 3) of a camera that sways by so much."""
        import cv2

        mean = frames.mean(axis=0)
        spread = np.abs(frames - mean).max(axis=(0, 3))
        grey = cv2.cvtColor(mean.astype(np.uint8), cv2.COLOR_BGR2GRAY)
        slope = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, square(3)) / np.float32(2)
        spread = cv2.dilate(spread, square(5))
        allowed = _LEAST_STEP + _SPREADS * spread + sway_px * slope
        return cls(
            np.clip(np.round(mean), 0, 255).astype(np.uint8),
            np.clip(allowed, 0, 255).astype(np.uint8),
            near,
        )

    def part(self, rows: slice, columns: slice) -> Level:
        """The same for a part of the picture."""
        return Level(self.mean[rows, columns], self.allowed[rows, columns], self.near[rows, columns])

    def changed(self, image: Image, expected: Image) -> Image:
        """255 where ``image`` differs from ``expected`` in any channel by more than is allowed there."""
        import cv2

        off = strongest(cv2.absdiff(image, expected))
        return np.asarray(cv2.compare(off, self.allowed, cv2.CMP_GT) & self.near, np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Island:
    """A part of a picture in which something changed; ``origin`` is its first pixel in the picture.

    ``expected`` is the empty tray in the same light; ``changed`` (255) where the picture differs from it,
    ``shade`` how strong the light is against the empty tray's where no more than that differs, else above 1.
    """

    origin: tuple[int, int]
    image: Image
    expected: Image
    changed: Image
    shade: Floats

    def sure(self, darkest: float) -> Image:
        """255 where something changed that is no shadow, if shadows are no darker than that."""
        return np.where((self.shade > darkest) & (self.shade <= 1), 0, self.changed).astype(np.uint8)


@dataclass(frozen=True, eq=False)
class EmptyTray:
    """What is known of the empty tray, cut to where dice may be: whole, and as a small copy of it."""

    origin: tuple[int, int]
    whole: Level
    step: int  # pixels to one of the small copy
    small: Level
    curves: ToneCurves
    edge_px: float  # of a die in the middle, in the whole picture

    @classmethod
    def of(cls, rig: Rig) -> EmptyTray:
        """From the empty frames of ``rig``."""
        import cv2

        near = near_mask(rig)
        edge_px = float(np.sqrt(cv2.contourArea(_square_px(rig))))
        step = max(1, round(edge_px / _COARSE_EDGE_PX))
        x, y, w, h = cv2.boundingRect(near)
        w, h = w - w % (_CELL * step), h - h % (_CELL * step)
        part = (slice(y, y + h), slice(x, x + w))
        frames = levelled([np.asarray(frame[part], np.uint8) for frame in rig.empty])
        soft = np.stack([cv2.GaussianBlur(frame, (3, 3), 0) for frame in frames]).astype(np.float32)
        small = np.stack([_small(frame, step) for frame in frames]).astype(np.float32)
        small_near = np.where(shrunk(near[part], step) > 127, 255, 0).astype(np.uint8)
        copy = Level.of(small, small_near, 0.5 / step)
        return cls((x, y), Level.of(soft, near[part], 0.5), step, copy, ToneCurves.of(copy.mean), edge_px)

    def islands(self, picture: Image) -> Iterator[Island]:
        """Where ``picture`` differs, each place with some room around it."""
        import cv2

        (x0, y0), step = self.origin, self.step
        height, width = self.whole.near.shape
        part = picture[y0 : y0 + height, x0 : x0 + width]
        small = _small(part, step)
        curves = self.curves.read(small)
        changed = self.small.changed(small, np.asarray(cv2.LUT(self.small.mean, curves), np.uint8))
        for (x, y, w, h), own in _places(changed, self.edge_px / step):
            rows, columns = slice(y * step, (y + h) * step), slice(x * step, (x + w) * step)
            image = part[rows, columns]
            smooth = np.asarray(cv2.GaussianBlur(image, (3, 3), 0), np.uint8)
            level = self.whole.part(rows, columns)
            expected = np.asarray(cv2.LUT(level.mean, curves), np.uint8)
            own = cv2.resize(own, (w * step, h * step), interpolation=cv2.INTER_NEAREST)
            differs = level.changed(smooth, expected) & own
            shade = _shade(smooth, expected, differs)
            yield Island((x0 + columns.start, y0 + rows.start), image, expected, differs, shade)


def levelled(frames: Sequence[Image]) -> list[Image]:
    """The frames in the light of the first: how they still differ is noise."""
    import cv2

    first = frames[0]
    curves = (ToneCurves.of(frame).read(first) for frame in frames[1:])
    others = (cv2.LUT(frame, curve) for frame, curve in zip(frames[1:], curves, strict=True))
    return [first, *(np.asarray(other, np.uint8) for other in others)]


def _places(changed: Image, edge: float) -> Iterator[tuple[tuple[int, int, int, int], Image]]:
    """The places where something changed, with some room around: box (x, y, width, height), and 255 in it
    where no other place is.
    """
    import cv2

    cells = shrunk(changed, _CELL)
    height, width = cells.shape
    edge /= _CELL
    reach = 2 * round(_APART * edge / 2) + 1
    near = cv2.dilate(np.sign(cells), square(reach))
    labels, stats = connected(near)
    areas = np.bincount(labels.ravel(), cells.ravel(), len(stats)) / 255
    margin = round(_MARGIN * edge)
    for label, (x, y, w, h, _) in enumerate(stats.tolist()):
        if label == 0 or areas[label] <= _SPECK * edge**2:
            continue
        left, top = max(x - margin, 0), max(y - margin, 0)
        right, bottom = min(x + w + margin, width), min(y + h + margin, height)
        own = np.where(labels[top:bottom, left:right] == label, 255, 0).astype(np.uint8)
        yield (left * _CELL, top * _CELL, (right - left) * _CELL, (bottom - top) * _CELL), own


def _shade(smooth: Image, expected: Image, changed: Image) -> Floats:
    """How strong the light is against the empty tray's where something changed; 2 where more than it differs.

    Weaker light lowers all channels by the same factor (also after the tone curve, which is close to a
    power): the factor is the best one, and no channel may be far off it.  Nor is it more than a shadow where
    a die throws some light back.
    """
    at = np.flatnonzero(changed)
    seen, empty = (np.take(x.reshape(-1, 3), at, axis=0).astype(np.float32) for x in (smooth, expected))
    strength = np.einsum("ij,ij->i", seen, empty) / np.maximum(np.einsum("ij,ij->i", empty, empty), 1.0)
    off = np.abs(seen - strength[:, None] * empty)
    more = seen - empty
    same = _largest(off) < _TINT + _TINT_SHARE * _largest(seen)
    lit = same & (strength >= 1) & (_largest(more) < _BOUNCE)
    strength[(strength >= 1) | ~same] = 2.0
    strength[lit] = 1.0
    shade = np.full(changed.shape, 2.0, np.float32)
    shade.ravel()[at] = strength
    return shade


def _largest(rows: Floats) -> Floats:
    return np.maximum(np.maximum(rows[:, 0], rows[:, 1]), rows[:, 2])


def _small(image: Image, step: int) -> Image:
    """The small copy; smoothed where it is as large as the picture."""
    import cv2

    return shrunk(image, step) if step > 1 else np.asarray(cv2.GaussianBlur(image, (3, 3), 0), np.uint8)


def near_mask(rig: Rig) -> Image:
    """255 where a die may be seen, or a hand that reaches it: the tray, and two edges around and above it."""
    import cv2

    near = np.zeros(rig.image_size[::-1], np.uint8)
    for margin in (0.0, 2 * rig.die_edge_mm):
        x, y = rig.floor_mm[0] / 2 + margin, rig.floor_mm[1] / 2 + margin
        outer = [(a, b, z) for z in (0.0, 2 * rig.die_edge_mm) for a in (-x, x) for b in (-y, y)]
        hull = cv2.convexHull(rig.pose.project(np.array(outer)).astype(np.float32))
        cv2.fillConvexPoly(near, np.round(hull).astype(np.int32), 255)
    return near


def _square_px(rig: Rig) -> NDArray[np.float32]:
    """The corners of an upper face in the middle of the tray, in pixels (4 x 2)."""
    half = rig.die_edge_mm / 2
    corners = [
        (-half, -half, 2 * half),
        (half, -half, 2 * half),
        (half, half, 2 * half),
        (-half, half, 2 * half),
    ]
    return rig.pose.project(np.array(corners)).astype(np.float32)

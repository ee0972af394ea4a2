"""Finds the floor of the empty tray in the picture."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Image = NDArray[np.uint8]

_LEAST_SHARE = 0.08  # of the picture that a floor fills
_CANDIDATES, _APART_PX = 7, 4.0  # lines a side, and how far they are apart at least
_CAP, _SEEN = 12.0, 3.0  # levels of change: where it counts in full, and where it is no noise
_MOST_OFF = 0.03  # of a rectangle seen by a camera: skew and error of its sides
_NEARLY = 0.93  # of the best support
_FOCALS = np.geomspace(0.6, 1.6, 9)  # picture widths
_REACH_PX = 3.0  # to both sides of a rough side


def find_floor(frames: Sequence[Image], floor_mm: tuple[float, float]) -> Floats | None:
    """The corners (4 x 2, pixels, clockwise from the upper left) of a floor of that size; None where no four
    lines of the picture fit one.

    Walls, rims and shadows make lines as well.  Those four count that some camera could see as a rectangle of
    these sides, and of those the ones that are seen best along their whole length; of nearly equals the
    innermost, as a rim has the sides of the floor but is nearer.
    """
    import cv2

    mean = np.mean(np.stack(frames), axis=0).astype(np.uint8)
    changes = _changes(mean)
    lines = _lines(changes)
    if min(map(len, lines)) == 0:
        return None
    quads = np.array([_corners_of(four) for four in product(*lines)])
    height, width = mean.shape[:2]
    inside = ((quads > -2) & (quads < (width + 2, height + 2))).all(axis=(1, 2))
    areas = np.array([abs(cv2.contourArea(quad.astype(np.float32))) for quad in quads])
    quads = quads[inside & (areas > _LEAST_SHARE * width * height)]
    if not len(quads):
        return None
    off = np.array([_distortion(quad, floor_mm, (width, height)) for quad in quads])
    quads = quads[off < _MOST_OFF]
    if not len(quads):
        return None
    support = np.array(
        [min(_support(quad[i], quad[(i + 1) % 4], changes) for i in range(4)) for quad in quads]
    )
    good = quads[support > _NEARLY * support.max()]
    areas = np.array([abs(cv2.contourArea(quad.astype(np.float32))) for quad in good])
    return _refined(good[int(np.argmin(areas))], mean)


def _changes(mean: Image) -> tuple[Floats, Floats]:
    """How much the picture changes across (x) and down (y), of the channel that changes most, in levels."""
    import cv2

    smooth = cv2.medianBlur(mean, 5)
    both = []
    for dx, dy in ((1, 0), (0, 1)):
        change = cv2.Scharr(smooth, cv2.CV_32F, dx, dy) / 32
        both.append(np.abs(change).max(axis=2))
    return both[0], both[1]


def _lines(changes: tuple[Floats, Floats]) -> list[list[tuple[float, float]]]:
    """Candidates for the top, right, bottom and left side: ``(slope, offset)``, of y by x or of x by y."""
    found: list[list[tuple[float, float]]] = []
    for change, is_low in (
        (changes[1], True),
        (changes[0].T, False),
        (changes[1], False),
        (changes[0].T, True),
    ):
        found.append(_lines_across(change, is_low))
    return found


def _lines_across(change: Floats, is_low: bool) -> list[tuple[float, float]]:
    """The strongest lines ``y = slope * x + offset`` through the middle columns, in the upper half or not.

    Capped, so that a long weak edge counts more than a short strong one.
    """
    height, width = change.shape
    xs = np.linspace(0.25, 0.75, 48) * (width - 1)
    columns = np.minimum(change[:, np.round(xs).astype(int)], _CAP)
    middle = (height - 1) / 2
    scored: list[tuple[float, float, float]] = []
    offsets = np.arange(0.0, height)
    for slope in np.tan(np.deg2rad(np.arange(-12, 12.1, 0.5))):
        ys = offsets[:, None] + slope * (xs - (width - 1) / 2)[None]
        rows = np.round(ys).astype(int)
        is_in = (rows >= 0) & (rows < height)
        seen = np.where(is_in, columns[np.clip(rows, 0, height - 1), np.arange(len(xs))[None]], 0)
        score = seen.mean(axis=1)
        half = offsets < middle - 0.1 * height if is_low else offsets > middle + 0.1 * height
        peaks = (score >= np.roll(score, 1)) & (score >= np.roll(score, -1)) & half
        scored += [(float(score[i]), float(slope), float(offsets[i])) for i in np.flatnonzero(peaks)]
    kept: list[tuple[float, float]] = []
    for _, slope, offset in sorted(scored, reverse=True):
        if all(abs(offset - other) > _APART_PX for _, other in kept):
            kept.append((slope, offset))
        if len(kept) == _CANDIDATES:
            break
    return [(slope, offset - slope * (width - 1) / 2) for slope, offset in kept]


def _corners_of(sides: Sequence[tuple[float, float]]) -> Floats:
    (at, a), (bt, b), (ct, c), (dt, d) = sides  # top, right, bottom, left

    def meet(slope: float, offset: float, across: float, shift: float) -> tuple[float, float]:
        y = (slope * shift + offset) / (1 - slope * across)
        return across * y + shift, y

    return np.array([meet(at, a, dt, d), meet(at, a, bt, b), meet(ct, c, bt, b), meet(ct, c, dt, d)])


def _distortion(quad: Floats, floor_mm: tuple[float, float], size: tuple[int, int]) -> float:
    """How far the four are from what some camera sees of the floor, lying or upright: in parts of 1."""
    import cv2

    least = np.inf
    for across, down in (floor_mm, floor_mm[::-1]):
        square = np.array([[0, 0], [across, 0], [across, down], [0, down]], np.float32)
        h = cv2.getPerspectiveTransform(square, quad.astype(np.float32))
        for focal in _FOCALS * size[0]:
            k = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
            one, other = np.linalg.solve(k, h[:, :2]).T
            lengths = np.linalg.norm(one), np.linalg.norm(other)
            skew = one @ other / (lengths[0] * lengths[1])
            least = min(least, float(np.hypot(skew, np.log(lengths[0] / lengths[1]))))
    return least


def _support(a: Floats, b: Floats, changes: tuple[Floats, Floats]) -> float:
    """The share of a side along which the picture changes across it."""
    import cv2

    along = (b - a) / np.linalg.norm(b - a)
    change = changes[1] if abs(along[0]) > abs(along[1]) else changes[0]
    shares = np.linspace(0.03, 0.97, 80)
    best = np.zeros(len(shares))
    for step in (-1.5, 0.0, 1.5):
        at = a + shares[:, None] * (b - a) + step * np.array([-along[1], along[0]])
        seen = cv2.remap(change, at[:, 0].astype(np.float32), at[:, 1].astype(np.float32), cv2.INTER_LINEAR)
        best = np.maximum(best, seen.ravel())
    return float((best > _SEEN).mean())


def _refined(quad: Floats, mean: Image) -> Floats:
    """Each side moved to the steepest change near it, to a part of a pixel; the corners where sides meet."""
    import cv2

    grey = cv2.GaussianBlur(cv2.cvtColor(mean, cv2.COLOR_BGR2GRAY), (3, 3), 0).astype(np.float32)
    sides = [_refined_side(quad[i], quad[(i + 1) % 4], grey) for i in range(4)]
    return np.array([_crossing(sides[i - 1], sides[i]) for i in range(4)])


def _refined_side(a: Floats, b: Floats, grey: NDArray[np.float32]) -> tuple[Floats, Floats]:
    """A point and a direction."""
    import cv2

    along = (b - a) / np.linalg.norm(b - a)
    across = np.array([-along[1], along[0]])
    steps = np.arange(-_REACH_PX, _REACH_PX + 0.25, 0.25)
    at = a + np.linspace(0.08, 0.92, 80)[:, None] * (b - a)
    grid = (at[:, None, :] + steps[None, :, None] * across).astype(np.float32)
    seen = cv2.remap(grey, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    change = np.abs(np.gradient(seen, axis=1))
    offsets = steps[np.argmax(change, axis=1)]
    kept = np.abs(offsets - np.median(offsets)) < _REACH_PX / 2
    points = (at + offsets[:, None] * across)[kept].astype(np.float32)
    vx, vy, x0, y0 = cv2.fitLine(points, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    return np.array([x0, y0], np.float64), np.array([vx, vy], np.float64)


def _crossing(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats:
    (p, u), (q, v) = one, other
    s, _ = np.linalg.solve(np.stack([u, -v], axis=1), q - p)
    return np.asarray(p + s * u)

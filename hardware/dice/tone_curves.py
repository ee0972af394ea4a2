"""Light that changes as a whole: from the empty tray's levels to those of a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Image = NDArray[np.uint8]
    Mask = NDArray[np.bool_]

_BINS = 32  # of the empty tray's levels, for the tone curve: 8 levels each
_FEW = 20  # pixels in a bin, below which its median says nothing


@dataclass(frozen=True, eq=False)
class ToneCurves:
    """Reads the curves off a picture that send the empty tray's levels to the picture's, a channel each."""

    bins: NDArray[np.intp]  # of each sampled pixel and channel, 256 apart: that of its level when empty
    known: tuple[Mask, ...]
    levels: tuple[NDArray[np.float64], ...]  # the mean level of each known bin

    @classmethod
    def of(cls, mean: Image) -> ToneCurves:
        """From the mean of the empty frames."""
        sample = _sampled(mean)
        bins = (sample >> 3) + _BINS * np.arange(3, dtype=np.intp)
        totals = np.bincount(bins.ravel(), minlength=3 * _BINS).reshape(3, _BINS)
        sums = np.bincount(bins.ravel(), sample.ravel(), 3 * _BINS).reshape(3, _BINS)
        known = totals >= _FEW
        levels = tuple(s[k] / t[k] for s, t, k in zip(sums, totals, known, strict=True))
        return cls(bins << 8, tuple(known), levels)

    def read(self, picture: Image) -> Image:
        """The curves for ``picture`` (1 x 256 x 3): a running median, straight beyond what is known."""
        counts = np.bincount((self.bins + _sampled(picture)).ravel(), minlength=3 * _BINS * 256)
        channels = zip(counts.reshape(3, _BINS, 256), self.known, self.levels, strict=True)
        return np.stack([_curve(*channel) for channel in channels], axis=-1)[None]


def _curve(counts: NDArray[np.intp], known: Mask, x: NDArray[np.float64]) -> Image:
    """The curve of a channel, from how often each level is seen in each bin."""
    if not known.any():
        return np.arange(256, dtype=np.uint8)
    reached = counts[known].cumsum(axis=1)
    medians = (reached < reached[:, -1:] / 2).sum(axis=1)
    y = np.maximum.accumulate(medians.astype(np.float64))
    levels = np.arange(256, dtype=np.float64)
    curve = np.interp(levels, x, y)
    curve = np.where(levels < x[0], levels * (y[0] / max(x[0], 1.0)), curve)
    curve = np.where(levels > x[-1], y[-1] * levels / max(x[-1], 1.0), curve)
    return np.clip(np.round(curve), 0, 255).astype(np.uint8)


def _sampled(picture: Image) -> Image:
    return picture[::4, ::3].reshape(-1, 3)

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

    bins: tuple[NDArray[np.intp], ...]  # of each sampled pixel, 256 apart: that of its level when empty
    known: tuple[Mask, ...]
    levels: tuple[NDArray[np.float64], ...]  # the mean level of each known bin

    @classmethod
    def of(cls, mean: Image) -> ToneCurves:
        """From the mean of the empty frames."""
        samples = [_sampled(mean, c) for c in range(3)]
        bins = [sample >> 3 for sample in samples]
        totals = [np.bincount(b, minlength=_BINS) for b in bins]
        sums = [np.bincount(b, s, _BINS) for b, s in zip(bins, samples, strict=True)]
        known = [total >= _FEW for total in totals]
        return cls(
            tuple(b.astype(np.intp) << 8 for b in bins),
            tuple(known),
            tuple((s[k] / t[k]) for s, t, k in zip(sums, totals, known, strict=True)),
        )

    def read(self, picture: Image) -> Image:
        """The curves for ``picture`` (1 x 256 x 3): a running median, straight beyond what is known."""
        return np.stack([self._read(_sampled(picture, c), c) for c in range(3)], axis=-1)[None]

    def _read(self, now: Image, channel: int) -> Image:
        known, x = self.known[channel], self.levels[channel]
        if not known.any():
            return np.arange(256, dtype=np.uint8)
        counts = np.bincount(self.bins[channel] + now, minlength=_BINS * 256).reshape(_BINS, 256)[known]
        reached = counts.cumsum(axis=1)
        medians = (reached < reached[:, -1:] / 2).sum(axis=1)
        y = np.maximum.accumulate(medians.astype(np.float64))
        levels = np.arange(256, dtype=np.float64)
        curve = np.interp(levels, x, y)
        curve = np.where(levels < x[0], levels * (y[0] / max(x[0], 1.0)), curve)
        curve = np.where(levels > x[-1], y[-1] * levels / max(x[-1], 1.0), curve)
        return np.clip(np.round(curve), 0, 255).astype(np.uint8)


def _sampled(picture: Image, channel: int) -> Image:
    return picture[::4, ::3, channel].ravel()

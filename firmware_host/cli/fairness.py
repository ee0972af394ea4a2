"""How often each face came up, and whether a fair die would show as much: a chi-squared test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import erfc, exp, pi, sqrt

FACES = range(1, 7)


def chi_squared(faces: Iterable[int]) -> tuple[float, float]:
    """The statistic of ``faces`` against equal chances, and the chance of one as large or larger (5 degrees
    of freedom).  Without any face 0 and 1.

    >>> chi_squared([1, 2, 3, 4, 5, 6] * 10)
    (0.0, 1.0)
    """
    counts = Counter(faces)
    expected = counts.total() / len(FACES)
    if not expected:
        return 0.0, 1.0
    x = sum((counts[face] - expected) ** 2 for face in FACES) / expected
    return x, _tail(x)


def _tail(x: float) -> float:
    """The upper tail of chi-squared with 5 degrees of freedom.

    For an odd number of degrees the incomplete gamma function ends in erfc and a finite sum
    (Abramowitz and Stegun, 26.4.4).
    """
    return min(1.0, erfc(sqrt(x / 2)) + sqrt(2 * x / pi) * exp(-x / 2) * (1 + x / 3))

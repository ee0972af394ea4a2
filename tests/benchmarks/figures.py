"""A figure with its limit, the calibration beside it, and the table they make."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

BEST_OF = 5
_CALIBRATION_ROUNDS = 200_000


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table.

    ``most``, ``least``: the limit, where there is one.  ``calibration_ms``: beside whatever depends on the
    machine, what :func:`calibrate` took just before; None for counts and ratios.
    """

    part: str
    name: str
    value: float
    unit: str
    most: float | None = None
    least: float | None = None
    calibration_ms: float | None = None

    @property
    def is_over(self) -> bool:
        """The limit is not held."""
        is_above = self.most is not None and self.value > self.most
        return is_above or (self.least is not None and self.value < self.least)

    @property
    def limit(self) -> str:
        """The limit as text; empty: none."""
        if self.most is not None:
            return f"<= {_number(self.most)}"
        return f">= {_number(self.least)}" if self.least is not None else ""

    def to_fields(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {**asdict(self), "is_over": self.is_over}


@dataclass(frozen=True, slots=True)
class Length:
    """How long to measure: ``repeats`` of short things, ``matches`` of play, ``idle_s`` of waiting."""

    repeats: int
    matches: int
    idle_s: float


def calibrate() -> float:
    """Milliseconds, best of five, of a fixed loop in pure Python: how fast this machine is just now."""
    return 1000 * best_of(_loop)


def _loop() -> None:
    total, table = 0, {i: i * 7 % 13 for i in range(64)}
    for i in range(_CALIBRATION_ROUNDS):
        total += table[i & 63]


def best_of(work: Callable[[], object], times: int = BEST_OF) -> float:
    """Seconds of the fastest of so many runs of ``work``, the garbage collector being still."""
    best = float("inf")
    for _ in range(times):
        gc.collect()
        gc.disable()
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
        gc.enable()
    return best


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest of ``values`` that at least ``share`` (above 0, at most 1) of them do not exceed."""
    ordered = sorted(values)
    return ordered[math.ceil(share * len(ordered)) - 1]


def row(figure: Figure) -> str:
    """The figure as a line below :func:`heading`."""
    loop = f"{figure.calibration_ms:.1f}" if figure.calibration_ms is not None else ""
    mark = "OVER" if figure.is_over else ""
    return _line((figure.name, _number(figure.value), figure.unit, figure.limit, loop, mark))


def heading() -> str:
    """What the columns are."""
    return _line(("name", "figure", "unit", "limit", "loop ms", ""))


def _line(cells: Sequence[str]) -> str:
    name, value, unit, limit, loop, mark = cells
    return f"{name:<66} {value:>10}  {unit:<9} {limit:<10} {loop:>7}  {mark}".rstrip()


def _number(value: float | None) -> str:
    if value is None:
        return ""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}" if abs(value) < 100 else f"{value:.1f}"

"""Keeps the frames that were refused, and the last that was answered: as they are, and drawn upon."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardware.dice.reading import Reading
    from hardware.dice.watch import Report

    Image = NDArray[np.uint8]

REFUSED = 50
_log = logging.getLogger(__name__)
_GREEN, _RED, _BLACK = (80, 220, 80), (60, 60, 240), (0, 0, 0)  # BGR


class KeptFrames:
    """A ring of ``REFUSED`` pictures in a folder, the oldest written over, and ``answer``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._next: int | None = None
        self._is_told = False

    def keep(self, report: Report) -> None:
        """Write the frame, and the same with what was made out; a disk that cannot is no hindrance."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            name = "answer" if report.reading.reason is None else f"refused-{self._slot():02}"
            _write(self._folder / f"{name}.jpg", report.frame)
            _write(self._folder / f"{name}-overlay.jpg", overlay(report.frame, report.reading))
        except OSError as error:
            if not self._is_told:
                _log.warning("frames of dice are not kept: %s", error)
            self._is_told = True

    def _slot(self) -> int:
        """The place after the newest one."""
        if self._next is None:
            ages = {i: self._age(i) for i in range(REFUSED)}
            newest = max(ages, key=lambda i: ages[i])
            self._next = newest + 1 if ages[newest] else 0
        slot = self._next % REFUSED
        self._next = slot + 1
        return slot

    def _age(self, slot: int) -> float:
        path = self._folder / f"refused-{slot:02}.jpg"
        return path.stat().st_mtime if path.exists() else 0.0


def overlay(frame: Image, reading: Reading) -> Image:
    """``frame`` with the outlines and values of the dice, and the reason where there is one."""
    import cv2
    import numpy as np

    drawn = frame.copy()
    colour = _GREEN if reading.reason is None else _RED
    for die in reading.dice:
        points = np.round(np.array(die.outline_px)).astype(np.int32).reshape(-1, 2)
        if len(points):
            cv2.polylines(drawn, [points], isClosed=True, color=colour, thickness=1, lineType=cv2.LINE_AA)
            _label(drawn, str(die.value), (int(points[:, 0].max()) + 2, int(points[:, 1].max())), colour)
    text = str(reading.reason) if reading.reason else " ".join(map(str, reading.values or ()))
    _label(drawn, text, (6, 18), colour)
    return drawn


def _label(image: Image, text: str, at: tuple[int, int], colour: tuple[int, int, int]) -> None:
    import cv2

    for thickness, shade in ((3, _BLACK), (1, colour)):
        cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, shade, thickness, cv2.LINE_AA)


def _write(path: Path, image: Image) -> None:
    import cv2

    path.write_bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes())

"""The camera as a source of dice: people throw, it watches."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from hardware.dice.watch import Report, Watch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardware.dice.kept_frames import KeptFrames
    from hardware.dice.rig import Rig

    Image = NDArray[np.uint8]


class Camera(Protocol):
    """What brings frames: a real camera with its threads, or a simulated one."""

    def start(self, see: Callable[[Image, float], None], lose: Callable[[str], None]) -> None:
        """Give each frame and its moment (seconds, monotonic) to ``see``, always the newest; ``lose`` the
        reason, once, when no more will come.  Both are called from one thread of the camera's own.
        """

    def pace(self, interval_s: float) -> None:
        """Bring a frame about every ``interval_s``, from now on."""

    def close(self) -> None:
        """Let go of the camera; quiet when called twice."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """A throw that is wanted, or (``count`` 0) none."""

    count: int
    seen: Callable[[tuple[int, ...]], None]
    refused: Callable[[str], None]


class CameraDice:
    """A source that answers when people have thrown.

    All work on frames is done in the camera's thread; :meth:`want` only leaves a wish there, so that nobody
    ever waits for a frame.
    """

    def __init__(self, camera: Camera, rig: Rig, kept: KeptFrames | None = None) -> None:
        """``camera`` is taken over.  ``kept``: where refused frames go."""
        self._camera, self._kept = camera, kept
        self._watch = Watch(rig)
        self._wish: _Wish | None = None
        self._granted: _Wish | None = None  # the wish that the watch knows of
        self._lock = threading.Lock()  # around ``_lost`` and ``_reason``
        self._lost: Callable[[str], None] | None = None
        self._reason: str | None = None
        camera.start(self._see, self._lose)
        camera.pace(self._watch.interval_s)

    @property
    def name(self) -> str:
        """As in ``rolled``'s ``source``."""
        return "camera"

    def want(
        self, count: int, seen: Callable[[tuple[int, ...]], None], refused: Callable[[str], None]
    ) -> None:
        """Watch for a throw of ``count`` dice from now on; 0: no longer.  What lies there is no throw."""
        self._wish = _Wish(count, seen, refused)
        self._camera.pace(self._watch.interval_of(count))

    def watch(self, lost: Callable[[str], None]) -> None:
        """Call ``lost`` with the reason when no more frames will come, at once where that has been."""
        with self._lock:
            self._lost, reason = lost, self._reason
        if reason is not None:
            lost(reason)

    def close(self) -> None:
        """Let go of the camera."""
        self._camera.close()

    # In the camera's thread

    def _see(self, frame: Image, at: float) -> None:
        wish = self._wish
        if wish is not None and wish is not self._granted:
            self._watch.expect(wish.count)
            self._granted = wish
        report = self._watch.feed(frame, at)
        if report is not None and wish is not None:
            self._tell(wish, report)

    def _tell(self, wish: _Wish, report: Report) -> None:
        values, reason = report.reading.values, report.reading.reason
        if values is not None:
            # As they lie from left to right: that is how people see them.
            wish.seen(tuple(die.value for die in sorted(report.reading.dice, key=lambda die: die.centre)))
        elif reason is not None:
            wish.refused(str(reason))
        if self._kept is not None:
            self._kept.keep(report)

    def _lose(self, reason: str) -> None:
        with self._lock:
            self._reason, lost = reason, self._lost
        if lost is not None:
            lost(reason)

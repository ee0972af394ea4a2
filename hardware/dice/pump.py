"""A camera in threads of its own: one takes frames into a slot, the newest wins; one works on them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from firmware_host.errors import BoxkeeperError, DeviceLostError
from hardware.dice.frames import Frames

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Image = NDArray[np.uint8]

OPEN_S = 10.0  # a camera that takes longer to open hangs
LATE_S = 3.0  # a frame that is so late does not come
_EARLY = 0.7  # of the interval: a camera's own rate is not quite the one asked for


class Pump:
    """Frames of a camera, brought at a pace.

    The threads are daemons: a driver that hangs holds nobody up.  While one hangs the camera is not opened
    again, or each try would leave one more thread that hangs.
    """

    _hung: ClassVar[threading.Thread | None] = None  # who took from the camera, and did not end in time

    def __init__(
        self,
        open_frames: Callable[[], Frames],
        open_s: float = OPEN_S,
        late_s: float = LATE_S,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open the camera; raises what ``open_frames`` raises, DeviceLostError when it hangs."""
        if Pump._hung is not None and Pump._hung.is_alive():
            raise DeviceLostError("the camera hangs still: unplug it, or restart the Pi")
        self._late_s, self._now = late_s, now
        self._interval_s = 0.0
        self._news = threading.Condition()
        self._slot: tuple[Image, float] | None = None
        self._error: BoxkeeperError | None = None
        self._is_open = self._is_closed = False
        self._hurry = threading.Event()
        self._taker = threading.Thread(target=self._take, args=(open_frames,), name="camera", daemon=True)
        self._taker.start()
        with self._news:
            self._news.wait_for(lambda: self._is_open or self._error is not None, open_s)
            if not self._is_open:
                self._is_closed = True
                Pump._hung = self._taker
                raise self._error or DeviceLostError(f"the camera does not open within {open_s:g} s")

    def start(self, see: Callable[[Image, float], None], lose: Callable[[str], None]) -> None:
        """Give frames to ``see`` from now on, and to ``lose`` the reason when no more come."""
        threading.Thread(target=self._work, args=(see, lose), name="dice", daemon=True).start()

    def pace(self, interval_s: float) -> None:
        """Bring a frame about every ``interval_s``; the next one at once."""
        self._interval_s = interval_s
        self._hurry.set()

    def close(self) -> None:
        """Let go of the camera, within a bounded time."""
        with self._news:
            self._is_closed = True
            self._news.notify_all()
        self._hurry.set()
        if self._taker is not threading.current_thread():
            self._taker.join(self._late_s)
            if self._taker.is_alive():
                Pump._hung = self._taker

    # Taking frames

    def _take(self, open_frames: Callable[[], Frames]) -> None:
        try:
            frames = open_frames()
        except BoxkeeperError as error:
            self._tell(error)
            return
        try:
            with self._news:
                self._is_open = True
                self._news.notify_all()
            self._take_from(frames)
        except BoxkeeperError as error:
            self._tell(error)
        finally:
            frames.close()

    def _take_from(self, frames: Frames) -> None:
        taken_at = float("-inf")
        while not self._is_closed:
            spare_s = _EARLY * self._interval_s - (self._now() - taken_at)
            if spare_s > 0 and not self._hurry.is_set():
                if frames.is_queued:
                    frames.skip()
                else:
                    self._hurry.wait(spare_s)
                continue
            self._hurry.clear()
            if self._is_closed:  # the hurry may have been that
                return
            frame = frames.read()
            if frame is None:
                raise DeviceLostError("there are no more pictures")
            taken_at = self._now()
            with self._news:
                self._slot = (frame, taken_at)
                self._news.notify_all()

    def _tell(self, error: BoxkeeperError) -> None:
        with self._news:
            self._error = error
            self._news.notify_all()

    # Working on them

    def _work(self, see: Callable[[Image, float], None], lose: Callable[[str], None]) -> None:
        while True:
            with self._news:
                self._news.wait_for(
                    lambda: self._slot or self._is_closed or self._error, self._interval_s + self._late_s
                )
                slot, self._slot = self._slot, None
                if self._is_closed:
                    return
            if slot is None:
                lose(str(self._error or f"the camera brings no picture for {self._late_s:g} s"))
                return
            try:
                see(*slot)
            except Exception as error:  # noqa: BLE001  (whatever OpenCV raises: the thread must not die unheard)
                lose(f"a frame could not be worked on: {error}")
                return

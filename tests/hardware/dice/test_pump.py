"""The camera's threads: the newest frame wins, and nothing waits for ever."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("cv2", reason="reading dice needs OpenCV: pip install 'boxkeeper[camera]'")

import numpy as np

from firmware_host.errors import DeviceBusyError, DeviceLostError
from hardware.dice.pump import Pump

WAIT_S = 20.0  # a loaded machine; what is waited for comes at once


class FakeFrames:
    """Frames that a test hands over one by one; ``None`` ends them, an error is raised."""

    is_live = True
    fps = 15.0

    def __init__(self, is_queued: bool = False) -> None:
        self.is_queued = is_queued
        self.to_come: queue.Queue[Any] = queue.Queue()
        self.has_skipped = threading.Event()
        self.closed = threading.Event()

    def read(self) -> Any:
        frame = self.to_come.get()
        if isinstance(frame, Exception):
            raise frame
        return frame

    def skip(self) -> None:
        self.has_skipped.set()

    def controls(self) -> dict[str, float]:
        return {}

    def hold(self, controls: Any) -> None:
        pass

    def close(self) -> None:
        self.closed.set()


class Listener:
    def __init__(self, work: Callable[[Any], None] = lambda frame: None) -> None:
        self.seen: queue.Queue[int] = queue.Queue()
        self.lost: queue.Queue[str] = queue.Queue()
        self._work = work

    def see(self, frame: Any, at: float) -> None:
        self._work(frame)
        self.seen.put(int(frame[0, 0, 0]))

    def hear(self, pump: Pump) -> None:
        pump.start(self.see, self.lost.put)


def numbered(number: int) -> Any:
    return np.full((4, 4, 3), number, np.uint8)


def test_frames_come_in_order() -> None:
    frames, listener = FakeFrames(), Listener()
    pump = Pump(lambda: frames)
    listener.hear(pump)
    for number in (1, 2):
        frames.to_come.put(numbered(number))
        assert listener.seen.get(timeout=WAIT_S) == number
    frames.to_come.put(None)
    pump.close()


def test_the_newest_wins_while_one_is_worked_on() -> None:
    begun, going = threading.Event(), threading.Event()

    def work(_: Any) -> None:
        begun.set()
        going.wait(WAIT_S)

    frames, listener = FakeFrames(), Listener(work)
    pump = Pump(lambda: frames)
    frames.to_come.put(numbered(1))
    listener.hear(pump)
    assert begun.wait(WAIT_S)
    for number in (2, 3, 4):
        frames.to_come.put(numbered(number))
    frames.to_come.put(None)
    pump._taker.join(WAIT_S)
    going.set()
    seen = [listener.seen.get(timeout=WAIT_S), listener.seen.get(timeout=WAIT_S)]
    assert seen[0] < seen[1] == 4
    pump.close()


def test_the_end_of_the_pictures_is_said() -> None:
    frames, listener = FakeFrames(), Listener()
    listener.hear(Pump(lambda: frames))
    frames.to_come.put(None)
    assert "no more pictures" in listener.lost.get(timeout=WAIT_S)
    assert frames.closed.wait(WAIT_S)


def test_a_camera_that_dies_is_said() -> None:
    frames, listener = FakeFrames(), Listener()
    listener.hear(Pump(lambda: frames))
    frames.to_come.put(DeviceLostError("unplugged"))
    assert listener.lost.get(timeout=WAIT_S) == "unplugged"


def test_a_camera_that_hangs_is_said_within_a_bounded_time() -> None:
    frames, listener = FakeFrames(), Listener()
    listener.hear(Pump(lambda: frames, late_s=0.05))
    assert "brings no picture" in listener.lost.get(timeout=WAIT_S)
    frames.to_come.put(None)


def test_a_frame_that_cannot_be_worked_on_is_said() -> None:
    def fail(frame: Any) -> None:
        raise ValueError("no such colour")

    frames, listener = FakeFrames(), Listener(fail)
    listener.hear(Pump(lambda: frames))
    frames.to_come.put(numbered(1))
    assert "no such colour" in listener.lost.get(timeout=WAIT_S)
    frames.to_come.put(None)


def test_what_opening_raises_is_raised() -> None:
    def busy() -> FakeFrames:
        raise DeviceBusyError("in use")

    with pytest.raises(DeviceBusyError, match="in use"):
        Pump(busy)


def test_opening_that_hangs_ends_and_is_not_tried_again_while_it_hangs() -> None:
    going = threading.Event()

    def hang() -> FakeFrames:
        going.wait(WAIT_S)
        return late

    late, frames, threads = FakeFrames(), FakeFrames(), threading.active_count()
    with pytest.raises(DeviceLostError, match="does not open"):
        Pump(hang, open_s=0.05)
    for _ in range(3):
        with pytest.raises(DeviceLostError, match="hangs still"):
            Pump(hang, open_s=0.05)
    assert threading.active_count() == threads + 1
    going.set()
    assert late.closed.wait(WAIT_S)
    assert Pump._hung is not None
    Pump._hung.join(WAIT_S)
    pump = Pump(lambda: frames)
    frames.to_come.put(None)
    pump.close()


def slow(frames: FakeFrames, listener: Listener) -> Pump:
    """A pump that has brought two frames and now passes others by for long."""
    pump = Pump(lambda: frames)
    pump.pace(1000.0)
    listener.hear(pump)
    for number in (1, 2):  # the second may have been asked for already
        frames.to_come.put(numbered(number))
    while listener.seen.get(timeout=WAIT_S) != 2:
        pass
    return pump


def test_closing_ends_it_and_lets_go() -> None:
    frames, listener = FakeFrames(is_queued=True), Listener()
    slow(frames, listener).close()
    assert frames.closed.wait(WAIT_S)
    assert listener.lost.empty()


def test_between_two_frames_of_use_those_that_wait_are_skipped() -> None:
    frames, listener = FakeFrames(is_queued=True), Listener()
    pump = slow(frames, listener)
    assert frames.has_skipped.wait(WAIT_S)
    pump.pace(0.0)
    frames.to_come.put(numbered(3))
    assert listener.seen.get(timeout=WAIT_S) == 3
    frames.to_come.put(None)
    pump.close()

"""A device that may be absent, get lost and come back: said once, tried again ever more slowly."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

import pytest

from firmware_host.errors import DeviceLostError, DeviceNotFoundError
from firmware_host.service.supervise import Supervised
from sim.clock import VirtualLoop


class Device:
    """Counts how often it was closed; ``trouble``: what closing raises."""

    def __init__(self, trouble: Exception | None = None) -> None:
        self.closed, self._trouble = 0, trouble

    def close(self) -> None:
        self.closed += 1
        if self._trouble is not None:
            raise self._trouble


class Bay:
    """Where a device may be plugged in; a log of what the supervisor did and said, with moments."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.device: Device | None = None
        self.opens: list[float] = []
        self.said: list[tuple[float, str]] = []
        self.supervised = Supervised("device", self._open, self._opened, self._lost)

    def _open(self) -> Device:
        self.opens.append(self.loop.time())  # stands still while the worker is busy
        if self.device is None:
            raise DeviceNotFoundError("nothing there")
        return self.device

    def _opened(self, device: Device) -> None:
        assert device is self.device
        self.said.append((self.loop.time(), "back"))

    def _lost(self, reason: str) -> None:
        self.said.append((self.loop.time(), f"lost: {reason}"))


def watch(play: Callable[[Bay], Awaitable[None]]) -> Bay:
    """``play`` in virtual time while a supervisor keeps the bay's device."""

    async def run() -> Bay:
        bay = Bay()
        task = asyncio.create_task(bay.supervised.keep())
        await play(bay)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await bay.supervised.close()
        return bay

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(run())


def test_an_absent_device_is_said_once_and_tried_again_after_half_a_second_doubling_to_five() -> None:
    bay = watch(lambda _: asyncio.sleep(25))
    assert bay.said == [(0, "lost: nothing there")]
    assert bay.opens == [0, 0.5, 1.5, 3.5, 7.5, 12.5, 17.5, 22.5]


def test_when_it_comes_it_is_there_at_the_next_try_and_said_once() -> None:
    async def play(bay: Bay) -> None:
        await asyncio.sleep(8)
        bay.device = Device()
        await asyncio.sleep(60)

    bay = watch(play)
    assert bay.said == [(0, "lost: nothing there"), (12.5, "back")]
    assert len(bay.opens) == 6


def test_a_device_that_fails_is_closed_said_once_and_opened_anew() -> None:
    device = Device()

    async def play(bay: Bay) -> None:
        bay.device = device
        await asyncio.sleep(3)
        for _ in range(3):
            bay.supervised.fail("no answer")
        await asyncio.sleep(0.4)
        bay.supervised.fail("still none")
        assert bay.supervised.device is None
        await asyncio.sleep(10)

    bay = watch(play)
    assert bay.said == [(0, "back"), (3, "lost: no answer"), (3.5, "back")]
    assert device.closed == 2


def test_after_it_was_back_the_waits_begin_small_again() -> None:
    async def play(bay: Bay) -> None:
        await asyncio.sleep(10)
        bay.device = Device()
        await asyncio.sleep(5)
        bay.opens.clear()
        bay.device = None
        bay.supervised.fail("unplugged")
        await asyncio.sleep(8)

    bay = watch(play)
    assert bay.opens == [pytest.approx(at) for at in (15.5, 16, 17, 19)]
    assert [text for _, text in bay.said] == ["lost: nothing there", "back", "lost: unplugged"]


@pytest.mark.parametrize("trouble", [OSError("gone"), DeviceLostError("gone")])
def test_trouble_in_closing_changes_nothing(trouble: Exception) -> None:
    async def play(bay: Bay) -> None:
        bay.device = Device(trouble)
        await asyncio.sleep(1)
        bay.supervised.fail("no answer")
        await asyncio.sleep(1)

    assert [text for _, text in watch(play).said] == ["back", "lost: no answer", "back"]


def test_a_fault_of_our_own_is_not_taken_for_a_lost_device() -> None:
    def broken() -> Device:
        raise ZeroDivisionError

    async def run() -> None:
        await Supervised("device", broken, lambda _: None, lambda _: None).keep()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner, pytest.raises(ZeroDivisionError):
        runner.run(run())

"""The display in its worker: the latest wins, and a panel that is gone is found out."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable

import pytest
from PIL import Image

from firmware_host.errors import DeviceLostError, DeviceNotFoundError
from firmware_host.ports import Display
from firmware_host.screens.picture import draw
from firmware_host.screens.text import lines
from firmware_host.service.panel import PROBE_S, Panel
from firmware_host.table.view import Brightness, Scene, View
from hardware.display.oled import Oled
from sim.clock import VirtualLoop
from sim.devices.i2c_bus import I2cBus
from sim.devices.ssd1306 import Ssd1306

TIMEOUT_S = 10


def view_for(player: str) -> View:
    return View(Scene.ROLL, player=player, dice_allowed=(2,), tiles=tuple(range(1, 10)))


class Slow:
    """A display that holds each picture until it is let go."""

    def __init__(self) -> None:
        self.images: list[bytes] = []
        self.calls: list[str] = []
        self.started, self.go = threading.Event(), threading.Event()
        self.is_gone = False

    def show(self, image: Image.Image) -> None:
        self.started.set()
        assert self.go.wait(TIMEOUT_S)
        self._check()
        self.images.append(image.tobytes())

    def refresh(self) -> None: ...

    def dim(self, level: int) -> None:
        self._check()
        self.calls.append(f"dim {level}")

    def power(self, on: bool) -> None:
        self._check()
        self.calls.append(f"power {on}")

    def close(self, blank: bool) -> None:
        self.calls.append(f"close blank={blank}")

    def _check(self) -> None:
        if self.is_gone:
            raise DeviceLostError("Remote I/O error")


class Wall:
    """A panel with what it said."""

    def __init__(self, open_display: Callable[[], Display | None], blank_at_exit: bool) -> None:
        self.said: list[str] = []
        self.texts: list[tuple[str, ...]] = []
        self.panel = Panel(
            open_display,
            lambda name: self.said.append(f"{name} back"),
            lambda name, reason: self.said.append(f"{name} lost: {reason}"),
            self.texts.append,
            blank_at_exit=blank_at_exit,
        )


def run(
    open_display: Callable[[], Display | None],
    play: Callable[[Wall], Awaitable[None]],
    *,
    loop: Callable[[], asyncio.AbstractEventLoop] = VirtualLoop,
    blank_at_exit: bool = False,
) -> Wall:
    async def scene() -> Wall:
        wall = Wall(open_display, blank_at_exit)
        task = asyncio.create_task(wall.panel.keep())
        await play(wall)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await wall.panel.close()
        return wall

    with asyncio.Runner(loop_factory=loop) as runner:
        return runner.run(scene())


async def until(holds: Callable[[], bool]) -> None:
    """The real loop's turns until ``holds``."""
    async with asyncio.timeout(TIMEOUT_S):
        while not holds():
            await asyncio.sleep(0)


@pytest.mark.parametrize("count", [1, 50])
def test_a_slow_display_delays_nobody_and_gets_only_the_latest(count: int) -> None:
    display = Slow()

    async def play(wall: Wall) -> None:
        wall.panel.show(view_for("first"))
        await until(display.started.is_set)
        for i in range(count):  # the loop goes on while the worker hangs in the first picture
            wall.panel.show(view_for(f"P{i}"))
            await asyncio.sleep(0)
        assert display.images == []
        display.go.set()
        await until(lambda: len(wall.texts) == 2)

    wall = run(lambda: display, play, loop=asyncio.new_event_loop)
    wanted = [view_for("first"), view_for(f"P{count - 1}")]
    assert display.images == [draw(view).tobytes() for view in wanted]
    assert wall.texts == [lines(view) for view in wanted]


def test_the_text_is_told_when_it_is_on_the_panel_and_only_when_it_changes() -> None:
    display = Slow()
    display.go.set()

    async def play(wall: Wall) -> None:
        wall.panel.show(view_for("Ann"))
        await asyncio.sleep(0.1)
        wall.panel.show(view_for("Ann"))
        await asyncio.sleep(0.1)
        assert wall.panel.is_current
        assert wall.panel.lines == lines(view_for("Ann"))

    assert run(lambda: display, play).texts == [lines(view_for("Ann"))]


def test_no_display_is_no_loss() -> None:
    async def play(wall: Wall) -> None:
        wall.panel.show(view_for("Ann"))
        await asyncio.sleep(60)

    wall = run(lambda: None, play)
    assert not any("lost" in text for text in wall.said)
    assert wall.texts == []


def on_bus(bus: I2cBus) -> Callable[[], Display]:
    from luma.core.interface.serial import i2c

    return lambda: Oled(i2c(bus=bus, address=0x3C))


@pytest.fixture
def chip() -> Ssd1306:
    return Ssd1306(seed=7)


@pytest.fixture
def bus(chip: Ssd1306) -> I2cBus:
    bus = I2cBus()
    bus.attach(0x3C, chip)
    return bus


@pytest.mark.parametrize("transactions", [0, 1, 2, 9, 20])
def test_lost_in_mid_frame_the_whole_latest_frame_is_there_after(
    chip: Ssd1306, bus: I2cBus, transactions: int
) -> None:
    async def play(wall: Wall) -> None:
        wall.panel.show(view_for("Ann"))
        await asyncio.sleep(1)
        bus.fail_after(transactions)
        wall.panel.show(View(Scene.TITLE))
        await asyncio.sleep(0.2)
        assert wall.panel.lines == ()
        wall.panel.show(view_for("Bob"))
        await asyncio.sleep(5)
        chip.reset()  # it lost its power as well
        bus.mend()
        await asyncio.sleep(6)
        assert chip.pixels() == draw(view_for("Bob")).tobytes()

    wall = run(on_bus(bus), play)
    assert [text.partition(":")[0] for text in wall.said] == ["display back", "display lost", "display back"]
    assert wall.texts == [lines(view_for("Ann")), lines(view_for("Bob"))]


def test_a_panel_that_dies_under_a_static_picture_is_found_out(chip: Ssd1306, bus: I2cBus) -> None:
    async def play(wall: Wall) -> None:
        wall.panel.show(view_for("Ann"))
        await asyncio.sleep(3)
        bus.detach(0x3C)
        chip.reset()
        await asyncio.sleep(PROBE_S)
        assert wall.said[-1].startswith("display lost")
        bus.attach(0x3C, chip)
        await asyncio.sleep(6)
        assert chip.pixels() == draw(view_for("Ann")).tobytes()

    assert run(on_bus(bus), play).texts == [lines(view_for("Ann"))] * 2


def test_a_probe_sends_next_to_nothing(bus: I2cBus) -> None:
    async def play(wall: Wall) -> None:
        wall.panel.show(view_for("Ann"))
        await asyncio.sleep(3)
        before = bus.bytes_on_bus
        await asyncio.sleep(60 * PROBE_S)
        # In ten minutes ten times the whole picture with its settings, else four bytes each time.
        assert 0 < bus.bytes_on_bus - before <= 10 * 1200 + 51 * 8

    run(on_bus(bus), play)


def test_an_absent_display_comes_up_with_the_view_of_then(chip: Ssd1306, bus: I2cBus) -> None:
    bus.detach(0x3C)

    async def play(wall: Wall) -> None:
        for name in ("Ann", "Bob"):
            wall.panel.show(view_for(name))
            await asyncio.sleep(2)
        assert wall.panel.is_current, "nobody waits for a panel that is not there"
        bus.attach(0x3C, chip)
        await asyncio.sleep(5)
        assert chip.pixels() == draw(view_for("Bob")).tobytes()

    assert run(on_bus(bus), play).texts == [lines(view_for("Bob"))]


def test_asleep_it_is_dark_and_any_later_view_wakes_it(chip: Ssd1306, bus: I2cBus) -> None:
    async def play(wall: Wall) -> None:
        for brightness in (Brightness.FULL, Brightness.DIM, Brightness.OFF):
            wall.panel.show(View(Scene.TITLE, brightness=brightness))
            await asyncio.sleep(1)
        assert not chip.is_on
        await asyncio.sleep(3 * PROBE_S)
        assert not chip.is_on
        wall.panel.show(view_for("Ann"))
        await asyncio.sleep(1)
        assert chip.is_on
        assert chip.pixels() == draw(view_for("Ann")).tobytes()

    run(on_bus(bus), play)


@pytest.mark.parametrize("blank", [True, False])
def test_fault_13_at_exit_it_is_left_as_configured(blank: bool) -> None:
    display = Slow()
    display.go.set()
    run(lambda: display, lambda _: asyncio.sleep(1), blank_at_exit=blank)
    assert display.calls[-1] == f"close blank={blank}"


def test_finish_draws_the_last_view_even_when_the_drawing_of_it_was_cancelled() -> None:
    display = Slow()

    async def play(wall: Wall) -> None:
        await until(display.started.is_set)

    async def scene() -> None:
        wall = Wall(lambda: display, blank_at_exit=False)
        task = asyncio.create_task(wall.panel.keep())
        await play(wall)
        display.go.set()
        await until(lambda: bool(wall.texts))
        display.started.clear()
        display.go.clear()
        wall.panel.show(view_for("Ann"))
        await until(display.started.is_set)
        task.cancel()  # what it draws now will never be told
        with contextlib.suppress(asyncio.CancelledError):
            await task
        display.go.set()
        await wall.panel.finish()
        assert wall.texts[-1] == lines(view_for("Ann"))
        assert display.images[-1] == draw(view_for("Ann")).tobytes()
        await wall.panel.close()

    asyncio.run(scene())


@pytest.mark.parametrize("turns", range(10))
def test_it_ends_when_told_to_however_soon_after_a_new_view(turns: int) -> None:
    async def scene() -> None:
        wall = Wall(lambda: None, blank_at_exit=False)
        task = asyncio.create_task(wall.panel.keep())
        await asyncio.sleep(1)
        wall.panel.show(view_for("Ann"))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=60)
        assert done, "the cancellation was lost"
        assert task.cancelled()
        await wall.panel.close()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(scene())


def test_a_display_that_cannot_be_opened_is_said_once() -> None:
    def nothing() -> Display:
        raise DeviceNotFoundError("no OLED at 0x3c")

    assert run(nothing, lambda _: asyncio.sleep(60)).said == ["display lost: no OLED at 0x3c"]


def test_the_first_picture_is_waited_for_until_it_is_there_and_no_longer_where_none_can_be() -> None:
    display = Slow()

    async def slow(wall: Wall) -> None:
        first = asyncio.create_task(wall.panel.first_picture())
        await until(display.started.is_set)
        await asyncio.sleep(0)
        assert not first.done()
        display.go.set()
        async with asyncio.timeout(TIMEOUT_S):
            await first
        assert display.images

    async def at_once(wall: Wall) -> None:
        async with asyncio.timeout(0.1):
            await wall.panel.first_picture()

    def absent() -> Display:
        raise DeviceNotFoundError("nothing there")

    run(lambda: display, slow, loop=asyncio.new_event_loop)
    run(absent, at_once)
    run(lambda: None, at_once)

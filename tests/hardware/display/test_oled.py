"""The OLED adapter through luma, a simulated bus and a simulated panel."""

from __future__ import annotations

import atexit
import errno
import random
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from luma.core.interface.serial import i2c
from PIL import Image

from firmware_host.errors import DeviceLostError, DeviceNotFoundError
from hardware.display.oled import Oled, page_order
from sim.devices.i2c_bus import I2cBus
from sim.devices.ssd1306 import Ssd1306

ADDRESS = 0x3C
WHOLE_BYTES = 1096
BLANK = Image.new("1", (128, 64), 0)
FULL = Image.new("1", (128, 64), 1)
ROOT = Path(__file__).parents[3]


class Serial(i2c):  # type: ignore[misc]
    """luma's interface; tells whether it was released."""

    is_released = False

    def cleanup(self) -> None:
        self.is_released = True
        super().cleanup()


@dataclass
class Bench:
    """A panel on a bus, unplugged and plugged in as a builder would."""

    bus: I2cBus = field(default_factory=lambda: I2cBus(keep_log=True))
    panel: Ssd1306 = field(default_factory=Ssd1306)

    def __post_init__(self) -> None:
        self.bus.attach(ADDRESS, self.panel)

    def serial(self) -> Serial:
        return Serial(bus=self.bus, address=ADDRESS)

    def opened(self) -> Oled:
        return Oled(self.serial())

    def unplug(self) -> None:
        self.bus.detach(ADDRESS)

    def plug_in(self) -> None:
        self.panel.reset()
        self.bus.attach(ADDRESS, self.panel)
        self.bus.mend()

    def sent_by_showing(self, oled: Oled, image: Image.Image) -> int:
        before = self.bus.bytes_on_bus
        oled.show(image)
        return self.bus.bytes_on_bus - before


@pytest.fixture
def bench() -> Bench:
    return Bench()


def noise(seed: int) -> Image.Image:
    return Image.frombytes("1", (128, 64), random.Random(seed).randbytes(1024))


@st.composite
def sequences(draw: st.DrawFn) -> list[Image.Image]:
    """Pictures, each made of the one before by a few rectangles, or quite another."""
    image = draw(st.sampled_from([BLANK, FULL, noise(1)]))
    images = [image]
    for _ in range(draw(st.integers(0, 5))):
        image = image.copy()
        for _ in range(draw(st.integers(0, 4))):
            left, top = draw(st.integers(0, 127)), draw(st.integers(0, 63))
            width, height = draw(st.integers(1, 48)), draw(st.integers(1, 32))
            image.paste(draw(st.integers(0, 1)), (left, top, left + width, top + height))
        images.append(image)
    return images


# -- pictures --------------------------------------------------------------------------------------


def test_opened_panel_is_blank_and_on(bench: Bench) -> None:
    bench.opened()
    assert bench.panel.is_on
    assert bench.panel.contrast == 0xCF
    assert bench.panel.pixels() == bytes(1024)


def test_panel_is_blanked_before_it_is_turned_on(bench: Bench) -> None:
    bench.opened()
    turned_on = bench.bus.log.index((ADDRESS, b"\x00\xaf"))
    assert turned_on == len(bench.bus.log) - 1
    assert sum(len(payload) - 1 for _, payload in bench.bus.log if payload[0] == 0x40) == 1024


def test_page_order_by_example() -> None:
    image = BLANK.copy()
    image.putpixel((0, 0), 1)
    image.putpixel((1, 7), 1)
    image.putpixel((127, 56), 1)
    image.putpixel((127, 63), 1)
    assert page_order(image) == b"\x01\x80" + bytes(1021) + b"\x81"


@given(st.integers(0, 2**32))
def test_page_order_pixel_by_pixel(seed: int) -> None:
    image = noise(seed)
    frame = page_order(image)
    assert len(frame) == 1024
    for y in range(0, 64, 7):
        for x in range(128):
            assert bool(image.getpixel((x, y))) == bool(frame[y // 8 * 128 + x] >> y % 8 & 1)


def test_first_picture_is_sent_whole_and_the_same_again_not_at_all(bench: Bench) -> None:
    oled = bench.opened()
    assert bench.sent_by_showing(oled, BLANK) == WHOLE_BYTES
    assert bench.sent_by_showing(oled, BLANK.copy()) == 0


def test_small_change_is_sent_small(bench: Bench) -> None:
    oled = bench.opened()
    oled.show(BLANK)
    image = BLANK.copy()
    image.paste(1, (40, 16, 64, 48))
    assert bench.sent_by_showing(oled, image) == 8 + 96 + 3 * 2
    assert bench.panel.pixels() == image.tobytes()


def test_commands_go_out_in_one_transaction_each(bench: Bench) -> None:
    oled = bench.opened()
    bench.bus.log.clear()
    oled.show(BLANK)
    assert bench.bus.log[0] == (ADDRESS, bytes.fromhex("00 21 00 7F 22 00 07"))
    assert {len(payload) for _, payload in bench.bus.log[1:]} == {33}


@given(sequences())
def test_panel_shows_each_picture_of_a_sequence(images: list[Image.Image]) -> None:
    bench = Bench()
    oled = bench.opened()
    for image in images:
        assert bench.sent_by_showing(oled, image) <= WHOLE_BYTES
        assert bench.panel.pixels() == image.tobytes()
    assert bench.panel.unknown == []


@given(st.lists(st.integers(0, 2**32), min_size=1, max_size=4))
def test_panel_shows_noise(seeds: list[int]) -> None:
    bench = Bench()
    oled = bench.opened()
    for seed in seeds:
        oled.show(noise(seed))
        assert bench.panel.pixels() == noise(seed).tobytes()


def test_picture_may_be_changed_after_it_was_shown(bench: Bench) -> None:
    oled = bench.opened()
    image = BLANK.copy()
    oled.show(image)
    image.paste(1, (0, 0, 9, 9))
    oled.show(image)
    assert bench.panel.pixels() == image.tobytes()


@pytest.mark.parametrize(("mode", "size"), [("L", (128, 64)), ("1", (64, 128)), ("1", (128, 32))])
def test_wrong_picture_is_the_callers_mistake(bench: Bench, mode: str, size: tuple[int, int]) -> None:
    oled = bench.opened()
    with pytest.raises(ValueError, match="128, 64"):
        oled.show(Image.new(mode, size))
    oled.show(FULL)
    assert bench.panel.pixels() == FULL.tobytes()


# -- contrast and power ----------------------------------------------------------------------------


def test_dim_sets_the_contrast(bench: Bench) -> None:
    oled = bench.opened()
    for level in (0, 16, 255):
        oled.dim(level)
        assert bench.panel.contrast == level


@pytest.mark.parametrize("level", [-1, 256])
def test_contrast_out_of_range_is_the_callers_mistake(bench: Bench, level: int) -> None:
    oled = bench.opened()
    with pytest.raises(ValueError, match="contrast"):
        oled.dim(level)
    assert bench.panel.contrast == 0xCF


def test_asleep_it_takes_a_picture_and_wakes_with_it(bench: Bench) -> None:
    oled = bench.opened()
    oled.show(BLANK)
    oled.power(False)
    assert not bench.panel.is_on
    oled.show(FULL)
    assert bench.panel.pixels() == bytes(1024)
    oled.power(True)
    assert bench.panel.pixels() == FULL.tobytes()


# -- loss ------------------------------------------------------------------------------------------

FAILURES = pytest.mark.parametrize("number", [errno.EREMOTEIO, errno.EIO, errno.ETIMEDOUT, errno.ENXIO])


def test_absent_panel_is_not_found_and_the_bus_released(bench: Bench) -> None:
    bench.unplug()
    serial = bench.serial()
    with pytest.raises(DeviceNotFoundError, match="0x3C"):
        Oled(serial)
    assert serial.is_released


@FAILURES
@pytest.mark.parametrize("transactions", [0, 1, 2, 3, 20, 35])
def test_panel_that_fails_while_it_starts_is_not_found(bench: Bench, number: int, transactions: int) -> None:
    bench.bus.fail_after(transactions, number)
    with pytest.raises(DeviceNotFoundError):
        bench.opened()


@FAILURES
@pytest.mark.parametrize("transactions", [0, 1, 17, 32])  # in the command, and in the data
def test_every_failure_in_a_picture_is_a_loss(bench: Bench, number: int, transactions: int) -> None:
    oled = bench.opened()
    bench.bus.fail_after(transactions, number)
    with pytest.raises(DeviceLostError) as caught:
        oled.show(FULL)
    assert caught.value.__cause__ is not None


@FAILURES
def test_every_failure_of_a_command_is_a_loss(bench: Bench, number: int) -> None:
    for act in (lambda oled: oled.dim(3), lambda oled: oled.power(False), lambda oled: oled.close(True)):
        oled = bench.opened()
        bench.bus.fail_after(0, number)
        with pytest.raises(DeviceLostError):
            act(oled)
        bench.bus.mend()


def test_lost_panel_stays_lost_and_off_the_bus(bench: Bench) -> None:
    oled = bench.opened()
    bench.unplug()
    with pytest.raises(DeviceLostError):
        oled.show(FULL)
    bench.plug_in()
    before = bench.bus.bytes_on_bus
    for act in (lambda: oled.show(BLANK), lambda: oled.dim(1), lambda: oled.power(True)):
        with pytest.raises(DeviceLostError, match="before"):
            act()
    oled.close(blank=True)
    assert bench.bus.bytes_on_bus == before


@given(sequences(), st.integers(0, 70), st.sampled_from([errno.EREMOTEIO, errno.ETIMEDOUT]))
def test_lost_in_mid_frame_a_new_one_shows_the_same(images: list[Image.Image], cut: int, number: int) -> None:
    bench = Bench()
    oled = bench.opened()
    bench.bus.fail_after(cut, number)
    try:
        for image in images:
            oled.show(image)
    except DeviceLostError:
        bench.plug_in()
        oled = bench.opened()
    oled.show(images[-1])
    assert bench.panel.pixels() == images[-1].tobytes()
    assert bench.panel.contrast == 0xCF


# -- the end ---------------------------------------------------------------------------------------


def test_close_leaves_the_last_picture(bench: Bench) -> None:
    serial = bench.serial()
    oled = Oled(serial)
    oled.show(FULL)
    oled.close(blank=False)
    assert bench.panel.pixels() == FULL.tobytes()
    assert serial.is_released


def test_close_blank_is_off_with_nothing_left_in_the_ram(bench: Bench) -> None:
    serial = bench.serial()
    oled = Oled(serial)
    oled.show(FULL)
    oled.close(blank=True)
    assert not bench.panel.is_on
    bench.panel.write(b"\x00\xaf")
    assert bench.panel.pixels() == bytes(1024)
    assert serial.is_released


def test_close_releases_the_bus_even_if_the_panel_is_gone(bench: Bench) -> None:
    serial = bench.serial()
    oled = Oled(serial)
    bench.unplug()
    with pytest.raises(DeviceLostError):
        oled.close(blank=True)
    assert serial.is_released


def test_closed_panel_takes_no_more_pictures_and_may_be_closed_again(bench: Bench) -> None:
    oled = bench.opened()
    oled.close(blank=False)
    with pytest.raises(DeviceLostError, match="closed"):
        oled.show(FULL)
    oled.close(blank=True)
    assert bench.panel.is_on


def test_nothing_is_left_to_run_at_exit(bench: Bench) -> None:
    before = atexit._ncallbacks()
    bench.opened()
    bench.unplug()
    with pytest.raises(DeviceNotFoundError):
        bench.opened()
    assert atexit._ncallbacks() == before


AT_EXIT = """
import atexit
from luma.core.interface.serial import i2c
from PIL import Image
from sim.devices.i2c_bus import I2cBus
from sim.devices.ssd1306 import Ssd1306

bus, panel, image = I2cBus(), Ssd1306(), Image.new("1", (128, 64), 1)
bus.attach(0x3C, panel)
atexit.register(lambda: print("kept" if panel.pixels() == image.tobytes() else "disturbed"))  # runs last

from hardware.display.oled import Oled
oled = Oled(i2c(bus=bus))
oled.show(image)
oled.close(blank=False)
"""


def test_picture_stays_after_the_process_has_ended() -> None:
    done = subprocess.run(
        [sys.executable, "-c", AT_EXIT], cwd=ROOT, capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout.split() == ["kept"]


def test_a_panel_that_was_without_power_for_a_moment_shows_all_again_when_it_is_refreshed() -> None:
    bus, panel = I2cBus(), Ssd1306()
    bus.attach(ADDRESS, panel)
    oled = Oled(i2c(bus=bus, address=ADDRESS))
    image = Image.new("1", (128, 64))
    image.paste(1, (10, 10, 60, 40))
    oled.show(image)
    oled.dim(1)
    before = panel.pixels()
    oled.refresh()
    assert panel.pixels() == before
    panel.reset()
    oled.refresh()
    assert (panel.pixels(), panel.contrast, panel.is_on, panel.unknown) == (before, 1, True, [])

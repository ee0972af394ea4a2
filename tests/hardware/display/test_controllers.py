"""Every controller, on I2C and on SPI, shows the same pictures; an SSD1306's own suite is ``test_oled``."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st
from luma.core.interface.serial import i2c
from PIL import Image

from firmware_host.errors import DeviceLostError, DeviceNotFoundError
from hardware.display.controllers import CONTROLLERS
from hardware.display.frame_diff import PAGED, WHOLE, Window, bus_bytes, plan
from hardware.display.oled import Oled
from hardware.spi import SpiInterface
from sim.clock import VirtualLoop
from sim.devices.sh1106 import Sh1106
from sim.devices.spi_display import spi_display
from sim.devices.ssd1306 import Ssd1306
from sim.world import OLED_ADDRESS, World

WAYS = [(controller, bus) for controller in CONTROLLERS for bus in ("i2c", "spi")]
every_way = pytest.mark.parametrize(("controller", "bus"), WAYS)


def a_world(controller: str) -> World:
    world = World(VirtualLoop(), (), seed=3)
    world.fit_panel(controller)
    return world


def opened(world: World, controller: str, bus: str) -> Oled:
    if bus == "spi":
        return Oled(spi_display(world, MockFactory(), dc=12, reset=18), CONTROLLERS[controller])
    return Oled(i2c(bus=world.i2c, address=OLED_ADDRESS), CONTROLLERS[controller])


def noise(seed: int) -> Image.Image:
    return Image.frombytes("1", (128, 64), random.Random(seed).randbytes(1024))


@every_way
def test_it_starts_dark_and_on_and_shows_every_picture(controller: str, bus: str) -> None:
    world = a_world(controller)
    oled = opened(world, controller, bus)
    assert world.panel.is_on
    assert world.panel.pixels() == bytes(1024)
    patched = noise(1)
    patched.paste(1, (5, 9, 40, 30))
    for image in (noise(1), patched, Image.new("1", (128, 64)), noise(2)):
        oled.show(image)
        assert world.panel.pixels() == image.tobytes()
    assert world.panel.unknown == []
    world.loop.close()


@every_way
def test_it_dims_sleeps_wakes_and_heals_after_a_moment_without_power(controller: str, bus: str) -> None:
    world = a_world(controller)
    oled = opened(world, controller, bus)
    oled.show(noise(1))
    oled.dim(7)
    oled.power(False)
    assert world.panel.pixels() == bytes(1024)
    oled.power(True)
    assert (world.panel.pixels(), world.panel.contrast) == (noise(1).tobytes(), 7)
    world.panel.reset()
    oled.refresh()
    assert (world.panel.pixels(), world.panel.contrast) == (noise(1).tobytes(), 7)
    oled.close(blank=True)
    assert not world.panel.is_on
    world.loop.close()


@pytest.mark.parametrize("controller", CONTROLLERS)
def test_on_i2c_it_is_lost_when_its_cable_is_out(controller: str) -> None:
    world = a_world(controller)
    oled = opened(world, controller, "i2c")
    world.unplug_oled()
    with pytest.raises(DeviceLostError):
        oled.show(noise(1))
    with pytest.raises(DeviceNotFoundError):
        opened(world, controller, "i2c")
    world.plug_oled()
    opened(world, controller, "i2c").show(noise(2))
    assert world.panel.pixels() == noise(2).tobytes()
    world.loop.close()


def test_on_spi_a_failure_of_the_kernel_is_a_loss() -> None:
    class Dead:
        value = False

        def writebytes(self, _values: object) -> None:
            raise OSError(5, "Input/output error")

        def close(self) -> None: ...

    with pytest.raises(DeviceNotFoundError, match="Input/output error"):
        Oled(SpiInterface(Dead(), Dead(), None))


def test_reset_comes_before_the_first_word() -> None:
    world = a_world("ssd1306")
    told: list[str] = []
    reset: Callable[[], None] = world.panel.reset
    world.panel.reset = lambda: (told.append("reset"), reset())[1]  # type: ignore[method-assign]
    opened(world, "ssd1306", "spi")
    assert told == ["reset"]
    world.loop.close()


def test_page_by_page_a_whole_frame_costs_what_luma_sends() -> None:
    assert bus_bytes([WHOLE], PAGED) == 1128
    assert plan(None, bytes(1024), PAGED) == (WHOLE,)


@given(st.lists(st.tuples(st.integers(0, 1023), st.integers(1, 255)), max_size=60))
def test_page_by_page_every_change_is_in_a_window_and_none_costs_more_than_all(
    changes: list[tuple[int, int]],
) -> None:
    old, new = bytes(1024), bytearray(1024)
    for at, value in changes:
        new[at] = value
    windows = plan(old, bytes(new), PAGED)
    shown = bytearray(old)
    for window in windows:
        for page in range(window.first_page, window.last_page + 1):
            part = Window(page, page, window.first_column, window.last_column)
            start = 128 * page + window.first_column
            shown[start : start + part.columns] = part.data(bytes(new))
    assert shown == new
    assert bus_bytes(windows, PAGED) <= 1128


def test_the_worlds_panel_is_the_one_of_the_config() -> None:
    world = a_world("sh1106")
    assert isinstance(world.panel, Sh1106)
    world.fit_panel("ssd1309")
    assert isinstance(world.panel, Ssd1306)
    world.loop.close()

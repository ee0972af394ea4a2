"""The bundle of devices: what the config names is opened on the buses it is given, and nothing before."""

from __future__ import annotations

import errno
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from firmware_host.config import Config
from firmware_host.config_wiring import SerialConfig
from firmware_host.errors import ConfigError, DeviceNotFoundError
from firmware_host.ports import Backend
from hardware.backend import DeviceSet, open_backend
from hardware.buses import BusSet
from hardware.pinmap import BUTTON_PINS, TILE_PINS
from hardware.spi import SpiInterface
from sim.devices.i2c_bus import I2cBus
from sim.devices.mcp23017 import Mcp23017

if TYPE_CHECKING:
    from luma.core.interface.serial import i2c


def a_config(**changes: Any) -> Config:
    """The default config but for ``changes``: tiles__pull="down"."""
    config = Config()
    for key, value in changes.items():
        section, _, name = key.partition("__")
        changed = replace(getattr(config, section), **{name: value})
        config = replace(config, **{section: changed})
    return config


class FakeSmbus:
    """A bus with a panel that takes everything, or with nothing on it."""

    def __init__(self, is_empty: bool = False) -> None:
        self.is_empty = is_empty
        self.addresses: set[int] = set()

    def write_i2c_block_data(self, address: int, _register: int, _data: object) -> None:
        if self.is_empty:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        self.addresses.add(address)


class FakeCamera:
    """A camera that brings nothing."""

    def start(self, see: Any, lose: Any) -> None:
        pass

    def pace(self, interval_s: float) -> None:
        pass

    def close(self) -> None:
        pass


class FakeBuses:
    """A set of buses as the simulator has one, with a record of what was asked of it."""

    def __init__(self, smbus: FakeSmbus | None = None) -> None:
        self.factory = MockFactory()
        self.asked: list[object] = []
        self.panel_bus = smbus or FakeSmbus()
        self.chips = I2cBus()
        for address in (0x20, 0x21):
            self.chips.attach(address, Mcp23017())

    def pins(self, backend: str) -> Any:
        self.asked.append(backend)
        return self.factory

    def camera(self, device: str, size: tuple[int, int], controls: Any) -> Any:
        self.asked.append((device, size, dict(controls)))
        return FakeCamera()

    def i2c(self, bus: int, address: int) -> i2c:
        from luma.core.interface.serial import i2c

        self.asked.append((bus, address))
        return i2c(bus=self.panel_bus, address=address)

    def smbus(self, bus: int) -> Any:
        self.asked.append(("smbus", bus))
        return self.chips

    def spi(self, bus: str, dc: int, reset: int | None, backend: str) -> Any:
        self.asked.append((bus, dc, reset, backend))
        return SpiInterface(self, self, None)

    def serial(self, wanted: SerialConfig) -> Any:
        self.asked.append(wanted)
        raise DeviceNotFoundError("no board on USB")

    value = False  # as the pin of a display on SPI

    def writebytes(self, _values: object) -> None:
        """As the bus of a display on SPI."""

    def close(self) -> None:
        self.asked.append("close")


class RiggedChance:
    def throw(self, count: int) -> tuple[int, ...]:
        return (6, 5)[:count]


def a_backend(buses: BusSet, **changes: object) -> Backend:
    return DeviceSet(a_config(**changes), buses, RiggedChance())


def test_nothing_is_asked_of_the_buses_before_a_device_is_opened() -> None:
    buses = FakeBuses()
    backend = a_backend(buses)
    assert buses.asked == []
    backend.close()
    assert buses.asked == ["close"]


def test_tiles_have_twelve_places_and_only_those_with_a_pin_a_level() -> None:
    buses = FakeBuses()
    tiles = a_backend(buses, tiles__pins={1: 4, 9: 26}, tiles__backend="rpigpio").open_tiles()
    buses.factory.pin(26).drive_low()
    assert tiles.read() == (1, *[None] * 7, 0, *[None] * 3)
    assert buses.asked == ["rpigpio"]
    tiles.close()


@pytest.mark.parametrize(("pull", "asked"), [("up", "up"), ("down", "down"), ("external", "floating")])
def test_tiles_take_the_configured_pull_and_buttons_always_pull_up(pull: str, asked: str) -> None:
    buses = FakeBuses()
    backend = a_backend(buses, tiles__pull=pull)
    tiles, buttons = backend.open_tiles(), backend.open_buttons()
    assert {buses.factory.pin(bcm).pull for bcm in TILE_PINS.values()} == {asked}
    assert {buses.factory.pin(bcm).pull for bcm in BUTTON_PINS.values()} == {"up"}
    assert len(tiles.read()) == 12
    buttons.close()
    tiles.close()


@pytest.mark.parametrize(("name", "levels"), [("roll", (1, 0, 0)), ("next", (0, 1, 0)), ("back", (0, 0, 1))])
def test_buttons_come_in_their_order_and_are_down_while_low(name: str, levels: tuple[int, ...]) -> None:
    buses = FakeBuses()
    buttons = a_backend(buses).open_buttons()
    assert buttons.read() == (0, 0, 0)
    buses.factory.pin(BUTTON_PINS[name]).drive_low()
    assert buttons.read() == levels
    buttons.close()


def test_a_button_that_cannot_be_had_is_named() -> None:
    with pytest.raises(DeviceNotFoundError, match="the button next on BCM 99"):
        a_backend(FakeBuses(), buttons__next=99).open_buttons()


def test_the_roller_throws_with_the_chance_it_is_given() -> None:
    seen: list[tuple[int, ...]] = []
    refused: list[str] = []
    dice = a_backend(FakeBuses()).open_dice()
    dice.want(2, seen.append, refused.append)
    dice.want(1, seen.append, refused.append)
    assert (dice.name, seen) == ("roller", [(6, 5), (6,)])


def test_the_camera_is_opened_by_its_calibration_and_held_to_it(tmp_path: Path) -> None:
    pytest.importorskip("cv2", reason="reading dice needs OpenCV: pip install 'boxkeeper[camera]'")
    from hardware.dice.rig_file import save_rig
    from sim.dice_tray import rig

    save_rig(tmp_path / "camera.toml", rig(), {"exposure": 120.0, "white_balance": [2.0, 1.5]})
    buses = FakeBuses()
    source = a_backend(buses, store__dir=tmp_path, camera__device="/dev/video3").open_camera()
    assert source.name == "camera"
    assert buses.asked == [("/dev/video3", (320, 240), {"exposure": 120.0, "white_balance": [2.0, 1.5]})]


def test_without_a_calibration_its_mend_is_named(tmp_path: Path) -> None:
    pytest.importorskip("cv2", reason="reading dice needs OpenCV: pip install 'boxkeeper[camera]'")
    with pytest.raises(ConfigError, match="run boxkeeper calibrate camera"):
        a_backend(FakeBuses(), store__dir=tmp_path).open_camera()


def test_without_opencv_its_mend_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    with pytest.raises(DeviceNotFoundError, match="pip install"):
        a_backend(FakeBuses(), store__dir=tmp_path).open_camera()


def test_the_panel_is_opened_where_the_config_says() -> None:
    buses = FakeBuses()
    display = a_backend(buses, display__bus=3, display__address=0x3D).open_display()
    assert display is not None
    assert (buses.asked, buses.panel_bus.addresses) == ([(3, 0x3D)], {0x3D})
    display.close(blank=False)


def test_no_panel_is_no_display_and_no_bus() -> None:
    buses = FakeBuses()
    assert a_backend(buses, display__controller="none").open_display() is None
    assert buses.asked == []


def test_each_device_may_be_absent_without_the_others() -> None:
    buses = FakeBuses(FakeSmbus(is_empty=True))
    backend = a_backend(buses)
    with pytest.raises(DeviceNotFoundError):
        backend.open_display()
    tiles = backend.open_tiles()
    assert len(tiles.read()) == 12
    buses.panel_bus.is_empty = False
    display = backend.open_display()
    assert display is not None
    display.close(blank=False)
    tiles.close()


@pytest.mark.parametrize(
    ("key", "value", "device"),
    [
        ("tiles__driver", "abacus", "open_tiles"),
        ("display__controller", "abacus", "open_display"),
        ("lamps__driver", "abacus", "open_lamps"),
    ],
)
def test_what_is_not_built_in_is_a_config_error_that_names_key_and_value(
    key: str, value: str, device: str
) -> None:
    backend = a_backend(FakeBuses(), **{key: value})
    with pytest.raises(ConfigError, match=rf"^{key.replace('__', '.')}: 'abacus' is not built in"):
        getattr(backend, device)()


def test_tiles_on_an_expander_are_on_the_pins_of_the_config() -> None:
    buses = FakeBuses()
    backend = a_backend(buses, tiles__driver="mcp23017", expander__bus=3, expander__pins={2: "GPB3"})
    tiles = backend.open_tiles()
    assert tiles.read() == (None, 1, *[None] * 10)
    assert buses.asked == [("smbus", 3)]
    tiles.close()


def test_an_expander_that_is_absent_leaves_its_interrupt_line_to_others() -> None:
    buses = FakeBuses()
    buses.chips.detach(0x20)
    backend = a_backend(buses, tiles__driver="mcp23017", expander__interrupt=4)
    for _ in range(2):
        with pytest.raises(DeviceNotFoundError, match="MCP23017 at 0x20"):
            backend.open_tiles()
    buses.chips.attach(0x20, Mcp23017())
    backend.open_tiles().close()


def test_what_hangs_on_the_board_asks_for_its_port() -> None:
    buses = FakeBuses()
    backend = a_backend(
        buses, tiles__driver="serial", dice__source="serial", lamps__driver="serial", buzzer__driver="serial"
    )
    for opened in (backend.open_tiles, backend.open_buttons, backend.open_lamps, backend.open_buzzer):
        with pytest.raises(DeviceNotFoundError, match="no board on USB"):
            opened()
    assert buses.asked == [SerialConfig()] * 4


def test_a_panel_on_spi_is_opened_with_its_pins() -> None:
    buses = FakeBuses()
    display = a_backend(buses, display__bus="spi0.1", display__controller="sh1106").open_display()
    assert display is not None
    assert buses.asked == [("spi0.1", 12, 18, "lgpio")]


def test_lamps_are_on_a_chip_of_their_own_and_a_buzzer_on_its_pin() -> None:
    buses = FakeBuses()
    buses.factory.pin_class = MockPWMPin
    backend = a_backend(buses, lamps__driver="mcp23017", buzzer__driver="gpio", buzzer__pin=15)
    lamps, buzzer = backend.open_lamps(), backend.open_buzzer()
    lamps.light(frozenset({1}))
    buzzer.tone(440)
    assert buses.asked == [("smbus", 1), "lgpio"]
    assert buses.factory.pin(15).frequency == 440
    buzzer.close()
    lamps.close()


def test_the_real_box_can_be_set_up_and_closed_on_a_machine_that_has_none() -> None:
    backend = open_backend(a_config())
    assert backend.open_dice().name == "roller"
    backend.close()

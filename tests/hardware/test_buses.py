"""The real buses, with what they stand on faked or missing; numbers are those of public fault reports."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from firmware_host.errors import ConfigError, DeviceNotFoundError
from hardware.buses import Buses, line_holder

TOP = Path(__file__).resolve().parents[2]
OTHER_CHIP = "gpio-brcmstb@107d508500"


class FakeLgpio(ModuleType):
    """As much of lgpio as it takes to open chips; a label of None is a chip we may not open."""

    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 128, 32, 64
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3

    class error(Exception):
        pass

    def __init__(self, chips: Mapping[int, str | None], dev: Path) -> None:
        super().__init__("lgpio")
        self.chips: dict[int, str | None] = {}
        self.held: dict[int, str] = {}
        self.open: list[int] = []
        self._dev = dev
        for number, label in chips.items():
            self.appear(number, label)

    def appear(self, number: int, label: str | None) -> None:
        self.chips[number] = label
        (self._dev / f"gpiochip{number}").touch()

    def gpiochip_open(self, number: int) -> int:
        if self.chips.get(number) is None:
            raise self.error("can not open gpiochip")
        self.open.append(number)
        return number

    def gpiochip_close(self, handle: int) -> None:
        self.open.remove(handle)

    def gpio_get_chip_info(self, handle: int) -> list[Any]:
        return [0, 54, f"gpiochip{handle}", self.chips[handle]]

    def gpio_get_line_info(self, handle: int, gpio: int) -> list[Any]:
        return [0, gpio, 0, f"GPIO{gpio}", self.held[gpio]]


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, ModuleType]]:
    """sys.modules without any pin backend; put back afterwards."""
    for name in ("lgpio", "RPi", "RPi.GPIO", "gpiozero.pins.lgpio", "gpiozero.pins.rpigpio"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
        del sys.modules[name]
    yield sys.modules
    from gpiozero.pins.local import LocalPiFactory

    LocalPiFactory.pins.clear()


@pytest.mark.parametrize(
    ("chips", "number"),
    [
        pytest.param({0: "pinctrl-bcm2835", 1: "raspberrypi-exp-gpio"}, 0, id="Pi 3"),
        pytest.param({0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}, 0, id="Pi 4"),
        pytest.param({0: OTHER_CHIP, 4: "pinctrl-rp1"}, 4, id="Pi 5, older kernel"),
        pytest.param({0: "pinctrl-rp1", 10: OTHER_CHIP}, 0, id="Pi 5, newer kernel"),
        pytest.param({2: OTHER_CHIP, 10: "pinctrl-rp1"}, 10, id="numbers, not names, in order"),
        pytest.param({0: None, 1: "pinctrl-rp1"}, 1, id="another chip may not be opened"),
    ],
)
def test_fault_3_the_header_is_found_by_the_label_of_its_chip(
    chips: dict[int, str | None], number: int, modules: dict[str, ModuleType], tmp_path: Path
) -> None:
    modules["lgpio"] = lgpio = FakeLgpio(chips, tmp_path)
    buses = Buses(tmp_path)
    assert buses.pins("lgpio").chip == number
    assert lgpio.open == [number]
    buses.close()
    assert lgpio.open == []


@pytest.mark.parametrize(
    ("chips", "text"),
    [
        ({}, "no GPIO chip at all"),
        ({0: OTHER_CHIP}, f"only {OTHER_CHIP}"),
        ({0: None, 1: OTHER_CHIP}, "/dev/gpiochip0 cannot be opened: add the user to the group gpio"),
    ],
)
def test_a_board_without_the_header_is_said_so(
    chips: dict[int, str | None], text: str, modules: dict[str, ModuleType], tmp_path: Path
) -> None:
    modules["lgpio"] = lgpio = FakeLgpio(chips, tmp_path)
    with pytest.raises(DeviceNotFoundError, match=text):
        Buses(tmp_path).pins("lgpio")
    assert lgpio.open == []


def test_fault_25_a_bus_that_comes_later_is_found_then(
    modules: dict[str, ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modules["lgpio"] = lgpio = FakeLgpio({}, tmp_path)
    buses = Buses(tmp_path)
    with pytest.raises(DeviceNotFoundError):
        buses.pins("lgpio")
    with pytest.raises(DeviceNotFoundError):
        buses.i2c(97, 0x3C)
    lgpio.appear(0, "pinctrl-rp1")
    monkeypatch.setattr("smbus2.SMBus", lambda port: f"bus {port}")
    assert buses.pins("lgpio").chip == 0
    assert buses.i2c(97, 0x3C)._bus == "bus 97"
    buses.close()


def test_a_backend_is_opened_once_and_again_after_closing(
    modules: dict[str, ModuleType], tmp_path: Path
) -> None:
    modules["lgpio"] = lgpio = FakeLgpio({0: "pinctrl-rp1"}, tmp_path)
    buses = Buses(tmp_path)
    first = buses.pins("lgpio")
    assert buses.pins("lgpio") is first
    buses.close()
    buses.close()
    assert buses.pins("lgpio") is not first
    assert lgpio.open == [0]
    buses.close()


@pytest.mark.parametrize(
    ("backend", "module", "package"), [("lgpio", "lgpio", "lgpio"), ("rpigpio", "RPi", "RPi.GPIO")]
)
def test_fault_2_a_missing_backend_is_an_error_with_its_mend_and_never_another_backend(
    backend: str, module: str, package: str, modules: dict[str, Any], tmp_path: Path
) -> None:
    modules[module] = None  # as if not installed
    with pytest.raises(DeviceNotFoundError) as caught:
        Buses(tmp_path).pins(backend)
    text = str(caught.value)
    assert text.startswith(f"{package} is not installed: apt install python3-")
    assert f"pip install 'boxkeeper[{backend}]'" in text
    assert "\n" not in text
    assert "gpiozero.pins.lgpio" not in modules
    assert "gpiozero.pins.rpigpio" not in modules


def test_fault_2_rpi_gpio_off_a_pi_is_an_error_with_its_mend(
    modules: dict[str, ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "RPi" / "GPIO").mkdir(parents=True)
    (tmp_path / "RPi" / "GPIO" / "__init__.py").write_text(
        "raise RuntimeError('This module can only be run on a Raspberry Pi!')"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(DeviceNotFoundError, match=r"only be run on a Raspberry Pi!\): set tiles\.backend"):
        Buses(tmp_path).pins("rpigpio")


def test_an_unknown_backend_names_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"tiles\.backend: 'pigpio' is none of lgpio, rpigpio"):
        Buses(tmp_path).pins("pigpio")


_START = """
import json, os, sys
from pathlib import Path
from firmware_host.errors import DeviceNotFoundError
from hardware.buses import Buses
before = os.stat(".").st_ino
try:
    Buses(Path(sys.argv[1])).pins("lgpio")
except DeviceNotFoundError as error:
    said = str(error)
import lgpio
is_back = os.stat(".").st_ino == before
print(json.dumps([said, is_back, os.environ.get("LG_WD"), lgpio._notify_thread.is_alive()]))
"""


def start_in(cwd: Path, temporary: Path, **environment: str) -> list[Any]:
    """Import the real lgpio by way of the buses in a new process, with no chip to open.

    What came of it: the error, whether the working directory is the old one,
    LG_WD, whether lgpio's thread that brings the edges runs.
    """
    temporary.mkdir()
    clean = {"PYTHONPATH": str(TOP), "TMPDIR": str(temporary), "RUNTIME_DIRECTORY": "", "XDG_RUNTIME_DIR": ""}
    done = subprocess.run(
        [sys.executable, "-c", _START, str(temporary)],
        cwd=cwd,
        env={**os.environ, **clean, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found: list[Any] = json.loads(done.stdout)
    return found


needs_lgpio = pytest.mark.skipif(find_spec("lgpio") is None, reason="lgpio is not installed")


@needs_lgpio
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc: not even root can write there")
def test_fault_4_it_starts_in_a_read_only_directory(tmp_path: Path) -> None:
    said, is_back, lg_wd, has_edges = start_in(Path("/proc"), tmp_path / "t")
    assert said == "no Raspberry Pi header here, no GPIO chip at all: is this a Raspberry Pi?"
    assert (is_back, lg_wd, has_edges) == (True, None, True)


@needs_lgpio
@pytest.mark.parametrize("lg_wd", [None, "/nowhere"])
def test_fault_4_it_leaves_nothing_behind(lg_wd: str | None, tmp_path: Path) -> None:
    here, temporary = tmp_path / "here", tmp_path / "t"
    here.mkdir()
    found = start_in(here, temporary, **({} if lg_wd is None else {"LG_WD": lg_wd}))
    assert found[1:] == [True, lg_wd, True]
    assert list(here.iterdir()) == []
    assert list(temporary.iterdir()) == []


@needs_lgpio
def test_fault_4_the_runtime_directory_of_the_unit_will_do(tmp_path: Path) -> None:
    runtime, temporary = tmp_path / "run", tmp_path / "t"
    runtime.mkdir()
    found = start_in(tmp_path, temporary, TMPDIR="/nowhere", RUNTIME_DIRECTORY=f"{runtime}:/nowhere")
    assert found[1:] == [True, None, True]
    assert list(runtime.iterdir()) == []


def test_fault_4_no_directory_at_all_is_said_with_its_mend(
    modules: dict[str, ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(**_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("tempfile.TemporaryDirectory", full)
    with pytest.raises(DeviceNotFoundError, match="needs a directory to write to: set TMPDIR"):
        Buses(tmp_path).pins("lgpio")


def test_fault_4_rpi_lgpio_has_its_fifo_where_it_can_be_written_too(
    modules: dict[str, ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lgpio.py").write_text(
        "import os\nMADE_IN = os.environ.get('LG_WD')\nclass error(Exception): ..."
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(DeviceNotFoundError, match=r"RPi\.GPIO is not installed"):
        Buses(tmp_path).pins("rpigpio")
    made_in = modules["lgpio"].MADE_IN
    assert made_in is not None
    assert not Path(made_in).exists()
    assert "LG_WD" not in os.environ


def test_a_missing_i2c_bus_is_said_with_its_mend(tmp_path: Path) -> None:
    with pytest.raises(DeviceNotFoundError, match="no I2C bus /dev/i2c-97: enable I2C"):
        Buses(tmp_path).i2c(97, 0x3C)


def test_an_i2c_bus_we_may_not_open_is_said_with_its_mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(_port: int) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("smbus2.SMBus", forbidden)
    with pytest.raises(DeviceNotFoundError, match="no permission for /dev/i2c-1: add the user to the group"):
        Buses(tmp_path).i2c(1, 0x3C)


def test_fault_5_the_holder_of_a_line_is_what_the_kernel_calls_it(
    modules: dict[str, ModuleType], tmp_path: Path
) -> None:
    modules["lgpio"] = lgpio = FakeLgpio({0: "pinctrl-rp1"}, tmp_path)
    buses = Buses(tmp_path)
    factory = buses.pins("lgpio")
    lgpio.held[4] = "onewire@0"
    assert line_holder(factory, 4).startswith("'onewire@0'")
    assert lgpio.open == [0]
    lgpio.chips[0] = None
    assert line_holder(factory, 4) == ""
    assert line_holder(object(), 4) == ""
    buses.close()


def test_importing_the_adapters_pulls_in_no_library_of_devices() -> None:
    adapters = "hardware.backend, hardware.buses, hardware.pinmap, hardware.tiles.gpio"
    code = f"import sys, {adapters}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=TOP, capture_output=True, text=True, check=True)
    heavy = {"gpiozero", "lgpio", "RPi", "luma", "smbus2", "PIL", "asyncio"}
    assert heavy & {name.partition(".")[0] for name in done.stdout.split()} == set()


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file"), "there is no I2C bus /dev/i2c-9: enable I2C"),
        (PermissionError(errno.EACCES, "Permission denied"), "no permission for /dev/i2c-9: add the user"),
    ],
)
def test_a_bus_for_an_expander_that_cannot_be_had_is_said_with_its_mend(
    error: OSError, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: int) -> None:
        raise error

    monkeypatch.setattr("smbus2.SMBus", refuse)
    with pytest.raises(DeviceNotFoundError, match=text):
        Buses(tmp_path).smbus(9)


class FakeSpiDev(ModuleType):
    """As much of spidev as it takes to open a device."""

    def __init__(self, error: OSError | None = None) -> None:
        super().__init__("spidev")
        self.error, self.opened, self.max_speed_hz = error, (-1, -1), 0
        self.sent: list[list[int]] = []
        self.is_closed = False

    def SpiDev(self) -> FakeSpiDev:
        return self

    def open(self, bus: int, device: int) -> None:
        if self.error is not None:
            raise self.error
        self.opened = (bus, device)

    def writebytes(self, values: list[int]) -> None:
        self.sent.append(values)

    def close(self) -> None:
        self.is_closed = True


def mock_pins(buses: Buses) -> Any:
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory()
    buses._factories["lgpio"] = factory
    return factory


def test_a_display_on_spi_is_told_by_a_pin_what_is_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spidev = FakeSpiDev()
    monkeypatch.setitem(sys.modules, "spidev", spidev)
    buses = Buses(tmp_path)
    factory = mock_pins(buses)
    spi = buses.spi("spi0.1", 12, 18, "lgpio")
    assert (spidev.opened, spidev.max_speed_hz) == ((0, 1), 4_000_000)
    assert factory.pin(18).state == 1
    spi.command(0xAE)
    assert factory.pin(12).state == 0
    spi.data(list(range(5000 % 256)) * 40)
    assert factory.pin(12).state == 1
    assert all(len(values) <= 4096 for values in spidev.sent)
    spi.cleanup()
    assert spidev.is_closed
    buses.spi("spi0.1", 12, None, "lgpio").cleanup()  # the pins are free again
    buses.close()


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file"), "there is no /dev/spidev0.0: enable SPI"),
        (
            PermissionError(errno.EACCES, "Permission denied"),
            "no permission for /dev/spidev0.0: add",
        ),
        (OSError(errno.EIO, "Input/output error"), "Input/output error"),
    ],
)
def test_spi_that_cannot_be_had_is_said_with_its_mend(
    error: OSError, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "spidev", FakeSpiDev(error))
    buses = Buses(tmp_path)
    mock_pins(buses)
    with pytest.raises(DeviceNotFoundError, match=text):
        buses.spi("spi0.0", 12, 18, "lgpio")


def test_without_spidev_its_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)  # as if not installed
    buses = Buses(tmp_path)
    mock_pins(buses)
    with pytest.raises(DeviceNotFoundError, match=r"spidev is not installed: .* 'boxkeeper\[spi\]'"):
        buses.spi("spi0.0", 12, 18, "lgpio")

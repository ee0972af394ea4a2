"""Looking at lines and buses without taking them: the kernel's own layouts, and what answers on a bus."""

from __future__ import annotations

import errno
import fcntl
import struct
from pathlib import Path

import pytest

from firmware_host.errors import DeviceLostError, DeviceNotFoundError
from hardware.survey import LineInfo, answering, header_lines
from sim.devices.i2c_bus import I2cBus
from sim.devices.mcp23017 import Mcp23017
from sim.devices.ssd1306 import Ssd1306


class Chips:
    """GPIO chips of a kernel: what ``ioctl`` answers, by the layouts of linux/gpio.h."""

    def __init__(self, labels: dict[str, str], held: dict[int, str]) -> None:
        self.labels, self.held = labels, held

    def ioctl(self, handle: int, request: int, buffer: bytearray) -> int:
        label = self.labels[Path(f"/proc/self/fd/{handle}").resolve().name]
        if request == 0x8044B401:  # GPIO_GET_CHIPINFO_IOCTL: _IOR(0xB4, 1, 68 bytes)
            assert len(buffer) == 68
            buffer[:] = struct.pack("=32s32sI", b"gpiochip0", label.encode(), 54)
        elif request == 0xC100B405:  # GPIO_V2_GET_LINEINFO_IOCTL: _IOWR(0xB4, 5, 256 bytes)
            assert len(buffer) == 256
            (offset,) = struct.unpack_from("=I", buffer, 64)
            consumer = self.held.get(offset, "")
            flags = 4 | (offset in self.held)  # an input; used
            struct.pack_into("=32s32sIIQ", buffer, 0, b"GPIO4", consumer.encode(), offset, 0, flags)
        else:
            raise OSError(errno.ENOTTY, "Inappropriate ioctl")
        return 0


def chips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *labels: str) -> Path:
    names = {f"gpiochip{i}": label for i, label in enumerate(labels)}
    for name in names:
        (tmp_path / name).touch()
    monkeypatch.setattr(fcntl, "ioctl", Chips(names, {4: "lg", 7: "spi0 CS1"}).ioctl)
    return tmp_path


@pytest.mark.parametrize("label", ["pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"])
def test_the_header_s_lines_are_read_whatever_its_chip_s_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, label: str
) -> None:
    dev = chips(tmp_path, monkeypatch, "raspberrypi-exp-gpio", label)
    name, lines = header_lines(dev)
    assert (name, len(lines)) == (label, 28)
    assert lines[4] == LineInfo(True, "lg")
    assert lines[7] == LineInfo(True, "spi0 CS1")
    assert lines[17] == LineInfo(False)


def test_where_there_is_no_header_it_says_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DeviceNotFoundError, match="no GPIO chip at all"):
        header_lines(tmp_path)
    dev = chips(tmp_path, monkeypatch, "gpio-mockup")
    with pytest.raises(DeviceNotFoundError, match="only gpio-mockup"):
        header_lines(dev)


def test_what_answers_is_listed() -> None:
    bus = I2cBus()
    for address in (0x20, 0x3C, 0x57):
        bus.attach(address, Mcp23017() if address == 0x20 else Ssd1306())
    assert answering(1, lambda _bus: bus) == (0x20, 0x3C, 0x57)


def test_an_adapter_without_quick_writes_is_read_from(monkeypatch: pytest.MonkeyPatch) -> None:
    bus = I2cBus()
    bus.attach(0x3C, Ssd1306())
    monkeypatch.setattr(I2cBus, "funcs", 1)
    monkeypatch.delattr(I2cBus, "write_quick")
    monkeypatch.setattr(bus, "write_quick", None, raising=False)
    assert answering(1, lambda _bus: bus) == (0x3C,)


def test_an_address_that_a_driver_has_counts_as_there(monkeypatch: pytest.MonkeyPatch) -> None:
    bus = I2cBus()

    def busy(address: int) -> None:
        raise OSError(errno.EBUSY if address == 0x68 else errno.ENXIO, "")

    monkeypatch.setattr(bus, "write_quick", busy)
    assert answering(1, lambda _bus: bus) == (0x68,)


def test_a_bus_that_is_held_down_is_left_at_its_first_time_out() -> None:
    bus = I2cBus()
    bus.fail_after(0, errno.ETIMEDOUT)
    asked: list[int] = []

    def write_quick(address: int) -> None:
        asked.append(address)
        raise TimeoutError(errno.ETIMEDOUT, "")

    bus.write_quick = write_quick  # type: ignore[method-assign]
    with pytest.raises(DeviceLostError, match="SDA or SCL is held at 0 V"):
        answering(1, lambda _bus: bus)
    assert asked == [0x08]


def test_any_other_failure_is_told_in_words() -> None:
    bus = I2cBus()
    bus.fail_after(0, errno.EAGAIN)
    with pytest.raises(DeviceLostError, match=r"I2C bus 1 fails \(Resource temporarily unavailable\)"):
        answering(1, lambda _bus: bus)

"""The simulated bus behaves as smbus2 does where luma can tell."""

from __future__ import annotations

import errno

import pytest

from sim.devices.i2c_bus import I2cBus


class Recorder:
    """A device that keeps what it is sent."""

    def __init__(self) -> None:
        self.payloads: list[bytes] = []

    def write(self, payload: bytes) -> None:
        self.payloads.append(payload)


@pytest.fixture
def device() -> Recorder:
    return Recorder()


@pytest.fixture
def bus(device: Recorder) -> I2cBus:
    bus = I2cBus(keep_log=True)
    bus.attach(0x3C, device)
    return bus


def test_register_and_data_arrive_as_one_payload(bus: I2cBus, device: Recorder) -> None:
    bus.write_i2c_block_data(0x3C, 0x40, [1, 2, 3])
    assert device.payloads == [b"\x40\x01\x02\x03"]


def test_each_device_hears_only_its_own(bus: I2cBus, device: Recorder) -> None:
    other = Recorder()
    bus.attach(0x20, other)
    bus.write_i2c_block_data(0x20, 0x12, [0xFF])
    assert device.payloads == []
    assert other.payloads == [b"\x12\xff"]


def test_bytes_on_bus_count_address_and_payload(bus: I2cBus) -> None:
    bus.write_i2c_block_data(0x3C, 0x00, [0xAF])
    bus.write_i2c_block_data(0x3C, 0x40, list(range(32)))
    assert bus.bytes_on_bus == 3 + 34


def test_log_is_kept_only_when_asked_for(bus: I2cBus, device: Recorder) -> None:
    quiet = I2cBus()
    quiet.attach(0x3C, device)
    for each in (bus, quiet):
        each.write_i2c_block_data(0x3C, 0x00, [0xAF])
    assert bus.log == [(0x3C, b"\x00\xaf")]
    assert quiet.log == []


def test_more_than_a_block_is_refused_as_by_smbus2(bus: I2cBus) -> None:
    with pytest.raises(ValueError, match="32"):
        bus.write_i2c_block_data(0x3C, 0x40, list(range(33)))


def test_absent_address_is_a_remote_io_error(bus: I2cBus) -> None:
    with pytest.raises(OSError, match="Remote I/O") as caught:
        bus.write_i2c_block_data(0x3D, 0x00, [0xAF])
    assert caught.value.errno == errno.EREMOTEIO
    assert bus.bytes_on_bus == 0


def test_detached_device_is_absent_and_can_come_back(bus: I2cBus, device: Recorder) -> None:
    bus.detach(0x3C)
    bus.detach(0x3C)
    with pytest.raises(OSError, match="Remote I/O"):
        bus.write_i2c_block_data(0x3C, 0x00, [0xAE])
    bus.attach(0x3C, device)
    bus.write_i2c_block_data(0x3C, 0x00, [0xAF])
    assert device.payloads == [b"\x00\xaf"]


def test_bus_fails_after_so_many_transactions_until_mended(bus: I2cBus, device: Recorder) -> None:
    bus.fail_after(2)
    bus.write_i2c_block_data(0x3C, 0x00, [1])
    bus.write_i2c_block_data(0x3C, 0x00, [2])
    for _ in range(3):
        with pytest.raises(OSError, match="Remote I/O"):
            bus.write_i2c_block_data(0x3C, 0x00, [3])
    bus.mend()
    bus.write_i2c_block_data(0x3C, 0x00, [4])
    assert device.payloads == [b"\x00\x01", b"\x00\x02", b"\x00\x04"]


@pytest.mark.parametrize(
    ("number", "kind"), [(errno.EREMOTEIO, OSError), (errno.EIO, OSError), (errno.ETIMEDOUT, TimeoutError)]
)
def test_failure_has_the_kind_of_its_number(bus: I2cBus, number: int, kind: type[OSError]) -> None:
    bus.fail_after(0, number)
    with pytest.raises(kind) as caught:
        bus.write_i2c_block_data(0x3C, 0x00, [0xAF])
    assert caught.value.errno == number

"""The board's port: found by who it is, opened with a mend where it cannot be, read without losing a byte."""

from __future__ import annotations

import errno
import threading
from dataclasses import dataclass
from typing import Any

import pytest

from firmware_host.config_wiring import SerialConfig
from firmware_host.errors import DeviceBusyError, DeviceNotFoundError
from hardware.link.ports import SerialPort, find_port, open_port


@dataclass
class Info:
    device: str
    vid: int | None = 0x2E8A
    pid: int | None = 0x0005
    serial_number: str | None = "E66"


OTHERS = [Info("/dev/ttyS0", None, None, None), Info("/dev/ttyUSB0", 0x1A86, 0x7523, None)]


@pytest.mark.parametrize("name", ["/dev/ttyACM0", "/dev/ttyACM7"])
def test_it_is_found_under_whatever_name(name: str) -> None:
    assert find_port(SerialConfig(), [*OTHERS, Info(name)]) == name


def test_a_port_that_is_named_is_taken_as_it_is() -> None:
    assert find_port(SerialConfig(port="/dev/serial0"), []) == "/dev/serial0"


def test_of_two_boards_the_serial_number_says_which() -> None:
    boards = [Info("/dev/ttyACM0", serial_number="E66"), Info("/dev/ttyACM1", serial_number="E77")]
    assert find_port(SerialConfig(number="E77"), boards) == "/dev/ttyACM1"
    with pytest.raises(DeviceNotFoundError) as caught:
        find_port(SerialConfig(), boards)
    assert str(caught.value) == (
        "more than one board 2e8a:0005 on USB: /dev/ttyACM0 (E66), /dev/ttyACM1 (E77): set serial.number"
    )


def test_without_a_board_the_cable_is_asked_about() -> None:
    with pytest.raises(DeviceNotFoundError, match="no board 2e8a:0005 on USB: is its cable in"):
        find_port(SerialConfig(), OTHERS)
    with pytest.raises(DeviceNotFoundError, match="2e8a:0005 with serial number E99 on USB"):
        find_port(SerialConfig(number="E99"), [Info("/dev/ttyACM0")])


class FakeSerial:
    """As much of pyserial's port as is used; reads what a test has laid ready."""

    def __init__(self, *parts: bytes | Exception) -> None:
        self.parts = list(parts)
        self.written = b""
        self.buffer = b""
        self.is_closed, self.exclusive = False, True
        self.cancelled = threading.Event()

    @property
    def in_waiting(self) -> int:
        return len(self.buffer)

    def read(self, size: int) -> bytes:
        if not self.buffer and size:
            if not self.parts:
                assert self.cancelled.wait(10)
                return b""
            part = self.parts.pop(0)
            if isinstance(part, Exception):
                raise part
            self.buffer = part
        taken, self.buffer = self.buffer[:size], self.buffer[size:]
        return taken

    def write(self, data: bytes) -> None:
        if self.is_closed:
            raise TypeError("argument must be an int")
        self.written += data

    def cancel_read(self) -> None:
        self.cancelled.set()

    def close(self) -> None:
        self.is_closed = True


def test_all_that_has_come_is_read_at_once() -> None:
    port = SerialPort("/dev/x", FakeSerial(b"abc", b"d"))
    assert [port.read(), port.read()] == [b"abc", b"d"]


def test_nothing_till_the_time_out_is_a_time_out() -> None:
    with pytest.raises(TimeoutError):
        SerialPort("/dev/x", FakeSerial(b"")).read()


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EIO, "Input/output error"),
        OSError("device reports readiness to read but returned no data"),
        TypeError("argument must be an int, or have a fileno() method."),
    ],
)
def test_fault_16_whatever_pyserial_raises_is_an_os_error(error: Exception) -> None:
    with pytest.raises(OSError, match=r".") as caught:
        SerialPort("/dev/x", FakeSerial(error)).read()
    assert not isinstance(caught.value, TimeoutError)


def test_closed_a_read_that_waits_ends_and_writing_does_nothing() -> None:
    fake = FakeSerial()
    port, got = SerialPort("/dev/x", fake), list[bytes]()
    reader = threading.Thread(target=lambda: got.append(port.read()))
    reader.start()
    port.close()
    port.close()
    reader.join(10)
    assert got == [b""]
    port.write(b"x")
    assert (fake.written, fake.is_closed) == (b"", True)


def test_closed_it_is_unlocked_before_a_read_that_waits_has_ended() -> None:
    fake = FakeSerial()
    SerialPort("/dev/x", fake).close()
    assert not fake.exclusive


@pytest.mark.parametrize(
    ("error", "kind", "text"),
    [
        (
            OSError(errno.EACCES, "Permission denied"), DeviceNotFoundError,
            "no permission for /dev/null: add the user to the group root and log in again",
        ),
        (
            OSError(errno.EBUSY, "Device or resource busy"), DeviceBusyError,
            "/dev/null: busy, another program has it open: stop it",
        ),
        (
            OSError("Could not exclusively lock port /dev/null: [Errno 11]"), DeviceBusyError,
            "/dev/null: busy, another program has it open: stop it",
        ),
        (
            OSError(errno.ENOENT, "No such file or directory"), DeviceNotFoundError,
            "/dev/null: cannot be opened (No such file or directory)",
        ),
    ],
)  # fmt: skip
def test_fault_19_a_port_that_cannot_be_opened_is_said_with_its_mend(
    error: OSError, kind: type[Exception], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr("serial.Serial", refuse)
    monkeypatch.setattr("grp.getgrgid", lambda _: Group())
    with pytest.raises(kind) as caught:
        open_port(SerialConfig(port="/dev/null"))
    assert str(caught.value) == text


class Group:
    gr_name = "root"

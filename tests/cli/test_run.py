"""``boxkeeper run``: on a machine that has none of the devices, and its end by a signal."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from firmware_host.store.journal import FILE_NAME, Journal, fold, read

ROOT = Path(__file__).parents[2]
# The real buses find nothing here, wherever the test runs; what is behind them is tested in tests/hardware.
NO_DEVICES = """
import sys
from firmware_host.errors import DeviceNotFoundError
from hardware.buses import Buses

def no_pins(*_):
    raise DeviceNotFoundError("no header: is this a Raspberry Pi?")

def no_bus(*_):
    raise DeviceNotFoundError("no bus: enable I2C")

Buses.pins, Buses.i2c = no_pins, no_bus
from firmware_host.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


class Service:
    """``boxkeeper run`` in a process of its own."""

    def __init__(self, *argv: str, script: str = NO_DEVICES) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", script, "run", "--set", "web.port=0", *argv],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.lines: list[str] = []

    def read_lines(self, count: int) -> None:
        assert self.process.stderr is not None
        guard = threading.Timer(30, self.process.kill)
        guard.start()
        while len(self.lines) < count:
            line = self.process.stderr.readline()
            assert line, f"it ended after {self.lines}"
            self.lines.append(line)
        guard.cancel()

    def end(self, number: signal.Signals) -> int:
        """The exit code after the signal; the rest of what it said is in ``lines``."""
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=30)
        self.lines += err.splitlines(keepends=True)
        return self.process.returncode


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_without_any_device_it_says_so_in_a_line_each_goes_on_and_ends_well(
    tmp_path: Path, number: signal.Signals
) -> None:
    service = Service("--set", f"store.dir={tmp_path}")
    service.read_lines(3)
    assert service.end(number) == 0
    assert sorted(service.lines) == [
        "boxkeeper: no buttons: no header: is this a Raspberry Pi?\n",
        "boxkeeper: no display: no bus: enable I2C\n",
        "boxkeeper: no tiles: no header: is this a Raspberry Pi?\n",
    ]
    rows, snapshot = read(tmp_path / FILE_NAME)
    assert [row.record.event for row in rows][:2] == ["match_started", "turn_started"]
    assert fold(rows).snapshot() == snapshot
    Journal(tmp_path / FILE_NAME).close()


def test_a_store_that_cannot_be_had_is_a_line_too(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    service = Service("--set", f"store.dir={tmp_path / 'file'}")
    service.read_lines(4)
    assert service.end(signal.SIGTERM) == 0
    assert f"boxkeeper: no store: {tmp_path / 'file'}: File exists\n" in service.lines


def test_a_second_one_on_the_same_store_is_1_and_says_who_holds_it(tmp_path: Path) -> None:
    service = Service("--set", f"store.dir={tmp_path}")
    service.read_lines(3)
    second = Service("--set", f"store.dir={tmp_path}")
    _, err = second.process.communicate(timeout=30)
    assert second.process.returncode == 1
    assert err.splitlines()[-1] == (
        f"boxkeeper: {tmp_path}: in use by Boxkeeper process {service.process.pid}; stop that one first"
    )
    assert "Traceback" not in err
    assert service.end(signal.SIGTERM) == 0


def test_a_bad_setting_is_2_and_nothing_is_started(tmp_path: Path) -> None:
    service = Service("--set", f"store.dir={tmp_path / 'store'}", "--set", "rules.tiles=0")
    _, err = service.process.communicate(timeout=30)
    assert service.process.returncode == 2
    assert err.startswith("boxkeeper: --set: rules.tiles is '0'")
    assert err.count("\n") == 1
    assert not (tmp_path / "store").exists()

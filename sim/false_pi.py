"""A false Raspberry Pi for the doctor: the files a real one would show, with faults by name."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import NoReturn

from firmware_host.config import Config
from firmware_host.config_wiring import line_uses
from firmware_host.errors import DeviceNotFoundError
from firmware_host.ports import LevelSensor
from hardware.backend import DeviceSet
from hardware.buses import BusSet
from hardware.doctor import Place
from hardware.survey import HEADER_LINES, LineInfo, SmBus
from sim.world import World

_MOUNTS = "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n/dev/mmcblk0p1 /boot/firmware vfat rw 0 0\n"
_THROTTLED = "/sys/devices/platform/soc/soc:firmware/get_throttled"
_SYNCHRONIZED = "/run/systemd/timesync/synchronized"
_SPEED = "/sys/class/i2c-adapter/i2c-1/of_node/clock-frequency"
_PICO = "/sys/class/tty/ttyACM0"

_FILES: Mapping[str, str] = MappingProxyType(
    {
        "/proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
        "/proc/sys/kernel/osrelease": "6.12.47-v8+\n",
        "/proc/mounts": _MOUNTS,
        "/etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n',
        "/etc/systemd/system/boxkeeper.service": "[Service]\nType=notify\n",
        _THROTTLED: "0\n",
        _SYNCHRONIZED: "",
        _SPEED: "\0\6\x1a\x80",  # 400,000, the highest byte first
        "/dev/ttyACM0": "",
        f"{_PICO}/device/uevent": "",
        f"{_PICO}/idVendor": "2e8a\n",
        f"{_PICO}/idProduct": "0005\n",
        "/dev/video0": "",
        "/dev/gpiochip0": "",
    }
)
# Fault -> the files that are otherwise; None: not there.
_OTHER_FILES: Mapping[str, Mapping[str, str | None]] = MappingProxyType(
    {
        "no board": {"/proc/device-tree/model": None},
        "another board": {"/proc/device-tree/model": "Orange Pi Zero3\0"},
        "power low": {_THROTTLED: "50005\n"},
        "power was low": {_THROTTLED: "50000\n"},
        "power hot": {_THROTTLED: "80000\n"},
        "power unknown": {_THROTTLED: None},
        "overlay": {"/proc/mounts": "overlayroot / overlay rw,relatime 0 0\n"},
        "overlay with a disk": {
            "/proc/mounts": "overlayroot / overlay rw 0 0\n/dev/sda1 /var/lib/boxkeeper ext4 rw 0 0\n"
        },
        "clock unset": {_SYNCHRONIZED: None},
        "i2c slow": {_SPEED: "\0\1\x86\xa0"},
        "serial gone": {"/dev/ttyACM0": None},
        "serial another": {f"{_PICO}/idVendor": "1a86\n", f"{_PICO}/idProduct": "7523\n"},
        "camera gone": {"/dev/video0": None},
        "service runs": {"/proc/812/cmdline": "/opt/boxkeeper/bin/python\0/opt/boxkeeper/bin/boxkeeper\0run"},
        "service starts": {"/proc/813/cmdline": "python3\0-m\0firmware_host\0run\0"},
        "service hidden": {
            "/etc/systemd/system/boxkeeper.service.d/own.conf": "[Service]\nPrivateDevices=yes\n"
        },
        "service missing": {"/etc/systemd/system/boxkeeper.service": None},
    }
)
# Fault -> a program, and the device that it has open.
_HOLDERS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"camera held": ("motion", "/dev/video0"), "chip held": ("pigpiod", "/dev/gpiochip0")}
)
_VERSIONS = {"pillow": "12.1.0", "lgpio": "0.2.2.0"}
# Fault -> what of the place is otherwise.
_OTHER_PLACE: Mapping[str, Callable[[Place], Place]] = MappingProxyType(
    {
        "python old": lambda place: replace(place, python=(3, 9, 2)),
        "pillow new": lambda place: replace(place, version={**_VERSIONS, "pillow": "14.0.0"}.get),
        "two rpigpio": lambda place: replace(
            place, version={**_VERSIONS, "RPi.GPIO": "0.7.1", "rpi-lgpio": "0.6"}.get
        ),
        "disk full": lambda place: replace(place, free_bytes=lambda _path: 3 << 20),
        "disk little": lambda place: replace(place, free_bytes=lambda _path: 90 << 20),
        "disk denied": lambda place: replace(place, may_use=_all_but(place, "boxkeeper")),
        "serial denied": lambda place: replace(place, may_use=_all_but(place, "ttyACM0")),
        "camera denied": lambda place: replace(place, may_use=_all_but(place, "video0")),
        "i2c off": lambda place: replace(place, smbus=_no_bus("there is no /dev/i2c-1: enable I2C")),
        "i2c denied": lambda place: replace(
            place, smbus=_no_bus("no permission for /dev/i2c-1: add the user to the group i2c")
        ),
        "i2c hangs": lambda place: replace(place, smbus=_hang),
        "pins denied": lambda place: replace(
            place, lines=_no_lines("/dev/gpiochip0 cannot be opened: group gpio")
        ),
        "pins hang": lambda place: replace(place, lines=_hang),
    }
)
FAULTS: tuple[str, ...] = (
    *_OTHER_FILES, *_OTHER_PLACE, *_HOLDERS, "i2c held", "pin N held", "backend gone"
)  # fmt: skip
"""What can be wrong with it; of a pin the BCM number is named."""


def is_of_computer(fault: str) -> bool:
    """Whether ``fault`` is one of a computer's."""
    words = fault.split()
    return fault in FAULTS or (words[:1] == ["pin"] and words[2:] == ["held"] and words[1].isdigit())


def false_pi(root: Path, world: World, buses: BusSet, config: Config, faults: Sequence[str] = ()) -> Place:
    """A place below the folder ``root``, wired to ``world``, with ``faults`` of :data:`FAULTS`."""
    devices = _NoPins if "backend gone" in faults else DeviceSet
    files: dict[str, str | None] = dict(_FILES)
    for fault in faults:
        files |= _OTHER_FILES.get(fault, {})
    for name, text in files.items():
        if text is not None:
            path = root / name.lstrip("/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("latin-1"))
    store = root / "var/lib/boxkeeper"
    store.mkdir(parents=True, exist_ok=True)
    for fault, (comm, held) in _HOLDERS.items():
        if fault in faults:
            (root / "proc/700/fd").mkdir(parents=True)
            (root / "proc/700/comm").write_text(f"{comm}\n")
            os.symlink(held, root / "proc/700/fd/9")
    if "i2c held" in faults:
        world.i2c.fail_after(0, errno.ETIMEDOUT)
    place = Place(
        root=root,
        python=(3, 13, 5),
        bits=64,
        version=_VERSIONS.get,
        output=lambda _command: None,
        group=lambda path: "video" if path.name.startswith("video") else "dialout",
        may_use=lambda _path: True,
        free_bytes=lambda _path: 20 << 30,
        lines=lambda: ("pinctrl-bcm2711", _lines(config, faults)),
        smbus=lambda _bus: world.i2c,
        backend=lambda config: devices(config, buses, world.chance),
    )
    for fault in faults:
        if fault in _OTHER_PLACE:
            place = _OTHER_PLACE[fault](place)
    return place


def _lines(config: Config, faults: Sequence[str]) -> dict[int, LineInfo]:
    lines = {bcm: LineInfo(False) for bcm in range(HEADER_LINES)}
    lines |= {2: LineInfo(True, "SDA1"), 3: LineInfo(True, "SCL1")}
    if "service runs" in faults:
        lines |= {line.bcm: LineInfo(True, "lg") for line in line_uses(config)}
    held = [int(fault.split()[1]) for fault in faults if fault.startswith("pin ")]
    return lines | {bcm: LineInfo(True, "onewire@0") for bcm in held}


class _NoPins(DeviceSet):
    """Devices of a computer on which lgpio is not installed."""

    def open_buttons(self) -> LevelSensor:
        """Raises what the real buses raise."""
        mend = "apt install python3-lgpio or pip install 'boxkeeper[lgpio]', or set tiles.backend"
        raise DeviceNotFoundError(f"lgpio is not installed: {mend}")


def _all_but(place: Place, name: str) -> Callable[[Path], bool]:
    return lambda path: path.name != name and place.may_use(path)


def _no_bus(text: str) -> Callable[[int], SmBus]:
    def open_bus(_bus: int) -> SmBus:
        raise DeviceNotFoundError(text)

    return open_bus


def _no_lines(text: str) -> Callable[[], tuple[str, Mapping[int, LineInfo]]]:
    def lines() -> tuple[str, Mapping[int, LineInfo]]:
        raise DeviceNotFoundError(text)

    return lines


def _hang(*_bus: int) -> NoReturn:
    """Never returns, as a driver that waits for ever."""
    while True:
        time.sleep(3600)

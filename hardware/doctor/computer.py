"""The computer itself: board, system, Python, power, disk, clock, service."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from firmware_host.config import Config
from firmware_host.errors import ConfigError
from firmware_host.findings import Finding, Grade
from hardware.doctor.place import Place

OK, WARNING, WRONG = Grade.OK, Grade.WARNING, Grade.WRONG

# The firmware's answer to "get_throttled" (Raspberry Pi documentation, vcgencmd): bit -> what, now
# and (16 higher) since the start.
_UNDERVOLTAGE, _SLOWED, _SINCE_START = 0x1, 0xE, 16
_LITTLE_DISK, _FULL_DISK = 200 << 20, 10 << 20  # a match takes some 100 kB
_VANISHES = ("overlay", "tmpfs", "ramfs")
_HIDES_DEVICES = re.compile(r"^\s*PrivateDevices\s*=\s*(yes|true|on|1)\s*$", re.MULTILINE | re.IGNORECASE)
_UNITS = ("/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system")


def board(place: Place, _config: Config) -> Iterator[Finding]:
    """Which board this is."""
    model = place.read("/proc/device-tree/model")
    if model is None or "Raspberry Pi" not in model:
        what = f"{model or 'not a Raspberry Pi'}: there are no pins here that are known"
        yield Finding("board", WRONG, what, "run it on the Raspberry Pi of the box, or add --bench")
    else:
        yield Finding("board", OK, model)


def system(place: Place, _config: Config) -> Iterator[Finding]:
    """Which system this is."""
    release = dict(
        line.split("=", 1) for line in (place.read("/etc/os-release") or "").splitlines() if "=" in line
    )
    name = release.get("PRETTY_NAME", "unknown").strip('"')
    kernel = place.read("/proc/sys/kernel/osrelease") or "unknown"
    yield Finding("system", OK, f"{name}, {place.bits} bit, Linux {kernel}")


def python(place: Place, _config: Config) -> Iterator[Finding]:
    """Python, and packages that must not be as they are."""
    text = ".".join(map(str, place.python))
    if (3, 11) <= place.python[:2] <= (3, 13):
        yield Finding("python", OK, text)
    else:
        yield Finding("python", WRONG, f"{text} is not supported", "use Python 3.11 to 3.13")
    pillow = place.version("pillow")
    if pillow is not None and int(re.match(r"\d*", pillow)[0] or 0) >= 14:  # type: ignore[index]
        mend = "pip install 'pillow<14'"
        yield Finding("python", WRONG, f"Pillow {pillow} no longer has a call that luma makes", mend)
    if place.version("RPi.GPIO") and place.version("rpi-lgpio"):
        mend = "pip uninstall the one that tiles.backend does not need"
        yield Finding("python", WRONG, "RPi.GPIO and rpi-lgpio share a name and spoil each other", mend)


def power(place: Place, _config: Config) -> Iterator[Finding]:
    """Whether the voltage is, or was, too low."""
    text = place.read("/sys/devices/platform/soc/soc:firmware/get_throttled")
    if text is None:
        text = (place.output(["vcgencmd", "get_throttled"]) or "").partition("=")[2]
    mend = "a supply of 5.1 V made for this Pi, 3 A (Pi 5: 5 A), and a short thick cable"
    try:
        bits = int(text, 16)
    except ValueError:
        yield Finding("power", WARNING, "not known: neither the kernel nor vcgencmd tells", "")
        return
    if bits & _UNDERVOLTAGE:
        yield Finding("power", WRONG, "the voltage is too low now", mend)
    elif bits >> _SINCE_START & _UNDERVOLTAGE:
        yield Finding("power", WARNING, "the voltage was too low since the start", mend)
    elif (bits | bits >> _SINCE_START) & _SLOWED:
        yield Finding("power", WARNING, "the Pi slowed down, as it was too hot", "let air to it")
    else:
        yield Finding("power", OK, "the voltage is good")


def disk(place: Place, config: Config) -> Iterator[Finding]:
    """Where matches are kept: room, rights, and whether it outlives the plug."""
    try:
        store = config.store_dir
    except ConfigError as error:
        yield Finding("disk", WRONG, str(error), "set store.dir")
        return
    folder = _existing(place, store)
    free = place.free_bytes(folder)
    room = f"{store}: {free >> 20} MB free"
    if free < _LITTLE_DISK:
        grade = WRONG if free < _FULL_DISK else WARNING
        yield Finding("disk", grade, room, "delete what is not needed, or set store.dir to a larger disk")
    elif not place.may_use(folder):
        mend = "give it to the user that runs the service, or set store.dir"
        yield Finding("disk", WRONG, f"{store} cannot be written", mend)
    else:
        yield Finding("disk", OK, room)
    kind = _file_system(place, store)
    if kind in _VANISHES:
        what = f"{store} is on a file system of the kind {kind}: matches are gone after a power cut"
        mend = "sudo raspi-config nonint disable_overlayfs, or store.dir on a disk that stays (a USB stick)"
        yield Finding("overlay", WRONG, what, mend)
    elif _file_system(place, Path("/")) in _VANISHES:
        yield Finding("overlay", OK, f"the system is read-only (overlay), {store} is not")
    else:
        yield Finding("overlay", OK, "no overlay: what is written stays")


def clock(place: Place, _config: Config) -> Iterator[Finding]:
    """Whether the wall clock was set; the game does not need it, the dates in records do."""
    is_synchronized = place.path("/run/systemd/timesync/synchronized").exists()
    if is_synchronized or place.path("/dev/rtc0").exists():
        yield Finding("clock", OK, "set by the network" if is_synchronized else "a clock of its own")
    else:
        mend = "let the network come, or fit a clock (RTC); matches are kept and marked meanwhile"
        yield Finding("clock", WARNING, "not set since the start: dates may be wrong by years", mend)


def service(place: Place, _config: Config) -> Iterator[Finding]:
    """Whether the service runs, and whether its unit lets it at the devices."""
    pid = place.service()
    unit = next((f"{folder}/boxkeeper.service" for folder in _UNITS if _has(place, folder)), None)
    if pid is None and unit is None:
        yield Finding("service", OK, "not installed; boxkeeper run starts the table by hand")
    else:
        running = f"runs, pid {pid}" if pid is not None else "installed, does not run now"
        yield Finding("service", OK, running)
    for name in (unit, *(f"{folder}/boxkeeper.service.d" for folder in _UNITS)):
        files = place.glob(f"{name}/*.conf") if name and name.endswith(".d") else [place.path(name or "-")]
        for file in files:
            if _HIDES_DEVICES.search(place.read(place.shown(file)) or ""):
                what = f"{place.shown(file)} has PrivateDevices: pins and buses are hidden from it"
                yield Finding("service", WRONG, what, "take that line out, then sudo systemctl daemon-reload")


def _has(place: Place, folder: str) -> bool:
    return place.path(f"{folder}/boxkeeper.service").exists()


def _existing(place: Place, folder: Path) -> Path:
    """``folder``, or the closest one above it that is there."""
    path = place.path(str(folder)) if folder.is_absolute() else folder
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def _file_system(place: Place, folder: Path) -> str:
    """The kind of the file system that ``folder`` is on, by the mounts of ``/proc``."""
    best, kind = -1, ""
    wanted = Path(os.path.abspath(folder))
    for line in (place.read("/proc/mounts") or "").splitlines():
        words = line.split()
        if len(words) > 2:
            at = Path(words[1].replace("\\040", " "))
            if wanted.is_relative_to(at) and len(at.parts) >= best:
                best, kind = len(at.parts), words[2]
    return kind

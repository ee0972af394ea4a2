"""What is wired to the computer: pins, I2C, serial ports, camera."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from firmware_host.config import Config
from firmware_host.config_wiring import line_uses
from firmware_host.errors import BoxkeeperError, DeviceError
from firmware_host.findings import Finding, Grade
from firmware_host.ports import LevelSensor
from hardware.doctor.place import Place
from hardware.pinmap import header_pin
from hardware.survey import LineInfo, answering

OK, WARNING, WRONG = Grade.OK, Grade.WARNING, Grade.WRONG
FAST_HZ = 400_000
FRAME_BYTES = 1096  # of a whole picture on the bus, nine clocks each
LGPIO = "lg"  # the name that lgpio gives to the kernel, whoever uses it


def pins(place: Place, config: Config) -> Iterator[Finding]:
    """The backend, and the config's lines: free, or held by whom."""
    try:
        label, lines = place.lines()
    except DeviceError as error:
        what, _, mend = str(error).partition(": ")
        yield Finding("pins", WRONG, what, mend or "is this a Raspberry Pi?")
        return
    uses = {line.bcm: line.use for line in line_uses(config)}
    held = {bcm: lines[bcm] for bcm in uses if bcm in lines and lines[bcm].is_held}
    pid = place.service()
    ours = [bcm for bcm, line in held.items() if pid is not None and line.consumer == LGPIO]
    if pid is not None and uses:
        yield _of_service(config, pid, len(ours), len(uses))
    if len(held) > len(ours):
        others = {bcm: line for bcm, line in held.items() if bcm not in ours}
        yield from _held(place, others, uses)
    elif not uses:
        yield Finding("pins", OK, "no line of the header is used")
    elif pid is None:
        yield from _try_pins(place, config, label, len(uses))


def _of_service(config: Config, pid: int, ours: int, count: int) -> Finding:
    """A running service's lines; they are not tried, as that would take them from it while it starts."""
    if ours:
        return Finding(
            "pins", OK, f"{ours} of {count} held by the service (pid {pid}), as it should be; not tried"
        )
    if config.tiles.backend == "rpigpio":
        return Finding(
            "pins", OK, f"left to the service (pid {pid}): the kernel does not see what RPi.GPIO holds"
        )
    what = f"the service (pid {pid}) runs and holds none of its {count} lines yet"
    return Finding("pins", WARNING, what, "ask again in a few seconds; journalctl -u boxkeeper says why")


def _held(place: Place, held: Mapping[int, LineInfo], uses: Mapping[int, str]) -> Iterator[Finding]:
    """Lines in other hands: the name they gave to the kernel, and which programs are at the chips."""
    chips = place.glob("/dev/gpiochip*")
    programs = "; ".join(sorted({program for chip in chips for program in place.holders(place.shown(chip))}))
    for bcm, line in held.items():
        pin = header_pin(bcm)
        where = f"BCM {bcm}" + (f" (header pin {pin.number})" if pin else "")
        what = f"{uses[bcm]}: {where} is held by {line.consumer or 'another program'!r}"
        what += f" ({programs})" if programs else ""
        mend = "stop that program, take its dtoverlay out of config.txt and restart, or use another pin"
        yield Finding("pins", WRONG, what, mend)


def _try_pins(place: Place, config: Config, label: str, count: int) -> Iterator[Finding]:
    """Open them as the service would, and let go again."""
    backend = place.backend(config)
    why = f"tiles.backend is {config.tiles.backend!r}"
    try:
        openers: list[Callable[[], LevelSensor]] = []
        if config.dice.source != "serial":
            openers.append(backend.open_buttons)
        if config.tiles.driver == "gpio":
            openers.append(backend.open_tiles)
        notes = [_note(open_sensor) for open_sensor in openers]
    except BoxkeeperError as error:
        what, _, mend = str(error).rpartition(": ")
        yield Finding("pins", WRONG, what or mend, mend if what else "set tiles.backend")
        return
    finally:
        backend.close()
    yield Finding("pins", OK, f"{count} lines free on {label}; {why}, and it works")
    for note in dict.fromkeys(note for note in notes if note):
        mend = "it plays so; tiles.backend = 'lgpio' has edges on every kernel of today"
        yield Finding("pins", WARNING, note, mend)


def _note(open_sensor: Callable[[], LevelSensor]) -> str:
    sensor = open_sensor()
    try:
        sensor.read()
        return sensor.note
    finally:
        sensor.close()


def i2c(place: Place, config: Config) -> Iterator[Finding]:
    """Each bus in use: what answers, whether all that should does, and how fast it is."""
    wanted = _wanted(config)
    for bus in sorted({bus for bus, _ in wanted}):
        part = f"i2c-{bus}"
        try:
            there = answering(bus, place.smbus)
        except DeviceError as error:
            what, _, mend = str(error).partition(": ")
            yield Finding(part, WRONG, what, mend)
            continue
        missing = {address: what for (on, address), what in wanted.items() if on == bus}
        for address in there:
            missing.pop(address, None)
        shown = ", ".join(f"{address:#04x}" for address in there) or "nothing"
        if missing:
            yield from _missing(part, missing, shown)
        else:
            yield Finding(part, OK, f"{shown} answers")
        yield from _speed(place, part, bus)


def _wanted(config: Config) -> dict[tuple[int, int], str]:
    """Bus and address of each device, and the key that names it."""
    wanted: dict[tuple[int, int], str] = {}
    if config.display.controller != "none" and isinstance(config.display.bus, int):
        wanted[config.display.bus, config.display.address] = "the OLED (display.address)"
    if config.tiles.driver == "mcp23017":
        wanted[config.expander.bus, config.expander.address] = "the tiles' MCP23017 (expander.address)"
    if config.lamps.driver == "mcp23017":
        wanted[config.expander.bus, config.lamps.address] = "the lamps' MCP23017 (lamps.address)"
    return wanted


def _missing(part: str, missing: Mapping[int, str], shown: str) -> Iterator[Finding]:
    for address, what in missing.items():
        mend = "check VCC, GND, SDA (pin 3), SCL (pin 5): swapped? Or set the address that answers"
        yield Finding(part, WRONG, f"{what} does not answer at {address:#04x}; what answers: {shown}", mend)


def _speed(place: Place, part: str, bus: int) -> Iterator[Finding]:
    path = place.path(f"/sys/class/i2c-adapter/i2c-{bus}/of_node/clock-frequency")
    try:
        hz = int.from_bytes(path.read_bytes()[:4], "big")
    except OSError:
        return
    if hz < FAST_HZ:
        what = f"{hz // 1000} kHz: a whole picture takes {9 * FRAME_BYTES / hz * 1e3:.0f} ms"
        mend = f"dtparam=i2c_arm_baudrate={FAST_HZ} in config.txt, and restart"
        yield Finding(part, WARNING, what, mend)


def serial(place: Place, config: Config) -> Iterator[Finding]:
    """Serial ports, and whether we may use those that are there."""
    is_used = "serial" in (
        config.tiles.driver, config.dice.source, config.lamps.driver, config.buzzer.driver
    )  # fmt: skip
    ports = [path for pattern in ("/dev/ttyACM*", "/dev/ttyUSB*") for path in place.glob(pattern)]
    shown = ", ".join(f"{place.shown(path)} ({_usb_id(place, path)})" for path in ports)
    if not is_used:
        yield Finding("serial", OK, f"not used{f'; there is {shown}' if shown else ''}")
        return
    wanted = config.serial
    if wanted.port != "auto":
        ours, what = [place.path(wanted.port)], wanted.port
    else:
        ours, what = [path for path in ports if _usb_id(place, path) == wanted.usb], f"board {wanted.usb}"
    there_are = [path for path in ours if path.exists()]
    if not there_are:
        mend = "plug the Pico in; a cable for charging only has no data wires; is MicroPython on it?"
        others = f"; there is {shown}" if shown else ""
        yield Finding("serial", WRONG, f"no {what} on a serial port{others}", mend)
    findings = [_port(place, config, path) for path in there_are]
    yield from findings
    if findings and all(finding.grade is OK for finding in findings) and place.service() is None:
        yield _board(place, config)


def _usb_id(place: Place, port: Path) -> str:
    """Vendor and product of the USB device behind ``port``, as lsusb shows them."""
    # The port's device is an interface of the USB device above it.
    ids = [place.read(f"/sys/class/tty/{port.name}/device/../{name}") for name in ("idVendor", "idProduct")]
    return ":".join(text or "?" for text in ids)


def _board(place: Place, config: Config) -> Finding:
    """Whether our firmware answers; asked for as the service asks, so not while that runs."""
    backend = place.backend(config)
    asks = {"tiles": backend.open_tiles, "buttons": backend.open_buttons}
    try:
        if config.tiles.driver == "serial" or config.dice.source == "serial":
            _note(asks["tiles" if config.tiles.driver == "serial" else "buttons"])
        elif config.lamps.driver == "serial":
            backend.open_lamps().close()
        else:
            backend.open_buzzer().close()
    except BoxkeeperError as error:
        return Finding("serial", WRONG, str(error), "copy hardware/mcu to it, see wiring.md; plug it in anew")
    finally:
        backend.close()
    return Finding("serial", OK, "the board answers")


def _port(place: Place, config: Config, path: Path) -> Finding:
    group, name = place.group(path), place.shown(path)
    if place.may_use(path):
        return Finding("serial", OK, f"{name}, group {group}")
    vendor, _, product = config.serial.usb.partition(":")
    rule = (
        f'SUBSYSTEM=="tty", ATTRS{{idVendor}}=="{vendor}", ATTRS{{idProduct}}=="{product}", GROUP="dialout"'
    )
    file = "/etc/udev/rules.d/70-boxkeeper.rules"
    mend = f"sudo usermod -aG {group} $USER and log in again; or put into {file}: {rule}"
    return Finding("serial", WRONG, f"no permission for {name}, which belongs to the group {group}", mend)


def camera(place: Place, config: Config) -> Iterator[Finding]:
    """The camera; only a table that reads its dice with one needs it."""
    grade = WRONG if str(config.dice.source) == "camera" else OK
    devices = [*place.glob("/dev/video[0-9]*"), *place.glob("/dev/media[0-9]*")]
    if not devices:
        mend = "seat its cable, set camera_auto_detect=1 in config.txt, restart; or set dice.source"
        is_used = grade is WRONG
        yield Finding(
            "camera", grade, "none is there" if is_used else "none; not used", mend if is_used else ""
        )
        return
    holders = sorted({holder for path in devices for holder in place.holders(place.shown(path))})
    names = ", ".join(map(place.shown, devices[:3])) + (" ..." if len(devices) > 3 else "")
    pid = place.service()
    others = [holder for holder in holders if not holder.endswith(f"pid {pid}")]
    if others and grade is WRONG:
        yield Finding("camera", WRONG, f"{names}: busy, held by {'; '.join(others)}", "stop that program")
    elif grade is WRONG and not place.may_use(devices[0]):
        mend = f"sudo usermod -aG {place.group(devices[0])} $USER and log in again"
        yield Finding("camera", WRONG, f"no permission for {place.shown(devices[0])}", mend)
    else:
        yield Finding("camera", OK, names + ("" if grade is WRONG else "; not used"))

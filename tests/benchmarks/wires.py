"""What each way of wiring adds between a level and its event: bytes, and milliseconds by the bus's clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from bus import ADDRESS, MATCHES, Sink
from changes import COMMONEST, kind
from figures import Figure, Length
from hands import Change, Hands
from luma.core.interface.serial import i2c

from firmware_host.screens.picture import draw
from hardware.display.oled import CONTROLLERS, Oled
from hardware.expander import Expander, mask
from hardware.mcu.firmware import Firmware
from hardware.mcu.wire import GREET, encode
from hardware.spi import SPEED_HZ, SpiInterface
from hardware.tiles.gpio import POLL_WITHOUT_EDGES_S
from hardware.tiles.mcp23017 import POLL_STILL_S, ExpanderLevels
from hardware.ways import EXPANDER_TILE_PINS
from sim.devices.i2c_bus import I2cBus
from sim.devices.mcp23017 import Mcp23017
from sim.devices.pico import SCAN_S, SimPins

PART = "wires"
I2C_HZ = (100_000, 400_000)
CLOCKS_A_BYTE = 9  # I2C: eight bits and the acknowledgement
CHUNK = 128  # of a picture's data in one transaction
USB_HZ, USB_FRAME_MS = 12_000_000, 1.0  # full speed; the host asks once in each frame of a millisecond
UART_BAUD, BITS_A_BYTE = 115_200, 10  # a board behind a serial adapter
LIMIT_MS = 15.0  # an eighth of the 100 ms that feel instant, before debouncing


def expander_bytes() -> int:
    """Bytes on the bus for one reading of the tiles, addresses included."""
    bus = I2cBus()
    bus.attach(0x20, Mcp23017())
    chip = Expander(bus, 0x20, watched=mask(EXPANDER_TILE_PINS.values()))
    sensor = ExpanderLevels(chip, {0: "GPA0"}, ["tile 1"], low=0)
    before = bus.bytes_on_bus
    sensor.read()
    return bus.bytes_on_bus - before


def state_bytes() -> int:
    """Bytes of one whole state on the serial wire."""
    pins = SimPins(lambda: (0xFFF, 7))
    firmware = Firmware(pins)
    firmware.step(0, encode(GREET, 1, 1))
    return len(firmware.step(501, b""))


class SpiSink:
    """Counts what is clocked out."""

    def __init__(self) -> None:
        self.sent = 0

    def writebytes(self, values: Sequence[int]) -> None:
        self.sent += len(values)

    def close(self) -> None: ...


class Line:
    """A pin that nobody looks at."""

    value = False

    def close(self) -> None: ...


def display_bytes(controller: str, is_spi: bool) -> tuple[float, int]:
    """Bytes of a change (the mean of the ten commonest kinds' means), and of a whole frame."""
    bus, spi = I2cBus(), SpiSink()
    bus.attach(ADDRESS, Sink())
    interface = SpiInterface(spi, Line(), None) if is_spi else i2c(bus=bus, address=ADDRESS)
    oled = Oled(interface, CONTROLLERS[controller])
    found: dict[str, list[int]] = {}

    def sent() -> int:
        return spi.sent if is_spi else bus.bytes_on_bus

    def changed(change: Change) -> None:
        before = sent()
        oled.show(draw(change.after))
        found.setdefault(kind(change.before, change.after), []).append(sent() - before)

    hands = Hands(0, changed=changed)
    for _ in range(MATCHES // 3):
        hands.play_match()
    first = next(iter(found.values()))[0]  # the first picture goes out whole
    return fmean(fmean(found[name]) for name in COMMONEST if name in found), first


def measure(_length: Length) -> Iterator[Figure]:
    """The way of each sensor, then of each display."""
    yield Figure(PART, "tiles, gpio: bytes on a bus", 0, "bytes")
    yield Figure(PART, "tiles, gpio: level to event on the wire", 0, "ms", LIMIT_MS)
    count = expander_bytes()
    yield Figure(PART, "tiles, mcp23017: one reading of all tiles", count, "bytes")
    for hz in I2C_HZ:
        ms = 1000 * count * CLOCKS_A_BYTE / hz
        at = f"at {hz // 1000} kHz"
        yield Figure(PART, f"tiles, mcp23017 with its interrupt line, {at}", ms, "ms", LIMIT_MS)
        behind = ms + 1000 * (CHUNK + 2) * CLOCKS_A_BYTE / hz
        yield Figure(PART, f"tiles, mcp23017, {at}, behind a piece of a picture", behind, "ms", LIMIT_MS)
        for name, poll_s in (("polled", POLL_WITHOUT_EDGES_S), ("polled, table still", POLL_STILL_S)):
            worst = ms + 1000 * poll_s
            limit = LIMIT_MS if poll_s == POLL_WITHOUT_EDGES_S else None
            yield Figure(PART, f"tiles, mcp23017 {name}, {at}, at worst", worst, "ms", limit)
            yield Figure(PART, f"tiles, mcp23017 {name}, {at}, share of the bus", ms / poll_s / 10, "%")
    count = state_bytes()
    scan_ms = 1000 * SCAN_S
    usb_ms = scan_ms + USB_FRAME_MS + 1000 * count * 8 / USB_HZ
    uart_ms = scan_ms + 1000 * count * BITS_A_BYTE / UART_BAUD
    yield Figure(PART, "tiles, serial: one whole state", count, "bytes")
    yield Figure(PART, "tiles, serial by USB: scan, frame and wire, at worst", usb_ms, "ms", LIMIT_MS)
    yield Figure(PART, "tiles, serial by UART at 115,200: scan and wire, at worst", uart_ms, "ms", LIMIT_MS)
    for controller in CONTROLLERS:
        change, whole = display_bytes(controller, is_spi=False)
        for what, sent in (("a change", change), ("a whole frame", whole)):
            yield Figure(PART, f"{controller} on I2C: {what}", sent, "bytes")
            for hz in I2C_HZ:
                ms = 1000 * sent * CLOCKS_A_BYTE / hz
                yield Figure(PART, f"{controller} on I2C at {hz // 1000} kHz: {what}", ms, "ms")
        change, whole = display_bytes(controller, is_spi=True)
        for what, sent in (("a change", change), ("a whole frame", whole)):
            ms = 1000 * sent * 8 / SPEED_HZ
            yield Figure(PART, f"{controller} on SPI at {SPEED_HZ // 1_000_000} MHz: {what}", ms, "ms")

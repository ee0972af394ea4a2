"""The only place that opens pins, I2C, SPI, serial ports and cameras.

Nothing is opened, and no library of it imported, before it is asked for: the
command starts on a laptop that has none of them.  The simulator has buses of
the same shape, so every adapter above takes a :class:`BusSet`.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from firmware_host.errors import ConfigError, DeviceNotFoundError

if TYPE_CHECKING:
    from gpiozero import Factory
    from luma.core.interface.serial import i2c

    from firmware_host.config_wiring import SerialConfig
    from hardware.chips.mcp3008 import Spi
    from hardware.dice.camera import Camera
    from hardware.dice.rig_file import Controls
    from hardware.expander import Smbus
    from hardware.link.link import Port
    from hardware.spi import SpiInterface

# The labels of the chip behind the 40-pin header: Pi 1 to 3 and Zero, Pi 4, Pi 5.  Its number has
# moved between kernels (4, then 0, on a Pi 5), and may again; drivers/pinctrl in Linux names these.
HEADER_CHIPS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")

BACKENDS = ("lgpio", "rpigpio")


class BusSet(Protocol):
    """What adapters take: the real buses here, simulated ones in ``sim.buses``."""

    def pins(self, backend: str) -> Factory:
        """The factory of gpiozero pins of ``backend``, the same one at each call."""

    def i2c(self, bus: int, address: int) -> i2c:
        """A new serial interface of luma's to ``address`` on ``bus``; whoever takes it cleans it up."""

    def camera(self, device: str, size: tuple[int, int], controls: Controls) -> Camera:
        """The camera ``device`` at ``size`` (width, height), held to ``controls``; the taker closes it."""

    def smbus(self, bus: int) -> Smbus:
        """I2C bus ``bus`` for an adapter's own transactions; whoever takes it closes it."""

    def spi(self, bus: str, dc: int, reset: int | None, backend: str) -> SpiInterface:
        """A display's interface at ``bus``, such as "spi0.0"; whoever takes it cleans it up."""

    def adc(self, bus: str) -> Spi:
        """The converter of the chip board at ``bus``, such as "spi0.1"; whoever takes it closes it."""

    def serial(self, wanted: SerialConfig) -> Port:
        """The port of the microcontroller; whoever takes it closes it."""

    def close(self) -> None:
        """Let go of all pins; quiet when called twice."""


class Buses:
    """The buses of the Raspberry Pi this runs on; may be asked from any thread."""

    def __init__(self, dev: Path = Path("/dev")) -> None:
        """``dev``: where the device files are."""
        self._dev = dev
        self._lock = threading.Lock()
        self._factories: dict[str, Factory] = {}

    def pins(self, backend: str) -> Factory:
        """The pins by way of ``backend``, "lgpio" or "rpigpio"; another is never taken instead.

        Raises ConfigError if there is no such backend, DeviceNotFoundError if it is
        not installed or does not work here, with what mends it.
        """
        with self._lock:
            if backend not in self._factories:
                self._factories[backend] = self._open_pins(backend)
            return self._factories[backend]

    def i2c(self, bus: int, address: int) -> i2c:
        """Open /dev/i2c-``bus``; whether anything answers at ``address`` shows when it is written to.

        Raises DeviceNotFoundError if the bus is not there or may not be opened.
        """
        from luma.core.error import DevicePermissionError, Error
        from luma.core.interface.serial import i2c

        try:
            return i2c(port=bus, address=address)
        except (DevicePermissionError, PermissionError) as error:
            raise _no_permission(bus) from error
        except (Error, OSError) as error:
            raise _no_bus(bus, "display.bus") from error

    def smbus(self, bus: int) -> Smbus:
        """Open /dev/i2c-``bus``; DeviceNotFoundError if it is not there or may not be opened."""
        from smbus2 import SMBus

        try:
            return cast("Smbus", SMBus(bus))
        except PermissionError as error:
            raise _no_permission(bus) from error
        except OSError as error:
            raise _no_bus(bus, "expander.bus") from error

    def spi(self, bus: str, dc: int, reset: int | None, backend: str) -> SpiInterface:
        """Open /dev/spidev0.0 for "spi0.0", and the pins; DeviceNotFoundError if they cannot be had."""
        from hardware.spi import open_spi

        number, _, device = bus.removeprefix("spi").partition(".")
        return open_spi(self.pins(backend), int(number), int(device), dc, reset)

    def adc(self, bus: str) -> Spi:
        """Open /dev/spidev0.1 for "spi0.1"; DeviceNotFoundError if it cannot be had."""
        from hardware.chips.mcp3008 import CLOCK_HZ
        from hardware.spi import open_bus

        number, _, device = bus.removeprefix("spi").partition(".")
        return cast("Spi", open_bus(int(number), int(device), CLOCK_HZ, "chips.bus"))

    def serial(self, wanted: SerialConfig) -> Port:
        """Open the port of the board, wherever it is now; DeviceNotFoundError or DeviceBusyError."""
        from hardware.link.ports import open_port

        return open_port(wanted)

    def camera(self, device: str, size: tuple[int, int], controls: Controls) -> Camera:
        """Open the camera ``device`` (``camera.device``) in a thread of its own.

        Raises DeviceNotFoundError, DeviceBusyError or DeviceLostError, each with what mends it.
        """
        from hardware.dice.frames import open_frames
        from hardware.dice.pump import Pump

        return Pump(lambda: open_frames(device, size, controls))

    def close(self) -> None:
        """Release every line, so that other programs may have them."""
        with self._lock:
            while self._factories:
                _, factory = self._factories.popitem()
                with suppress(*backend_errors()):
                    factory.close()

    def _open_pins(self, backend: str) -> Factory:
        if backend == "lgpio":
            with _installed("lgpio", "apt install python3-lgpio or pip install 'boxkeeper[lgpio]'"):
                lgpio = _import_lgpio()
                from gpiozero.pins.lgpio import LGPIOFactory
            chip = _header_chip(lgpio, self._dev)
            with _working("lgpio"):
                return LGPIOFactory(chip=chip)
        if backend == "rpigpio":
            with _installed("RPi.GPIO", "apt install python3-rpi.gpio or pip install 'boxkeeper[rpigpio]'"):
                _prepare_rpi_lgpio()
                from gpiozero.pins.rpigpio import RPiGPIOFactory
            with _working("RPi.GPIO"):
                return RPiGPIOFactory()
        raise ConfigError(f"tiles.backend: {backend!r} is none of {', '.join(BACKENDS)}")


def _no_permission(bus: int) -> DeviceNotFoundError:
    mend = "add the user to the group i2c and log in again"
    return DeviceNotFoundError(f"no permission for /dev/i2c-{bus}: {mend}")


def _no_bus(bus: int, key: str) -> DeviceNotFoundError:
    mend = f"enable I2C (sudo raspi-config nonint do_i2c 0) and restart, or set {key}"
    return DeviceNotFoundError(f"there is no I2C bus /dev/i2c-{bus}: {mend}")


def backend_errors() -> tuple[type[Exception], ...]:
    """What a pin raises when it does not do its work, whatever is behind it.

    RPi.GPIO raises RuntimeError and ValueError; lgpio has an error of its own,
    which is known only once lgpio is imported.
    """
    from gpiozero import GPIOZeroError

    lgpio: Any = sys.modules.get("lgpio")
    own = (lgpio.error,) if lgpio is not None else ()
    return (GPIOZeroError, OSError, RuntimeError, ValueError, *own)


def line_holder(factory: Factory, bcm: int) -> str:
    """Who holds the line ``bcm``: the name given to the kernel, and what runs with the chip open.

    For example "'lg' (boxkeeper, pid 812)"; empty where that cannot be known, as
    with the old RPi.GPIO, which does not ask the kernel.
    """
    lgpio: Any = sys.modules.get("lgpio")
    if lgpio is None:
        return ""
    try:
        chip = getattr(factory, "chip", None)
        if chip is None:
            chip = _header_chip(lgpio, Path("/dev"))
        handle = lgpio.gpiochip_open(chip)
        try:
            consumer = lgpio.gpio_get_line_info(handle, bcm)[4]
        finally:
            lgpio.gpiochip_close(handle)
    except (lgpio.error, DeviceNotFoundError):
        return ""
    programs = "; ".join(_programs_with(f"/dev/gpiochip{chip}"))
    return f"{consumer!r}" + (f" ({programs})" if programs else "")


def _programs_with(path: str) -> Iterator[str]:
    """Other processes that have ``path`` open, as far as we may look."""
    for process in Path("/proc").glob("[0-9]*"):
        if int(process.name) == os.getpid():
            continue
        with suppress(OSError):
            if any(os.readlink(fd) == path for fd in (process / "fd").iterdir()):
                yield f"{(process / 'comm').read_text().strip()}, pid {process.name}"


@contextmanager
def _installed(name: str, mend: str) -> Iterator[None]:
    """Around the import of ``name``: RPi.GPIO raises a RuntimeError off a Pi, lgpio an OSError."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise DeviceNotFoundError(f"{name} is not installed: {mend}, or set tiles.backend") from error
    except (ImportError, OSError, RuntimeError) as error:
        raise DeviceNotFoundError(f"{name} does not work here ({error}): set tiles.backend") from error


@contextmanager
def _working(name: str) -> Iterator[None]:
    try:
        yield
    except backend_errors() as error:
        raise DeviceNotFoundError(f"{name} does not work here ({error}): set tiles.backend") from error


def _header_chip(lgpio: Any, dev: Path) -> int:
    """The number of the chip that has one of ``HEADER_CHIPS`` as its label."""
    seen, closed = [], []
    for number in sorted(int(path.name[8:]) for path in dev.glob("gpiochip*") if path.name[8:].isdigit()):
        try:
            handle = lgpio.gpiochip_open(number)
        except lgpio.error:
            closed.append(f"/dev/gpiochip{number}")
            continue
        label = lgpio.gpio_get_chip_info(handle)[3]
        lgpio.gpiochip_close(handle)
        if label in HEADER_CHIPS:
            return number
        seen.append(label)
    if closed:
        mend = "add the user to the group gpio and log in again"
        raise DeviceNotFoundError(f"{', '.join(closed)} cannot be opened: {mend}")
    found = f"only {', '.join(seen)}" if seen else "no GPIO chip at all"
    raise DeviceNotFoundError(f"no Raspberry Pi header here, {found}: is this a Raspberry Pi?")


def _import_lgpio() -> Any:
    """Import lgpio without what it does to the working directory.

    At import it makes a FIFO in the directory LG_WD names, else in the working
    directory, where that may be read-only, and goes there for good; its Python
    half then opens it by its bare name.  So it is sent to a directory of its own,
    we come back, and the directory goes: both ends of the FIFO are open by then.
    """
    if "lgpio" in sys.modules:
        return sys.modules["lgpio"]
    with ExitStack() as after:
        directory = after.enter_context(_private_directory())
        here = os.open(".", os.O_PATH)
        after.callback(os.close, here)
        after.callback(os.fchdir, here)
        after.callback(_restore, "LG_WD", os.environ.get("LG_WD"))
        os.environ["LG_WD"] = directory
        import lgpio
    return lgpio


def _prepare_rpi_lgpio() -> None:
    """Import what RPi.GPIO stands on, if it is rpi-lgpio's: it would do so where we happen to be."""
    with suppress(ImportError, OSError):
        _import_lgpio()


def _restore(variable: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(variable, None)
    else:
        os.environ[variable] = value


@contextmanager
def _private_directory() -> Iterator[str]:
    """A directory that can be written to, gone afterwards; under systemd its RuntimeDirectory."""
    from tempfile import TemporaryDirectory

    runtime = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
    for parent in (runtime or None, os.environ.get("XDG_RUNTIME_DIR") or None, None, "/dev/shm"):
        try:
            directory = TemporaryDirectory(prefix="boxkeeper-", dir=parent)
        except OSError:
            continue
        with directory as name:
            yield name
        return
    mend = "set TMPDIR, or RuntimeDirectory= in the unit"
    raise DeviceNotFoundError(f"lgpio needs a directory to write to: {mend}")

"""The devices of one box: which adapter each one gets, and on which bus."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from firmware_host.errors import ConfigError, DeviceError, DeviceNotFoundError
from firmware_host.ports import Backend, Buzzer, Chance, ChipBoard, DiceSource, Display, Lamps, LevelSensor

if TYPE_CHECKING:
    from firmware_host.config import Config
    from hardware.buses import BusSet
    from hardware.link.shared import SharedLink

TILES = 12


class DeviceSet:
    """Opens the devices that the config names; real and simulated boxes differ in ``buses`` only."""

    def __init__(self, config: Config, buses: BusSet, chance: Chance) -> None:
        """``buses`` belong to this from now on; ``chance`` is what the roller throws with."""
        self._config = config
        self._buses = buses
        self._chance = chance

    def open_tiles(self) -> LevelSensor:
        """The tiles' switches: 12 places, 1 open, 0 shut, None where no pin is named."""
        tiles = self._config.tiles
        labels = [f"tile {tile}" for tile in range(1, TILES + 1)]
        match tiles.driver:
            case "gpio":
                from hardware.tiles.gpio import GpioLevels

                places = {tile - 1: bcm for tile, bcm in tiles.pins.items()}
                return GpioLevels(self._buses.pins(tiles.backend), places, labels, pull=tiles.pull, low=0)
            case "mcp23017":
                return self._open_expander_tiles(labels)
            case "serial":
                from hardware.tiles.serial import SerialLevels

                return SerialLevels(self._link, lambda state: state.tiles, low=0)
        raise ConfigError(f"tiles.driver: {tiles.driver!r} is not built in, 'gpio' is")

    def _open_expander_tiles(self, labels: Sequence[str]) -> LevelSensor:
        from hardware.expander import Expander, mask
        from hardware.tiles.gpio import GpioLevels
        from hardware.tiles.mcp23017 import ExpanderLevels

        tiles, wired = self._config.tiles, self._config.expander
        interrupt = None
        if wired.interrupt is not None:
            factory, name = self._buses.pins(tiles.backend), ["the expander's interrupt line"]
            interrupt = GpioLevels(factory, {0: wired.interrupt}, name, pull="up", low=1)
        try:
            bus, watched = self._buses.smbus(wired.bus), mask(wired.pins.values())
            chip = Expander(bus, wired.address, watched=watched, pull=tiles.pull == "up")
        except DeviceError:
            if interrupt is not None:
                interrupt.close()
            raise
        places = {tile - 1: name for tile, name in wired.pins.items()}
        return ExpanderLevels(chip, places, labels, low=0, interrupt=interrupt)

    def open_buttons(self) -> LevelSensor:
        """Roll, next, back: from the pin to ground, so always pulled up."""
        if self._config.dice.source == "serial":
            from hardware.tiles.serial import SerialLevels

            return SerialLevels(self._link, lambda state: state.buttons, low=1)
        from hardware.tiles.gpio import GpioLevels

        buttons = self._config.buttons
        return GpioLevels(
            self._buses.pins(self._config.tiles.backend),
            places=dict(enumerate((buttons.roll, buttons.next, buttons.back))),
            labels=["the button roll", "the button next", "the button back"],
            pull="up",
            low=1,
        )

    def open_dice(self) -> DiceSource:
        """The source of rolls; with typed or unknown dice the roller stands by for the next set-up."""
        from hardware.dice.roller import Roller

        return Roller(self._chance)

    def open_camera(self) -> DiceSource:
        """The camera over the tray, by its calibration.

        Raises DeviceNotFoundError without OpenCV, ConfigError without a calibration, and what the bus raises.
        """
        from hardware.dice.images import need_opencv

        need_opencv()
        from hardware.dice.camera import CameraDice
        from hardware.dice.kept_frames import KeptFrames
        from hardware.dice.rig import load_rig
        from hardware.dice.rig_file import find_rig, load_controls

        path, name = find_rig(self._config.camera_rig)
        if not path.is_file():
            raise ConfigError(f"{path}: there is no calibration; run boxkeeper calibrate camera")
        rig = load_rig(path, name)
        _ = rig.background  # worked out here, in the worker, before the first frame
        camera = self._buses.camera(self._config.camera.device, rig.image_size, load_controls(path))
        return CameraDice(camera, rig, KeptFrames(self._config.store_dir / "dice"))

    def open_display(self) -> Display | None:
        """The panel, None if the config says there is none."""
        display = self._config.display
        if display.controller == "none":
            return None
        from hardware.display.oled import CONTROLLERS, Oled

        controller = CONTROLLERS.get(display.controller)
        if controller is None:
            raise ConfigError(f"display.controller: {display.controller!r} is not built in, 'ssd1306' is")
        if isinstance(display.bus, int):
            return Oled(self._buses.i2c(display.bus, display.address), controller)
        interface = self._buses.spi(display.bus, display.dc, display.reset, self._config.tiles.backend)
        return Oled(interface, controller)

    def open_chips(self) -> ChipBoard:
        """The chip board: 36 squares, row by row."""
        chips = self._config.chips
        match chips.driver:
            case "hall":
                return self._open_hall_board()
            case "matrix":
                from hardware.chips import matrix
                from hardware.expander import Expander

                bus = self._buses.smbus(self._config.expander.bus)
                return matrix.MatrixBoard(Expander(bus, chips.address, outputs=matrix.ROWS))
        raise ConfigError(f"chips.driver: {chips.driver!r} is not built in, 'hall' is")

    def _open_hall_board(self) -> ChipBoard:
        from gpiozero import OutputDevice

        from hardware.buses import backend_errors
        from hardware.chips.hall import HallBoard
        from hardware.chips.mcp3008 import Adc

        chips, factory = self._config.chips, self._buses.pins(self._config.tiles.backend)
        adc, select = Adc(self._buses.adc(chips.bus)), list[OutputDevice]()
        try:
            select += [OutputDevice(bcm, pin_factory=factory) for bcm in chips.select]
        except backend_errors() as error:
            adc.close()
            for line in select:
                line.close()
            raise DeviceNotFoundError(f"the select lines of the chip board: {error}") from error
        return HallBoard(adc, select, sensor=chips.sensor, rest=chips.rest)

    def open_lamps(self) -> Lamps:
        """The tiles' lamps; ConfigError where the config names no driver."""
        lamps = self._config.lamps
        match lamps.driver:
            case "mcp23017":
                from hardware.expander import Expander, mask
                from hardware.signals.mcp23017 import ExpanderLamps

                bus = self._buses.smbus(self._config.expander.bus)
                chip = Expander(bus, lamps.address, outputs=mask(lamps.pins.values()))
                return ExpanderLamps(chip, lamps.pins)
            case "serial":
                from hardware.signals.serial import SerialLamps

                return SerialLamps(self._link)
        raise ConfigError(f"lamps.driver: {lamps.driver!r} is not built in, 'mcp23017' is")

    def open_buzzer(self) -> Buzzer:
        """The buzzer; ConfigError where the config names no driver, or turns it off."""
        buzzer = self._config.buzzer
        if buzzer.volume != "off":
            match buzzer.driver:
                case "gpio":
                    from hardware.signals.gpio import GpioBuzzer

                    return GpioBuzzer(self._buses.pins(self._config.tiles.backend), buzzer.pin, buzzer.volume)
                case "serial":
                    from hardware.signals.serial import SerialBuzzer

                    return SerialBuzzer(self._link, buzzer.volume)
        raise ConfigError(f"buzzer.driver: {buzzer.driver!r} at volume {buzzer.volume!r} cannot be heard")

    @cached_property
    def _link(self) -> SharedLink:
        """What all that hangs on the microcontroller shares."""
        from hardware.link.shared import SharedLink

        return SharedLink(lambda: self._buses.serial(self._config.serial))

    def open_candidates(self) -> tuple[LevelSensor, tuple[Any, ...]]:
        """Every input a tile may be wired to, and its name in the config, see ``hardware.candidates``."""
        from hardware.candidates import open_candidates

        return open_candidates(self._config, self._buses)

    def close(self) -> None:
        """Let go of the buses; close the devices before."""
        self._buses.close()


def open_backend(config: Config) -> Backend:
    """The box this Raspberry Pi is wired to; nothing is opened yet."""
    from hardware.buses import Buses
    from hardware.dice.roller import SecureChance

    return DeviceSet(config, Buses(), SecureChance())

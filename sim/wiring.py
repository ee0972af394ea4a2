"""What the config says is wired, put together on the simulated table: chips on a bus, the Pico on its cable.

The wires themselves are the world's lines.  Chips come up as they do with the plug; what is broken stays so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from firmware_host.errors import PlayError
from firmware_host.games.start import SEQUENCE_DICE
from sim.chip_boards import HallCircuit, MatrixCircuit
from sim.devices.mcp3008 import Mcp3008
from sim.devices.mcp23017 import Mcp23017
from sim.world import BUTTONS, Line, World

if TYPE_CHECKING:
    from firmware_host.config import Config
    from sim.devices.pico import SimPico


def _pin(name: str) -> int:
    return 8 * "AB".index(name[2]) + int(name[3])


class Wiring:
    """The chips between the world's lines and the Pi; made anew by :meth:`fit` at each power-on."""

    def __init__(self, world: World, seed: int = 0) -> None:
        self._world, self._seed = world, seed
        self.expander: Mcp23017 | None = None
        self.lamp_chip: Mcp23017 | None = None
        self.pico: SimPico | None = None
        self.hall: HallCircuit | None = None
        self.matrix: MatrixCircuit | None = None
        self.interrupt = Line(True)  # from the expander's INTA to the Pi
        self.lines: Mapping[int, Line] = {}  # of the Pi's header, by BCM number
        self._config: Config | None = None
        self._is_tile_cable_cut = self._is_serial_gone = self._is_noisy = False

    def fit(self, config: Config) -> None:
        """Wire the world as ``config`` says, and switch it on."""
        self._config = config
        self._world.fit_panel(config.display.controller)
        self._take_off()
        self.interrupt = Line(True)
        lines: dict[int, Line] = {}
        if config.tiles.driver == "gpio":
            pins = config.tiles.pins
            lines |= {pins[tile]: switch.line for tile, switch in self._world.tiles.items() if tile in pins}
        elif config.tiles.driver == "mcp23017":
            self._fit_expander(config)
            if config.expander.interrupt is not None:
                lines[config.expander.interrupt] = self.interrupt
        if config.dice.source != "serial":
            lines |= {getattr(config.buttons, name): self._world.buttons[name].line for name in BUTTONS}
        self.lines = lines
        if config.lamps.driver == "mcp23017":
            self.lamp_chip = Mcp23017(self._seed)
            self._world.i2c.attach(config.lamps.address, self.lamp_chip)
        if "serial" in (config.tiles.driver, config.dice.source, config.lamps.driver, config.buzzer.driver):
            self._fit_pico()
        if config.game == SEQUENCE_DICE and config.chips.driver == "matrix":
            self.matrix = MatrixCircuit(self._world.chips, self._seed)
            self._world.i2c.attach(config.chips.address, self.matrix)

    def hall_adc(self, pin: Callable[[int], Any]) -> Mcp3008:
        """The converter of the hall board; ``pin``: gpiozero's pin of the header, by BCM number."""
        assert self._config is not None
        if self.hall is not None:
            return self.hall.adc
        chips = self._config.chips
        select = [partial(getattr, pin(bcm), "state") for bcm in chips.select]
        self.hall = HallCircuit(self._world.chips, select, chips.sensor, self._seed)
        return self.hall.adc

    def _take_off(self) -> None:
        if self._config is not None:
            wired = self._config
            for address in (wired.expander.address, wired.lamps.address, wired.chips.address):
                self._world.i2c.detach(address)
        if self.pico is not None:
            self.pico.unplug()
        self.expander = self.lamp_chip = self.pico = self.hall = self.matrix = None

    def _fit_expander(self, config: Config) -> None:
        chip = self.expander = Mcp23017(self._seed, lambda is_low: self.interrupt.drive(not is_low))
        has_resistors = config.tiles.pull == "external"
        for tile, switch in self._world.tiles.items():
            if tile in config.expander.pins:
                drive = partial(_open_drain, chip, _pin(config.expander.pins[tile]), has_resistors)
                drive(switch.line.is_high)
                switch.line.listen(drive)
        if not self._is_tile_cable_cut:
            self._world.i2c.attach(config.expander.address, chip)

    def _fit_pico(self) -> None:
        from sim.devices.pico import SimPico

        pico = self.pico = SimPico(self._world.loop, self._levels, self._seed)
        for switch in (*self._world.tiles.values(), *self._world.buttons.values()):
            switch.line.listen(lambda _: pico.changed())
        pico.is_noisy = self._is_noisy
        if self._is_serial_gone or self._is_tile_cable_cut:
            pico.unplug()

    def _levels(self) -> tuple[int, int]:
        """The lines that are high, as the Pico has them; a pin with nothing on it is pulled up."""
        tiles, buttons = (1 << 12) - 1, (1 << len(BUTTONS)) - 1
        for tile, switch in self._world.tiles.items():
            tiles &= ~(0 if switch.line.is_high else 1 << tile - 1)
        for i, name in enumerate(BUTTONS):
            buttons &= ~(0 if self._world.buttons[name].line.is_high else 1 << i)
        return tiles, buttons

    # What breaks

    def fault(self, device: str, how: str) -> None:
        """``device`` breaks in this way, ``how`` empty: it is mended.

        Raises PlayError for what is not wired.
        """
        match device:
            case "tiles":
                self._cut_tiles(bool(how))
            case "chips":
                self._cut_chips(bool(how))
            case "i2c":
                if how:
                    self._world.i2c.fail_after(0)
                else:
                    self._world.i2c.mend()
            case "expander":
                chip = self.expander
                if chip is None:
                    raise PlayError("there is no expander: set tiles.driver mcp23017")
                if how == "gone":
                    self._detach_expander()
                elif how == "reset":
                    chip.reset()
                else:
                    self._attach_expander()
            case "serial":
                self._break_serial(how)

    def _break_serial(self, how: str) -> None:
        pico = self.pico
        if pico is None:
            raise PlayError("nothing is on a serial port: set tiles.driver serial")
        act: Mapping[str, Callable[[], None]] = {
            "gone": pico.unplug,
            "noise": pico.make_noisy,
            "reset": pico.reset,
            "hang": pico.hang,
            "": pico.mend,
        }
        self._is_serial_gone, self._is_noisy = how == "gone", how == "noise"
        act[how]()

    def _cut_tiles(self, is_cut: bool) -> None:
        self._is_tile_cable_cut = self._world.are_tiles_cut = is_cut
        if self.expander is not None:
            (self._detach_expander if is_cut else self._attach_expander)()
        elif self.pico is not None and self._config is not None and self._config.tiles.driver == "serial":
            (self.pico.unplug if is_cut else self.pico.mend)()

    def _cut_chips(self, is_cut: bool) -> None:
        """The cable of the chip board."""
        if self.hall is not None:
            self.hall.adc.is_there = not is_cut
        elif self.matrix is not None and self._config is not None:
            if is_cut:
                self._world.i2c.detach(self._config.chips.address)
            else:
                self.matrix.chip.reset()  # it was without power
                self._world.i2c.attach(self._config.chips.address, self.matrix)
        else:
            raise PlayError("there is no chip board: set rules.game sequence-dice")

    def _detach_expander(self) -> None:
        assert self._config is not None
        self._world.i2c.detach(self._config.expander.address)

    def _attach_expander(self) -> None:
        assert self._config is not None
        assert self.expander is not None
        self.expander.reset()  # it was without power
        self._world.i2c.attach(self._config.expander.address, self.expander)


def _open_drain(chip: Mcp23017, pin: int, has_resistor: bool, is_high: bool) -> None:
    """A switch pulls its pin to ground or lets go of it."""
    chip.drive(pin, False if not is_high else True if has_resistor else None)

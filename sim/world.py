"""The simulated box: tiles, magnets, buttons, dice and the hands that move them.

It knows no rules.  A hand moves a tile; half-way the magnet crosses the switch's
threshold, several times while the tile falls; the switch pulls its line.  Chance
comes from a seed.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from firmware_host.errors import DeviceNotFoundError
from sim.devices.i2c_bus import I2cBus
from sim.devices.sh1106 import Sh1106
from sim.devices.ssd1306 import Ssd1306
from sim.magnets import Board

if TYPE_CHECKING:
    from sim.camera import SimCamera
    from sim.dice_tray import DiceTray

TRAVEL_S = 0.12  # a tile from one side to the other
TILE_BOUNCE_S = 0.008
BUTTON_BOUNCE_S = 0.003
BUTTONS = ("roll", "next", "back")
OLED_ADDRESS = 0x3C


class Line:
    """A wire to the Pi.  ``is_high``: its level now; whoever listens hears every change."""

    def __init__(self, is_high: bool) -> None:
        self.is_high = is_high
        self._listeners: list[Callable[[bool], None]] = []

    def listen(self, changed: Callable[[bool], None]) -> None:
        """Call ``changed`` with the level at every change from now on."""
        self._listeners.append(changed)

    def forget(self) -> None:
        """Nobody listens any more: the power is off."""
        self._listeners.clear()

    def drive(self, is_high: bool) -> None:
        """Put the line to a level."""
        if is_high != self.is_high:
            self.is_high = is_high
            for changed in tuple(self._listeners):
                changed(is_high)


class Switch:
    """A line with something mechanical on it: it bounces, and it may be stuck."""

    def __init__(self, loop: asyncio.AbstractEventLoop, chance: random.Random, bounce_s: float) -> None:
        self.line = Line(True)
        self.bounce_s = bounce_s
        self.loop, self._chance = loop, chance
        self._is_high = True  # what the line would be if it were not stuck
        self._is_stuck = False
        self._sense: Callable[[bool], bool] = bool  # what the sensor makes of the magnet
        self._lines: tuple[Line, ...] = (self.line,)  # what its wire leads to
        self._ends_at = 0.0

    @property
    def is_moving(self) -> bool:
        """An edge is still to come."""
        return self.loop.time() < self._ends_at

    def move(self, is_high: bool, delay_s: float) -> None:
        """Cross the threshold after ``delay_s`` and bounce for ``bounce_s``."""
        count = 2 * self._chance.randint(1, 4) - 1
        moments = sorted(self._chance.uniform(0, self.bounce_s) for _ in range(count))
        start = self.loop.time() + delay_s
        for i, moment in enumerate((0.0, *moments, self.bounce_s)):
            self.loop.call_at(start + moment, self._drive, is_high == (i % 2 == 0))
        self._ends_at = max(self._ends_at, start + self.bounce_s)

    @property
    def is_stuck(self) -> bool:
        """The line keeps its level, whatever moves."""
        return self._is_stuck

    def stick(self) -> None:
        """Keep the level, whatever moves."""
        self._is_stuck = True

    def mend(self, bounce_s: float) -> None:
        """Follow the magnet again, and bounce for ``bounce_s``."""
        self._is_stuck, self.bounce_s = False, bounce_s
        self._drive(self._is_high)

    def wire(self, sense: Callable[[bool], bool] = bool, lines: tuple[Line, ...] = ()) -> None:
        """Wire it otherwise: with a sensor that makes ``sense`` of the magnet, or to other ``lines``."""
        self._sense, self._lines = sense, lines or self._lines
        self._drive(self._is_high)

    def _drive(self, is_high: bool) -> None:
        self._is_high = is_high
        if not self._is_stuck:
            for line in self._lines:
                line.drive(self._sense(is_high))


class RiggedChance:
    """The roller's chance: throws that were laid ready, else those of a seed.

    ``ready``: whole throws, each taken whatever its number of dice.  ``laid``: dice set by hand, of which the
    next throw shows as many as are thrown.
    """

    def __init__(self, seed: int) -> None:
        self.ready: deque[tuple[int, ...]] = deque()
        self.laid: tuple[int, ...] = ()
        self.thrown: tuple[int, ...] = ()
        self._chance = random.Random(seed)

    def throw(self, count: int) -> tuple[int, ...]:
        """The throw laid ready, whatever its number of dice; else ``count`` dice."""
        drawn = tuple(self._chance.randint(1, 6) for _ in range(count))
        laid, self.laid = self.laid, ()
        self.thrown = self.ready.popleft() if self.ready else laid[:count] or drawn
        return self.thrown


class World:
    """The box on the table.  ``open_tiles``: as the tiles lie, or are about to when a hand lets go."""

    def __init__(self, loop: asyncio.AbstractEventLoop, tiles: Iterable[int], seed: int = 0) -> None:
        self.loop, self._random, self._seed = loop, random.Random(seed), seed
        self.chance = RiggedChance(seed)
        self.chips = Board()
        self.tiles: dict[int, Switch] = {}
        self.open_tiles: set[int] = set()
        self.buttons = {name: Switch(loop, self._random, BUTTON_BOUNCE_S) for name in BUTTONS}
        self.dead_lamps: set[int] = set()
        self.is_buzzer_dead = False
        self.has_edges = True  # the kernel tells of edges on its pins
        self.are_tiles_cut = False  # the cable to the tiles is off
        self.panel: Ssd1306 | Sh1106 = Ssd1306(seed)
        self.is_oled_plugged = True
        self.i2c = I2cBus()
        self.i2c.attach(OLED_ADDRESS, self.panel)
        self.tray: DiceTray | None = None  # only where a camera reads the dice
        self.is_camera_gone = False
        self._camera: SimCamera | None = None
        self._seed = seed
        self.fit(tiles)

    def fit(self, tiles: Iterable[int]) -> None:
        """Have exactly ``tiles``; new ones are open."""
        wanted = set(tiles)
        self.tiles = {tile: self.tiles.get(tile) or self._new_tile(tile) for tile in sorted(wanted)}
        self.open_tiles &= wanted

    def _new_tile(self, tile: int) -> Switch:
        self.open_tiles.add(tile)
        return Switch(self.loop, self._random, TILE_BOUNCE_S)

    def fit_panel(self, controller: str) -> None:
        """Have a panel with this controller; one that is there stays."""
        wanted = Sh1106 if controller == "sh1106" else Ssd1306
        if not isinstance(self.panel, wanted):
            self.panel = wanted(self._seed)
            if self.is_oled_plugged:
                self.i2c.attach(OLED_ADDRESS, self.panel)

    @property
    def is_moving(self) -> bool:
        """Something on the table has not come to rest."""
        return any(switch.is_moving for switch in (*self.tiles.values(), *self.buttons.values()))

    def flip(self, tile: int, to_open: bool) -> None:
        """A hand flips ``tile``; nothing where it already lies so."""
        if to_open == (tile in self.open_tiles):
            return
        (self.open_tiles.add if to_open else self.open_tiles.discard)(tile)
        self.tiles[tile].move(to_open, TRAVEL_S / 2)

    def press(self, button: str, for_s: float) -> None:
        """A finger holds ``button`` down ``for_s``."""
        switch = self.buttons[button]
        switch.move(False, 0.0)
        switch.move(True, max(for_s, 2 * BUTTON_BOUNCE_S))

    # The dice tray and the camera above it

    def lay_tray(self) -> None:
        """Have a dice tray; DeviceNotFoundError where OpenCV, which draws it, is not installed."""
        from hardware.dice.images import need_opencv

        need_opencv()
        from sim.dice_tray import DiceTray

        self.tray = self.tray or DiceTray(self._seed)

    def open_camera(self) -> SimCamera:
        """The camera; may be asked for from any thread.  DeviceNotFoundError while its cable is off."""
        from sim.camera import SimCamera

        if self.is_camera_gone or self.tray is None:
            raise DeviceNotFoundError("there is no camera")
        self._camera = SimCamera(self.tray, self.loop)
        return self._camera

    def throw(self, dice: tuple[int, ...]) -> None:
        """A hand throws ``dice`` into the tray."""
        if self.tray is not None:
            self.tray.throw(dice, self.loop.time())
            self._stir()

    def see_through(self, sight: str) -> None:
        """Something comes between the camera and the tray, or goes."""
        if self.tray is not None:
            self.tray.see_through(sight, self.loop.time())
            self._stir()

    def unplug_camera(self) -> None:
        """The camera's cable is off."""
        self.is_camera_gone = True
        if self._camera is not None:
            self._camera.unplug()

    def plug_camera(self) -> None:
        """The camera's cable is on again, and nothing is in its way."""
        self.is_camera_gone = False
        self.see_through("clear")

    @property
    def is_tray_fresh(self) -> bool:
        """Who watches the tray may still make up their mind about the last change."""
        if self.tray is None or self._camera is None:
            return False
        from sim.camera import WATCHED_S

        return self.loop.time() < self.tray.changed_at + WATCHED_S

    def _stir(self) -> None:
        if self._camera is not None:
            self._camera.stir()

    def hold(self, button: str, is_down: bool, delay_s: float = 0.0) -> None:
        """A finger goes down on ``button``, or lets go of it, after ``delay_s``."""
        self.buttons[button].move(not is_down, delay_s)

    def unplug(self) -> None:
        """The power goes: nothing listens, the panel forgets."""
        if self._camera is not None:
            self._camera.close()
        self._camera = None
        for switch in (*self.tiles.values(), *self.buttons.values()):
            switch.line.forget()
        self.panel.reset()

    def unplug_oled(self) -> None:
        """The panel's cable is off: nothing answers at its address, and its memory goes."""
        self.is_oled_plugged = False
        self.i2c.detach(OLED_ADDRESS)
        self.panel.reset()

    def plug_oled(self) -> None:
        """The panel's cable is on again."""
        self.is_oled_plugged = True
        self.i2c.attach(OLED_ADDRESS, self.panel)

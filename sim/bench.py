"""Plays a bench script on the simulated box: hands, faults and what must hold."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from firmware_host.config import Config
from firmware_host.errors import PlayError
from firmware_host.games.sequence_dice.notation import format_square
from firmware_host.games.start import SEQUENCE_DICE
from firmware_host.ports import Backend
from hardware.backend import DeviceSet
from sim.buses import SimBuses
from sim.clock import VirtualClock, VirtualLoop
from sim.play import (
    FLIP_EVERY_S,
    HELP,
    PRESS_S,
    Action,
    Chip,
    Expect,
    Fault,
    Flips,
    Line,
    Players,
    Power,
    Press,
    Roll,
    Set,
    Wait,
    parse,
    parse_line,
)
from sim.wiring import Wiring
from sim.world import TILE_BOUNCE_S, World

if TYPE_CHECKING:
    from firmware_host.table.report import Report

__all__ = [
    "HELP", "Bench", "Expect", "Failed", "Line", "Players", "Set", "VirtualClock", "VirtualLoop", "parse",
    "parse_line",
]  # fmt: skip

REST_S = 2.0
REACH_S = 0.3  # from the button to the dice
HOLD_S = 1.2  # a finger that means to hold
NEVER_AT_REST_S = 60.0


class Table(Protocol):
    """The service as a play drives it."""

    def configure(self, key: str, value: str) -> None:
        """Change a setting; ConfigError where it is wrong."""

    @property
    def config(self) -> Config:
        """The settings in force."""

    async def power_on(self, backend: Backend) -> None:
        """Start the service on ``backend``."""

    async def power_off(self) -> None:
        """Pull the plug: the service gets no chance to say goodbye."""

    def start_match(self, players: tuple[str, ...], preset: str = "") -> None:
        """Start a match, by ``preset`` from now on; errors before anything is changed."""

    @property
    def is_at_rest(self) -> bool:
        """Nothing is under way in the service."""

    def report(self) -> Report:
        """What the table holds and waits for."""

    def lines(self) -> tuple[str, ...]:
        """The text that the panel last received."""


class Failed(Exception):
    """An expectation that does not hold; the text says what there is instead."""


class Bench:
    """A box, the hands on it, and a table that is told of neither.  ``is_on``: the plug is in."""

    def __init__(
        self, table: Table, folder: Path, seed: int = 0, tiles: tuple[int, ...] | None = None
    ) -> None:
        """``folder``: where pictures to compare with lie.  ``tiles``: of the box; None: as the rules say."""
        self._tiles = tiles
        self._table, self._folder = table, folder
        self._loop = asyncio.get_running_loop()
        self.world = World(self._loop, (), seed)
        self.wiring = Wiring(self.world, seed)
        self.is_on = False
        self._is_unplugged = False  # by the play, not for a change of settings
        self._events: list[Mapping[str, Any]] = []
        self._looked_at: dict[str, int] = {}

    def draw(self, path: Path) -> None:
        """Write a picture of the box as it lies to ``path``."""
        from sim.picture import draw_box

        draw_box(self.world).save(path)

    def heard(self, event: Mapping[str, Any]) -> None:
        """Listen to the table's public events."""
        self._events.append(event)

    async def perform(self, line: Line) -> None:
        """Do one line and let the box come to rest.

        Raises Failed for an expectation that does not hold, PlayError for what cannot be done now.
        """
        action = line.action
        if not isinstance(action, Set) and not self.is_on and not self._is_unplugged:
            await self.power_on()
        await self.do(action)
        if not isinstance(action, Set | Expect):
            await self._rest()
            self.world.chance.ready.clear()

    async def do(self, action: Action) -> None:
        """Do ``action`` without waiting for what comes of it; errors as :meth:`perform` raises them."""
        if not isinstance(action, Set) and not self.is_on and not self._is_unplugged:
            await self._plug_in()
        match action:
            case Set():
                await self._set(action)
            case Expect():
                self._expect(action)
            case Players(names):
                self._start(names)
            case Roll(dice):
                await self._roll(dice)
            case Flips():
                await self._flip(action)
            case Chip(square, colour):
                await self._move_chip(square, colour)
            case Press(button, for_s, times):
                for _ in range(times):
                    await self._press(button, for_s)
            case Wait(for_s):
                await asyncio.sleep(for_s)
            case Fault():
                self._break(action)
            case Power(on):
                await (self._plug_in() if on else self.power_off())

    # The plug

    async def power_on(self) -> None:
        """Put the plug in and let the box come to rest; nothing where it is in."""
        if not self.is_on:
            await self._plug_in()
            await self._rest()

    async def _plug_in(self) -> None:
        if self.is_on:
            return
        config = self._table.config
        self.world.fit(self._tiles or config.rules.tiles)
        self.wiring.fit(config)
        buses = SimBuses(self.world, self.wiring.lines, self.wiring)
        if config.dice.source == "camera":
            self._lay_tray(config)
        await self._table.power_on(DeviceSet(config, buses, self.world.chance))
        self.is_on, self._is_unplugged = True, False

    def _lay_tray(self, config: Config) -> None:
        """A dice tray with a camera, calibrated where the config names no calibration."""
        self.world.lay_tray()
        path = Path(config.camera_rig)
        if config.camera.rig is None and not path.exists():
            from hardware.dice.rig_file import save_rig
            from sim.dice_tray import rig

            save_rig(path, rig())

    async def power_off(self) -> None:
        """Pull the plug; nothing where it is out."""
        if self.is_on:
            await self._table.power_off()
            self.world.unplug()
        self.is_on, self._is_unplugged = False, True

    async def _set(self, action: Set) -> None:
        self._table.configure(action.key, action.value)
        if self.is_on:  # a setting holds from the next start on
            await self.power_off()
            self._is_unplugged = False

    async def _rest(self) -> None:
        await asyncio.sleep(REST_S)
        waited_s = 0.0
        while not self._is_at_rest and waited_s < NEVER_AT_REST_S:
            await asyncio.sleep(0.05)
            waited_s += 0.05

    @property
    def _is_at_rest(self) -> bool:
        if self.world.is_moving or (self.is_on and not self._table.is_at_rest):
            return False
        return not (self.is_on and self.world.is_tray_fresh and self._table.report().awaited)

    # Hands

    def _start(self, names: tuple[str, ...]) -> None:
        if not self.is_on:
            raise PlayError("the power is off")
        self._table.start_match(names)

    async def _roll(self, dice: tuple[int, ...]) -> None:
        """These dice, through the configured source."""
        source = self._table.report().source or self._table.config.dice.played
        if source == "none":
            raise PlayError("with dice.source none nobody knows the dice")
        if source == "keypad" or self._table.report().typed_count:
            await self._type(dice)
        else:
            await self._throw(dice)

    async def _type(self, dice: tuple[int, ...]) -> None:
        """Real dice are typed: one die by holding *roll*, then each digit from where it begins."""
        if len(dice) != self._table.report().typed_count:
            await self._press("roll", HOLD_S)
        for i, die in enumerate(sorted(dice)):
            typed = self._table.report().typed
            if len(typed) != i + 1 or self._table.report().typed_count != len(dice):
                return  # not wanted, or taken already
            for _ in range(6):  # a menu may be open: then the digits do not turn
                typed = self._table.report().typed
                if typed[-1:] in ((), (die,)):
                    break
                await self._press("roll" if typed[-1] < die else "back", PRESS_S)
            await self._press("next", PRESS_S)

    async def _press(self, button: str, for_s: float) -> None:
        self.world.press(button, for_s)
        await asyncio.sleep(for_s + 0.2)

    async def _throw(self, dice: tuple[int, ...]) -> None:
        """The roller's chance is rigged, then the button is pressed, or held for one die.

        With a camera the dice are thrown into its tray then, whether the table has asked for them or not.
        """
        self.world.chance.ready.append(dice)
        for_s = HOLD_S if len(dice) == 1 else 0.15
        self.world.press("roll", for_s)
        await asyncio.sleep(for_s)
        if self.world.tray is not None:
            await asyncio.sleep(REACH_S)
            self.world.throw(dice)

    async def _flip(self, action: Flips) -> None:
        for flip in action.flips:
            tiles = tuple(self.world.tiles) if flip.tile is None else (flip.tile,)
            for tile in tiles:
                if tile not in self.world.tiles:
                    raise PlayError(f"the box has no tile {tile}")
                if (tile in self.world.open_tiles) != flip.to_open:
                    self.world.flip(tile, flip.to_open)
                    await asyncio.sleep(action.every_s)

    async def _move_chip(self, square: int, colour: str) -> None:
        if colour:
            self.world.chips.place(square, colour)
        else:
            self.world.chips.lift(square)
        await asyncio.sleep(FLIP_EVERY_S)

    def _break(self, fault: Fault) -> None:
        if fault.device == "tile":
            switch = self.world.tiles.get(fault.tile)
            if switch is None:
                raise PlayError(f"the box has no tile {fault.tile}")
            if fault.how == "stuck":
                switch.stick()
            else:
                switch.mend(fault.for_s or TILE_BOUNCE_S)
        elif fault.device in ("camera", "dice"):
            self._trouble_camera(fault)
        elif fault.device != "oled":
            self.wiring.fault(fault.device, fault.how)
        elif fault.how:
            self.world.unplug_oled()
        else:
            self.world.plug_oled()

    def _trouble_camera(self, fault: Fault) -> None:
        tray = self.world.tray
        if tray is None:
            raise PlayError("the box has no camera: set dice.source camera")
        if fault.device == "dice":
            tray.landing = fault.how or "flat"
        elif fault.how == "gone":
            self.world.unplug_camera()
        elif fault.how:
            self.world.see_through(fault.how)
        else:
            self.world.plug_camera()

    # What must hold

    def _expect(self, expect: Expect) -> None:
        holds, there_is = getattr(self, f"_{expect.what}")(expect.words)
        if holds == expect.is_not:
            raise Failed(there_is)

    def _open(self, words: tuple[str, ...]) -> tuple[bool, str]:
        return _same(words, self._table.report().open, "open")

    def _shut(self, words: tuple[str, ...]) -> tuple[bool, str]:
        return _same(words, self._table.report().shut, "shut")

    def _legal(self, words: tuple[str, ...]) -> tuple[bool, str]:
        is_board = self._table.config.game == SEQUENCE_DICE
        legal = {frozenset(_named(tile, is_board) for tile in tiles) for tiles in self._table.report().legal}
        parts = [part.split() for part in " ".join(words).split(",") if part.strip()]
        wanted = {frozenset(word if is_board else str(int(word)) for word in part) for part in parts}
        return legal == wanted, "legal " + (", ".join(_spaced(sorted(tiles)) for tiles in legal) or "none")

    def _wants(self, words: tuple[str, ...]) -> tuple[bool, str]:
        now = self._table.report()
        lists: dict[str, tuple[Any, ...]] = {
            "roll": now.wants_roll, "open": now.wants_open, "shut": now.wants_shut,
            "place": tuple(text.split()[0] for text in now.wants_place), "lift": now.wants_lift,
        }  # fmt: skip
        there = [f"wants {kind} {_spaced(items)}" for kind, items in lists.items() if items]
        there += ["wants move"] if now.wants_move else []
        text = ", ".join(there) or "wants nothing"
        if words[0] == "move":
            return now.wants_move, text
        return sorted(words[1:]) == sorted(map(str, lists[words[0]])), text

    def _turn(self, words: tuple[str, ...]) -> tuple[bool, str]:
        player = self._table.report().player
        return player == words[0], f"turn {player or 'of nobody'}"

    def _score(self, words: tuple[str, ...]) -> tuple[bool, str]:
        totals = dict(self._table.report().totals)
        there = totals.get(words[0])
        return str(there) == words[1], f"score {words[0]} {there}"

    def _winner(self, words: tuple[str, ...]) -> tuple[bool, str]:
        winners = self._table.report().winners
        return sorted(words) == sorted(winners), f"winner {_spaced(winners) or 'nobody'}"

    def _screen(self, words: tuple[str, ...]) -> tuple[bool, str]:
        text = " ".join(self._table.lines()) if self.is_on else ""
        return words[0].casefold() in text.casefold(), f"screen {text!r}"

    def _event(self, words: tuple[str, ...]) -> tuple[bool, str]:
        name, wanted = words[0], dict(word.split("=", 1) for word in words[1:])
        start, self._looked_at[name] = self._looked_at.get(name, 0), len(self._events)
        came = [event for event in self._events[start:] if event["event"] == name]
        holds = any(all(_text(e.get(key)) == value for key, value in wanted.items()) for e in came)
        there = "; ".join(json.dumps(event, ensure_ascii=False) for event in came)
        return holds, there or f"no {name} since the last expectation of it"

    def _pixels(self, words: tuple[str, ...]) -> tuple[bool, str]:
        from PIL import Image

        path = self._folder / f"{words[0]}.png"
        try:
            with Image.open(path) as stored:
                wanted = stored.convert("1").tobytes()
        except OSError as error:
            raise PlayError(f"{path}: {error.strerror or 'no picture'}") from None
        return wanted == self.world.panel.pixels(), f"other pixels than {path.name}"


def _same(words: tuple[str, ...], tiles: tuple[int, ...], what: str) -> tuple[bool, str]:
    return sorted(map(int, words)) == sorted(tiles), f"{what} {_spaced(tiles) or 'none'}"


def _named(number: int, is_board: bool) -> str:
    """A tile, or a square of the board, counted from 1, as a play names it."""
    return format_square(number - 1) if is_board else str(number)


def _spaced(items: Any) -> str:
    return " ".join(map(str, items))


def _text(value: Any) -> str:
    """A field as a play writes it: a list as its items joined by commas."""
    if isinstance(value, list):
        return ",".join(map(_text, value))
    return value if isinstance(value, str) else json.dumps(value)

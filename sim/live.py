"""The simulated box on wall time, in the hands of somebody at a page."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from firmware_host.errors import BoxkeeperError, PlayError
from firmware_host.games.sequence_dice.notation import format_square
from firmware_host.games.shut_the_box.notation import HIGHEST_TILE, parse_tiles
from firmware_host.games.start import SEQUENCE_DICE
from sim.bench import HOLD_S, REACH_S, Bench, Failed, Table
from sim.play import (
    COLOURS,
    PRESS_S,
    Action,
    Expect,
    Fault,
    Flip,
    Flips,
    Power,
    Press,
    Roll,
    Wait,
    parse_line,
)
from sim.recorder import Recorder
from sim.world import BUTTONS

__all__ = ["Failed", "Live"]

LONGEST_WAIT_S = 60.0
LEAST_PRESS_S = 0.06  # no finger is quicker; a mouse that clicks by a program is
# What a page may offer, where the language knows it.
_FAULTS = ("oled", "tiles", "chips", "serial", "camera")
_WORDS: Mapping[str, tuple[str, ...]] = {"serial": ("noise",), "camera": ("covered",)}


class Live:
    """A bench that is played now.  What is done is written down as a play."""

    def __init__(self, table: Table) -> None:
        loop = asyncio.get_running_loop()
        self._table = table
        self._bench = Bench(table, Path(), tiles=tuple(range(1, HIGHEST_TILE + 1)))
        self._tiles = table.config.rules.tiles
        self.world = self._bench.world
        self._recorder = Recorder(loop.time, self._lying)
        self._down_at: dict[str, float] = {}
        self._broken: set[str] = set()
        self._loop, self._now = loop, loop.time

    def heard(self, event: Mapping[str, Any]) -> None:
        """Listen to the public events; the box has all tiles there can be, and shows those in play."""
        if event["event"] == "match_started" and "rules.tiles" in event["rules"]:
            self._tiles = parse_tiles(event["rules"]["rules.tiles"])
        if event["event"] == "resumed":
            now = self._table.report()
            self._tiles = tuple(sorted((*now.open, *now.shut))) or self._tiles
        self._bench.heard(event)
        self._recorder.heard(event)

    async def power_on(self) -> None:
        """Put the plug in."""
        await self._bench.do(Power(True))

    async def power_off(self) -> None:
        """Pull the plug."""
        await self._bench.power_off()

    @property
    def is_on(self) -> bool:
        """The plug is in."""
        return self._bench.is_on

    def pixels(self) -> bytes:
        """What is seen on the panel: 64 rows of 16 bytes, the left pixel in the highest bit."""
        return self.world.panel.pixels()

    def check(self) -> None:
        """Raise what ended the table by itself."""
        _ = self._table.is_at_rest

    def state(self) -> dict[str, Any]:
        """The box as it lies, ready for JSON; ``faults``: what can be broken, and whether it is."""
        world = self.world
        return {
            "is_on": self._bench.is_on,
            "tiles": list(self._tiles),
            "open": sorted(world.open_tiles.intersection(self._tiles)),
            "chips": self._chips(),
            "stuck": [tile for tile, switch in world.tiles.items() if switch.is_stuck],
            "bouncing": sorted(int(name.split()[1]) for name in self._broken if name.startswith("tile")),
            "down": sorted(self._down_at),
            "laid": list(world.chance.laid),
            "thrown": list(world.chance.thrown),
            "faults": {fault: fault in self._broken for fault in self._possible_faults()},
        }

    def _possible_faults(self) -> list[str]:
        config = self._table.config
        is_chips = config.game == SEQUENCE_DICE
        absent = {
            "camera": config.dice.source != "camera",
            "serial": config.tiles.driver != "serial",
            "chips": not is_chips,
            "tiles": is_chips,
        }
        return [fault for fault in known_faults() if not absent.get(fault)]

    def _chips(self) -> list[int] | None:
        """What lies on each square of the chip board, 0 or 1 to 3; None where another game is played."""
        if self._table.config.game != SEQUENCE_DICE:
            return None
        lying = self.world.chips.chips
        return [COLOURS.index(lying[square]) + 1 if square in lying else 0 for square in range(36)]

    def play(self) -> str:
        """All that was done so far, as a play."""
        return self._recorder.play(self._table.report())

    def remark(self, text: str) -> None:
        """Something else happens, which a play cannot do."""
        self._recorder.remark(text)

    # Hands

    def hold(self, button: str, is_down: bool) -> None:
        """A finger goes down on a button, or lets go of it; PlayError for no button."""
        if button not in BUTTONS:
            raise PlayError(f"{button!r} is none of {', '.join(BUTTONS)}")
        if is_down == (button in self._down_at):
            return
        if is_down:
            self.world.hold(button, True)
            self._down_at[button] = self._now()
            return
        for_s = self._now() - self._down_at.pop(button)
        self.world.hold(button, False, max(0.0, LEAST_PRESS_S - for_s))
        self._recorder.pressed(button, for_s)
        self._reach_for_dice(button)

    def lay(self, dice: tuple[int, ...]) -> None:
        """Dice set by hand, which the next throw shows; empty: chance throws.  PlayError for other dice."""
        if len(dice) > 2 or not all(type(die) is int and 1 <= die <= 6 for die in dice):
            raise PlayError("one die or two, 1 to 6 each")
        self.world.chance.laid = dice

    async def do(self, text: str) -> None:
        """One line of a play; PlayError or Failed where it is wrong, cannot be done or does not hold."""
        action = parse_line(text, 1)
        if action is None:
            return
        if isinstance(action, Wait | Press) and action.for_s > LONGEST_WAIT_S:
            raise PlayError(f"on wall time at most {LONGEST_WAIT_S:g} s")
        self._check(action)
        self._write_down(action, text.strip())
        try:
            await self._perform(action)
        except BoxkeeperError:
            self._recorder.take_back(text.strip())
            raise

    def start_match(self, names: tuple[str, ...], preset: str) -> None:
        """A match by ``preset``, in the box as it is plugged in; errors before anything is changed."""
        if not self.is_on:
            raise PlayError("the power is off")
        self._table.start_match(names, preset)

    async def _perform(self, action: Action) -> None:
        if isinstance(action, Roll) and self._source == "roller":
            self.lay(action.dice)
            await self._bench.do(Press("roll", HOLD_S if len(action.dice) == 1 else PRESS_S))
            return
        await self._bench.do(action)
        match action:
            case Fault():
                self._mark(action)
            case Press():
                self._reach_for_dice(action.button)
            case Roll() if self._source == "camera":
                chance = self.world.chance
                chance.ready.clear()  # no roller takes them
                chance.laid, chance.thrown = (), action.dice

    @property
    def _source(self) -> str:
        """Where the dice of the match come from, or of the next one."""
        return self._table.report().source or self._table.config.dice.played

    def _reach_for_dice(self, button: str) -> None:
        """Whoever presses *roll* under a camera throws the dice then."""
        if button == "roll" and self.world.tray is not None:
            self._loop.call_later(REACH_S, self._throw)

    def _throw(self) -> None:
        """Dice set by hand, else those of chance, into the tray; nothing where no throw is awaited."""
        awaited = self._table.report().awaited
        if awaited:
            dice = self.world.chance.throw(awaited)
            self._recorder.threw(dice)
            self.world.throw(dice)

    def _check(self, action: Action) -> None:
        """PlayError for what is known to be impossible, before it is written down."""
        for flip in action.flips if isinstance(action, Flips) else ():
            if flip.tile is not None and flip.tile not in self._tiles:
                raise PlayError(f"the box has no tile {flip.tile}")
        if isinstance(action, Roll) and self._source == "none":
            raise PlayError("with dice.source none nobody knows the dice")

    def _write_down(self, action: Action, text: str) -> None:
        match action:
            case Flips((Flip(int(tile), to_open),)):
                if to_open != (tile in self.world.open_tiles):
                    self._recorder.flipped(tile, to_open)
            case Expect() | Wait():
                pass
            case _ if text.startswith(("set ", "players ")):
                pass  # written down when the match starts
            case _:
                self._recorder.add(text)

    def _lying(self) -> list[str]:
        """What a play does to bring its box to how this one lies."""
        world, broken = self.world, sorted(self._broken)
        down = " ".join(str(tile) for tile in self._tiles if tile not in world.open_tiles)
        stuck = [f"fault tile {tile} stuck" for tile, switch in world.tiles.items() if switch.is_stuck]
        faults = [
            f"fault {device} {_WORDS.get(device, ('gone',))[0]}" for device in broken if " " not in device
        ]
        chips = [f"place {format_square(square)} {colour}" for square, colour in world.chips.chips.items()]
        return [*([f"shut {down}"] if down else []), *chips, *stuck, *faults]

    def _mark(self, fault: Fault) -> None:
        if fault.device == "tile":
            name = f"tile {fault.tile}"
            (self._broken.add if fault.how == "bounce" else self._broken.discard)(name)
            return
        (self._broken.add if fault.how else self._broken.discard)(fault.device)


@cache
def known_faults() -> tuple[str, ...]:
    """The devices, tiles apart, that the language of plays can break."""
    known = []
    for device in _FAULTS:
        try:
            parse_line(f"fault {device} {_WORDS.get(device, ('gone',))[0]}", 1)
        except PlayError:
            continue
        known.append(device)
    return tuple(known)

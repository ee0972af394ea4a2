"""What goes wrong when a box is built: latches, crossed wires, loose ones, a wrong panel."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from firmware_host.errors import PlayError
from sim.false_pi import FAULTS
from sim.world import BUTTONS, Switch, World

FLICKER_S = (0.01, 0.4)  # between two edges of a loose wire
_FORMS = (
    "tile N stuck, shorted, latch, inverted, flicker, bounce 95ms, with M or as M; "
    "button NAME stuck, shorted, latch, inverted, flicker, with NAME or as NAME; "
    "oled gone, oled another (controller); lamp N dead; buzzer dead; pins without edges"
)


def wire_wrongly(world: World, fault: str) -> None:
    """Build ``fault`` into ``world``, such as "tile 5 latch"; PlayError where there is no such fault."""
    match fault.split():
        case ["oled", "gone"]:
            world.unplug_oled()
        case ["oled", "another"]:
            return  # which one depends on what is configured: the workshop's
        case ["lamp", tile, "dead"] if tile.isdigit():
            world.dead_lamps.add(int(tile))
        case ["buzzer", "dead"]:
            world.is_buzzer_dead = True
        case ["pins", "without", "edges"]:
            world.has_edges = False
        case ["tile", tile, "bounce", time] if time.removesuffix("ms").isdigit():
            _switch(world, "tile", tile, fault).bounce_s = int(time.removesuffix("ms")) / 1e3
        case [("tile" | "button") as kind, name, how] if how in _ALONE:
            _ALONE[how](_switch(world, kind, name, fault))
        case [("tile" | "button") as kind, name, ("with" | "as") as how, other]:
            one, two = _switch(world, kind, name, fault), _switch(world, kind, other, fault)
            lines = (one.line, two.line)
            one.wire(lines=lines if how == "with" else lines[1:])
            two.wire(lines=lines if how == "with" else lines[:1])
        case _:
            raise PlayError(f"{fault!r} is no fault; allowed: {_FORMS}; of the computer: {', '.join(FAULTS)}")


def _switch(world: World, kind: str, name: str, fault: str) -> Switch:
    if kind == "button" and name in BUTTONS:
        return world.buttons[name]
    if kind == "tile" and name.isdigit() and int(name) in world.tiles:
        return world.tiles[int(name)]
    raise PlayError(f"{fault!r}: the box has no {kind} {name}")


def _latch(switch: Switch) -> None:
    """Once low, low for good: the other pole never comes."""
    was_low = False

    def sense(is_high: bool) -> bool:
        nonlocal was_low
        was_low = was_low or not is_high
        return not was_low

    switch.wire(sense)


def _flicker(switch: Switch) -> None:
    loop, chance = asyncio.get_running_loop(), random.Random(1)

    def toggle() -> None:
        switch.line.drive(not switch.line.is_high)
        loop.call_later(chance.uniform(*FLICKER_S), toggle)

    toggle()


_ALONE: dict[str, Callable[[Switch], None]] = {
    "stuck": Switch.stick,
    "shorted": lambda switch: switch.wire(lambda _: False),
    "latch": _latch,
    "inverted": lambda switch: switch.wire(lambda is_high: not is_high),
    "flicker": _flicker,
}

"""``boxkeeper run`` on the simulated buses, in real time: a process of its own, to be measured from outside.

It says ``first`` when the last byte of the first whole picture is on the bus, and ``ready`` when a roll is
wanted and shown.  Called with the folder of a store.
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

from firmware_host.cli import backends

_WHOLE_PICTURE = 1024  # bytes of data
_SETTLED_S = 1.5


class _FirstPicture:
    """A panel before the panel: counts data until a whole picture after luma's blank one went through."""

    def __init__(self, panel: Any) -> None:
        self._panel, self._left = panel, 2 * _WHOLE_PICTURE

    def write(self, payload: bytes) -> None:
        self._panel.write(payload)
        if payload[0] & 0x40 and self._left > 0:
            self._left -= len(payload) - 1
            if self._left <= 0:
                os.write(1, b"first\n")


def _open_sim(config: Any) -> Any:
    """What the bench makes its box of, on the loop's real time."""
    from hardware.backend import DeviceSet
    from sim.buses import SimBuses, header_lines
    from sim.world import OLED_ADDRESS, World

    loop = asyncio.get_running_loop()
    world = World(loop, config.rules.tiles)
    world.i2c.attach(OLED_ADDRESS, _FirstPicture(world.panel))
    loop.call_later(_SETTLED_S, os.write, 1, b"ready\n")
    buttons = {"roll": config.buttons.roll, "next": config.buttons.next, "back": config.buttons.back}
    return DeviceSet(config, SimBuses(world, header_lines(world, config.tiles.pins, buttons)), world.chance)


def _load(name: str) -> Any:
    open_real = _real_load(name)

    def open_box(config: Any) -> Any:
        open_real(config)  # opens no bus, but imports as always
        return _open_sim(config)

    return open_box


_real_load = backends.load_backend

if __name__ == "__main__":
    from firmware_host.cli import main, run

    vars(run)["load_backend"] = _load
    sys.exit(main.main(["run", "--set", f"store.dir={sys.argv[1]}", "--set", "match.players=Ann, Bob"]))

"""The rows of inputs that are walked: the tiles and the buttons."""

from __future__ import annotations

from firmware_host.selftest.verdicts import BUTTON_MENDS, TILE_MENDS, Device
from firmware_host.table.buttons import DEBOUNCE_S as BUTTON_S
from firmware_host.table.events import Button
from firmware_host.table.sight import DEBOUNCE_S as TILE_S

TILES = Device([f"tile {n}" for n in range(1, 13)], "shut", "open", "open all tiles", 1, TILE_S, TILE_MENDS)
BUTTONS = Device(
    [f"button {button.name.lower()}" for button in Button],
    "press", "let go of", "let go of all buttons", 0, BUTTON_S, BUTTON_MENDS,
)  # fmt: skip

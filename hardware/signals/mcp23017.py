"""One lamp a tile on the outputs of an MCP23017."""

from __future__ import annotations

from collections.abc import Mapping

from hardware.expander import Expander, mask


class ExpanderLamps:
    """Lamps between a pin and ground: a high pin lights one."""

    def __init__(self, chip: Expander, pins: Mapping[int, str]) -> None:
        """``pins``: such as "GPA0" by tile; the chip belongs to this from now on."""
        self._chip, self._pins = chip, dict(pins)

    def light(self, tiles: frozenset[int]) -> None:
        """Light exactly the lamps of ``tiles``; those without a pin are nobody's."""
        self._chip.write(mask(name for tile, name in self._pins.items() if tile in tiles))

    def close(self) -> None:
        """All dark; the bus is let go of even where that fails."""
        try:
            self.light(frozenset())
        finally:
            self._chip.close()

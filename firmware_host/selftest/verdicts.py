"""What may be found at an input, and in which words it is told, with its mend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType


class Kind(Enum):
    """What an input turned out to be."""

    GOOD = "ok"
    SLOW = "bounces too long"  # longer than what counts as one flip
    NEVER_CHANGES = "never changes"
    NEVER_RELEASES = "never releases"  # moved one way, and stays there: a latch
    INVERTED = "inverted"
    TOGETHER = "changes together with another"
    ANOTHER = "another changes instead"
    FLICKERS = "flickers at rest"
    NOT_WIRED = "not wired"  # the config names no input for it


@dataclass(frozen=True, slots=True)
class Verdict:
    """``index``: of the input; ``others``: those that moved with it or instead of it; ``level``: what an
    input that never changes reads; ``bounce_s``: the longer of its two bounces, None where it did not move.
    """

    index: int
    kind: Kind
    others: tuple[int, ...] = ()
    level: int | None = None
    bounce_s: float | None = None

    @property
    def is_good(self) -> bool:
        """Nothing is to be mended."""
        return self.kind is Kind.GOOD


@dataclass(frozen=True, slots=True)
class Device:
    """A row of inputs in words.  ``names``: by index; ``there``, ``back``: what a hand does, as in "shut 4".

    ``rest``: the level of an input that is left alone; ``hold_s``: how long its debounce takes.
    """

    names: Sequence[str]
    there: str
    back: str
    all_back: str
    rest: int
    hold_s: float
    mends: Mapping[Kind, str]


TILE_MENDS: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.SLOW: "seat the tile and its magnet firmly; flip it in one go",
        Kind.NEVER_RELEASES: "a latch (US1881, many KY-003)? Use a DRV5033; or a neighbour's magnet holds it",
        Kind.INVERTED: "near the magnet the sensor must pull its line low (DRV5033), and tiles.pull be up",
        Kind.TOGETHER: "magnets too near each other, or two wires touch: measure with the power off",
        Kind.ANOTHER: "crossed wires: change them, or learn them: boxkeeper calibrate tiles",
        Kind.FLICKERS: "a loose wire, no 100 nF at the sensor, or a magnet just at its threshold: nearer",
        Kind.NOT_WIRED: "name its input in tiles.pins, or leave the tile out of rules.tiles",
    }
)
BUTTON_MENDS: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.SLOW: "press it in one go; a worn button bounces long: change it",
        Kind.NEVER_RELEASES: "it sticks, or is a switch that stays: use a push button",
        Kind.INVERTED: "it opens when pressed: use the contact that closes (normally open)",
        Kind.TOGETHER: "their wires touch, or two legs of one side were taken: take two that lie diagonally",
        Kind.ANOTHER: "its wire and the other's are swapped: change them, or their numbers in [buttons]",
        Kind.FLICKERS: "a loose wire, or one beside a motor or an LED strip",
    }
)
_ALWAYS: Mapping[tuple[str, int], str] = MappingProxyType(
    {
        ("shut", 1): "always reads open, 3.3 V: no magnet in reach, OUT or VCC of the sensor not connected",
        ("shut", 0): "always reads shut, 0 V: shorted to GND, no pull-up, or a latch (US1881, many KY-003)",
        ("press", 0): "it is never closed: a leg not connected, or the wrong two of its four legs",
        ("press", 1): "it is always closed: shorted to GND, or two legs of one side: take two diagonally",
    }
)


def told(verdict: Verdict, device: Device) -> str:
    """What was found, without the mend: "ok, 31 ms"."""
    # Where there are no edges a short bounce falls between two reads.
    bounce = f", {1e3 * verdict.bounce_s:.0f} ms" if verdict.bounce_s else ""
    others = " and ".join(device.names[i] for i in verdict.others)
    match verdict.kind:
        case Kind.GOOD | Kind.SLOW:
            allowed = f" (more than {1e3 * device.hold_s:.0f})" if verdict.kind is Kind.SLOW else ""
            return f"{verdict.kind.value}{bounce}{allowed}"
        case Kind.TOGETHER:
            return f"changes together with {others}"
        case Kind.ANOTHER:
            return f"{others} changes instead"
    return str(verdict.kind.value)


def mend(verdict: Verdict, device: Device) -> str:
    """What to do about it; empty where nothing is to be done."""
    if verdict.kind is Kind.NEVER_CHANGES:
        return _ALWAYS.get((device.there, verdict.level if verdict.level is not None else -1), "")
    return device.mends.get(verdict.kind, "")

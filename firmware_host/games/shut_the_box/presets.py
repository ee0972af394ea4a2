"""Names for whole sets of settings, after the sources they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from firmware_host.errors import RuleError


@dataclass(frozen=True, slots=True)
class Preset:
    """``line``: what it is, for people who choose.  ``settings``: by full key; all others at default."""

    line: str
    settings: Mapping[str, Any]


DEFAULT = "masters"

PRESETS: Mapping[str, Preset] = {
    "masters": Preset("nine tiles, one turn each, lowest sum wins", {}),  # 002, 003
    "pub": Preset(
        "for a pot; who shuts the box takes double", {"match.stake": 1, "match.double_on_shut": True}
    ),
    "cards": Preset("ten playing cards, ace to ten", {"rules.tiles": "1-10"}),  # 000
    "last-standing": Preset("totals add up, out at 45", {"match.kind": "last-standing"}),  # 000
    "battle": Preset("two on one box: one shuts, one opens", {"match.kind": "battle"}),  # 000
    "digits": Preset("1, 4, 9 open score 149", {"rules.scoring": "digits"}),  # 000, 003
    "full-house": Preset("twelve tiles", {"rules.tiles": "1-12"}),
    "thai": Preset("one tile: a die, or both together", {"rules.sets": "thai", "rules.one_die": "never"}),
}


def preset(name: str) -> Preset:
    """The preset ``name``; RuleError names those there are."""
    try:
        return PRESETS[name]
    except KeyError:
        raise RuleError(f"rules.preset {name!r} is none of {', '.join(PRESETS)}") from None

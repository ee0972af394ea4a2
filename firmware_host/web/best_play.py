"""What the best play would have been, move by move: least expected score, whatever the others have."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from firmware_host.errors import RequirementError, RuleError
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.odds import Odds
from firmware_host.games.shut_the_box.odds.aims import Aim
from firmware_host.games.shut_the_box.odds.table import Table
from firmware_host.games.shut_the_box.rules import Rules, Shut


@dataclass(frozen=True, slots=True)
class BestPlay:
    """``best``: every set that nothing beats.  ``cost``: points that the set which was shut gave away."""

    best: tuple[Shut, ...]
    cost: float


def best_plays(rules: Mapping[str, Any], rolls: Iterable[Mapping[str, Any]]) -> list[BestPlay | None]:
    """For each of a turn's ``rolls`` (of a story): None where there was no choice, or it is not known.

    ``rules``: of the match, by full key.
    """
    settings = json.dumps({key: value for key, value in rules.items() if key.startswith("rules.")})
    if rules.get("match.kind") == "battle":
        return [None for _ in rolls]
    try:
        table = _table(settings)
    except (RuleError, RequirementError):
        return [None for _ in rolls]
    found: list[BestPlay | None] = []
    box = Box.full(table.rules.tiles)
    for roll in rolls:
        found.append(_best_play(table, box, roll))
        if roll["open"] is not None:
            box = Box.of(table.rules.tiles, tuple(int(tile in roll["open"]) for tile in table.rules.tiles))
    return found


def _best_play(table: Table, box: Box, roll: Mapping[str, Any]) -> BestPlay | None:
    if not roll["dice"] or roll["shut"] is None:
        return None
    try:
        advice = table.advise(box, tuple(roll["dice"]))
        if len(advice.moves) < 2:
            return None
        return BestPlay(advice.best, float(advice.loss(tuple(sorted(roll["shut"])))))
    except ValueError:  # set by hand to what the rules do not allow
        return None


@lru_cache(maxsize=4)
def _table(settings: str) -> Table:
    return Odds(Rules.from_match(json.loads(settings))).table(Aim.parse("score"))

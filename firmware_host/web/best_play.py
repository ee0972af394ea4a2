"""What could have been done better in a turn that is kept, roll by roll, as the odds judge it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from firmware_host.errors import RequirementError, RuleError
from firmware_host.games.counsel import Slip
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.odds import Odds
from firmware_host.games.shut_the_box.odds.aims import Aim
from firmware_host.games.shut_the_box.odds.judging import judge_roll
from firmware_host.games.shut_the_box.odds.table import Table
from firmware_host.games.shut_the_box.rules import Rules

Slips = list[Slip]


def judged(rules: Mapping[str, Any], rolls: Iterable[Mapping[str, Any]]) -> list[Slips | None]:
    """For each of a turn's ``rolls`` (of a story) its slips; None: there was no choice, or it is not known.

    ``rules``: of the match, by full key.
    """
    settings = json.dumps({key: value for key, value in rules.items() if key.startswith("rules.")})
    if rules.get("match.kind") == "battle":
        return [None for _ in rolls]
    try:
        table = _table(settings)
    except (RuleError, RequirementError):
        return [None for _ in rolls]
    found: list[Slips | None] = []
    box = Box.full(table.rules.tiles)
    for roll in rolls:
        found.append(_judged(table, box, roll))
        if roll["open"] is not None:
            box = Box.of(table.rules.tiles, tuple(int(tile in roll["open"]) for tile in table.rules.tiles))
    return found


def _judged(table: Table, box: Box, roll: Mapping[str, Any]) -> Slips | None:
    if not roll["dice"]:
        return None
    dice, shut = tuple(roll["dice"]), tuple(sorted(roll["shut"] or ()))
    try:
        moves = [move.shut for move in table.advise(box, dice).moves]
        if shut and shut not in moves:
            return None
        slips = judge_roll(table, box, dice, shut)
        return slips if slips or (shut and len(moves) > 1) else None
    except ValueError:  # set by hand to what the rules do not allow
        return None


@lru_cache(maxsize=4)
def _table(settings: str) -> Table:
    return Odds(Rules.from_match(json.loads(settings))).table(Aim.parse("score"))

"""How well somebody plays, apart from luck: the points given away a turn."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from firmware_host.errors import RequirementError
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.odds.judging import Decision, given_away
from firmware_host.games.shut_the_box.rules import Rules
from firmware_host.store.queries import Decided


def given_away_by_player(decided: Iterable[Decided]) -> dict[str, float]:
    """The mean points given away a turn; without those whose dice nobody knew, or without numpy nobody."""
    turns: Counter[str] = Counter()
    taken: dict[tuple[str, Rules], Counter[Decision]] = defaultdict(Counter)
    for one in decided:
        rules = Rules.from_match(one.settings)
        box = _box(rules, one)
        taken[one.player, rules][box, one.dice, one.shut] += one.times
        turns[one.player] += one.times if box.is_full else 0
    points: dict[str, float] = defaultdict(float)
    try:
        for (player, rules), decisions in taken.items():
            points[player] += given_away(rules, decisions)
    except RequirementError:
        return {}
    return {player: points[player] / count for player, count in turns.items() if count}


def _box(rules: Rules, one: Decided) -> Box:
    full = Box.full(rules.tiles)
    if one.before is None:
        return full
    return full.shut(tile for tile in rules.tiles if tile not in one.before)

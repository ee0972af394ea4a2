"""Who has played, and how well."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from firmware_host.store.projection_sql import LAST_DECISIONS, LAST_MATCH
from firmware_host.store.rule_sets import RuleSet

_ALL = f"(SELECT * FROM standings UNION ALL SELECT * FROM ({LAST_MATCH}))"
_BY_SCORE = f"""
SELECT p.name, r.tiles, r.scoring, sum(s.played), sum(s.won), sum(s.points),
    sum(s.turns), sum(s.score_sum), min(s.best), sum(s.boxes_shut)
FROM {_ALL} AS s JOIN people AS p ON p.id = s.person JOIN rule_sets AS r ON r.id = s.rule_set
GROUP BY p.id, r.tiles, r.scoring ORDER BY p.id
"""

ScoreKind = tuple[str, str]
"""Tiles and scoring: only scores of the same kind can be compared."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What somebody's finished turns of one :data:`ScoreKind` came to; ``best`` and ``mean``: a turn's."""

    tiles: str
    scoring: str
    turns: int
    best: int
    mean: float


@dataclass(frozen=True, slots=True)
class Standing:
    """One of the people.

    ``played``: matches that came to an end.  ``won``: of those with others, shared wins included.
    ``boxes_shut``: in all matches.  ``points``: net of all stakes.  ``scored``: by kind of score, the one
    with the most turns first; play-offs, whose scores count nowhere, apart.
    """

    player: str
    played: int
    won: int
    boxes_shut: int
    points: int
    scored: tuple[Scored, ...]

    def in_kind(self, kind: ScoreKind | None) -> Scored | None:
        """What the turns of ``kind`` came to; None: there were none."""
        return next((scored for scored in self.scored if (scored.tiles, scored.scoring) == kind), None)


def standings(db: sqlite3.Connection) -> list[Standing]:
    """All people who have sat down to a match, in the order they first did."""
    found = groupby(db.execute(_BY_SCORE), key=itemgetter(0))
    return [_standing(name, list(rows)) for name, rows in found]


def _standing(name: str, rows: list[tuple[Any, ...]]) -> Standing:
    scored = [
        Scored(tiles, scoring, turns, best, total / turns)
        for _, tiles, scoring, _, _, _, turns, total, best, _ in rows
        if turns
    ]
    scored.sort(key=lambda one: (-one.turns, one.tiles, one.scoring))
    played, won, points, shut = (sum(row[i] for row in rows) for i in (3, 4, 5, 9))
    return Standing(name, played, won, shut, points, tuple(scored))


def commonest_kind(people: Iterable[Standing], tiles: str = "", scoring: str = "") -> ScoreKind | None:
    """The kind of score of the most turns, of all or of those with these tiles and scoring; None: no turn."""
    turns: dict[ScoreKind, int] = {}
    for person in people:
        for one in person.scored:
            if tiles in ("", one.tiles) and scoring in ("", one.scoring):
                turns[one.tiles, one.scoring] = turns.get((one.tiles, one.scoring), 0) + one.turns
    return min(turns, key=lambda kind: (-turns[kind], kind), default=None)


def known_people(db: sqlite3.Connection) -> list[str]:
    """Everybody's shown name, who played last first; of one match in the order of the seats.

    Whom the box plays is nobody.
    """
    found = db.execute(
        "SELECT p.name FROM people AS p LEFT JOIN seats AS s ON s.match = p.last_match AND s.person = p.id"
        " WHERE s.opponent IS NULL ORDER BY p.last_match DESC, s.seat"
    )
    return [name for (name,) in found]


@dataclass(frozen=True, slots=True)
class Decided:
    """What somebody decided ``times`` times by the same rules (``settings``, by full key).

    ``before``: tiles open before the roll; None: all, as at the first roll of a turn.
    """

    player: str
    settings: Mapping[str, Any]
    before: tuple[int, ...] | None
    dice: tuple[int, ...]
    shut: tuple[int, ...]
    times: int


def decisions(db: sqlite3.Connection, kind: ScoreKind) -> list[Decided]:
    """What was decided in the turns of ``kind`` whose dice are known; the same may come twice."""
    found = db.execute(
        f"""SELECT p.name, r.settings, d.before, d.dice, d.shut, d.times
        FROM (SELECT * FROM decisions UNION ALL SELECT * FROM ({LAST_DECISIONS})) AS d
            JOIN people AS p ON p.id = d.person JOIN rule_sets AS r ON r.id = d.rule_set
        WHERE r.tiles = ? AND r.scoring = ?""",
        kind,
    )
    rules = cache(json.loads)
    return [
        Decided(name, rules(settings), _before(before), _tiles(dice), _tiles(shut), times)
        for name, settings, before, dice, shut, times in found
    ]


def _before(text: str) -> tuple[int, ...] | None:
    return None if text == "all" else _tiles(text)


def _tiles(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def own_best(db: sqlite3.Connection, player: str, settings: Mapping[str, Any]) -> int | None:
    """The lowest total that ``player`` reached alone by these rules, ever; None: never played so to the end.

    ``settings``: of a match, by full key.  Only where a lower total is better: one round or a number of
    rounds.  Raises RuleError for rules that do not exist.
    """
    found = db.execute(
        f"""SELECT min(s.solo_best) FROM {_ALL} AS s
        JOIN people AS p ON p.id = s.person JOIN rule_sets AS r ON r.id = s.rule_set
        WHERE p.name = ? AND r.settings = ?""",
        (player, RuleSet.of(settings).settings),
    ).fetchone()[0]
    return None if found is None else int(found)

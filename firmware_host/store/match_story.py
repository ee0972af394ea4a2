"""One match, turn by turn."""

from __future__ import annotations

import sqlite3
from itertools import groupby
from typing import Any

from firmware_host.store.tables import Span, table


def match_story(db: sqlite3.Connection, number: int) -> dict[str, Any] | None:
    """Match ``number``: its ``seats`` and ``turns``, each of these with its ``rolls``; None: no such match.

    The columns are those of :data:`firmware_host.store.tables.COLUMNS`, but those that lie in each other.
    """
    span = Span.of(db, number)
    if span is None:
        return None
    found = next(table(db, "matches", span))
    rolls = groupby(table(db, "rolls", span), key=lambda row: row["turn"])
    by_turn = {turn: [_without(roll, "match", "turn", "player") for roll in rows] for turn, rows in rolls}
    found["seats"] = [_without(row, "match") for row in table(db, "seats", span)]
    found["turns"] = [
        {**_without(row, "match"), "rolls": by_turn.get(row["turn"], [])} for row in table(db, "turns", span)
    ]
    return found


def last_match(db: sqlite3.Connection) -> int:
    """The number of the last match; 0: none was played."""
    return int(db.execute("SELECT coalesce(max(number), 0) FROM matches").fetchone()[0])


def _without(row: dict[str, Any], *columns: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in columns}

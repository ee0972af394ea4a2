"""One of the people, match by match and turn by turn."""

from __future__ import annotations

import sqlite3

from firmware_host.store.queries import ScoreKind

MOST = 500  # of the last turns


def turn_scores(db: sqlite3.Connection, player: str, kind: ScoreKind) -> list[int]:
    """What the last turns of ``player`` of this kind came to, the oldest first; no play-offs."""
    found = db.execute(
        """SELECT t.score FROM turns AS t JOIN seats AS s ON s.match = t.match AND s.seat = t.seat
            JOIN people AS p ON p.id = s.person JOIN matches AS m ON m.number = t.match
            JOIN rule_sets AS r ON r.id = m.rule_set
        WHERE p.name = ? AND r.tiles = ? AND r.scoring = ? AND t.score IS NOT NULL AND NOT t.is_play_off
        ORDER BY t.seq DESC LIMIT ?""",
        (player, *kind, MOST),
    )
    return [score for (score,) in found][::-1]


def matches_of(db: sqlite3.Connection, player: str, most: int) -> list[int]:
    """The numbers of the last matches that ``player`` sat down to, the latest first."""
    found = db.execute(
        """SELECT s.match FROM seats AS s JOIN people AS p ON p.id = s.person
        WHERE p.name = ? ORDER BY s.match DESC LIMIT ?""",
        (player, most),
    )
    return [number for (number,) in found]

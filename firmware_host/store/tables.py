"""The tables that are given away: plain rows, each column documented in :data:`COLUMNS`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from firmware_host.store.durations import Elapsed
from firmware_host.store.queries import standings

COLUMNS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "people": {
            "player": "shown name",
            "played": "matches that came to an end",
            "won": "of those with others; shared wins included",
            "boxes_shut": "in all matches",
            "points": "net of all stakes",
        },
        "matches": {
            "match": "number",
            "started": "wall clock, UTC",
            "ended": "wall clock, UTC; empty: it has not",
            "clock_set": "whether the wall clock was set, at both",
            "duration_s": "seconds at the running table, by the monotonic clock",
            "game": "its name",
            "rules": "every key and value",
            "players": "in the order of the seats",
            "winners": "shown names",
            "reason": "played, abandoned; empty: it has not ended",
        },
        "seats": {
            "match": "number",
            "seat": "from 1",
            "player": "shown name",
            "total": "of the match",
            "won": "whether among the winners",
            "points": "net of the stake",
            "has_left": "before the end",
            "by_hand": "whether the total was set by hand",
            "opponent": "how the box plays the seat; empty: a person plays it",
        },
        "turns": {
            "match": "number",
            "turn": "in the match, from 1",
            "round": "from 1",
            "player": "shown name",
            "started": "wall clock, UTC",
            "clock_set": "whether the wall clock was set then",
            "duration_s": "seconds, by the monotonic clock; empty: it has not ended",
            "play_off": "whether its score is in no total",
            "rolls": "how many",
            "open": "tiles open at its end",
            "score": "empty where a turn has none",
            "reason": "why it ended",
            "by_hand": "whether the score was set by hand",
        },
        "rolls": {
            "match": "number",
            "turn": "in the match, from 1",
            "roll": "in the turn, from 1",
            "player": "shown name",
            "dice": "empty where they are not known",
            "total": "of the dice",
            "source": "of the dice; hand: set by hand",
            "shut": "tiles; empty: no move stands",
            "opened": "tiles that the raiser of a battle opened",
            "open": "tiles open after the move",
        },
    }
)
"""Each table, and what its columns hold.  What was undone is in none of them."""


@dataclass(frozen=True, slots=True)
class Span:
    """What is asked for: match ``number``, or all of them; its events are ``first`` to ``last``."""

    first: int
    last: int

    @classmethod
    def of(cls, db: sqlite3.Connection, number: int | None = None) -> Span | None:
        """None: there is no such match."""
        last = int(db.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0])
        if number is None:
            return cls(1, last)
        start = db.execute("SELECT seq FROM matches WHERE number = ?", (number,)).fetchone()
        if start is None:
            return None
        after = db.execute("SELECT min(seq) FROM matches WHERE number > ?", (number,)).fetchone()[0]
        return cls(start[0], last if after is None else after - 1)


Rows = Iterator[tuple[Any, ...]]


def table(db: sqlite3.Connection, what: str, span: Span) -> Iterator[dict[str, Any]]:
    """The rows of table ``what`` by column, as JSON takes them, in the order they were played."""
    columns = tuple(COLUMNS[what])
    for row in _TABLES[what](db, span):
        yield dict(zip(columns, row, strict=True))


def _people(db: sqlite3.Connection, _: Span) -> Rows:
    for one in standings(db):
        yield one.player, one.played, one.won, one.boxes_shut, one.points


def _matches(db: sqlite3.Connection, span: Span) -> Rows:
    elapsed = Elapsed(db, span.first, span.last)
    found = db.execute(
        """SELECT m.number, m.seq, m.ended_seq, m.reason, a.wall, a.clock_set, a.fields,
            z.wall, z.clock_set, z.fields
        FROM matches AS m JOIN events AS a ON a.seq = m.seq LEFT JOIN events AS z ON z.seq = m.ended_seq
        WHERE m.seq BETWEEN ? AND ? ORDER BY m.number""",
        (span.first, span.last),
    )
    for number, seq, ended_seq, reason, started, was_set, begun, ended, is_set, end in found:
        fields = json.loads(begun)
        winners = json.loads(end)["winners"] if end is not None else []
        seated = _seated(db, number)
        clock_set = bool(was_set and is_set in (1, None))
        duration = elapsed.between(seq, ended_seq)
        yield (
            number, started, ended, clock_set, duration,
            fields["game"], fields["rules"], seated or fields["players"], winners, reason,
        )  # fmt: skip


def _seated(db: sqlite3.Connection, match: int) -> list[str]:
    """Who sat there in the end, renamed or not; nobody in a match of a game that is not known here."""
    found = db.execute(
        "SELECT p.name FROM seats AS s JOIN people AS p ON p.id = s.person WHERE s.match = ? ORDER BY s.seat",
        (match,),
    )
    return [name for (name,) in found]


def _seats(db: sqlite3.Connection, span: Span) -> Rows:
    found = db.execute(
        """SELECT s.match, s.seat + 1, p.name, s.total, s.won, s.points, s.has_left, s.by_hand, s.opponent
        FROM seats AS s JOIN people AS p ON p.id = s.person JOIN matches AS m ON m.number = s.match
        WHERE m.seq BETWEEN ? AND ? ORDER BY s.match, s.seat""",
        (span.first, span.last),
    )
    for match, seat, name, total, won, points, has_left, by_hand, opponent in found:
        yield match, seat, name, total, bool(won), points, bool(has_left), bool(by_hand), opponent


def _turns(db: sqlite3.Connection, span: Span) -> Rows:
    elapsed = Elapsed(db, span.first, span.last)
    found = db.execute(
        """SELECT t.match, row_number() OVER (PARTITION BY t.match ORDER BY t.seq), t.round, p.name,
            e.wall, e.clock_set, t.seq, t.ended_seq, t.is_play_off,
            coalesce(r.rolls, 0),
            t.open, t.score, t.reason, t.by_hand
        FROM turns AS t JOIN seats AS s ON s.match = t.match AND s.seat = t.seat
            JOIN people AS p ON p.id = s.person JOIN events AS e ON e.seq = t.seq
            LEFT JOIN (SELECT turn, count(*) AS rolls FROM rolls WHERE seq BETWEEN ?1 AND ?2 GROUP BY turn)
                AS r ON r.turn = t.seq
        WHERE t.seq BETWEEN ?1 AND ?2 ORDER BY t.seq""",
        (span.first, span.last),
    )
    for (match, turn, number, name, started, is_set, seq, ended_seq, is_play_off, rolls,
         left, score, reason, by_hand) in found:  # fmt: skip
        duration = elapsed.between(seq, ended_seq)
        yield (
            match, turn, number, name, started, bool(is_set), duration, bool(is_play_off), rolls,
            _tiles(left), score, reason, bool(by_hand),
        )  # fmt: skip


def _rolls(db: sqlite3.Connection, span: Span) -> Rows:
    found = db.execute(
        """SELECT t.match, t.turn, row_number() OVER (PARTITION BY r.turn ORDER BY r.seq), p.name,
            r.dice, r.source, r.shut, r.opened, r.open
        FROM rolls AS r
            JOIN (SELECT seq, match, seat, row_number() OVER (PARTITION BY match ORDER BY seq) AS turn
                FROM turns WHERE seq BETWEEN ?1 AND ?2) AS t ON t.seq = r.turn
            JOIN seats AS s ON s.match = t.match AND s.seat = t.seat
            JOIN people AS p ON p.id = s.person
        WHERE r.seq BETWEEN ?1 AND ?2 ORDER BY r.seq""",
        (span.first, span.last),
    )
    for match, turn, number, name, dice, source, shut, opened, left in found:
        thrown = _tiles(dice)
        total = sum(thrown) if thrown else None
        yield (
            match, turn, number, name, thrown, total, source, _tiles(shut), _tiles(opened), _tiles(left),
        )  # fmt: skip


def _tiles(text: str | None) -> list[int] | None:
    return None if text is None else [int(number) for number in text.split()]


_TABLES: Mapping[str, Callable[[sqlite3.Connection, Span], Rows]] = {
    "people": _people,
    "matches": _matches,
    "seats": _seats,
    "turns": _turns,
    "rolls": _rolls,
}

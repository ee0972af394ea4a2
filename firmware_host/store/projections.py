"""What is read often, made from the events and kept with them: people, matches, turns, rolls.

Nothing here is a truth of its own: :func:`rebuild` makes all of it anew from the events.  Each step
is projected in the transaction that writes its events, at the end of every table, so that it
costs the same however much is stored.  An undo takes back what it took back, within the last
match: no undo reaches further.  What the matches before the last one came to is added up in
``standings`` when the next one starts, and what was decided in them in ``decisions``.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from firmware_host.games.match import Match
from firmware_host.games.records import (
    Corrected,
    EndReason,
    MatchEnded,
    MatchStarted,
    MoveMade,
    PlayerLeft,
    Record,
    Rolled,
    TurnEnded,
    TurnStarted,
    Undone,
    from_fields,
)
from firmware_host.store.projection_sql import CLOSE, CLOSE_DECISIONS
from firmware_host.store.rows import UNREADABLE
from firmware_host.store.rule_sets import RuleSet

Step = tuple[int, tuple[Record, ...]]  # seq of the first record, and all of them


class Projector:
    """Writes what a step changes.  The match it goes on with is read from the events when it is needed."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._is_ready = False
        self._match: Match | None = None  # None: there is none, or one of a game that is not known here
        self._turn = 0  # seq of the turn that goes on
        self._roll = 0  # of the last roll

    def forget(self) -> None:
        """The transaction was rolled back: read anew what there is."""
        self._is_ready = False

    def add(self, seq: int, records: tuple[Record, ...]) -> None:
        """Project the step that begins at ``seq``, whose events are written; in their transaction.

        Raises sqlite3.DatabaseError without a code where the projections do not fit the events.
        """
        try:
            if isinstance(records[0], Undone):
                self._project_again(seq, records[0].undid)
            else:
                if not self._is_ready:
                    self._project_again(seq, seq)
                self._add(seq, records)
        except sqlite3.IntegrityError as error:  # not the disk's trouble: the content's
            raise sqlite3.DatabaseError(f"projections: {error}") from None

    def _add(self, seq: int, records: tuple[Record, ...], *, is_again: bool = False) -> None:
        for number, record in enumerate(records, start=seq):
            if isinstance(record, MatchStarted):
                if not is_again:
                    self._db.execute(CLOSE)
                    self._db.execute(CLOSE_DECISIONS)
                self._match = self._begin(number, record)
            elif self._match is not None:
                try:
                    after = self._match.apply(record)
                    self._write(number, record, self._match, after)
                except sqlite3.Error:
                    raise
                except UNREADABLE:  # only in a store that somebody wrote into: no more of this match
                    after = None
                self._match = after

    # One record

    def _begin(self, seq: int, record: MatchStarted) -> Match | None:
        try:
            match, rules = Match.begin(record), RuleSet.of(record.rules)
        except UNREADABLE:  # of a later release
            return None
        values = (rules.settings, rules.kind, rules.tiles, rules.scoring)
        self._db.execute("INSERT OR IGNORE INTO rule_sets VALUES (NULL, ?, ?, ?, ?)", values)
        self._db.execute(
            "INSERT OR REPLACE INTO matches SELECT ?, ?, id, ?, NULL, NULL FROM rule_sets WHERE settings = ?",
            (record.match, seq, len(record.players), rules.settings),
        )
        self._db.executemany(
            "INSERT INTO people VALUES (NULL, ?, ?)"
            " ON CONFLICT DO UPDATE SET last_match = excluded.last_match",
            ((name, record.match) for name in record.players),
        )
        self._db.executemany(
            "INSERT OR REPLACE INTO seats SELECT ?, ?, id, 0, 0, 0, 0, 0, ? FROM people WHERE name = ?",
            (
                (record.match, seat, record.opponents.get(name), name)
                for seat, name in enumerate(record.players)
            ),
        )
        self._turn = self._roll = 0
        return match

    def _write(self, seq: int, record: Record, match: Match, after: Match) -> None:
        db = self._db
        match record:
            case TurnStarted(_, number):
                values = (seq, match.number, after.seat, number, bool(match.tied))
                db.execute("INSERT INTO turns VALUES (?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, 0)", values)
                self._turn = seq
            case Rolled(_, dice, _, source):
                db.execute(
                    "INSERT INTO rolls VALUES (?, ?, ?, ?, NULL, NULL, NULL)",
                    (seq, self._turn, _text(dice), source),
                )
                self._roll = seq
            case MoveMade():
                self._move(seq, record)
            case TurnEnded(_, left, score, reason):
                db.execute(
                    "UPDATE turns SET ended_seq = ?, score = ?, reason = ?, open = ? WHERE seq = ?",
                    (seq, score, EndReason(reason).value, _text(left), self._turn),
                )
            case PlayerLeft(player):
                seat = match.players.index(player)
                db.execute("UPDATE seats SET has_left = 1 WHERE match = ? AND seat = ?", (match.number, seat))
            case Corrected("score", player):
                self._correct(match.players.index(player), match, after)
            case Corrected("turn"):
                db.execute("UPDATE turns SET seat = ? WHERE seq = ?", (after.seat, self._turn))
            case Corrected("name", player, _, name):
                self._rename(match, match.players.index(player), name)
            case MatchEnded():
                self._end(seq, record, match)
        self._write_totals(match, after)

    def _move(self, seq: int, move: MoveMade) -> None:
        """Beside its roll; a move without known dice stands for itself."""
        if self._roll < self._turn:
            self._db.execute(
                "INSERT INTO rolls VALUES (?, ?, '', 'none', NULL, NULL, NULL)", (seq, self._turn)
            )
            self._roll = seq
        self._db.execute(
            "UPDATE rolls SET shut = ?, opened = ?, open = ? WHERE seq = ?",
            (_text(move.shut), _text(move.opened), _text(move.open), self._roll),
        )

    def _correct(self, seat: int, match: Match, after: Match) -> None:
        """A total set by hand; where it changes a turn of this round, that turn's score as well."""
        self._db.execute("UPDATE seats SET by_hand = 1 WHERE match = ? AND seat = ?", (match.number, seat))
        score = after.scores[seat]
        if score == match.scores[seat] or score is None or score < 0:
            return
        self._db.execute(
            """UPDATE turns SET score = ?, by_hand = 1 WHERE seq = (
                SELECT max(seq) FROM turns
                WHERE seq > (SELECT seq FROM matches WHERE number = ?) AND seat = ? AND ended_seq IS NOT NULL
            )""",
            (score, match.number, seat),
        )

    def _rename(self, match: Match, seat: int, name: str) -> None:
        """Another of the people has sat there all the time; who has never sat anywhere is forgotten."""
        self._db.execute(
            "INSERT INTO people VALUES (NULL, ?, ?)"
            " ON CONFLICT DO UPDATE SET last_match = excluded.last_match",
            (name, match.number),
        )
        self._db.execute(
            "UPDATE seats SET person = (SELECT id FROM people WHERE name = ?) WHERE match = ? AND seat = ?",
            (name, match.number, seat),
        )
        self._db.execute(
            "DELETE FROM people WHERE name = ? AND id NOT IN (SELECT person FROM seats)",
            (match.players[seat],),
        )

    def _end(self, seq: int, record: MatchEnded, match: Match) -> None:
        self._db.execute(
            "UPDATE matches SET ended_seq = ?, reason = ? WHERE number = ?",
            (seq, record.reason, match.number),
        )
        self._db.executemany(
            "UPDATE seats SET won = ?, points = ? WHERE match = ? AND seat = ?",
            (
                (name in record.winners, record.stakes.get(name, 0), match.number, seat)
                for seat, name in enumerate(match.players)
            ),
        )

    def _write_totals(self, match: Match, after: Match) -> None:
        for seat, (before, total) in enumerate(zip(match.totals, after.totals, strict=True)):
            if before != total:
                self._db.execute(
                    "UPDATE seats SET total = ? WHERE match = ? AND seat = ?", (total, match.number, seat)
                )

    # The last match anew

    def _project_again(self, before: int, undid: int) -> None:
        """Make the last match from its events before ``before``, without those from ``undid`` on."""
        self._match, self._turn, self._roll = None, 0, 0
        self._is_ready = True
        start = self._db.execute(
            "SELECT max(seq) FROM events WHERE event = 'match_started' AND seq < ?", (before,)
        ).fetchone()[0]
        if start is None:
            return
        standing: list[Step] = []
        for step in _steps(self._db, start, before):
            if isinstance(step[1][0], Undone):
                standing = _without(standing, step[1][0].undid, start)
            else:
                standing.append(step)
        self._db.execute("DELETE FROM turns WHERE seq > ?", (start,))
        self._db.execute("DELETE FROM rolls WHERE seq > ?", (start,))
        for seq, records in _without(standing, undid, start):
            self._add(seq, records, is_again=True)


def empty(db: sqlite3.Connection) -> Projector:
    """Take all projections away; what makes them anew, step by step from the first."""
    for table in ("people", "rule_sets", "matches", "seats", "turns", "rolls", "standings", "decisions"):
        db.execute(f"DELETE FROM {table}")
    return Projector(db)


def rebuild(db: sqlite3.Connection) -> None:
    """Make all projections anew from the events, in the caller's transaction.

    A match with an unreadable event is projected up to it.
    """
    projector = empty(db)
    for seq, records in _steps(db, 1, None):
        projector.add(seq, records)


def _without(steps: list[Step], undid: int, start: int) -> list[Step]:
    """``steps`` before ``undid``; the start of the match stays whatever is undone."""
    return [step for step in steps if step[0] < undid or step[0] <= start]


class _Unreadable(Record):
    """An event that this release cannot read."""

    event = "unreadable"


def _steps(db: sqlite3.Connection, first: int, before: int | None) -> Iterator[Step]:
    """The steps of the events from ``first`` on and before ``before``, whatever is in them."""
    found = db.execute(
        "SELECT step, seq, event, fields FROM events WHERE seq >= ? AND seq < ? ORDER BY seq",
        (first, before if before is not None else 1 << 62),
    )
    for _, rows in groupby(found, key=itemgetter(0)):
        step = list(rows)
        yield step[0][1], tuple(_record(event, fields) for _, _, event, fields in step)


def _record(event: str, fields: str) -> Record:
    try:
        return from_fields(event, json.loads(fields))
    except UNREADABLE:
        return _Unreadable()


def _text(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))

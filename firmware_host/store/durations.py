"""How long things took: by the monotonic clock, whatever the wall clock did."""

from __future__ import annotations

import sqlite3
from array import array


class Elapsed:
    """The time that passed at the running table between any two of a store's events ``first`` to ``last``.

    ``t`` starts anew with each start of the service: it goes back, or the event is ``resumed``.  How
    long the table was off is not known, the wall clock being what it is, and counts as nothing.
    """

    def __init__(self, db: sqlite3.Connection, first: int, last: int) -> None:
        self._first, self._sums = first, array("d")
        due, passed, before = first, 0.0, None
        for seq, t, event in db.execute(
            "SELECT seq, t, event FROM events WHERE seq BETWEEN ? AND ? ORDER BY seq", (first, last)
        ):
            if before is not None and t > before and event != "resumed":
                passed += t - before
            before = t
            self._sums.extend([passed] * (seq - due + 1))  # more than one where events are missing
            due = seq + 1

    def between(self, start: int, end: int | None) -> float | None:
        """Seconds from event ``start`` to ``end``, to the millisecond; None: it has not ended."""
        if end is None:
            return None
        return round(self._sums[end - self._first] - self._sums[start - self._first], 3)

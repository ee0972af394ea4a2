"""Who may act as the keeper: digits that only the panel shows, and sessions that end.

No clock is read here: ``now`` is seconds, monotonic.
"""

from __future__ import annotations

import hmac
import secrets
from collections import deque
from collections.abc import Callable
from typing import Any

SESSION_S = 12 * 3600.0
WRONG_S, MOST_WRONG, LOCK_S = 60.0, 5, 60.0
MOST_SESSIONS = 8
DIGITS = 4


class Doorkeeper:
    """``digits``: what counts now, none before the first :meth:`renew`; ``changed`` is called with others."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.digits = ""
        self._changed = changed
        self._wrong: deque[float] = deque(maxlen=MOST_WRONG)
        self._locked_until = float("-inf")
        self._ends: dict[str, float] = {}  # token -> when
        self._match: tuple[int, bool] | None = None  # number, and whether it is over
        self._starter = ""

    def renew(self) -> None:
        """Other digits."""
        before = self.digits
        while self.digits == before:
            self.digits = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
        self._changed()

    def locked_for(self, now: float) -> float:
        """Seconds for which no digits are taken; 0: they are."""
        return max(0.0, self._locked_until - now)

    def let_in(self, digits: str, now: float) -> str | None:
        """A session's token, if the digits are right, which are used up with it; None: wrong, or locked.

        Five wrong ones within a minute lock for a minute.
        """
        if self.locked_for(now) or not self.digits:
            return None
        if not hmac.compare_digest(digits.encode(), self.digits.encode()):
            self._wrong.append(now)
            if len(self._wrong) == MOST_WRONG and now - self._wrong[0] < WRONG_S:
                self._locked_until = now + LOCK_S
                self._wrong.clear()
                self.renew()
            return None
        self._wrong.clear()
        token = secrets.token_urlsafe(32)
        while len(self._ends) >= MOST_SESSIONS:
            del self._ends[min(self._ends, key=self._ends.__getitem__)]
        self._ends[token] = now + SESSION_S
        self.renew()
        return token

    def knows(self, token: str, now: float) -> bool:
        """Is ``token`` that of a session that goes on?"""
        if now >= self._ends.get(token, float("-inf")):
            self._ends.pop(token, None)
            return False
        return True

    def let_out(self, token: str) -> None:
        """That session ends."""
        self._ends.pop(token, None)

    def starts_match(self, token: str) -> None:
        """The next match is started from that session, which goes on with it."""
        self._starter = token

    def starts_none(self, token: str) -> None:
        """The match that was to be started from that session is none: the table refused it."""
        if self._starter == token:
            self._starter = ""

    def told(self, board: dict[str, Any]) -> None:
        """Sessions end with their match; one opened before a match lasts through it."""
        match = (board["match"], bool(board.get("is_over")))
        before, self._match = self._match, match
        if before is None or before == match:
            return
        starter, is_next = self._starter, match[0] != before[0]
        if is_next:
            self._starter = ""
        if before[0] and not before[1] and (match[1] or is_next):  # one that went on is over, or left behind
            goes_on = is_next and starter in self._ends
            self._ends = {starter: self._ends[starter]} if goes_on else {}
            self.renew()

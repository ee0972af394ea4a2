"""How matches are played: the settings over any game that has turns and scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from firmware_host.errors import RuleError


class Kind(StrEnum):
    """What a match is."""

    ONE_ROUND = "one-round"  # one turn each, lowest wins (000 002 003)
    ROUNDS = "rounds"  # a fixed number of rounds, lowest total wins
    LAST_STANDING = "last-standing"  # who reaches the limit is out, the last one in wins (000)
    TO_LIMIT = "to-limit"  # when somebody reaches the limit, the lowest total wins
    BATTLE = "battle"  # two on one box: one lowers, the other raises (000)


class OnShut(StrEnum):
    """What shutting the box brings beside a score of 0."""

    WINS_MATCH = "wins-match"  # at once; who is still to come does not play (000 002 003)
    WINS_ROUND = "wins-round"  # the round ends; who has not played yet scores nothing in it
    SCORES_0 = "scores-0"  # nothing


class Ties(StrEnum):
    """What becomes of equal best scores."""

    SHARED = "shared"  # all of them win
    PLAY_OFF = "play-off"  # the tied play one turn each, again while they tie
    CARRY_OVER = "carry-over"  # nobody wins, the pot stays for the next match


DEFAULT_ROUNDS = 3
DEFAULT_LIMITS: Mapping[Kind, int] = {Kind.LAST_STANDING: 45, Kind.TO_LIMIT: 100}  # 45: 000
DEFAULT_SHUT: Mapping[Kind, OnShut] = {
    Kind.ONE_ROUND: OnShut.WINS_MATCH,
    Kind.ROUNDS: OnShut.WINS_ROUND,
    Kind.LAST_STANDING: OnShut.SCORES_0,
    Kind.TO_LIMIT: OnShut.SCORES_0,
    Kind.BATTLE: OnShut.WINS_MATCH,
}


@dataclass(frozen=True, slots=True)
class MatchRules:
    """``limit``: points, None where the kind has none.  ``stake``: points each player puts in.

    ``ranked``: played to be compared, so without hints.
    """

    kind: Kind = Kind.ONE_ROUND
    rounds: int = DEFAULT_ROUNDS
    limit: int | None = None
    shut: OnShut = OnShut.WINS_MATCH
    ties: Ties = Ties.SHARED
    stake: int = 0
    double_on_shut: bool = False
    ranked: bool = False

    def __post_init__(self) -> None:
        """Raises RuleError where two settings contradict each other; its text begins with a key."""
        if self.limit is not None and self.kind not in DEFAULT_LIMITS:
            raise RuleError(f"match.limit has no meaning in match.kind {self.kind}")
        if self.rounds != DEFAULT_ROUNDS and self.kind is not Kind.ROUNDS:
            raise RuleError(f"match.rounds has no meaning in match.kind {self.kind}")
        if self.kind is Kind.BATTLE and self.shut is not OnShut.WINS_MATCH:
            raise RuleError("rules.shut has no meaning in match.kind battle: the box shut wins it")
        if self.kind is Kind.BATTLE and self.ties is not Ties.SHARED:
            raise RuleError("rules.ties has no meaning in match.kind battle: it has no ties")
        if self.double_on_shut and not self.stake:
            raise RuleError("match.double_on_shut needs a match.stake of 1 or more")
        if self.double_on_shut and self.shut is not OnShut.WINS_MATCH:
            raise RuleError("match.double_on_shut needs rules.shut wins-match")

    def settings(self) -> dict[str, Any]:
        """Every key and value, by full key; :meth:`from_settings` reads it back."""
        return {
            "match.kind": self.kind.value,
            "match.rounds": self.rounds,
            "match.limit": self.limit,
            "rules.shut": self.shut.value,
            "rules.ties": self.ties.value,
            "match.stake": self.stake,
            "match.double_on_shut": self.double_on_shut,
            "match.ranked": self.ranked,
        }

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> MatchRules:
        """The rules of ``settings``; a key that is missing, or None, has the default of its kind.

        Raises RuleError for a value that does not exist or contradicts another.
        """
        try:
            kind = Kind(settings.get("match.kind", Kind.ONE_ROUND))
            limit = settings.get("match.limit")
            return cls(
                kind=kind,
                rounds=settings.get("match.rounds", DEFAULT_ROUNDS),
                limit=DEFAULT_LIMITS.get(kind) if limit is None else limit,
                shut=OnShut(settings.get("rules.shut") or DEFAULT_SHUT[kind]),
                ties=Ties(settings.get("rules.ties", Ties.SHARED)),
                stake=settings.get("match.stake", 0),
                double_on_shut=settings.get("match.double_on_shut", False),
                ranked=settings.get("match.ranked", False),
            )
        except RuleError:
            raise
        except ValueError as error:
            raise RuleError(str(error)) from None

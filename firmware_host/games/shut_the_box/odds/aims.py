"""What a player plays for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from firmware_host.errors import RuleError


class Goal(StrEnum):
    """What best play makes as large, or as small, as it can."""

    SHUT = "shut"  # the chance to shut the box, as large
    SCORE = "score"  # the expected score, as small
    BEAT = "beat"  # the chance of a score below the target, half for the target itself, as large
    STAY_OPEN = "stay-open"  # the chance to shut the box, as small: how badly it can be played


@dataclass(frozen=True, slots=True)
class Aim:
    """A goal, and for ``beat`` the score to beat."""

    goal: Goal
    target: int = 0

    @classmethod
    def parse(cls, text: str) -> Aim:
        """An aim from its text; RuleError if there is none such.

        >>> Aim.parse("beat:12")
        Aim(goal=<Goal.BEAT: 'beat'>, target=12)
        """
        if found := re.fullmatch(r"beat:([0-9]{1,20})", text):
            return cls(Goal.BEAT, int(found[1]))
        if text in (Goal.SHUT, Goal.SCORE, Goal.STAY_OPEN):
            return cls(Goal(text))
        raise RuleError(f"aim {text!r}: allowed: shut, score, beat:N with a score N, stay-open")

    @property
    def text(self) -> str:
        """One word; :meth:`parse` reads it back."""
        return f"{self.goal}:{self.target}" if self.goal is Goal.BEAT else self.goal.value

    @property
    def less_is_better(self) -> bool:
        """Best play makes the value small."""
        return self.goal in (Goal.SCORE, Goal.STAY_OPEN)

    def payoff(self, score: int, highest: int) -> int:
        """What a final score is worth to the solver: the more the better, 0 at least.

        ``highest``: the score with all tiles open.
        """
        match self.goal:
            case Goal.SHUT:
                return int(score == 0)
            case Goal.SCORE:
                return highest - score
            case Goal.BEAT:
                return 2 * (score < self.target) + (score == self.target)
            case Goal.STAY_OPEN:
                return int(score > 0)

    def value(self, payoff: int, parts: int, highest: int) -> Fraction:
        """The expected score or the chance, where the expected payoff is ``payoff / parts``."""
        match self.goal:
            case Goal.SHUT:
                return Fraction(payoff, parts)
            case Goal.SCORE:
                return Fraction(highest * parts - payoff, parts)
            case Goal.BEAT:
                return Fraction(payoff, 2 * parts)
            case Goal.STAY_OPEN:
                return Fraction(parts - payoff, parts)

"""What a check of the box comes to: a line each, with its mend."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Grade(Enum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"  # the table plays, but not as well as it could
    WRONG = "wrong"  # something does not work until it is mended


@dataclass(frozen=True, slots=True)
class Finding:
    """``part``: what was looked at; ``text``: what it is like; ``mend``: what to do about it, or empty."""

    part: str
    grade: Grade
    text: str
    mend: str = ""

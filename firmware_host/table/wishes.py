"""What the keeper's phone may ask the table for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Start:
    """A match; ``rules`` by full key, a missing one has its default."""

    rules: Mapping[str, Any] = field(hash=False)
    players: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last step is taken back."""


@dataclass(frozen=True, slots=True)
class SetDice:
    """The last throw, whose tiles may lie already, was in truth ``dice``."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SetScore:
    """``player`` has ``total`` in the match."""

    player: str
    total: int


@dataclass(frozen=True, slots=True)
class HandOver:
    """The turn that goes on is ``player``'s."""

    player: str


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The turn that goes on ends now."""


@dataclass(frozen=True, slots=True)
class Rename:
    """Who plays as ``player`` in this match is in truth ``name``."""

    player: str
    name: str


Wish = Start | TakeBack | SetDice | SetScore | HandOver | EndTurn | Rename

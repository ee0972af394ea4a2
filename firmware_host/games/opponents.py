"""Seats that the box plays itself: a person throws the dice and flips the tiles, the box says which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from firmware_host.errors import RuleError
from firmware_host.games.names import likeness

PREFIX = "bot:"  # before the kind, in place of a name: bot:good


class Opponent(StrEnum):
    """How such a seat is played; which of them there are depends on the game."""

    PERFECT = "perfect"  # for the chance to win the match, so it gambles when behind
    GOOD = "good"  # for the least expected score
    CASUAL = "casual"  # the largest tile first, or only its own lines; sometimes careless
    NORMAL = "normal"  # chips: for all lines, as they stand after its own
    HARD = "hard"  # chips: with every reply to every roll in mind


def seated(typed: Sequence[str]) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """The shown names of who was ``typed``, and which of them the box plays, each with its kind.

    Raises RuleError for an opponent that there is not.

    >>> seated(["Ann", "bot:good"])
    (('Ann', 'Good'), {'Good': 'good'})
    """
    names: list[str] = []
    opponents: dict[str, str] = {}
    people = {likeness(name) for name in typed if not name.startswith(PREFIX)}
    for name in typed:
        if name.startswith(PREFIX):
            kind = _kind(name)
            name = _free(kind.value.capitalize(), people.union(map(likeness, names)))
            opponents[name] = kind.value
        names.append(name)
    return tuple(names), opponents


def retyped(names: Sequence[str], opponents: Mapping[str, str]) -> tuple[str, ...]:
    """What :func:`seated` makes these ``names`` of."""
    return tuple(f"{PREFIX}{opponents[name]}" if opponents.get(name) else name for name in names)


def _kind(name: str) -> Opponent:
    try:
        return Opponent(name.removeprefix(PREFIX))
    except ValueError:
        allowed = ", ".join(f"{PREFIX}{kind}" for kind in Opponent)
        raise RuleError(f"match.players {name}: no such opponent; allowed: {allowed}") from None


def _free(name: str, taken: set[str]) -> str:
    """``name``, numbered where somebody has it."""
    free, number = name, 1
    while likeness(free) in taken:
        number += 1
        free = f"{name} {number}"
    return free

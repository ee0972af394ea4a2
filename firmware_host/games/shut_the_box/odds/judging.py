"""What was given away: each choice of a turn against the best, by the least expected score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from firmware_host.games.counsel import Slip
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.odds import Odds
from firmware_host.games.shut_the_box.odds.aims import Aim, Goal
from firmware_host.games.shut_the_box.rules import Rules, Shut

if TYPE_CHECKING:
    from firmware_host.games.shut_the_box.odds.table import Table

Turn = Sequence[tuple[tuple[int, ...], Shut]]
"""Of each roll of a turn the dice, and the set that was shut; empty where none was."""

Decision = tuple[Box, tuple[int, ...], Shut]
"""The box before a roll, the dice, and the set that was shut; empty where none was."""


def judge(table: Table, turn: Turn) -> list[Slip]:
    """What could have been done better in ``turn``, each choice by itself, in points."""
    slips: list[Slip] = []
    box = Box.full(table.rules.tiles)
    for dice, shut in turn:
        if dice:
            slips += judge_roll(table, box, dice, shut)
        box = box.shut(shut)
    return slips


def judge_roll(table: Table, box: Box, dice: tuple[int, ...], shut: Shut) -> list[Slip]:
    """The slips in one roll: the number of dice, and the set that was ``shut``; none without one."""
    slips: list[Slip] = []
    by_dice, best_dice = table.value_by_dice(box), table.best_dice(box)
    if len(dice) in by_dice and len(dice) not in best_dice:
        cost = float(abs(by_dice[len(dice)] - by_dice[best_dice[0]]))
        slips.append(Slip((len(dice),), best_dice[:1], cost, is_dice=True))
    advice = table.advise(box, dice)
    if shut in [move.shut for move in advice.moves] and shut not in advice.best:
        slips.append(Slip(shut, advice.best[0], float(advice.loss(shut))))
    return slips


def given_away(rules: Rules, decisions: Mapping[Decision, int]) -> float:
    """Points given away in all ``decisions``, each taken so many times.

    Raises RequirementError where numpy is missing.
    """
    table = Odds(rules).table(Aim(Goal.SCORE))
    return sum(times * total(judge_roll(table, *decision)) for decision, times in decisions.items())


def total(slips: Iterable[Slip]) -> float:
    """The points of all ``slips``."""
    return sum((slip.cost for slip in slips), 0.0)

"""The coach: what is best at a moment of a match, who will win it, and what a turn gave away.

numpy is imported when the first :class:`Counsel` is made; importing this module needs none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from firmware_host.errors import RuleError
from firmware_host.games.coach import Coach, CoachAim
from firmware_host.games.counsel import (
    NOTHING_KNOWN,
    Counsel,
    Option,
    Order,
    Review,
)
from firmware_host.games.drawn import Drawn
from firmware_host.games.game import Game
from firmware_host.games.match import Match
from firmware_host.games.match_rules import Kind, OnShut, Ties
from firmware_host.games.opponents import Opponent as Seat
from firmware_host.games.shut_the_box.game import ShutTheBox
from firmware_host.games.shut_the_box.odds import Odds
from firmware_host.games.shut_the_box.odds.advice import Advice
from firmware_host.games.shut_the_box.odds.aims import Aim, Goal
from firmware_host.games.shut_the_box.odds.judging import judge, total
from firmware_host.games.shut_the_box.odds.opponents import BestPlay, Casual, Opponent
from firmware_host.games.shut_the_box.rules import Rules

if TYPE_CHECKING:
    from firmware_host.games.shut_the_box.odds.live import MatchOdds, TurnOdds
    from firmware_host.games.shut_the_box.odds.sampling import Sampler
    from firmware_host.games.shut_the_box.odds.table import Table

EXACT_WORK = 2_000_000
"""Pairs of seats x final scores x boxes up to which chances are reckoned exactly: about three seconds on a
laptop, once a match.  It leaves out fourteen players with nine tiles, nine with ten, five with twelve; with
scoring by digits five with nine tiles, three with ten, and everybody with twelve."""
_PLANS = (Kind.ROUNDS, Kind.LAST_STANDING, Kind.TO_LIMIT)


def counsel(game: Game, coach: Coach) -> Counsel:
    """What ``coach`` is to say about ``game``, and what the box wants done for a seat of its own.

    Nothing for a game that there are no odds of, such as a battle.  Raises RequirementError
    where numpy is missing.
    """
    if not isinstance(game, ShutTheBox):
        return NOTHING_KNOWN
    known = _known(game.rules)
    said = Counsel(review=_review(known.table, game)) if coach.review else NOTHING_KNOWN
    if game.match.is_over:
        return said
    if coach.chances:
        said = replace(said, **_chances(known, game))
    if game.match.opponent:
        return replace(said, order=_order(known, game))
    return replace(said, **_options(known, game, coach.aim)) if coach.hints else said


class _Known:
    """The tables of one set of rules, each made when it is first needed."""

    def __init__(self, rules: Rules) -> None:
        self.odds = Odds(rules)
        self._matches: dict[tuple[int, bool, str], MatchOdds] = {}
        self._turn: tuple[object, TurnOdds | None] = (None, None)

    @cached_property
    def table(self) -> Table:
        """For the least expected score."""
        return self.odds.table(Aim(Goal.SCORE))

    @cached_property
    def sampler(self) -> Sampler:
        """For matches of several rounds."""
        return self.odds.sampler()

    def work(self, seats: int) -> int:
        """How much there is to be reckoned for the exact odds of a round; see ``EXACT_WORK``."""
        return seats * (seats - 1) // 2 * len(self.odds.graph.scores) * self.odds.graph.boxes

    def turn(self, match: Match) -> TurnOdds | None:
        """The exact odds of the round that decides the match.

        None where it decides nothing, for one alone, and where it would take too long.
        """
        key = (match.in_play, match.scores, match.totals, match.tied, match.rules)
        if self._turn[0] != key:
            self._turn = (key, self._turn_of(match))
        return self._turn[1]

    def _turn_of(self, match: Match) -> TurnOdds | None:
        scores = [match.scores[seat] for seat in match.in_play]
        shut_wins, ties = match.rules.shut is not OnShut.SCORES_0, match.rules.ties
        if match.tied:
            shut_wins, ties = True, Ties.PLAY_OFF
        elif match.rules.kind is not Kind.ONE_ROUND or _are_set_by_hand(match):
            return None
        elif ties is Ties.CARRY_OVER and not match.rules.stake:
            ties = Ties.SHARED
        if len(scores) < 2 or self.work(len(scores)) > EXACT_WORK:
            return None
        key = (len(scores), shut_wins, ties.value)
        if key not in self._matches:
            self._matches[key] = self.odds.match(len(scores), shut_wins=shut_wins, ties=ties.value)
        try:
            return self._matches[key].turn(scores)
        except RuleError:  # a score that was set by hand, and that no turn can have
            return None


_known = lru_cache(maxsize=2)(_Known)  # the rules in play, and those of the match before


def _are_set_by_hand(match: Match) -> bool:
    """A total is not what this round's score makes it."""
    return any(match.totals[seat] != (match.scores[seat] or 0) for seat in match.in_play)


# Hints


def _options(known: _Known, game: ShutTheBox, aim: CoachAim) -> dict[str, Any]:
    """The options of the present moment, as fields of a Counsel."""
    turn = known.turn(game.match) if aim is CoachAim.WIN else None
    if turn is not None:
        return {"options": _ranked(turn, game), "is_chance": True}
    return {"options": _ranked(known.table, game)}


def _ranked(valuation: Table | TurnOdds, game: ShutTheBox) -> tuple[Option, ...]:
    if game.dice:
        advice: Advice[Any] = valuation.advise(game.box, game.dice)
        return tuple(
            Option(move.shut, 0.0 if move.shut in advice.best else float(advice.loss(move.shut)))
            for move in advice.moves
        )
    by_dice: Mapping[int, Fraction | float] = valuation.value_by_dice(game.box)
    best = valuation.best_dice(game.box)
    costs = {number: _cost(value, by_dice[best[0]]) for number, value in by_dice.items()}
    ranked = sorted(by_dice, key=lambda number: (number not in best, number))
    return tuple(Option((number,), 0.0 if number in best else costs[number]) for number in ranked)


def _cost(value: Fraction | float, best: Fraction | float) -> float:
    return abs(float(value) - float(best))


# Chances


def _chances(known: _Known, game: ShutTheBox) -> dict[str, Any]:
    """Each seat's chance to win the match, as fields of a Counsel; none for one alone."""
    match = game.match
    if len(match.in_play) < 2:
        return {}
    turn = known.turn(match)
    if turn is not None:
        return {"chances": _by_seat(match, turn.chances(game.box, game.dice))}
    return _sampled(known, game)


def _by_seat(match: Match, values: Sequence[float]) -> tuple[float, ...]:
    """Of all seats, from those that are in play; the others win nothing."""
    by_seat = dict(zip(match.in_play, values, strict=True))
    return tuple(by_seat.get(seat, 0.0) for seat in range(len(match.players)))


def _sampled(known: _Known, game: ShutTheBox) -> dict[str, Any]:
    import numpy as np

    from firmware_host.games.shut_the_box.odds.sampling import Plan

    match, rules = game.match, game.match.rules
    if match.tied or rules.kind not in _PLANS or rules.shut is OnShut.WINS_MATCH:
        return {}
    limit = rules.rounds - match.round + 1 if rules.kind is Kind.ROUNDS else rules.limit
    plan = Plan(rules.kind.value, limit or 0, rules.shut is OnShut.WINS_ROUND)
    scores = [match.scores[seat] for seat in match.in_play]
    totals = [match.totals[seat] - (match.scores[seat] or 0) for seat in match.in_play]
    box = game.box
    if game.dice:
        box = box.shut(next(iter(known.table.advise(box, game.dice).best), ()))
    # Seeded by the match, so that the same moment has the same chances.
    sampled = known.sampler.sample(plan, totals, scores, box, np.random.default_rng(match.number))
    return {"chances": _by_seat(match, sampled.chances), "errors": _by_seat(match, sampled.errors)}


# A turn in review


def _review(table: Table, game: ShutTheBox) -> Review | None:
    """The review of the turn that has just ended; None where there is none, or the box played it itself."""
    last = game.match.last_turn
    if last is None or not any(dice for dice, _ in game.turn):
        return None
    seat = game.match.players.index(last.player)
    if game.match.opponents[seat]:
        return None
    slips = judge(table, game.turn)
    worst = max(slips, key=lambda slip: slip.cost, default=None)
    return Review(last.player, total(slips), worst)


# Seats that the box plays


def _player(known: _Known, game: ShutTheBox) -> Opponent:
    match = game.match
    if match.opponent == Seat.CASUAL:
        moment = (match.number, match.round, match.seat, game.box.mask, game.dice)
        return Casual(game.rules, Drawn(moment))
    turn = known.turn(match) if match.opponent == Seat.PERFECT else None
    return BestPlay(known.table) if turn is None else BestPlay(turn)


def _order(known: _Known, game: ShutTheBox) -> Order:
    if not game.dice:
        return Order((), _player(known, game).choose_dice(game.box))
    shut = _player(known, game).choose(game.box, game.dice)
    after = replace(game, box=game.box.shut(shut), dice=())
    return Order(shut, 0 if after.box.is_shut else _order(known, after).dice)

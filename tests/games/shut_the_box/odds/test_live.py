"""Each seat's chance to win a round: against plain recursion in fractions, and by what must hold."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import RuleError
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.odds import Odds
from firmware_host.games.shut_the_box.odds.aims import Aim
from firmware_host.games.shut_the_box.odds.live import MatchOdds
from firmware_host.games.shut_the_box.rules import OneDie, Rules, Scoring, dice_allowed

Tiles = tuple[int, ...]
Scores = tuple[int | None, ...]
Chances = tuple[Fraction, ...]

CAMPAIGN = Path(__file__).parents[3] / "campaigns" / "odds_matches.py"
FULL = Box.parse("123456789")


class NaiveRound:
    """Every seat maximises its own chance; all of it by recursion over whole positions."""

    def __init__(self, rules: Rules, *, shut_wins: bool, ties: str) -> None:
        self.rules, self.shut_wins, self.ties = rules, shut_wins, ties
        self.after_turn = cache(self._after_turn)
        self.before_roll = cache(self._before_roll)

    def _after_turn(self, scores: Scores) -> Chances:
        played = [score for score in scores if score is not None]
        if self.shut_wins and 0 in played:
            return tuple(Fraction(score == 0) for score in scores)
        if None in scores:
            return self.before_roll(scores, self.rules.tiles)
        winners = [seat for seat, score in enumerate(scores) if score == min(played)]
        part = Fraction(1, len(winners)) if self.ties == "shared" else Fraction(len(winners) == 1)
        return tuple(part if seat in winners else Fraction(0) for seat in range(len(scores)))

    def _ended(self, scores: Scores, tiles: Tiles) -> Chances:
        seat = scores.index(None)
        points = len(tiles) if self.rules.scoring is Scoring.COUNT else sum(tiles)
        return self.after_turn((*scores[:seat], points, *scores[seat + 1 :]))

    def _before_roll(self, scores: Scores, tiles: Tiles) -> Chances:
        if not tiles:
            return self._ended(scores, tiles)
        box = Box.full(self.rules.tiles).shut(set(self.rules.tiles) - set(tiles))
        options = []
        for number in dice_allowed(box, self.rules):
            rolls = list(product(range(1, 7), repeat=number))
            outcomes = [self.after_roll(scores, tiles, sum(roll)) for roll in rolls]
            columns = zip(*outcomes, strict=True)
            options.append(tuple(sum(column) / Fraction(len(rolls)) for column in columns))
        return max(options, key=lambda chances: chances[scores.index(None)])

    def after_roll(self, scores: Scores, tiles: Tiles, total: int) -> Chances:
        """The chances with a roll before the player; of equal sets the first, smallest sets first."""
        options = [
            self.before_roll(scores, tuple(tile for tile in tiles if tile not in shut))
            for size in range(1, len(tiles) + 1)
            for shut in combinations(tiles, size)
            if sum(shut) == total
        ]
        if not options:
            return self._ended(scores, tiles)
        return max(options, key=lambda chances: chances[scores.index(None)])


SMALL = [
    Rules(tiles=(1, 2, 3)),
    Rules(tiles=(1, 2, 3, 4), scoring=Scoring.COUNT),
    Rules(tiles=(2, 3, 5, 7), one_die=OneDie.SUM_AT_MOST_6, one_die_compulsory=True),
]


@pytest.mark.parametrize("ties", ["shared", "carry-over"])
@pytest.mark.parametrize("shut_wins", [True, False])
@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: rules.settings()["tiles"])
def test_all_standings_and_boxes_agree_with_plain_recursion(rules: Rules, shut_wins: bool, ties: str) -> None:
    naive = NaiveRound(rules, shut_wins=shut_wins, ties=ties)
    odds = Odds(rules)
    match = odds.match(3, shut_wins=shut_wins, ties=ties)
    finals = [final for final in odds.graph.scores.tolist() if final or not shut_wins]
    standings: list[Scores] = [(None,) * 3]
    standings += [(one, None, None) for one in finals]
    standings += [(one, other, None) for one in finals[:6] for other in finals[:6]]
    for scores in standings:
        turn = match.turn(scores)
        for size in range(len(rules.tiles) + 1):
            for tiles in combinations(rules.tiles, size):
                box = Box.full(rules.tiles).shut(set(rules.tiles) - set(tiles))
                exact = naive.before_roll(scores, tiles)
                assert turn.chances(box) == pytest.approx([float(c) for c in exact], abs=1e-12), box.text
        for dice in ((1, 1), (1, 4), (3, 4), (6, 6)):
            exact = naive.after_roll(scores, rules.tiles, sum(dice))
            got = turn.chances(Box.full(rules.tiles), dice)
            assert got == pytest.approx([float(c) for c in exact], abs=1e-12)


@pytest.fixture(scope="module")
def four() -> MatchOdds:
    return Odds(Rules()).match(4)


def test_the_last_to_play_beats_a_target(four: MatchOdds) -> None:
    for target in (1, 7, 12, 30):
        exact = Odds(Rules()).table(Aim.parse(f"beat:{target}"))
        chances = four.chances([45, target, None])
        assert chances[2] == pytest.approx(float(exact.value(FULL)), abs=1e-12)
        assert chances == pytest.approx((0, 1 - chances[2], chances[2]), abs=1e-12)


def test_who_begins_has_the_edge_where_a_shut_wins_at_once_and_else_who_is_last(four: MatchOdds) -> None:
    chances = four.chances([None] * 4)
    assert list(chances) == sorted(chances, reverse=True)
    only_0 = Odds(Rules()).match(4, shut_wins=False).chances([None] * 4)
    assert list(only_0) == sorted(only_0)


def test_a_round_that_is_over_has_its_winners(four: MatchOdds) -> None:
    assert four.chances([9, 7, 7, 30]) == (0, 0.5, 0.5, 0)
    assert four.chances([9, 0, None, None]) == (0, 1, 0, 0)
    with pytest.raises(RuleError, match="the round is over"):
        four.turn([9, 0, None, None])


def test_tables_for_many_serve_fewer(four: MatchOdds) -> None:
    two = Odds(Rules()).match(2)
    assert four.chances([None, None]) == pytest.approx(two.chances([None, None]), abs=1e-13)
    assert four.chances([8, None], Box.parse("12--5----")) == pytest.approx(
        two.chances([8, None], Box.parse("12--5----")), abs=1e-13
    )
    assert four.chances([None]) == pytest.approx([1])


@pytest.mark.parametrize("scores", [[], [None] * 5, [0.5, None]])
def test_rounds_that_cannot_be_are_refused(four: MatchOdds, scores: list[int | None]) -> None:
    with pytest.raises(RuleError):
        four.chances(scores)


def test_other_ways_to_break_ties_do_not_exist() -> None:
    with pytest.raises(RuleError, match="allowed: shared, play-off, carry-over"):
        Odds(Rules()).match(2, ties="coin")
    with pytest.raises(RuleError, match="at least one"):
        Odds(Rules()).match(0)


def test_a_tie_is_shared_carried_over_or_played_off() -> None:
    odds = Odds(Rules())
    assert odds.match(2).chances([7, 7]) == (0.5, 0.5)
    assert odds.match(2, ties="carry-over").chances([7, 7]) == (0, 0)
    play_off = odds.match(2, ties="play-off")
    first, second = play_off.chances([7, 7])
    assert first > second
    assert first + second == pytest.approx(1, abs=1e-12)
    assert play_off.chances([None, None]) == pytest.approx((first, second), abs=1e-12)


@given(st.data())
def test_the_chances_add_up_and_are_the_mean_over_the_rolls(four: MatchOdds, data: st.DataObject) -> None:
    played = data.draw(st.lists(st.integers(1, 43), max_size=3))
    turn = four.turn([*played, *[None] * (4 - len(played))])
    box = FULL.shut(data.draw(st.sets(st.integers(1, 9), max_size=8)))
    now = turn.chances(box)
    assert sum(now) == pytest.approx(1, abs=1e-12)
    assert now[len(played)] == pytest.approx(turn.value(box), abs=1e-12)
    by_dice = turn.value_by_dice(box)
    assert turn.value(box) == pytest.approx(max(by_dice.values()), abs=1e-12)
    number = next(number for number, value in by_dice.items() if value > turn.value(box) - 1e-12)
    rolls = [turn.chances(box, dice) for dice in product(range(1, 7), repeat=number)]
    mean = [sum(column) / len(rolls) for column in zip(*rolls, strict=True)]
    assert mean == pytest.approx(now, abs=1e-12)


def test_simulated_rounds_win_as_often_as_they_should() -> None:
    """A short campaign; the long one has 200,000 rounds a case."""
    done = subprocess.run(
        [sys.executable, str(CAMPAIGN), "--games", "200", "--seed", "3"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "farthest" in done.stdout

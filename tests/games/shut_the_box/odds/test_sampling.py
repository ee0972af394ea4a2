"""Sampled chances of matches of several rounds: against exact ones, and by the rules of each kind."""

from __future__ import annotations

import numpy as np
import pytest

from firmware_host.errors import RuleError
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.odds import Odds
from firmware_host.games.shut_the_box.odds.aims import Aim
from firmware_host.games.shut_the_box.odds.sampling import Plan, Sampled, Sampler
from firmware_host.games.shut_the_box.rules import Rules

FULL, SHUT = Box.parse("123456789"), Box.parse("---------")
ONE = Box.parse("1--------")  # 1 in 6 shuts it, else the score is 1


@pytest.fixture(scope="module")
def sampler() -> Sampler:
    return Sampler.of(Odds(Rules()).graph)


def sample(
    sampler: Sampler, plan: Plan, totals: list[int], scores: list[int | None], box: Box = FULL, seed: int = 1
) -> Sampled:
    return sampler.sample(plan, totals, scores, box, np.random.default_rng(seed))


def near(sampled: Sampled, exact: list[float]) -> bool:
    """Within four standard errors."""
    found = zip(sampled.chances, sampled.errors, exact, strict=True)
    return all(abs(chance - right) <= 4 * error + 1e-12 for chance, error, right in found)


def test_one_last_round_of_two_against_the_exact_distribution(sampler: Sampler) -> None:
    ends = Odds(Rules()).table(Aim.parse("score")).final_scores(FULL)
    lead = 3  # of the second
    wins = sum(float(p * q) for a, p in ends.items() for b, q in ends.items() if a + lead < b)
    ties = sum(float(p * q) for a, p in ends.items() for b, q in ends.items() if a + lead == b)
    sampled = sample(sampler, Plan("rounds", 1), [lead, 0], [None, None])
    assert near(sampled, [wins + ties / 2, 1 - wins - ties / 2])
    assert 0.005 < sampled.errors[0] < 0.01


def test_the_present_box_counts(sampler: Sampler) -> None:
    sampled = sample(sampler, Plan("rounds", 1), [0, 0], [1, None], ONE)
    assert near(sampled, [5 / 12, 7 / 12])


def test_the_same_chance_gives_the_same_answer(sampler: Sampler) -> None:
    plan = Plan("last-standing", 45)
    one, again = (sample(sampler, plan, [10, 20, 30], [None] * 3) for _ in range(2))
    assert one == again
    assert one != sample(sampler, plan, [10, 20, 30], [None] * 3, seed=2)
    assert sum(one.chances) == pytest.approx(1)
    assert one.chances[0] > one.chances[1] > one.chances[2]


def test_to_limit_the_lowest_total_wins_once_someone_is_there(sampler: Sampler) -> None:
    plan = Plan("to-limit", 100)
    assert sample(sampler, plan, [90, 20, 20], [10, 5, None], SHUT).chances == (0, 0, 1)
    assert sample(sampler, plan, [90, 20, 15], [10, 5, 10]).chances == (0, 0.5, 0.5)


def test_last_standing_wins_the_last_one_in(sampler: Sampler) -> None:
    plan = Plan("last-standing", 45)
    assert sample(sampler, plan, [45, 40, 40], [None, 5, 4]).chances == (0, 0, 1)
    assert sample(sampler, plan, [44, 40, 45], [1, 6, None]).chances == (1, 0, 0)
    assert sample(sampler, plan, [44, 44, 0], [1, 1, 45]).chances == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_who_is_out_stays_out(sampler: Sampler) -> None:
    sampled = sample(sampler, Plan("last-standing", 45), [60, 10, 10], [None] * 3)
    assert sampled.chances[0] == 0
    assert near(sampled, [0, 0.5, 0.5])


def test_the_present_box_is_that_of_the_first_who_is_in(sampler: Sampler) -> None:
    sampled = sample(sampler, Plan("last-standing", 45), [60, 44, 44], [None, None, 0], ONE)
    assert sampled.chances[2] == pytest.approx(5 / 6 + 1 / 12, abs=0.03)


def test_who_has_not_played_when_the_round_is_won_scores_nothing(sampler: Sampler) -> None:
    ends = Plan("rounds", 1, shut_wins_round=True)
    assert sample(sampler, ends, [1, 0], [0, None]).chances == (0, 1)
    assert sample(sampler, ends, [0, 0], [0, None]).chances == (0.5, 0.5)
    only_0 = Plan("rounds", 1)
    assert sample(sampler, only_0, [0, 0], [0, None]).chances[0] > 0.9


def test_other_kinds_do_not_exist() -> None:
    with pytest.raises(RuleError, match="allowed: rounds, last-standing, to-limit"):
        Plan("battle", 1)

"""Counting faces, and the chi-squared test of them."""

from __future__ import annotations

import doctest

import pytest

from firmware_host.cli import fairness
from firmware_host.cli.fairness import chi_squared


@pytest.mark.parametrize(
    ("statistic", "p"),
    # The table of critical values for 5 degrees of freedom.
    [(1.610, 0.90), (4.351, 0.50), (9.236, 0.10), (11.070, 0.05), (15.086, 0.01), (20.515, 0.001)],
)
def test_the_tail_is_that_of_the_tables(statistic: float, p: float) -> None:
    assert fairness._tail(statistic) == pytest.approx(p, rel=2e-3)


def test_equal_counts_are_the_fairest() -> None:
    assert chi_squared([1, 2, 3, 4, 5, 6] * 7) == (0.0, 1.0)


def test_sixes_only_are_not_fair() -> None:
    statistic, p = chi_squared([6] * 60)
    assert statistic == pytest.approx(300.0)
    assert p < 1e-50


def test_a_worked_example() -> None:
    # 60 throws, 10 of each expected: (4 + 1 + 0 + 9 + 4 + 16) / 10
    faces = [1] * 8 + [2] * 9 + [3] * 10 + [4] * 13 + [5] * 12 + [6] * 14
    counts = [8, 9, 10, 13, 12, 14]
    expected = sum(counts) / 6
    assert chi_squared(faces)[0] == pytest.approx(sum((c - expected) ** 2 / expected for c in counts))


def test_without_dice_there_is_nothing_to_say() -> None:
    assert chi_squared([]) == (0.0, 1.0)


def test_the_examples_in_the_docstrings() -> None:
    result = doctest.testmod(fairness)
    assert result.attempted
    assert not result.failed

"""The roller: fair, answering at once, and nothing of its own but the chance it is given."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from firmware_host.ports import Chance, DiceSource
from hardware.dice.roller import Roller, SecureChance


class SeededChance:
    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def throw(self, count: int) -> tuple[int, ...]:
        return tuple(self._random.randint(1, 6) for _ in range(count))


def never(reason: str) -> None:
    raise AssertionError(f"chance refused: {reason}")


@pytest.mark.parametrize("count", [1, 2])
def test_the_answer_is_there_when_want_returns(count: int) -> None:
    roller: DiceSource = Roller(SeededChance(1))
    seen: list[tuple[int, ...]] = []
    roller.want(count, seen.append, never)
    assert seen == [SeededChance(1).throw(count)]


def test_each_want_is_a_new_throw() -> None:
    roller, seen = Roller(SeededChance(7)), list[tuple[int, ...]]()
    for _ in range(20):
        roller.want(2, seen.append, never)
    expected = SeededChance(7)
    assert seen == [expected.throw(2) for _ in range(20)]


def test_its_public_name() -> None:
    assert Roller(SeededChance(1)).name == "roller"


def test_closing_twice_is_quiet() -> None:
    roller = Roller(SeededChance(1))
    roller.close()
    roller.close()


@pytest.mark.parametrize("count", [0, -1])
def test_no_dice_are_no_throw(count: int) -> None:
    with pytest.raises(ValueError, match=repr(count)):
        SecureChance().throw(count)


def chi_squared(counts: Counter[Any], faces: int) -> float:
    """How far ``counts`` are from all ``faces`` outcomes alike; expected: faces - 1."""
    expected = counts.total() / faces
    missing = (faces - len(counts)) * expected
    return missing + sum((count - expected) ** 2 / expected for count in counts.values())


def test_the_system_chance_favours_no_face_and_no_pair() -> None:
    # No seed can be given to it; a fair one fails these bounds once in ten million runs
    # (chi-squared beyond 42 at 5, beyond 100 at 35 degrees of freedom).
    chance: Chance = SecureChance()
    pairs = Counter(chance.throw(2) for _ in range(18_000))
    faces = Counter((face,) for pair in pairs.elements() for face in pair)
    assert set(faces) == {(face,) for face in range(1, 7)}
    assert chi_squared(faces, 6) < 42
    assert chi_squared(pairs, 36) < 100


def test_the_measure_finds_a_die_that_is_loaded_by_a_tenth() -> None:
    throws = Random(20).choices(range(1, 7), weights=[10, 10, 10, 10, 10, 11], k=36_000)
    loaded = Counter((face,) for face in throws)
    assert chi_squared(loaded, 6) > 42

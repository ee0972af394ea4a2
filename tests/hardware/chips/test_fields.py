"""Which chip a field means: windows, gaps between them, hysteresis."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.table.events import UNKNOWN
from hardware.chips.fields import HYSTERESIS_MT, SENSORS, WINDOWS, classify
from sim.magnets import DISCS, FACE_MM

LEVELS = {"green": 1, "blue": 2, "red": 3}
levels = st.sampled_from((UNKNOWN, 0, 1, 2, 3))
fields = st.floats(-120, 120)


@settings(deadline=None)
@given(fields, levels)
def test_a_chip_turned_over_is_the_same_chip(field: float, before: int) -> None:
    assert classify(field, before) == classify(-field, before)


@settings(deadline=None)
@given(fields, levels)
def test_what_was_read_once_is_read_again_from_the_same_field(field: float, before: int) -> None:
    level = classify(field, before)
    assert classify(field, level) == level


@settings(deadline=None)
@given(fields, levels, st.floats(-0.9, 0.9))
def test_noise_smaller_than_the_hysteresis_changes_nothing(field: float, before: int, noise: float) -> None:
    level = classify(field, before)
    if level != UNKNOWN:
        assert classify(field + noise, level) == level


def test_between_the_windows_nothing_is_guessed() -> None:
    for lower, upper in itertools.pairwise(WINDOWS):
        assert upper.low_mt - lower.high_mt > 2 * HYSTERESIS_MT
        assert classify((lower.high_mt + upper.low_mt) / 2, 0) == UNKNOWN
    assert classify(WINDOWS[-1].high_mt + 1, 0) == UNKNOWN


@pytest.mark.parametrize(("colour", "level"), LEVELS.items())
@pytest.mark.parametrize("weaker", [0.9, 1.0])
@pytest.mark.parametrize(("face_mm", "aside_mm"), [(FACE_MM, 0.0), (FACE_MM, 1.2), (FACE_MM - 0.3, 0.0)])
def test_each_chip_lies_within_its_window(
    colour: str, level: int, weaker: float, face_mm: float, aside_mm: float
) -> None:
    assert classify(weaker * DISCS[colour].field_mt(face_mm, aside_mm), 0) == level


def test_an_empty_square_is_empty_with_its_neighbours_covered() -> None:
    assert classify(4 * DISCS["red"].field_mt(FACE_MM, 30.0), 0) == 0


@pytest.mark.parametrize("sensor", SENSORS)
def test_the_strongest_chip_is_within_a_sensors_range(sensor: str) -> None:
    strongest = DISCS["red"].field_mt(FACE_MM - 0.3, 0.0) * SENSORS[sensor].volts_a_mt
    assert strongest + SENSORS[sensor].most_off_v < 3.3 / 2 - 0.2

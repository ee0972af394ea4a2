"""A level counts when it has stood for a while."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.table.debounce import Debounced, Levels

HOLD_S = 0.0625  # binary, so that sums of times are exact


def fresh(*levels: int | None) -> Debounced:
    return Debounced(HOLD_S).read(levels, 0.0)


def test_the_very_first_reading_counts_at_once() -> None:
    assert fresh(1, 0, None).stable == (1, 0, None)


def test_a_change_counts_when_it_has_stood_long_enough() -> None:
    changed = fresh(1, 1).read((1, 0), 1.0)
    assert changed.stable == (1, 1)
    assert changed.due == 1.0 + HOLD_S
    assert changed.at(1.0 + HOLD_S / 2).stable == (1, 1)
    assert changed.at(1.0 + HOLD_S).stable == (1, 0)


def test_nothing_is_due_when_all_levels_count() -> None:
    assert fresh(1, 0).due is None


def test_a_level_that_came_straight_back_never_counts() -> None:
    bounced = fresh(1).read((0,), 1.0).read((1,), 1.0 + HOLD_S / 2)
    assert bounced.due is None
    assert bounced.at(9.0).stable == (1,)


def test_a_bounce_begins_the_wait_anew() -> None:
    bounced = fresh(1).read((0,), 1.0).read((1,), 1.01).read((0,), 1.02)
    assert bounced.due == 1.02 + HOLD_S


def test_each_input_waits_for_itself() -> None:
    both = fresh(1, 1).read((0, 1), 1.0).read((0, 0), 1.03)
    assert both.due == 1.0 + HOLD_S
    assert both.at(1.0 + HOLD_S).stable == (0, 1)
    assert both.at(1.03 + HOLD_S).stable == (0, 0)


def test_a_level_that_stood_long_enough_counts_even_when_it_is_gone_at_the_next_reading() -> None:
    late = fresh(1).read((0,), 1.0).read((1,), 2.0)
    assert late.stable == (0,)
    assert late.at(2.0 + HOLD_S).stable == (1,)


def test_another_number_of_inputs_begins_anew() -> None:
    assert fresh(1, 1).read((0, 0, 0), 1.0).stable == (0, 0, 0)


def test_the_same_again_is_the_same_value() -> None:
    debounced = fresh(1, 0)
    assert debounced.read((1, 0), 1.0) is debounced
    assert debounced.at(1.0) is debounced


@st.composite
def traces(draw: st.DrawFn) -> list[tuple[float, Levels]]:
    """Times (in sixty-fourths of a second) with the levels from then on."""
    width = draw(st.integers(1, 3))
    levels = st.tuples(*[st.integers(0, 1)] * width)
    steps = draw(st.lists(st.tuples(st.integers(1, 10), levels), min_size=1, max_size=12))
    now, trace = 0, []
    for step, reading in steps:
        now += step
        trace.append((now / 64, reading))
    return trace


def follow(trace: list[tuple[float, Levels]], also_at: frozenset[float] = frozenset()) -> Debounced:
    """Read at each time of the trace, and the same levels again at other times."""
    debounced = Debounced(HOLD_S)
    readings = dict(trace)
    levels: Levels = ()
    for now in sorted({*readings, *(at for at in also_at if at >= trace[0][0])}):
        levels = readings.get(now, levels)
        debounced = debounced.read(levels, now)
    return debounced


def by_hand(trace: list[tuple[float, Levels]], now: float) -> Levels:
    """What counts at ``now``, by looking at the whole trace: the last level that stood long enough."""
    counts = list(trace[0][1])
    for place in range(len(counts)):
        runs: list[tuple[float, int | None]] = []
        for at, levels in trace:
            if not runs or runs[-1][1] != levels[place]:
                runs.append((at, levels[place]))
        for (since, level), (until, _) in pairwise([*runs, (now, None)]):
            if until - since >= HOLD_S:
                counts[place] = level
    return tuple(counts)


@given(traces())
def test_what_counts_is_the_last_level_that_stood_long_enough(trace: list[tuple[float, Levels]]) -> None:
    debounced = follow(trace)
    for wait in (0.0, HOLD_S / 2, HOLD_S, 1.0):
        now = trace[-1][0] + wait
        assert debounced.at(now).stable == by_hand(trace, now)


@given(traces(), st.frozensets(st.integers(0, 480).map(lambda n: n / 256)))
def test_how_often_it_is_read_changes_nothing(
    trace: list[tuple[float, Levels]], also_at: frozenset[float]
) -> None:
    end = trace[-1][0]
    often = follow(trace, frozenset(at for at in also_at if at <= end))
    assert often.at(end) == follow(trace).at(end)


@given(traces())
def test_something_is_due_exactly_while_a_level_does_not_count(trace: list[tuple[float, Levels]]) -> None:
    debounced = follow(trace)
    assert (debounced.due is None) == (debounced.raw == debounced.stable)
    if debounced.due is not None:
        assert debounced.due > trace[-1][0]
        assert debounced.at(debounced.due).stable != debounced.stable

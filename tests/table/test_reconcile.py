"""What is seen against what was and what may be; positions are written as 1 open and 0 shut."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.game import Layout, Target
from firmware_host.table.reconcile import Fit, compare


def lay(text: str) -> Layout:
    """``1-3-`` as a layout of four places."""
    return tuple(int(character != "-") for character in text)


def targets(*texts: str) -> list[Target]:
    return [Target(lay(text), None, (2,)) for text in texts]


# A roll of 3 on the tiles 1 to 4: the 3, or 1 and 2.
THREE = targets("12-4", "--34")


@pytest.mark.parametrize(
    ("seen", "fit", "fixes"),
    [
        ("1234", Fit.UNCHANGED, ()),
        ("-234", Fit.PARTIAL, ()),
        ("1-34", Fit.PARTIAL, ()),
        ("12-4", Fit.COMPLETE, ()),
        ("--34", Fit.COMPLETE, ()),
        ("123-", Fit.WRONG, (3,)),  # the 4 fits nothing
        ("-2-4", Fit.WRONG, (2,)),  # either may go back: the higher one
        ("---4", Fit.WRONG, (2,)),  # 1 and 2 are a set
        ("----", Fit.WRONG, (2, 3)),
    ],
)
def test_a_roll_of_three(seen: str, fit: Fit, fixes: tuple[int, ...]) -> None:
    verdict = compare(lay(seen), lay("1234"), THREE)
    assert (verdict.fit, verdict.fixes) == (fit, fixes)


def test_a_complete_move_names_its_target() -> None:
    assert compare(lay("--34"), lay("1234"), THREE).target is THREE[1]


def test_without_a_target_every_change_goes_back() -> None:
    verdict = compare(lay("1--4"), lay("12--"), [])
    assert (verdict.fit, verdict.fixes) == (Fit.WRONG, (1, 3))


def test_a_tile_of_an_earlier_move_that_was_lifted_goes_down_again() -> None:
    verdict = compare(lay("12-4"), lay("-234"), targets("-2-4"))
    assert verdict.fixes == (0,)


@pytest.mark.parametrize(("flipped", "back"), [((0, 2), 2), ((2, 0), 0), ((0,), 0), ((2,), 2), ((), 2)])
def test_the_tile_flipped_last_goes_back_first_else_the_higher(flipped: tuple[int, ...], back: int) -> None:
    assert compare(lay("-2-4"), lay("1234"), THREE, flipped).fixes == (back,)


def test_fewer_flips_win_over_the_latest_flip() -> None:
    # 1 and 2 are a set, 3 is one: though the 1 fell last, one flip is less than two
    assert compare(lay("---4"), lay("1234"), THREE, (2, 1, 0)).fixes == (2,)


def test_raising_is_the_same_act_as_shutting() -> None:
    assert compare(lay("1-3-"), lay("--3-"), targets("1-3-")).fit is Fit.COMPLETE
    assert compare(lay("1-34"), lay("--3-"), targets("1-3-")).fixes == (3,)


@st.composite
def positions(draw: st.DrawFn) -> tuple[Layout, Layout, list[Target], tuple[int, ...]]:
    size = draw(st.integers(1, 6))
    layouts = st.tuples(*[st.integers(0, 1)] * size)
    before, seen = draw(layouts), draw(layouts)
    reached = draw(st.lists(layouts.filter(lambda layout: layout != before), max_size=5, unique=True))
    order = draw(st.permutations(range(size)))
    flipped = tuple(order[: draw(st.integers(0, size))])
    return seen, before, [Target(layout, None, ()) for layout in reached], flipped


def is_part(seen: Layout, before: Layout, reached: list[Target]) -> bool:
    """Every place lies as before or as in one and the same target."""
    goals = [before, *(target.layout for target in reached)]
    return any(all(s in (b, g) for s, b, g in zip(seen, before, goal, strict=True)) for goal in goals)


def put_back(seen: Layout, before: Layout, places: tuple[int, ...]) -> Layout:
    return tuple(before[i] if i in places else level for i, level in enumerate(seen))


def ways_back(seen: Layout, before: Layout, reached: list[Target]) -> list[tuple[int, ...]]:
    """All the shortest ways to a part of a target, by trying every set of places."""
    for size in range(len(seen) + 1):
        sets = combinations(range(len(seen)), size)
        found = [s for s in sets if is_part(put_back(seen, before, s), before, reached)]
        if found:
            return found
    raise AssertionError("before is always a part")


@given(positions())
def test_the_fixes_are_the_fewest_and_lead_to_a_part_of_a_target(
    position: tuple[Layout, Layout, list[Target], tuple[int, ...]],
) -> None:
    seen, before, reached, flipped = position
    verdict = compare(seen, before, reached, flipped)
    shortest = ways_back(seen, before, reached)
    assert (verdict.fit is Fit.WRONG) == (shortest != [()])
    if verdict.fit is Fit.WRONG:
        assert verdict.fixes in shortest
        after = put_back(seen, before, verdict.fixes)
        assert compare(after, before, reached, flipped).fit is not Fit.WRONG


@given(positions())
def test_among_equals_the_latest_flip_goes_back_first_then_the_higher(
    position: tuple[Layout, Layout, list[Target], tuple[int, ...]],
) -> None:
    seen, before, reached, flipped = position
    verdict = compare(seen, before, reached, flipped)
    shortest = ways_back(seen, before, reached)

    def by_lateness(way: tuple[int, ...]) -> list[tuple[int, int]]:
        known = [(1, flipped.index(i)) for i in way if i in flipped]
        return sorted(known + [(0, i) for i in way if i not in flipped], reverse=True)

    if verdict.fit is Fit.WRONG:
        assert verdict.fixes == max(shortest, key=by_lateness)


@given(positions())
def test_complete_is_exactly_a_target(
    position: tuple[Layout, Layout, list[Target], tuple[int, ...]],
) -> None:
    seen, before, reached, flipped = position
    verdict = compare(seen, before, reached, flipped)
    assert (verdict.fit is Fit.COMPLETE) == (seen in [target.layout for target in reached])
    assert (verdict.fit is Fit.UNCHANGED) == (seen == before)
    assert (verdict.target is not None) == (verdict.fit is Fit.COMPLETE)

"""The walk over inputs: fed levels and times, it finds each way a switch can be wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.selftest.asking import PATIENCE_S, WATCH_S, Ask, Step
from firmware_host.selftest.verdicts import Kind, Verdict
from firmware_host.selftest.walk import Walk

HOLD_S = 0.06
Wiring = Callable[[list[bool]], list[int | None]]  # how the tiles lie (True: shut) -> what is read


def good(shut: list[bool]) -> list[int | None]:
    return [int(not is_shut) for is_shut in shut]


class Hands:
    """Flips what is asked for, on a box of ``count`` tiles that is wired as ``wiring`` says."""

    def __init__(self, wiring: Wiring = good, count: int = 4, bounce: Sequence[float] = ()) -> None:
        self.now, self.shut, self.wiring, self.bounce = 100.0, [False] * count, wiring, bounce
        self.walk = Walk(range(count), 1, HOLD_S, self.levels, self.now)
        self.asked: list[Ask] = []

    @property
    def levels(self) -> tuple[int | None, ...]:
        return tuple(self.wiring(self.shut))

    def wait(self, until: float) -> None:
        """Feed it whenever it wants to be fed."""
        while (due := self.walk.due) is not None and due <= until:
            assert due > self.now
            self.now = due
            self.walk.feed(self.levels, self.now)
        self.now = until

    def put(self, tile: int, is_shut: bool) -> None:
        """Flip ``tile``, with the bounces given: seconds from the first edge."""
        for after_s in (0.0, *self.bounce):
            self.wait(self.now + after_s)
            self.shut[tile] = not self.shut[tile]
            self.walk.feed(self.levels, self.now)
        self.shut[tile] = is_shut
        self.walk.feed(self.levels, self.now)

    def obey(self) -> list[Verdict]:
        """Do all that is asked, and say when it is done; the verdicts."""
        while (ask := self.walk.ask) is not None:
            self.asked.append(ask)
            self.wait(self.now + 0.5)
            if ask.step in (Step.THERE, Step.BACK) and ask.index is not None:
                self.put(ask.index, ask.step is Step.THERE)
            if self.walk.ask == ask:
                self.wait(self.now + 1.0)
            if self.walk.ask == ask and ask.step is not Step.WATCH:
                self.walk.confirm(self.now)
            elif self.walk.ask == ask:
                self.wait(self.now + WATCH_S)
        return self.walk.verdicts


def kinds(verdicts: list[Verdict]) -> list[Kind]:
    return [verdict.kind for verdict in verdicts]


def test_a_good_box_is_asked_for_each_tile_there_and_back_once() -> None:
    hands = Hands(count=2)
    assert kinds(hands.obey()) == [Kind.GOOD] * 2
    assert [(ask.step, ask.index) for ask in hands.asked] == [
        (Step.REST, None), (Step.WATCH, None),
        (Step.THERE, 0), (Step.BACK, 0), (Step.THERE, 1), (Step.BACK, 1),
    ]  # fmt: skip
    assert hands.walk.ask is None
    assert hands.walk.due is None


def test_the_bounce_is_measured_from_its_first_edge_to_its_last() -> None:
    verdict = Hands(bounce=(0.01, 0.011, 0.01)).obey()[0]
    assert verdict.kind is Kind.GOOD
    assert verdict.bounce_s == pytest.approx(0.031)


def test_where_edges_are_told_the_bounce_is_theirs() -> None:
    hands = Hands(count=1)
    hands.wait(hands.now + 0.5 + WATCH_S)
    for is_shut in (True, False):
        hands.shut[0] = is_shut
        start = hands.now
        hands.walk.feed(hands.levels, start + 0.03, [start, start + 0.004, start + 0.025])
        hands.now = start + 0.03
        hands.wait(hands.now + 1.0)
    (verdict,) = hands.walk.verdicts
    assert verdict.bounce_s == pytest.approx(0.025)


def test_a_bounce_longer_than_the_debounce_is_told() -> None:
    verdict = Hands(bounce=(0.04, 0.03, 0.05)).obey()[0]
    assert verdict.kind is Kind.SLOW
    assert verdict.bounce_s == pytest.approx(0.12)


def test_a_latch_shuts_and_never_opens() -> None:
    was_shut: list[bool] = []

    def wiring(shut: list[bool]) -> list[int | None]:
        was_shut.append(shut[1])
        return [int(not shut[0]), int(not any(was_shut)), *good(shut)[2:]]

    assert kinds(Hands(wiring).obey()) == [Kind.GOOD, Kind.NEVER_RELEASES, Kind.GOOD, Kind.GOOD]


@pytest.mark.parametrize("level", [0, 1])
def test_an_input_that_never_changes_says_what_it_reads(level: int) -> None:
    def wiring(shut: list[bool]) -> list[int | None]:
        return [*good(shut)[:3], level]

    verdict = Hands(wiring).obey()[3]
    assert (verdict.kind, verdict.level) == (Kind.NEVER_CHANGES, level)


def test_an_inverted_sensor_is_told_from_a_dead_one() -> None:
    def wiring(shut: list[bool]) -> list[int | None]:
        return [int(shut[0]), *good(shut)[1:]]

    assert kinds(Hands(wiring).obey()) == [Kind.INVERTED, Kind.GOOD, Kind.GOOD, Kind.GOOD]


def test_two_that_change_together_name_each_other_and_are_asked_for_twice() -> None:
    def wiring(shut: list[bool]) -> list[int | None]:
        both = int(not (shut[1] or shut[2]))
        return [int(not shut[0]), both, both, int(not shut[3])]

    hands = Hands(wiring)
    verdicts = hands.obey()
    assert kinds(verdicts) == [Kind.GOOD, Kind.TOGETHER, Kind.TOGETHER, Kind.GOOD]
    assert (verdicts[1].others, verdicts[2].others) == ((2,), (1,))
    assert hands.asked.count(Ask(Step.THERE, 1)) == 2


def test_crossed_wires_name_the_input_that_changed_instead() -> None:
    def wiring(shut: list[bool]) -> list[int | None]:
        levels = good(shut)
        return [levels[1], levels[0], *levels[2:]]

    verdicts = Hands(wiring).obey()
    assert kinds(verdicts) == [Kind.ANOTHER, Kind.ANOTHER, Kind.GOOD, Kind.GOOD]
    assert (verdicts[0].others, verdicts[1].others) == ((1,), (0,))


def test_one_slip_of_the_hand_is_no_fault_of_the_box() -> None:
    hands = Hands()
    hands.wait(hands.now + 0.5)
    hands.wait(hands.now + WATCH_S)
    assert hands.walk.ask == Ask(Step.THERE, 0)
    hands.put(2, True)  # the wrong tile
    hands.wait(hands.now + 1.0)
    assert hands.walk.ask == Ask(Step.BACK, 0)
    hands.put(2, False)
    hands.wait(hands.now + 1.0)
    assert kinds(hands.obey()) == [Kind.GOOD] * 4


def test_a_flicker_at_rest_is_found_and_not_asked_for() -> None:
    hands = Hands()
    hands.wait(hands.now + 0.5)
    assert hands.walk.ask == Ask(Step.WATCH)
    hands.put(3, True)
    hands.wait(hands.now + 0.1)
    hands.put(3, False)
    hands.wait(hands.now + WATCH_S)
    assert kinds(hands.obey()) == [Kind.GOOD, Kind.GOOD, Kind.GOOD, Kind.FLICKERS]
    assert Ask(Step.THERE, 3) not in hands.asked


def test_a_tile_put_right_while_all_is_watched_is_no_flicker() -> None:
    hands = Hands()
    hands.shut[1] = True
    hands.walk = Walk(range(4), 1, HOLD_S, hands.levels, hands.now)
    hands.walk.confirm(hands.now)
    assert hands.walk.ask == Ask(Step.WATCH)
    hands.wait(hands.now + 1.0)
    hands.put(1, False)
    hands.wait(hands.now + WATCH_S)
    assert kinds(hands.obey()) == [Kind.GOOD] * 4


def test_a_tile_without_an_input_is_told_at_once() -> None:
    def wiring(shut: list[bool]) -> list[int | None]:
        return [*good(shut)[:2], None, int(not shut[3])]

    assert kinds(Hands(wiring).obey()) == [Kind.GOOD, Kind.GOOD, Kind.NOT_WIRED, Kind.GOOD]


def test_when_nobody_does_anything_it_ends_by_itself() -> None:
    hands = Hands()
    hands.wait(hands.now + 10 * PATIENCE_S)
    assert kinds(hands.walk.verdicts) == [Kind.NEVER_CHANGES] * 4
    assert hands.walk.ask is None
    hands.walk.feed(hands.levels, hands.now)
    hands.walk.confirm(hands.now)
    assert len(hands.walk.verdicts) == 4


@given(bounce=st.lists(st.floats(0.001, 0.009), max_size=6))
def test_whatever_the_bounce_a_good_box_is_good(bounce: list[float]) -> None:
    assert kinds(Hands(bounce=bounce).obey()) == [Kind.GOOD] * 4


@given(
    st.lists(
        st.tuples(st.floats(0.001, 3.0), st.tuples(*[st.sampled_from((0, 1, None))] * 3), st.booleans()),
        max_size=60,
    )
)
def test_whatever_is_fed_it_ends_with_one_verdict_an_input(
    feeds: list[tuple[float, tuple[int | None, ...], bool]],
) -> None:
    now = 0.0
    levels: tuple[int | None, ...] = (1, 1, 1)
    walk = Walk(range(3), 1, HOLD_S, levels, now)
    for after_s, levels, is_confirmed in feeds:
        now += after_s
        walk.feed(levels, now)
        if is_confirmed:
            walk.confirm(now)
    for _ in range(500):
        if walk.due is None:
            break
        now = max(walk.due, now)
        walk.feed(levels, now)
    assert walk.ask is None
    assert [verdict.index for verdict in walk.verdicts] == [0, 1, 2]

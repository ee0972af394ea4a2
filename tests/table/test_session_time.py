"""What time brings: notices that go, a screen that sleeps, events that come late."""

from __future__ import annotations

from driven_table import BACK, NEXT, PLACES, ROLL, start
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.table.effects import WakeAt
from firmware_host.table.events import (
    BoxSeen,
    ButtonPressed,
    ButtonsSeen,
    DeviceBack,
    DiceSeen,
    Event,
    Tick,
)
from firmware_host.table.session import step
from firmware_host.table.state import DIM_S, NOTICE_S, SLEEP_S
from firmware_host.table.view import Brightness, Notice


def test_a_notice_stands_for_some_seconds() -> None:
    table = start()
    table.press(ROLL, held=True)
    table.wait(NOTICE_S - 0.2)
    assert table.view.notice is Notice.TWO_DICE
    table.wait(0.2)
    assert table.view.notice is None


def test_fault_15_an_idle_table_dims_and_then_sleeps() -> None:
    table = start()
    table.wait(DIM_S)
    assert table.view.brightness is Brightness.DIM
    table.wait(SLEEP_S - DIM_S)
    assert table.view.brightness is Brightness.OFF


def test_a_press_only_wakes_a_table_that_sleeps() -> None:
    table = start()
    table.wait(SLEEP_S)
    table.press(ROLL)
    assert table.view.brightness is Brightness.FULL
    assert table.asked == []
    table.press(ROLL)
    assert table.asked == [2]


def test_a_press_counts_while_it_is_only_dim() -> None:
    table = start()
    table.wait(DIM_S)
    table.press(ROLL)
    assert table.asked == [2]


def test_fault_15_a_tile_wakes_the_table() -> None:
    table = start()
    table.wait(SLEEP_S)
    table.flip(12)
    assert table.view.brightness is Brightness.FULL


def test_an_idle_table_asks_for_nothing_but_its_dimming() -> None:
    table = start()
    table.wait(5.0)
    due = table.session.wake_at
    assert due is not None
    assert due - table.session.active_at == DIM_S
    table.wait(SLEEP_S)
    assert table.session.wake_at is None


def test_time_that_was_missed_passes_before_the_event_that_comes_late() -> None:
    """The last tile had lain for its second before it was lifted: nobody ticked, and yet it won."""
    table = start(tiles="7")
    table.roll(3, 4)
    table.open.discard(7)
    table.look()
    table.now += 3.0
    table.flip(7)
    assert table.report.winners == ("Ann",)


def test_a_short_press_whose_end_is_worked_off_late_is_no_hold() -> None:
    table = start()
    table.roll(4, 5)
    table.send(ButtonsSeen((0, 0, 0)))
    table.now += 0.1
    table.send(ButtonsSeen((0, 0, 1)))
    table.now += 0.1
    table.send(ButtonsSeen((0, 0, 0)))
    table.now += 3.0
    table.send(Tick())
    assert table.events("undone") == []


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0.01, 0.05, 0.07, 0.3, 1.5, 5.0, 700.0]),
            st.sampled_from([3, 4, 5, 8, 9, "roll", "next", "back", "undo"]),
        ),
        max_size=12,
    )
)
def test_an_event_that_comes_late_finds_the_table_as_if_it_had_ticked(
    acts: list[tuple[float, int | str]],
) -> None:
    ticking, late = start(tiles="3-5,8-9"), start(tiles="3-5,8-9")
    presses = {"next": (NEXT, False), "back": (BACK, False), "undo": (BACK, True)}
    for seconds, act in acts:
        ticking.wait(seconds)
        late.now += seconds
        for table in (ticking, late):
            if isinstance(act, int):
                table.open ^= {act}
                table.look()
            elif act == "roll":
                table.send(ButtonPressed(ROLL, False))
                table.send(DiceSeen((3, 5), "roller"))
            else:
                table.send(ButtonPressed(*presses[act]))
    ticking.send(Tick())
    late.send(Tick())
    assert late.session.history.snapshot() == ticking.session.history.snapshot()
    assert late.session.view == ticking.session.view
    assert late.session.wake_at == ticking.session.wake_at


@given(
    st.lists(
        st.tuples(st.floats(0.0, 3.0), st.integers(1, 9) | st.sampled_from(["roll", "next", "hold"])),
        max_size=15,
    )
)
def test_a_wish_is_for_later_and_the_same_input_gives_the_same_output(
    acts: list[tuple[float, int | str]],
) -> None:
    table = start()
    for seconds, act in acts:
        event: Event = ButtonPressed(ROLL if act == "roll" else NEXT, act == "hold")
        if isinstance(act, int):
            table.open ^= {act}
            event = BoxSeen(tuple(int(tile in table.open) for tile in range(1, PLACES + 1)))
        table.wait(seconds)
        before = table.session
        once, again = step(before, event, table.now), step(before, event, table.now)
        assert once == again
        assert table.session is before
        wishes = [effect.at for effect in once[1] if isinstance(effect, WakeAt)]
        assert len(wishes) <= 1
        assert all(at is None or at > table.now for at in wishes)
        table.send(event)
        if act == "roll" and table.session.asked:
            table.send(DiceSeen((2, 6), "roller"))


def test_an_event_that_changes_nothing_says_nothing() -> None:
    table = start()
    table.out.clear()
    table.look()
    table.send(DeviceBack("display"))
    assert table.out == []

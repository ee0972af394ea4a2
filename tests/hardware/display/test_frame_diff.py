"""The planner: what it sends is enough, in the right order, and never dearer than the whole frame."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.display.frame_diff import WHOLE, Window, bus_bytes, plan

BLANK = bytes(1024)
WHOLE_BYTES = 1096


def with_changes(frame: bytes, *rectangles: Window) -> bytes:
    """``frame`` with every byte in ``rectangles`` changed."""
    changed = bytearray(frame)
    for window in rectangles:
        for page in range(window.first_page, window.last_page + 1):
            for column in range(window.first_column, window.last_column + 1):
                changed[128 * page + column] = frame[128 * page + column] ^ 0xFF
    return bytes(changed)


def applied(old: bytes, windows: tuple[Window, ...], new: bytes) -> bytes:
    """What a panel holds that showed ``old`` and was sent ``windows`` of ``new``."""
    ram = bytearray(old)
    for window in windows:
        data = iter(window.data(new))
        for page in range(window.first_page, window.last_page + 1):
            for column in range(window.first_column, window.last_column + 1):
                ram[128 * page + column] = next(data)
        assert next(data, None) is None
    return bytes(ram)


@st.composite
def rectangles(draw: st.DrawFn) -> Window:
    first_page = draw(st.integers(0, 7))
    first_column = draw(st.integers(0, 127))
    return Window(
        first_page,
        draw(st.integers(first_page, min(7, first_page + 3))),
        first_column,
        draw(st.integers(first_column, min(127, first_column + 40))),
    )


frames = st.one_of(
    st.just(BLANK),
    st.integers(0, 2**32).map(lambda seed: random.Random(seed).randbytes(1024)),
)
changes = st.lists(rectangles(), max_size=12)
spread = st.sets(st.integers(0, 1023), max_size=200)


def test_unknown_panel_takes_the_whole_frame() -> None:
    assert plan(None, BLANK) == (WHOLE,)


def test_equal_frames_take_nothing() -> None:
    assert plan(bytes(1024), bytes(1024)) == ()


@pytest.mark.parametrize(
    ("changed", "planned", "cost"),
    [
        # One byte: 8 of command, 1 of data, 2 around it.
        ([Window(3, 3, 5, 5)], [Window(3, 3, 5, 5)], 11),
        # The corners.
        ([Window(0, 0, 0, 0)], [Window(0, 0, 0, 0)], 11),
        ([Window(7, 7, 127, 127)], [Window(7, 7, 127, 127)], 11),
        # A line of text: 128 bytes in 4 blocks.
        ([Window(2, 2, 0, 127)], [Window(2, 2, 0, 127)], 8 + 128 + 4 * 2),
        # A big digit over four pages is one window: 96 bytes in 3 blocks.
        ([Window(2, 5, 40, 63)], [Window(2, 5, 40, 63)], 8 + 96 + 3 * 2),
        # A gap of 10 costs as much as a second window, and one window is fewer transactions.
        ([Window(1, 1, 0, 3), Window(1, 1, 14, 17)], [Window(1, 1, 0, 17)], 8 + 18 + 2),
        ([Window(1, 1, 0, 3), Window(1, 1, 15, 18)], [Window(1, 1, 0, 3), Window(1, 1, 15, 18)], 28),
        # A gap of 8 that would also break two full blocks into three stays open.
        ([Window(1, 1, 0, 31), Window(1, 1, 40, 71)], [Window(1, 1, 0, 31), Window(1, 1, 40, 71)], 84),
        # Far corners stay apart.
        ([Window(0, 0, 0, 3), Window(7, 7, 124, 127)], [Window(0, 0, 0, 3), Window(7, 7, 124, 127)], 28),
        # A hollow glyph: its two strokes join in each page, then page by page.
        ([Window(1, 3, 10, 13), Window(1, 3, 20, 23)], [Window(1, 3, 10, 23)], 8 + 42 + 2 * 2),
        # Everything.
        ([WHOLE], [WHOLE], WHOLE_BYTES),
    ],
)
def test_plan_by_example(changed: list[Window], planned: list[Window], cost: int) -> None:
    windows = plan(BLANK, with_changes(BLANK, *changed))
    assert sorted(windows, key=repr) == planned
    assert bus_bytes(windows) == cost


def test_stripes_that_would_cost_more_in_parts_are_sent_whole() -> None:
    three_in_ten = bytes(index % 10 < 3 for index in range(1024))  # 1,097 bytes in the windows found
    assert plan(BLANK, three_in_ten) == (WHOLE,)


def test_whole_frame_costs_what_luma_sends() -> None:
    assert bus_bytes([WHOLE]) == WHOLE_BYTES
    assert bus_bytes([]) == 0


def test_window_data_goes_page_by_page() -> None:
    frame = bytes(range(256)) * 4
    assert Window(1, 2, 3, 5).data(frame) == bytes([131, 132, 133, 3, 4, 5])
    assert WHOLE.data(frame) == frame


@given(frames, changes)
def test_plan_makes_the_new_frame_of_the_old(old: bytes, changed: list[Window]) -> None:
    new = with_changes(old, *changed)
    assert applied(old, plan(old, new), new) == new


@given(frames, frames)
def test_plan_holds_for_unrelated_frames(old: bytes, new: bytes) -> None:
    windows = plan(old, new)
    assert applied(old, windows, new) == new
    assert bus_bytes(windows) <= WHOLE_BYTES


@given(spread)
def test_scattered_bytes_never_cost_more_than_the_whole_frame(spots: set[int]) -> None:
    new = bytes(index in spots for index in range(1024))
    windows = plan(BLANK, new)
    assert applied(BLANK, windows, new) == new
    assert bus_bytes(windows) <= WHOLE_BYTES


@given(frames, changes)
def test_plan_is_no_dearer_than_the_box_of_all_changes(old: bytes, changed: list[Window]) -> None:
    cost = bus_bytes(plan(old, with_changes(old, *changed)))
    if changed:
        box = changed[0]
        for window in changed:
            box = box.around(window)
        assert cost <= box.bus_bytes


@given(frames, changes)
def test_no_two_windows_of_a_plan_would_be_cheaper_as_one(old: bytes, changed: list[Window]) -> None:
    windows = plan(old, with_changes(old, *changed))
    for index, one in enumerate(windows):
        for other in windows[:index]:
            assert one.around(other).bus_bytes > one.bus_bytes + other.bus_bytes

"""Presses and holds out of levels."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.table.buttons import DEBOUNCE_S, HOLD_S, Buttons
from firmware_host.table.events import Button, ButtonPressed

UP = (0, 0, 0)
ROLL, NEXT, BACK = (tuple(int(b is button) for b in Button) for button in Button)


def play(*readings: tuple[float, tuple[int, ...] | None]) -> list[tuple[float, ButtonPressed]]:
    """What is told, and when; None: only time has passed."""
    buttons, told = Buttons(), []
    for now, levels in readings:
        buttons, presses = buttons.read(levels, now)
        told += [(now, press) for press in presses]
    return told


def test_a_press_is_told_when_the_button_is_let_go() -> None:
    told = play((0.0, UP), (1.0, ROLL), (1.1, None), (1.2, UP), (1.3, None))
    assert told == [(1.3, ButtonPressed(Button.ROLL, held=False))]


def test_a_hold_is_told_while_the_button_is_still_down_and_once() -> None:
    told = play((0.0, UP), (1.0, BACK), (1.1, None), (2.0, None), (3.0, None), (4.0, UP), (5.0, None))
    assert told == [(2.0, ButtonPressed(Button.BACK, held=True))]


def test_a_bounce_is_no_press() -> None:
    assert play((0.0, UP), (1.0, NEXT), (1.01, UP), (1.5, None)) == []


def test_a_bouncing_press_is_one_press() -> None:
    told = play((0, UP), (1, NEXT), (1.005, UP), (1.01, NEXT), (1.2, None), (1.3, UP), (1.31, NEXT),
                (1.315, UP), (1.5, None))  # fmt: skip
    assert told == [(1.5, ButtonPressed(Button.NEXT, held=False))]


def test_a_button_that_is_down_at_the_start_is_not_told() -> None:
    assert play((0.0, ROLL), (5.0, None), (6.0, UP), (6.1, None)) == []


def test_it_counts_again_once_it_was_let_go() -> None:
    told = play((0.0, ROLL), (6.0, UP), (6.1, None), (7.0, ROLL), (7.1, None), (7.2, UP), (7.3, None))
    assert told == [(7.3, ButtonPressed(Button.ROLL, held=False))]


def test_two_buttons_at_once_are_two_presses() -> None:
    told = play((0.0, UP), (1.0, (1, 0, 1)), (1.1, None), (1.2, (1, 0, 0)), (1.3, None), (2.0, None))
    assert told == [
        (1.3, ButtonPressed(Button.BACK, held=False)),
        (2.0, ButtonPressed(Button.ROLL, held=True)),
    ]


def test_what_is_due_is_the_debounce_and_then_the_hold() -> None:
    buttons, _ = Buttons().read(UP, 0.0)
    assert buttons.due is None
    buttons, _ = buttons.read(ROLL, 1.0)
    assert buttons.due == 1.0 + DEBOUNCE_S
    buttons, _ = buttons.read(None, 1.0 + DEBOUNCE_S)
    assert buttons.due == 1.0 + HOLD_S
    buttons, _ = buttons.read(None, 1.0 + HOLD_S)
    assert buttons.due is None


@given(st.sampled_from(Button), st.floats(0.03, 5.0), st.lists(st.floats(0.0, 6.0), max_size=8))
def test_every_press_is_told_once_however_often_the_buttons_are_read(
    button: Button, for_s: float, extra: list[float]
) -> None:
    down = tuple(int(b is button) for b in Button)
    ends = 1.0 + for_s
    moments = {0.0, 1.0, 1.0 + DEBOUNCE_S, 1.0 + HOLD_S, ends, ends + DEBOUNCE_S, 9.0, *extra}
    told = play(*((now, down if 1.0 <= now < ends else UP) for now in sorted(moments)))
    assert [press.button for _, press in told] == [button]
    if abs(for_s - HOLD_S) > 2 * DEBOUNCE_S:
        assert told[0][1].held == (for_s > HOLD_S)

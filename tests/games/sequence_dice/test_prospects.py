"""What lines promise: one change reckoned from the lines it touches equals all of it anew."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.sequence_dice.position import Colour, Position
from firmware_host.games.sequence_dice.prospects import ROLLS, WAYS, Prospects
from firmware_host.games.sequence_dice.rules import after, legal_actions

cells = st.sampled_from("...gb") | st.sampled_from("ggbr")
positions = st.lists(cells, min_size=36, max_size=36).map(
    lambda found: Position.parse("/".join("".join(found[i : i + 6]) for i in range(0, 36, 6)))
)


def test_the_ways_of_two_dice() -> None:
    assert sum(WAYS.values()) == ROLLS
    assert (WAYS[2], WAYS[7], WAYS[12]) == (1, 6, 1)


@given(positions, st.sampled_from(Colour), st.integers(2, 12), st.sampled_from((5, 6)), st.data())
def test_a_change_is_what_the_new_position_is_worth_more(
    position: Position, colour: Colour, total: int, in_a_row: int, data: st.DataObject
) -> None:
    before = Prospects.of(position, in_a_row, 3)
    action = data.draw(st.sampled_from(legal_actions(position, colour, total)))
    if action.square is None:
        return
    anew = Prospects.of(after(position, colour, action), in_a_row, 3)
    gone_on = before.after(colour, action.do, action.square)
    assert gone_on.position == anew.position
    assert gone_on.totals == pytest.approx(anew.totals)
    for colour_through, expected in zip(gone_on.through, anew.through, strict=True):
        assert colour_through == pytest.approx(expected)
    for viewer in Colour:
        gain = before.gain(viewer, colour, action.do, action.square)
        assert gain == pytest.approx(anew.value(viewer) - before.value(viewer))
    gains = before.gains(colour, action.do)
    assert gains[action.square] == pytest.approx(before.gain(colour, colour, action.do, action.square))


def test_a_complete_line_is_worth_1_and_more_chips_are_worth_more() -> None:
    worth = [
        Prospects.of(Position.parse(f"{row}/....../....../....../....../......"), 5, 2).totals[0]
        for row in ("......", "g.....", "gg....", "ggg...", "gggg..", "ggggg.")
    ]
    assert worth == sorted(worth)
    assert worth[-1] > 1


def test_an_opponents_chip_makes_a_line_nearly_worthless() -> None:
    clear = Prospects.of(Position.parse(".ggg../....../....../....../....../......"), 6, 2)
    broken = Prospects.of(Position.parse(".gggb./....../....../....../....../......"), 6, 2)
    assert broken.lines[0][0] < clear.lines[0][0] / 5
    assert broken.value(0) < clear.value(0)
    assert broken.value(0) == -broken.value(1)

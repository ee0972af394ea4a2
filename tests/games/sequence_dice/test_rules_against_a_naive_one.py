"""Any position, colour and roll, and whole matches, against the naive implementation."""

from __future__ import annotations

import random

import pytest
import sequence_naive as naive
from hypothesis import given
from hypothesis import strategies as st
from sequence_matches import CASES, play_against_naive

from firmware_host.games.sequence_dice.position import Colour, Position
from firmware_host.games.sequence_dice.rules import after, legal_actions

cells = st.sampled_from("....gbr") | st.sampled_from("ggggb") | st.sampled_from("gbr")
positions = st.lists(cells, min_size=36, max_size=36).map(
    lambda found: Position.parse("/".join("".join(found[i : i + 6]) for i in range(0, 36, 6)))
)
colours = st.sampled_from(Colour)


@given(positions, colours, st.integers(2, 12))
def test_every_roll_asks_for_the_same(position: Position, colour: Colour, total: int) -> None:
    found = [
        (action.do.value, None if action.square is None else divmod(action.square, 6))
        for action in legal_actions(position, colour, total)
    ]
    assert found == naive.legal(naive.read(position.text), colour.letter, total)


@given(positions, colours, st.integers(2, 12), st.data())
def test_every_action_leads_to_the_same_board(
    position: Position, colour: Colour, total: int, data: st.DataObject
) -> None:
    chips = naive.read(position.text)
    actions = legal_actions(position, colour, total)
    number = data.draw(st.integers(0, len(actions) - 1))
    expected = naive.play(chips, colour.letter, naive.legal(chips, colour.letter, total)[number])
    assert after(position, colour, actions[number]).text == naive.write(expected)


@given(positions, colours, st.sampled_from((5, 6)))
def test_the_same_lines_win(position: Position, colour: Colour, in_a_row: int) -> None:
    wins = naive.longest_run(naive.read(position.text), colour.letter) >= in_a_row
    assert (position.line(colour, in_a_row) != 0) is wins
    squares = range(36)
    assert any(position.wins_at(square, colour, in_a_row) for square in squares) is wins


@pytest.mark.parametrize(("players", "in_a_row"), CASES)
def test_whole_matches_are_the_same(players: int, in_a_row: int) -> None:
    chance = random.Random(players * 10 + in_a_row)
    assert all(play_against_naive(players, in_a_row, chance) >= 2 * in_a_row - 1 for _ in range(5))

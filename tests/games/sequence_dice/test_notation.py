"""Squares, positions and layouts as text and tuples, and back."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import RuleError
from firmware_host.games.sequence_dice.board import SQUARES
from firmware_host.games.sequence_dice.notation import format_square, parse_square
from firmware_host.games.sequence_dice.position import Colour, Position

layouts = st.lists(st.integers(0, 3), min_size=SQUARES, max_size=SQUARES).map(tuple)


@given(layouts)
def test_every_position_is_read_back_from_its_text_and_its_layout(layout: tuple[int, ...]) -> None:
    position = Position.of(layout)
    assert position.layout == layout
    assert Position.parse(position.text) == position
    assert len(position.text) == 41


@given(st.text(st.sampled_from(".gbr/x")) | st.text())
def test_any_text_is_a_position_or_a_rule_error(text: str) -> None:
    with suppress(RuleError):
        assert Position.parse(text).text == text


@given(st.integers(0, 35))
def test_every_square_is_read_back_from_its_name(square: int) -> None:
    assert parse_square(format_square(square)) == square


def test_a_position_is_six_rows() -> None:
    position = Position.parse("....../..g.../....../....b./....../.....r")
    assert position.colour_at(8) is Colour.GREEN
    assert position.colour_at(22) is Colour.BLUE
    assert position.colour_at(35) is Colour.RED
    assert position.colour_at(0) is None
    assert Position().text == "....../....../....../....../....../......"


@pytest.mark.parametrize(
    "text", ["", "r0", "r6c0", "r0c6", "c0r0", "r0c00", "R0C0", "r0c0 ", "r-1c0", "r٠c0"]
)
def test_what_is_no_square_is_refused(text: str) -> None:
    with pytest.raises(RuleError, match="r0c0 to r5c5"):
        parse_square(text)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "not 1"),
        ("....../....../....../....../......", "not 5"),
        ("....../....../....../....../....../....../", "not 7"),
        ("....../....../...../....../....../......", "row 2 has 5 characters"),
        ("....../....../......./....../....../......", "row 2 has 7 characters"),
        ("....../..x.../....../....../....../......", "'x' in row 1"),
        ("....../..G.../....../....../....../......", "'G' in row 1"),
    ],
)
def test_what_is_no_position_is_refused(text: str, what: str) -> None:
    with pytest.raises(RuleError, match=what):
        Position.parse(text)


@pytest.mark.parametrize("colour", Colour)
def test_a_colour_is_read_back_from_its_word_and_its_letter(colour: Colour) -> None:
    assert Colour.parse(colour.word) is Colour.parse(colour.letter) is colour


def test_what_is_no_colour_is_refused() -> None:
    with pytest.raises(RuleError, match="'yellow'"):
        Colour.parse("yellow")


def test_a_chip_lies_alone_on_its_square() -> None:
    position = Position().with_chip(7, Colour.GREEN).with_chip(7, Colour.RED)
    assert position.text == "....../.r..../....../....../....../......"
    assert position.covered == 1 << 7
    assert position.without_chip(7) == position.without_chip(7).without_chip(7) == Position()

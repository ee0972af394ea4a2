"""Boxes and tile lists as one line of text, and back."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import RuleError
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.notation import (
    format_box,
    format_tiles,
    parse_box,
    parse_tiles,
    tile_character,
)

NINE = tuple(range(1, 10))
TWELVE = tuple(range(1, 13))

tile_lists = st.sets(st.integers(1, 12), min_size=1).map(lambda tiles: tuple(sorted(tiles)))


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    tiles = draw(tile_lists)
    return Box.full(tiles).shut(draw(st.sets(st.sampled_from(tiles))))


@given(boxes())
def test_every_box_is_read_back_from_its_text(box: Box) -> None:
    assert Box.parse(box.text, box.tiles) == box
    assert Box.parse(box.text.lower(), box.tiles) == box
    assert len(box.text) == len(box.tiles)


@given(tile_lists)
def test_every_tile_list_is_read_back_from_its_text(tiles: tuple[int, ...]) -> None:
    assert parse_tiles(format_tiles(tiles)) == tiles


@given(st.text(st.characters() | st.sampled_from("-123456789ABCabc")), tile_lists)
def test_any_text_is_a_box_or_a_rule_error(text: str, tiles: tuple[int, ...]) -> None:
    with suppress(RuleError):
        assert Box.parse(text, tiles).text == text.upper()


@given(st.text(st.sampled_from("0123456789,- x")))
def test_any_text_is_a_tile_list_or_a_rule_error(text: str) -> None:
    with suppress(RuleError):
        tiles = parse_tiles(text)
        assert tiles == tuple(sorted(set(tiles)))
        assert set(tiles) <= set(TWELVE)


@pytest.mark.parametrize(
    ("tiles", "open_tiles", "text"),
    [
        (NINE, (1, 2, 4, 5, 7), "12-45-7--"),
        (NINE, NINE, "123456789"),
        (NINE, (), "---------"),
        (TWELVE, (10, 11, 12), "---------ABC"),
        ((1, 3, 12), (1, 12), "1-C"),
        ((7,), (), "-"),
    ],
)
def test_a_box_is_a_character_a_tile(tiles: tuple[int, ...], open_tiles: tuple[int, ...], text: str) -> None:
    assert format_box(tiles, open_tiles) == text
    assert parse_box(text, tiles) == open_tiles


def test_the_characters_of_the_tiles() -> None:
    assert "".join(map(tile_character, TWELVE)) == "123456789ABC"


@pytest.mark.parametrize(
    ("text", "tiles", "what"),
    [
        ("12345678", NINE, "has 8 characters, the tiles 1-9 need 9"),
        ("1234567890", NINE, "has 10 characters"),
        ("", NINE, "has 0 characters"),
        ("123456780", NINE, "'0' where tile 9 is '9' or '-'"),
        ("213456789", NINE, "'2' where tile 1 is '1' or '-'"),
        ("123", (1, 3, 5), "'2' where tile 3 is '3' or '-'"),
        ("1 3", (1, 3, 5), "' ' where tile 3"),
        # The upper case of this letter is an A and one more character.
        ("123456789ẚ", tuple(range(1, 11)), "'ẚ' where tile 10 is 'A' or '-'"),
    ],
)
def test_a_position_that_does_not_fit_the_tiles_is_refused(
    text: str, tiles: tuple[int, ...], what: str
) -> None:
    with pytest.raises(RuleError) as caught:
        parse_box(text, tiles)
    assert what in str(caught.value)


@pytest.mark.parametrize(
    ("text", "tiles"),
    [
        ("1-9", NINE),
        ("1-12", TWELVE),
        ("7", (7,)),
        ("1,3,5,7,9", (1, 3, 5, 7, 9)),
        ("4-6,9", (4, 5, 6, 9)),
        (" 9 , 1 - 3 ", (1, 2, 3, 9)),
        ("5-5", (5,)),
    ],
)
def test_tile_lists(text: str, tiles: tuple[int, ...]) -> None:
    assert parse_tiles(text) == tiles


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "is no tile"),
        ("1,,2", "is no tile"),
        ("1-", "is no tile"),
        ("-3", "is no tile"),
        ("one", "is no tile"),
        ("1-2-3", "is no tile"),
        ("0", "not within 1-12"),
        ("0-9", "not within 1-12"),
        ("13", "not within 1-12"),
        ("1-999999999999", "not within 1-12"),
        ("9-1", "not within 1-12"),
        ("1,2,1", "tile 1 stands twice"),
        ("1-5,5-9", "tile 5 stands twice"),
    ],
)
def test_a_bad_tile_list_is_refused(text: str, what: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse_tiles(text)
    assert what in str(caught.value)


@pytest.mark.parametrize(
    ("tiles", "text"),
    [
        ((1, 2, 3, 5, 9), "1-3,5,9"),
        ((1, 2), "1,2"),
        (NINE, "1-9"),
        ((12,), "12"),
        ((1, 2, 4, 5, 6), "1,2,4-6"),
    ],
)
def test_a_tile_list_is_written_as_short_as_can_be(tiles: tuple[int, ...], text: str) -> None:
    assert format_tiles(tiles) == text


def test_a_box_knows_its_open_and_its_shut_tiles() -> None:
    box = Box.parse("12-45-7--")
    assert box.open_tiles == (1, 2, 4, 5, 7)
    assert box.shut_tiles == (3, 6, 8, 9)
    assert not box.is_full
    assert not box.is_shut
    assert box.shut((1, 7)).text == "-2-45----"


def test_a_box_is_full_when_its_own_tiles_are_open() -> None:
    assert Box.full((4, 5, 6)).is_full
    assert Box.full((4, 5, 6)).shut((4, 5, 6)).is_shut


@pytest.mark.parametrize("tiles", [(3,), (1, 3), (10,)])
def test_only_an_open_tile_can_be_shut(tiles: tuple[int, ...]) -> None:
    with pytest.raises(RuleError, match="open in 12-45-7--"):
        Box.parse("12-45-7--").shut(tiles)

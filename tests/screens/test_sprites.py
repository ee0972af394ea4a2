"""Dice and tiles look like dice and tiles."""

from __future__ import annotations

import pytest
from PIL import Image, ImageOps

from firmware_host.screens.fonts import Font
from firmware_host.screens.layout import Die, Option, Tile
from firmware_host.screens.sprites import FRAME, sprite

EDGES = (15, 18, 24, 26, 28)


def black_spots(image: Image.Image) -> int:
    """How many black islands lie wholly inside the white."""
    width, height = image.size
    black = {(x, y) for x in range(width) for y in range(height) if not image.getpixel((x, y))}
    count = 0
    while black:
        island, edge = set(), [black.pop()]
        while edge:
            x, y = edge.pop()
            island.add((x, y))
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & black
            black -= near
            edge.extend(near)
        count += all(0 < x < width - 1 and 0 < y < height - 1 for x, y in island)
    return count


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("pips", range(1, 7))
def test_a_die_shows_its_pips_in_balance(pips: int, edge: int) -> None:
    face = sprite(Die(pips, edge))
    assert face.size == (edge, edge)
    assert black_spots(face) == pips
    assert face.rotate(180).tobytes() == face.tobytes()
    if pips in (1, 4, 5, 6):
        assert ImageOps.mirror(face).tobytes() == face.tobytes()


@pytest.mark.parametrize("edge", EDGES)
def test_a_die_yet_to_be_thrown_is_an_outline(edge: int) -> None:
    assert black_spots(sprite(Die(0, edge))) == 1


@pytest.mark.parametrize("edge", [24, 32])
@pytest.mark.parametrize("pips", range(1, 7))
def test_a_die_that_is_typed_is_the_same_die_in_a_frame(pips: int, edge: int) -> None:
    framed = sprite(Die(pips, edge, is_chosen=True))
    face = framed.crop((FRAME, FRAME, edge - FRAME, edge - FRAME))
    assert face.tobytes() == sprite(Die(pips, edge - 2 * FRAME)).tobytes()
    middle = edge // 2
    assert [bool(framed.getpixel((x, middle))) for x in range(FRAME + 1)] == [True, True, False, True]


def test_what_is_selected_is_black_on_white() -> None:
    plain, selected = (sprite(Option("Ann", Font.MEDIUM, 60, 15, 2, chosen)) for chosen in (False, True))
    assert ImageOps.invert(plain.convert("L")).tobytes() == selected.convert("L").tobytes()
    assert plain.getbbox() is not None


def test_each_state_of_a_tile_looks_different() -> None:
    tiles = [Tile(n, o, b, 12, 15, Font.MEDIUM) for n in (5, 6) for o in (True, False) for b in (True, False)]
    looks = {tile: sprite(tile).tobytes() for tile in tiles}
    assert len(set(looks.values())) == 6  # open ones differ by number too, shut ones do not


def test_a_shut_tile_lies_flat() -> None:
    flat = sprite(Tile(5, False, False, 12, 15, Font.MEDIUM))
    assert flat.getbbox() == (0, 13, 12, 15)


def test_a_picture_is_drawn_once() -> None:
    assert sprite(Die(3, 28)) is sprite(Die(3, 28))

"""Whatever the view: all of it fits on the panel, nothing overlaps, and the fonts can draw it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.screens.fonts import can_draw
from firmware_host.screens.layout import PANEL, Layout, Text, text_lines
from firmware_host.screens.picture import draw
from firmware_host.screens.scenes import lay_out
from firmware_host.screens.text import lines
from firmware_host.table.view import Brightness, Notice, Scene, TurnResult, View

TILES = st.sets(st.integers(1, 12)).map(lambda tiles: tuple(sorted(tiles)))
DICE = st.lists(st.integers(1, 6), max_size=2).map(tuple)
LETTERS = "AmilWÉßřЖшΩλ" + "őệҚ李ش🎲‍ é"
NAMES = st.one_of(st.text(max_size=20), st.text(LETTERS, max_size=20), st.just("W" * 20))
REASONS = ("no_move", "shut", "unlucky", "moved", "passed", "blocked", "ended_by_hand", "left", "newer")
TROUBLES = ("display", "tiles", "buttons", "dice", "store", "toaster")
DICE_ALLOWED = ((), (2,), (1, 2), (1,))


@st.composite
def any_view(draw: st.DrawFn) -> View:
    """A view as the table might make it, and many that it would not."""
    names = draw(st.lists(NAMES, max_size=9, unique=True))
    name = st.one_of(st.sampled_from(names), NAMES) if names else NAMES
    tiles = draw(TILES)
    some = st.sets(st.sampled_from(tiles)).map(lambda s: tuple(sorted(s))) if tiles else st.just(())
    result = st.builds(TurnResult, name, st.none() | st.integers(0, 999), st.sampled_from(REASONS), DICE)
    return View(
        scene=draw(st.sampled_from(Scene)),
        player=draw(name),
        seat=draw(st.integers(0, 9)),
        tiles=tiles,
        open=draw(some),
        dice=draw(DICE),
        tumble=draw(st.integers(0, 20)),
        to_shut=draw(st.integers(0, 12)),
        dice_allowed=draw(st.sampled_from(DICE_ALLOWED)),
        must_open=draw(TILES),
        must_shut=draw(TILES),
        blind=draw(some),
        totals=tuple((n, draw(st.integers(0, 9999)), draw(st.booleans())) for n in names),
        last_turn=draw(st.none() | result),
        winners=tuple(draw(st.lists(st.sampled_from(names), unique=True))) if names else (),
        notice=draw(st.none() | st.sampled_from(Notice)),
        troubles=tuple(draw(st.lists(st.sampled_from(TROUBLES), unique=True))),
        brightness=draw(st.sampled_from(Brightness)),
    )


def assert_sound(layout: Layout) -> None:
    """Nothing overlaps, leaves the panel or cannot be drawn."""
    placed = [placed for row in layout for placed in row]
    for thing in placed:
        assert PANEL.contains(thing.area), thing
        if isinstance(thing.thing, Text):
            assert thing.thing.words
            assert can_draw(thing.thing.words, thing.thing.font), thing
    for one, other in combinations(placed, 2):
        assert not one.area.overlaps(other.area), (one, other)


@settings(max_examples=300)
@given(any_view())
def test_any_view_fits(view: View) -> None:
    assert_sound(lay_out(view))


@given(any_view())
def test_any_view_is_drawn_and_said_alike_each_time(view: View) -> None:
    picture = draw(view)
    assert (picture.mode, picture.size) == ("1", (128, 64))
    said = lines(view)
    assert said == text_lines(lay_out(view))
    assert all(line.strip() for line in said)
    lay_out.cache_clear()
    assert draw(view).tobytes() == picture.tobytes()
    assert lines(view) == said


@given(any_view(), TILES, st.data())
def test_all_that_is_to_be_put_right_is_always_told(
    view: View, tiles: tuple[int, ...], data: st.DataObject
) -> None:
    """The tiles to open and those to shut have none in common."""
    to_open = data.draw(st.sets(st.sampled_from(tiles)) if tiles else st.just(set()))
    must_open = tuple(tile for tile in tiles if tile in to_open)
    must_shut = tuple(tile for tile in tiles if tile not in to_open)
    for scene in (Scene.PUT_RIGHT, Scene.CONFIRM):
        said = " ".join(lines(replace(view, scene=scene, must_open=must_open, must_shut=must_shut))) + " "
        for word, wanted in (("OPEN", must_open), ("SHUT", must_shut)):
            if wanted:
                assert " ".join((word, *map(str, wanted))) in said


def test_each_named_view_fits(named: tuple[str, View]) -> None:
    assert_sound(lay_out(named[1]))

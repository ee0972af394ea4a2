"""Whatever the view: all of it fits on the panel, nothing overlaps, and the fonts can draw it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.shut_the_box.presets import PRESETS
from firmware_host.screens.fonts import can_draw
from firmware_host.screens.layout import PANEL, Layout, Option, Text, text_lines
from firmware_host.screens.picture import draw
from firmware_host.screens.scenes import lay_out
from firmware_host.screens.text import lines
from firmware_host.table.dialog import MOST_PLAYERS, Choice, Item, Page, ShowPhone
from firmware_host.table.view import Brightness, Notice, Scene, TurnResult, View

TILES = st.sets(st.integers(1, 12)).map(lambda tiles: tuple(sorted(tiles)))
DICE = st.lists(st.integers(1, 6), max_size=2).map(tuple)
LETTERS = "AmilWÉßřЖшΩλ" + "őệҚ李ش🎲‍ é"
NAMES = st.one_of(st.text(max_size=20), st.text(LETTERS, max_size=20), st.just("W" * 20))
REASONS = ("no_move", "shut", "unlucky", "moved", "passed", "blocked", "ended_by_hand", "left", "newer")
TROUBLES = ("display", "tiles", "buttons", "dice", "store", "toaster")
DICE_ALLOWED = ((), (2,), (1, 2), (1,))


SEATED = st.builds(Item, st.just("player"), NAMES, st.none() | st.integers(0, 9999))
KINDS = {
    "menu": st.sampled_from([Item(choice.value) for choice in Choice]),
    Choice.LEAVE.value: SEATED,
    Choice.SET_SCORE.value: SEATED,
    "set_up_rules": st.sampled_from([Item("set_up_house"), *(Item("preset", name) for name in PRESETS)]),
    "set_up_players": st.builds(Item, st.just("players"), number=st.integers(1, MOST_PLAYERS)),
    "set_up_seat": st.builds(Item, st.just("player"), NAMES),
    "set_up_dice": st.sampled_from([Item(f"dice_{source}") for source in ("roller", "keypad", "none")]),
    "newer": st.sampled_from([Item("newer"), Item("preset", "newer")]),
}
DIGITS = st.lists(st.integers(0, 9), min_size=1, max_size=9).map(tuple)


@st.composite
def any_page(draw: st.DrawFn) -> Page:
    """A page of any kind: of up to 12 lines, or of digits."""
    title = draw(st.sampled_from([*KINDS, "phone"]))
    if title == "phone":
        rows = draw(st.sampled_from([0, 21, 25, 29, 33]))
        url = f"http://{draw(st.text('abc.:-[]', max_size=40))}:8137/k"
        return ShowPhone(url, draw(st.text("0123456789", min_size=4, max_size=4)), ("10" * rows,) * rows).page
    if title == Choice.SET_SCORE.value and draw(st.booleans()):
        digits = draw(DIGITS)
        return Page(title, (), draw(st.integers(0, len(digits) - 1)), draw(NAMES), digits=digits)
    items = tuple(draw(st.lists(KINDS[title], max_size=12)))
    number = draw(st.integers(1, MOST_PLAYERS)) if title == "set_up_seat" else None
    return Page(title, items, draw(st.integers(0, max(0, len(items) - 1))), number=number)


@st.composite
def any_view(draw: st.DrawFn) -> View:
    """A view as the table might make it, and many that it would not."""
    names = draw(st.lists(NAMES, max_size=9, unique=True))
    name = st.one_of(st.sampled_from(names), NAMES) if names else NAMES
    tiles = draw(TILES)
    some = st.sets(st.sampled_from(tiles)).map(lambda s: tuple(sorted(s))) if tiles else st.just(())
    typed_count = draw(st.integers(0, 2))
    typed = st.lists(st.integers(1, 6), min_size=min(1, typed_count), max_size=typed_count).map(tuple)
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
        typed=draw(typed),
        typed_count=typed_count,
        can_set_dice=draw(st.booleans()),
        page=draw(st.none() | any_page()),
        blind=draw(some),
        totals=tuple((n, draw(st.integers(0, 9999)), draw(st.booleans())) for n in names),
        last_turn=draw(st.none() | result),
        best=draw(st.none() | st.integers(0, 123456789)),
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
        if isinstance(thing.thing, Option):
            label, room = thing.thing.label, thing.thing.width - thing.thing.indent
            assert label
            assert can_draw(label, thing.thing.font), thing
            assert len(label) * thing.thing.font.width <= room, thing
    for one, other in combinations(placed, 2):
        assert not one.area.overlaps(other.area), (one, other)


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


@given(any_view(), any_page())
def test_what_is_chosen_is_always_on_the_page(view: View, page: Page) -> None:
    placed = [p for row in lay_out(replace(view, scene=Scene.MENU, page=page)) for p in row]
    selected = [p.thing for p in placed if isinstance(p.thing, Option) and p.thing.is_selected]
    assert len(selected) == (page.title != "phone" and bool(page.items or page.digits))


@given(any_view())
def test_typing_always_calls_for_the_roll(view: View) -> None:
    said = " ".join(lines(replace(view, scene=Scene.ROLL)))
    assert "ROLL" in said
    assert ("1 or 2" in said) == (view.dice_allowed == (1, 2)) or "1 or 2" in view.player


def test_each_named_view_fits(named: tuple[str, View]) -> None:
    assert_sound(lay_out(named[1]))

"""The pictures, compared pixel by pixel with stored ones.

To store them anew after a change of looks, and then look at each::

    BOXKEEPER_RENEW_PICTURES=1 python -m pytest tests/screens/test_picture.py
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from firmware_host.screens.layout import WIDTH
from firmware_host.screens.picture import draw
from firmware_host.screens.scenes import lay_out
from firmware_host.table.view import Brightness, Scene, View

Views = dict[str, View]

PICTURES = Path(__file__).parent / "pictures"
RENEW = "BOXKEEPER_RENEW_PICTURES" in os.environ


def changed(before: View, after: View) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of what changes on the panel; all 0 where nothing does."""
    return ImageChops.logical_xor(draw(before), draw(after)).getbbox() or (0, 0, 0, 0)


def test_as_stored(named: tuple[str, View]) -> None:
    name, view = named
    picture, path = draw(view), PICTURES / f"{name}.png"
    if RENEW:
        picture.save(path, optimize=True)
    with Image.open(path) as stored:
        assert picture.size == stored.size
        assert picture.tobytes() == stored.convert("1").tobytes(), f"{path} differs"


def test_no_stored_picture_without_a_view(views: Views) -> None:
    assert {path.stem for path in PICTURES.glob("*.png")} == set(views)


def test_only_what_has_a_place_is_drawn_on(named: tuple[str, View]) -> None:
    picture = draw(named[1])
    for row in lay_out(named[1]):
        for placed in row:
            area = placed.area
            picture.paste(0, (area.x, area.y, area.right, area.bottom))
    assert picture.getbbox() is None


def test_a_picture_is_the_callers_own(views: Views) -> None:
    first = draw(views["move"])
    first.paste(1, (0, 0, *first.size))
    assert draw(views["move"]).tobytes() != first.tobytes()


def test_a_dark_panel_still_has_its_picture(views: Views) -> None:
    dark = replace(views["move"], brightness=Brightness.OFF)
    assert draw(dark).tobytes() == draw(views["move"]).tobytes()


@pytest.mark.parametrize("tiles", [tuple(range(1, last + 1)) for last in (9, 10, 12)])
def test_a_tile_going_down_changes_only_its_own_columns(views: Views, tiles: tuple[int, ...]) -> None:
    before = replace(views["move_partial"], tiles=tiles, open=tiles)
    for tile in tiles:
        after = replace(before, open=tuple(other for other in tiles if other != tile))
        left, top, right, _ = changed(before, after)
        assert 0 < right - left <= 2 * WIDTH // len(tiles)
        assert top >= 48


def test_what_is_missing_changes_only_its_own_columns(views: Views) -> None:
    left, top, right, bottom = changed(views["move_partial"], replace(views["move_partial"], to_shut=3))
    assert left >= 104
    assert (top >= 16, bottom <= 40, right <= WIDTH) == (True, True, True)


def test_tumbling_changes_only_the_dice(views: Views) -> None:
    for frame in range(1, 6):
        left, top, right, bottom = changed(
            replace(views["move"], tumble=frame), replace(views["move"], tumble=frame + 1)
        )
        assert right > left
        assert (right <= 50, top >= 16, bottom <= 40) == (True, True, True)


def test_tumbling_dice_do_not_show_the_roll(views: Views) -> None:
    tumbling = replace(views["move"], tumble=3)
    assert draw(tumbling).tobytes() == draw(replace(tumbling, dice=(6, 1))).tobytes()


def test_a_notice_in_play_changes_only_the_foot(views: Views) -> None:
    _, top, _, _ = changed(views["done"], views["done_notice"])
    assert top >= 48


def test_the_head_stays_through_a_turn(views: Views) -> None:
    heads = {
        draw(replace(views[name], player="Ann", seat=0, totals=(("Ann", 37, False),)))
        .crop((0, 0, WIDTH, 16))
        .tobytes()
        for name in ("roll", "roll_after_ann", "tumble", "move_partial", "done", "put_right_after", "confirm")
    }
    assert len(heads) == 1


def test_a_wrong_tile_changes_only_itself_and_what_is_to_be_done(views: Views) -> None:
    before = views["move"]
    after = replace(before, scene=Scene.PUT_RIGHT, to_shut=0, must_open=(9,))
    left, top, _, _ = changed(before, after)
    assert (left >= 56, top >= 16) == (True, True)
    foot = ImageChops.logical_xor(draw(before), draw(after)).crop((0, 48, WIDTH, 64))
    assert foot.getbbox()[0] >= WIDTH - WIDTH // 9  # type: ignore[index]


def test_the_last_dice_of_a_turn_stay_until_the_next_roll_is_due(views: Views) -> None:
    moved = replace(views["move"], dice=(1, 3))
    dice = (0, 16, 50, 40)
    assert draw(moved).crop(dice).tobytes() == draw(views["put_right_after"]).crop(dice).tobytes()

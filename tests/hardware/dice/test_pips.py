"""Dice read with a rig, on drawn frames; ``tests/campaigns/dice_set.py`` does the same by the thousand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("cv2", reason="reading dice needs OpenCV: pip install 'boxkeeper[camera]'")

import cv2
import numpy as np
from dice_scenes import CLASSES, READ, Scene, jpeg, random_rig, random_scene, random_tray, rig_of

from hardware.dice.pips import read_dice
from hardware.dice.reading import Reading, Reason
from hardware.dice.rig import Rig
from sim.die_faces import DieLook, turn_up
from sim.tray import Body, Tray, render

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Image = NDArray[np.uint8]

TRAY = Tray((640, 480), 640.0, (10.0, -8.0, 290.0))
WHITE, BLACK = DieLook(), DieLook(body=(35, 35, 35), pip=(235, 235, 235))
RED = DieLook(body=(40, 40, 200), pip=(240, 240, 240))
ASIAN = DieLook(body=(205, 228, 238), ace=(40, 40, 190), red_four=True, ace_size=0.36, pip_size=0.2)


def chance(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@cache
def rig_for(look: DieLook, tray: Tray = TRAY) -> tuple[Tray, Rig]:
    own = replace(tray, die=look)
    return own, rig_of(own, chance())


def flat(value: int, x: float, y: float, deg: float, quarter: int = 0, edge: float = 16.0) -> Body:
    return Body((x, y, edge / 2), turn_up(value, float(np.deg2rad(deg)), quarter))


def read(tray: Tray, rig: Rig, *dice: Body, wanted: int = 2, **more: object) -> Reading:
    return read_dice(jpeg(render(tray, dice, chance(), **more), 90), rig, wanted)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def white() -> tuple[Tray, Rig]:
    return rig_for(WHITE)


@pytest.mark.parametrize("look", [WHITE, BLACK, RED, ASIAN], ids=["white", "black", "red", "asian"])
def test_every_value_is_read_whatever_the_colours(look: DieLook) -> None:
    tray, rig = rig_for(look)
    for value in range(1, 4):
        other = 7 - value
        reading = read(tray, rig, flat(value, -50, 20, 25 * value), flat(other, 40, -30, 10 * value))
        assert reading.values == tuple(sorted((value, other)))


@pytest.mark.parametrize(
    ("deg", "at"),
    [(0, (-60, 40)), (15, (0, 0)), (30, (70, -45)), (45, (-60, 40)), (60, (0, 0)), (75, (70, -45))],
)
def test_the_reading_turns_and_moves_with_the_dice(
    white: tuple[Tray, Rig], deg: int, at: tuple[float, float]
) -> None:
    tray, rig = white
    here, there = flat(6, *at, deg), flat(2, -at[0] / 2 + 35, -at[1] / 2, deg / 2, 1)
    reading = read(tray, rig, here, there)
    assert reading.values == (2, 6)
    for body in (here, there):
        nearest = min(
            np.hypot(d.centre[0] - body.centre[0], d.centre[1] - body.centre[1]) for d in reading.dice
        )
        assert nearest < 1.0  # mm


@pytest.mark.parametrize("scale", [0.8, 0.9, 1.0, 1.1, 1.2])
def test_dice_and_cameras_of_other_sizes(scale: float) -> None:
    tray, rig = rig_for(replace(WHITE, edge_mm=16 * scale), replace(TRAY, focal_px=640 / scale**0.5))
    edge = 16 * scale
    dice = flat(3, -30, 10, 20, 0, edge), flat(5, 40, -20, 70, 0, edge)
    assert read(tray, rig, *dice).values == (3, 5)


@pytest.mark.parametrize("gap", [0.0, 0.3])
@pytest.mark.parametrize("aside", [0.0, 6.0])
def test_a_six_beside_a_six_is_two_dice(white: tuple[Tray, Rig], gap: float, aside: float) -> None:
    tray, rig = white
    assert read(tray, rig, flat(6, -8 - gap, 0, 0, 1), flat(6, 8, aside, 0)).values == (6, 6)


@pytest.mark.parametrize("stops", [-1.0, -0.5, 0.5])
def test_another_exposure_is_no_change(white: tuple[Tray, Rig], stops: float) -> None:
    tray, rig = white
    assert read(tray, rig, flat(4, -40, 10, 30), flat(1, 50, 0, 0), exposure=stops).values == (1, 4)


def test_empty_frames_in_changing_light_are_no_noise() -> None:
    """A white die on light wood is read though the empty frames differ by more than it from the floor."""
    tray, rig = rig_for(WHITE, replace(TRAY, floor=(150, 185, 215)))
    empty = tuple(render(tray, (), chance(i), exposure=stops) for i, stops in enumerate((0.0, -0.15, 0.15)))
    rig = replace(rig, empty=empty)
    assert read(tray, rig, flat(6, -40, 10, 30), flat(3, 50, 0, 10)).values == (3, 6)


def test_pips_without_a_body_are_low_contrast() -> None:
    tray, rig = rig_for(BLACK, replace(TRAY, floor=(45, 45, 48)))
    reading = read(tray, rig, flat(5, -40, 10, 30), flat(3, 50, 0, 10))
    assert reading.reason is Reason.LOW_CONTRAST


@pytest.mark.parametrize("deg", [3, 25, 50, 80])
def test_a_one_is_turned_as_its_edges_are(white: tuple[Tray, Rig], deg: int) -> None:
    tray, rig = white
    (die,) = read(tray, rig, flat(1, -50, 20, deg), wanted=1).dice
    assert abs((die.angle_deg - deg + 45) % 90 - 45) < 4


@pytest.mark.parametrize("gap", [0.5, 3.0])
@pytest.mark.parametrize("value", [1, 4])
def test_a_flat_die_by_a_wall_is_read(white: tuple[Tray, Rig], value: int, gap: float) -> None:
    tray, rig = white
    rig = replace(rig, focal_px=tray.focal_px)  # another lens would show as much of a side as a tilt
    dice = flat(value, -92 + gap, 10, 0), flat(2, 40, -30, 20)
    assert read(tray, rig, *dice).values == tuple(sorted((value, 2)))


def test_nothing_in_the_tray_is_no_dice(white: tuple[Tray, Rig]) -> None:
    tray, rig = white
    assert read(tray, rig).reason is Reason.NO_DICE


@pytest.mark.parametrize(
    ("count", "wanted", "reason"),
    [
        (1, 2, Reason.ONE_DIE),
        (2, 1, Reason.TWO_DICE),
        (3, 2, Reason.MORE_THAN_TWO),
        (3, 1, Reason.MORE_THAN_TWO),
    ],
)
def test_another_number_of_dice_is_refused(
    white: tuple[Tray, Rig], count: int, wanted: int, reason: Reason
) -> None:
    tray, rig = white
    dice = [flat(3, -60, 20, 15), flat(5, 50, 20, 40), flat(2, 0, -40, 60)][:count]
    reading = read(tray, rig, *dice, wanted=wanted)
    assert reading.values is None
    assert reading.reason is reason


def test_one_die_is_read_when_one_is_wanted(white: tuple[Tray, Rig]) -> None:
    tray, rig = white
    assert read(tray, rig, flat(5, 30, 10, 33), wanted=1).values == (5,)


@pytest.mark.parametrize("tilt", [12, 20, 30, 40])
@pytest.mark.parametrize("side", [-1, 1])
def test_a_die_that_leans_on_a_wall_is_refused(white: tuple[Tray, Rig], tilt: int, side: int) -> None:
    tray, rig = white
    angle = np.deg2rad(tilt)
    reach = 8 * (np.cos(angle) + np.sin(angle))  # of a cube with a lower edge raised, from middle to wall
    raised = np.asarray(cv2.Rodrigues(np.array([0.0, -side * angle, 0.0]))[0])
    leaning = Body((side * (100 - reach), 10.0, reach), raised @ turn_up(4, 0.0))
    assert read(tray, rig, leaning, flat(2, 0, -30, 20)).values is None


def test_a_stack_is_refused_for_one_and_for_two(white: tuple[Tray, Rig]) -> None:
    tray, rig = white
    above = Body((33.0, 12.0, 24.0), turn_up(5, 0.3))
    for wanted in (1, 2):
        assert read(tray, rig, flat(3, 30, 10, 0), above, wanted=wanted).values is None


def test_a_die_on_the_rim_is_refused(white: tuple[Tray, Rig]) -> None:
    tray, rig = white
    on_wall = Body((106.0, 10.0, 38.0), turn_up(5, 0.1))
    assert read(tray, rig, flat(3, -30, 10, 0), on_wall).values is None


def test_a_moving_die_is_refused(white: tuple[Tray, Rig]) -> None:
    tray, rig = white
    moving = replace(flat(4, 40, 0, 20), smear_mm=(4.0, 3.0, 0.0))
    assert read(tray, rig, flat(3, -30, 10, 0), moving).values is None


def test_a_hand_in_view_is_refused(white: tuple[Tray, Rig]) -> None:
    tray, rig = white
    hand = np.array([[40.0, 0.0], [60.0, 0.0], [70.0, 120.0], [30.0, 120.0]])
    reading = read(tray, rig, flat(3, -60, -30, 0), flat(4, 0, -40, 20), hand=hand)
    assert reading.values is None
    assert reading.reason is Reason.OCCLUDED


def test_a_pip_more_than_a_face_has_is_never_explained_away(white: tuple[Tray, Rig]) -> None:
    """A spot painted on any free place of a face: refused, or not taken for a pip; no other value."""
    tray, rig = white
    picture = render(tray, [flat(2, -40, 10, 0), flat(3, 40, 0, 0)], chance())
    for du in (-4.2, 0.0, 4.2):
        for dv in (-4.2, 0.0, 4.2):
            if abs(du) == abs(dv) == 4.2 or du == dv == 0:
                continue
            (x, y), _ = tray.project(np.array([[-40 + du, 10 + dv, 16.0], [0.0, 0.0, 0.0]]))
            spoilt = picture.copy()
            cv2.circle(spoilt, (round(x), round(y)), 4, (25, 25, 25), -1)
            assert read_dice(spoilt, rig).values in (None, (2, 3))


def test_a_pip_that_is_missing_makes_no_other_value(white: tuple[Tray, Rig]) -> None:
    tray, rig = white
    picture = render(tray, [flat(6, -40, 10, 0), flat(3, 40, 0, 0)], chance())
    (x, y), _ = tray.project(np.array([[-40.0 + 4.2, 10.0, 16.0], [0.0, 0.0, 0.0]]))
    cv2.circle(picture, (round(x), round(y)), 5, (235, 238, 240), -1)
    (x, y), _ = tray.project(np.array([[-40.0, 10.0 + 4.2, 16.0], [0.0, 0.0, 0.0]]))
    cv2.circle(picture, (round(x), round(y)), 5, (235, 238, 240), -1)
    assert read_dice(picture, rig).values is None


def test_a_frame_of_another_size_says_that_the_camera_moved(white: tuple[Tray, Rig]) -> None:
    _, rig = white
    assert read_dice(np.zeros((240, 320, 3), np.uint8), rig).reason is Reason.CAMERA_MOVED


@pytest.mark.parametrize("image", [None, np.zeros((8, 8, 3), np.uint8), np.zeros((480, 640), np.uint8)])
def test_no_picture_is_camera_failed(image: Image | None) -> None:
    assert read_dice(image).reason is Reason.CAMERA_FAILED


def test_no_other_number_than_one_and_two_can_be_wanted() -> None:
    with pytest.raises(ValueError, match="not 3"):
        read_dice(None, None, 3)


def test_reading_changes_nothing_and_says_the_same_again(white: tuple[Tray, Rig]) -> None:
    tray, rig = white
    picture = render(tray, [flat(2, -40, 10, 0), flat(3, 40, 0, 0)], chance())
    kept = picture.copy()
    assert read_dice(picture, rig) == read_dice(picture, rig)
    assert (picture == kept).all()


def sample(trays: int) -> Iterator[Scene]:
    """A frame of each class in each of so many trays: drawing an empty tray takes longer than all of them."""
    for n in range(trays):
        rng = chance(1000 + n)
        tray = random_tray(rng)
        rig = rig_of(tray, rng)
        for kind in CLASSES:
            yield random_scene(tray, rig, kind, rng)


@pytest.mark.parametrize(
    ("seed", "number", "why"),
    [
        (1, 2784, "ones with so few pixels that the white dice were taken for the pips"),
        (1, 182, "a dark die before a dark wall, and another beside a shadow as dark"),
        (1, 2560, "faint highlights beside a one could have been a two"),
        (104, 448, "highlights ate into the pips of a die that is dark in blue itself"),
        (1, 2920, "dark floor between a die and its shadow was round like a pip"),
        (3, 740, "the floor beside a die is seen, though another could hold it tilted"),
        (1, 2632, "a side face that only a flat die shows"),
    ],
)
def test_dice_are_read_that_once_were_refused(seed: int, number: int, why: str) -> None:
    scene = drawn(seed, number, "free")
    assert read_dice(scene.image, scene.rig).values == scene.values, why


@pytest.mark.parametrize("number", [27, 318, 332, 333, 588])
def test_a_die_that_leans_is_refused_whose_raised_side_is_as_the_floor_in_shadow(number: int) -> None:
    scene = drawn(101, number, "cocked")
    assert read_dice(scene.image, scene.rig).values is None


def test_a_four_is_no_two_where_the_floor_runs_into_one_of_its_pips() -> None:
    scene = drawn(7, 952, "free")
    assert read_dice(scene.image, scene.rig).values in (None, (1, 4))


def drawn(seed: int, number: int, kind: str) -> Scene:
    """A frame of a drawn set, by its number in ``tests/campaigns/dice_set.py``."""
    tray, rig = random_rig(np.random.default_rng((seed, number - number % 24, 1)))
    return random_scene(tray, rig, kind, np.random.default_rng((seed, number)))


def test_a_sample_of_the_drawn_set_has_nothing_wrong() -> None:
    answered = frames = 0
    for scene in sample(2):
        reading = read_dice(scene.image, scene.rig)
        assert reading.values in (None, scene.values), f"{scene.kind}: {reading}"
        if scene.kind in READ:
            frames += 1
            answered += reading.values is not None
    assert answered >= 0.9 * frames

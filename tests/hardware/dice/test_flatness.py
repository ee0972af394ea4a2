"""What speaks for a flat die, and what for one that leans on a wall."""

from __future__ import annotations

from dataclasses import replace
from math import nan

import pytest

pytest.importorskip("cv2", reason="reading dice needs OpenCV: pip install 'boxkeeper[camera]'")

import numpy as np

from hardware.dice.camera_pose import find_pose
from hardware.dice.evidence import Evidence
from hardware.dice.solids import Cube, outline, seen
from hardware.dice.tilt import tilted
from sim.tray import Tray

TRAY = Tray((640, 480), 640.0)
POSE = find_pose(TRAY.corners_px, TRAY.floor_mm, TRAY.image_size, 640.0)
# A side face where only a flat die has one, and floor where only a tilted one would be seen.
FLAT = Evidence(0.12, 1.0, 5.0, 48.0, 0.05, 0.0, 3.0, 2.0, True)


def test_a_side_face_and_bare_floor_show_a_flat_die() -> None:
    assert FLAT.shows_flat
    assert replace(FLAT, is_by_wall=False).shows_flat


@pytest.mark.parametrize(
    "other",
    [
        {"flat_body": 0.05, "flat_step": 1.0, "flat_side_off": 20.0, "leaning_step": 20.0},
        {"leaning_body": 1.0, "leaning_step": 60.0, "flat_body": 0.3, "flat_side_off": 45.0},
    ],
    ids=["floor where its side face would be", "a die where none would be"],
)
def test_the_picture_of_a_tilted_one_does_not(other: dict[str, float]) -> None:
    assert not replace(FLAT, **other).shows_flat  # type: ignore[arg-type]


def test_much_plain_floor_where_only_a_tilted_one_would_be_is_enough() -> None:
    doubtful = replace(FLAT, flat_body=0.1, flat_side_off=60.0, is_by_wall=False)
    assert not doubtful.shows_flat
    assert replace(doubtful, leaning_area=0.4).shows_flat


def test_what_cannot_be_seen_shows_nothing() -> None:
    nothing = Evidence(0.0, nan, nan, nan, 0.0, nan, nan, nan, True)
    assert abs(nothing.points) < FLAT.points
    assert not replace(nothing, is_by_wall=False).shows_flat


def test_a_cube_is_seen_by_the_edges_of_its_faces_in_view() -> None:
    x, y, _ = POSE.eye
    below, aside = Cube(float(x), float(y), 0.3, 16.0), Cube(70.0, 40.0, 0.3, 16.0)
    assert len(seen(below.corners(), POSE).edges) == 4  # the upper face alone
    assert len(seen(aside.corners(), POSE).edges) == 9  # and two side faces
    assert np.allclose(seen(aside.corners(), POSE).outline, outline(aside, POSE))


def test_a_cube_tilted_by_nothing_is_the_flat_one() -> None:
    cube = Cube(70.0, 0.0, 0.0, 16.0)
    same, leaning = (tilted(cube, 0.0, float(np.deg2rad(tilt)), POSE).outline for tilt in (0, 20))
    assert np.allclose(np.sort(same, axis=0), np.sort(outline(cube, POSE), axis=0), atol=0.01)
    assert np.abs(leaning.mean(axis=0) - same.mean(axis=0)).max() > 3

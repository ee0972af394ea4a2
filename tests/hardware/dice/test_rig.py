"""Rigs from files, and where their camera is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cv2", reason="reading dice needs OpenCV: pip install 'boxkeeper[camera]'")

import cv2
import numpy as np

from firmware_host.errors import ConfigError
from hardware.dice.camera_pose import find_pose
from hardware.dice.rig import load_rig
from sim.tray import Tray, render

TRAY = Tray((320, 240), 320.0, (20.0, -30.0, 280.0))


def entry(**changes: Any) -> dict[str, Any]:
    whole = {
        "rig": "table",
        "image_size": [320, 240],
        "floor_corners_px": TRAY.corners_px.tolist(),
        "floor_mm": [200, 150],
        "die_edge_mm": 16.0,
        "empty": ["empty.png"],
        "text": "a key that nobody relies on",
    }
    return {**whole, **changes}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "empty.png"), render(TRAY))
    return tmp_path


def write(folder: Path, *entries: dict[str, Any]) -> Path:
    path = folder / "rigs.json"
    path.write_text(json.dumps(list(entries)))
    return path


def test_a_rig_is_found_by_its_name(folder: Path) -> None:
    path = write(folder, entry(), entry(rig="other", die_edge_mm=12))
    assert load_rig(path, "other").die_edge_mm == 12
    assert load_rig(path, "table").image_size == (320, 240)


def test_the_only_rig_needs_no_name(folder: Path) -> None:
    assert load_rig(write(folder, entry())).name == "table"


def test_a_rig_as_calibrate_writes_it(folder: Path) -> None:
    path = folder / "rig.toml"
    corners = ", ".join(str(c) for c in TRAY.corners_px.tolist())
    path.write_text(
        f'[table]\nrig = "table"\nimage_size = [320, 240]\nfloor_corners_px = [{corners}]\n'
        'floor_mm = [200, 150]\ndie_edge_mm = 16\nempty = ["empty.png"]\n'
    )
    assert load_rig(path, "table").floor_mm == (200, 150)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"image_size": [320]}, "image_size is"),
        ({"floor_corners_px": [[0, 0]]}, "floor_corners_px is"),
        ({"floor_corners_px": [[0, 0], [1, "x"], [1, 1], [0, 1]]}, "floor_corners_px is"),
        ({"floor_mm": [0, 150]}, "above 0"),
        ({"die_edge_mm": None}, "die_edge_mm is"),
        ({"empty": []}, "empty is"),
        ({"empty": ["nowhere.png"]}, "nowhere.png"),
        ({"image_size": [640, 480]}, "is 320 x 240"),
        ({"K": 320}, "K is"),
        ({"K": [[0, 0, 160], [0, 0, 120], [0, 0, 1]]}, "K must begin"),
    ],
)
def test_a_rig_that_is_not_whole_is_named_with_its_key(
    folder: Path, changes: dict[str, Any], says: str
) -> None:
    with pytest.raises(ConfigError, match=says):
        load_rig(write(folder, entry(**changes)), "table")


def test_no_such_rig_names_those_that_are_there(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"no rig 'chair'.*'table'"):
        load_rig(write(folder, entry()), "chair")


def test_no_such_file_is_a_config_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_rig(tmp_path / "none.json")


def test_a_file_that_is_no_json_is_a_config_error(tmp_path: Path) -> None:
    path = tmp_path / "rigs.json"
    path.write_text("{")
    with pytest.raises(ConfigError, match="is not JSON"):
        load_rig(path)


@pytest.mark.parametrize("camera", [(60.0, -40.0, 280.0), (-80.0, 50.0, 320.0), (0.0, -110.0, 260.0)])
def test_the_camera_is_found_from_the_corners(camera: tuple[float, float, float]) -> None:
    tray = Tray((640, 480), 560.0, camera, roll_deg=4.0)
    pose = find_pose(tray.corners_px, tray.floor_mm, tray.image_size)
    points = np.array([[x, y, z] for x in (-80.0, 0.0, 80.0) for y in (-60.0, 60.0) for z in (0.0, 16.0)])
    assert np.abs(pose.project(points) - tray.project(points)).max() < 1.5  # pixels, also above the floor


def test_a_lens_that_is_known_is_taken_as_it_is(folder: Path) -> None:
    matrix = [[320.0, 0.0, 159.5], [0.0, 320.0, 119.5], [0.0, 0.0, 1.0]]
    pose = load_rig(write(folder, entry(K=matrix))).pose
    assert pose.k == pytest.approx(np.array(matrix))
    above = np.array([[90.0, 60.0, 16.0], [-90.0, -60.0, 16.0]])
    assert pose.project(above) == pytest.approx(TRAY.project(above), abs=0.1)


def test_corners_that_are_half_a_pixel_off_tell_no_lens_that_nobody_has() -> None:
    """Seen from above, the corners hardly tell a near wide lens from a far long one."""
    tray, chance = Tray((640, 480), 640.0, (10.0, -8.0, 290.0)), np.random.default_rng(0)
    for _ in range(8):
        corners = tray.corners_px + chance.normal(0, 0.5, (4, 2))
        pose = find_pose(corners, tray.floor_mm, tray.image_size)
        assert 0.7 < pose.k[0, 0] / 640 < 1.3


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("way", [1, -1])
def test_the_corners_may_start_anywhere_and_go_either_way(turn: int, way: int) -> None:
    corners = np.roll(TRAY.corners_px, turn, axis=0)[::way]
    pose = find_pose(corners, TRAY.floor_mm, TRAY.image_size)
    assert pose.height_mm > 200
    seen = {tuple(np.round(p).astype(int)) for p in pose.project(np.array([[-100.0, -75, 0], [100, -75, 0]]))}
    assert seen <= {tuple(np.round(p).astype(int)) for p in corners}


def test_corners_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="no corners"):
        find_pose(np.zeros((4, 2)), (200, 150), (640, 480))

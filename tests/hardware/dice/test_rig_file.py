"""A calibration on disk: what is written is what is read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("cv2", reason="reading dice needs OpenCV: pip install 'boxkeeper[camera]'")

from firmware_host.errors import ConfigError
from hardware.dice.rig import load_rig
from hardware.dice.rig_file import find_rig, load_controls, save_rig
from sim.dice_tray import rig


def test_a_rig_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "new" / "camera.toml"
    save_rig(path, rig(), {"exposure": 120.0, "white_balance": [2.0, 1.5]})
    read = load_rig(path)
    assert (read.name, read.image_size, read.floor_mm, read.die_edge_mm) == (
        "sim",
        (320, 240),
        (200, 150),
        16,
    )
    assert read.corners_px[2] == pytest.approx(rig().corners_px[2], abs=0.01)
    assert all((a == b).all() for a, b in zip(read.empty, rig().empty, strict=True))
    assert load_controls(path) == {"exposure": 120.0, "white_balance": [2.0, 1.5]}


def test_a_lens_that_is_known_stays_known(tmp_path: Path) -> None:
    path = tmp_path / "camera.toml"
    save_rig(path, replace(rig(), focal_px=320.0))
    assert load_rig(path).focal_px == 320


def test_a_later_calibration_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "camera.toml"
    save_rig(path, rig(), {"exposure": 120.0})
    save_rig(path, rig())
    assert load_controls(path) == {}
    assert not list(tmp_path.glob("*.new"))


@pytest.mark.parametrize("controls", ["controls = 3", '[controls]\nexposure = "long"'])
def test_controls_that_are_none_are_named(tmp_path: Path, controls: str) -> None:
    path = tmp_path / "camera.toml"
    path.write_text(controls, encoding="utf-8")
    with pytest.raises(ConfigError, match="controls"):
        load_controls(path)


def test_a_rig_is_named_by_its_file_and_where_there_are_more_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a:b.toml"
    path.touch()
    assert find_rig(str(path)) == (path, None)
    assert find_rig("rigs.json:table") == (Path("rigs.json"), "table")
    assert find_rig("rigs.json") == (Path("rigs.json"), None)

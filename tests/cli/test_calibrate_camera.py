"""``boxkeeper calibrate camera`` over a folder of pictures, its questions answered."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cv2", reason="reading dice needs OpenCV: pip install 'boxkeeper[camera]'")

import cv2
import numpy as np

from firmware_host.cli.main import main
from hardware.dice.pips import read_dice
from hardware.dice.rig import load_rig
from sim.die_faces import turn_up
from sim.tray import Body, Tray, render

TRAY = Tray((640, 480), 640.0)
DICE = (Body((-40.0, 10.0, 8.0), turn_up(5, 0.3)), Body((30.0, 0.0, 8.0), turn_up(3, 1.0)))
CORNERS = " ".join(f"{x:.1f},{y:.1f}" for x, y in TRAY.corners_px)


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Five of the empty tray, then a three and a five."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    chance = np.random.default_rng(2)
    for number in range(8):
        cv2.imwrite(str(folder / f"{number}.png"), render(TRAY, DICE if number > 4 else (), chance))
    return folder


def calibrate(
    monkeypatch: pytest.MonkeyPatch, pictures: Path, answers: str, *arguments: str, floor: str = "200x150"
) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    out = pictures.parent / "camera.toml"
    command = ["calibrate", "camera", "--floor", floor, "--die", "16", "--device", str(pictures)]
    return main([*command, "--out", str(out), *arguments])


def test_from_the_empty_tray_and_a_throw_to_a_rig(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(monkeypatch, pictures, "\n5 3\n") == 0
    rig = load_rig(pictures.parent / "camera.toml")
    found, true = np.array(rig.corners_px), TRAY.corners_px
    off = np.linalg.norm(found[:, None] - true[None], axis=2).min(axis=1)
    assert off.max() < 6.0
    assert read_dice(cv2.imread(str(pictures / "7.png")), rig, 2).values == (3, 5)
    assert (pictures.parent / "camera-check.jpg").exists()
    assert "To improve" not in capsys.readouterr().out


def test_corners_can_be_told(pictures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert calibrate(monkeypatch, pictures, "\n3 5\n", "--corners", CORNERS) == 0
    assert load_rig(pictures.parent / "camera.toml").corners_px[0] == pytest.approx(
        TRAY.corners_px[0], abs=0.1
    )


def test_the_lens_that_is_known_is_kept(pictures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rig = pictures.parent / "camera.toml"
    assert calibrate(monkeypatch, pictures, "\n3 5\n", "--corners", CORNERS) == 0
    assert load_rig(rig).focal_px is None
    rig.write_text(rig.read_text() + "K = [[640, 0, 319.5], [0, 640, 239.5], [0, 0, 1]]\n")
    assert calibrate(monkeypatch, pictures, "\n3 5\n", "--corners", CORNERS) == 0
    assert load_rig(rig).focal_px == 640
    rig.write_text("no calibration at all")
    assert calibrate(monkeypatch, pictures, "\n3 5\n", "--corners", CORNERS) == 0


def test_the_lens_can_be_told(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(monkeypatch, pictures, "\n3 5\n", "--corners", CORNERS, "--view", "53.13") == 0
    assert load_rig(pictures.parent / "camera.toml").focal_px == pytest.approx(640, abs=0.1)
    assert calibrate(monkeypatch, pictures, "\n3 5\n", "--corners", CORNERS) == 0
    assert "sees 53 degrees" in capsys.readouterr().out
    assert calibrate(monkeypatch, pictures, "", "--view", "180") == 2


def test_a_throw_read_otherwise_is_not_taken(
    pictures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(monkeypatch, pictures, "\n6 6\nquit\n", "--corners", CORNERS) == 1
    assert "The camera read 3 5" in capsys.readouterr().out
    assert not (pictures.parent / "camera.toml").exists()


@pytest.mark.parametrize(
    "wrong",
    [
        ["--corners", "9000,9000 9900,9000 9900,9900 9000,9900"],
        ["--corners", "96,407 96,407 96,407 96,407"],
        ["--die", "nan"],
        ["--die", "inf"],
    ],
)
def test_what_cannot_be_is_one_line(
    pictures: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    wrong: list[str],
) -> None:
    assert calibrate(monkeypatch, pictures, "\n3 5\n", *wrong) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_calibration_that_fails_leaves_the_last_one_whole(
    pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert calibrate(monkeypatch, pictures, "\n3 5\n", "--corners", CORNERS) == 0
    folder = pictures.parent
    before = {path.name: path.read_bytes() for path in folder.glob("camera-empty*")}
    (folder / "camera.toml.new").mkdir()
    for number in range(5):
        frame = cv2.imread(str(pictures / f"{number}.png"))
        cv2.imwrite(str(pictures / f"{number}.png"), cv2.add(frame, 1))
    assert calibrate(monkeypatch, pictures, "\n3 5\n", "--corners", CORNERS) != 0
    assert all((folder / name).read_bytes() == data for name, data in before.items())
    (folder / "camera.toml.new").rmdir()
    assert calibrate(monkeypatch, pictures, "\n3 5\n", "--corners", CORNERS) == 0
    assert len(list(folder.glob("camera-empty*"))) == 5


def test_giving_up_leaves_nothing(pictures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert calibrate(monkeypatch, pictures, "") == 1
    assert not (pictures.parent / "camera.toml").exists()


@pytest.mark.parametrize(
    ("change", "advice"),
    [(lambda f: f // 5, "too dark"), (lambda f: np.minimum(f * 2.4, 255), "too bright")],
)
def test_the_light_is_judged(
    pictures: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    change: Any,
    advice: str,
) -> None:
    for path in pictures.iterdir():
        cv2.imwrite(str(path), change(cv2.imread(str(path)).astype(np.float32)).astype(np.uint8))
    assert calibrate(monkeypatch, pictures, "\n", "--corners", CORNERS) == 1
    assert advice in capsys.readouterr().out


@pytest.mark.parametrize(
    ("corners", "advice"),
    [
        ("0,40 598,38 610,447 41,450", "out of view"),
        ("300,200 340,200 341,230 299,230", "pixels wide"),
        ("200,100 440,100 590,400 50,400", "not above the tray"),
    ],
)
def test_the_place_is_judged(
    pictures: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    corners: str,
    advice: str,
) -> None:
    assert calibrate(monkeypatch, pictures, "\n", "--corners", corners) == 1
    assert advice in capsys.readouterr().out


@pytest.mark.parametrize(
    "argument", ["--floor=0x150", "--floor=wide", "--die=-3", "--corners=1,2 3,4", "--out=rig.json"]
)
def test_wrong_use_is_one_line(
    pictures: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    argument: str,
) -> None:
    assert calibrate(monkeypatch, pictures, "", argument) == 2
    assert capsys.readouterr().err.count("\n") == 1

"""``boxkeeper dice --watch`` and ``--fairness`` over a folder of frames."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("cv2", reason="reading dice needs OpenCV: pip install 'boxkeeper[camera]'")

import cv2

from firmware_host.cli.main import main
from hardware.dice.frames import FPS
from hardware.dice.rig_file import save_rig
from sim.dice_tray import DiceTray, rig

THROW_S = 5.0


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``camera.toml`` and ``frames``: three throws, one of them cocked."""
    folder = tmp_path_factory.mktemp("session")
    save_rig(folder / "camera.toml", rig())
    (folder / "frames").mkdir()
    tray, number = DiceTray(3), 0
    for values, landing in (((), "flat"), ((3, 5), "flat"), ((6, 6), "cocked"), ((1, 5), "flat")):
        tray.landing = landing
        tray.throw(values, number / FPS)
        for _ in range(int(THROW_S * FPS)):
            number += 1
            cv2.imwrite(str(folder / "frames" / f"{number:04}.png"), tray.frame(number / FPS))
    return folder


def command(session: Path, *arguments: str) -> list[str]:
    return ["dice", *arguments, "--device", str(session / "frames"), "--rig", str(session / "camera.toml")]


def test_each_throw_is_a_line(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command(session, "--watch")) == 0
    rows = [line.split(" s  ")[1] for line in capsys.readouterr().out.splitlines()]
    assert rows == ["3 5", "cocked", "1 5"]


def test_json_has_a_line_a_throw_and_one_at_the_end(
    session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command(session, "--fairness", "--json")) == 0
    *throws, found = map(json.loads, capsys.readouterr().out.splitlines())
    assert [throw["values"] for throw in throws] == [[3, 5], None, [1, 5]]
    assert found["faces"] == {"1": 1, "2": 0, "3": 1, "4": 0, "5": 2, "6": 0}
    assert found["refused"] == {"cocked": 1}
    assert found["throws"] == 2


def test_fairness_tells_the_refusals_as_they_bias_it(
    session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command(session, "--fairness")) == 0
    out = capsys.readouterr().out
    assert "chi-squared" in out
    assert "too few to tell" in out
    assert "cocked 1" in out
    assert "bias" in out


def test_photos_and_watching_are_not_asked_for_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dice", "a.jpg", "--watch"]) == 2
    assert main(["dice"]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_without_a_calibration_the_file_is_named(
    session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["dice", "--watch", "--device", str(session / "frames"), "--set", f"store.dir={tmp_path}"])
    assert code == 2
    assert "camera.toml" in capsys.readouterr().err


def test_without_a_calibration_its_mend_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dice", "--watch", "--set", f"store.dir={tmp_path}"]) == 2
    mend = "boxkeeper calibrate camera --floor LxW --die MM"
    assert capsys.readouterr().err == f"boxkeeper: no calibration at {tmp_path / 'camera.toml'}: {mend}\n"

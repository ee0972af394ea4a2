"""The plays of the folder ``camera``, and a dozen others with their dice read by the simulated camera.

All the others so are a campaign: ``python tests/campaigns/camera_plays.py tests/plays``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.cli.main import main

pytest.importorskip("cv2", reason="the simulated camera needs OpenCV: pip install 'boxkeeper[camera]'")

HERE = Path(__file__).parent
CAMERA = sorted((HERE / "camera").glob("*.play"))
CHOSEN = (
    "battle-take-back",
    "faults",
    "first-roll",
    "no-free-second-throw",
    "one-die-compulsory",
    "one-die-too-early",
    "power-cut",
    "quick-turn",
    "shut-the-box",
    "tiles-before-the-roll",
    "undo-a-roll",
    "worked-turn",
)


def test_there_are_plays() -> None:
    assert CAMERA


@pytest.mark.timeout(300)
@pytest.mark.parametrize("play", CAMERA, ids=lambda play: play.stem)
def test_a_play_with_a_camera_holds(play: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["bench", str(play)])
    assert code == 0, capsys.readouterr().err


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", CHOSEN)
def test_another_play_holds_with_a_camera(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["bench", str(HERE / f"{name}.play"), "--set", "dice.source=camera"])
    assert code == 0, capsys.readouterr().err

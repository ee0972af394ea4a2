"""The camera as a source of dice, its frames fed by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cv2", reason="reading dice needs OpenCV: pip install 'boxkeeper[camera]'")

from hardware.dice.camera import CameraDice
from hardware.dice.kept_frames import KeptFrames
from hardware.dice.watch import AWAITED_S, IDLE_S
from sim.dice_tray import DiceTray, rig


class HandCamera:
    """A camera whose frames are brought by hand, of a tray of its own."""

    def __init__(self) -> None:
        self.now = 0.0
        self.tray = DiceTray(3)
        self.paces: list[float] = []
        self.is_closed = False

    def start(self, see: Callable[[Any, float], None], lose: Callable[[str], None]) -> None:
        self._see, self.lose = see, lose

    def pace(self, interval_s: float) -> None:
        self.paces.append(interval_s)

    def close(self) -> None:
        self.is_closed = True

    def run(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.now += 1 / 8
            self._see(self.tray.frame(self.now), self.now)

    def throw(self, *values: int, landing: str = "flat") -> None:
        self.tray.landing = landing
        self.tray.throw(values, self.now)
        self.run(5.0)


@pytest.fixture
def camera() -> HandCamera:
    return HandCamera()


class Heard:
    def __init__(self) -> None:
        self.dice: list[tuple[int, ...]] = []
        self.refused: list[str] = []

    def want(self, source: CameraDice, count: int) -> None:
        source.want(count, self.dice.append, self.refused.append)


def test_a_throw_that_is_wanted_is_told_as_it_lies_from_left_to_right(camera: HandCamera) -> None:
    source, heard = CameraDice(camera, rig()), Heard()
    camera.run(1.0)
    heard.want(source, 2)
    camera.throw(5, 3)
    assert source.name == "camera"
    assert heard.dice == [(5, 3)]


def test_a_throw_that_nobody_wants_is_not_told(camera: HandCamera) -> None:
    source, heard = CameraDice(camera, rig()), Heard()
    camera.run(1.0)
    camera.throw(5, 3)
    heard.want(source, 2)
    camera.run(3.0)
    heard.want(source, 0)
    camera.throw(2, 6)
    assert heard.dice == []
    assert heard.refused == []


def test_a_refusal_leaves_the_wish(camera: HandCamera) -> None:
    source, heard = CameraDice(camera, rig()), Heard()
    camera.run(1.0)
    heard.want(source, 2)
    camera.throw(5, 3, landing="cocked")
    assert heard.refused == ["cocked"]
    camera.throw(2, 6)
    assert heard.dice == [(2, 6)]


def test_it_looks_often_only_while_a_throw_is_wanted(camera: HandCamera) -> None:
    source, heard = CameraDice(camera, rig()), Heard()
    heard.want(source, 2)
    heard.want(source, 0)
    assert camera.paces == [IDLE_S, AWAITED_S, IDLE_S]


def test_a_camera_that_is_lost_says_so_even_before_anybody_listens(camera: HandCamera) -> None:
    source = CameraDice(camera, rig())
    camera.lose("the cable is off")
    reasons: list[str] = []
    source.watch(reasons.append)
    assert reasons == ["the cable is off"]


def test_closing_lets_go_of_the_camera(camera: HandCamera) -> None:
    CameraDice(camera, rig()).close()
    assert camera.is_closed


def test_refused_frames_and_the_last_answer_are_kept(camera: HandCamera, tmp_path: Path) -> None:
    source, heard = CameraDice(camera, rig(), KeptFrames(tmp_path / "dice")), Heard()
    camera.run(1.0)
    heard.want(source, 2)
    camera.throw(5, 3, landing="cocked")
    camera.throw(2, 6)
    names = {path.name for path in (tmp_path / "dice").iterdir()}
    assert names == {"refused-00.jpg", "refused-00-overlay.jpg", "answer.jpg", "answer-overlay.jpg"}

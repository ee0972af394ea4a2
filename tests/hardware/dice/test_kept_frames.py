"""The ring of refused frames."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("cv2", reason="reading dice needs OpenCV: pip install 'boxkeeper[camera]'")

import cv2
import numpy as np

from hardware.dice import kept_frames
from hardware.dice.kept_frames import REFUSED, KeptFrames, overlay
from hardware.dice.reading import Die, Reading, Reason
from hardware.dice.watch import Report

FRAME = np.full((48, 64, 3), 90, np.uint8)
REFUSAL = Report(Reading(reason=Reason.COCKED), FRAME, 1.0)


def test_the_oldest_is_written_over(tmp_path: Path) -> None:
    kept = KeptFrames(tmp_path)
    for _ in range(REFUSED + 3):
        kept.keep(REFUSAL)
    assert len(list(tmp_path.iterdir())) == 2 * REFUSED


def test_a_new_start_goes_on_after_the_newest(tmp_path: Path) -> None:
    for slot, age in ((0, 30), (1, 20), (2, 10)):
        path = tmp_path / f"refused-{slot:02}.jpg"
        path.write_bytes(b"x")
        os.utime(path, (1000 - age, 1000 - age))
    KeptFrames(tmp_path).keep(REFUSAL)
    assert (tmp_path / "refused-03.jpg").exists()


def test_a_disk_that_cannot_be_written_is_said_once_and_no_hindrance(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "dice").write_text("a file where the folder should be")
    kept = KeptFrames(tmp_path / "dice")
    kept.keep(REFUSAL)
    kept.keep(REFUSAL)
    assert len(caplog.records) == 1


def test_what_is_kept_is_a_whole_picture(tmp_path: Path) -> None:
    KeptFrames(tmp_path).keep(REFUSAL)
    assert cv2.imread(str(tmp_path / "refused-00.jpg")).shape == FRAME.shape


def test_the_overlay_shows_the_outline_and_leaves_the_frame_as_it_is() -> None:
    die = Die(3, (0, 0), 0, 16, 1, ((20.0, 20.0), (40.0, 20.0), (40.0, 40.0), (20.0, 40.0)))
    before = FRAME.copy()
    drawn = overlay(FRAME, Reading((die,)))
    # A smoothed line: releases of OpenCV differ in how much of it falls beside the row.
    assert (abs(drawn[20, 22:38].astype(int) - kept_frames._GREEN) < 24).all()
    assert (before == FRAME).all()

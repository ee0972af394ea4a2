"""Faces that moved while the shutter was open."""

from __future__ import annotations

import pytest

pytest.importorskip("cv2", reason="reading dice needs OpenCV: pip install 'boxkeeper[camera]'")

import cv2
import numpy as np

from hardware.dice.patterns import templates
from hardware.dice.smear import fits_moved

SIDE = 32


def face(value: int, soft_px: float) -> np.ndarray:
    known = templates(SIDE)
    own = np.flatnonzero(known.values == value)
    return np.asarray(cv2.GaussianBlur(known.pictures[own[len(own) // 2]], (0, 0), soft_px), np.float32)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("soft_px", [0.5, 1.0, 2.0])
def test_a_still_face_is_still_however_soft(value: int, soft_px: float) -> None:
    assert not fits_moved(face(value, soft_px), value)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("deg", [0, 30, 90, 140])
@pytest.mark.parametrize("edges", [0.25, 0.4])
def test_a_face_that_moved_by_a_quarter_of_its_edge_shows_it(value: int, deg: int, edges: float) -> None:
    way = np.deg2rad(deg)
    total = np.zeros((SIDE, SIDE), np.float32)
    for part in np.linspace(-0.5, 0.5, 31):
        off = part * edges * SIDE
        shift = np.array([[1, 0, off * np.cos(way)], [0, 1, off * np.sin(way)]], np.float32)
        total += cv2.warpAffine(face(value, 0.8), shift, (SIDE, SIDE)) / 31
    assert fits_moved(total, value)

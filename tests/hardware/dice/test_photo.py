"""Dice on pictures of which nothing is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("cv2", reason="reading dice needs OpenCV: pip install 'boxkeeper[camera]'")

import numpy as np

from hardware.dice.pips import read_dice
from hardware.dice.reading import Reason
from sim.die_faces import DieLook, turn_up
from sim.tray import Body, Tray, render

FELT = Tray((640, 480), 700.0, (0.0, 0.0, 260.0), floor=(60, 110, 50), grain=0.02)


def flat(value: int, x: float, y: float, deg: float) -> Body:
    return Body((x, y, 8.0), turn_up(value, float(np.deg2rad(deg))))


@pytest.mark.parametrize("value", range(1, 4))
def test_dice_seen_from_above_are_read_without_a_rig(value: int) -> None:
    picture = render(FELT, [flat(value, -20, 5, 20), flat(7 - value, 25, -10, 65)], np.random.default_rng(1))
    assert read_dice(picture).values == tuple(sorted((value, 7 - value)))


def test_light_pips_on_dark_dice() -> None:
    tray = replace(
        FELT, floor=(190, 195, 200), die=DieLook(body=(40, 40, 200), pip=(240, 240, 240), gloss=0.1)
    )
    picture = render(tray, [flat(5, -20, 5, 20), flat(2, 25, -10, 65)], np.random.default_rng(1))
    assert read_dice(picture).values == (2, 5)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_another_number_of_dice_is_refused(count: int) -> None:
    dice = [flat(3, -40, 15, 15), flat(5, 40, 15, 40), flat(2, 0, -30, 60)][:count]
    reading = read_dice(render(FELT, dice, np.random.default_rng(1)))
    assert reading.values is None
    assert reading.reason is not None


def test_one_die_when_one_is_wanted() -> None:
    assert read_dice(render(FELT, [flat(4, 10, 5, 30)]), None, 1).values == (4,)


def test_a_plain_picture_has_no_dice() -> None:
    assert read_dice(np.full((300, 400, 3), 128, np.uint8)).reason is Reason.NO_DICE


def test_noise_has_no_dice() -> None:
    noise = np.random.default_rng(3).integers(0, 256, (150, 200, 3)).astype(np.uint8)
    assert read_dice(noise).values is None

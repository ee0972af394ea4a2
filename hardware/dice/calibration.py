"""Calibrating the camera: the rig of a tray that was found, and what is to be improved."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, degrees, hypot
from typing import TYPE_CHECKING

import numpy as np

from firmware_host.errors import ConfigError
from hardware.dice.motion import face_px_of
from hardware.dice.rig import Rig

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Image = NDArray[np.uint8]

_DARK, _BRIGHT = 55.0, 225.0  # levels of the floor
_BURNT, _BURNT_SHARE = (
    250,
    0.02,
)  # levels, and the share of the floor that may be at them: no pip is seen there
_FLICKER = 0.1  # of the level, between two empty frames
_STEEPEST_DEG = 25.0  # off the vertical: beyond it the side of a die hides the next one
_LEAST_EDGE_PX = 14.0  # of a die: with fewer its pips run together
_BEYOND = 0.1  # of the picture: how far out of it a corner may be, as it is estimated
_MARGIN_PX = 3.0  # around the tray


def make_rig(
    name: str,
    empty: Sequence[Image],
    corners_px: Sequence[Sequence[float]],
    floor_mm: tuple[float, float],
    die_edge_mm: float,
    focal_px: float | None = None,
) -> Rig:
    """The rig of these; ConfigError where the corners are none of a floor seen from above, or far out of the
    picture.
    """
    height, width = empty[0].shape[:2]
    corners = tuple((float(x), float(y)) for x, y in corners_px)
    if any(not -_BEYOND * width < x < (1 + _BEYOND) * width for x, _ in corners) or any(
        not -_BEYOND * height < y < (1 + _BEYOND) * height for _, y in corners
    ):
        raise ConfigError(f"corners: they lie outside the picture of {width} x {height} pixels")
    rig = Rig(name, (width, height), corners, floor_mm, die_edge_mm, tuple(empty), focal_px)
    try:
        _ = rig.pose
    except ValueError as error:
        raise ConfigError(f"corners: {error}".replace("floor_corners_px", "they")) from None
    return rig


def with_floor(rig: Rig) -> Image:
    """An empty frame with a green line along the floor."""
    import cv2

    drawn = rig.empty[0].copy()
    points = np.round(np.array(rig.corners_px) * 16).astype(np.int32)
    cv2.polylines(drawn, [points], isClosed=True, color=(0, 255, 0), lineType=cv2.LINE_AA, shift=4)
    return drawn


def save_picture(path: Path, image: Image) -> None:
    """Write ``image`` as a JPEG."""
    import cv2

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(cv2.imencode(".jpg", image)[1].tobytes())


def advice_on_light(frames: Sequence[Image]) -> list[str]:
    """What to improve in the light of the middle of the picture, a line each; empty: nothing."""
    import cv2

    height, width = frames[0].shape[:2]
    middles = [f[height // 4 : height * 3 // 4, width // 4 : width * 3 // 4] for f in frames]
    levels = [float(max(cv2.mean(middle)[:3])) for middle in middles]
    level = float(np.mean(levels))
    burnt = float(np.mean([(middle.max(axis=2) >= _BURNT).mean() for middle in middles]))
    advice = []
    if level < _DARK:
        advice.append(f"too dark: the floor is at {level:.0f} of 255; bring a lamp nearer")
    elif level > _BRIGHT or burnt > _BURNT_SHARE:
        advice.append(f"too bright: {burnt:.0%} of the floor is white; dim or spread the light")
    if (max(levels) - min(levels)) / max(level, 1.0) > _FLICKER:
        advice.append("the light flickers: take a steady lamp, or wait for the clouds")
    return advice


def advice_on_place(rig: Rig) -> list[str]:
    """What to improve in where the camera is, a line each; empty: nothing."""
    width, height = rig.image_size
    advice = []
    corners = np.array(rig.corners_px)
    ends = np.array([width, height]) - 1 - _MARGIN_PX
    if (corners < _MARGIN_PX).any() or (corners > ends).any():
        advice.append("the tray is out of view: raise the camera or move it over the middle of the tray")
    eye = -rig.pose.r.T @ rig.pose.t
    tilt = degrees(atan2(hypot(eye[0], eye[1]), eye[2]))
    if tilt > _STEEPEST_DEG:
        advice.append(f"the lens is not above the tray but {tilt:.0f} degrees off: move it over its middle")
    edge_px = float(np.sqrt(face_px_of(rig)))
    if edge_px < _LEAST_EDGE_PX:
        advice.append(f"a die is only {edge_px:.0f} pixels wide: bring the camera nearer")
    return advice

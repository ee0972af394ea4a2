"""Draws the dice tray as a camera above it sees it: floor, walls, dice, shadows, light, noise.

Flat shading and shadows by projection, in numpy and OpenCV: quick enough for a simulated camera, and true in
what matters to a reader of dice: perspective, side faces in view, shadows, gloss, and dice that lie as they
please. Lengths in mm in the frame of the tray: the middle of its floor is 0, x along its long side, z up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sim.die_faces import DieLook, face_pictures
from sim.tray_drawing import cast_shadow, draw_die, draw_hand, draw_tray, rectangle

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Floats32 = NDArray[np.float32]
    Image = NDArray[np.uint8]

Colour = tuple[float, float, float]  # BGR, 0..255, as it looks in full light
_GAMMA = 1 / 2.2


@dataclass(frozen=True, slots=True)
class Body:
    """One die: its centre in mm, and how it is turned (3 x 3, die to tray); ``smear_mm``: its way while
    exposed.
    """

    centre: tuple[float, float, float]
    turn: Floats
    smear_mm: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp far away: direction towards it, strength against that of the sky, softness of shadows in mm."""

    direction: tuple[float, float, float] = (0.3, 0.4, 0.85)
    lamp: float = 0.65
    soft_mm: float = 3.0

    def level(self, normal: Floats) -> float:
        """How bright a surface with that normal is: 1 for one that faces the lamp, in levels (gamma 2.2)."""
        to_lamp = np.array(self.direction) / np.linalg.norm(self.direction)
        sky = (1 - self.lamp) * (0.55 + 0.45 * float(normal[2]))
        return float((self.lamp * max(0.0, float(normal @ to_lamp)) + sky) ** _GAMMA)

    @property
    def shadow(self) -> float:
        """How bright the floor is in shadow, against the lit floor."""
        up = np.array([0.0, 0.0, 1.0])
        return float((1 - self.lamp) ** _GAMMA) / self.level(up)


@dataclass(frozen=True)
class Tray:
    """A tray, the camera above it, and what its dice look like; the empty picture is drawn once."""

    image_size: tuple[int, int] = (320, 240)
    focal_px: float = 320.0
    camera_mm: tuple[float, float, float] = (10.0, -8.0, 285.0)
    aim_mm: tuple[float, float] = (0.0, 0.0)
    roll_deg: float = 0.0
    floor_mm: tuple[float, float] = (200.0, 150.0)
    wall_mm: tuple[float, float] = (30.0, 12.0)  # height and thickness
    floor: Colour = (120, 165, 205)
    wall: Colour = (90, 130, 175)
    table: Colour = (130, 130, 130)
    grain: float = 0.06
    die: DieLook = field(default_factory=DieLook)
    light: Light = field(default_factory=Light)
    blur_px: float = 0.7
    noise: float = 1.5
    seed: int = 0

    @cached_property
    def view(self) -> tuple[Floats, Floats, Floats]:
        """``k``, ``r``, ``t`` of the camera: ``px ~ k @ (r @ (x, y, z) + t)``."""
        w, h = self.image_size
        k = np.array([[self.focal_px, 0, (w - 1) / 2], [0, self.focal_px, (h - 1) / 2], [0, 0, 1]])
        eye = np.array(self.camera_mm)
        ahead = np.array([*self.aim_mm, 0.0]) - eye
        ahead /= np.linalg.norm(ahead)
        roll = np.deg2rad(self.roll_deg)
        right = np.array([np.cos(roll), np.sin(roll), 0.0])
        right -= ahead * (right @ ahead)
        right /= np.linalg.norm(right)
        r = np.stack([right, np.cross(ahead, right), ahead])
        return k, r, -r @ eye

    def project(self, points: Floats) -> Floats:
        """Pixels (n x 2) of points in the tray (n x 3)."""
        k, r, t = self.view
        seen = (points @ r.T + t) @ k.T
        return np.asarray(seen[:, :2] / seen[:, 2:])

    @property
    def corners_px(self) -> Floats:
        """The corners of the floor in the picture, as a calibration marks them."""
        return self.project(rectangle(self.floor_mm, 0.0, 0.0))

    @cached_property
    def empty(self) -> Floats32:
        """The tray without dice, without noise: float32 levels."""
        return draw_tray(self)

    @cached_property
    def faces(self) -> Sequence[tuple[Floats, Floats, Image]]:
        """Each face of a die: its normal, its corners (unit cube around 0), its picture (BGRA)."""
        return face_pictures(self.die)


def render(
    tray: Tray,
    dice: Sequence[Body] = (),
    chance: np.random.Generator | None = None,
    exposure: float = 0.0,
    hand: Floats | None = None,
    looks: Sequence[DieLook] = (),
) -> Image:
    """One frame (height x width x 3, BGR, uint8).

    ``exposure`` in stops; ``hand``: a polygon above the tray in mm (n x 2), drawn as skin; ``looks``: those
    of the single dice where they differ from the tray's.  ``chance`` makes the noise (none: no noise).
    """
    trays = [replace(tray, die=looks[i]) if i < len(looks) else tray for i in range(len(dice))]
    levels = tray.empty.copy()
    for body in dice:
        cast_shadow(tray, body, levels)
    eye = np.array(tray.camera_mm)
    order = np.argsort([-float(np.linalg.norm(np.array(body.centre) - eye)) for body in dice])
    for i in order:
        draw_die(trays[i], dice[i], levels)
    if hand is not None:
        draw_hand(tray, hand, levels)
    return _exposed(tray, levels, chance, exposure)


def _exposed(tray: Tray, levels: Floats32, chance: np.random.Generator | None, exposure: float) -> Image:
    import cv2

    seen = cv2.GaussianBlur(levels, (0, 0), tray.blur_px) * np.float32(2.0 ** (exposure * _GAMMA))
    if chance is not None and tray.noise > 0:
        noise = np.empty_like(seen)
        cv2.setRNGSeed(int(chance.integers(1 << 31)))
        cv2.randn(noise, 0, tray.noise)
        seen += noise
    return np.asarray(np.clip(np.round(seen), 0, 255), np.uint8)

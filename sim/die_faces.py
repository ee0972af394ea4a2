"""What a die looks like: colours, pips, and the pictures of its six faces. Opposite faces sum to 7."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Image = NDArray[np.uint8]

Colour = tuple[float, float, float]  # BGR, 0..255
_SIDE = 96  # pixels of a face
_SMOOTH = 4  # pips are drawn this much larger, then made smaller

NORMALS: dict[int, tuple[int, int, int]] = {
    1: (0, 0, 1),
    6: (0, 0, -1),
    2: (0, 1, 0),
    5: (0, -1, 0),
    3: (1, 0, 0),
    4: (-1, 0, 0),
}
"""Where each value is on the die."""

_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class DieLook:
    """Edge in mm, colours, and in edges: diameter of the pips (of the one), how far they are from the
    middle, bevel.

    ``ace``: the colour of a one (and a four, ``red_four``) where it differs; ``gloss`` 0..1: the light spot
    in a pip and along the edges.
    """

    edge_mm: float = 16.0
    body: Colour = (235, 238, 240)
    pip: Colour = (25, 25, 25)
    ace: Colour | None = None
    red_four: bool = False
    pip_size: float = 0.2
    ace_size: float = 0.2
    spread: float = 0.26
    bevel: float = 0.08
    gloss: float = 0.3


def turn_up(value: int, yaw: float, quarter: int = 0) -> Floats:
    """The rotation, die to tray, that puts ``value`` on top; ``yaw`` in radians, and quarter turns on top
    of it.
    """
    up = np.array(NORMALS[value], float)
    side = np.roll(up, 1)
    frame = np.stack([side, np.cross(up, side), up])  # rows: what goes to x, y, z of the tray
    angle = yaw + quarter * np.pi / 2
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ frame)


def face_pictures(look: DieLook) -> Sequence[tuple[Floats, Floats, Image]]:
    """Each face: its normal, its corners on the unit cube around 0 (4 x 3), its picture (BGRA)."""
    faces = []
    for value, place in NORMALS.items():
        normal = np.array(place, float)
        u = np.roll(normal, 1)
        v = np.cross(normal, u)
        corners = np.array(
            [0.5 * normal + a * u + b * v for a, b in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]
        )
        faces.append((normal, corners, _picture(look, value)))
    return faces


def _picture(look: DieLook, value: int) -> Image:
    import cv2

    side = _SIDE * _SMOOTH
    picture = np.empty((side, side, 4), np.float32)
    picture[..., :3] = look.body
    axis = np.abs((np.arange(side) + 0.5) / side - 0.5)
    far = np.maximum(axis[:, None], axis[None, :])
    edge = np.clip((far - (0.5 - look.bevel)) / look.bevel, 0, 1)[..., None]
    picture[..., :3] *= 1 - 0.25 * edge
    shine = np.exp(-(((axis - (0.5 - look.bevel * 0.7)) / (look.bevel * 0.25)) ** 2))[:, None, None]
    picture[: side // 2, :, :3] += (255 - picture[: side // 2, :, :3]) * shine[: side // 2] * look.gloss
    colour, size = _pip(look, value)
    for a, b in _PIPS[value]:
        at = (int((0.5 + a * look.spread) * side), int((0.5 + b * look.spread) * side))
        radius = int(size * side / 2)
        cv2.circle(picture, at, radius, (*colour, 255), -1)
        spot = (int(at[0] - radius * 0.3), int(at[1] - radius * 0.3))
        bright = tuple(c + (255 - c) * look.gloss for c in colour)
        cv2.circle(picture, spot, int(radius * 0.3), (*bright, 255), -1)
    alpha = np.zeros((side, side), np.uint8)
    r = int(look.bevel * 1.5 * side)
    cv2.rectangle(alpha, (r, 0), (side - 1 - r, side - 1), 255, -1)
    cv2.rectangle(alpha, (0, r), (side - 1, side - 1 - r), 255, -1)
    for x in (r, side - 1 - r):
        for y in (r, side - 1 - r):
            cv2.circle(alpha, (x, y), r, 255, -1)
    picture[..., 3] = alpha
    small = cv2.resize(picture, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(np.clip(small, 0, 255), np.uint8)


def _pip(look: DieLook, value: int) -> tuple[Colour, float]:
    if value == 1:
        return look.ace or look.pip, look.ace_size
    return (look.ace or look.pip) if value == 4 and look.red_four else look.pip, look.pip_size

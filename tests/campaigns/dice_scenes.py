"""Trays, dice and throws by chance, from a seed: what the campaigns and tests of the dice reader are fed
with.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.dice.rig import Rig
from sim.die_faces import DieLook, turn_up
from sim.tray import Body, Light, Tray, render

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

_LEAST_EDGE_PX = 17.0  # of a die, even seen by a small camera

READ = ("free", "touching", "dim", "bright")
REFUSE = ("cocked", "stacked", "one", "three", "rim", "hand", "blur", "empty")
CLASSES = READ + REFUSE
NEAR_SUPPORT = "near_support"  # flat dice as hard to tell from cocked ones as can be; no class of the set

# BGR; body, pips, and the colour of the one (None: as the others)
_DICE = (
    ((235, 238, 240), (25, 25, 25), None),
    ((205, 228, 238), (30, 30, 30), (40, 40, 190)),
    ((40, 40, 200), (240, 240, 240), None),
    ((35, 35, 35), (235, 235, 235), None),
    ((150, 60, 30), (240, 240, 240), None),
    ((60, 120, 40), (235, 240, 240), None),
    ((60, 200, 235), (30, 30, 60), None),
    ((120, 40, 110), (170, 220, 240), None),
    ((120, 175, 215), (40, 60, 80), None),
)
_FLOORS = (
    (120, 165, 205),
    (55, 75, 100),
    (60, 110, 50),
    (50, 45, 130),
    (130, 80, 40),
    (45, 45, 48),
    (165, 170, 175),
)


@dataclass(frozen=True, slots=True)
class Scene:
    """One frame, the rig that it is of, its class, and what is right: the values, or None where to refuse;
    the dice.
    """

    image: Image
    rig: Rig
    kind: str
    values: tuple[int, ...] | None
    dice: tuple[Body, ...]


def random_rig(chance: np.random.Generator) -> tuple[Tray, Rig]:
    """A tray, one in five seen by a camera of 320 x 240, and what a calibration would know of it."""
    small = chance.integers(5) == 0
    tray = random_tray(chance, (320, 240) if small else (640, 480))
    while small and tray.die.edge_mm * tray.focal_px / tray.camera_mm[2] < _LEAST_EDGE_PX:
        tray = random_tray(chance, (320, 240))
    return tray, rig_of(tray, chance)


def random_tray(chance: np.random.Generator, size: tuple[int, int] = (640, 480)) -> Tray:
    """A tray with dice that can be told from its floor, seen by a camera within 15 degrees of the
    vertical.
    """
    floor_mm = (float(chance.uniform(150, 240)), float(chance.uniform(110, 180)))
    look = _look(chance, float(chance.uniform(12, 19)))
    floors = [f for f in _FLOORS if np.abs(np.subtract(f, look.body)).max() > 70]
    floor = tuple(
        float(v) for v in np.array(floors[chance.integers(len(floors))]) * chance.uniform(0.85, 1.15)
    )
    focal = float(chance.uniform(0.7, 1.1)) * size[0]
    fit = max((floor_mm[0] + 40) / size[0], (floor_mm[1] + 40) / size[1])
    height = focal * fit * float(chance.uniform(1.0, 1.2))  # 20 % of scale
    off = np.deg2rad(chance.uniform(0, 15))
    way = chance.uniform(0, 2 * np.pi)
    eye = (height * np.sin(off) * np.cos(way), height * np.sin(off) * np.sin(way), height * np.cos(off))
    lamp = (float(chance.uniform(-0.6, 0.6)), float(chance.uniform(-0.6, 0.6)), 0.85)
    return Tray(
        size,
        focal,
        tuple(float(v) for v in eye),
        (float(chance.uniform(-5, 5)), float(chance.uniform(-5, 5))),
        float(chance.uniform(-6, 6)),
        floor_mm,
        (float(chance.uniform(20, 40)), float(chance.uniform(8, 14))),
        floor,
        tuple(float(v) for v in chance.uniform(50, 190) * np.array([0.6, 0.8, 1.0])),
        tuple(float(v) for v in np.full(3, chance.uniform(60, 200))),
        float(chance.uniform(0, 0.1)),
        look,
        Light(lamp, float(chance.uniform(0.3, 0.75)), float(chance.uniform(0.5, 6))),
        float(chance.uniform(0.5, 1.0)),
        float(chance.uniform(0.5, 4)),
        int(chance.integers(1 << 30)),
    )


def _look(chance: np.random.Generator, edge: float) -> DieLook:
    body, pip, ace = _DICE[chance.integers(len(_DICE))]
    size = float(chance.uniform(0.17, 0.24))
    return DieLook(
        edge,
        body,
        pip,
        ace,
        ace is not None and bool(chance.integers(2)),
        size,
        float(chance.uniform(0.25, 0.38)) if ace else size,
        float(chance.uniform(0.24, 0.28)),
        float(chance.uniform(0.05, 0.1)),
        float(chance.uniform(0, 0.6)),
    )


def rig_of(tray: Tray, chance: np.random.Generator, name: str = "own") -> Rig:
    """What a calibration would know of the tray: corners to half a pixel, the edge of a die to 2 %, three
    frames; in every other case also the lens, as of the Pi's own cameras, to 2 %.
    """
    corners = tray.corners_px + chance.normal(0, 0.5 * tray.image_size[0] / 640, (4, 2))
    frames = tuple(jpeg(render(tray, (), chance), 90) for _ in range(3))
    points = tuple((float(x), float(y)) for x, y in corners)
    edge_mm = tray.die.edge_mm * float(chance.uniform(0.98, 1.02))
    focal_px = tray.focal_px * float(chance.uniform(0.98, 1.02)) if chance.integers(2) else None
    return Rig(name, tray.image_size, points, tray.floor_mm, edge_mm, frames, focal_px)


def random_scene(tray: Tray, rig: Rig, kind: str, chance: np.random.Generator) -> Scene:
    """A frame of that class."""
    values = [int(v) for v in chance.integers(1, 7, 3)]
    dice = _PLACES[kind](tray, values, chance)
    exposure = float(chance.uniform(-0.15, 0.15))
    if kind in ("dim", "bright"):
        exposure = float(chance.uniform(-1.0, -0.6) if kind == "dim" else chance.uniform(0.3, 0.6))
    hand = _hand(tray, dice, chance) if kind == "hand" else None
    image = jpeg(render(tray, dice, chance, exposure, hand), int(chance.integers(75, 96)))
    is_read = kind in (*READ, NEAR_SUPPORT)
    return Scene(image, rig, kind, tuple(sorted(values[:2])) if is_read else None, tuple(dice))


def jpeg(image: Image, quality: int) -> Image:
    """The picture as it comes back from a JPEG of that quality."""
    return np.asarray(
        cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1), np.uint8
    )


def _spot(tray: Tray, chance: np.random.Generator) -> tuple[float, float, float]:
    """A place on the floor for a die, and its yaw."""
    yaw = float(chance.uniform(0, np.pi / 2))
    room = tray.die.edge_mm / 2 * (abs(np.cos(yaw)) + abs(np.sin(yaw)))
    x, y = (float(chance.uniform(-s / 2 + room, s / 2 - room)) for s in tray.floor_mm)
    return x, y, yaw


def _flat(tray: Tray, value: int, x: float, y: float, yaw: float, z: float = 0.0) -> Body:
    return Body((x, y, tray.die.edge_mm / 2 + z), turn_up(value, yaw))


def _scattered(tray: Tray, values: list[int], chance: np.random.Generator, count: int) -> list[Body]:
    bodies: list[Body] = []
    while len(bodies) < count:
        x, y, yaw = _spot(tray, chance)
        if all(np.hypot(x - b.centre[0], y - b.centre[1]) > 1.6 * tray.die.edge_mm for b in bodies):
            bodies.append(_flat(tray, values[len(bodies)], x, y, yaw))
    return bodies


def _free(tray: Tray, values: list[int], chance: np.random.Generator) -> list[Body]:
    return _scattered(tray, values, chance, 2)


def _beside(
    tray: Tray, chance: np.random.Generator
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Two places side by side: aligned, offset, or corner against side."""
    edge = tray.die.edge_mm
    while True:
        x, y, yaw = _spot(tray, chance)
        turn = float(chance.choice([0.0, 0.0, chance.uniform(0, np.pi / 2)]))
        reach = edge / 2 + edge / 2 * (abs(np.cos(turn)) + abs(np.sin(turn))) + float(chance.uniform(0, 0.3))
        aside = float(chance.choice([0.0, chance.uniform(-0.7, 0.7) * edge]))
        c, s = np.cos(yaw), np.sin(yaw)
        x2, y2 = x + c * reach - s * aside, y + s * reach + c * aside
        if abs(x2) < tray.floor_mm[0] / 2 - 0.71 * edge and abs(y2) < tray.floor_mm[1] / 2 - 0.71 * edge:
            return (x, y, yaw), (x2, y2, yaw + turn)


def _touching(tray: Tray, values: list[int], chance: np.random.Generator) -> list[Body]:
    one, other = _beside(tray, chance)
    return [_flat(tray, values[0], *one), _flat(tray, values[1], *other)]


def _near_support(tray: Tray, values: list[int], chance: np.random.Generator) -> list[Body]:
    """Both flat, the second beside a wall or the first and nearly aligned with it, as one that leans would
    be.
    """
    edge, off = tray.die.edge_mm, float(np.deg2rad(chance.uniform(-12, 12)))
    gap, reach = float(chance.uniform(0, 0.6)) * edge, edge / 2 * (abs(np.cos(off)) + abs(np.sin(off)))
    if chance.integers(2):
        first = _scattered(tray, values, chance, 1)[0]
        quarter = int(chance.integers(4))
        ahead = quarter * np.pi / 2
        aside = float(chance.uniform(-0.4, 0.4)) * tray.floor_mm[1 - quarter % 2]
        far = tray.floor_mm[quarter % 2] / 2 - reach - gap
        x, y = _ahead(ahead, far, aside)
        if np.hypot(x - first.centre[0], y - first.centre[1]) < 1.6 * edge:
            return _near_support(tray, values, chance)
    else:
        first = _free(tray, values, chance)[0]
        ahead = _level_edge(first) + np.pi / 2 * int(chance.integers(4))
        x, y = _ahead(ahead, -edge / 2 - reach - gap, float(chance.uniform(-0.5, 0.5)) * edge)
        x, y = x + first.centre[0], y + first.centre[1]
        if abs(x) > tray.floor_mm[0] / 2 - 0.72 * edge or abs(y) > tray.floor_mm[1] / 2 - 0.72 * edge:
            return _near_support(tray, values, chance)
    return [first, _flat(tray, values[1], x, y, ahead + off)]


def _ahead(direction: float, far: float, aside: float) -> tuple[float, float]:
    """The place so far in that direction, and so far to its left."""
    c, s = float(np.cos(direction)), float(np.sin(direction))
    return c * far - s * aside, s * far + c * aside


def _level_edge(body: Body) -> float:
    """The direction of an edge of a flat die that lies level."""
    level = body.turn[:, int(np.abs(body.turn[2]).argmin())]
    return float(np.arctan2(level[1], level[0]))


def _cocked(tray: Tray, values: list[int], chance: np.random.Generator) -> list[Body]:
    """One die flat, the other with a lower edge raised against a wall or against the first."""
    edge, tilt = tray.die.edge_mm, float(np.deg2rad(chance.uniform(8, 40)))
    # how far the middle of a die is from the support that its raised lower edge touches
    reach = edge / 2 * (np.cos(tilt) + np.sin(tilt))
    height = edge / 2 * (np.cos(tilt) + np.sin(tilt))
    if chance.integers(2):
        first = _scattered(tray, values, chance, 1)[0]
        quarter = int(chance.integers(4))
        wall = quarter * np.pi / 2
        along = float(chance.uniform(-0.3, 0.3)) * tray.floor_mm[1 - quarter % 2]
        far = tray.floor_mm[quarter % 2] / 2 - reach
        c, s = np.cos(wall), np.sin(wall)
        x, y = c * far - s * along, s * far + c * along
        if np.hypot(x - first.centre[0], y - first.centre[1]) < 1.8 * edge:
            return _cocked(tray, values, chance)
        ahead = wall
    else:
        first = _free(tray, values, chance)[0]
        ahead = _level_edge(first) + np.pi / 2 * int(chance.integers(4))
        far = edge / 2 + reach
        x, y = first.centre[0] - far * np.cos(ahead), first.centre[1] - far * np.sin(ahead)
        if abs(x) > tray.floor_mm[0] / 2 - edge or abs(y) > tray.floor_mm[1] / 2 - edge:
            return _cocked(tray, values, chance)
    raise_front = _about(np.array([np.cos(ahead + np.pi / 2), np.sin(ahead + np.pi / 2), 0.0]), -tilt)
    return [first, Body((x, y, height), raise_front @ turn_up(values[1], ahead))]


def _about(axis: Floats, angle: float) -> Floats:
    return np.asarray(cv2.Rodrigues(axis * angle)[0], np.float64)


def _stacked(tray: Tray, values: list[int], chance: np.random.Generator) -> list[Body]:
    x, y, yaw = _spot(tray, chance)
    shift = chance.uniform(-0.35, 0.35, 2) * tray.die.edge_mm
    low = _flat(tray, values[0], x, y, yaw)
    return [low, _flat(tray, values[1], x + shift[0], y + shift[1], chance.uniform(0, 1.5), tray.die.edge_mm)]


def _one(tray: Tray, values: list[int], chance: np.random.Generator) -> list[Body]:
    return _scattered(tray, values, chance, 1)


def _three(tray: Tray, values: list[int], chance: np.random.Generator) -> list[Body]:
    return _scattered(tray, values, chance, 3)


def _rim(tray: Tray, values: list[int], chance: np.random.Generator) -> list[Body]:
    """One on the floor, one on a wall or half outside."""
    first = _scattered(tray, values, chance, 1)
    quarter = int(chance.integers(4))
    out = quarter * np.pi / 2
    on_wall = bool(chance.integers(2))
    height, thick = tray.wall_mm
    far = tray.floor_mm[quarter % 2] / 2 + (thick / 2 if on_wall else thick + 0.8 * tray.die.edge_mm)
    along = float(chance.uniform(-0.4, 0.4)) * tray.floor_mm[1 - quarter % 2]
    c, s = np.cos(out), np.sin(out)
    x, y = c * far - s * along, s * far + c * along
    return [*first, _flat(tray, values[1], x, y, float(chance.uniform(0, 1.5)), height if on_wall else 0.0)]


def _blur(tray: Tray, values: list[int], chance: np.random.Generator) -> list[Body]:
    """One die lies, the other slides or tumbles: at least a fifth of its edge while the shutter is open."""
    dice = _free(tray, values, chance)
    way = chance.uniform(0, 2 * np.pi)
    length = tray.die.edge_mm * float(chance.uniform(0.2, 0.6))
    return [dice[0], replace(dice[1], smear_mm=(length * np.cos(way), length * np.sin(way), 0.0))]


def _hand(tray: Tray, dice: list[Body], chance: np.random.Generator) -> Floats:
    """Fingers from outside over one of the dice, or beside it."""
    x, y, _ = dice[int(chance.integers(2))].centre
    tip = np.array([x, y]) + chance.normal(0, 0.4 * tray.die.edge_mm, 2)
    way = tip / max(float(np.hypot(*tip)), 1e-6)
    side = np.array([-way[1], way[0]])
    base = way * max(tray.floor_mm)
    outline = [tip + side * 8, tip + way * -6, tip - side * 8, base - side * 30, base + side * 30]
    return np.array(outline)


def _none(tray: Tray, values: list[int], chance: np.random.Generator) -> list[Body]:
    return []


_PLACES = {
    "free": _free,
    "dim": _free,
    "bright": _free,
    "touching": _touching,
    "near_support": _near_support,
    "cocked": _cocked,
    "stacked": _stacked,
    "one": _one,
    "three": _three,
    "rim": _rim,
    "hand": _free,
    "blur": _blur,
    "empty": _none,
}

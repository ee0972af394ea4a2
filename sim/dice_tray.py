"""The dice tray of the simulated box: dice that are picked up, fly and come to rest, and what a camera sees.

It knows no reader.  Needs OpenCV and numpy, so it is imported only where a camera is simulated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from hardware.dice.rig import Rig
from sim.die_faces import turn_up
from sim.tray import Body, Tray, render

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Image = NDArray[np.uint8]

HAND_S, FLIGHT_S = 0.25, 0.6  # a hand takes the dice up; they fly and roll

_EDGE = 16.0  # mm
_APART, _FROM_WALL = 2.2, 1.3  # edges: dice that lie free
_DIM_STOPS = -5.0
_COVERED = 7  # levels of a lens with something over it
_NOISES = 8
_SHUTTER_MM = 8.0  # how far a die that flies in goes while the shutter is open, a 50th of a second
_HAND = ((-120.0, -20.0), (-20.0, -30.0), (25.0, 0.0), (-20.0, 30.0), (-120.0, 25.0))  # mm


@cache
def tray() -> Tray:
    """The tray of the simulated box."""
    return Tray()


@cache
def _bumped() -> Tray:
    """The same with its camera knocked askew."""
    return replace(tray(), camera_mm=(24.0, 4.0, 285.0), aim_mm=(14.0, 6.0), roll_deg=3.0)


@cache
def _noises() -> Sequence[NDArray[np.int16]]:
    chance = np.random.default_rng(0)
    shape = (tray().image_size[1], tray().image_size[0], 3)
    return [np.round(chance.normal(0, tray().noise, shape)).astype(np.int16) for _ in range(_NOISES)]


@cache
def rig() -> Rig:
    """What a calibration of the simulated camera comes to; what a reader works out of it is kept with it."""
    corners = tuple((float(x), float(y)) for x, y in tray().corners_px)
    empty = render(tray())
    frames = tuple(_noisy(empty, i) for i in range(3))
    return Rig("sim", tray().image_size, corners, tray().floor_mm, _EDGE, frames)


def _noisy(image: Image, number: int) -> Image:
    return cv2.add(image, _noises()[number % _NOISES], dtype=cv2.CV_8U)  # type: ignore[no-any-return]


class DiceTray:
    """Dice in the tray and a camera above it; moments are those of the world's clock.

    ``landing``: how the next dice come to lie (flat, cocked, touching, stacked; short: one less).
    ``changed_at``: when the picture last changed, or will have.
    """

    def __init__(self, seed: int) -> None:
        self.landing = "flat"
        self.changed_at = 0.0
        self._sight = "clear"
        self._chance = np.random.default_rng(seed)
        self._lying: tuple[Body, ...] = ()
        self._thrown_at = float("-inf")
        self._taken = 0  # frames
        self._still: Image | None = None  # the picture at rest, without noise

    def throw(self, values: Sequence[int], now: float) -> None:
        """A hand takes up what lies there and throws dice that will show ``values``."""
        self._lying = self._landed(list(values))
        self._thrown_at = now
        self._change(now + HAND_S + FLIGHT_S)

    def see_through(self, sight: str, now: float) -> None:
        """From now on the camera's sight is another (clear, covered, dim, bumped, hand)."""
        self._sight = sight
        self._change(now)

    def frame(self, now: float) -> Image:
        """What the camera sees (height x width x 3, BGR, uint8)."""
        self._taken += 1
        if self._sight == "covered":
            return _noisy(np.full_like(_noises()[0], _COVERED, np.uint8), self._taken)
        since = now - self._thrown_at
        if since < HAND_S:
            return _noisy(render(tray(), (), hand=self._hand(since)), self._taken)
        if since < HAND_S + FLIGHT_S:
            return _noisy(self._draw(self._flying((since - HAND_S) / FLIGHT_S)), self._taken)
        if self._still is None:
            self._still = self._draw(self._lying)
        return _noisy(self._still, self._taken)

    def _change(self, at: float) -> None:
        self.changed_at, self._still = at, None

    def _draw(self, dice: Sequence[Body]) -> Image:
        seen = _bumped() if self._sight == "bumped" else tray()
        exposure = _DIM_STOPS if self._sight == "dim" else 0.0
        return render(seen, dice, None, exposure, np.array(_HAND) if self._sight == "hand" else None)

    def _hand(self, since: float) -> Floats:
        return np.add(_HAND, [60 * since / HAND_S, 20.0])

    # Where dice are

    def _flying(self, share: float) -> list[Body]:
        """The dice on their way in from the left, ever slower."""
        left = (1 - share) ** 2
        bodies = []
        for i, body in enumerate(self._lying):
            x, y, z = body.centre
            turn = _about((0.3, 1.0, 0.2 + i), 9 * left) @ body.turn
            at = (x - 110 * left, y + 25 * left * (-1) ** i, z + 12 * left)
            bodies.append(Body(at, turn, (_SHUTTER_MM * left, 0.25 * _SHUTTER_MM * left, 0.0)))
        return bodies

    def _landed(self, values: list[int]) -> tuple[Body, ...]:
        if self.landing == "short":
            values = values[:-1]
        places = self._places(len(values))
        bodies = [
            Body((x, y, _EDGE / 2), turn_up(value, yaw, int(self._chance.integers(4))))
            for value, (x, y, yaw) in zip(values, places, strict=True)
        ]
        if not bodies:
            return ()
        (x, y, yaw), first = places[0], bodies[0]
        if self.landing == "cocked":
            bodies[0] = _tilted(first, 0.5)
        elif self.landing == "touching" and len(bodies) == 2:
            yaw -= np.pi / 2 if yaw > np.pi / 4 else 0  # the side to the right
            x = min(x, tray().floor_mm[0] / 2 - (_FROM_WALL + 1) * _EDGE)
            bodies[0] = replace(first, centre=(x, y, _EDGE / 2))
            beside = 1.01 * _EDGE * np.array((np.cos(yaw), np.sin(yaw)))
            turn = turn_up(values[1], yaw)
            bodies[1] = Body((x + beside[0], y + beside[1], _EDGE / 2), turn)
        elif self.landing == "stacked" and len(bodies) == 2:
            bodies[1] = Body((x + 3, y + 2, 1.5 * _EDGE), bodies[1].turn)
        return tuple(bodies)

    def _places(self, count: int) -> list[tuple[float, float, float]]:
        """Free places on the floor from left to right: x, y and yaw."""
        room = np.array(tray().floor_mm) / 2 - _FROM_WALL * _EDGE
        places: list[tuple[float, float, float]] = []
        while len(places) < count:
            x, y = (float(v) for v in self._chance.uniform(-room, room))
            if all(np.hypot(x - u, y - v) > _APART * _EDGE for u, v, _ in places):
                places.append((x, y, float(self._chance.uniform(0, np.pi / 2))))
        return sorted(places)


def _tilted(body: Body, angle: float) -> Body:
    """The die leaning by ``angle`` (radians), its lowest corner on the floor."""
    turn = _about((1.0, 0.4, 0.0), angle) @ body.turn
    corners = np.array([[a, b, c] for a in (-0.5, 0.5) for b in (-0.5, 0.5) for c in (-0.5, 0.5)])
    low = float((corners @ turn.T * _EDGE)[:, 2].min())
    return Body((body.centre[0], body.centre[1], -low), turn)


def _about(axis: tuple[float, float, float], angle: float) -> Floats:
    unit = np.array(axis) / np.linalg.norm(axis)
    return np.asarray(cv2.Rodrigues(unit * angle)[0])

"""Which way a one is turned: one pip has no direction, but the four edges of its face do."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from hardware.dice.camera_pose import through

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hardware.dice.groups import Group
    from hardware.dice.rig import Rig
    from hardware.dice.solids import Cube

    Floats = NDArray[np.float64]
    Complexes = NDArray[np.complex128]

_TURNS = np.deg2rad(np.arange(0, 90, 1.5))
_ALONG = np.linspace(-0.42, 0.42, 12)  # of an edge, its rounded ends left out
_ACROSS, _ACROSS_PX = 0.075, 1.2  # from an edge to both sides: edges, and pixels of the picture at the least


def turn_of(group: Group, cube: Cube, rig: Rig) -> float:
    """The direction in radians, 0 to a quarter of a turn, in which the picture steps most along all four
    edges of the upper face around the middle of ``cube``.
    """
    import cv2

    across = round(max(_ACROSS, _ACROSS_PX * group.scale / group.edge_px), 2)
    at = complex(cube.x, cube.y) + cube.edge * _beside_edges(across)
    mm = np.stack([at.real, at.imag], axis=-1).reshape(-1, 2)
    px = group.to_cut_out(through(rig.pose.plane(cube.edge), mm)).astype(np.float32)
    maps = px.reshape(len(_TURNS) * 2, -1, 2)
    seen = cv2.remap(group.patch, maps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    sides = seen.reshape(*at.shape, 3).mean(axis=3)
    steps = np.abs(sides[:, 0] - sides[:, 1]).max(axis=-1)
    return float(_TURNS[int(steps.sum(axis=1).argmax())])


@lru_cache(maxsize=16)
def _beside_edges(across: float) -> Complexes:
    """Points inside and outside the edges of a square around 0 for each turn: turns x 2 x 4 x points."""
    out = np.array([0.5 - across, 0.5 + across])
    quarters = 1j ** np.arange(4)
    points = (out[:, None, None] + 1j * _ALONG) * quarters[:, None]
    return np.asarray(points * np.exp(1j * _TURNS)[:, None, None, None], np.complex128)

"""A rig: one fixed camera over one tray, as a calibration knows it, and how it looks when it is empty."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware_host.config_files import read_toml
from firmware_host.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardware.dice.camera_pose import Pose
    from hardware.dice.difference import EmptyTray

    Image = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Rig:
    """Where the tray is in the picture, its size and that of the dice, and frames without dice.

    ``corners_px``: the four corners of the floor, in order around it; ``empty``: one frame or more (height x
    width x 3, BGR, uint8), all of ``image_size`` (width, height); ``focal_px``: of the lens, None: not known.
    """

    name: str
    image_size: tuple[int, int]
    corners_px: tuple[tuple[float, float], ...]
    floor_mm: tuple[float, float]
    die_edge_mm: float
    empty: tuple[Image, ...]
    focal_px: float | None = None

    @cached_property
    def pose(self) -> Pose:
        """Where the camera is; found once."""
        import numpy as np

        from hardware.dice.camera_pose import find_pose

        corners = np.array(self.corners_px, dtype=np.float64)
        return find_pose(corners, self.floor_mm, self.image_size, self.focal_px)

    @cached_property
    def floor_px(self) -> NDArray[np.float64]:
        """The corners of the floor in the picture (4 x 2), as that camera sees them."""
        import numpy as np

        x, y = self.floor_mm[0] / 2, self.floor_mm[1] / 2
        return self.pose.project(np.array([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]]))

    @cached_property
    def on_upper_faces(self) -> NDArray[np.float64]:
        """The homography (3 x 3) from pixels to mm on the plane of the upper faces."""
        return self.pose.from_plane(self.die_edge_mm)

    @cached_property
    def background(self) -> EmptyTray:
        """What is known of the empty tray; worked out once."""
        from hardware.dice.difference import EmptyTray

        return EmptyTray.of(self)


def load_rig(path: Path, name: str | None = None) -> Rig:
    """The rig ``name`` (the only one where None) of a JSON list of rigs, or of a TOML file with one table.

    Raises ConfigError, in one line that names file and key, where there is no such rig or it is not whole.
    """
    found = [entry for entry in _entries(path) if name is None or entry.get("rig") == name]
    if len(found) != 1:
        names = ", ".join(repr(entry.get("rig")) for entry in _entries(path))
        what = f"{len(found)} rigs" if name is None else f"{len(found) or 'no'} rig {name!r}"
        raise ConfigError(f"{path}: holds {what}; allowed: one of {names or 'none at all'}")
    try:
        return _rig(found[0], path.parent)
    except ConfigError as error:
        raise ConfigError(f"{path}: rig {found[0].get('rig')!r}: {error}") from None


def _entries(path: Path) -> list[Mapping[str, Any]]:
    if path.suffix.lower() == ".toml":
        table = read_toml(path)
        rows: Any = (
            [table] if "rig" in table and not isinstance(table["rig"], (dict, list)) else _tables(table)
        )
    else:
        try:
            rows = json.loads(path.read_bytes())
        except OSError as error:
            raise ConfigError(f"{path}: cannot be read ({error.strerror}); name a file of rigs") from None
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{path}: is not JSON: {error}") from None
        rows = [rows] if isinstance(rows, dict) else rows
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ConfigError(f'{path}: is no list of rigs; write [{{"rig": "name", ...}}]')
    return rows


def _tables(table: Mapping[str, Any]) -> list[Any]:
    """The tables of a TOML file: ``[[rig]]``, ``[rig]`` or one under any name."""
    rows: list[Any] = []
    for value in table.values():
        rows += value if isinstance(value, list) else [value]
    return [row for row in rows if isinstance(row, dict)]


def _rig(entry: Mapping[str, Any], folder: Path) -> Rig:
    width, height = _numbers(entry, "image_size", 2)
    corners = entry.get("floor_corners_px")
    if not isinstance(corners, list) or len(corners) != 4:
        raise ConfigError(f"floor_corners_px is {_short(corners)}; allowed: four corners [x, y]")
    floor = _numbers(entry, "floor_mm", 2)
    (edge,) = _numbers({"die_edge_mm": [entry.get("die_edge_mm")]}, "die_edge_mm", 1)
    if min(width, height, *floor, edge) <= 0:
        raise ConfigError("image_size, floor_mm and die_edge_mm must be above 0")
    size = (int(width), int(height))
    rig = Rig(
        str(entry.get("rig", "")),
        size,
        tuple(
            (float(x), float(y))
            for x, y in (_numbers({"floor_corners_px": c}, "floor_corners_px", 2) for c in corners)
        ),
        (floor[0], floor[1]),
        edge,
        _frames(entry.get("empty"), folder, size),
        focal_of(entry.get("K")),
    )
    try:
        _ = rig.pose
    except ValueError as error:
        raise ConfigError(str(error)) from None
    return rig


def focal_of(matrix: object) -> float | None:
    """The focal length that a camera matrix (3 x 3) holds; None where there is none.

    Raises ConfigError where it is no such matrix.
    """
    if matrix is None:
        return None
    first = _numbers({"K": matrix[0] if isinstance(matrix, list) and matrix else matrix}, "K", 3)
    if first[0] <= 0:
        raise ConfigError("K must begin with a focal length above 0")
    return first[0]


def _frames(names: object, folder: Path, size: tuple[int, int]) -> tuple[Image, ...]:
    from hardware.dice.images import load_image

    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise ConfigError(f"empty is {_short(names)}; allowed: a list of pictures of the empty tray")
    frames = []
    for name in names:
        frame = load_image(folder / name)
        if frame is None:
            raise ConfigError(f"empty: {name!r} is no whole picture")
        if (frame.shape[1], frame.shape[0]) != size:
            raise ConfigError(
                f"empty: {name!r} is {frame.shape[1]} x {frame.shape[0]}, image_size says {size}"
            )
        frames.append(frame)
    return tuple(frames)


def _numbers(entry: Mapping[str, Any], key: str, count: int) -> tuple[float, ...]:
    value = entry.get(key)
    good = isinstance(value, list) and len(value) == count
    if not good or not all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in value or ()):
        raise ConfigError(f"{key} is {_short(value)}; allowed: {count} number{'s' * (count > 1)}")
    return tuple(float(x) for x in value or ())


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."

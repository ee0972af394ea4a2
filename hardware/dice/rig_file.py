"""Writes a rig as TOML with its empty frames beside it, as :func:`hardware.dice.rig.load_rig` reads it."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from firmware_host.config_files import read_toml
from firmware_host.errors import ConfigError
from hardware.dice.rig import focal_of

if TYPE_CHECKING:
    from hardware.dice.rig import Rig

Controls = Mapping[str, float | Sequence[float]]
"""What a camera is held to after its calibration: its own names (exposure, gain, white balance, focus)."""


def save_rig(path: Path, rig: Rig, controls: Controls | None = None) -> None:
    """Write ``rig`` to ``path`` and its empty frames beside it; a rig that is there already is replaced, and
    stays whole where that fails.

    Raises OSError where the folder cannot be written to.
    """
    import cv2

    path.parent.mkdir(parents=True, exist_ok=True)
    pictures = [cv2.imencode(".png", frame)[1].tobytes() for frame in rig.empty]
    # by what is in them: those of the rig that is there stay until this one is
    names = [f"{path.stem}-empty-{crc32(picture):08x}.png" for picture in pictures]
    for name, picture in zip(names, pictures, strict=True):
        _replace(path.parent / name, picture)
    corners = ", ".join(f"[{x:.2f}, {y:.2f}]" for x, y in rig.corners_px)
    lines = [
        f'rig = "{rig.name}"',
        f"image_size = {list(rig.image_size)}",
        f"floor_corners_px = [{corners}]",
        f"floor_mm = {list(rig.floor_mm)}",
        f"die_edge_mm = {rig.die_edge_mm}",
        f"empty = {names}".replace("'", '"'),
    ]
    if rig.focal_px is not None:
        f, (width, height) = rig.focal_px, rig.image_size
        lines.append(f"K = [[{f}, 0.0, {(width - 1) / 2}], [0.0, {f}, {(height - 1) / 2}], [0.0, 0.0, 1.0]]")
    if controls:
        lines += ["", "[controls]", *(f"{key} = {_shown(value)}" for key, value in controls.items())]
    _replace(path, ("\n".join(lines) + "\n").encode())
    for old in path.parent.glob(f"{glob.escape(path.stem)}-empty-*.png"):
        if old.name not in names:
            old.unlink()


def find_rig(text: str) -> tuple[Path, str | None]:
    """The file and the name of ``FILE:NAME``; a colon in the file's own name is told by the file being
    there.
    """
    if Path(text).is_file():
        return Path(text), None
    file, colon, name = text.rpartition(":")
    return (Path(file), name) if colon else (Path(text), None)


def known_focal(path: Path, image_size: tuple[int, int]) -> float | None:
    """The focal length in pixels that the file states (``K``) for pictures of that size; None where it does
    not, or is no rig.

    A calibration does not find it, so the next one carries it over.
    """
    try:
        table = read_toml(path)
        return focal_of(table.get("K")) if table.get("image_size") == list(image_size) else None
    except ConfigError:
        return None


def load_controls(path: Path) -> Controls:
    """What the camera of a rig's file is held to; empty where it says nothing of that.

    Raises ConfigError where a control is no number or list of numbers.
    """
    if path.suffix.lower() != ".toml":
        return {}
    table = read_toml(path).get("controls", {})
    if not isinstance(table, dict):
        raise ConfigError(f"{path}: controls is no table; calibrate the camera again")
    for key, value in table.items():
        parts = value if isinstance(value, list) else [value]
        if not all(isinstance(part, (int, float)) for part in parts):
            raise ConfigError(f"{path}: controls.{key} is {value!r}; allowed: numbers")
    return table


def _shown(value: float | Sequence[float]) -> str:
    return str(value if isinstance(value, (int, float)) else list(value))


def _replace(path: Path, data: bytes) -> None:
    """Whole or not at all: the table may read it while it is written."""
    new = path.with_name(path.name + ".new")
    new.write_bytes(data)
    os.replace(new, path)

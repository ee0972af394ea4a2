"""Finds the real table and the simulated bench by entry point; the command imports neither."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

from firmware_host.errors import DeviceNotFoundError

GROUP = "boxkeeper.backends"


def load_backend(name: str) -> Any:
    """What the entry point ``name`` (``table`` or ``bench``) of ``boxkeeper.backends`` names.

    Raises DeviceNotFoundError where no such backend is installed.
    """
    for entry in entry_points(group=GROUP, name=name):
        return entry.load()
    raise DeviceNotFoundError(f"no backend {name!r} is installed: pip install boxkeeper")

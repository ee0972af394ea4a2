"""Finds the real table, the simulated bench or somebody else's backend; the command imports none of them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

from firmware_host.errors import DeviceNotFoundError

GROUP = "boxkeeper.backends"
# The same as in pyproject.toml.  Looking them up there takes 10 ms, most of it the import of
# importlib.metadata, and people wait for the first picture; other packages' backends are looked up.
_OWN: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "table": ("hardware.backend", "open_backend"),
        "bench": ("sim.bench", ""),
        "live": ("sim.live", ""),
        "doctor": ("hardware.doctor", ""),
        "pinout": ("hardware.pinout", ""),
        "workshop": ("sim.workshop", ""),
    }
)


def load_backend(name: str) -> Any:
    """What ``name`` names: ``table``, ``bench``, ``live``, or an entry point of ``boxkeeper.backends``.

    Raises DeviceNotFoundError where no such backend is installed.
    """
    if name in _OWN:
        module, attribute = _OWN[name]
        loaded = import_module(module)
        return getattr(loaded, attribute) if attribute else loaded
    from importlib.metadata import entry_points

    for entry in entry_points(group=GROUP, name=name):
        return entry.load()
    raise DeviceNotFoundError(f"no backend {name!r} is installed: pip install boxkeeper")

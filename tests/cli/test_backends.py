"""Backends: our own are known by name, others are found by entry point."""

from __future__ import annotations

import importlib.metadata
import tomllib
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from firmware_host.cli.backends import GROUP, load_backend
from firmware_host.errors import DeviceNotFoundError

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
OWN = PROJECT["project"]["entry-points"][GROUP]


@pytest.mark.parametrize("name", OWN)
def test_our_own_are_those_of_the_project_file(name: str) -> None:
    module, _, attribute = OWN[name].partition(":")
    wanted = import_module(module)
    assert load_backend(name) is (getattr(wanted, attribute) if attribute else wanted)


def test_another_package_s_is_found_by_its_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    def entry_points(*, group: str, name: str) -> list[EntryPoint]:
        return [EntryPoint(name, "pathlib:Path", group)] if (group, name) == (GROUP, "other") else []

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    assert load_backend("other") is Path
    with pytest.raises(DeviceNotFoundError, match="no backend 'nobody'"):
        load_backend("nobody")

"""The counts among the benchmarks: the same on every machine, so that they can be held to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def bus() -> dict[str, dict[str, Any]]:
    """The figures of the display's bus, by name."""
    command = [sys.executable, str(Path(__file__).parent), "--only", "bus", "--json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    figures = [json.loads(line) for line in done.stdout.splitlines()]
    return {figure["name"].removeprefix("bus: "): figure for figure in figures}


def test_the_ten_commonest_changes_send_a_quarter_of_a_frame_in_the_mean(bus: dict[str, Any]) -> None:
    mean = next(figure for name, figure in bus.items() if name.startswith("the ten above"))
    assert mean["value"] <= mean["most"] == 274


def test_no_change_sends_nothing(bus: dict[str, Any]) -> None:
    assert bus["no change"]["value"] == 0


def test_no_change_sends_more_than_a_whole_frame(bus: dict[str, Any]) -> None:
    most = next(figure for name, figure in bus.items() if name.startswith("the most of all"))
    assert 0 < most["value"] <= 1096

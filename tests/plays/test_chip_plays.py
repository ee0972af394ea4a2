"""Plays of Sequence Dice hold over both chip boards, and tell the very same events."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli.main import main

HERE = Path(__file__).parent
# With switches a chip of the wrong colour is not seen, and a replacement is asked about.
ONLY_WITH_COLOURS = ("replace", "replace-wrong", "wrong-colour", "full-board", "replace-switches")
NAMES = sorted(path.stem for path in HERE.glob("chips-*.play"))
BOTH = [name for name in NAMES if name.removeprefix("chips-") not in ONLY_WITH_COLOURS]


def play(capsys: pytest.CaptureFixture[str], name: str, *settings: str) -> list[dict[str, Any]]:
    """The events, without moments and without the panel's text."""
    options = [word for setting in settings for word in ("--set", setting)]
    code = main(["bench", str(HERE / f"{name}.play"), "--json", *options])
    out, err = capsys.readouterr()
    assert code == 0, err
    events = [json.loads(line) for line in out.splitlines()]
    return [{**event, "t": 0, "reason": ""} for event in events if event["event"] != "screen"]


def test_there_are_plays() -> None:
    assert len(BOTH) >= 20


@pytest.mark.parametrize("name", [*BOTH, "sequence-dice"])
def test_a_play_holds_over_switches_and_tells_the_same(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert play(capsys, name, "chips.driver=matrix") == play(capsys, name)


@pytest.mark.parametrize("name", ONLY_WITH_COLOURS)
def test_a_play_holds_that_is_another_over_switches(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert play(capsys, f"chips-{name}")


@pytest.mark.parametrize("name", ["chips-place", "chips-replace", "chips-three"])
def test_a_play_holds_with_another_sensor_once_it_is_calibrated(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    config = tmp_path / "box.toml"
    assert (
        main(["calibrate", "chips", "--bench", "--set", "chips.sensor=ss49e", "--config", str(config)]) == 0
    )
    capsys.readouterr()
    code = main(["bench", str(HERE / f"{name}.play"), "--set", "chips.sensor=ss49e", "--config", str(config)])
    assert code == 0, capsys.readouterr().err

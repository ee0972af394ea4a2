"""``boxkeeper calibrate chips`` on the simulated box."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_host.cli.main import main
from firmware_host.config import load

Captured = pytest.CaptureFixture[str]


def test_the_rests_are_measured_and_written(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "box.toml"
    path.write_text("# mine\n[chips]\nsensor = 'ss49e'\n", encoding="utf-8")
    assert main(["calibrate", "chips", "--bench", "--json", "--config", str(path)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["key"], said["file"], said["backup"]) == ("chips.rest", str(path), f"{path}.bak")
    assert load(path).chips.rest == tuple(said["rest"])
    assert len(set(said["rest"])) > 30
    assert all(460 < count < 565 for count in said["rest"])
    assert path.read_text(encoding="utf-8").startswith("# mine\n")


def test_without_a_file_the_line_to_put_there_is_printed(capsys: Captured) -> None:
    assert main(["calibrate", "chips", "--bench"]) == 0
    section, line, note = capsys.readouterr().out.splitlines()
    assert section == "[chips]"
    assert len(json.loads(line.removeprefix("rest = "))) == 36
    assert note == "# not written: put it into your config, or give the file with --config"


def test_a_board_of_switches_has_nothing_to_measure(capsys: Captured) -> None:
    assert main(["calibrate", "chips", "--bench", "--set", "chips.driver=matrix"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "boxkeeper: chips.driver matrix: there is nothing to measure\n"


def test_help_shows_an_example(capsys: Captured) -> None:
    assert main(["calibrate", "chips", "-h"]) == 0
    assert "boxkeeper calibrate chips --config" in capsys.readouterr().out

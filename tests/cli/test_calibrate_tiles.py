"""``boxkeeper calibrate tiles`` on the simulated box, wired wrongly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli.main import main
from firmware_host.config import Config, load

Captured = pytest.CaptureFixture[str]
DEFAULT = {str(tile): bcm for tile, bcm in Config().tiles.pins.items()}


def learn(capsys: Captured, *argv: str) -> tuple[int, dict[str, Any], str]:
    code = main(["calibrate", "tiles", "--bench", "--json", *argv])
    out, err = capsys.readouterr()
    return code, json.loads(out) if out else {}, err


def test_a_box_wired_as_the_config_says_teaches_the_config(capsys: Captured) -> None:
    code, said, _ = learn(capsys, "--set", "rules.tiles=1-12")
    assert (code, said) == (0, {"key": "tiles.pins", "pins": DEFAULT, "file": None, "backup": None})


def test_crossed_wires_are_learned_and_written(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "box.toml"
    path.write_text("# mine\n[rules]\ntiles = '1-10'\n", encoding="utf-8")
    faults = ["--fault", "tile 5 as 6", "--fault", "tile 2 as 9"]
    code, said, err = learn(capsys, "--config", str(path), *faults)
    assert code == 0
    assert said["backup"] == f"{path}.bak"
    pins = load(path).tiles.pins
    assert [pins[tile] for tile in (2, 5, 6, 9)] == [26, 6, 5, 17]
    assert list(pins) == list(range(1, 11))
    assert path.read_text(encoding="utf-8").startswith("# mine\n")
    assert "shut 2 ... BCM 26, open 2 ... ok\n" in err


@pytest.mark.parametrize("fault", ["tile 5 stuck", "tile 5 with 6", "tile 5 flicker", "tile 5 shorted"])
def test_what_cannot_be_learned_is_not_written(tmp_path: Path, capsys: Captured, fault: str) -> None:
    path = tmp_path / "box.toml"
    code, said, err = learn(capsys, "--config", str(path), "--fault", fault)
    assert (code, said) == (1, {})
    assert "no input followed tile 5" in err
    assert not path.exists()


def test_without_a_file_the_lines_to_put_there_are_printed(capsys: Captured) -> None:
    assert main(["calibrate", "tiles", "--bench", "--set", "rules.tiles=1-9"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "[tiles]",
        "pins = { 1 = 4, 2 = 17, 3 = 27, 4 = 22, 5 = 5, 6 = 6, 7 = 13, 8 = 19, 9 = 26 }",
        "# not written: put it into your config, or give the file with --config",
    ]


def test_a_pico_has_its_inputs_in_its_firmware(capsys: Captured) -> None:
    assert main(["calibrate", "tiles", "--bench", "--set", "tiles.driver=serial"]) == 1
    assert "hardware/mcu/board.py" in capsys.readouterr().err


@pytest.mark.parametrize("argv", [["calibrate"], ["calibrate", "tiels"]])
def test_another_part_is_told_which_there_are(argv: list[str], capsys: Captured) -> None:
    assert main(argv) == 2
    assert "boxkeeper calibrate -h" in capsys.readouterr().err
    assert main(["calibrate", "-h"]) == 0
    assert "calibrate tiles -h" in capsys.readouterr().out

"""``boxkeeper doctor`` on a simulated computer, with each fault put in and found with its mend."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli.main import main
from sim.false_pi import FAULTS

Captured = pytest.CaptureFixture[str]
Findings = list[dict[str, Any]]


def looked(capsys: Captured, *argv: str) -> tuple[int, Findings]:
    code = main(["doctor", "--bench", "--json", *argv])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def bad(findings: Findings) -> list[tuple[str, str]]:
    return [(line["grade"], line["part"]) for line in findings if line["grade"] != "ok"]


ALL = {"lamps.driver": "mcp23017", "buzzer.driver": "gpio", "expander.interrupt": "4"}


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"tiles.driver": "mcp23017", **ALL},
        {"tiles.driver": "serial", "dice.source": "serial", "lamps.driver": "serial"},
        {"buzzer.driver": "serial"},
        {"lamps.driver": "serial"},
        {"display.bus": "spi0.0", "display.controller": "sh1106"},
        {"display.controller": "none"},
    ],
    ids=str,
)
def test_where_nothing_is_wrong_every_line_is_ok(capsys: Captured, settings: dict[str, str]) -> None:
    code, findings = looked(capsys, *(f"--set={key}={value}" for key, value in settings.items()))
    assert (code, bad(findings)) == (0, [])
    parts = {line["part"] for line in findings}
    assert parts >= {
        "config", "board", "system", "python", "service", "pins", "serial", "camera", "power", "disk",
        "overlay", "clock",
    }  # fmt: skip


# Fault -> grade, part, what is said, and a word of the mend; the second: which setting it needs.
CASES: dict[str, tuple[str, str, str, str]] = {
    "no board": ("wrong", "board", "not a Raspberry Pi", "--bench"),
    "another board": ("wrong", "board", "Orange Pi Zero3", "--bench"),
    "power low": ("wrong", "power", "too low now", "5.1 V"),
    "power was low": ("warning", "power", "too low since the start", "5.1 V"),
    "power hot": ("warning", "power", "too hot", "air"),
    "power unknown": ("warning", "power", "not known", ""),
    "overlay": ("wrong", "overlay", "gone after a power cut", "disable_overlayfs"),
    "overlay with a disk": ("ok", "overlay", "is read-only (overlay), /var/lib/boxkeeper is not", ""),
    "clock unset": ("warning", "clock", "not set", "network"),
    "i2c slow": ("warning", "i2c-1", "100 kHz: a whole picture takes 99 ms", "i2c_arm_baudrate=400000"),
    "i2c off": ("wrong", "i2c-1", "there is no /dev/i2c-1", "enable I2C"),
    "i2c denied": ("wrong", "i2c-1", "no permission for /dev/i2c-1", "group i2c"),
    "i2c held": ("wrong", "i2c-1", "SDA or SCL is held at 0 V", "short"),
    "i2c hangs": ("wrong", "i2c", "no answer within 4 s", "unplug"),
    "serial gone": ("wrong", "serial", "no board 2e8a:0005", "MicroPython"),
    "serial another": ("wrong", "serial", "there is /dev/ttyACM0 (1a86:7523)", "MicroPython"),
    "serial denied": ("wrong", "serial", "the group dialout", 'ATTRS{idVendor}=="2e8a"'),
    "camera gone": ("ok", "camera", "none; not used", ""),
    "camera held": ("ok", "camera", "not used", ""),
    "chip held": ("ok", "pins", "15 lines free", ""),
    "camera denied": ("ok", "camera", "not used", ""),
    "service runs": ("ok", "pins", "held by the service (pid 812)", ""),
    "service starts": ("warning", "pins", "(pid 813) runs and holds none of its 15 lines yet", "journalctl"),
    "service hidden": ("wrong", "service", "own.conf has PrivateDevices", "daemon-reload"),
    "service missing": ("ok", "service", "not installed", ""),
    "python old": ("wrong", "python", "3.9.2 is not supported", "3.11 to 3.13"),
    "pillow new": ("wrong", "python", "Pillow 14.0.0", "pillow<14"),
    "two rpigpio": ("wrong", "python", "RPi.GPIO and rpi-lgpio", "uninstall"),
    "disk full": ("wrong", "disk", "3 MB free", "delete"),
    "disk little": ("warning", "disk", "90 MB free", "delete"),
    "disk denied": ("wrong", "disk", "cannot be written", "user that runs the service"),
    "pins denied": ("wrong", "pins", "/dev/gpiochip0 cannot be opened", "group gpio"),
    "pins hang": ("wrong", "pins", "no answer within 4 s", "unplug"),
    "pin 4 held": ("wrong", "pins", "tile 1: BCM 4 (header pin 7) is held by 'onewire@0'", "dtoverlay"),
    "backend gone": ("wrong", "pins", "lgpio is not installed", "apt install python3-lgpio"),
    "pins without edges": ("warning", "pins", "polling, because tile 1 on BCM 4", "lgpio"),
    "oled gone": ("wrong", "i2c-1", "does not answer at 0x3c; what answers: nothing", "SDA (pin 3)"),
}
SERIAL = ("--set=tiles.driver=serial", "--set=dice.source=serial")


def test_every_fault_of_a_computer_has_its_case() -> None:
    assert {re.sub("^pin 4", "pin N", fault) for fault in CASES} >= set(FAULTS)


@pytest.mark.parametrize("fault", CASES)
def test_each_fault_is_found_where_it_is_with_its_mend(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    # As on a Pi, whatever the machine of the test lets us write.
    monkeypatch.setattr("firmware_host.config.default_store_dir", lambda: Path("/var/lib/boxkeeper"))
    grade, part, text, mend = CASES[fault]
    settings = SERIAL if fault.startswith("serial") else ()
    code, findings = looked(capsys, f"--fault={fault}", *settings)
    told = [line for line in findings if line["part"] == part and text in line["text"]]
    assert told, findings
    assert told[0]["grade"] == grade
    assert mend in told[0]["mend"]
    assert {other for _, other in bad(findings)} <= {part}
    assert code == (grade == "wrong")


def test_an_expander_that_does_not_answer_is_named_with_what_does(capsys: Captured) -> None:
    code, findings = looked(capsys, "--set=tiles.driver=mcp23017", "--fault=oled gone")
    assert code == 1
    texts = [line["text"] for line in findings if line["part"] == "i2c-1"]
    assert texts == ["the OLED (display.address) does not answer at 0x3c; what answers: 0x20"]


def test_a_line_held_by_another_is_told_beside_those_of_the_service(capsys: Captured) -> None:
    code, findings = looked(capsys, "--fault=service runs", "--fault=pin 17 held")
    texts = [(line["grade"], line["text"][:40]) for line in findings if line["part"] == "pins"]
    assert (code, texts) == (
        1,
        [
            ("ok", "14 of 15 held by the service (pid 812), "),
            ("wrong", "tiles.pins for tile 2: BCM 17 (header pi"),
        ],
    )


def test_the_program_that_holds_a_line_is_named_where_it_can_be_seen(capsys: Captured) -> None:
    _, findings = looked(capsys, "--fault=pin 4 held", "--fault=chip held")
    (text,) = [line["text"] for line in findings if line["part"] == "pins"]
    assert text.endswith("is held by 'onewire@0' (pigpiod, pid 700)")


def test_lines_that_the_kernel_does_not_see_are_left_to_the_service(capsys: Captured) -> None:
    code, findings = looked(capsys, "--fault=service starts", "--set=tiles.backend=rpigpio")
    assert code == 0
    (text,) = [line["text"] for line in findings if line["part"] == "pins"]
    assert text.startswith("left to the service (pid 813)")


def test_a_config_that_is_wrong_is_a_finding_and_the_rest_is_looked_at(
    capsys: Captured, tmp_path: Path
) -> None:
    path = tmp_path / "box.toml"
    path.write_text('[expander]\npins = { 1 = "GPA7" }\n', encoding="utf-8")
    code, findings = looked(capsys, f"--config={path}")
    assert code == 1
    assert findings[0]["part"] == "config"
    assert "GPA7 may not be an input, see the data sheet" in findings[0]["text"]
    assert len(findings) > 10


def test_a_person_reads_a_line_a_finding_and_another_for_its_mend(capsys: Captured) -> None:
    assert main(["doctor", "--bench", "--fault", "clock unset"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "ok       config    the defaults"
    at = lines.index("warning  clock     not set since the start: dates may be wrong by years")
    assert lines[at + 1].startswith("                   -> let the network come")


def test_another_fault_is_told_which_there_are(capsys: Captured) -> None:
    assert main(["doctor", "--bench", "--fault", "mood bad"]) == 2
    assert "'mood bad' is no fault; allowed:" in capsys.readouterr().err


def test_on_any_machine_it_ends_and_says_what_is_not_there(capsys: Captured) -> None:
    assert main(["doctor", "--json"]) in (0, 1)
    assert {json.loads(line)["grade"] for line in capsys.readouterr().out.splitlines()} >= {"ok"}

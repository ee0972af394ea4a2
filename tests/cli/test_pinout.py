"""``boxkeeper pinout``: the wiring of a config on its boards, in the terminal."""

from __future__ import annotations

import json
import re

import pytest

from firmware_host.cli.main import main

Captured = pytest.CaptureFixture[str]
EVERYTHING = (
    ("tiles.driver=mcp23017", "expander.interrupt=4", "lamps.driver=mcp23017", "buzzer.driver=gpio"),
    ("tiles.driver=serial", "dice.source=serial", "lamps.driver=serial", "buzzer.driver=serial"),
    ("display.bus=spi0.0", "display.controller=sh1106", "rules.tiles=1-12"),
    (),
)


def drawn(capsys: Captured, *settings: str) -> str:
    assert main(["pinout", *(f"--set={setting}" for setting in settings)]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("settings", EVERYTHING, ids=" ".join)
def test_it_fits_into_80_columns_of_plain_text(capsys: Captured, settings: tuple[str, ...]) -> None:
    text = drawn(capsys, *settings)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 80
    assert [line for line in text.splitlines() if line != line.rstrip()] == []


def test_the_usual_box_is_drawn_on_the_header(capsys: Captured) -> None:
    lines = drawn(capsys).splitlines()
    assert len(lines) == 1 + 22
    assert "tile 4 ------------------- BCM 22 | 15   16 | BCM 23 --------------------- roll" in lines
    assert not [line for line in lines if "tile 10" in line]  # nine are played with


def test_pins_of_ones_own_are_where_the_config_has_them(capsys: Captured) -> None:
    text = drawn(capsys, "tiles.pins=1=12,2=18", "buttons.roll=7", "rules.tiles=1,2")
    assert re.search(r"BCM 12 -+ tile 1$", text, re.MULTILINE)
    assert re.search(r"BCM 18 -+ tile 2$", text, re.MULTILINE)
    assert re.search(r"BCM 7  -+ roll$", text, re.MULTILINE)


def test_a_pin_with_many_wires_has_them_all_below(capsys: Captured) -> None:
    text = drawn(capsys, *EVERYTHING[0])
    assert "pin 9: MCP23017 VSS A0 A1 A2, MCP23017 (lamps) VSS A1 A2" in text


def test_an_expander_and_a_pico_are_drawn_beside_it(capsys: Captured) -> None:
    assert re.search(r"INTA +-+ Pi BCM 4$", drawn(capsys, *EVERYTHING[0]), re.MULTILINE)
    text = drawn(capsys, *EVERYTHING[1])
    assert re.search(r"^roll -+ +GP12 \| 16", text, re.MULTILINE)
    assert "beside: USB cable" in text


@pytest.mark.parametrize("settings", EVERYTHING, ids=" ".join)
def test_as_json_it_is_every_pin_of_every_board(capsys: Captured, settings: tuple[str, ...]) -> None:
    assert main(["pinout", "--json", *(f"--set={setting}" for setting in settings)]) == 0
    boards = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [pin["pin"] for pin in boards[0]["pins"]] == list(range(1, 41))
    wired = [name for board in boards for pin in board["pins"] for name in pin["wired"]]
    assert {"tile 1", "roll"} <= set(wired)


def test_on_a_terminal_it_is_in_colour(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    text = drawn(capsys)
    assert "\x1b[31m5 V" in text
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert "tile 4 ------------------- BCM 22 | 15   16 | BCM 23 --------------------- roll" in plain

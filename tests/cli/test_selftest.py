"""``boxkeeper selftest`` on the simulated box, with each fault built in and found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from firmware_host.cli.main import main

Captured = pytest.CaptureFixture[str]


def found(capsys: Captured, *argv: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """The exit code, and what was found, by part."""
    code = main(["selftest", "--bench", "--json", *argv])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len({line["part"] for line in lines}) == len(lines)
    return code, {line["part"]: line for line in lines}


def bad(findings: dict[str, dict[str, Any]]) -> dict[str, str]:
    return {part: line["text"] for part, line in findings.items() if line["grade"] != "ok"}


def test_on_a_good_box_all_is_well(capsys: Captured) -> None:
    code, findings = found(capsys, "--set", "rules.tiles=1-12")
    buttons, tiles = ["button roll", "button next", "button back"], [f"tile {n}" for n in range(1, 13)]
    assert (code, list(findings), bad(findings)) == (0, [*buttons, *tiles, "oled"], {})


@pytest.mark.parametrize(
    ("fault", "text", "mend"),
    [
        ("tile 5 latch", "never releases", "a latch (US1881, many KY-003)? Use a DRV5033"),
        ("tile 5 stuck", "never changes", "always reads open, 3.3 V: no magnet in reach"),
        ("tile 5 shorted", "never changes", "always reads shut, 0 V: shorted to GND, no pull-up"),
        ("tile 5 inverted", "inverted", "the sensor must pull its line low (DRV5033)"),
        ("tile 5 flicker", "flickers at rest", "a loose wire"),
        ("button next latch", "never releases", "use a push button"),
        ("button next stuck", "never changes", "never closed"),
        ("button next shorted", "never changes", "always closed"),
        ("button next inverted", "inverted", "normally open"),
        ("button next flicker", "flickers at rest", "a loose wire"),
    ],
)
def test_a_fault_of_one_input_is_found_there_and_nowhere_else(
    capsys: Captured, fault: str, text: str, mend: str
) -> None:
    code, findings = found(capsys, "--fault", fault)
    part = " ".join(fault.split()[:2])
    assert (code, bad(findings)) == (1, {part: text})
    assert mend in findings[part]["mend"]


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (
            "tile 5 with 6",
            {"tile 5": "changes together with tile 6", "tile 6": "changes together with tile 5"},
        ),
        ("tile 5 as 6", {"tile 5": "tile 6 changes instead", "tile 6": "tile 5 changes instead"}),
        (
            "button roll with back",
            {
                "button roll": "changes together with button back",
                "button back": "changes together with button roll",
            },
        ),
        (
            "button roll as back",
            {"button roll": "button back changes instead", "button back": "button roll changes instead"},
        ),
    ],
)
def test_a_fault_of_two_names_both(capsys: Captured, fault: str, expected: dict[str, str]) -> None:
    code, findings = found(capsys, "--fault", fault)
    assert (code, bad(findings)) == (1, expected)
    assert all(findings[part]["mend"] for part in expected)


def test_a_long_bounce_is_a_warning_with_its_time(capsys: Captured) -> None:
    code, findings = found(capsys, "tiles", "--fault", "tile 5 bounce 95ms")
    assert (code, bad(findings)) == (0, {"tile 5": "bounces too long, 95 ms (more than 60)"})


def test_a_panel_that_is_not_there_is_told_and_the_rest_is_tried(capsys: Captured) -> None:
    code, findings = found(capsys, "--fault", "oled gone")
    assert code == 1
    assert list(bad(findings)) == ["oled"]
    assert findings["oled"]["mend"] == "boxkeeper doctor says what is there"


def test_two_faults_at_once_are_two(capsys: Captured) -> None:
    _, findings = found(capsys, "tiles", "--fault", "tile 2 latch", "--fault", "tile 9 stuck")
    assert bad(findings) == {"tile 2": "never releases", "tile 9": "never changes"}


def test_a_person_reads_what_to_do_and_what_came_of_it(capsys: Captured) -> None:
    assert main(["selftest", "tiles", "--bench", "--fault", "tile 4 latch", "--set", "rules.tiles=3,4"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "open all tiles (Enter: done) ... hands off, 3 s ...",
        "tile 3       shut 3 ... open 3 ... ok, 8 ms",
        "tile 4       shut 4 ... open 4 ... wrong: never releases",
        "             -> a latch (US1881, many KY-003)? Use a DRV5033; or a neighbour's magnet holds it",
        "to mend: tile 4",
    ]


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["lights"], "'lights' is no part; allowed: buttons, tiles, oled, lamps, buzzer"),
        (["--bench", "--fault", "tile 5 asleep"], "'tile 5 asleep' is no fault; allowed:"),
        (["--bench", "--fault", "tile 12 stuck"], "'tile 12 stuck': the box has no tile 12"),
        (["--bench", "--fault", "button reset stuck"], "the box has no button reset"),
    ],
)
def test_wrong_use_is_one_line(capsys: Captured, argv: list[str], said: str) -> None:
    assert main(["selftest", *argv]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_without_pins_each_part_says_so_in_a_line(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    from firmware_host.errors import DeviceBusyError, DeviceNotFoundError
    from hardware.buses import Buses

    def held(*_: object) -> None:
        raise DeviceBusyError("tile 1 on BCM 4 (header pin 7): busy, held by 'lg' (boxkeeper, pid 812)")

    def no_bus(*_: object) -> None:
        raise DeviceNotFoundError("there is no I2C bus /dev/i2c-1")

    monkeypatch.setattr(Buses, "pins", held)
    monkeypatch.setattr(Buses, "i2c", no_bus)
    assert main(["selftest", "--json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["part"] for line in lines] == ["buttons", "tiles", "oled"]
    assert "sudo systemctl stop boxkeeper" in lines[0]["mend"]


@pytest.mark.parametrize(
    "settings",
    [
        ("tiles.driver=mcp23017",),
        ("tiles.driver=mcp23017", "expander.interrupt=4"),
        ("tiles.driver=serial", "dice.source=serial"),
    ],
    ids=" ".join,
)
def test_it_is_the_same_however_the_tiles_are_wired(capsys: Captured, settings: tuple[str, ...]) -> None:
    options = [word for setting in settings for word in ("--set", setting)]
    code, findings = found(capsys, *options, "--fault", "tile 3 latch", "--fault", "tile 5 as 6")
    assert code == 1
    assert bad(findings) == {
        "tile 3": "never releases",
        "tile 5": "tile 6 changes instead",
        "tile 6": "tile 5 changes instead",
    }


@pytest.mark.parametrize("configured", ["ssd1306", "sh1106"])
def test_the_test_card_shows_another_controller(capsys: Captured, configured: str) -> None:
    settings = ("oled", "--set", f"display.controller={configured}")
    assert found(capsys, *settings)[0] == 0
    code, findings = found(capsys, *settings, "--fault", "oled another")
    assert (code, bad(findings)) == (1, {"oled": "the test card is not whole"})
    assert "Set display.controller" in findings["oled"]["mend"]


@pytest.mark.parametrize("driver", ["mcp23017", "serial"])
def test_a_dead_lamp_is_found(capsys: Captured, driver: str) -> None:
    settings = ("lamps", "--set", f"lamps.driver={driver}")
    assert found(capsys, *settings)[0] == 0
    assert bad(found(capsys, *settings, "--fault", "lamp 4 dead")[1]) == {"lamp 4": "not lit alone"}


@pytest.mark.parametrize("driver", ["gpio", "serial"])
def test_a_dead_buzzer_is_found(capsys: Captured, driver: str) -> None:
    settings = ("buzzer", "--set", f"buzzer.driver={driver}")
    assert found(capsys, *settings)[0] == 0
    assert bad(found(capsys, *settings, "--fault", "buzzer dead")[1]) == {"buzzer": "not heard"}


def test_a_person_says_yes_or_no_and_where_nobody_sits_it_is_a_warning(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    from hardware.backend import DeviceSet
    from sim.buses import SimBuses
    from sim.world import World

    def backend(config: Any) -> DeviceSet:
        import asyncio

        world = World(asyncio.get_running_loop(), config.rules.tiles)
        return DeviceSet(config, SimBuses(world, {}), world.chance)

    monkeypatch.setattr("hardware.backend.open_backend", backend)
    for typed, grade, code in (("what?\ny\n", "ok", 0), ("no\n", "wrong", 1), ("", "warning", 0)):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        assert main(["selftest", "oled", "--json"]) == code
        assert json.loads(capsys.readouterr().out)["grade"] == grade

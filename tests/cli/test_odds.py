"""``boxkeeper odds``: what it prints, and how it is called wrongly."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest

from firmware_host.cli.main import main

Capture = pytest.CaptureFixture[str]


def answer(capsys: Capture, line: str) -> dict[str, Any]:
    """What ``boxkeeper odds`` prints as JSON."""
    assert main(["odds", *line.split(), "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.count("\n") == 1
    found = json.loads(out)
    assert isinstance(found, dict)
    return found


def test_the_value_before_the_roll_as_json(capsys: Capture) -> None:
    assert answer(capsys, "123456789 --aim shut") == {
        "position": "123456789",
        "aim": "shut",
        "value": float(Fraction(956177159, 9795520512)),
        "exact": "956177159/9795520512",
        "dice": {"2": float(Fraction(956177159, 9795520512))},
    }


def test_the_expected_score_is_the_default(capsys: Capture) -> None:
    found = answer(capsys, "123456789")
    assert found["aim"] == "score"
    assert found["value"] == pytest.approx(11.0092085932, abs=5e-11)


def test_only_the_dice_that_are_allowed(capsys: Capture) -> None:
    assert set(answer(capsys, "123456---")["dice"]) == {"1", "2"}
    assert set(answer(capsys, "123456--- --set rules.one_die=never")["dice"]) == {"2"}
    assert set(answer(capsys, "123456--- --set rules.one_die_compulsory=true")["dice"]) == {"1"}
    assert answer(capsys, "---------")["dice"] == {}


def test_a_target_to_beat(capsys: Capture) -> None:
    found = answer(capsys, "------789 --aim beat:24")
    assert found["aim"] == "beat:24"
    assert Fraction(found["exact"]) == Fraction(1, 2) + Fraction(15, 36) / 2  # a roll of 7, 8 or 9


def test_a_roll_and_its_moves_best_first(capsys: Capture) -> None:
    found = answer(capsys, "123456789 --roll 3 5 --aim shut")
    assert found["moves"][0]["shut"] == [8]
    values = [move["value"] for move in found["moves"]]
    assert values == sorted(values, reverse=True)
    assert all(float(Fraction(move["exact"])) == move["value"] for move in found["moves"])
    assert len(values) == 6
    assert found["best"] == [[8]]
    assert found["roll_value"] == values[0]
    assert found["roll_exact"] == found["moves"][0]["exact"]
    assert found["exact"] == "956177159/9795520512", "of the position, whatever was rolled"


def test_every_tie_is_best(capsys: Capture) -> None:
    found = answer(capsys, "123456789 --roll 3 5 --aim beat:100")
    assert len(found["best"]) == len(found["moves"]) == 6


def test_a_roll_without_a_set_is_an_answer(capsys: Capture) -> None:
    found = answer(capsys, "-2----7-- --roll 6")
    assert (found["roll_value"], found["roll_exact"], found["moves"], found["best"]) == (9.0, "9", [], [])
    assert main(["odds", "-2----7--", "--roll", "6"]) == 0
    assert capsys.readouterr().out == "expected score: 9.0000 = 9\nno legal set: the turn is over\n"


@pytest.mark.parametrize(
    ("aim", "value"), [("shut", "1"), ("score", "0"), ("beat:1", "1"), ("beat:0", "1/2"), ("stay-open", "1")]
)
def test_a_shut_box(capsys: Capture, aim: str, value: str) -> None:
    found = answer(capsys, f"--------- --aim {aim}")
    assert found["exact"] == value


def test_what_people_read(capsys: Capture) -> None:
    assert main(["odds", "12345----", "--aim", "shut"]) == 0
    assert capsys.readouterr().out == (
        "chance to shut the box: 24.4831% = 68537/279936\n"
        "  one die    22.3877%\n"
        "  two dice   24.4831%  best\n"
    )
    assert main(["odds", "12345----", "--roll", "3", "4"]) == 0
    assert capsys.readouterr().out == (
        "expected score: 3.8102 = 823/216\n  3 4      3.8102  best\n  2 5      4.3627\n  1 2 4    6.0648\n"
    )


def test_the_rules_come_from_the_settings(capsys: Capture) -> None:
    never = answer(capsys, "123456789 --aim shut --set rules.one_die=never")
    assert never["exact"] == "466473281/6530347008"
    six = answer(capsys, "123456 --aim shut --set rules.tiles=1-6 --set rules.one_die_compulsory=true")
    assert six["exact"] == "145/1944"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("", "required: position"),
        ("12345678", "has 8 characters, the tiles 1-9 need 9"),
        ("123456789 --aim win", "aim 'win': allowed: shut, score, beat:N"),
        ("123456789 --aim beat", "aim 'beat': allowed: shut, score, beat:N"),
        ("123456789 --aim beat:-3", "aim 'beat:-3': allowed: shut, score, beat:N"),
        ("123456789 --aim", "--aim: expected one argument"),
        ("123456789 --roll", "--roll: expected at least one argument"),
        ("123456789 --roll 7", "'7' is none of 1 to 6"),
        ("123456789 --roll 1 2 3", "one or two values from 1 to 6"),
        ("123456789 3 5", "unrecognized arguments: 3 5"),
        ("123456789 --set rules.tile=1-10", "did you mean rules.tiles?"),
        ("123456789 --set rules.game=sequence-dice", "for shut-the-box, not for rules.game sequence-dice"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(capsys: Capture, line: str, what: str) -> None:
    assert main(["odds", *line.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("boxkeeper: ")
    assert what in err
    assert err.count("\n") == 1


def test_without_numpy_it_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None; from firmware_host.cli.main import main;"
        "sys.exit(main(['odds', '123456789']))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "numpy" in done.stderr
    assert "pip install numpy" in done.stderr


def test_help_shows_an_example(capsys: Capture) -> None:
    assert main(["odds", "-h"]) == 0
    assert "boxkeeper odds 123456789" in capsys.readouterr().out

"""``boxkeeper legal``: what it prints, and how it is called wrongly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_host.cli.main import main

Capture = pytest.CaptureFixture[str]


def answer(capsys: Capture, line: str) -> dict[str, object]:
    """What ``boxkeeper legal`` prints as JSON."""
    assert main(["legal", *line.split(), "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.count("\n") == 1
    found = json.loads(out)
    assert isinstance(found, dict)
    return found


def refusal(capsys: Capture, line: str) -> str:
    """The one line that is said of wrong use."""
    assert main(["legal", *line.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("boxkeeper: ")
    assert err.count("\n") == 1
    return err


def test_the_sets_for_a_roll_as_json(capsys: Capture) -> None:
    assert answer(capsys, "123456789 3 5") == {
        "position": "123456789",
        "dice": [3, 5],
        "legal": [[8], [1, 7], [2, 6], [3, 5], [1, 2, 5], [1, 3, 4]],
    }


def test_the_sets_for_a_roll_as_text(capsys: Capture) -> None:
    assert main(["legal", "123456789", "3", "5"]) == 0
    assert capsys.readouterr().out == "8\n1 7\n2 6\n3 5\n1 2 5\n1 3 4\n"


def test_no_set_is_an_answer(capsys: Capture) -> None:
    assert main(["legal", "-2----7--", "6"]) == 0
    assert capsys.readouterr().out == "no legal set: the turn is over\n"
    assert answer(capsys, "-2----7-- 6")["legal"] == []


def test_one_number_is_one_die(capsys: Capture) -> None:
    assert answer(capsys, "12------- 3") == {"position": "12-------", "dice": [3], "legal": [[1, 2]]}


def test_whether_so_many_dice_may_be_thrown_is_not_its_question(capsys: Capture) -> None:
    assert answer(capsys, "123456789 3")["legal"] == [[3], [1, 2]]


@pytest.mark.parametrize(
    ("line", "position", "legal"),
    [
        ("-2----7-- 3 4", "-2----7--", [[7]]),
        ("--------- 3 4", "---------", []),
        ("--3456789 3", "--3456789", [[3]]),
        ("---------a-c 6 6 --set rules.tiles=1-12", "---------A-C", [[12]]),
        ("--c 6 6 --set rules.tiles=1,2,12", "--C", [[12]]),
        ("- 3 --set rules.tiles=3", "-", []),
        ("-- 3 --set rules.tiles=2,3", "--", []),
        ("-- 3 4 --set rules.tiles=2,3", "--", []),
        ("-3 3 --set rules.tiles=2,3", "-3", [[3]]),
        ("--json -2----7-- 3 4", "-2----7--", [[7]]),
        ("--set rules.tiles=1-9 -2----7-- 3 4", "-2----7--", [[7]]),
        ("-2----7-- 3 --set rules.tiles=1-9 4", "-2----7--", [[7]]),
    ],
)
def test_a_position_may_begin_with_a_shut_tile(
    capsys: Capture, line: str, position: str, legal: list[list[int]]
) -> None:
    found = answer(capsys, line)
    assert (found["position"], found["legal"]) == (position, legal)


@pytest.mark.parametrize("position", ["-2----7--", "123456789", "---------"])
def test_the_usual_mark_before_the_position_is_understood(capsys: Capture, position: str) -> None:
    assert main(["legal", "--json", "--", position, "3", "4"]) == 0
    assert json.loads(capsys.readouterr().out)["position"] == position


def test_lower_case_is_read_and_upper_case_written(capsys: Capture) -> None:
    found = answer(capsys, "123456789abc 5 6 --set rules.tiles=1-12")
    assert found["position"] == "123456789ABC"


@pytest.mark.parametrize(
    ("settings", "legal"),
    [
        ("rules.sets=at-most-two", [[8], [1, 7], [2, 6], [3, 5]]),
        ("rules.sets=thai", [[3], [5], [8]]),
        ("rules.first_roll=2-to-go", [[2, 6], [1, 2, 5]]),
        ("rules.preset=thai", [[3], [5], [8]]),
        ("rules.preset=thai --set rules.sets=at-most-two", [[8], [1, 7], [2, 6], [3, 5]]),
    ],
)
def test_the_rules_come_from_the_settings(capsys: Capture, settings: str, legal: list[list[int]]) -> None:
    assert answer(capsys, f"123456789 3 5 --set {settings}")["legal"] == legal


def test_the_rules_come_from_a_file_and_from_what_is_set_above_it(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "pub.toml"
    path.write_text('[rules]\ntiles = "1-10"\nsets = "thai"\n')
    assert answer(capsys, f"123456789A 4 6 --config {path}")["legal"] == [[4], [6], [10]]
    found = answer(capsys, f"123456789A 4 6 --config {path} --set rules.sets=at-most-two")
    assert found["legal"] == [[10], [1, 9], [2, 8], [3, 7], [4, 6]]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("", "required: position, die"),
        ("123456789", "required: die"),
        ("12345678 3 5", "has 8 characters, the tiles 1-9 need 9"),
        ("12345678A 3 5", "'A' where tile 9 is '9' or '-'"),
        ("-2----7 3 5", "has 7 characters"),
        ("123456789 7", "'7' is none of 1 to 6"),
        ("123456789 0 5", "'0' is none of 1 to 6"),
        ("123456789 -1 5", "'-1' is none of 1 to 6"),
        ("123456789 x", "'x' is none of 1 to 6"),
        ("123456789 1 2 3", "one or two values from 1 to 6"),
        ("123456789 3 5 --dice 2", "unrecognized arguments: --dice"),
        ("123456789 3 5 --js", "unrecognized arguments: --js"),
        ("123456789 3 5 --set", "--set: expected one argument"),
        ("123456789 3 5 --set rules.tile=1-10", "did you mean rules.tiles?"),
        ("123456789 3 5 --set rules.sets=three", "allowed: any, at-most-two, thai"),
        ("123456789 3 5 --set rules.preset=house", "allowed: masters, pub, cards"),
        ("123456789 3 5 --set match.limit=45", "match.limit has no meaning in match.kind one-round"),
        ("123456789 3 5 --config /nowhere.toml", "/nowhere.toml: cannot be read"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(capsys: Capture, line: str, what: str) -> None:
    assert what in refusal(capsys, line)


# Sequence Dice

BOARD = "--set rules.game=sequence-dice"
EMPTY = "....../....../....../....../....../......"
THREES = ".b..../.....g/....../....../b...../....g."


def test_the_squares_for_a_roll_as_json(capsys: Capture) -> None:
    found = answer(capsys, f"{EMPTY} 1 2 {BOARD} --to-move g")
    assert found["position"] == EMPTY
    assert found["dice"] == [1, 2]
    assert found["legal"] == [{"do": "place", "cell": cell} for cell in ([0, 1], [1, 5], [4, 0], [5, 4])]


@pytest.mark.parametrize(
    ("line", "do", "cells"),
    [
        (f"{THREES} 2 1 --to-move g", "replace", [[0, 1], [4, 0]]),
        (f"{THREES} 2 1 --to-move blue", "replace", [[1, 5], [5, 4]]),
        (f"{THREES} 5 5 --to-move b", "remove", [[1, 5], [5, 4]]),
        (f"{THREES} 6 6 --to-move r", "place", [[2, 2], [2, 3], [3, 2], [3, 3]]),
        (f"{EMPTY} 4 6 --to-move g", "pass", [None]),
    ],
)
def test_what_a_roll_asks_for(capsys: Capture, line: str, do: str, cells: list[object]) -> None:
    assert answer(capsys, f"{line} {BOARD}")["legal"] == [{"do": do, "cell": cell} for cell in cells]


def test_the_squares_as_text(capsys: Capture) -> None:
    assert main(["legal", *f"{THREES} 5 5 {BOARD} --to-move g".split()]) == 0
    assert capsys.readouterr().out == "remove r0c1\nremove r4c0\n"
    assert main(["legal", *f"{EMPTY} 5 5 {BOARD} --to-move g".split()]) == 0
    assert capsys.readouterr().out == "pass: nothing can be done\n"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (f"{EMPTY} 1 2 {BOARD}", "--to-move g, b or r"),
        (f"{EMPTY} 1 2 {BOARD} --to-move yellow", "'yellow'"),
        (f"{EMPTY} 3 {BOARD} --to-move g", "two dice"),
        (f"{EMPTY} 1 2 3 {BOARD} --to-move g", "two dice"),
        (f"123456789 1 2 {BOARD} --to-move g", "6 rows with / between them"),
        (f"{EMPTY}/ 1 2 {BOARD} --to-move g", "6 rows with / between them"),
        ("123456789 1 2 --to-move g", "--set rules.game=sequence-dice"),
        (f"{EMPTY} 1 2 --to-move g", "--set rules.game=sequence-dice"),
    ],
)
def test_wrong_use_for_the_board_is_one_line(capsys: Capture, line: str, what: str) -> None:
    assert what in refusal(capsys, line)


def test_help_shows_an_example(capsys: Capture) -> None:
    assert main(["legal", "-h"]) == 0
    out = capsys.readouterr().out
    assert "boxkeeper legal 123456789 3 5" in out
    assert "--config FILE" in out
    assert "--set KEY=VALUE" in out


def test_the_example_of_sequence_dice_finds_squares(capsys: Capture) -> None:
    assert main(["legal", "-h"]) == 0
    example = next(
        line.split()[1:] for line in capsys.readouterr().out.splitlines() if "game=sequence" in line
    )
    assert main(example) == 0
    assert capsys.readouterr().out.startswith("place r1c1\n")

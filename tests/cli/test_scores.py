"""``boxkeeper scores``: the people, and a match turn by turn."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli.columns import aligned
from firmware_host.cli.main import main
from firmware_host.store.files import FILE_NAME
from firmware_host.store.projection_sql import LAST_DECISIONS

Capture = pytest.CaptureFixture[str]
PLAY = """\
set match.stake 5
set dice.source none
players Ann 李
shut 1 2 3 4 5 6
press next
open all
shut all
"""


@pytest.fixture
def store(tmp_path: Path, capsys: Capture) -> Path:
    """A folder where one match was played: Ann left 24, 李 shut the box."""
    play, folder = tmp_path / "my.play", tmp_path / "store"
    play.write_text(PLAY)
    assert main(["bench", str(play), "--set", f"store.dir={folder}"]) == 0
    capsys.readouterr()
    return folder


def scores(capsys: Capture, store: Path, *argv: str, code: int = 0) -> str:
    """What is printed; the error where ``code`` is not 0."""
    assert main(["scores", *argv, "--set", f"store.dir={store}"]) == code
    out, err = capsys.readouterr()
    assert (out if code else err) == ""
    return err if code else out


def test_the_people_as_json_the_winner_first(capsys: Capture, store: Path) -> None:
    kind = {"tiles": "1-9", "scoring": "sum", "turns": 1}
    assert json.loads(scores(capsys, store, "--json")) == [
        {"player": "李", "played": 1, "won": 1, "best": 0, "mean": 0.0, "given_away": None,
         "boxes_shut": 1, "points": 5, "by_kind": [{**kind, "best": 0, "mean": 0.0}]},
        {"player": "Ann", "played": 1, "won": 0, "best": 24, "mean": 24.0, "given_away": None,
         "boxes_shut": 0, "points": -5, "by_kind": [{**kind, "best": 24, "mean": 24.0}]},
    ]  # fmt: skip


def test_the_people_as_text_in_columns(capsys: Capture, store: Path) -> None:
    assert scores(capsys, store) == (
        "player  played  won  best  mean  given away  boxes shut  points\n"
        "李           1    1     0   0.0           -           1      +5\n"
        "Ann          1    0    24  24.0           -           0      -5\n"
        "\n"
        "best and mean: of turns with tiles 1-9, scoring sum\n"
    )


LUCKY = """\
set rules.tiles 1-5
players Ann bot:good
roll 2 3
shut 1 4
roll 4 1
shut 5
roll 3 2
shut 2 3
"""


def test_luck_and_skill_come_apart(capsys: Capture, tmp_path: Path) -> None:
    """Ann shuts the box, in spite of 4 1 where 5 was best; the next match changes nothing of that."""
    play, folder = tmp_path / "my.play", tmp_path / "store"
    play.write_text(LUCKY)
    assert main(["bench", str(play), "--set", f"store.dir={folder}"]) == 0
    play.write_text("press next\n")
    capsys.readouterr()
    ann, good = json.loads(scores(capsys, folder, "--json"))
    assert (ann["player"], ann["mean"], good["given_away"]) == ("Ann", 0.0, None)
    assert ann["given_away"] > 0.5
    assert f"{ann['given_away']:.2f}" in scores(capsys, folder)
    assert main(["bench", str(play), "--set", f"store.dir={folder}"]) == 0
    capsys.readouterr()
    assert json.loads(scores(capsys, folder, "--json"))[0]["given_away"] == ann["given_away"]


def test_other_turns_can_be_compared(capsys: Capture, store: Path) -> None:
    out = scores(capsys, store, "--tiles", "1-10")
    assert "best and mean: no such turn has ended" in out
    assert out.count("   -     -  ") == 2
    assert scores(capsys, store, "--tiles", "1,2,3,4,5,6,7,8,9", "--scoring", "sum") == scores(capsys, store)


@pytest.mark.parametrize("argv", [["--match", "1"], ["--match"]])
def test_a_match_turn_by_turn_as_json(capsys: Capture, store: Path, argv: list[str]) -> None:
    match: dict[str, Any] = json.loads(scores(capsys, store, *argv, "--json"))
    assert (match["match"], match["players"], match["winners"]) == (1, ["Ann", "李"], ["李"])
    assert match["rules"]["match.stake"] == 5
    assert [(s["player"], s["total"], s["points"]) for s in match["seats"]] == [("Ann", 24, -5), ("李", 0, 5)]
    assert [(t["player"], t["round"], t["open"], t["score"], t["reason"]) for t in match["turns"]] == [
        ("Ann", 1, [7, 8, 9], 24, "ended_by_hand"),
        ("李", 1, [], 0, "shut"),
    ]
    assert [roll["shut"] for roll in match["turns"][0]["rolls"]] == [[1, 2, 3, 4, 5, 6]]
    lasted = sum(turn["duration_s"] for turn in match["turns"])
    assert match["duration_s"] == pytest.approx(lasted)
    assert lasted > 0


def test_a_match_turn_by_turn_as_text(capsys: Capture, store: Path) -> None:
    out = scores(capsys, store, "--match", "1")
    assert out.startswith("match 1: one-round, tiles 1-9, started 2026-01-01T")
    assert "\nround 1  Ann\n    dice not known shuts 1 2 3 4 5 6\n    ended by hand  score 24  " in out
    assert out.endswith(
        "\n\nplayer  total  points\nAnn        24      -5\n李          0      +5  won\n\nwon by 李\n"
    )


@pytest.mark.parametrize(
    ("argv", "what"),
    [
        (["--match", "2"], "--match: there is no match 2; the last one is 1"),
        (["--match", "0"], "'0' is no number of a match, which begin with 1"),
        (["--match", "x"], "'x' is no number of a match"),
        (["--match", "99999999999999999999"], "is no number of a match"),
        (["--tiles", "1-99"], "--tiles: "),
        (["--scoring", "golf"], "--scoring: invalid choice: 'golf'"),
    ],
)
def test_wrong_use_is_one_line(capsys: Capture, store: Path, argv: list[str], what: str) -> None:
    err = scores(capsys, store, *argv, code=2)
    assert what in err
    assert err.count("\n") == 1


def test_where_nobody_has_played_that_is_the_answer(capsys: Capture, tmp_path: Path) -> None:
    assert scores(capsys, tmp_path) == "nobody has played yet\n"
    assert json.loads(scores(capsys, tmp_path, "--json")) == []
    assert "nobody has played yet" in scores(capsys, tmp_path, "--match", "1", code=2)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_was_named_and_is_not_there_is_told(capsys: Capture, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    assert scores(capsys, nowhere, code=2) == f"boxkeeper: store.dir {nowhere}: no such folder\n"
    assert not nowhere.exists()


def test_another_scoring_is_told_which_there_are(capsys: Capture, store: Path) -> None:
    assert "allowed: sum, digits, count;" in scores(capsys, store, "--scoring", "x", code=2)


def test_a_store_without_a_match_is_the_same(capsys: Capture, tmp_path: Path) -> None:
    from firmware_host.store.journal import Journal

    Journal(tmp_path / FILE_NAME).close()
    assert scores(capsys, tmp_path) == "nobody has played yet\n"
    assert json.loads(scores(capsys, tmp_path, "--json")) == []
    assert "nobody has played yet" in scores(capsys, tmp_path, "--match", code=2)


def test_what_is_no_store_is_a_failure_of_one_line(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("Dear Ann" * 100)
    err = scores(capsys, tmp_path, code=1)
    assert "file is not a database" in err
    assert err.count("\n") == 1


def test_scores_are_told_while_the_table_runs(capsys: Capture, store: Path) -> None:
    from firmware_host.store.journal import Journal

    journal = Journal(store / FILE_NAME)
    assert "李           1    1" in scores(capsys, store)
    journal.close()


def test_columns_are_aligned_by_what_a_terminal_shows() -> None:
    rows = [("李明", "1"), ("Zoe\u0308", "22"), ("a\u200db", "3")]
    assert aligned(("name", "n"), rows) == "name   n\n李明   1\nZoe\u0308   22\na\u200db     3"


def test_a_match_of_sequence_dice_shuts_no_box_and_is_named_so(tmp_path: Path, capsys: Capture) -> None:
    play = Path(__file__).parents[1] / "plays" / "chips-five-wins.play"
    assert main(["bench", str(play), "--set", f"store.dir={tmp_path}"]) == 0
    capsys.readouterr()
    assert main(["scores", "--json", "--set", f"store.dir={tmp_path}"]) == 0
    assert [(s["player"], s["won"], s["boxes_shut"]) for s in json.loads(capsys.readouterr().out)] == [
        ("Ann", 1, 0),
        ("Bob", 0, 0),
    ]
    assert main(["scores", "--match", "1", "--set", f"store.dir={tmp_path}"]) == 0
    assert capsys.readouterr().out.startswith("match 1: Sequence Dice, 5 in a row, started ")
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as db:
        assert db.execute(LAST_DECISIONS).fetchall() == []  # nothing that best play in a box could judge

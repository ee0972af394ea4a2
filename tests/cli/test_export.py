"""``boxkeeper export``: tables for other programs, which run nothing that somebody typed as a name."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli.main import main
from firmware_host.store.files import FILE_NAME
from firmware_host.store.tables import COLUMNS

Capture = pytest.CaptureFixture[str]
EVIL = '=HYPERLINK("//x")'


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A match by people with names made for spreadsheets."""
    from firmware_host.games.records import Record
    from firmware_host.games.start import opening
    from firmware_host.store.journal import Journal, Stamp
    from firmware_host.table.history import History

    history, journal = History(), Journal(tmp_path / "store" / FILE_NAME)

    def keep(records: tuple[Record, ...]) -> None:
        nonlocal history
        after = history.add(records)
        stamp = Stamp(float(history.seq), "2026-01-01T00:00:00+00:00", False)
        journal.append(history.seq + 1, records, stamp, after.snapshot())
        history = after

    keep(opening(1, {"match.stake": 5}, (EVIL, 'Bob, "B"')))
    assert history.game is not None
    keep(history.game.roll((4, 5), "roller"))
    keep(history.game.stand((1, 1, 1, 1, 1, 1, 1, 1, 0)))
    keep(history.game.end_turn())
    keep(history.game.end_turn())
    journal.close()
    return tmp_path / "store"


def export(capsys: Capture, store: Path, *argv: str, code: int = 0) -> str:
    assert main(["export", *argv, "--set", f"store.dir={store}"]) == code
    out, err = capsys.readouterr()
    assert (out if code else err) == ""
    return err if code else out


def cells(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_turns_are_the_default(capsys: Capture, store: Path) -> None:
    found = cells(export(capsys, store))
    assert [(row["player"], row["open"], row["score"], row["clock_set"]) for row in found] == [
        (f"'{EVIL}", "1 2 3 4 5 6 7 8", "36", "0"),
        ('Bob, "B"', "1 2 3 4 5 6 7 8 9", "45", "0"),
    ]


@pytest.mark.parametrize("what", COLUMNS)
def test_csv_and_json_have_the_same_columns_and_rows(capsys: Capture, store: Path, what: str) -> None:
    table = cells(export(capsys, store, "--what", what))
    rows: list[dict[str, Any]] = json.loads(export(capsys, store, "--what", what, "--format", "json"))
    assert json.loads(export(capsys, store, "--what", what, "--json")) == rows
    assert len(table) == len(rows) > 0
    assert all(list(row) == list(COLUMNS[what]) for row in (*table, *rows))


@pytest.mark.parametrize("what", COLUMNS)
def test_no_cell_that_holds_text_begins_as_a_formula(capsys: Capture, store: Path, what: str) -> None:
    for row in cells(export(capsys, store, "--what", what)):
        assert not [
            v for v in row.values() if v.startswith(("=", "+", "@")) or (v[:1] == "-" and not v[1:].isdigit())
        ]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "＝", "＋", "－", "＠"])
def test_each_start_that_a_spreadsheet_runs_is_quoted(start: str) -> None:
    from firmware_host.store.export import _cell

    assert _cell(f"{start}1") == f"'{start}1"
    assert _cell(-5) == -5


def test_names_are_as_they_are_in_json(capsys: Capture, store: Path) -> None:
    rows = json.loads(export(capsys, store, "--what", "people", "--json"))
    assert [(row["player"], row["points"]) for row in rows] == [(EVIL, 5), ('Bob, "B"', -5)]


def test_all_as_json_is_one_object(capsys: Capture, store: Path) -> None:
    found = json.loads(export(capsys, store, "--what", "all", "--json"))
    assert list(found) == list(COLUMNS)
    assert found["rolls"] == json.loads(export(capsys, store, "--what", "rolls", "--json"))


def test_all_as_csv_is_a_folder(capsys: Capture, store: Path, tmp_path: Path) -> None:
    assert export(capsys, store, "--what", "all", str(tmp_path / "tables")) == ""
    assert sorted(path.name for path in (tmp_path / "tables").iterdir()) == sorted(
        f"{w}.csv" for w in COLUMNS
    )
    there = (tmp_path / "tables" / "turns.csv").read_text(encoding="utf-8")
    assert there == export(capsys, store, "--what", "turns")


@pytest.mark.parametrize(("name", "is_json"), [("a.json", True), ("a.csv", False), ("a", False)])
def test_a_file_has_the_format_of_its_name(
    capsys: Capture, store: Path, tmp_path: Path, name: str, is_json: bool
) -> None:
    to = tmp_path / name
    to.write_text("an older one")
    assert export(capsys, store, str(to)) == ""
    assert to.read_text(encoding="utf-8") == export(capsys, store, "--format", "json" if is_json else "csv")


def test_a_database_is_not_written_over(capsys: Capture, store: Path) -> None:
    before = (store / FILE_NAME).read_bytes()
    assert "is a database" in export(capsys, store, str(store / FILE_NAME), code=1)
    assert (store / FILE_NAME).read_bytes() == before


def test_where_nobody_has_played_the_tables_are_empty(capsys: Capture, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    assert export(capsys, nowhere, "--what", "people") == ",".join(COLUMNS["people"]) + "\n"
    assert json.loads(export(capsys, nowhere, "--json")) == []
    assert json.loads(export(capsys, nowhere, "--what", "all", "--json")) == {what: [] for what in COLUMNS}
    assert not nowhere.exists()


@pytest.mark.parametrize(
    ("argv", "code", "what"),
    [
        (["--what", "all"], 2, "name a folder"),
        (["--what", "dice"], 2, "invalid choice: 'dice'"),
        (["--json", "--format", "csv"], 2, "one of them"),
        (["/nowhere/turns.csv"], 1, "/nowhere/turns.csv: No such file or directory"),
    ],
)
def test_errors_are_one_line(capsys: Capture, store: Path, argv: list[str], code: int, what: str) -> None:
    err = export(capsys, store, *argv, code=code)
    assert what in err
    assert err.count("\n") == 1


def test_help_documents_every_column(capsys: Capture) -> None:
    assert main(["export", "-h"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n  {column} " in out for columns in COLUMNS.values() for column in columns)

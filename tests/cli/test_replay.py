"""``boxkeeper replay``: what is in a journal, and whether it leads to the stored state."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from firmware_host.cli.main import main
from firmware_host.store.journal import FILE_NAME

Capture = pytest.CaptureFixture[str]
PLAY = """\
players Ann Bob
roll 4 5
shut 9
roll 4 4
shut 8
roll 3 4
shut 7
roll 6 6
shut 6 5 1
roll 6 6
open all
roll 5 5
"""


@pytest.fixture
def store(tmp_path: Path, capsys: Capture) -> Path:
    """A folder with the journal of a match in play."""
    play, folder = tmp_path / "my.play", tmp_path / "store"
    play.write_text(PLAY)
    assert main(["bench", str(play), "--json", "--set", f"store.dir={folder}"]) == 0
    printed = capsys.readouterr().out
    (tmp_path / "printed").write_text(printed)
    return folder


def change(store: Path, sql: str) -> None:
    with contextlib.closing(sqlite3.connect(store / FILE_NAME)) as db, db:
        db.execute(sql)


@pytest.mark.parametrize("below", [".", FILE_NAME])
def test_json_is_what_the_table_said(store: Path, capsys: Capture, below: str) -> None:
    assert main(["replay", str(store / below), "--json"]) == 0
    out, err = capsys.readouterr()
    said = [json.loads(line) for line in (store.parent / "printed").read_text().splitlines()]
    assert [json.loads(line) for line in out.splitlines()] == [e for e in said if e["seq"] is not None]
    assert err == ""


def test_text_is_a_line_an_event_and_a_word_at_the_end(store: Path, capsys: Capture) -> None:
    assert main(["replay", str(store)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == f"{len(lines) - 1} events lead to the stored state"
    assert lines[2].split(maxsplit=2)[2] == 'rolled player="Ann" dice=[4, 5] total=9 source="roller"'
    assert [int(line.split()[0]) for line in lines[:-1]] == list(range(1, len(lines)))


def test_a_journal_can_be_replayed_while_the_table_runs(store: Path) -> None:
    from firmware_host.store.journal import Journal

    journal = Journal(store / FILE_NAME)
    assert main(["replay", str(store)]) == 0
    journal.close()


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        (
            "UPDATE state SET snapshot = json_set(snapshot, '$.player', 'Ann')",
            "the events do not lead to the stored state: player 'Bob', stored 'Ann'",
        ),
        (
            "UPDATE events SET fields = json_set(fields, '$.score', 1) WHERE event = 'turn_ended'",
            "do not lead to the stored state: totals {'Ann': 1, 'Bob': 0}, stored {'Ann': 9, 'Bob': 0}",
        ),
        ("DELETE FROM events WHERE seq = 3", "event 3 is missing"),
        ("DELETE FROM events WHERE seq = 1", "event 1 is missing"),
        ("UPDATE events SET event = 'tile_eaten' WHERE seq = 4", "no such event: 'tile_eaten'"),
        ("UPDATE events SET fields = '{' WHERE seq = 4", "Expecting property name"),
        ("UPDATE events SET fields = json_set(fields, '$.player', 'Zed') WHERE event = 'turn_ended'",
         "event 10 does not follow: "),
        ("UPDATE events SET fields = json_set(fields, '$.rules', 5) WHERE seq = 1",
         "event 1 does not follow: "),
        ("UPDATE events SET event = 'undone', fields = '{\"undid\": 99}' WHERE seq = 6",
         "event 6 does not follow: cannot take back 99: it is not the last step"),
        ("DROP TABLE events", "no such table: events"),
    ],
)  # fmt: skip
def test_a_tampered_journal_is_1_and_says_what_differs(
    store: Path, capsys: Capture, sql: str, what: str
) -> None:
    change(store, sql)
    assert main(["replay", str(store)]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"boxkeeper: {store / FILE_NAME}: ")
    assert what in err
    assert err.count("\n") == 1


def test_what_is_no_journal_is_1_with_its_name(tmp_path: Path, capsys: Capture) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann" * 1000)
    for path, reason in ((letter, "file is not a database"), (tmp_path / "nothing", "no such journal")):
        assert main(["replay", str(path)]) == 1
        assert capsys.readouterr() == ("", f"boxkeeper: {path}: {reason}\n")

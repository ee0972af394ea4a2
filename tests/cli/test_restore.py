"""``boxkeeper restore``: what it says, and how it fails."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from firmware_host.cli.main import main
from firmware_host.store.files import FILE_NAME
from firmware_host.store.journal import Journal, read

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def store(tmp_path: Path, capsys: Capture) -> Path:
    """A folder with a match in play, and ``copy.db`` beside it, from before the last roll."""
    play, folder = tmp_path / "my.play", tmp_path / "store"
    setting = ["--set", f"store.dir={folder}"]
    play.write_text("players Ann Bob\nroll 4 5\nshut 9\n")
    assert main(["bench", str(play), *setting]) == 0
    assert main(["backup", str(tmp_path / "copy.db"), *setting]) == 0
    play.write_text("players Cem\n")
    assert main(["bench", str(play), *setting]) == 0
    capsys.readouterr()
    return folder


def test_a_backup_is_taken_back_and_played_on(store: Path, tmp_path: Path, capsys: Capture) -> None:
    copy, path = tmp_path / "copy.db", store / FILE_NAME
    events = len(read(copy)[0])
    assert main(["restore", str(copy), "--set", f"store.dir={store}"]) == 0
    said = f"{path}: {events} events from {copy}; what was there is now {FILE_NAME}.before-restore-1\n"
    assert capsys.readouterr().out == said
    play = tmp_path / "my.play"
    play.write_text("expect turn Ann\nexpect legal 9, 1 8, 2 7, 3 6, 4 5, 1 2 6, 1 3 5, 2 3 4\n")
    assert main(["bench", str(play), "--set", f"store.dir={store}"]) == 0
    assert main(["replay", str(store)]) == 0


def test_json_says_where_the_old_one_is(store: Path, tmp_path: Path, capsys: Capture) -> None:
    assert main(["restore", str(tmp_path / "copy.db"), "--json", "--set", f"store.dir={store}"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["set_aside"] == str(store / f"{FILE_NAME}.before-restore-1")
    assert found["file"] == str(store / FILE_NAME)


def test_a_running_table_is_refused_with_who_holds_it(store: Path, tmp_path: Path, capsys: Capture) -> None:
    journal = Journal(store / FILE_NAME)
    assert main(["restore", str(tmp_path / "copy.db"), "--set", f"store.dir={store}"]) == 1
    said = f"boxkeeper: {store}: in use by Boxkeeper process {os.getpid()}; stop that one first\n"
    assert capsys.readouterr().err == said
    journal.close()


@pytest.mark.parametrize(
    ("name", "code", "what"),
    [
        ("", 2, "required: FILE"),
        ("nothing.db", 1, "nothing.db: no such file"),
        ("my.play", 1, "my.play: is no backup of Boxkeeper, or of a later release; nothing was touched"),
        ("store", 1, "store: no such file"),
    ],
)
def test_errors_are_one_line(
    store: Path, tmp_path: Path, capsys: Capture, name: str, code: int, what: str
) -> None:
    before = read(store / FILE_NAME)
    argv = [str(tmp_path / name)] if name else []
    assert main(["restore", *argv, "--set", f"store.dir={store}"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert what in err
    assert err.count("\n") == 1
    assert read(store / FILE_NAME) == before

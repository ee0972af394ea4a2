"""``boxkeeper backup``: what it says, and how it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_host.cli.main import main
from firmware_host.store.files import FILE_NAME
from firmware_host.store.journal import Journal, read

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def store(tmp_path: Path, capsys: Capture) -> Path:
    """A folder with a match in play."""
    play, folder = tmp_path / "my.play", tmp_path / "store"
    play.write_text("players Ann Bob\nroll 4 5\nshut 9\nroll 4 4\n")
    assert main(["bench", str(play), "--set", f"store.dir={folder}"]) == 0
    capsys.readouterr()
    return folder


def test_a_copy_is_made_while_a_table_runs(store: Path, tmp_path: Path, capsys: Capture) -> None:
    journal, to = Journal(store / FILE_NAME), tmp_path / "copy.db"
    assert main(["backup", str(to), "--set", f"store.dir={store}"]) == 0
    assert read(to) == read(store / FILE_NAME)
    assert capsys.readouterr().out == f"{to}: {len(read(to)[0])} events\n"
    assert main(["backup", str(to), "--json", "--set", f"store.dir={store}"]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": str(to), "events": len(read(to)[0])}
    journal.close()


@pytest.mark.parametrize(
    ("argv", "code", "what"),
    [
        ([], 2, "required: FILE"),
        (["/nowhere/copy.db"], 1, "/nowhere/copy.db: "),
        (["/etc/hostname"], 1, "/etc/hostname: is there already, and no backup; name another file"),
        (["."], 1, ".: is there already"),
    ],
)
def test_errors_are_one_line(store: Path, capsys: Capture, argv: list[str], code: int, what: str) -> None:
    assert main(["backup", *argv, "--set", f"store.dir={store}"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert what in err
    assert err.count("\n") == 1


def test_where_nobody_has_played_there_is_nothing_to_copy(tmp_path: Path, capsys: Capture) -> None:
    assert main(["backup", str(tmp_path / "copy.db"), "--set", f"store.dir={tmp_path / 'nowhere'}"]) == 1
    assert "nobody has played yet" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []

"""A key of the config file is changed, and nothing else of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_host.config import load
from firmware_host.config_edit import set_keys
from firmware_host.errors import ConfigError

MINE = """\
# the box in the pub
[tiles]   # wired by Ann
pull = "external"  # 10 kOhm each
pins = { 1 = 4, 2 = 17 }

[rules]
tiles = "1-10"   # ten of them
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "box.toml"
    path.write_text(MINE, encoding="utf-8")
    return path


def test_only_the_key_changes_and_the_file_as_it_was_is_kept(path: Path) -> None:
    backup = set_keys(path, {"tiles.pins": {1: 5, 2: 6}})
    changed, was = path.read_text(encoding="utf-8").splitlines(), MINE.splitlines()
    assert [line for line in changed if line not in was] == ["pins = {1 = 5, 2 = 6}"]
    assert [line for line in was if line not in changed] == ["pins = { 1 = 4, 2 = 17 }"]
    assert backup == path.with_name("box.toml.bak")
    assert backup.read_text(encoding="utf-8") == MINE
    assert load(path).tiles.pins == {1: 5, 2: 6}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n",
        "[tiles]\n",
        '[tiles]\npins = [\n  4,  # first\n  17,\n]\npull = "up"\n',
        '[tiles]\npins = "1=4"\n',
        "[tiles.pins]\n1 = 4\n2 = 17\n\n[rules]\ntiles = '1-9'\n",
        "tiles.pins = { 1 = 4 }\n",
        "[tiles]\npins.1 = 4\n",
    ],
)
def test_however_the_key_was_written_the_new_one_counts(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    set_keys(path, {"tiles.pins": {1: 26, 3: 27}})
    config = load(path)
    assert config.tiles.pins == {1: 26, 3: 27}


def test_names_of_pins_are_written_too(path: Path) -> None:
    set_keys(path, {"expander.pins": {1: "GPB0", 2: "GPA3"}})
    assert load(path).expander.pins == {1: "GPB0", 2: "GPA3"}


def test_a_file_that_is_not_there_is_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "box.toml"
    assert set_keys(path, {"tiles.pull": "external"}) is None
    assert load(path).tiles.pull == "external"


def test_its_rights_stay_and_nothing_is_left_beside_it(path: Path) -> None:
    path.chmod(0o640)
    set_keys(path, {"tiles.pull": "up"})
    assert path.stat().st_mode & 0o777 == 0o640
    assert sorted(p.name for p in path.parent.iterdir()) == ["box.toml", "box.toml.bak"]


def test_a_link_stays_a_link(path: Path) -> None:
    link = path.with_name("link.toml")
    link.symlink_to(path)
    set_keys(link, {"tiles.pull": "up"})
    assert link.is_symlink()
    assert load(path).tiles.pull == "up"


@pytest.mark.parametrize("text", ["tiles = 3\n", "[tiles\n", "[[tiles]]\npull = 'up'\n"])
def test_what_cannot_be_changed_is_told_and_left(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"box\.toml: "):
        set_keys(path, {"tiles.pull": "up"})
    assert path.read_text(encoding="utf-8") == text
    assert [p.name for p in path.parent.iterdir()] == ["box.toml"]


def test_when_it_cannot_be_written_it_is_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_from: str, _to: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(ConfigError, match="No space left on device"):
        set_keys(path, {"tiles.pull": "up"})
    assert path.read_text(encoding="utf-8") == MINE
    assert not list(path.parent.glob(".*"))

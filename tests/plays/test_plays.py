"""Every play beside this file holds, through the command that players and builders type."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_host.cli.main import main

# Those of Sequence Dice are played beside this, over the boards they are for.
IS_ON_CHIPS = re.compile(r"chips-|sequence-dice")
PLAYS = sorted(play for play in Path(__file__).parent.glob("*.play") if not IS_ON_CHIPS.match(play.name))


def test_there_are_plays() -> None:
    assert PLAYS


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.stem)
def test_a_play_holds(play: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["bench", str(play)])
    assert code == 0, capsys.readouterr().err


def test_a_play_that_does_not_hold_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play = tmp_path / "wrong.play"
    play.write_text("players Ann\nexpect turn Bob\n", encoding="utf-8")
    assert main(["bench", str(play)]) == 1
    assert capsys.readouterr().err == f"boxkeeper: {play}, line 2: expect turn Bob, but: turn Ann\n"

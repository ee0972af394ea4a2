"""The page of odds: as it is kept, and right where others published."""

from __future__ import annotations

from pathlib import Path

from firmware_host.cli.odds_table import page

PAGE = Path(__file__).parents[2] / "docs" / "odds.md"


def test_the_page_is_what_the_command_makes() -> None:
    assert PAGE.read_text("utf-8") == page(), "run python -m firmware_host.cli.odds_table > docs/odds.md"


def test_the_published_values_stand_in_it() -> None:
    rows = PAGE.read_text("utf-8").splitlines()
    assert "| 1-9 | `high-down` | 9.76137162% | 956177159/9795520512 | 11.0092085932 |" in rows
    assert "| 1-9 | `never` | 7.14316223% | 466473281/6530347008 | 11.1575084442 |" in rows

"""Tests of this folder share a scribe: it is imported by name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a store is to be made."""
    return tmp_path / "store" / "boxkeeper.db"

"""Lets the tests of the session share the driven table."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.register_assert_rewrite("driven_table")
sys.path.insert(0, str(Path(__file__).parent))

"""Lets the machines share the book of rules and the fake table, and their assertions explain themselves."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.register_assert_rewrite("naive_rules", "table_shell")
sys.path.insert(0, str(Path(__file__).parent))

"""Lets the suite share its rigs, which share the chip."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent

pytest.register_assert_rewrite("sensor_rigs")
sys.path[:0] = [str(HERE), str(HERE.parent / "mcu")]

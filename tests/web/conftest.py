"""Clients of a page over a table that is not there."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from firmware_host.store.files import FILE_NAME

sys.path.append(str(Path(__file__).parent))
# Starlette's test client needs httpx2.  test_extra.py says so where it is not tested for want of them.
HAS_ALL = all(find_spec(name) is not None for name in ("starlette", "uvicorn", "httpx2"))
collect_ignore_glob = [] if HAS_ALL else ["test_[!e]*.py"]


@pytest.fixture
def table(tmp_path: Path) -> Any:
    """A FakeTable."""
    from fake_table import FakeTable

    return FakeTable(tmp_path / FILE_NAME)


@pytest.fixture
def client(table: Any) -> Any:
    """At a real table."""
    from fake_table import client_of

    return client_of(table, is_bench=False)


@pytest.fixture
def bench(table: Any) -> Any:
    """At the simulated one."""
    from fake_table import client_of

    return client_of(table, is_bench=True)

"""Clients of a page over a table that is not there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the page needs the extra web")
pytest.importorskip("httpx2", reason="Starlette's test client needs httpx2")
sys.path.append(str(Path(__file__).parent))

from fake_table import FakeTable, client_of
from starlette.testclient import TestClient

from firmware_host.store.files import FILE_NAME


@pytest.fixture
def table(tmp_path: Path) -> FakeTable:
    return FakeTable(tmp_path / FILE_NAME)


@pytest.fixture
def client(table: FakeTable) -> TestClient:
    """At a real table."""
    return client_of(table, is_bench=False)


@pytest.fixture
def bench(table: FakeTable) -> TestClient:
    """At the simulated one."""
    return client_of(table, is_bench=True)

"""What the page needs."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from firmware_host.errors import RequirementError
from firmware_host.web import process


def test_the_page_is_tested_where_it_is_installed() -> None:
    for name in ("starlette", "uvicorn", "httpx2"):
        if find_spec(name) is None:
            pytest.skip(f"the page is not tested: {name} is not installed; pip install 'boxkeeper[test]'")


def test_what_is_missing_is_named_with_its_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(RequirementError, match=r"starlette is not installed; pip install 'boxkeeper\[web\]'"):
        process.check_extra()

"""A real browser at a real page: Debian's Chromium, driven by Playwright.

Run where BOXKEEPER_BROWSER=required says so: Chromium, Playwright and axe-core must be there then.
BOXKEEPER_SCREENSHOTS=FOLDER keeps pictures of what was seen, to be looked at.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path += [str(Path(__file__).parents[1] / "web"), str(Path(__file__).parent)]
IS_REQUIRED = os.environ.get("BOXKEEPER_BROWSER") == "required"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A minute is short for a browser on a busy machine."""
    skipped = pytest.mark.skip(reason="in a browser, which takes a while: BOXKEEPER_BROWSER=required runs it")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(180))
            if not IS_REQUIRED:
                item.add_marker(skipped)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for all tests."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Open a page in a fresh profile; what it complains of on its console fails the test."""
    complaints: list[str] = []
    contexts: list[Any] = []

    def open_page(url: str, width: int = 1280, height: int = 800, **more: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    is_cut = (
        "cut" in request.node.name or "wrong" in request.node.name
    )  # what cannot be reached is told there
    assert is_cut or not complaints, complaints


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One bench for all tests."""
    from serving import serving

    with serving("bench", "--set", f"store.dir={tmp_path_factory.mktemp('store')}") as served:
        yield served


@pytest.fixture
def bench(served: Any) -> Any:
    """The bench as it is when it is opened: nothing broken, all tiles open, Ann and Bob to play."""
    lines = (
        "power on",
        "mend oled",
        "mend tile 5",
        "set rules.preset masters",
        "players Ann Bob",
        "open all",
    )
    for line in lines:
        served.do(line)
    return served


@pytest.fixture
def keep_picture() -> Callable[[Any, str], None]:
    """Keep what is seen, where that is asked for."""
    folder = os.environ.get("BOXKEEPER_SCREENSHOTS")

    def keep(page: Any, name: str) -> None:
        if folder:
            page.screenshot(path=Path(folder) / f"{name}.png")

    return keep

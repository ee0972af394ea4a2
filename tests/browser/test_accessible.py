"""Everything by keyboard, names and states for screen readers, contrast: axe-core finds nothing serious."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Visit = Callable[..., Any]
SERIOUS = ("serious", "critical")


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize(
    "path", ["/", "/bench", "/keeper", "/people", "/person?name=Ann", "/matches", "/matches/1"]
)
def test_axe_finds_nothing_serious(bench: Any, visit: Visit, path: str, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    bench.do("roll 3 5")
    # axe adds its own script to the page, which the page's policy rightly forbids.
    page = visit(f"{bench.url}{path}", color_scheme=scheme, bypass_csp=True)
    page.wait_for_timeout(800)
    found = Axe().run(page).response["violations"]
    serious = [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found if one["impact"] in SERIOUS]
    assert not serious


def test_the_box_tells_its_names_and_states_and_obeys_the_keyboard(bench: Any, visit: Visit) -> None:
    page = visit(f"{bench.url}/bench")
    tile = page.get_by_role("button", name="Tile 5, open")
    tile.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Tile 5, shut", pressed=True).wait_for()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Tile 5, open", pressed=False).wait_for()
    page.locator("[data-button=roll]").focus()
    page.keyboard.press("Enter", delay=80)
    page.wait_for_function("() => document.getElementById('what').innerText.startsWith('Shut')")


def test_reduced_motion_is_respected(bench: Any, visit: Visit) -> None:
    page = visit(f"{bench.url}/bench", reduced_motion="reduce")
    page.get_by_role("button", name="Tile 5, open").wait_for()
    style = "tile => getComputedStyle(tile.querySelector('.face')).transitionDuration"
    assert page.get_by_role("button", name="Tile 5, open").evaluate(style) == "0s"


def test_the_whole_page_is_small(bench: Any, visit: Visit) -> None:
    for path in ("/", "/bench", "/keeper"):
        page = visit("about:blank")
        sizes: list[int] = []
        page.on(
            "response",
            lambda answer, sizes=sizes: "stream" not in answer.url and sizes.append(len(answer.body())),
        )
        page.goto(f"{bench.url}{path}", wait_until="load")
        page.wait_for_timeout(500)
        assert 5_000 < sum(sizes) < 150_000

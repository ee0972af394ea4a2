"""The scoreboard: on the pub's screen, on a phone, after the table was away."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from serving import Served, serving

Visit = Callable[..., Any]
Keep = Callable[[Any, str], None]
SIZES = [(390, 844), (1280, 800), (1920, 1080)]


def shows(page: Any, words: str) -> None:
    page.locator("#what").get_by_text(words).wait_for()


def test_two_browsers_follow_one_table(bench: Any, visit: Visit) -> None:
    pages = [visit(f"{bench.url}/"), visit(f"{bench.url}/", 390, 844)]
    for line, words in (("roll 3 5", "Shut 8"), ("shut 5", "Shut 3 more"), ("shut 3", "Good. Roll two dice")):
        bench.do(line)
        for page in pages:
            shows(page, words)


def test_a_cut_and_its_catching_up(tmp_path: Path, visit: Visit) -> None:
    with serving("bench", "--set", f"store.dir={tmp_path}") as first:
        page = visit(f"{first.url}/")
        shows(page, "Roll two dice")
        port = first.port
    page.get_by_text("The table is away").wait_for()
    again = Served("bench", "--set", f"store.dir={tmp_path}", port=port)
    try:
        again.open()
        again.do("roll 3 5")
        shows(page, "Shut 8")
        page.get_by_text("The table is away").wait_for(state="hidden")
    finally:
        again.process.kill()
        again.process.communicate()


def test_a_network_that_was_cut_is_no_reason_to_reload(bench: Any, visit: Visit) -> None:
    page = visit(f"{bench.url}/")
    shows(page, "Roll two dice")
    page.context.set_offline(True)
    bench.do("roll 3 5")
    page.context.set_offline(False)
    shows(page, "Shut 8")


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_it_is_readable_on_every_screen(
    bench: Any, visit: Visit, keep_picture: Keep, width: int, height: int, scheme: str
) -> None:
    page = visit(f"{bench.url}/", width, height, color_scheme=scheme)
    bench.do('players Ann Bartholomew "<b>Cy</b>" Dora Eve')
    for line in ("roll 4 5", "shut 9", "roll 6 5", "shut 7 4", "roll 3 3", "shut 6", "roll 5 2"):
        bench.do(line)
        page.wait_for_timeout(900 if line.startswith("roll") else 300)
    shows(page, "Shut 7" if not page.get_by_text("Open").count() else "Open")
    keep_picture(page, f"scoreboard-{width}x{height}-{scheme}")
    across, down = page.evaluate(
        "() => { const all = document.documentElement;"
        " return [all.scrollWidth - innerWidth, all.scrollHeight - innerHeight]; }"
    )
    assert across <= 0
    if width > height:
        assert down <= 0, "no scrolling on a screen across the room"


def test_a_name_is_shown_and_never_run(bench: Any, visit: Visit) -> None:
    page = visit(f"{bench.url}/")
    bench.do("players '<img src=x onload=1>' \"<script>1\"")
    page.get_by_text("<img src=x onload=1>").first.wait_for()
    assert page.locator("#seats img, #seats script").count() == 0


def test_before_a_camera_the_player_is_told_to_throw(bench: Any, visit: Visit) -> None:
    bench.do("set dice.source camera")
    try:
        bench.do("power on")
        bench.do("players Ann Bob")
        for _ in range(20):  # the camera takes its time to open
            time.sleep(1)
            bench.do("press roll")
            time.sleep(0.5)
            if bench.board()["scene"] == "throw":
                break
        page = visit(bench.url)
        page.locator("#what").get_by_text("Throw the dice").wait_for()
        assert page.locator("#who").inner_text() == "Ann"
    finally:
        bench.do("set dice.source roller")
        bench.do("power on")


@pytest.mark.parametrize("path", ["/people", "/matches", "/matches/1", "/person?name=Ann"])
def test_tables_fit_a_phone(
    bench: Any, visit: Visit, keep_picture: Callable[[Any, str], None], path: str
) -> None:
    bench.do("players Ann 'A name of 20 letters'")
    page = visit(f"{bench.url}{path}", 390, 844)
    keep_picture(page, f"phone{path.replace('/', '-').partition('?')[0]}")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    assert page.locator(".wide").evaluate_all(cut) == 0

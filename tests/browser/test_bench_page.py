"""The bench page in the hands of a newcomer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hands import Keys, Mouse, play_match

Visit = Callable[..., Any]


@pytest.mark.parametrize("how", ["clicks", "keys", "touch"])
def test_a_whole_match(bench: Any, visit: Visit, keep_picture: Callable[[Any, str], None], how: str) -> None:
    if how == "touch":
        page = visit(f"{bench.url}/bench", 390, 844, has_touch=True, is_mobile=True)
    else:
        page = visit(f"{bench.url}/bench")
    hands = {"clicks": Mouse, "keys": Keys}.get(how, lambda page: Mouse(page, is_touch=True))(page)
    page.locator("#what").get_by_text("Roll two dice").wait_for()
    assert "win" in play_match(page, hands)
    keep_picture(page, f"match-by-{how}")
    assert any(seat["total"] or not seat["has_played"] for seat in bench.board()["seats"])


def test_dice_set_by_hand_are_what_the_next_throw_shows(
    bench: Any, visit: Visit, keep_picture: Callable[[Any, str], None]
) -> None:
    page = visit(f"{bench.url}/bench")
    page.locator("#what").get_by_text("Roll two dice").wait_for()
    mouse = Mouse(page)
    mouse.lay((3, 5))
    keep_picture(page, "dice-laid")
    mouse.roll()
    page.locator("#what").get_by_text("Shut 8").wait_for()
    page.locator("#oled[aria-label*='⚂ ⚄ 8']").wait_for()


def test_the_readme_s_picture(bench: Any, visit: Visit, keep_picture: Callable[[Any, str], None]) -> None:
    """BOXKEEPER_SCREENSHOTS=docs makes it anew."""
    page = visit(f"{bench.url}/bench", 1280, 620)
    page.locator("#what").get_by_text("Roll two dice").wait_for()
    bench.do("roll 3 5")
    page.locator("#what").get_by_text("Shut 8").wait_for()
    page.wait_for_timeout(1000)
    bench.do("shut 5")
    page.locator("#what").get_by_text("Shut 3 more").wait_for()
    page.locator("#oled[aria-label*='3 more']").wait_for()
    page.wait_for_timeout(500)
    keep_picture(page, "bench")


def test_the_oled_is_pixel_for_pixel_what_the_panel_shows(bench: Any, visit: Visit) -> None:
    import base64

    page = visit(f"{bench.url}/bench")
    bench.do("roll 3 5")
    page.locator("#oled[aria-label*='⚂ ⚄ 8']").wait_for()
    page.wait_for_timeout(1000)
    told = next(value for topic, value in bench.stream("/bench/stream") if topic == "oled")
    panel = base64.b64decode(told)
    lit = page.evaluate(
        "() => Array.from(document.getElementById('oled').getContext('2d').getImageData(0, 0, 128, 64).data)"
        ".filter((_, i) => i % 4 === 0).map(red => red > 100 ? 1 : 0)"
    )
    assert lit == [panel[i // 8] >> (7 - i % 8) & 1 for i in range(128 * 64)]


def test_a_button_that_is_held_does_what_a_hold_does(bench: Any, visit: Visit) -> None:
    page = visit(f"{bench.url}/bench")
    page.locator("#what").get_by_text("Roll two dice").wait_for()
    page.locator("[data-button=next]").hover()
    page.mouse.down()
    page.locator("#oled[aria-label*='Menu']").wait_for()
    page.mouse.up()
    page.keyboard.press("b", delay=80)
    page.locator("#oled[aria-label*='ROLL']").wait_for()


def test_faults_can_be_made_and_mended_and_the_plug_pulled(
    bench: Any, visit: Visit, keep_picture: Callable[[Any, str], None]
) -> None:
    page = visit(f"{bench.url}/bench")
    page.locator("#what").get_by_text("Roll two dice").wait_for()
    page.get_by_role("button", name="OLED gone").click()
    page.get_by_text("device_lost").wait_for()
    page.get_by_role("button", name="OLED gone", pressed=True).click()
    page.get_by_text("device_back").wait_for()
    page.locator("#tile").select_option("5")
    page.get_by_role("button", name="stuck").click()
    page.locator("#box [aria-label='Tile 5, open, stuck']").wait_for()
    page.get_by_role("button", name="Power cut").click()
    page.locator("body.off").wait_for()
    keep_picture(page, "power-cut")
    page.get_by_role("button", name="Power cut", pressed=True).click()
    page.locator("#oled[aria-label*='Resumed']").wait_for()


def test_a_line_of_a_play_can_be_typed_and_a_wrong_one_is_explained(bench: Any, visit: Visit) -> None:
    page = visit(f"{bench.url}/bench")
    page.locator("#what").get_by_text("Roll two dice").wait_for()
    line = page.get_by_label("A line of a play")
    line.fill("rolle 3 5")
    line.press("Enter")
    page.get_by_role("alert").get_by_text("'rolle' is none of").wait_for()
    line.fill("roll 3 5")
    line.press("Enter")
    page.locator("#what").get_by_text("Shut 8").wait_for()


def test_a_match_by_other_rules_is_started_with_names_that_run_nothing(bench: Any, visit: Visit) -> None:
    page = visit(f"{bench.url}/bench")
    page.locator("#what").get_by_text("Roll two dice").wait_for()
    page.get_by_label("Players, with commas").fill("<img src=x>, Bob")
    page.get_by_label("Rules").select_option("full-house")
    page.get_by_role("button", name="Start").click()
    page.locator("#box [aria-label^='Tile 12,']").wait_for()
    page.locator("#who").get_by_text("<img src=x>").wait_for()
    assert page.locator("img").count() == 0

"""The keeper's phone: digits wrong and right, and what they open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hands import Keys

Visit = Callable[..., Any]


def digits_on_the_panel(bench: Any, page: Any) -> str:
    """Through the menu, as anybody at the box does it."""
    page.keyboard.down("n")
    page.locator("#oled[aria-label*='Menu']").wait_for()
    page.keyboard.up("n")
    for _ in range(10):
        if "[Phone]" in (page.locator("#oled").get_attribute("aria-label") or ""):
            break
        page.keyboard.press("r", delay=80)
        page.wait_for_timeout(150)
    page.keyboard.press("n", delay=80)
    page.locator("#oled[aria-label*='Phone;']").wait_for()
    label = page.locator("#oled").get_attribute("aria-label")
    return str(label).split("; ")[1]


def test_digits_wrong_and_right_and_what_a_keeper_does(
    bench: Any, visit: Visit, keep_picture: Callable[[Any, str], None]
) -> None:
    box = visit(f"{bench.url}/bench")
    phone = visit(f"{bench.url}/keeper", 390, 844, has_touch=True, is_mobile=True)
    digits = digits_on_the_panel(bench, box)
    keep_picture(box, "phone-on-the-oled")
    phone.get_by_label("Digits").fill(f"{(int(digits) + 1) % 10_000:04}")
    phone.get_by_role("button", name="Open").tap()
    phone.get_by_text("wrong digits").wait_for()
    keep_picture(phone, "keeper-door")
    phone.get_by_label("Digits").fill(digits)
    phone.get_by_role("button", name="Open").tap()
    phone.get_by_role("heading", name="Players").wait_for()

    bench.do("roll 3 5")
    phone.locator("#what").get_by_text("Shut 8").wait_for()
    phone.get_by_label("First die").select_option("6")
    phone.get_by_label("Second die").select_option("6")
    phone.get_by_role("button", name="Correct the dice").tap()
    phone.locator("#what").get_by_text("Shut 12").wait_for()
    name = phone.get_by_label("Name in place of Ann")
    name.fill("Zoe")
    name.press("Enter")
    phone.locator("#who").get_by_text("Zoe").wait_for()
    phone.get_by_role("button", name="It is Bob's turn").tap()
    phone.locator("#who").get_by_text("Bob").wait_for()
    total = phone.get_by_label("Total of Zoe")
    total.fill("12")
    total.press("Enter")
    phone.get_by_role("button", name="Undo the last step").tap()
    box.locator("#oled[aria-label*='Undone']").wait_for()
    keep_picture(phone, "keeper-390x844")
    assert phone.evaluate("() => document.documentElement.scrollWidth") <= 390
    with phone.expect_download() as download:
        phone.get_by_text("turns (CSV)").tap()
    assert "match,turn,round,player" in download.value.path().read_text()

    phone.get_by_label("Player 1").fill("Ann")
    phone.get_by_label("Player 2").fill("Cy")
    phone.get_by_label("Rules").select_option("cards")
    phone.get_by_role("button", name="Start").tap()
    phone.locator("#who").get_by_text("Ann").wait_for()
    box.locator("#box [aria-label^='Tile 10,']").wait_for()
    assert phone.get_by_role("heading", name="Players").is_visible(), "who starts a match remains its keeper"


def test_anybody_else_only_watches(bench: Any, visit: Visit) -> None:
    phone = visit(f"{bench.url}/keeper")
    phone.get_by_label("Digits").wait_for()
    assert not phone.get_by_role("button", name="Undo the last step").is_visible()
    Keys(phone).roll()
    assert bench.board()["dice"] == []


def test_a_wrong_start_with_nobody_is_explained_where_the_finger_is(
    bench: Any, visit: Visit, keep_picture: Callable[[Any, str], None]
) -> None:
    bench.do("players Ann bot:good")
    box = visit(f"{bench.url}/bench")
    phone = visit(f"{bench.url}/keeper", 390, 844, has_touch=True, is_mobile=True)
    phone.get_by_label("Digits").fill(digits_on_the_panel(bench, box))
    phone.get_by_role("button", name="Open").tap()
    for number, name in ((1, "Ann"), (2, "bot:good")):
        player = phone.get_by_label(f"Player {number}")
        assert player.input_value() == name
        player.fill("")
    phone.get_by_role("button", name="Start").tap()
    said = phone.get_by_text("name at least one player")
    said.wait_for()
    assert 0 <= said.bounding_box()["y"] < 844
    keep_picture(phone, "keeper-wrong-start")
    phone.get_by_label("Player 1").fill("Zoe")
    phone.get_by_role("button", name="Start").tap()
    phone.get_by_text("Done", exact=True).wait_for()
    phone.locator("#who").get_by_text("Zoe").wait_for()

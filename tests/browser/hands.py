"""Hands at the bench page: how a match is played by clicks, by keys or by touch."""

from __future__ import annotations

import contextlib
import re
from itertools import combinations
from typing import Any

WHAT = "document.getElementById('what').innerText"


class Mouse:
    """Clicks; with ``is_touch`` a finger."""

    def __init__(self, page: Any, *, is_touch: bool = False) -> None:
        self.page, self._is_touch = page, is_touch

    def _hit(self, selector: str) -> None:
        found = self.page.locator(selector)
        (found.tap if self._is_touch else found.click)()

    def roll(self) -> None:
        self._hit("[data-button=roll]")

    def flip(self, tile: int) -> None:
        self._hit(f"#box [aria-label^='Tile {tile},']")

    def lay(self, dice: tuple[int, ...]) -> None:
        """Turn the dice in the tray until they show ``dice``."""
        for name, die in zip(("First", "Second"), dice, strict=False):
            for _ in range(6):
                label = self.page.locator(f"#box [aria-label^='{name} die']").get_attribute("aria-label")
                if f"die: {die}, laid" in label:
                    break
                self._hit(f"#box [aria-label^='{name} die']")
                self.page.wait_for_function(
                    "([name, before]) => document.querySelector(`#box [aria-label^='${name} die']`)"
                    ".getAttribute('aria-label') !== before",
                    arg=[name, label],
                )


class Keys:
    """The keyboard alone."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def roll(self) -> None:
        self.page.keyboard.press("r", delay=80)

    def flip(self, tile: int) -> None:
        self.page.keyboard.press(str(tile % 10))


def prompt(page: Any) -> str:
    """Who is meant, and what to do."""
    return f"{page.locator('#who').inner_text()} {page.locator('#what').inner_text()}".strip()


def play_match(page: Any, hands: Any) -> str:
    """Play whatever falls to the end of a match of one round; who wins, as the page says."""
    from playwright.sync_api import TimeoutError as TooLong

    for _ in range(200):  # far more than any round takes
        page.wait_for_function(f"() => /Roll|^Open|^Shut|win/.test({WHAT})")
        words = page.locator("#what").inner_text()
        if "win" in words:
            return prompt(page)
        if "Roll" in words:
            hands.roll()
            with contextlib.suppress(TooLong):  # on a busy machine a press may become a hold
                page.wait_for_function(f"() => {WHAT} !== {words!r}", timeout=5000)
        elif words.startswith("Open"):
            for tile in map(int, words.removeprefix("Open").split()):
                flip_and_see(page, hands, tile)
            page.wait_for_function(f"() => {WHAT} !== {words!r}")  # settled, and seen so by the game
        else:
            play_a_set(page, hands)
    raise AssertionError(f"no end: {prompt(page)}")


def play_a_set(page: Any, hands: Any) -> None:
    """Tiles that add up."""
    total = int(re.findall(r"\d+", page.locator("#what").inner_text())[0])
    for tile in adding_up(open_tiles(page), total):
        flip_and_see(page, hands, tile)
    page.wait_for_function(f"() => !/^Shut/.test({WHAT})")


def open_tiles(page: Any) -> list[int]:
    """As a screen reader tells them."""
    labels = page.locator("#box .tile[aria-pressed=false]").evaluate_all(
        "tiles => tiles.map(tile => tile.getAttribute('aria-label'))"
    )
    return [int(re.findall(r"\d+", label)[0]) for label in labels]


def adding_up(tiles: list[int], total: int) -> tuple[int, ...]:
    """The fewest of ``tiles`` that come to ``total``."""
    sets = (some for count in range(1, 6) for some in combinations(tiles, count))
    return next(some for some in sets if sum(some) == total)


def flip_and_see(page: Any, hands: Any, tile: int) -> None:
    """Flip, and wait until it lies so."""
    pressed = page.locator(f"#box [aria-label^='Tile {tile},']").get_attribute("aria-pressed")
    hands.flip(tile)
    page.wait_for_function(
        "([tile, before]) => document.querySelector(`#box [aria-label^='Tile ${tile},']`)"
        ".getAttribute('aria-pressed') !== before",
        arg=[tile, pressed],
    )

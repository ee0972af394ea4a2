"""The pictures of the self-test: of the panel's size, legible, and unlike each other when shifted."""

from __future__ import annotations

import pytest
from PIL import ImageChops

from firmware_host.selftest.card import edge_card, prompt


def test_the_card_has_a_frame_on_all_four_edges() -> None:
    card = edge_card()
    assert (card.mode, card.size) == ("1", (128, 64))
    for edge in ((0, 0, 128, 1), (0, 63, 128, 64), (0, 0, 1, 64), (127, 0, 128, 64)):
        darkest, _ = card.crop(edge).getextrema()
        assert darkest


@pytest.mark.parametrize("shift", [(2, 0), (-2, 0), (0, 8), (0, 32)])
def test_a_shifted_card_is_another_picture(shift: tuple[int, int]) -> None:
    card = edge_card()
    assert ImageChops.offset(card, *shift).tobytes() != card.tobytes()


@pytest.mark.parametrize("lines", [("SHUT", "12"), ("LET GO OF ALL BUTTONS",), ("A" * 60, "B")])
def test_a_prompt_has_the_panel_s_size_and_something_on_it(lines: tuple[str, ...]) -> None:
    image = prompt(*lines)
    assert (image.mode, image.size) == ("1", (128, 64))
    assert image.getbbox() is not None

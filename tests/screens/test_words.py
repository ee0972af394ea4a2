"""Every word is in the table, and the panel's fonts can draw it."""

from __future__ import annotations

import doctest
import importlib
import string

import pytest

from firmware_host.games.records import EndReason
from firmware_host.games.shut_the_box.presets import PRESETS
from firmware_host.screens.fonts import Font, can_draw
from firmware_host.screens.text import lines
from firmware_host.screens.words import ENGLISH, say
from firmware_host.table.dialog import WITH_CAMERA, Choice, Item, Page
from firmware_host.table.view import Notice, Scene, View
from hardware.dice.reading import Reason


def test_the_words_others_rely_on() -> None:
    fixed = ("roll", "one_or_two", "open", "shut", "wins", "paused")
    assert [say(key) for key in fixed] == ["ROLL", "1 or 2", "OPEN", "SHUT", "WINS", "PAUSED"]
    assert say("wins") in say("one_wins", names="Ann")
    assert say("wins") in say("several_win", names="Ann & Bob")


@pytest.mark.parametrize("notice", Notice)
def test_each_notice_has_words(notice: Notice) -> None:
    assert say(f"notice.{notice.name.lower()}")


@pytest.mark.parametrize("reason", EndReason)
def test_each_end_of_a_turn_has_words(reason: EndReason) -> None:
    assert say(f"reason.{reason}", total=7)


@pytest.mark.parametrize("device", ["display", "tiles", "buttons", "dice", "camera", "store"])
def test_each_device_that_can_be_lost_has_words(device: str) -> None:
    assert say(f"trouble.{device}")


@pytest.mark.parametrize("reason", Reason)
def test_each_refusal_of_the_camera_has_words(reason: Reason) -> None:
    assert say(f"refused.{reason}")


@pytest.mark.parametrize("choice", Choice)
def test_each_choice_of_the_menu_has_words(choice: Choice) -> None:
    assert say(choice.value)


def test_each_source_of_dice_has_words_and_a_line_about_it() -> None:
    assert all(say(f"dice_{source}") and say(f"about.dice_{source}") for source in WITH_CAMERA)


def test_each_page_has_a_title() -> None:
    titles = ("menu", Choice.LEAVE.value, Choice.SET_SCORE.value)
    steps = ("set_up_rules", "set_up_players", "set_up_seat", "set_up_dice")
    assert all(say(f"title.{title}", number=1) for title in (*titles, *steps))


@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_is_told_in_full(name: str) -> None:
    page = Page("set_up_rules", (Item("set_up_house"), Item("preset", name)), index=1)
    assert PRESETS[name].line in " ".join(lines(View(Scene.MENU, page=page)))


def test_an_unknown_key_says_nothing() -> None:
    assert say("reason.struck_by_lightning") == ""


def test_a_name_with_braces_is_only_a_name() -> None:
    assert say("one_wins", names="{Ann}") == "{Ann} WINS"


@pytest.mark.parametrize("font", Font)
def test_each_size_of_type_can_draw_every_word(font: Font) -> None:
    literal = [part for text in ENGLISH.values() for part, *_ in string.Formatter().parse(text)]
    assert [part for part in literal if not can_draw(part, font)] == []
    assert can_draw("0123456789…", font)


@pytest.mark.parametrize("name", ["fitting", "names", "text", "words"])
def test_the_examples_in_the_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"firmware_host.screens.{name}"))
    assert result.attempted
    assert not result.failed

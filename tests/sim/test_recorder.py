"""What hands did, as a play."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.table.report import Report
from sim.play import parse
from sim.recorder import MOST_LINES, Recorder

NOBODY = Report()


class Hands:
    """A recorder with a clock that is set by hand; ``lying``: what a fresh box needs."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lying: list[str] = []
        self.recorder = Recorder(lambda: self.now, lambda: self.lying)

    def lines(self, report: Report = NOBODY) -> list[str]:
        text = self.recorder.play(report)
        list(parse(text))  # it is a play
        return text.splitlines()

    def start(self, *players: str, **rules: Any) -> None:
        from firmware_host.config import Config

        given = {key.replace("_", ".", 1): value for key, value in rules.items()}
        rules = {**Config().match_settings, "dice.source": "roller", **given}
        self.recorder.heard({"event": "match_started", "rules": rules, "players": list(players)})


@pytest.fixture
def hands() -> Hands:
    return Hands()


def test_quick_flips_share_a_line_and_slow_ones_do_not(hands: Hands) -> None:
    for at, tile in ((0.0, 3), (1.0, 5), (4.0, 8)):
        hands.now = at
        hands.recorder.flipped(tile, to_open=False)
    hands.recorder.flipped(8, to_open=True)
    assert hands.lines() == ["shut 3, shut 5", "shut 8, open 8"]


def test_dice_that_chance_threw_are_written_in_place_of_the_press(hands: Hands) -> None:
    hands.recorder.pressed("roll", 0.1)
    hands.recorder.heard({"event": "rolled", "source": "roller", "dice": [3, 5]})
    hands.recorder.pressed("next", 0.1)
    hands.recorder.heard({"event": "rolled", "source": "keypad", "dice": [1, 1]})
    assert hands.lines() == ["roll 3 5", "press next"]


def test_a_hold_tells_how_long(hands: Hands) -> None:
    hands.recorder.pressed("back", 1.234)
    assert hands.lines() == ["press back 1.2s"]


def test_a_long_pause_is_written_down(hands: Hands) -> None:
    hands.recorder.pressed("next", 0.1)
    hands.now = 700.0
    hands.recorder.pressed("roll", 0.1)
    assert hands.lines() == ["press next", "wait 698s", "press roll"]


def test_a_match_begins_the_play_with_its_settings_and_how_the_box_lies(hands: Hands) -> None:
    hands.recorder.pressed("back", 0.1)
    hands.now = 10.0
    hands.lying = ["shut 9", "fault tile 5 stuck"]
    hands.start("Ann", "Bob B", rules_tiles="1-10", match_kind="last-standing", rules_shut="scores-0")
    assert hands.lines() == [
        "set match.kind last-standing", "set rules.shut scores-0", "set rules.tiles 1-10",
        "players Ann 'Bob B'", "shut 9", "fault tile 5 stuck",
    ]  # fmt: skip


def test_a_rematch_with_a_button_goes_on_in_the_same_play(hands: Hands) -> None:
    hands.start("Ann")
    hands.recorder.pressed("next", 0.1)
    hands.start("Ann")
    assert hands.lines() == ["players Ann", "press next"]


def test_at_its_end_a_play_says_what_held(hands: Hands) -> None:
    hands.start("Ann", "Bob")
    going_on = Report(player="Bob", totals=(("Ann", 14), ("Bob", 0)))
    assert hands.lines(going_on)[1:] == ["expect turn Bob", "expect score Ann 14", "expect score Bob 0"]
    assert hands.lines(Report(player="Bob", winners=("Ann",)))[1:] == ["expect winner Ann"]


def test_where_a_phone_meddled_the_end_is_left_open(hands: Hands) -> None:
    hands.start("Ann")
    hands.recorder.remark('the phone: {"do": "end_turn"}')
    assert hands.lines(Report(player="Ann", totals=(("Ann", 45),))) == [
        "players Ann", '# the phone: {"do": "end_turn"}',
    ]  # fmt: skip


def test_it_ends_somewhere(hands: Hands) -> None:
    for _ in range(MOST_LINES + 10):
        hands.recorder.pressed("next", 0.1)
    assert len(hands.lines()) == MOST_LINES

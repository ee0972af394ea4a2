"""The bench script's language: each line is one action, or an error that names it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import PlayError
from sim.play import (
    FLIP_EVERY_S,
    PRESS_S,
    Action,
    Expect,
    Fault,
    Flip,
    Flips,
    Players,
    Power,
    Press,
    Roll,
    Set,
    Wait,
    parse,
    parse_line,
)


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("", None),
        ("   # only a comment", None),
        ("set rules.tiles 1-10", Set("rules.tiles", "1-10")),
        ("set match.players Ann Bob", Set("match.players", "Ann Bob")),
        ("players Ann Bob", Players(("Ann", "Bob"))),
        ('players "Ann Lee" Bob # two', Players(("Ann Lee", "Bob"))),
        ("players 'Ann Lee'", Players(("Ann Lee",))),
        ("roll 4 5", Roll((4, 5))),
        ("  roll   6 ", Roll((6,))),
        ("shut 1 3", Flips((Flip(1, False), Flip(3, False)), FLIP_EVERY_S)),
        ("open 9", Flips((Flip(9, True),))),
        ("shut all", Flips((Flip(None, False),))),
        ("open all", Flips((Flip(None, True),))),
        (
            "shut 6, open 6, shut 5 every 30ms",
            Flips((Flip(6, False), Flip(6, True), Flip(5, False)), 0.03),
        ),
        ("press roll", Press("roll", PRESS_S)),
        ("press next 2s", Press("next", 2.0)),
        ("press back 1200ms", Press("back", 1.2)),
        ("press next twice", Press("next", PRESS_S, 2)),
        ("wait 1.5s", Wait(1.5)),
        ("wait 5m", Wait(300.0)),
        ("wait 1h", Wait(3600.0)),
        ("fault tile 5 bounce 40ms", Fault("tile", "bounce", 5, 0.04)),
        ("fault tile 5 stuck", Fault("tile", "stuck", 5)),
        ("fault oled gone", Fault("oled", "gone")),
        ("fault tiles gone", Fault("tiles", "gone")),
        ("mend tile 5", Fault("tile", "", 5)),
        ("mend oled", Fault("oled", "")),
        ("fault i2c gone", Fault("i2c", "gone")),
        ("fault expander reset", Fault("expander", "reset")),
        ("fault serial noise", Fault("serial", "noise")),
        ("fault serial hang", Fault("serial", "hang")),
        ("mend serial", Fault("serial", "")),
        ("power off", Power(False)),
        ("power on", Power(True)),
        ("expect open 1 2 3", Expect("open", ("1", "2", "3"), False)),
        ("expect open", Expect("open", (), False)),
        ("expect legal 8, 7 1", Expect("legal", ("8,", "7", "1"), False)),
        ("expect legal", Expect("legal", (), False)),
        ("expect wants move", Expect("wants", ("move",), False)),
        ("expect score Ann -2", Expect("score", ("Ann", "-2"), False)),
        ('!expect screen "to roll"', Expect("screen", ("to roll",), True)),
        (
            "expect event turn_ended player=Ann score=14",
            Expect("event", ("turn_ended", "player=Ann", "score=14"), False),
        ),
    ],
)
def test_a_line_is_an_action(line: str, action: Action | None) -> None:
    assert parse_line(line, 1) == action


def test_lines_keep_their_numbers_and_texts() -> None:
    lines = list(parse("# a play\n\n  players Ann\r\nroll 1\n"))
    assert [(line.number, line.text) for line in lines] == [(3, "players Ann"), (4, "roll 1")]


def test_the_error_names_the_line() -> None:
    with pytest.raises(PlayError, match=r"^line 2: 'dance' is none of "):
        list(parse("players Ann\ndance\n"))


VERBS = [
    "set",
    "players",
    "roll",
    "shut",
    "open",
    "press",
    "wait",
    "fault",
    "mend",
    "power",
    "expect",
    "!expect",
    "dance",
]
WORDS = [
    "1",
    "12",
    "13",
    "-1",
    "all",
    ",",
    "every",
    "30ms",
    "2s",
    "tile",
    "tiles",
    "oled",
    "stuck",
    "bounce",
    "gone",
    "on",
    "off",
    "roll",
    "next",
    "wants",
    "legal",
    "#",
    '"',
    "'",
    "=",
]


@given(st.sampled_from(VERBS), st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=5))
def test_whatever_is_written_is_an_action_or_an_error_of_one_line(verb: str, words: list[str]) -> None:
    error = ""
    try:
        parse_line(" ".join([verb, *words]), 7)
    except PlayError as caught:
        error = str(caught)
    assert not error or error.startswith("line 7: ")


@pytest.mark.parametrize("line", ["wait 99999999s", "press roll 25h", "fault tile 5 bounce 1441m"])
def test_a_time_longer_than_a_day_is_malformed(line: str) -> None:
    with pytest.raises(PlayError, match="is too long: at most 24h"):
        parse_line(line, 1)
    assert parse_line("wait 24h", 1) == Wait(86400.0)

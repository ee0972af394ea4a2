"""The config: what may be set, how it is written, and what is said of what may not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import firmware_host.config_files
from firmware_host.config import KEYS, SECTIONS, Config, Settings, load
from firmware_host.config_files import default_store_dir
from firmware_host.errors import ConfigError, RuleError
from firmware_host.games.match_rules import Kind, MatchRules, OnShut, Ties
from firmware_host.games.records import MatchStarted
from firmware_host.games.sequence_dice.rules import Rules as ChipRules
from firmware_host.games.shut_the_box.presets import PRESETS
from firmware_host.games.shut_the_box.rules import FirstRoll, OneDie, Rules, Scoring, Sets
from firmware_host.games.start import opening
from hardware.pinmap import BUTTON_PINS, TILE_PINS

Write = Callable[[str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def to_file(text: str | bytes) -> Path:
        path = tmp_path / "table.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return to_file


# Keys that are not the field of their section's name.
ELSEWHERE: dict[str, Callable[[Config], Any]] = {
    "rules.game": lambda config: config.game,
    "rules.in_a_row": lambda config: config.chip_rules.in_a_row,
    "rules.extra_after_blocked": lambda config: config.chip_rules.extra_after_blocked,
    "rules.preset": lambda config: config.preset,
    "rules.shut": lambda config: config.match.shut,
    "rules.ties": lambda config: config.match.ties,
    "match.players": lambda config: config.players,
}


def value(config: Config, key: str) -> Any:
    section, _, name = key.partition(".")
    return ELSEWHERE[key](config) if key in ELSEWHERE else getattr(getattr(config, section), name)


def refusal(path: Path | None = None, *overrides: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load(path, overrides)
    text = str(caught.value)
    assert "\n" not in text
    return text


# Defaults


def test_without_a_file_every_key_has_its_default() -> None:
    config = load(None)
    assert config == Config()
    assert config.rules == Rules()
    assert config.players == ("Player 1", "Player 2")
    assert (config.tiles.driver, config.tiles.pull, config.tiles.backend) == ("gpio", "up", "lgpio")
    assert config.dice.source == "roller"
    assert (config.display.controller, config.display.bus, config.display.address) == ("ssd1306", 1, 0x3C)


def test_an_empty_file_changes_nothing(write: Write) -> None:
    assert load(write("")) == Config()
    assert load(write("[rules]\n[tiles]\n")) == Config()


def test_the_default_pins_are_those_of_the_wiring() -> None:
    config = Config()
    assert dict(config.tiles.pins) == dict(TILE_PINS)
    assert {name: value(config, f"buttons.{name}") for name in BUTTON_PINS} == dict(BUTTON_PINS)


def test_every_key_is_a_field_of_the_config_and_every_field_has_a_key() -> None:
    config = Config()
    held = {f"{section}.{f.name}" for section in SECTIONS for f in fields(getattr(config, section))}
    held -= {"match.shut", "match.ties"}  # said under rules
    assert held | set(ELSEWHERE) == set(KEYS)
    assert {f.name for f in fields(config)} == {*SECTIONS, "game", "chip_rules", "preset", "players"}


def test_every_default_is_allowed_by_its_own_key() -> None:
    config = Config()
    for key, kind in KEYS.items():
        default = value(config, key)
        if default is not None:
            given = dict(default) if key.endswith(".pins") else default
            given = list(given) if isinstance(given, tuple) else str(given) if key == "store.dir" else given
            assert kind.read(given) == default, key


# What may be given, as TOML and as text


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("rules.game", "shut-the-box", "shut-the-box"),
        ("rules.game", "sequence-dice", "sequence-dice"),
        ("rules.in_a_row", "6", 6),
        ("rules.extra_after_blocked", "true", True),
        ("rules.tiles", "1-10", tuple(range(1, 11))),
        ("rules.tiles", " 1-12 ", tuple(range(1, 13))),
        ("rules.tiles", "1,3,5,7,9", (1, 3, 5, 7, 9)),
        ("rules.tiles", "[9, 1, 3]", (1, 3, 9)),
        ("rules.tiles", '["4-6", 9]', (4, 5, 6, 9)),
        ("rules.tiles", "7", (7,)),
        ("rules.one_die", "sum-below-6", OneDie.SUM_BELOW_6),
        ("rules.one_die", '"never"', OneDie.NEVER),
        ("rules.one_die_compulsory", "true", True),
        ("rules.unlucky_7", "false", False),
        ("rules.sets", "thai", Sets.THAI),
        ("rules.first_roll", "2-to-go", FirstRoll.TWO_TO_GO),
        ("rules.scoring", "digits", Scoring.DIGITS),
        ("rules.preset", "full-house", "full-house"),
        ("rules.shut", "scores-0", OnShut.SCORES_0),
        ("rules.ties", "play-off", Ties.PLAY_OFF),
        ("match.kind", "battle", Kind.BATTLE),
        ("match.stake", "5", 5),
        ("match.stake", "0x10", 16),
        ("match.double_on_shut", "false", False),
        ("match.players", "Ann, Bob", ("Ann", "Bob")),
        ("match.players", '["Ann", "Bob"]', ("Ann", "Bob")),
        ("match.players", '["Ann, the first", "Bob"]', ("Ann, the first", "Bob")),
        ("match.players", "[Ann,Bob]", ("Ann", "Bob")),  # what a shell leaves of the quotes
        ("match.players", '"Ann","Bob"', ("Ann", "Bob")),
        ("match.players", "Ann", ("Ann",)),
        ("match.players", "  Nguyễn Thị Minh Khai ,李", ("Nguyễn Thị Minh Khai", "李")),
        ("tiles.pins", "1=4,2=17", {1: 4, 2: 17}),
        ("tiles.pins", "2 = 17, 1 = 4", {1: 4, 2: 17}),
        ("tiles.pins", "{ 1 = 4, 2 = 17 }", {1: 4, 2: 17}),
        ("tiles.pins", "[4, 17]", {1: 4, 2: 17}),
        ("tiles.pull", "external", "external"),
        ("tiles.backend", "rpigpio", "rpigpio"),
        ("buttons.roll", "12", 12),
        ("display.controller", "none", "none"),
        ("display.bus", "3", 3),
        ("display.address", "0x3d", 0x3D),
        ("display.address", "61", 0x3D),
        ("display.blank_at_exit", "true", True),
        ("chips.driver", "matrix", "matrix"),
        ("chips.bus", "spi1.0", "spi1.0"),
        ("chips.select", "4, 5,6,13", (4, 5, 6, 13)),
        ("chips.select", "[4, 5, 6, 13]", (4, 5, 6, 13)),
        ("chips.sensor", "ss49e", "ss49e"),
        ("chips.rest", "", ()),
        ("chips.rest", ",".join(["512.5"] * 36), (512.5,) * 36),
        ("chips.rest", str([510] * 36), (510.0,) * 36),
        ("chips.address", "0x27", 0x27),
        ("store.dir", "/srv/box", Path("/srv/box")),
        ("web.host", "0.0.0.0", "0.0.0.0"),
        ("web.host", "::1", "::1"),
        ("web.port", "0", 0),
    ],
)
def test_a_value_as_text(key: str, text: str, expected: object) -> None:
    assert value(load(None, [f"{key}={text}"]), key) == expected
    assert value(Settings().with_setting(key, text).build(), key) == expected


@pytest.mark.parametrize(
    ("toml", "key", "expected"),
    [
        ('rules.tiles = "1-10"', "rules.tiles", tuple(range(1, 11))),
        ("[rules]\ntiles = [1, 3, 5]", "rules.tiles", (1, 3, 5)),
        ("[rules]\ntiles = 7", "rules.tiles", (7,)),
        ("[rules]\none_die_compulsory = true", "rules.one_die_compulsory", True),
        ("[rules]\nunlucky_7 = 'true'", "rules.unlucky_7", True),
        ('[match]\nplayers = ["Ann", " Bob "]', "match.players", ("Ann", "Bob")),
        ('[match]\nkind = "rounds"\nrounds = 5', "match.rounds", 5),
        ('[match]\nrounds = "5"\nkind = "rounds"', "match.rounds", 5),
        ('[match]\nkind = "last-standing"\nlimit = 30', "match.limit", 30),
        ("[match]\nstake = 2\ndouble_on_shut = true", "match.double_on_shut", True),
        ('[rules]\npreset = "pub"', "match.stake", 1),
        ("[tiles]\npins = { 1 = 4, 2 = 17 }", "tiles.pins", {1: 4, 2: 17}),
        ("[tiles.pins]\n1 = 4\n2 = 17", "tiles.pins", {1: 4, 2: 17}),
        ("[tiles]\npins = [4, 17]", "tiles.pins", {1: 4, 2: 17}),
        ("[buttons]\nroll = 12", "buttons.roll", 12),
        ("[display]\naddress = 0x3d", "display.address", 0x3D),
        ('[display]\naddress = "0x3d"', "display.address", 0x3D),
        ("\ufeff[display]\r\nbus = 3\r\n", "display.bus", 3),
    ],
)
def test_a_value_in_a_file(write: Write, toml: str, key: str, expected: object) -> None:
    assert value(load(write(toml)), key) == expected


def test_what_is_set_goes_above_the_file_and_the_last_above_the_first(write: Write) -> None:
    path = write('[rules]\ntiles = "1-12"\nscoring = "count"')
    config = load(path, ["rules.tiles=1-9", "rules.tiles=1-10"])
    assert config.rules.tiles == tuple(range(1, 11))
    assert config.rules.scoring is Scoring.COUNT


def test_a_name_may_be_written_in_two_ways_of_unicode() -> None:
    composed, decomposed = "Zo\u00eb", "Zoe\u0308"
    assert load(None, [f"match.players={decomposed}"]).players == (composed,)
    assert "stands twice" in refusal(None, f"match.players={composed},{decomposed}")


def test_the_box_may_play_several_seats_in_one_way() -> None:
    assert load(None, ["match.players=Ann,bot:good,bot:good"]).players == ("Ann", "bot:good", "bot:good")


def test_a_folder_may_lie_in_the_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert load(None, ["store.dir=~/box"]).store_dir == Path("/home/ann/box")


def test_settings_can_be_changed_and_built_again() -> None:
    before = Settings().with_setting("rules.tiles", "1-10")
    after = before.with_setting("rules.tiles", "1-12").with_setting("rules.sets", "thai")
    assert len(before.build().rules.tiles) == 10
    assert before.build().rules.sets is Sets.ANY
    assert len(after.build().rules.tiles) == 12
    assert after.build().rules.sets is Sets.THAI


# What may not


@pytest.mark.parametrize(
    ("key", "text", "what"),
    [
        ("rules.game", "chess", "allowed: shut-the-box, sequence-dice"),
        ("rules.in_a_row", "4", "allowed: 5, or 6 for two sides"),
        ("rules.extra_after_blocked", "1", "allowed: true, false"),
        ("rules.tiles", "1-13", "('1-13' is not within 1-12); allowed: 1-9, 1-10, 1-12, or a list"),
        ("rules.tiles", "", "allowed: 1-9"),
        ("rules.tiles", "[]", "allowed: 1-9"),
        ("rules.tiles", "0-9", "allowed: 1-9"),
        ("rules.tiles", "1,2,2", "tile 2 stands twice"),
        ("rules.tiles", "[1, true]", "allowed: 1-9"),
        ("rules.tiles", "[1, 2", "do not fit"),
        ("rules.one_die", "always", "allowed: high-down, sum-at-most-6, sum-below-6, only-1, never"),
        ("rules.one_die_compulsory", "yes", "allowed: true, false"),
        ("rules.unlucky_7", "1", "allowed: true, false"),
        ("rules.sets", "Thai", "allowed: any, at-most-two, thai"),
        ("rules.first_roll", "4-to-go", "allowed: free, 2-to-go, 3-to-go"),
        ("rules.scoring", "", "allowed: sum, digits, count"),
        (
            "rules.preset",
            "house",
            "allowed: masters, pub, cards, last-standing, battle, digits, full-house, thai",
        ),
        ("rules.shut", "wins", "allowed: wins-match, wins-round, scores-0"),
        ("rules.ties", "playoff", "allowed: shared, play-off, carry-over"),
        ("match.kind", "duel", "allowed: one-round, rounds, last-standing, to-limit, battle"),
        ("match.rounds", "0", "allowed: 1 to 99 rounds"),
        ("match.rounds", "three", "'three' is no number"),
        ("match.limit", "0", "allowed: 1 to 99999 points"),
        ("match.limit", "none", "'none' is no number"),
        ("match.stake", "-1", "allowed: 0 to 99999 points"),
        ("match.stake", "0.5", "allowed: 0 to 99999 points"),
        ("match.double_on_shut", "maybe", "allowed: true, false"),
        ("match.players", "", "a name is empty"),
        ("match.players", "[]", "no name"),
        ("match.players", "Ann,,Bob", "a name is empty"),
        ("match.players", "Ann, Ann ", "'Ann' stands twice"),
        ("match.players", "A" * 21, "has 21 characters"),
        ("match.players", "A\tB", "control character"),
        ("match.players", "A\u2028B", "control character"),
        ("match.players", '["Ann", 3]', "allowed: names of 1 to 20 characters"),
        ("tiles.driver", "abacus", "allowed: gpio, mcp23017, serial"),
        ("expander.address", "0x3c", "0x20 to 0x27"),
        ("expander.pins", "1=GPA7", "GPA7 may not be an input, see the data sheet"),
        ("expander.pins", "1=GPA0,2=gpb7", "GPB7 may not be an input"),
        ("expander.pins", "1=GPA0,2=GPA0", "GPA0 stands twice"),
        ("expander.pins", "1=GPC0", "there is no 'GPC0' on an MCP23017"),
        ("expander.pins", "13=GPA0", "there is no tile 13"),
        ("expander.interrupt", "28", "allowed: BCM 2 to 27, none"),
        ("lamps.pins", "1=GPA8", "GPA0 to GPA7"),
        ("serial.usb", "2e8a", "VENDOR:PRODUCT"),
        ("serial.port", "/dev/tty\tA", "control character"),
        ("buzzer.volume", "11", "allowed: high, low, off"),
        ("display.bus", "spi", "spi0.0, spi0.1"),
        ("display.bus", "32", "0 to 31"),
        ("tiles.pins", "", "allowed: tile = pin"),
        ("tiles.pins", "{}", "no tile"),
        ("tiles.pins", "13=4", "there is no tile 13"),
        ("tiles.pins", "0=4", "there is no tile 0"),
        ("tiles.pins", "1=28", "there is no BCM 28"),
        ("tiles.pins", "1=-1", "there is no BCM -1"),
        ("tiles.pins", "1=0", "BCM 0 reads a HAT's EEPROM"),
        ("tiles.pins", "1=1", "BCM 1 reads a HAT's EEPROM"),
        ("tiles.pins", "1=4,1=17", "tile 1 stands twice"),
        ("tiles.pins", "1=4,2", "a number is missing"),
        ("tiles.pins", "1=D4", "'D4' is no number"),
        ("tiles.pull", "none", "allowed: up, down, external"),
        ("tiles.backend", "pigpio", "allowed: lgpio, rpigpio"),
        ("buttons.next", "1", "reads a HAT's EEPROM"),
        ("buttons.next", "28", "allowed: BCM 2 to 27"),
        ("buttons.next", "4.0", "allowed: BCM 2 to 27"),
        ("dice.source", "dream", "allowed: roller, serial, camera, keypad, none"),
        ("camera.device", "", "allowed: auto, picamera2"),
        ("camera.rig", "a\0b", "allowed: the path of a file"),
        ("display.controller", "ssd1307", "allowed: ssd1306, sh1106, ssd1309, none"),
        ("display.bus", "-1", "allowed: the number of an I2C bus"),
        ("display.address", "0x78", "0x3c or 0x3d"),
        ("chips.driver", "none", "allowed: hall, matrix"),
        ("chips.bus", "1", "allowed: spi0.0"),
        ("chips.select", "4,5,6", "3 pins"),
        ("chips.select", "4,5,6,x", "'x' is no number"),
        ("chips.rest", "512", "1 numbers"),
        ("chips.rest", ",".join(["1024"] * 36), "1024 is not within 0 to 1023"),
        ("chips.rest", ",".join(["nan"] * 36), "nan is not within 0 to 1023"),
        ("chips.rest", ",".join(["x"] * 36), "'x' is no number"),
        ("store.dir", "", "allowed: the path of a folder"),
        ("store.dir", "a\0b", "allowed: the path of a folder"),
        ("web.host", "", "allowed: an address or a name of this machine"),
        ("web.host", "http://box/", "allowed: an address or a name of this machine"),
        ("web.port", "65536", "allowed: 0 (no page) to 65535"),
    ],
)
def test_a_bad_value_is_refused_with_key_and_what_is_allowed(key: str, text: str, what: str) -> None:
    message = refusal(None, f"{key}={text}")
    assert message.startswith(f"--set: {key} is ")
    assert what in message
    assert KEYS[key].allowed in message


@pytest.mark.parametrize(
    "toml",
    [
        "rules.tiles = 1.5",
        "rules.tiles = {}",
        "rules.tiles = true",
        "rules.sets = 1",
        "rules.unlucky_7 = 1",
        "rules.preset = 1",
        "rules.shut = true",
        "rules.ties = ['shared']",
        "match.kind = []",
        "match.rounds = true",
        "match.limit = 4.5",
        "match.stake = {}",
        "match.double_on_shut = 1",
        "match.players = 5",
        "match.players = [['Ann']]",
        "tiles.pins = 4",
        "tiles.pins = { 1 = true }",
        "tiles.pins = { one = 4 }",
        "buttons.roll = true",
        "buttons.roll = 1979-05-27",
        "display.address = 0x80",
        "display.address = []",
        "store.dir = 3",
    ],
)
def test_a_bad_value_in_a_file_is_refused_with_the_files_name(write: Write, toml: str) -> None:
    path, key = write(toml), toml.partition(" ")[0]
    message = refusal(path)
    assert message.startswith(f"{path}: {key} is ")
    assert KEYS[key].allowed in message


def test_a_long_bad_value_is_cut_short() -> None:
    assert len(refusal(None, f"rules.sets={'x' * 1000}")) < 150


@pytest.mark.parametrize(
    ("key", "guess", "allowed"),
    [
        ("rules.tile", "rules.tiles", "[rules]: game, preset, tiles, one_die"),
        ("rules.one-die", "rules.one_die", "[rules]: game, preset, tiles, one_die"),
        ("preset", "rules.preset", "sections: rules, match, tiles"),
        ("match.round", "match.rounds", "[match]: kind, rounds, limit, stake, double_on_shut, players"),
        ("tiles", "rules.tiles", "[tiles]: driver, pins, pull, backend"),
        ("players", "match.players", "sections: rules, match, tiles"),
        ("button.roll", "buttons.roll", "sections: rules, match, tiles"),
        ("display.adress", "display.address", "[display]: controller, bus, address"),
    ],
)
def test_an_unknown_key_is_refused_with_the_closest(key: str, guess: str, allowed: str) -> None:
    message = refusal(None, f"{key}=1")
    assert message.startswith(f"--set: {key!r} is no key, did you mean {guess}? allowed ")
    assert allowed in message


@pytest.mark.parametrize("key", ["", "colour", "rules", "rules.", ".tiles", "webcam.port"])
def test_an_unknown_key_like_no_other_is_refused_too(key: str) -> None:
    assert f"{key!r} is no key" in refusal(None, f"{key}=1")


@pytest.mark.parametrize(
    ("toml", "key"),
    [
        ("[rules]\ntile = 3", "rules.tile"),
        ("[rule]", "rule"),
        ("rules = 3", "rules"),
        ("tiles = '1-9'", "tiles"),
        ("[tiles.pin]\n1 = 4", "tiles.pin"),
        ("[[rules]]\ntiles = 3", "rules"),
    ],
)
def test_an_unknown_key_in_a_file_is_refused_with_the_files_name(write: Write, toml: str, key: str) -> None:
    path = write(toml)
    assert refusal(path).startswith(f"{path}: {key!r} is no key")


@pytest.mark.parametrize("override", ["", "rules.tiles", "rules.tiles:1-10"])
def test_an_override_that_is_no_pair_is_refused(override: str) -> None:
    assert f"{override!r} is no KEY=VALUE; write --set rules.tiles=1-10" in refusal(None, override)


@given(st.sampled_from(sorted(KEYS)), st.text())
def test_any_text_is_a_value_or_a_config_error_of_one_line(key: str, text: str) -> None:
    try:
        load(None, [f"{key}={text}"])
    except ConfigError as error:
        lines = str(error).splitlines()
    else:
        lines = ["none"]
    assert len(lines) == 1


# Contradictions


def test_rules_that_contradict_each_other_are_refused(write: Write) -> None:
    path = write('[rules]\ntiles = "4-9"\nfirst_roll = "2-to-go"')
    assert refusal(path) == f"{path}: rules.first_roll 2-to-go needs tile 2, the tiles are 4-9"


def test_a_contradiction_names_both_places(write: Write) -> None:
    path = write('[rules]\none_die = "never"')
    message = refusal(path, "rules.one_die_compulsory=true")
    assert message == f"{path}, --set: rules.one_die_compulsory cannot be true: one_die is never"


def test_a_contradiction_of_settings_without_a_place_names_the_key() -> None:
    settings = Settings().with_setting("rules.tiles", "4-9").with_setting("rules.first_roll", "2-to-go")
    with pytest.raises(ConfigError, match=r"^rules\.first_roll 2-to-go needs tile 2"):
        settings.build()


CONTRADICTIONS = [
    ("rules.first_roll=2-to-go rules.tiles=1,3", "rules.first_roll 2-to-go needs tile 2, the tiles are 1,3"),
    ("rules.first_roll=3-to-go rules.tiles=2,4", "rules.first_roll 3-to-go needs tile 3, the tiles are 2,4"),
    (
        "rules.one_die=never rules.one_die_compulsory=true",
        "rules.one_die_compulsory cannot be true: one_die is never",
    ),
    (
        "rules.sets=thai rules.one_die_compulsory=true",
        "rules.one_die_compulsory cannot be true: sets thai rolls two dice always",
    ),
    ("match.limit=30", "match.limit has no meaning in match.kind one-round"),
    ("match.kind=rounds match.limit=30", "match.limit has no meaning in match.kind rounds"),
    ("match.kind=battle match.limit=30", "match.limit has no meaning in match.kind battle"),
    ("match.rounds=5", "match.rounds has no meaning in match.kind one-round"),
    ("match.kind=last-standing match.rounds=5", "match.rounds has no meaning in match.kind last-standing"),
    ("match.kind=to-limit match.rounds=5", "match.rounds has no meaning in match.kind to-limit"),
    ("match.kind=battle match.rounds=5", "match.rounds has no meaning in match.kind battle"),
    (
        "match.kind=battle rules.shut=scores-0",
        "rules.shut has no meaning in match.kind battle: the box shut wins it",
    ),
    (
        "match.kind=battle rules.ties=play-off",
        "rules.ties has no meaning in match.kind battle: it has no ties",
    ),
    ("match.kind=battle rules.first_roll=2-to-go", "rules.first_roll has no meaning in match.kind battle"),
    ("match.kind=battle rules.unlucky_7=true", "rules.unlucky_7 has no meaning in match.kind battle"),
    ("match.kind=battle rules.scoring=count", "rules.scoring has no meaning in match.kind battle"),
    ("rules.preset=digits match.kind=battle", "rules.scoring has no meaning in match.kind battle"),
    (
        "match.kind=battle dice.source=none",
        "dice.source none: in match.kind battle the dice must be known",
    ),
    ("match.double_on_shut=true", "match.double_on_shut needs a match.stake of 1 or more"),
    ("rules.preset=pub match.stake=0", "match.double_on_shut needs a match.stake of 1 or more"),
    ("rules.preset=pub rules.shut=scores-0", "match.double_on_shut needs rules.shut wins-match"),
    ("rules.preset=pub match.kind=rounds", "match.double_on_shut needs rules.shut wins-match"),
    (
        "rules.game=sequence-dice match.kind=rounds",
        "match.kind rounds has no meaning in rules.game sequence-dice",
    ),
    (
        "rules.game=sequence-dice rules.preset=battle",
        "match.kind battle has no meaning in rules.game sequence-dice",
    ),
    (
        "rules.game=sequence-dice dice.source=none",
        "dice.source none: in rules.game sequence-dice the dice must be known",
    ),
]


@pytest.mark.parametrize(("settings", "what"), CONTRADICTIONS)
def test_settings_that_contradict_each_other_are_refused_with_the_reason(settings: str, what: str) -> None:
    overrides = settings.split()
    assert refusal(None, *overrides) == f"--set: {what}"
    assert refusal(None, *reversed(overrides)) == f"--set: {what}"


@pytest.mark.parametrize("settings", [settings for settings, _ in CONTRADICTIONS])
def test_a_match_refuses_the_same_contradictions(settings: str) -> None:
    pairs = dict(setting.split("=") for setting in settings.split())
    preset = PRESETS[pairs.pop("rules.preset", "masters")].settings
    wanted = {**preset, **{key: KEYS[key].read(text) for key, text in pairs.items()}}
    if "rules.tiles" in pairs:
        wanted["rules.tiles"] = pairs["rules.tiles"]  # a match holds them as text
    with pytest.raises(RuleError):
        opening(1, wanted, ("Ann", "Bob"))


# Sequence Dice


def test_the_settings_of_both_games_may_stand_in_one_file(write: Write) -> None:
    path = write('[rules]\ntiles = "1-10"\nin_a_row = 6')
    box, chips = load(path), load(path, ["rules.game=sequence-dice"])
    assert box.match_settings["rules.tiles"] == "1-10"
    assert "rules.in_a_row" not in box.match_settings
    assert chips.match_settings["rules.in_a_row"] == 6
    assert "rules.tiles" not in chips.match_settings
    assert chips.rules.tiles == tuple(range(1, 11))  # the box has its tiles, whatever is played


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ("match.players=Ann", "two, three or four"),
        ("match.players=A,B,C,D,E", "two, three or four"),
        ("match.players=A,B,C rules.in_a_row=6", "never for three players"),
    ],
)
def test_players_that_cannot_play_sequence_dice_are_refused(settings: str, what: str) -> None:
    assert what in refusal(None, "rules.game=sequence-dice", *settings.split())


def test_a_config_of_sequence_dice_begins_such_a_match() -> None:
    config = load(None, ["rules.game=sequence-dice", "rules.in_a_row=6", "match.stake=2"])
    (started, _) = opening(1, config.match_settings, ("Ann", "Bob"))
    assert isinstance(started, MatchStarted)
    assert started.game == "sequence-dice"
    assert ChipRules.from_match(started.rules) == config.chip_rules == ChipRules(in_a_row=6)


# Presets and the settings of matches


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_a_config_and_a_match(name: str) -> None:
    config = load(None, [f"rules.preset={name}"])
    assert config.preset == name
    (started, _) = opening(1, config.match_settings, ("Ann", "Bob"))
    assert isinstance(started, MatchStarted)
    assert Rules.from_match(started.rules) == config.rules
    assert MatchRules.from_settings(started.rules) == config.match


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_says_in_one_line_what_it_is_and_sets_only_rules(name: str) -> None:
    preset = PRESETS[name]
    assert preset.line
    assert "\n" not in preset.line
    assert len(preset.line) <= 60
    for key, setting in preset.settings.items():
        assert key.startswith(("rules.", "match."))
        assert key not in ("rules.preset", "match.players")
        assert value(load(None, [f"rules.preset={name}"]), key) == KEYS[key].read(setting)


@pytest.mark.parametrize(
    ("name", "rules", "match"),
    [
        ("masters", Rules(), MatchRules()),
        ("pub", Rules(), MatchRules(stake=1, double_on_shut=True)),
        ("cards", Rules(tiles=tuple(range(1, 11))), MatchRules()),
        ("last-standing", Rules(), MatchRules(Kind.LAST_STANDING, limit=45, shut=OnShut.SCORES_0)),
        ("battle", Rules(), MatchRules(Kind.BATTLE)),
        ("digits", Rules(scoring=Scoring.DIGITS), MatchRules()),
        ("full-house", Rules(tiles=tuple(range(1, 13))), MatchRules()),
        ("thai", Rules(sets=Sets.THAI, one_die=OneDie.NEVER), MatchRules()),
    ],
)
def test_what_the_presets_set(name: str, rules: Rules, match: MatchRules) -> None:
    config = load(None, [f"rules.preset={name}"])
    assert (config.rules, config.match) == (rules, match)


def test_every_preset_is_tried_above() -> None:
    assert set(PRESETS) == set(KEYS["rules.preset"].allowed.split(", "))
    assert len(PRESETS) == 8


def test_explicit_keys_go_above_the_preset_wherever_they_stand(write: Write) -> None:
    path = write('[match]\nstake = 5\n[rules]\ntiles = "1-12"\npreset = "pub"')
    config = load(path)
    assert config.rules.tiles == tuple(range(1, 13))
    assert (config.match.stake, config.match.double_on_shut) == (5, True)
    config = load(path, ["rules.preset=last-standing", "match.limit=60"])
    assert (config.match.kind, config.match.limit) == (Kind.LAST_STANDING, 60)
    assert (config.match.stake, config.match.double_on_shut) == (5, False)


def test_a_preset_above_another_leaves_nothing_of_it() -> None:
    settings = Settings().with_setting("rules.preset", "pub").with_setting("rules.preset", "cards")
    assert settings.build() == load(None, ["rules.preset=cards"])


@pytest.mark.parametrize(
    ("kind", "limit", "shut"),
    [
        ("one-round", None, OnShut.WINS_MATCH),
        ("rounds", None, OnShut.WINS_ROUND),
        ("last-standing", 45, OnShut.SCORES_0),
        ("to-limit", 100, OnShut.SCORES_0),
        ("battle", None, OnShut.WINS_MATCH),
    ],
)
def test_the_defaults_of_a_match_are_those_of_its_kind(kind: str, limit: int | None, shut: OnShut) -> None:
    match = load(None, [f"match.kind={kind}"]).match
    assert (match.kind, match.rounds, match.limit, match.shut) == (kind, 3, limit, shut)
    assert (match.ties, match.stake, match.double_on_shut) == (Ties.SHARED, 0, False)


@pytest.mark.parametrize("kind", ["one-round", "rounds", "last-standing", "to-limit"])
@pytest.mark.parametrize("shut", OnShut)
@pytest.mark.parametrize("ties", Ties)
def test_shut_and_ties_go_with_every_kind_but_the_battle(kind: str, shut: OnShut, ties: Ties) -> None:
    config = load(None, [f"match.kind={kind}", f"rules.shut={shut}", f"rules.ties={ties}"])
    assert (config.match.kind, config.match.shut, config.match.ties) == (kind, shut, ties)


def test_a_stake_and_the_double_go_with_a_battle() -> None:
    config = load(None, ["rules.preset=battle", "match.stake=2", "match.double_on_shut=true"])
    assert (config.match.stake, config.match.double_on_shut) == (2, True)


@pytest.mark.parametrize("players", ["Ann", "Ann,Bob,Cem"])
def test_a_battle_is_for_exactly_two(players: str) -> None:
    message = refusal(None, "match.kind=battle", f"match.players={players}")
    assert message == f"--set: match.players {players.replace(',', ', ')}: a battle is for exactly two"
    assert load(None, ["match.kind=battle", "match.players=Ann,Bob"]).players == ("Ann", "Bob")


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        (["tiles.pins=1=4,2=17,3=4"], "tiles.pins for tile 1 and tiles.pins for tile 3 are both BCM 4"),
        (["buttons.roll=24"], "buttons.roll and buttons.next are both BCM 24"),
        (["buttons.back=21"], "tiles.pins for tile 12 and buttons.back are both BCM 21"),
    ],
)
def test_a_pin_has_one_use(settings: list[str], what: str) -> None:
    assert refusal(None, *settings) == f"--set: {what}; allowed: each pin once"


def test_a_pin_that_a_tile_left_may_be_used() -> None:
    config = load(None, ["tiles.pins=1=4,2=17", "buttons.back=21"])
    assert config.buttons.back == 21


@pytest.mark.parametrize(("bcm", "line"), [(2, "SDA"), (3, "SCL")])
def test_the_lines_of_the_display_are_taken(bcm: int, line: str) -> None:
    message = refusal(None, f"buttons.roll={bcm}")
    assert f"buttons.roll is BCM {bcm}, the {line} line of the display's I2C bus" in message
    assert "set display.controller to none" in message


def test_the_lines_of_bus_1_are_free_without_a_display_on_it() -> None:
    assert load(None, ["buttons.roll=2", "display.controller=none"]).buttons.roll == 2
    assert load(None, ["tiles.pins=1=3", "display.bus=3"]).tiles.pins[1] == 3


# Files that cannot be read


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    assert refusal(path).startswith(f"{path}: cannot be read (No such file or directory)")
    assert refusal(tmp_path).startswith(f"{tmp_path}: cannot be read (Is a directory)")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"[rules\n", "is not TOML"),
        (b"[rules]\ntiles = \n", "line 2"),
        (b"[rules]\ntiles = 1-9\n", "is not TOML"),
        (b"a = 1\na = 2\n", "is not TOML"),
        (b"a = " + b"[" * 100_000, "is not TOML"),
        (b"a = " + b"9" * 10_000, "is not TOML"),
        (b"[match]\nplayers = ['Zo\xeb']\n", "byte 23 is not UTF-8; save the file as UTF-8"),
        ("[rules]\n".encode("utf-16"), "byte 1 is not UTF-8"),
        (b"\0", "is not TOML"),
    ],
)
def test_a_file_that_is_no_toml_is_one_line(write: Write, content: bytes, what: str) -> None:
    path = write(content)
    message = refusal(path)
    assert message.startswith(f"{path}: ")
    assert what in message


# Where matches are kept


@pytest.fixture
def system_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """In place of the system's own, which may be there or not."""
    path = tmp_path / "lib" / "boxkeeper"
    monkeypatch.setattr(firmware_host.config_files, "_SYSTEM_STORE", str(path))
    return path


def test_matches_are_kept_in_the_systems_folder_where_that_is_writable(system_store: Path) -> None:
    system_store.parent.mkdir()
    assert Config().store_dir == system_store
    system_store.mkdir()
    assert Config().store_dir == system_store


@pytest.mark.usefixtures("system_store")
def test_matches_are_kept_in_the_users_folder_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/home/ann/state")
    assert default_store_dir() == Path("/home/ann/state/boxkeeper")


@pytest.mark.usefixtures("system_store")
@pytest.mark.parametrize("state", ["", "relative/state"])
def test_a_state_folder_that_is_none_is_ignored(monkeypatch: pytest.MonkeyPatch, state: str) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", state)
    monkeypatch.setenv("HOME", "/home/ann")
    assert default_store_dir() == Path("/home/ann/.local/state/boxkeeper")


@pytest.mark.usefixtures("system_store")
def test_without_a_home_the_folder_must_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    with pytest.raises(ConfigError, match=r"store\.dir: .* set store\.dir"):
        default_store_dir()


def test_the_folder_that_is_set_is_taken_unseen(write: Write) -> None:
    assert load(write('[store]\ndir = "/nowhere/at/all"')).store_dir == Path("/nowhere/at/all")


# Importing


def test_importing_the_config_pulls_in_no_device_library() -> None:
    script = (
        "import sys, firmware_host.config; "
        "print(sorted({'gpiozero', 'luma', 'PIL', 'asyncio', 'sqlite3'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"


# The ways to wire it


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        (["tiles.driver=mcp23017", "tiles.pins=1=2"], ""),  # BCM numbers do not count then
        (["tiles.driver=mcp23017", "tiles.pull=down"], "an MCP23017 can only pull up; allowed: up, external"),
        (["tiles.driver=mcp23017", "expander.interrupt=23"], "expander.interrupt and buttons.roll are both"),
        (["tiles.driver=mcp23017", "expander.interrupt=4"], ""),
        (["expander.interrupt=4"], ""),
        (
            ["tiles.driver=mcp23017", "display.controller=none", "buttons.next=3"],
            "line of the expander's I2C",
        ),
        (["tiles.driver=serial", "dice.source=serial", "display.bus=spi0.0", "buttons.roll=10"], ""),
        (["display.bus=spi0.0", "buttons.roll=10"], "BCM 10, the MOSI line of the display's SPI bus"),
        (["display.bus=spi0.0", "buttons.roll=2"], ""),
        (["display.bus=spi0.0"], ""),
        (["display.bus=spi0.0", "display.dc=23"], "buttons.roll and display.dc are both BCM 23"),
        (["display.bus=spi0.0", "display.reset=none", "buttons.roll=18"], ""),
        (["buzzer.driver=gpio", "buzzer.pin=4"], "tiles.pins for tile 1 and buzzer.pin are both BCM 4"),
        (["buzzer.pin=4"], ""),
        (["tiles.driver=mcp23017", "lamps.driver=mcp23017"], ""),
        (
            ["tiles.driver=mcp23017", "lamps.driver=mcp23017", "lamps.address=0x20"],
            "expander.address and lamps.address are both 0x20 on I2C bus 1",
        ),
        (
            ["lamps.driver=mcp23017", "display.address=0x21"],
            "lamps.address are both 0x21",
        ),
    ],
)
def test_only_what_is_wired_so_can_clash(settings: list[str], what: str) -> None:
    if what:
        assert what in refusal(None, *settings)
    else:
        load(None, settings)


GAME = "rules.game=sequence-dice"


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        (["chips.select=23,24,25,4"], ""),  # nobody plays on it
        ([GAME], ""),
        ([GAME, "chips.select=12,14,15,23"], "chips.select for S3 are both BCM 23"),
        ([GAME, "buttons.next=9"], "the MISO line of the chip board's SPI bus"),
        ([GAME, "display.bus=spi0.0"], "display.dc and chips.select for S0 are both"),
        (
            [
                GAME,
                "display.bus=spi0.1",
                "chips.select=4,5,6,13",
                "tiles.driver=mcp23017",
            ],
            "display.bus and chips.bus are both spi0.1",
        ),
        (
            [GAME, "chips.driver=matrix", "buttons.next=3", "display.controller=none"],
            "the SCL line of the expander's I2C bus",
        ),
        ([GAME, "chips.driver=matrix", "chips.address=0x20"], ""),
        (
            [
                GAME,
                "chips.driver=matrix",
                "chips.address=0x20",
                "tiles.driver=mcp23017",
            ],
            "expander.address and chips.address are both 0x20",
        ),
    ],
)
def test_the_chip_boards_wires_count_where_it_is_played_on(settings: list[str], what: str) -> None:
    if what:
        assert what in refusal(None, *settings)
    else:
        load(None, settings)


def test_the_pinmaps_ways_are_the_defaults() -> None:
    from hardware.ways import BUZZER_PIN, EXPANDER_TILE_PINS, SPI_DC_PIN, SPI_RESET_PIN

    config = Config()
    assert config.expander.pins == config.lamps.pins == EXPANDER_TILE_PINS
    assert (config.buzzer.pin, config.display.dc, config.display.reset) == (
        BUZZER_PIN, SPI_DC_PIN, SPI_RESET_PIN,
    )  # fmt: skip


def test_with_the_buttons_on_the_microcontroller_the_box_still_rolls() -> None:
    assert load(None, ["dice.source=serial"]).dice.played == "roller"
    assert load(None, ["dice.source=keypad"]).dice.played == "keypad"

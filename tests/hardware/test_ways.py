"""The ways to wire it: every contact is one the board has, and nothing meets what it must not."""

from __future__ import annotations

import pytest

from firmware_host.config import Settings
from hardware.pinmap import HEADER, wires
from hardware.ways import (
    BOARDS,
    EXPANDER,
    EXPANDER_TILE_PINS,
    LAMP_EXPANDER,
    PI,
    PICO,
    WAYS,
    End,
    Lead,
    Way,
)

USB = "USB"
every_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.key)


def ends(way: Way) -> list[End]:
    return [end for lead in way.leads for end in (lead.a, lead.b)]


def test_each_way_has_a_key_of_its_own() -> None:
    keys = [way.key for way in WAYS]
    assert len(set(keys)) == len(keys)


@every_way
def test_each_pin_of_a_board_bears_the_name_its_wire_gives_it(way: Way) -> None:
    for end in ends(way):
        if end.part in BOARDS and end.contact != USB:
            assert BOARDS[end.part].contacts[end.pin - 1] == end.contact


@every_way
def test_a_signal_has_a_pin_to_itself(way: Way) -> None:
    rails = {"3.3 V", "3V3", "GND", "VDD", "VSS", "VBUS", USB}
    signals = [end for end in ends(way) if end.part in BOARDS and end.contact not in rails]
    assert len(set(signals)) == len(signals)


@every_way
def test_no_wire_of_the_pi_carries_5_volts(way: Way) -> None:
    assert not [end for end in ends(way) if end.part == PI and end.contact == "5 V"]


@every_way
def test_no_supply_meets_a_ground(way: Way) -> None:
    grounds = {"GND", "VSS", "-", "other leg"}
    for lead in way.leads:
        is_supply = [end.contact in ("3.3 V", "3V3", "VDD", "VCC", "VBUS", "+5V") for end in (lead.a, lead.b)]
        assert not (any(is_supply) and {lead.a.contact, lead.b.contact} & grounds), lead


@every_way
def test_the_config_knows_its_settings(way: Way) -> None:
    settings = Settings()
    for key, value in way.settings.items():
        settings = settings.with_setting(key, value)
    settings.build()


def test_the_usual_way_is_the_pinmaps() -> None:
    own = {(lead.a.part, lead.a.contact, lead.b.pin) for way in WAYS[:1] for lead in way.leads}
    assert own == {(wire.part, wire.contact, wire.pin.number) for wire in wires() if wire.part != "OLED"}


def test_expanders_have_no_input_on_gpa7_and_gpb7() -> None:
    assert not {"GPA7", "GPB7"} & set(EXPANDER_TILE_PINS.values())
    assert list(EXPANDER_TILE_PINS) == list(range(1, 13))


def test_boards_have_all_their_pins() -> None:
    assert {name: len(board.contacts) for name, board in BOARDS.items()} == {
        PI: len(HEADER), EXPANDER: 28, LAMP_EXPANDER: 28, PICO: 40,
    }  # fmt: skip
    assert [BOARDS[EXPANDER].pin(name) for name in ("SCL", "SDA", "INTA", "GPA0")] == [12, 13, 20, 21]
    assert [BOARDS[PICO].pin(name) for name in ("GP0", "GP12", "GP16", "3V3", "VBUS")] == [1, 16, 21, 36, 40]


def test_the_two_expanders_differ_in_one_address_bit() -> None:
    def a0(way: Way) -> Lead:
        return next(lead for lead in way.leads if lead.a.contact == "A0")

    by_key = {way.key: way for way in WAYS}
    assert a0(by_key["tiles-mcp23017"]).b.contact == "GND"
    assert a0(by_key["lamps-mcp23017"]).b.contact == "3.3 V"

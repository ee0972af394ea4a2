"""The wiring: true to the real header, and free of clashes."""

from __future__ import annotations

import pytest

from firmware_host.config import Config
from hardware.pinmap import BUTTON_PINS, HEADER, TILE_PINS, drawing, header_pin, main, wires


def test_wrong_use_is_told_and_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--wrote"]) == 2
    assert capsys.readouterr().err == "usage: python -m hardware.pinmap [--write]\n"


def test_the_header_is_the_one_gpiozero_knows() -> None:
    from gpiozero.pins.pi import PiBoardInfo

    for revision in (0xA020D3, 0xC03111, 0xC04170, 0x902120):  # 3B+, 4B, 5, Zero 2 W
        header = PiBoardInfo.from_revision(revision).headers["J8"]
        theirs = {number: info.name for number, info in header.pins.items()}
        ours = {pin.number: pin.function if pin.bcm is None else f"GPIO{pin.bcm}" for pin in HEADER}
        renamed = {"3.3 V": "3V3", "5 V": "5V"}
        assert {number: renamed.get(name, name) for number, name in ours.items()} == theirs


@pytest.mark.parametrize(("bcm", "number"), [(4, 7), (17, 11), (21, 40), (23, 16), (2, 3)])
def test_a_line_is_found_on_the_header(bcm: int, number: int) -> None:
    pin = header_pin(bcm)
    assert pin is not None
    assert (pin.number, pin.bcm) == (number, bcm)


@pytest.mark.parametrize("bcm", [-1, 28, 99])
def test_a_line_that_does_not_come_out_is_not_found(bcm: int) -> None:
    assert header_pin(bcm) is None


def test_twelve_tiles_and_three_buttons_share_no_pin_with_anything() -> None:
    assert list(TILE_PINS) == list(range(1, 13))
    assert list(BUTTON_PINS) == ["roll", "next", "back"]
    pins = [wire.pin.number for wire in wires()]
    assert len(set(pins)) == len(pins) == 12 + 2 + 3 + 1 + 4


def test_they_are_where_the_default_config_looks_for_them() -> None:
    config = Config()
    assert config.tiles.pins == TILE_PINS
    assert {name: getattr(config.buttons, name) for name in BUTTON_PINS} == BUTTON_PINS
    assert (config.display.bus, config.display.address) == (1, 0x3C)


def test_i2c_uart_and_spi_stay_free_of_tiles_and_buttons() -> None:
    taken = {*TILE_PINS.values(), *BUTTON_PINS.values()}
    assert not taken & {0, 1, 2, 3, 14, 15, 7, 8, 9, 10, 11}


def test_no_wire_goes_to_5_volts() -> None:
    assert "5 V" not in {wire.pin.function for wire in wires()}


def test_every_supply_goes_to_a_supply_and_every_ground_to_ground() -> None:
    expected = {"VCC": "3.3 V", "GND": "GND", "other leg": "GND"}
    for wire in wires():
        assert wire.pin.function == expected.get(wire.contact, f"BCM {wire.pin.bcm}"), wire


def test_the_oled_is_on_bus_1() -> None:
    assert {wire.contact: wire.pin.bcm for wire in wires() if wire.part == "OLED"} == {
        "VCC": None, "SDA": 2, "SCL": 3, "GND": None,
    }  # fmt: skip


def test_the_drawing_has_twenty_rows_of_two_and_every_label() -> None:
    lines = drawing(wires()).splitlines()
    assert len(lines) == 22
    assert [line for line in lines if line != line.rstrip()] == []
    columns = {line.index("|") for line in lines[1:-1]} | {line.index("+") for line in (lines[0], lines[-1])}
    assert len(columns) == 1
    assert lines[1] == "OLED VCC ------- 3.3 V |  1    2 | 5 V"
    assert lines[8] == "tile 4 -------- BCM 22 | 15   16 | BCM 23 --- roll"


def test_pins_of_ones_own_are_drawn_too() -> None:
    own = wires(tiles={1: 12, 2: 18}, buttons={"roll": 7})
    text = drawing(own)
    assert "BCM 18 --- tile 2" in text
    assert "tile 3" not in text
    assert "BCM 7 ---- roll" in text

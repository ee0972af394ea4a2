"""The very firmware under a real MicroPython, behind a pty, as pyserial opens it."""

from __future__ import annotations

import filecmp
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from chip import FIRMWARE, Chip, needs_micropython, wait_for

from firmware_host.errors import DeviceBusyError, DeviceError, DeviceLostError, DeviceNotFoundError
from hardware.link.link import Link
from hardware.link.shared import SharedLink
from hardware.signals.serial import SerialBuzzer, SerialLamps
from hardware.tiles.serial import SerialLevels

pytestmark = needs_micropython
ALL_OPEN = (1,) * 12


@pytest.fixture
def chip(tmp_path: Path) -> Iterator[Chip]:
    made = Chip(tmp_path / "chip")
    yield made
    made.unplug()
    assert "Traceback" not in made.errors


@pytest.fixture
def link(chip: Chip) -> Iterator[Link]:
    made = Link(chip.open_port())
    yield made
    made.close()


def test_it_is_the_firmware_that_ships(chip: Chip) -> None:
    for name in ("main.py", "firmware.py", "wire.py"):
        assert filecmp.cmp(FIRMWARE / name, chip.folder / name, shallow=False)


def test_greeted_it_tells_its_lines(chip: Chip, link: Link) -> None:
    assert (link.state().tiles, link.state().buttons) == (ALL_OPEN, (1, 1, 1))
    chip.drive(0b1111_1111_1110, 0b011)
    wait_for(lambda: link.state().tiles[0] == 0)
    assert link.state().buttons == (1, 1, 0)


def test_tiles_buttons_lamps_and_buzzer_share_one_port_and_one_thread(chip: Chip) -> None:
    before = threading.active_count()
    shared = SharedLink(chip.open_port)
    tiles = SerialLevels(shared, lambda state: state.tiles, low=0)
    buttons = SerialLevels(shared, lambda state: state.buttons, low=1)
    lamps, buzzer = SerialLamps(shared), SerialBuzzer(shared, "high")
    assert threading.active_count() == before + 1
    lamps.light(frozenset({1, 12}))
    buzzer.tone(440)
    buzzer.tone(0)
    wait_for(lambda: "tone 0 2" in chip.told)
    assert [line for line in chip.told if line != "fed"] == ["lamps 801", "tone 440 2", "tone 0 2"]
    chip.drive(0xFFF, 0b101)
    wait_for(lambda: buttons.read() == (0, 1, 0))
    assert tiles.read() == ALL_OPEN
    for device in (tiles, buttons, lamps, buzzer):
        device.close()
    wait_for(lambda: threading.active_count() == before, "the end of its reader")


def test_the_watchdog_is_fed(chip: Chip, link: Link) -> None:
    wait_for(lambda: chip.told.count("fed") >= 2)
    assert link.state().tiles == ALL_OPEN


def test_noise_on_the_cable_moves_nothing_and_is_outlived(chip: Chip, link: Link) -> None:
    moved: list[None] = []
    link.watch("a test", lambda state: state.tiles, lambda: moved.append(None))
    chip.inject(b"\x00\xff\x03\x04S 0000 00000001 000 0 00000000\n" * 50 + b"S 12")
    wait_for(lambda: chip.told.count("fed") >= 2)  # a second, and two states, later
    assert (link.state().tiles, moved) == (ALL_OPEN, [])
    chip.drive(0xFFE, 0x7)
    wait_for(lambda: link.state().tiles[0] == 0)


def test_reset_it_is_lost_and_greeted_anew(chip: Chip) -> None:
    shared = SharedLink(chip.open_port)
    tiles = SerialLevels(shared, lambda state: state.tiles, low=0)
    chip.drive(0xFF0, 0x7)
    wait_for(lambda: tiles.read()[:4] == (0, 0, 0, 0))
    chip.reset()
    with pytest.raises(DeviceLostError, match="the board was reset"):
        wait_for(lambda: tiles.read() is None)
    tiles.close()
    again = SerialLevels(shared, lambda state: state.tiles, low=0)
    assert again.read() == (0, 0, 0, 0, *ALL_OPEN[4:])
    again.close()


def test_fault_16_hung_up_it_is_lost_at_once_and_found_under_another_name(chip: Chip, tmp_path: Path) -> None:
    keep = Chip(tmp_path / "other")  # takes the name that the first one gives up
    shared = SharedLink(chip.open_port)
    tiles = SerialLevels(shared, lambda state: state.tiles, low=0)
    told = threading.Event()
    tiles.watch(told.set)
    chip.unplug()
    assert told.wait(10)
    with pytest.raises(DeviceLostError, match="hung up"):
        tiles.read()
    tiles.close()
    chip.plug()
    again = SerialLevels(shared, lambda state: state.tiles, low=0)
    assert again.read() == ALL_OPEN
    again.close()
    keep.unplug()


def test_stopped_on_an_open_port_it_is_lost_after_some_seconds(chip: Chip, link: Link) -> None:
    chip.stop()
    with pytest.raises(DeviceLostError, match="says nothing any more"):
        wait_for(lambda: link.state() is None)


def test_a_second_program_is_told_that_the_port_is_taken(chip: Chip, link: Link) -> None:
    from firmware_host.config_wiring import SerialConfig
    from hardware.link.ports import open_port

    with pytest.raises(DeviceBusyError, match="another program has it open"):
        open_port(SerialConfig(port=chip.name))
    assert link.state().tiles == ALL_OPEN


def test_a_board_without_our_firmware_does_not_answer(chip: Chip, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.link.link.GREETING_S", 0.02)
    chip.stop()
    with pytest.raises(DeviceNotFoundError, match="does not answer: is our firmware"):
        Link(chip.open_port())


def test_a_board_with_another_version_says_so(tmp_path: Path) -> None:
    chip = Chip(tmp_path / "old")
    chip.stop()
    wire = chip.folder / "wire.py"
    wire.write_text(wire.read_text().replace("VERSION = 1", "VERSION = 2"))
    chip.start()
    with pytest.raises(DeviceError, match="speaks version 2: copy hardware/mcu to it again"):
        Link(chip.open_port())
    chip.unplug()


def test_half_a_line_from_before_does_not_spoil_the_greeting(chip: Chip) -> None:
    port = chip.open_port()
    port.write(b"Q 12")
    link = Link(port)
    assert link.state().tiles == ALL_OPEN
    link.close()


def test_bytes_that_end_programs_elsewhere_do_not_end_it(chip: Chip, link: Link) -> None:
    link._port.write(b"\x03\x03\x04\x01\x02\r\n")  # Ctrl-C, Ctrl-D, the raw prompt
    chip.drive(0xFFD, 0x7)
    wait_for(lambda: link.state().tiles[1] == 0)

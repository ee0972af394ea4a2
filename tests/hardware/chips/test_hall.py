"""36 hall sensors: colours by strength, however a chip lies; warmth, dead sensors, calibration."""

from __future__ import annotations

import itertools
import random

import pytest
from chip_rigs import HallRig

from firmware_host.errors import DeviceLostError, DeviceNotFoundError
from firmware_host.table.events import UNKNOWN
from hardware.chips.fields import SENSORS
from hardware.chips.hall import INPUTS, ORDER
from sim.magnets import CHIP_MM, Disc, Magnet

LEVELS = {"green": 1, "blue": 2, "red": 3}
every_sensor = pytest.mark.parametrize("sensor", SENSORS)
every_colour = pytest.mark.parametrize("colour", LEVELS)


@every_sensor
def test_an_empty_board_is_empty(sensor: str) -> None:
    board = HallRig(sensor).calibrated()
    for _ in range(20):
        assert board.read() == (0,) * 36


@every_sensor
def test_each_square_is_its_own(sensor: str) -> None:
    rig = HallRig(sensor)
    board = rig.calibrated()
    for square in range(36):
        rig.board.place(square, "blue")
        assert board.read() == tuple(2 if place == square else 0 for place in range(36))
        rig.board.lift(square)


@every_sensor
@every_colour
@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize("aside_mm", [(0.0, 0.0), (1.0, 0.0), (-0.7, 0.7), (0.0, -1.0)])
def test_a_chip_is_its_colour_either_way_up_and_a_little_askew(
    sensor: str, colour: str, is_turned: bool, aside_mm: tuple[float, float]
) -> None:
    rig = HallRig(sensor)
    board = rig.calibrated()
    for square in (0, 14, 35):
        rig.board.place(square, colour, is_turned=is_turned, aside_mm=aside_mm)
    expected = tuple(LEVELS[colour] if square in (0, 14, 35) else 0 for square in range(36))
    assert [board.read() for _ in range(5)] == [expected] * 5


@every_sensor
def test_a_whole_board_of_chips_is_read(sensor: str) -> None:
    rig, chance = HallRig(sensor), random.Random(7)
    board = rig.calibrated()
    colours = [chance.choice(list(LEVELS)) for _ in range(36)]
    for square, colour in enumerate(colours):
        rig.board.place(square, colour, is_turned=chance.random() < 0.5)
    assert board.read() == tuple(LEVELS[colour] for colour in colours)


@every_colour
def test_a_chip_far_askew_is_unknown_or_weaker_but_never_a_stronger_colour(colour: str) -> None:
    rig = HallRig()
    board = rig.calibrated()
    for tenths in range(61):
        rig.board.place(8, colour, aside_mm=(tenths / 10, 0.0))
        level = board.read()[8]
        assert level is not None
        assert level <= LEVELS[colour]
        rig.board.lift(8)
        board.read()


def test_a_foreign_magnet_is_unknown() -> None:
    rig = HallRig()
    board = rig.calibrated()
    rig.board.magnets = [Magnet(Disc(6.0, 4.0), 20)]  # a strong one from a cupboard door
    assert board.read()[20] == UNKNOWN
    rig.board.magnets = [Magnet(Disc(1.0, 0.7), 20)]  # a small one
    assert board.read()[20] == UNKNOWN


@pytest.mark.parametrize(
    ("top", "is_turned", "level"),
    [("red", False, 2), ("red", True, 1), ("blue", False, 2), ("blue", True, UNKNOWN)],
)
def test_chips_on_each_other_are_one_field(top: str, is_turned: bool, level: int) -> None:
    # They add up, or take from each other: 13 and 22, 13 and 8 mT.  That cannot be told from one chip.
    rig = HallRig()
    board = rig.calibrated()
    rig.board.place(3, "green")
    rig.board.place(3, top, is_turned=is_turned)
    assert board.read()[3] == level
    rig.board.lift(3)
    assert board.read()[3] == 0


def test_two_green_chips_on_each_other_are_one_to_it() -> None:
    rig = HallRig()
    board = rig.calibrated()
    rig.board.place(3, "green")
    rig.board.place(3, "green")
    assert rig.board.magnets[1].up_mm == CHIP_MM
    assert board.read()[3] in (1, UNKNOWN)


@every_sensor
def test_slow_drift_is_followed_on_empty_squares(sensor: str) -> None:
    rig = HallRig(sensor)
    board = rig.calibrated()
    for _ in range(1000):
        for hall in rig.circuit.sensors:
            hall.drift_v += 2.5e-5  # up to 25 mV: 30 degrees
        assert board.read() == (0,) * 36
    rig.board.place(0, "green")
    rig.board.place(1, "green", is_turned=True)
    assert board.read()[:2] == (1, 1)


def test_a_magnet_that_creeps_near_is_not_taken_for_drift() -> None:
    rig = HallRig()
    board = rig.calibrated()
    for step in range(2000):
        rig.board.magnets = [Magnet(Disc(1.5, 1.0), 7, up_mm=20.0 - 0.01 * step)]
        level = board.read()[7]
    assert level == 1


def test_a_dead_sensor_is_none_and_the_others_go_on() -> None:
    rig = HallRig()
    board = rig.calibrated()
    rig.circuit.sensors[13].is_dead = True
    rig.board.place(14, "red")
    levels = board.read()
    assert levels[13] is None
    assert levels[14] == 3
    assert levels.count(0) == 34
    rig.circuit.sensors[13].is_dead = False
    assert board.read()[13] == 0


def test_without_a_converter_it_is_not_found() -> None:
    rig = HallRig()
    rig.circuit.adc.is_there = False
    with pytest.raises(DeviceNotFoundError, match="MCP3008: does not answer"):
        rig.open()


def test_without_any_sensor_it_is_not_found() -> None:
    rig = HallRig()
    for hall in rig.circuit.sensors:
        hall.is_dead = True
    with pytest.raises(DeviceNotFoundError, match="no hall sensor answers"):
        rig.open()


def test_a_converter_that_goes_is_lost_and_comes_back_when_opened_anew() -> None:
    rig = HallRig()
    board = rig.calibrated()
    rig.circuit.adc.is_there = False
    with pytest.raises(DeviceLostError, match="does not answer"):
        board.read()
    board.close()
    rig.circuit.adc.is_there = True
    assert rig.open().read().count(0) > 30


def test_a_board_with_a_chip_on_it_is_not_calibrated() -> None:
    rig = HallRig()
    board = rig.open()
    rig.board.place(9, "blue")
    with pytest.raises(DeviceNotFoundError, match="a magnet is near r1c3: take all chips off"):
        board.measure_rest(4)


def test_a_dead_sensor_does_not_keep_from_calibrating() -> None:
    rig = HallRig()
    rig.circuit.sensors[2].is_dead = True
    rest = rig.open().measure_rest(4)
    assert rest[2] == 512
    assert all(480 < count < 545 for count in rest)


def test_one_select_line_changes_from_each_input_to_the_next() -> None:
    assert sorted(ORDER) == list(range(INPUTS))
    assert all((one ^ other).bit_count() == 1 for one, other in itertools.pairwise(ORDER))


def test_it_is_polled_and_closing_twice_is_quiet() -> None:
    board = HallRig().open()
    board.watch(lambda: None)
    assert board.poll_s <= 0.05
    assert board.note == ""
    board.close()
    board.close()

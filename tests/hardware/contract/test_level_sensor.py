"""What every sensor of levels does, in whatever way it is wired."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterator

import pytest
from chip import needs_micropython, wait_for
from sensor_rigs import TILES, ExpanderRig, GpioRig, MicroPythonRig, Rig, SerialRig

from firmware_host.errors import DeviceError, DeviceLostError
from firmware_host.ports import Levels, LevelSensor
from firmware_host.table.debounce import Debounced

MAKERS: list[object] = [
    pytest.param(GpioRig, id="gpio"),
    pytest.param(lambda: ExpanderRig(has_edges=True), id="mcp23017-interrupt"),
    pytest.param(lambda: ExpanderRig(has_edges=False), id="mcp23017-polled"),
    pytest.param(SerialRig, id="serial"),
    pytest.param(MicroPythonRig, id="serial-micropython", marks=needs_micropython),
]


@pytest.fixture(params=MAKERS)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    made: Rig = request.param()
    yield made
    made.close()


class Watch:
    """What a sensor reads at each call, and each time it is looked at."""

    def __init__(self, sensor: LevelSensor) -> None:
        self.sensor = sensor
        self.calls = 0
        sensor.watch(self._changed)

    def _changed(self) -> None:
        self.calls += 1

    def sees(self, levels: Levels) -> None:
        """The sensor comes to read ``levels``."""
        wait_for(lambda: self.sensor.read() == levels, f"{levels}")


def expected(rig: Rig, shut: set[int]) -> Levels:
    return tuple(None if place == rig.empty_place else int(place not in shut) for place in TILES)


def open_and_read(rig: Rig) -> LevelSensor:
    """As the service does: a sensor that can be opened but not read is closed."""
    sensor = rig.open()
    try:
        sensor.read()
    except DeviceError:
        sensor.close()
        raise
    return sensor


def test_all_levels_are_there_when_it_is_opened_a_low_line_is_a_shut_tile(rig: Rig) -> None:
    for place in (0, 7):
        rig.drive(place, False)
    sensor = rig.open()
    assert sensor.read() == expected(rig, {0, 7})
    sensor.close()


def test_every_line_is_its_own_tile(rig: Rig) -> None:
    sensor = rig.open()
    watch = Watch(sensor)
    for place in TILES:
        if place != rig.empty_place:
            rig.drive(place, False)
            watch.sees(expected(rig, {place}))
            rig.drive(place, True)
            watch.sees(expected(rig, set()))
    sensor.close()


def test_a_change_is_told_or_polled_quickly(rig: Rig) -> None:
    sensor = rig.open()
    watch = Watch(sensor)
    before = watch.calls
    rig.drive(3, False)
    if rig.has_edges:
        wait_for(lambda: watch.calls > before, "an edge")
        assert sensor.poll_s <= 1.0
    else:
        assert sensor.poll_s <= 0.02
    watch.sees(expected(rig, {3}))
    assert sensor.note == ""
    sensor.close()


def test_a_change_before_anybody_watches_is_told_then(rig: Rig) -> None:
    sensor = rig.open()
    rig.drive(5, False)
    wait_for(lambda: sensor.read() == expected(rig, {5}))
    rig.drive(5, True)
    rig.drive(6, False)
    watch = Watch(sensor)
    if rig.has_edges:
        wait_for(lambda: watch.calls > 0, "the edge from before")
    watch.sees(expected(rig, {6}))
    sensor.close()


@pytest.mark.parametrize("seed", range(3))
def test_after_any_burst_the_levels_are_right_and_the_last_change_was_told(rig: Rig, seed: int) -> None:
    chance, shut = random.Random(seed), set[int]()
    sensor = rig.open()
    watch = Watch(sensor)
    places = [place for place in TILES if place != rig.empty_place]
    for _ in range(40):
        place = chance.choice(places)
        shut ^= {place}
        rig.drive(place, place not in shut)
        if chance.random() < 0.5:
            sensor.read()
    watch.sees(expected(rig, shut))
    calls = watch.calls
    rig.drive(places[0], places[0] in shut)
    if rig.has_edges:
        wait_for(lambda: watch.calls > calls, "an edge")
    watch.sees(expected(rig, shut ^ {places[0]}))
    sensor.close()


def test_what_does_not_answer_any_more_is_lost_in_one_line(rig: Rig) -> None:
    sensor = rig.open()
    rig.lose()
    with pytest.raises(DeviceLostError) as caught:
        wait_for(lambda: sensor.read() is None, "the loss")
    assert "\n" not in str(caught.value)
    with pytest.raises(DeviceLostError):
        sensor.read()
    sensor.close()


def test_back_it_is_opened_anew_and_reads_what_lies_there_now(rig: Rig) -> None:
    sensor = rig.open()
    rig.lose()
    with pytest.raises(DeviceLostError):
        wait_for(lambda: sensor.read() is None, "the loss")
    sensor.close()
    rig.bring_back()
    rig.drive(2, False)
    again = rig.open()
    watch = Watch(again)
    watch.sees(expected(rig, {2}))
    rig.drive(4, False)
    watch.sees(expected(rig, {2, 4}))
    again.close()


def test_absent_it_cannot_be_opened_or_read_and_holds_nothing(rig: Rig) -> None:
    rig.lose()
    for _ in range(3):
        with pytest.raises(DeviceError) as caught:
            open_and_read(rig)
        assert "\n" not in str(caught.value)
    rig.bring_back()
    sensor = rig.open()
    assert sensor.read() == expected(rig, set())
    sensor.close()


def test_closed_it_is_quiet_and_reaches_nobody(rig: Rig) -> None:
    sensor = rig.open()
    watch = Watch(sensor)
    sensor.close()
    sensor.close()
    calls = watch.calls
    rig.drive(1, False)
    with pytest.raises(DeviceLostError, match="closed before"):
        sensor.read()
    assert watch.calls == calls
    again = rig.open()
    assert again.read() == expected(rig, {1})
    again.close()


def test_fault_7_a_watcher_that_raises_takes_nothing_with_it(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    sensor = rig.open()
    calls = 0

    def changed() -> None:
        nonlocal calls
        calls += 1
        raise ValueError("from the watcher")

    sensor.watch(changed)
    with caplog.at_level(logging.ERROR):
        for place in (1, 2, 3):
            before = calls
            rig.drive(place, False)
            wait_for(lambda: sensor.read()[place] == 0)  # noqa: B023
            if rig.has_edges:
                wait_for(lambda: calls > before)  # noqa: B023
    assert sensor.read() == expected(rig, {1, 2, 3})
    if rig.has_edges:
        assert "from the watcher" in caplog.text
    sensor.close()


# A tile falls: its magnet crosses the threshold five times in 8 ms; another is opened meanwhile.
TRACE = [(0, 5, False), (1, 5, True), (3, 5, False), (4, 9, True), (5, 5, True), (8, 5, False)]
HOLD_S = 0.06


def play_trace(rig: Rig, look: Callable[[LevelSensor, float, Debounced], Debounced]) -> list[Levels]:
    """What counts after each look; the moments are the trace's own."""
    rig.drive(9, False)
    sensor = rig.open()
    debounced = Debounced(HOLD_S).read(sensor.read(), 0.0)
    counted = [debounced.stable]
    for ms, place, is_high in TRACE:
        rig.drive(place, is_high)
        wait_for(lambda: sensor.read()[place] == int(is_high))  # noqa: B023
        debounced = look(sensor, ms / 1000, debounced)
        counted.append(debounced.stable)
    counted.append(debounced.at(1.0).stable)
    sensor.close()
    return [levels for i, levels in enumerate(counted) if i == 0 or levels != counted[i - 1]]


def test_fault_6_one_bounce_counts_alike_in_every_way(rig: Rig) -> None:
    counted = play_trace(rig, lambda sensor, now, debounced: debounced.read(sensor.read(), now))
    assert counted == [expected(rig, {9}), expected(rig, {5})]

"""Two thousand edges, one at a time and in a burst: no state of a line is lost."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from statistics import median

import pytest
from header import Header

from firmware_host.config import TileConfig
from hardware.buses import Buses
from hardware.tiles.gpio import GpioLevels

EDGES = 2000
PINS = TileConfig().pins
Record = Callable[[str, object], None]


@pytest.fixture
def sensor(backend: str, header: Header) -> Iterator[GpioLevels]:
    """The tiles, external pull-ups, without the service."""
    buses = Buses()
    places = {tile - 1: bcm for tile, bcm in PINS.items()}
    sensor = GpioLevels(
        buses.pins(backend), places, [f"tile {tile}" for tile in PINS], pull="external", low=0
    )
    yield sensor
    sensor.close()
    buses.close()


def test_every_one_of_2000_edges_is_told_without_a_poll(
    sensor: GpioLevels, header: Header, record_property: Record
) -> None:
    assert sensor.note == ""
    chance, levels, told = random.Random(1), [1] * len(PINS), threading.Event()
    sensor.watch(told.set)
    late_ms = list[float]()
    for _ in range(EDGES):
        tile = chance.choice(tuple(PINS))
        levels[tile - 1] = 1 - levels[tile - 1]
        header.drive(PINS[tile], bool(levels[tile - 1]))
        assert told.wait(60), f"tile {tile} became {levels[tile - 1]} and nobody said so"
        told.clear()
        assert sensor.read() == tuple(levels)
        late_ms.append((time.monotonic() - header.last_edge) * 1000)
    record_property("edge told and read in ms: median", round(median(late_ms), 2))
    record_property("worst", round(max(late_ms), 2))


def test_after_2000_edges_in_a_burst_the_last_one_told_is_the_state(
    sensor: GpioLevels, header: Header, record_property: Record
) -> None:
    chance, levels, told = random.Random(2), [1] * len(PINS), list[float]()
    seen = threading.Event()

    def changed() -> None:
        told.append(time.monotonic())
        if sensor.read() == tuple(levels):
            seen.set()

    sensor.watch(changed)
    began = time.monotonic()
    for _ in range(EDGES):
        tile = chance.choice(tuple(PINS))
        seen.clear()
        levels[tile - 1] = 1 - levels[tile - 1]
        header.drive(PINS[tile], bool(levels[tile - 1]))
    driven_s = time.monotonic() - began
    assert seen.wait(60), f"the state after the burst was never told, after {len(told)} edges"
    record_property("edges told", len(told))
    record_property("driven in s", round(driven_s, 2))

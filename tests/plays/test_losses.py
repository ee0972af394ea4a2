"""Devices go and come at any moment of a play, and the game is the same."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.cli.bench_table import BenchTable
from firmware_host.config import Settings
from sim.bench import Bench, Expect, VirtualClock, VirtualLoop, parse
from sim.play import Flips

Events = list[Mapping[str, Any]]

HERE = Path(__file__).parent
BACK_S = 12.0  # the longest pause between two tries, and some more
PLAYS = ("battle-pass", "change-of-mind", "quick-turn", "worked-turn")
# What may break in each way to wire it, while dice are rolled as well; and what takes the tiles.
WIRINGS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "tiles.driver=gpio": (("oled gone",), ("tiles gone", "i2c gone")),
    "tiles.driver=mcp23017": (
        ("oled gone", "expander reset"),
        ("tiles gone", "i2c gone", "expander gone"),
    ),
    "tiles.driver=serial": (
        ("oled gone", "serial noise"),
        ("tiles gone", "serial gone", "serial reset", "serial hang", "i2c gone"),
    ),
    "display.controller=sh1106": (("oled gone",), ("tiles gone", "i2c gone")),
}
OUTLIVED = ("serial noise", "expander reset")
NOT_THE_GAMES = ("screen", "device_lost", "device_back", "put_right", "righted", "roll_wanted")


@dataclass(frozen=True)
class Loss:
    """At ``line`` (modulo their number), ``after_s`` from its beginning, for ``for_s``."""

    line: int
    which: int
    after_s: float
    for_s: float


losses = st.lists(
    st.builds(Loss, st.integers(0, 30), st.integers(0, 9), st.floats(0, 3), st.floats(0.01, 5)),
    min_size=1,
    max_size=4,
)


async def play(name: str, wiring: str, wanted: tuple[Loss, ...]) -> Events:
    """All events; every loss is over and every device back before the next line."""
    events: Events = []
    loop = asyncio.get_running_loop()
    harmless, harmful = WIRINGS[wiring]
    text = (HERE / f"{name}.play").read_text()
    lines = [line for line in parse(text) if not isinstance(line.action, Expect)]
    with tempfile.TemporaryDirectory() as folder:
        chosen = Settings.load(None, [wiring, f"store.dir={folder}"])
        table = BenchTable(chosen, VirtualClock(loop), events.append)
        bench = Bench(table, HERE)
        try:
            await bench.power_on()
            for i, line in enumerate(lines):
                mine = [loss for loss in wanted if loss.line % len(lines) == i]
                for loss in mine:
                    # A roll asks what the tiles say; a hand that flips them does not.
                    may = (*harmless, *harmful) if isinstance(line.action, Flips) else harmless
                    device, how = may[loss.which % len(may)].split()
                    loop.call_later(loss.after_s, break_it, bench, device, how)
                    loop.call_later(loss.after_s + loss.for_s, break_it, bench, device, "")
                await bench.perform(line)
                if mine:
                    await asyncio.sleep(max(loss.after_s + loss.for_s for loss in mine) + BACK_S)
        finally:
            await table.power_off()
    return events


def break_it(bench: Bench, device: str, how: str) -> None:
    if device == "oled":
        (bench.world.unplug_oled if how else bench.world.plug_oled)()
    else:
        bench.wiring.fault(device, how)


def run(name: str, wiring: str, wanted: tuple[Loss, ...] = ()) -> Events:
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(play(name, wiring, wanted))


def game(events: Events) -> Events:
    """What happened in the game, without moments and numbers."""
    return [{**event, "t": 0, "seq": 0} for event in events if event["event"] not in NOT_THE_GAMES]


@cache
def undisturbed(name: str) -> Events:
    return game(run(name, "tiles.driver=gpio"))


@pytest.mark.timeout(300)
@pytest.mark.parametrize("wiring", WIRINGS)
@settings(max_examples=settings().max_examples // 5)  # each a whole play
@given(name=st.sampled_from(PLAYS), wanted=losses)
def test_whatever_goes_and_comes_the_game_is_the_same(wiring: str, name: str, wanted: list[Loss]) -> None:
    assert game(run(name, wiring, tuple(wanted))) == undisturbed(name)


@pytest.mark.parametrize(
    ("wiring", "which"),
    [
        pytest.param(wiring, which, id=f"{wiring}-{fault}".replace(" ", "-"))
        for wiring, (harmless, harmful) in WIRINGS.items()
        for which, fault in enumerate((*harmless, *harmful))
        if fault not in OUTLIVED
    ],
)
def test_what_is_broken_is_lost_and_back(wiring: str, which: int) -> None:
    line = 2  # of worked-turn without its expectations: shut 9
    events = run("worked-turn", wiring, (Loss(line, which, 0.02, 8.0),))
    lost = [event["device"] for event in events if event["event"] == "device_lost"]
    back = [event["device"] for event in events if event["event"] == "device_back"]
    assert lost
    assert sorted(lost) == sorted(back)

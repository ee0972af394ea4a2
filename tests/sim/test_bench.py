"""The bench: hands on a simulated box, told to a table that knows nothing of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from firmware_host.config import Config
from firmware_host.errors import PlayError
from firmware_host.ports import Backend
from firmware_host.table.report import Report
from sim.bench import HOLD_S, NEVER_AT_REST_S, REST_S, Bench, Failed
from sim.clock import VirtualLoop
from sim.play import parse


class Table:
    """Counts what the bench does to it; ``now``: what it says it waits for."""

    def __init__(self) -> None:
        self.did: list[str] = []
        self.config = Config()
        self.now = Report()
        self.is_at_rest = True
        self.panel: tuple[str, ...] = ()

    def configure(self, key: str, value: str) -> None:
        self.did.append(f"set {key} {value}")

    async def power_on(self, backend: Backend) -> None:
        self.did.append("on")
        self.tiles = backend.open_tiles()
        self.buttons = backend.open_buttons()

    async def power_off(self) -> None:
        self.did.append("off")
        self.tiles.close()
        self.buttons.close()

    def start_match(self, players: tuple[str, ...]) -> None:
        self.did.append(f"match {' '.join(players)}")

    def report(self) -> Report:
        return self.now

    def lines(self) -> tuple[str, ...]:
        return self.panel


def play(lines: str, table: Table, then: Callable[[Bench], Awaitable[None]] | None = None) -> float:
    """Plays ``lines``; returns the moment after them."""

    async def scene() -> float:
        bench = Bench(table, Path())
        for line in parse(lines):
            await bench.perform(line)
        if then is not None:
            await then(bench)
        return asyncio.get_running_loop().time()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(scene())


def test_the_box_is_powered_on_before_the_first_line_that_needs_it() -> None:
    table = Table()
    play("set a.b 1\nset a.c 2\nplayers Ann Bob\n", table)
    assert table.did == ["set a.b 1", "set a.c 2", "on", "match Ann Bob"]


def test_a_setting_in_between_is_a_new_start() -> None:
    table = Table()
    play("players Ann\nset a.b 1\nplayers Ann\n", table)
    assert table.did == ["on", "match Ann", "set a.b 1", "off", "on", "match Ann"]


def test_the_plug_pulled_by_the_play_stays_out_while_hands_move() -> None:
    table = Table()
    play("power on\npower off\npower off\nshut 3\nwait 1s\npower on\npower on\n", table)
    assert table.did == ["on", "off", "on"]
    assert table.tiles.read()[:4] == (1, 1, 0, 1)


def test_no_match_starts_without_power() -> None:
    with pytest.raises(PlayError, match="the power is off"):
        play("power off\nplayers Ann\n", Table())


def test_after_every_line_the_box_rests() -> None:
    assert play("wait 5s\n", Table()) == pytest.approx(2 * REST_S + 5)


def test_it_rests_longer_while_the_table_is_busy_but_not_for_ever() -> None:
    table = Table()
    table.is_at_rest = False
    assert play("power on\n", table) == pytest.approx(2 * (REST_S + NEVER_AT_REST_S), abs=0.2)


def test_tiles_are_flipped_one_after_the_other_and_those_that_lie_so_are_left() -> None:
    table = Table()
    before = play("power on\nshut 2\n", Table())
    assert play("power on\nshut 2\nshut 2\n", table) == pytest.approx(before + REST_S)
    after = play("power on\nshut all\n", table)
    assert after == pytest.approx(3 * REST_S + 9 * 0.15)
    assert table.tiles.read()[:9] == (0,) * 9


def test_one_die_is_a_held_button_and_two_a_press() -> None:
    two, one = play("power on\nroll 4 5\n", Table()), play("power on\nroll 6\n", Table())
    assert one - two == pytest.approx(HOLD_S - 0.15)


def test_a_throw_that_was_not_taken_does_not_lie_ready_for_later() -> None:
    async def then(bench: Bench) -> None:
        assert not bench.world.chance.ready

    play("power on\nroll 4 5\n", Table(), then)


@pytest.mark.parametrize("line", ["shut 12", "fault tile 12 stuck", "mend tile 10"])
def test_a_tile_that_the_box_has_not_is_an_error(line: str) -> None:
    with pytest.raises(PlayError, match="the box has no tile 1"):
        play(line, Table())


NOW = Report(
    player="Ann", wants_roll=(1, 2), wants_open=(3, 4), wants_shut=(7,), open=(1, 2), shut=(9,),
    legal=((8,), (7, 1)), totals=(("Ann", 14), ("Bob Lee", -2)), winners=("Ann", "Bob Lee"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("expectation", "there_is"),
    [
        ("open 2 1", None),
        ("open 1", "open 1 2"),
        ("open", "open 1 2"),
        ("shut 9", None),
        ("shut 9 8", "shut 9"),
        ("legal 1 7, 8", None),
        ("legal 8", "legal "),
        ("legal 8, 7, 1", "legal "),
        ("wants roll 2 1", None),
        ("wants roll 2", "wants roll 1 2, wants open 3 4, wants shut 7"),
        ("wants open 4 3", None),
        ("wants shut 7", None),
        ("wants shut 7 8", "wants roll 1 2, "),
        ("wants move", "wants roll 1 2, "),
        ("turn Ann", None),
        ("turn ann", "turn Ann"),
        ("score Ann 14", None),
        ("score 'Bob Lee' -2", None),
        ("score Ann 1", "score Ann 14"),
        ("winner 'Bob Lee' Ann", None),
        ("winner Ann", "winner Ann Bob Lee"),
        ("screen 'up NEXT'", None),
        ("screen down", "screen 'Up next Ann'"),
    ],
)
def test_what_is_expected_is_there_or_it_says_what_is(expectation: str, there_is: str | None) -> None:
    table = Table()
    table.now, table.panel = NOW, ("Up next", "Ann")
    right, wrong = ("expect", "!expect") if there_is is None else ("!expect", "expect")
    play(f"{right} {expectation}\n", table)
    with pytest.raises(Failed) as caught:
        play(f"{wrong} {expectation}\n", table)
    assert str(caught.value).startswith(there_is or "")


def test_an_event_counts_once_for_the_expectations_of_its_name() -> None:
    async def then(bench: Bench) -> None:
        async def expect(words: str) -> bool:
            try:
                await bench.perform(next(iter(parse(f"expect event {words}"))))
            except Failed:
                return False
            return True

        rolled = {
            "seq": 3,
            "t": 1.0,
            "event": "rolled",
            "dice": [4, 5],
            "player": "Ann",
            "is": None,
            "ok": True,
        }
        bench.heard(rolled)
        bench.heard({"seq": 4, "t": 1.0, "event": "move_made", "shut": []})
        assert await expect("rolled dice=4,5 player=Ann is=null ok=true seq=3")
        assert not await expect("rolled")
        assert await expect("move_made shut=")
        bench.heard(rolled)
        assert not await expect("rolled dice=5,4")
        bench.heard(rolled)
        assert not await expect("rolled colour=red")

    play("power on\n", Table(), then)


def test_the_panel_says_nothing_while_the_power_is_off() -> None:
    table = Table()
    table.panel = ("Ann",)
    play("power on\nexpect screen Ann\npower off\n!expect screen Ann\n", table)


def test_pixels_are_compared_with_a_picture_beside_the_play(tmp_path: Path) -> None:
    from PIL import Image

    Image.new("1", (128, 64)).save(tmp_path / "dark.png")
    Image.new("1", (128, 64), 1).save(tmp_path / "bright.png")

    async def scene() -> None:
        bench = Bench(Table(), tmp_path)
        for line in parse("expect pixels dark\n!expect pixels bright\n"):
            await bench.perform(line)
        with pytest.raises(Failed, match=r"other pixels than bright\.png"):
            await bench.perform(next(iter(parse("expect pixels bright"))))
        with pytest.raises(PlayError, match=r"nothing\.png: No such file"):
            await bench.perform(next(iter(parse("expect pixels nothing"))))

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(scene())

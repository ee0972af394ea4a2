"""The simulated box in the hands of somebody at a page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli.bench_table import BenchTable
from firmware_host.config import Settings
from firmware_host.errors import BoxkeeperError, PlayError
from sim.clock import VirtualClock, VirtualLoop
from sim.live import Failed, Live, known_faults

Scene = Callable[[Live], Awaitable[None]]


def play(folder: Path, scene: Scene, source: str = "roller", game: str = "shut-the-box") -> None:
    """``scene`` in virtual time: what happens is the same as at a page."""

    async def run() -> None:
        settings = Settings().with_setting("store.dir", str(folder)).with_setting("dice.source", source)
        settings = settings.with_setting("rules.game", game)
        clock = VirtualClock(asyncio.get_running_loop())
        table = BenchTable(settings, clock, lambda event: live.heard(event), lambda runner: None)
        live = Live(table)
        await live.power_on()
        await asyncio.sleep(2)
        await scene(live)
        live.check()
        await table.power_off()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(run())


def test_a_match_goes_on_as_soon_as_the_plug_is_in(tmp_path: Path) -> None:
    async def scene(live: Live) -> None:
        assert live.play().startswith("players 'Player 1' 'Player 2'\nexpect turn 'Player 1'\n")
        assert any(live.pixels())

    play(tmp_path, scene)


def test_dice_laid_by_hand_are_thrown_once(tmp_path: Path) -> None:
    async def scene(live: Live) -> None:
        live.lay((3, 5))
        live.hold("roll", True)
        await asyncio.sleep(0.01)
        live.hold("roll", False)
        await asyncio.sleep(1)
        assert (live.state()["thrown"], live.state()["laid"]) == ([3, 5], [])
        assert "roll 3 5\n" in live.play()

    play(tmp_path, scene)


def test_before_a_camera_the_dice_of_a_line_are_thrown_into_the_tray(tmp_path: Path) -> None:
    pytest.importorskip("cv2", reason="the simulated camera needs OpenCV: pip install 'boxkeeper[camera]'")

    async def scene(live: Live) -> None:
        await live.do("roll 3 5")
        await asyncio.sleep(5)
        await live.do("expect event rolled dice=3,5 source=camera")
        assert live.state()["thrown"] == [3, 5]
        assert live.play().splitlines()[2:4] == ["roll 3 5", "expect turn 'Player 1'"]

    play(tmp_path, scene, "camera")


def test_before_a_camera_who_presses_roll_throws_the_dice_that_were_laid(tmp_path: Path) -> None:
    pytest.importorskip("cv2", reason="the simulated camera needs OpenCV: pip install 'boxkeeper[camera]'")

    async def scene(live: Live) -> None:
        live.lay((3, 5))
        live.hold("roll", True)
        await asyncio.sleep(0.1)
        live.hold("roll", False)
        await asyncio.sleep(5)
        await live.do("expect event rolled dice=3,5 source=camera")
        assert live.state()["laid"] == []
        await live.do("shut all")
        await asyncio.sleep(1)
        await live.do("press roll")  # not wanted now: nothing is thrown
        await asyncio.sleep(5)
        await live.do("!expect event rolled")
        assert "roll 3 5" in live.play().splitlines()

    play(tmp_path, scene, "camera")


def test_dice_that_nobody_would_know_are_refused(tmp_path: Path) -> None:
    async def scene(live: Live) -> None:
        with pytest.raises(PlayError, match="nobody knows the dice"):
            await live.do("roll 3 5")
        assert "roll" not in live.play()

    play(tmp_path, scene, "none")


def test_lines_are_played_and_written_down(tmp_path: Path) -> None:
    async def scene(live: Live) -> None:
        await live.do("players Ann Bob")
        await asyncio.sleep(1)
        await live.do("roll 3 5  # with a remark")
        await asyncio.sleep(1)
        await live.do("shut 5")
        await live.do("shut 3")
        await asyncio.sleep(1)
        await live.do("expect wants roll 2")
        assert live.play().splitlines()[:3] == ["players Ann Bob", "roll 3 5", "shut 5, shut 3"]
        with pytest.raises(Failed, match="wants roll 2"):
            await live.do("expect wants move")

    play(tmp_path, scene)


@pytest.mark.parametrize(
    ("line", "why"),
    [("dance", "'dance' is none of"), ("shut 12", "no tile 12"), ("wait 5m", "at most 60 s"),
     ("press roll 5m", "at most 60 s"), ("fault serial noise", "tiles.driver serial"),
     ("fault camera covered", "dice.source camera"), ("fault tile 99 stuck", "is no tile")],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_and_not_written_down(tmp_path: Path, line: str, why: str) -> None:
    async def scene(live: Live) -> None:
        before = live.play()
        with pytest.raises(PlayError, match=why):
            await live.do(line)
        assert live.play() == before

    play(tmp_path, scene)


def test_faults_are_told_and_written_down(tmp_path: Path) -> None:
    async def scene(live: Live) -> None:
        await live.do("fault tile 5 stuck")
        await live.do("fault tile 6 bounce 40ms")
        await live.do("fault oled gone")
        state = live.state()
        assert (state["stuck"], state["bouncing"], state["faults"]["oled"]) == ([5], [6], True)
        await live.do("players Ann")
        await asyncio.sleep(1)
        assert live.play().splitlines()[1:3] == ["fault tile 5 stuck", "fault oled gone"]
        for line in ("mend tile 5", "mend tile 6", "mend oled"):
            await live.do(line)
        state = live.state()
        assert (state["stuck"], state["bouncing"], state["faults"]["oled"]) == ([], [], False)

    play(tmp_path, scene)


def test_chips_are_told_of_and_written_down(tmp_path: Path) -> None:
    async def scene(live: Live) -> None:
        assert live.state()["chips"] == [0] * 36
        assert "tiles" not in live.state()["faults"]
        for line in (
            "roll 6 6",
            "roll 1 1",
            "roll 1 2",
            "place r0c1 green",
            "fault chips gone",
            "mend chips",
        ):
            await live.do(line)
            await asyncio.sleep(3)
        assert live.state()["chips"][:3] == [0, 1, 0]
        written = live.play().splitlines()
        assert written[:2] == ["set rules.game sequence-dice", "players 'Player 1' 'Player 2'"]
        assert "place r0c1 green" in written
        await live.do("players Ann Bob")
        await asyncio.sleep(1)
        assert live.play().splitlines()[1:3] == ["players Ann Bob", "place r0c1 green"]

    play(tmp_path, scene, game="sequence-dice")


def test_the_box_has_no_chips(tmp_path: Path) -> None:
    async def scene(live: Live) -> None:
        assert live.state()["chips"] is None
        assert "chips" not in live.state()["faults"]

    play(tmp_path, scene)


def test_the_plug_can_be_pulled_and_the_match_goes_on(tmp_path: Path) -> None:
    async def scene(live: Live) -> None:
        await live.do("roll 3 5")
        await asyncio.sleep(1)
        await live.do("power off")
        assert not live.is_on
        with pytest.raises(PlayError, match="the power is off"):
            await live.do("players Ann")
        await live.do("power on")
        await asyncio.sleep(1)
        await live.do("expect wants move")

    play(tmp_path, scene)


def test_a_button_is_down_until_it_is_let_go(tmp_path: Path) -> None:
    async def scene(live: Live) -> None:
        live.hold("next", True)
        live.hold("next", True)
        await asyncio.sleep(1.5)
        assert live.state()["down"] == ["next"]
        live.hold("next", False)
        assert live.play().splitlines()[1] == "press next 1.5s"

    play(tmp_path, scene)


def test_a_match_with_more_tiles_finds_them_in_the_box(tmp_path: Path) -> None:
    async def scene(live: Live) -> None:
        assert live.state()["tiles"] == list(range(1, 10))
        await live.do("set rules.tiles 1-12")
        await live.do("players Ann")
        await asyncio.sleep(2)
        await live.do("roll 6 6")
        await asyncio.sleep(1)
        await live.do("shut 12")
        await asyncio.sleep(1)
        await live.do("expect wants roll 2")
        assert live.state()["tiles"] == list(range(1, 13))
        await live.do("power off")
        await live.do("power on")
        await asyncio.sleep(2)
        assert live.state()["open"] == list(range(1, 12))

    play(tmp_path, scene)


@pytest.mark.parametrize("dice", [(0,), (7,), (1, 2, 3), (True,), ("3",)])
def test_other_dice_than_there_are_cannot_be_laid(tmp_path: Path, dice: Any) -> None:
    async def scene(live: Live) -> None:
        with pytest.raises(PlayError, match="1 to 6 each"):
            live.lay(dice)
        with pytest.raises(PlayError, match="'start' is none of"):
            live.hold("start", True)

    play(tmp_path, scene)


def test_only_faults_that_the_language_knows_are_offered() -> None:
    assert {"oled", "tiles"} <= set(known_faults())


def test_a_match_that_cannot_be_started_leaves_the_one_that_goes_on(tmp_path: Path) -> None:
    async def scene(live: Live) -> None:
        live.start_match(("Ann", "Bob"), "pub")
        await asyncio.sleep(1)
        before, heard = live.play(), []
        live.heard = lambda event: heard.append(event["event"])  # type: ignore[method-assign]
        for names, preset in ((("x" * 50,), "pub"), (("Ann", "Bob", "Cid"), "battle"), ((), "pub")):
            with pytest.raises(BoxkeeperError):
                live.start_match(names, preset)
        await asyncio.sleep(1)
        assert (live.is_on, heard) == (True, [])
        assert live.play() == before

    play(tmp_path, scene)


def test_a_new_match_just_begins(tmp_path: Path) -> None:
    async def scene(live: Live) -> None:
        heard, listen = [], live.heard

        def hear(event: Mapping[str, Any]) -> None:
            heard.append(event["event"])
            listen(event)

        live.heard = hear  # type: ignore[method-assign]
        live.start_match(("Ann", "Bob"), "cards")
        await asyncio.sleep(1)
        assert "match_started" in heard
        assert "resumed" not in heard
        assert live.state()["tiles"] == list(range(1, 11))
        assert live.play().startswith("set rules.")

    play(tmp_path, scene)


@pytest.mark.parametrize(
    ("settings", "possible"),
    [({}, set()), ({"tiles.driver": "serial"}, {"serial"}), ({"dice.source": "camera"}, {"camera"})],
)
def test_only_what_is_there_can_be_broken(
    tmp_path: Path, settings: dict[str, str], possible: set[str]
) -> None:
    async def scene(live: Live) -> None:
        for key, value in settings.items():
            live._table.configure(key, value)
        assert set(live.state()["faults"]) == {"oled", "tiles", *possible}

    play(tmp_path, scene)

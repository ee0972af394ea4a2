"""The box on the table: hands, magnets and bounces, and no rules."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import pairwise

import pytest

from sim.clock import VirtualLoop
from sim.world import BUTTON_BOUNCE_S, OLED_ADDRESS, TILE_BOUNCE_S, TRAVEL_S, Line, World

Log = list[tuple[float, bool]]


def run(play: Callable[[World], Awaitable[None]], seed: int = 0) -> World:
    async def scene() -> World:
        world = World(asyncio.get_running_loop(), range(1, 10), seed)
        await play(world)
        return world

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(scene())


def listen(line: Line) -> Log:
    log: Log = []
    loop = asyncio.get_running_loop()
    line.listen(lambda is_high: log.append((loop.time(), is_high)))
    return log


def test_a_tile_crosses_half_way_bounces_and_comes_to_rest() -> None:
    async def play(world: World) -> None:
        log = listen(world.tiles[4].line)
        world.flip(4, to_open=False)
        assert 4 not in world.open_tiles
        assert world.is_moving
        await asyncio.sleep(1)
        assert not world.is_moving
        assert not world.tiles[4].line.is_high
        assert log[0] == (TRAVEL_S / 2, False)
        assert log[-1] == (pytest.approx(TRAVEL_S / 2 + TILE_BOUNCE_S), False)
        levels = [is_high for _, is_high in log]
        assert len(levels) >= 3
        assert all(a != b for a, b in pairwise(levels))

    run(play)


def test_a_tile_that_already_lies_so_is_left() -> None:
    async def play(world: World) -> None:
        log = listen(world.tiles[4].line)
        world.flip(4, to_open=True)
        await asyncio.sleep(1)
        assert log == []

    run(play)


@pytest.mark.parametrize("seed", range(5))
def test_the_same_seed_is_the_same_box(seed: int) -> None:
    logs: list[Log] = []

    async def play(world: World) -> None:
        logs.append(listen(world.tiles[1].line))
        world.flip(1, to_open=False)
        world.press("roll", 0.15)
        await asyncio.sleep(1)

    throws = [run(play, seed).chance.throw(2) for _ in range(2)]
    assert logs[0] == logs[1]
    assert throws[0] == throws[1]


@pytest.mark.parametrize("for_s", [0.0, 0.001, 0.15, 3.0])
def test_a_press_goes_down_and_up_again_however_short(for_s: float) -> None:
    async def play(world: World) -> None:
        log = listen(world.buttons["next"].line)
        world.press("next", for_s)
        await asyncio.sleep(5)
        assert (log[0], log[-1][1]) == ((0.0, False), True)
        assert log[-1][0] == pytest.approx(max(for_s, 2 * BUTTON_BOUNCE_S) + BUTTON_BOUNCE_S)

    run(play)


def test_stuck_the_line_keeps_its_level_and_mended_it_follows_the_magnet() -> None:
    async def play(world: World) -> None:
        tile = world.tiles[5]
        tile.stick()
        log = listen(tile.line)
        world.flip(5, to_open=False)
        await asyncio.sleep(1)
        assert log == []
        assert 5 not in world.open_tiles
        tile.mend(TILE_BOUNCE_S)
        assert log == [(1.0, False)]

    run(play)


def test_fitted_with_other_tiles_the_new_ones_are_open_and_the_rest_stays() -> None:
    async def play(world: World) -> None:
        world.flip(3, to_open=False)
        world.flip(9, to_open=False)
        world.fit((1, 2, 3, 12))
        assert list(world.tiles) == [1, 2, 3, 12]
        assert world.open_tiles == {1, 2, 12}

    run(play)


def test_throws_that_lie_ready_come_first_whatever_their_number() -> None:
    async def play(world: World) -> None:
        world.chance.ready.extend([(6, 6), (1,)])
        assert [world.chance.throw(2), world.chance.throw(2)] == [(6, 6), (1,)]
        assert world.chance.thrown == (1,)
        drawn = {world.chance.throw(2) for _ in range(200)}
        assert len(drawn) > 20
        assert all(1 <= die <= 6 for throw in drawn for die in throw)

    run(play)


def test_unplugged_nobody_listens_and_the_panel_forgets() -> None:
    async def play(world: World) -> None:
        log = listen(world.tiles[1].line)
        world.unplug()
        world.flip(1, to_open=False)
        await asyncio.sleep(1)
        assert log == []
        assert not world.panel.is_on

    run(play)


def test_without_its_cable_nothing_answers_at_the_panels_address() -> None:
    async def play(world: World) -> None:
        world.i2c.write_i2c_block_data(OLED_ADDRESS, 0x00, [0xAF])
        assert world.panel.is_on
        world.unplug_oled()
        assert not world.panel.is_on
        with pytest.raises(OSError, match="Remote I/O"):
            world.i2c.write_i2c_block_data(OLED_ADDRESS, 0x00, [0xAF])
        world.plug_oled()
        world.i2c.write_i2c_block_data(OLED_ADDRESS, 0x00, [0xAF])
        assert world.panel.is_on

    run(play)

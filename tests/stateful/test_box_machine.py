"""The whole simulated box: random hands on the world, the real service, adapters, panel and journal.

A script of the bench language is made up and performed; afterwards somebody who knows only what the
table reports plays the match to its end.  The long campaign:

    BOXKEEPER_RUNS=2000 pytest tests/stateful --hypothesis-seed=1
"""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
from collections.abc import Mapping
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_host.config import Config, Settings
from firmware_host.games.match_rules import Kind
from firmware_host.ports import Backend
from firmware_host.screens.picture import draw
from firmware_host.service.runner import Runner, match_wanted
from firmware_host.store.journal import FILE_NAME, fold, read
from firmware_host.table.report import Report, report
from firmware_host.table.view import Brightness
from sim.bench import Bench, Line, VirtualClock, VirtualLoop, parse_line

RUNS = int(os.environ.get("BOXKEEPER_RUNS", "0"))
DEFAULT_RUNS = 15
MOST_LINES_TO_THE_END = 400
ALL_CHECKED, SOME_CHECKED = (
    40,
    20,
)  # lines after each of which the whole journal is read, and every how many later
FREE_SHUTS = 0.6
FOUND_OUT_S = 11  # a panel that shows the same is asked every 10 s whether it is still there

pytestmark = pytest.mark.timeout(0 if RUNS else 400)


class Table:
    """The service as a play drives it, open to be looked into."""

    def __init__(self, options: Settings) -> None:
        self.settings = options
        self.clock = VirtualClock(asyncio.get_running_loop())
        self.events: list[Mapping[str, Any]] = []
        self.runner: Runner | None = None
        self._task: asyncio.Task[None] | None = None

    def configure(self, key: str, value: str) -> None:
        self.settings = self.settings.with_setting(key, value)

    @property
    def config(self) -> Config:
        return self.settings.build()

    async def power_on(self, backend: Backend) -> None:
        self.runner = Runner(backend, self.config, self.clock, self.events.append)
        self._task = asyncio.create_task(self.runner.run())

    async def power_off(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self.runner = self._task = None

    def start_match(self, players: tuple[str, ...]) -> None:
        assert self.runner is not None
        self.runner.post(match_wanted(self.config, players))

    @property
    def is_at_rest(self) -> bool:
        if self._task is not None and self._task.done():
            self._task.result()
        return self.runner is None or self.runner.is_at_rest

    def report(self) -> Report:
        return Report() if self.runner is None else report(self.runner.session)

    def lines(self) -> tuple[str, ...]:
        return () if self.runner is None else self.runner.panel.lines


class Play:
    """A box that is played line by line, and looked over after each."""

    def __init__(self, folder: Path, options: Mapping[str, str]) -> None:
        configured = Settings().with_setting("store.dir", str(folder))
        for key, value in options.items():
            configured = configured.with_setting(key, value)
        self.journal = folder / FILE_NAME
        self.table = Table(configured)
        self.bench = Bench(self.table, folder)
        self.count = 0
        self._chance = random.Random(1)
        self._is_panel_out = False

    async def do(self, text: str) -> None:
        """One line, and what holds after it."""
        self.count += 1
        action = parse_line(text, self.count)
        assert action is not None
        if text.endswith("oled gone") or text == "mend oled":
            self._is_panel_out = text != "mend oled"
        await self.bench.perform(Line(self.count, text, action))
        self.check()

    def check(self) -> None:
        runner = self.table.runner
        assert self.bench.world.panel.unknown == []
        if runner is None:
            return
        self._check_panel(runner)
        if self.count < ALL_CHECKED or self.count % SOME_CHECKED == 0 or self._is_over:
            self._check_journal(runner)

    def _check_journal(self, runner: Runner) -> None:
        """It holds all that was told, and leads to the live state; as long as the match is."""
        rows, snapshot = read(self.journal)
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        live = runner.session.history.snapshot()
        assert fold(rows).snapshot() == live
        assert snapshot in (live, None)
        told = [event["seq"] for event in self.table.events if event["seq"] is not None]
        assert told == [row.seq for row in rows]

    def _check_panel(self, runner: Runner) -> None:
        world = self.bench.world
        view = runner.session.view
        if "display" in runner.session.lost:
            assert self.table.lines() == ()
        elif self._is_panel_out:
            assert not any(world.panel.pixels())  # and nobody has noticed yet
        elif view.brightness is Brightness.OFF:
            assert not any(world.panel.pixels())
        else:
            assert world.panel.pixels() == draw(view).tobytes()

    async def finish(self) -> None:
        """Do what the report says and nothing else, until somebody has won."""
        await self.do("power on")
        await self.do("mend oled")
        await self.do("wait 31s")  # a dialog that nobody goes on with is left
        if self._is_asleep:
            await self.do("press back")
        end = self.count + MOST_LINES_TO_THE_END
        while not self._is_over:
            assert self.count < end, f"no way forward from {self.table.report()}"
            await self._obey(self.table.report())

    @property
    def is_in_a_dialog(self) -> bool:
        """The buttons go through a menu: no dice can be typed."""
        return self.table.runner is not None and self.table.runner.session.dialog is not None

    @property
    def _is_asleep(self) -> bool:
        runner = self.table.runner
        return runner is not None and runner.session.view.brightness is Brightness.OFF

    @property
    def _is_over(self) -> bool:
        """Somebody has won, or the match was abandoned."""
        runner = self.table.runner
        assert runner is not None
        game = runner.session.history.game
        return game is not None and game.match.is_over

    async def _obey(self, now: Report) -> None:
        if now.wants_roll:
            await self._roll(now.wants_roll)
            return
        if now.legal and now.wants_move:
            moved = set(now.legal[0])
            await self._lay((set(now.open) - moved) | (moved - set(now.open)), moved & set(now.open))
        elif now.wants_move:  # dice unknown
            await self._lay(set(), {tile for tile in now.open if self._chance.random() < FREE_SHUTS})
        else:
            await self._lay(set(now.wants_open), set(now.wants_shut))
        for line in ("press next", "press next 1500ms", "press next"):
            if self.table.report() == now:
                await self.do(line)

    async def _roll(self, numbers: tuple[int, ...]) -> None:
        if len(self.table.report().typed) > 1:  # somebody has begun
            await self.do("press next")
            return
        throws = [dice for count in numbers for dice in combinations_with_replacement(range(1, 7), count)]
        dice = self._chance.choice(self._lucky(throws))
        await self.do(f"roll {' '.join(map(str, dice))}")

    def _lucky(self, throws: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """In a battle the one who opens tiles has no luck, so that it ends."""
        runner, now = self.table.runner, self.table.report()
        assert runner is not None
        game = runner.session.history.game
        assert game is not None
        if game.match.rules.kind is not Kind.BATTLE:
            return throws
        raises = game.match.seat == 1
        movable = now.shut if raises else now.open
        sums = {sum(tiles) for size in range(1, 5) for tiles in combinations(movable, size)}
        fitting = [dice for dice in throws if sum(dice) in sums]
        return ([dice for dice in throws if dice not in fitting] if raises else fitting) or throws

    async def _lay(self, to_open: set[int], to_shut: set[int]) -> None:
        world = self.bench.world
        flips = [f"open {tile}" for tile in sorted(to_open - world.open_tiles)]
        flips += [f"shut {tile}" for tile in sorted(to_shut & world.open_tiles)]
        if flips:
            await self.do(", ".join(flips) + " every 100ms")


MATCHES: list[dict[str, str]] = [
    {},
    {"match.stake": "2", "match.double_on_shut": "true"},
    {"match.kind": "rounds", "match.rounds": "2", "rules.ties": "carry-over", "match.stake": "1"},
    {"match.kind": "last-standing", "match.limit": "5", "rules.ties": "play-off"},
    {"match.kind": "to-limit", "match.limit": "12", "rules.shut": "wins-round"},
    {"match.kind": "battle", "match.stake": "1"},
]


@st.composite
def scripts(draw: st.DrawFn) -> tuple[dict[str, str], list[str]]:
    """Settings, and the lines of a play."""
    tiles = draw(st.sampled_from(["1-9", "1-6", "1-12", "7", "1,3,5,7,9"]))
    numbers = {"1-9": range(1, 10), "1-6": range(1, 7), "1-12": range(1, 13), "7": [7]}.get(
        tiles, range(1, 10, 2)
    )
    tile, die = st.sampled_from(list(numbers)).map(str), st.integers(1, 6).map(str)
    verb = st.sampled_from(["shut", "open"])
    flips = st.lists(st.tuples(verb, tile).map(" ".join), min_size=1, max_size=4).map(", ".join)
    line = st.one_of(
        st.tuples(st.just("roll"), die, die).map(" ".join),
        st.tuples(st.just("roll"), die, die).map(" ".join),
        die.map("roll {}".format),
        st.just("lay"),
        st.just("lay"),
        st.just("lay"),
        st.tuples(flips, st.sampled_from(["30ms", "60ms", "150ms"])).map(" every ".join),
        st.tuples(st.sampled_from(["roll", "next", "back"]), st.sampled_from(["50ms", "1500ms"])).map(
            lambda press: f"press {press[0]} {press[1]}"
        ),
        st.just("press next 1500ms"),  # the menu
        st.sampled_from(["wait 1s", "wait 11m", "wait 40m", "players Cem", "players Ann Bob Cem"]),
        tile.map("fault tile {} stuck".format),
        tile.map("fault tile {} bounce 40ms".format),
        tile.map("mend tile {}".format),
        st.sampled_from(["fault oled gone", "mend oled", "fault tiles gone", "mend tiles"]),
        st.sampled_from(["power off", "power on"]),
    )
    options = {
        "rules.tiles": tiles,
        "rules.scoring": draw(st.sampled_from(["sum", "count"])),
        "rules.one_die": draw(st.sampled_from(["high-down", "sum-below-6", "never"])),
        "rules.sets": draw(st.sampled_from(["any", "thai"])),
        "dice.source": draw(st.sampled_from(["roller", "roller", "keypad", "none"])),
        **draw(st.sampled_from(MATCHES)),
    }
    if options["dice.source"] == "none" and "rules.ties" in options:
        options["rules.ties"] = "shared"  # with tiles that are not seen either, nobody would win a play-off
    if options.get("match.kind") == "battle":
        # By single tiles it goes to and fro, and with two dice always the 1 alone never goes down.
        options |= {"rules.scoring": "sum", "rules.sets": "any", "rules.one_die": "high-down"}
        options["dice.source"] = options["dice.source"].replace("none", "keypad")
    return options, draw(st.lists(line, max_size=14))


async def play(options: Mapping[str, str], script: list[str], folder: Path) -> None:
    game = Play(folder, options)
    try:
        await game.do("players Ann Bob")
        for line in script:
            is_off = game.table.runner is None
            if line == "lay":  # one of the legal sets, or what is to be put right
                now = game.table.report()
                legal = set(now.legal[-1]) if now.legal else set()
                before = set(now.open)
                await game._lay(
                    set(now.wants_open) or (legal - before), set(now.wants_shut) or (legal & before)
                )
            elif is_off and line.startswith("players"):
                continue
            elif line == "players Cem" and options.get("match.kind") == "battle":
                await game.do("players Cem Dee")  # it is for two
            elif line.startswith("players Ann") and options.get("match.kind") == "battle":
                await game.do("players Ann Bob")
            elif not (line.startswith("roll") and (options["dice.source"] == "none" or game.is_in_a_dialog)):
                await game.do(line)
                if line == "fault oled gone":
                    await game.do(f"wait {FOUND_OUT_S}s")
        await game.finish()
    finally:
        await game.table.power_off()


@settings(
    max_examples=RUNS or DEFAULT_RUNS,
    derandomize=not RUNS,  # the default run is the same each time; campaigns are by chance
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(scripts())
def test_whatever_happens_to_the_box_the_match_can_be_finished(
    script: tuple[dict[str, str], list[str]],
) -> None:
    options, lines = script
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(play(options, lines, Path(folder)))

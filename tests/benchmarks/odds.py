"""The odds: a whole box, every target, the live chances, a hint; and how time and memory grow."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator

from figures import Figure, Length, best_of, calibrate

from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.odds import Odds
from firmware_host.games.shut_the_box.odds.aims import Aim
from firmware_host.games.shut_the_box.rules import Rules

PART = "odds"
HINTS = 20  # in a run, so short that a busy machine leaves one of them alone
TILES_FROM, TILES_TO = 6, 12
PLAYERS = (2, 3, 4, 6, 8, 12, 16, 20)
SHUT, SCORE = Aim.parse("shut"), Aim.parse("score")


def rules_of(tiles: int) -> Rules:
    """The default rules with tiles 1 to ``tiles``."""
    return Rules(tiles=tuple(range(1, tiles + 1)))


def measure(length: Length) -> Iterator[Figure]:
    """Times against their limits, then the growth."""
    loop_ms = calibrate()

    def took(name: str, work: Callable[[], object], most: float | None = None, times: int = 1) -> Figure:
        ms = 1000 * best_of(work, length.repeats * times) / times
        return Figure(PART, name, ms, "ms", most=most, calibration_ms=loop_ms)

    for tiles, most in ((9, 5.0), (12, 30.0)):
        for aim in (SHUT, SCORE):
            name = f"whole box 1-{tiles}, {aim.text}, exact, from the rules up"
            rules = rules_of(tiles)
            yield took(name, lambda rules=rules, aim=aim: Odds(rules).table(aim), most)
    yield took("beat every target, 1-9, from the rules up", lambda: Odds(Rules()).beat_every_target(), 60.0)
    yield from _live(took)
    for tiles in range(TILES_FROM, TILES_TO + 1):
        yield took(f"growth: tiles 1-{tiles}, score", lambda tiles=tiles: Odds(rules_of(tiles)).table(SCORE))
        yield _memory(
            f"growth: tiles 1-{tiles}, score", lambda tiles=tiles: Odds(rules_of(tiles)).table(SCORE)
        )
    odds = Odds(Rules())
    for players in PLAYERS:
        ms = 1000 * best_of(lambda players=players: odds.match(players), 1)
        yield Figure(PART, f"growth: tables of {players} players", ms, "ms", calibration_ms=loop_ms)
        yield _memory(f"growth: tables of {players} players", lambda players=players: odds.match(players))


def _live(took: Callable[..., Figure]) -> Iterator[Figure]:
    """What is asked at the table, from tables that are there."""
    odds, box, dice = Odds(Rules()), Box.parse("123456789"), (3, 5)
    four = odds.match(4)
    started: list[int | None] = [12, None, None, None]
    turn, table = four.turn(started), odds.table(SCORE)
    yield took("live chances of 4, turn unknown, before a roll", lambda: four.chances(started, box), 5.0)
    yield took("live chances of 4, turn unknown, after a roll", lambda: four.chances(started, box, dice), 5.0)
    yield took("live chances of 4, within the turn, after a roll", lambda: turn.chances(box, dice), 5.0)

    def many(hint: Callable[[], object]) -> Callable[[], object]:
        return lambda: [hint() for _ in range(HINTS)]

    yield took("hint, 12 legal sets, score, exact", many(lambda: table.advise(box, (6, 6))), 0.1, HINTS)
    yield took("hint, one die or two, score, exact", many(lambda: table.best_dice(box)), 0.1, HINTS)


def _memory(name: str, work: Callable[[], object]) -> Figure:
    """The most that ``work`` holds at a time."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return Figure(PART, name, peak / 1e6, "MB")

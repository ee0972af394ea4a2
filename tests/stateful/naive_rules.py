"""The rules told a second time, naively: a book that reads the journal and refuses what they do not allow."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

PLACES = 12

Tiles = tuple[int, ...]


@dataclass
class Turn:
    """Where a match stands, by the book."""

    number: int
    rules: dict[str, Any]
    tiles: Tiles
    players: list[str]
    player: str
    open: list[int]
    dice: list[int] = field(default_factory=list)
    scores: dict[str, int] = field(default_factory=dict)
    due: list[str] = field(default_factory=list)  # events that have to follow in the same step
    is_over: bool = False

    @property
    def legal(self) -> list[Tiles]:
        """The sets that the dice may shut, by trying every subset."""
        total = sum(self.dice)
        if self.rules["unlucky_7"] and total == 7:
            return []
        sizes = {"any": PLACES, "at-most-two": 2, "thai": 1}[self.rules["sets"]]
        sums = {*self.dice, total} if self.rules["sets"] == "thai" else {total}
        subsets = [s for size in range(1, sizes + 1) for s in combinations(sorted(self.open), size)]
        must = {"free": None, "2-to-go": 2, "3-to-go": 3}[self.rules["first_roll"]]
        is_first = len(self.open) == len(self.tiles) and must is not None
        return [s for s in subsets if sum(s) in sums and (not is_first or must in s)]

    @property
    def numbers_of_dice(self) -> list[int]:
        """How many dice may be rolled."""
        may_be_one = {
            "high-down": max(self.open, default=0) < 7,
            "sum-at-most-6": sum(self.open) <= 6,
            "sum-below-6": sum(self.open) < 6,
            "only-1": self.open == [1],
            "never": False,
        }[self.rules["one_die"]]
        if not may_be_one or self.rules["sets"] == "thai":
            return [2]
        return [1] if self.rules["one_die_compulsory"] else [1, 2]

    @property
    def score(self) -> int:
        """What the open tiles cost."""
        how = self.rules["scoring"]
        if how == "digits":
            return int("".join(str(tile) for tile in sorted(self.open)) or 0)
        return sum(self.open) if how == "sum" else len(self.open)


class Book:
    """Reads the journal's events, and refuses whatever the rules do not allow."""

    def __init__(self) -> None:
        self.seq = 0
        self.turn: Turn | None = None
        self.matches = 0
        self.way_back: list[tuple[int, Turn, list[tuple[str, list[int]]]]] = []
        self.taken_back: list[tuple[str, list[int]]] = []  # throws, the next first

    def step(self, seq: int, events: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """One step that begins at ``seq``."""
        assert seq == self.seq + 1, "a gap in the numbers"
        assert events
        first = events[0][0]
        if first not in ("match_started", "undone", "resumed"):
            assert self.turn is not None
            throws = [(fields["player"], fields["dice"]) for name, fields in events if name == "rolled"]
            self.way_back.append((seq, copy.deepcopy(self.turn), throws))
        for name, fields in events:
            self.seq += 1
            if self.turn is not None and self.turn.due:
                assert name == self.turn.due.pop(0), f"{name} does not come next"
            getattr(self, f"_{name}")(**fields)
        assert self.turn is not None
        assert not self.turn.due, f"{self.turn.due} is missing"

    def _match_started(self, match: int, game: str, rules: dict[str, Any], players: list[str]) -> None:
        self.matches += 1
        assert (match, game) == (self.matches, "shut-the-box")
        own = {key.removeprefix("rules."): value for key, value in rules.items()}
        tiles = read_tiles(own["tiles"])
        self.turn = Turn(match, own, tiles, players, players[0], list(tiles), due=["turn_started"])
        self.way_back, self.taken_back = [], []

    def _turn_started(self, player: str, round: int) -> None:
        turn = self._turn
        assert round == 1
        assert player == turn.players[len(turn.scores)]
        turn.player, turn.open, turn.dice = player, list(turn.tiles), []

    def _rolled(self, player: str, dice: list[int], total: int, source: str) -> None:
        turn = self._turn
        assert player == turn.player
        assert not turn.dice, "a second roll"
        assert not turn.is_over
        assert len(dice) in turn.numbers_of_dice
        assert total == sum(dice)
        assert all(die in range(1, 7) for die in dice)
        thrown = [throw for throw in self.taken_back if throw[0] == player and len(throw[1]) == len(dice)]
        if thrown:
            assert dice == thrown[0][1], "a free second throw"
            self.taken_back.remove(thrown[0])
        turn.dice = dice
        if not turn.legal:
            turn.due = ["turn_ended"]

    def _move_made(self, player: str, shut: list[int], total: int, open: list[int]) -> None:
        turn = self._turn
        assert player == turn.player
        assert turn.dice, "a move without a roll"
        assert tuple(shut) in turn.legal
        assert total == sum(shut)
        turn.open = [tile for tile in turn.open if tile not in shut]
        assert open == turn.open
        turn.dice = []
        if not open:
            turn.due = ["turn_ended"]

    def _turn_ended(self, player: str, open: list[int], score: int, reason: str) -> None:
        turn = self._turn
        is_unlucky = turn.rules["unlucky_7"] and sum(turn.dice) == 7
        wanted = "shut" if not turn.open else "unlucky" if is_unlucky else "no_move"
        assert (player, open, score, reason) == (turn.player, turn.open, turn.score, wanted)
        turn.scores[player] = score
        turn.dice = []
        ends = not turn.open or len(turn.scores) == len(turn.players)
        turn.due = ["round_ended", "match_ended"] if ends else ["turn_started"]

    def _round_ended(
        self, round: int, scores: dict[str, int], totals: dict[str, int], out: list[str]
    ) -> None:
        turn = self._turn
        everybody = {name: turn.scores.get(name, 0) for name in turn.players}
        assert (round, scores, totals, out) == (1, turn.scores, everybody, [])

    def _match_ended(
        self, winners: list[str], scores: dict[str, int], stakes: dict[str, int], reason: str
    ) -> None:
        turn = self._turn
        best = min(turn.scores.values())
        lowest = [name for name in turn.players if turn.scores.get(name) == best]
        assert winners == ([turn.player] if not turn.open else lowest)
        assert scores == {name: turn.scores.get(name, 0) for name in turn.players}
        assert reason == "played"
        assert not any(stakes.values())
        turn.is_over = True

    def _undone(self, undid: int) -> None:
        seq, self.turn, throws = self.way_back.pop()
        assert undid == seq
        self.taken_back = throws + self.taken_back

    def _resumed(self, match: int, open: list[int], shut: list[int]) -> None:
        assert match == self._turn.number
        assert not self._turn.is_over

    @property
    def _turn(self) -> Turn:
        assert self.turn is not None
        return self.turn


def read_tiles(text: str) -> Tiles:
    """``1-3,7`` as numbers."""
    parts = [part.split("-") for part in text.split(",")]
    return tuple(tile for part in parts for tile in range(int(part[0]), int(part[-1]) + 1))

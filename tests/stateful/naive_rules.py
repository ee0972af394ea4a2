"""The rules told a second time, naively: a book that reads the journal and refuses what they do not allow.

After every event the book knows which events have to follow in the same step, and all that they have to say.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

PLACES = 12

Tiles = tuple[int, ...]
Told = tuple[str, dict[str, Any]]
Throw = tuple[str, int, list[int]]  # of a player, in a round


@dataclass
class Turn:
    """Where a match stands, by the book."""

    number: int
    rules: dict[str, Any]  # keys without their "rules."
    tiles: Tiles
    players: list[str]
    player: str
    open: list[int]
    pot: int
    totals: dict[str, int]
    round: int = 1
    dice: list[int] = field(default_factory=list)
    scores: dict[str, int] = field(default_factory=dict)  # of this round
    played: list[str] = field(default_factory=list)  # this round
    out: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    off: list[str] = field(default_factory=list)  # who plays off
    winners: list[str] | None = None
    due: list[Told] = field(default_factory=list)  # what has to follow in the same step

    @property
    def is_over(self) -> bool:
        """Somebody has won, or nobody ever will."""
        return self.winners is not None

    @property
    def kind(self) -> str:
        """What the match is."""
        return str(self.rules["match.kind"])

    @property
    def raises(self) -> bool:
        """The one who plays opens tiles."""
        return self.kind == "battle" and self.player == self.players[1]

    @property
    def movable(self) -> list[int]:
        """The tiles that the one who plays may move."""
        return [tile for tile in self.tiles if tile not in self.open] if self.raises else self.open

    @property
    def legal(self) -> list[Tiles]:
        """The sets that the dice may move, by trying every subset."""
        total = sum(self.dice)
        if self.rules["unlucky_7"] and total == 7:
            return []
        sizes = {"any": PLACES, "at-most-two": 2, "thai": 1}[self.rules["sets"]]
        sums = {*self.dice, total} if self.rules["sets"] == "thai" else {total}
        subsets = [s for size in range(1, sizes + 1) for s in combinations(sorted(self.movable), size)]
        must = {"free": None, "2-to-go": 2, "3-to-go": 3}[self.rules["first_roll"]]
        is_first = len(self.open) == len(self.tiles) and must is not None
        return [s for s in subsets if sum(s) in sums and (not is_first or must in s)]

    @property
    def numbers_of_dice(self) -> list[int]:
        """How many dice may be rolled."""
        may_be_one = {
            "high-down": max(self.movable, default=0) < 7,
            "sum-at-most-6": sum(self.movable) <= 6,
            "sum-below-6": sum(self.movable) < 6,
            "only-1": self.movable == [1],
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

    @property
    def still_playing(self) -> list[str]:
        """Who plays in this round, in the order of the seats."""
        group = self.off or [name for name in self.players if name not in self.out]
        return [name for name in group if name not in self.gone]

    # What follows

    def end_turn(self, reason: str) -> None:
        """The turn has to end now, and what follows on it."""
        score = None if self.kind == "battle" or reason == "left" else self.score
        ended = {"player": self.player, "open": list(self.open), "score": score, "reason": reason}
        self.due = [("turn_ended", ended)]

    def begin_turn(self, player: str, number: int) -> None:
        """``player`` has to be next."""
        self.due.append(("turn_started", {"player": player, "round": number}))

    def end_round(self, winners: list[str] | None, *, is_shut: bool = False) -> None:
        """The round has to end now; with ``winners`` the match does, too."""
        in_order = {name: self.scores[name] for name in self.players if name in self.scores}
        out = [name for name in self.players if name in self.out]
        ended = {"round": self.round, "scores": in_order, "totals": dict(self.totals), "out": out}
        self.due.append(("round_ended", ended))
        self.scores, self.played = {}, []
        if winners is not None:
            self.end_match(winners, is_shut=is_shut)

    def end_match(self, winners: list[str], *, is_shut: bool = False, reason: str = "played") -> None:
        """The match has to end now; every coin is moved by hand."""
        purse, pot = dict.fromkeys(self.players, 0), self.pot
        if reason == "played":
            each = self.rules["match.stake"] * (2 if is_shut and self.rules["match.double_on_shut"] else 1)
            for name in self.players:
                purse[name] -= each
                pot += each
            while winners and pot >= len(winners):
                for name in winners:
                    purse[name] += 1
                    pot -= 1
        ended = {"winners": winners, "scores": dict(self.totals), "stakes": purse, "reason": reason}
        self.due.append(("match_ended", {**ended, "pot": pot}))

    def go_on(self, shut_by: str = "") -> None:
        """A turn is over (``shut_by``: it shut the box): who is next, or who has won."""
        how = self.rules["shut"]
        if shut_by and (self.off or how == "wins-match"):
            self.end_round([shut_by], is_shut=True)
            return
        to_come = [name for name in self.still_playing if name not in self.played]
        if to_come and not (shut_by and how == "wins-round"):
            self.begin_turn(to_come[0], self.round)
            return
        self.judge(shut_by if how == "wins-round" else "")

    def judge(self, shut_by: str) -> None:
        """The round has been played out, or ``shut_by`` has ended it."""
        candidates = self.still_playing
        was_off = list(self.off)
        if self.kind == "last-standing" and not was_off:
            self.out += [name for name in candidates if self.totals[name] >= self.rules["match.limit"]]
        best = self.best_of(candidates, shut_by)
        if best is not None and len(best) > 1 and self.rules["ties"] == "play-off":
            self.end_round(None)
            self.off = best
            self.begin_turn(best[0], self.round + 1)
        elif best is None:
            self.end_round(None)
            self.begin_turn(self.still_playing[0], self.round + 1)
        else:
            is_carried = len(best) > 1 and self.rules["ties"] == "carry-over" and self.rules["match.stake"]
            self.end_round([] if is_carried else best)

    def best_of(self, candidates: list[str], shut_by: str) -> list[str] | None:
        """Who has won with this round; None: the match goes on."""
        if self.off:
            return lowest({name: self.scores.get(name, 0) for name in candidates})
        best = lowest({name: self.totals[name] for name in candidates})
        if self.kind == "one-round":
            return [shut_by] if shut_by else best
        if self.kind == "rounds":
            return best if self.round >= self.rules["match.rounds"] else None
        if self.kind == "to-limit":
            most = max(self.totals[name] for name in candidates)
            return best if most >= self.rules["match.limit"] else None
        standing = [name for name in candidates if name not in self.out]
        if len(standing) > 1 or (standing and len(self.players) == 1):
            return None
        return standing or best


THROWN = ("roller", "camera")  # typed dice can be typed anew


class Book:
    """Reads the journal's events, and refuses whatever the rules do not allow."""

    def __init__(self) -> None:
        self.seq = 0
        self.turn: Turn | None = None
        self.matches = 0
        self.pot = 0
        self.way_back: list[tuple[int, Turn, Throw | None]] = []
        self.taken_back: list[Throw] = []  # the next first
        self._thrown: Throw | None = None  # in this step: what stays if it is undone
        self._set: tuple[list[int], list[int]] | None = None  # in this step: dice set by hand

    def step(self, seq: int, events: Sequence[Told]) -> None:
        """One step that begins at ``seq``."""
        assert seq == self.seq + 1, "a gap in the numbers"
        assert events
        self._thrown = self._set = None
        before = copy.deepcopy(self.turn)
        for name, fields in events:
            self.seq += 1
            if self.turn is not None and self.turn.due:
                self._must_be(name, fields, *self.turn.due.pop(0))
            getattr(self, f"_{name}")(**fields)
        assert self.turn is not None
        assert not self.turn.due, f"{self.turn.due} is missing"
        assert self._set is None, "dice were set, and not rolled"
        if not {"match_started", "undone", "resumed"} & {name for name, _ in events}:
            assert before is not None
            self.way_back.append((seq, before, self._thrown))

    @staticmethod
    def _must_be(name: str, fields: dict[str, Any], due: str, wanted: dict[str, Any]) -> None:
        assert name == due, f"{name} in place of {due}"
        assert {"pot": 0, **fields} == {"pot": 0, **wanted}

    def _match_started(
        self,
        match: int,
        game: str,
        rules: dict[str, Any],
        players: list[str],
        pot: int = 0,
        opponents: dict[str, str] | None = None,
    ) -> None:
        assert self.turn is None or self.turn.is_over, "the one before goes on"
        assert set(opponents or {}) <= set(players)
        self.matches += 1
        assert (match, game, pot) == (self.matches, "shut-the-box", self.pot)
        own = {key.removeprefix("rules."): value for key, value in rules.items()}
        tiles = read_tiles(own["tiles"])
        totals = dict.fromkeys(players, 0)
        self.turn = Turn(match, own, tiles, players, players[0], list(tiles), pot, totals)
        self.turn.begin_turn(players[0], 1)
        self.way_back, self.taken_back = [], []

    def _turn_started(self, player: str, round: int) -> None:
        turn = self._turn
        turn.player, turn.round, turn.dice = player, round, []
        if turn.kind != "battle":
            turn.open = list(turn.tiles)

    def _rolled(self, player: str, dice: list[int], total: int, source: str) -> None:
        turn = self._turn
        assert player == turn.player
        assert not turn.dice, "a second roll"
        assert not turn.is_over
        assert turn.rules["dice.source"] != "none", "the dice are not known"
        if turn.rules["dice.source"] == "camera":
            assert source in ("camera", "keypad", "hand")
        else:
            assert (source == "keypad") == (turn.rules["dice.source"] == "keypad")
        assert len(dice) in turn.numbers_of_dice
        assert total == sum(dice)
        assert all(die in range(1, 7) for die in dice)
        self._no_free_second_throw(dice, source)
        turn.dice = dice
        if not turn.legal:
            is_unlucky = turn.rules["unlucky_7"] and sum(dice) == 7
            turn.end_turn("unlucky" if is_unlucky else "passed" if turn.kind == "battle" else "no_move")

    def _no_free_second_throw(self, dice: list[int], source: str) -> None:
        """A throw that was undone stays for its turn, unless it is set by hand, and that is told."""
        turn = self._turn
        mine = [t for t in self.taken_back if t[:2] == (turn.player, turn.round)]
        thrown = next((t for t in mine if len(t[2]) in turn.numbers_of_dice), None)
        set_by_hand, self._set = self._set, None
        assert (source == "hand") == (set_by_hand is not None)
        if thrown is None:
            assert source != "hand", "nothing was to be corrected"
            self._thrown = (turn.player, turn.round, dice) if source in THROWN else None
            return
        assert len(dice) == len(thrown[2])
        assert set_by_hand == (thrown[2], dice) or (source in THROWN and dice == thrown[2])
        self.taken_back.remove(thrown)
        self._thrown = thrown

    def _move_made(
        self, player: str, shut: list[int], total: int, open: list[int], opened: Sequence[int] = ()
    ) -> None:
        turn = self._turn
        moved = list(opened) if turn.raises else shut
        assert player == turn.player
        assert not turn.is_over
        assert total == sum(moved)
        assert not (shut if turn.raises else opened)
        if turn.rules["dice.source"] == "none":
            assert moved
            assert set(moved) <= set(turn.movable)
        else:
            assert turn.dice, "a move without a roll"
            assert tuple(moved) in turn.legal
        up = set(turn.open) | set(moved) if turn.raises else set(turn.open) - set(moved)
        turn.open = sorted(up)
        assert open == turn.open
        turn.dice = []
        if turn.kind == "battle":
            turn.end_turn("moved")
        elif not open:
            turn.end_turn("shut")
        elif turn.rules["dice.source"] == "none":
            turn.end_turn("ended_by_hand")

    def _turn_ended(self, player: str, open: list[int], score: int | None, reason: str) -> None:
        turn = self._turn
        if reason == "ended_by_hand":  # whenever somebody wants it, and as it would end by itself
            turn.due = []
            turn.end_turn(reason)
            self._must_be("turn_ended", {"player": player, "open": open, "score": score, "reason": reason},
                          *turn.due.pop())  # fmt: skip
        assert not turn.is_over
        turn.dice = []
        turn.played.append(player)
        if score is not None:
            turn.scores[player] = score
            turn.totals[player] += 0 if turn.off else score
        if reason == "left":
            self._after_leaving()
        elif turn.kind != "battle":
            turn.go_on(player if reason == "shut" else "")
        elif not turn.open or (reason == "moved" and len(turn.open) == len(turn.tiles)):
            turn.end_match([player], is_shut=not turn.open)
        else:
            other = turn.players[1 - turn.players.index(player)]
            turn.begin_turn(other, turn.round + (other == turn.players[0]))

    def _player_left(self, player: str) -> None:
        turn = self._turn
        assert not turn.is_over
        assert player in turn.players
        assert player not in turn.gone
        turn.gone.append(player)
        if player == turn.player:
            turn.end_turn("left")
        else:
            self._after_leaving()

    def _after_leaving(self) -> None:
        turn = self._turn
        rest = turn.still_playing
        if not rest:
            turn.end_match([], reason="abandoned")
        elif len(rest) == 1:
            turn.end_match(rest)
        elif turn.player in turn.gone:
            turn.go_on()

    def _round_ended(self, **fields: Any) -> None:
        """All of it was foretold."""

    def _match_ended(
        self, winners: list[str], scores: dict[str, int], stakes: dict[str, int], reason: str, pot: int = 0
    ) -> None:
        turn = self._turn
        assert not turn.is_over
        if reason == "abandoned":
            wanted = (list[str](), turn.totals, dict.fromkeys(turn.players, 0), turn.pot)
            assert (winners, scores, stakes, pot) == wanted
        assert sum(stakes.values()) + pot == turn.pot, "points came from nowhere, or went there"
        turn.winners = winners
        turn.pot = self.pot = pot

    def _corrected(self, what: str, player: str, was: Any, **fields: Any) -> None:
        turn, to = self._turn, fields["is"]
        assert not turn.is_over
        if what == "dice":
            assert player == turn.player
            self._set = (was, to)
            return
        assert what == "score"
        assert was == turn.totals[player]
        assert to != was
        assert to >= 0
        assert player not in turn.gone
        if player in turn.scores and not turn.off:
            turn.scores[player] += to - was
        turn.totals[player] = to

    def _undone(self, undid: int) -> None:
        seq, self.turn, throw = self.way_back.pop()
        assert undid == seq
        self.pot = self.turn.pot
        self.taken_back = ([throw] if throw else []) + self.taken_back

    def _resumed(self, match: int, open: list[int], shut: list[int]) -> None:
        assert match == self._turn.number
        assert not self._turn.is_over

    @property
    def _turn(self) -> Turn:
        assert self.turn is not None
        return self.turn


def lowest(points: dict[str, int]) -> list[str]:
    """Who has the fewest points, in the order given."""
    return [name for name in points if points[name] == min(points.values())]


def next_seats(turn: Turn) -> list[str]:
    """Who plays the rematch: from who did worst, round the table; who has left does not, but in a battle."""
    names = [name for name in turn.players if name not in turn.gone or turn.kind == "battle"] or turn.players
    losers = [name for name in names if name not in (turn.winners or [])] or names
    worst = next(name for name in losers if turn.totals[name] == max(turn.totals[n] for n in losers))
    at = names.index(worst)
    return names[at:] + names[:at]


def read_tiles(text: str) -> Tiles:
    """``1-3,7`` as numbers."""
    parts = [part.split("-") for part in text.split(",")]
    return tuple(tile for part in parts for tile in range(int(part[0]), int(part[-1]) + 1))

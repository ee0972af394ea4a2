"""Plays matches into a journal, step by step, as the table does; and by chance, whatever may happen."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from firmware_host.games.records import Corrected, MatchStarted, Record, Resumed, Undone
from firmware_host.store.journal import Journal, Stamp

PEOPLE = ("Ann", "Bob", "Çem", "李", "=Eve")
SETTINGS: tuple[Mapping[str, Any], ...] = (
    {},
    {"match.stake": 5, "match.double_on_shut": True, "rules.tiles": "1-3"},
    {"match.kind": "rounds", "match.rounds": 2, "rules.ties": "play-off", "rules.tiles": "1-4"},
    {"match.kind": "last-standing", "match.limit": 12, "rules.scoring": "count"},
    {"match.kind": "to-limit", "match.limit": 40, "rules.ties": "play-off", "rules.tiles": "1-5"},
    {"match.kind": "battle", "rules.tiles": "1-4", "match.stake": 2},
    {"rules.ties": "carry-over", "match.stake": 3, "rules.tiles": "1,2"},
    {"rules.ties": "play-off", "rules.tiles": "2"},
    {"dice.source": "none", "rules.scoring": "digits"},
)
STAMP = Stamp(0.0, "2026-01-01T12:00:00+00:00", True)


class Scribe:
    """One open journal, the game in it, and what was told."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.stamp = STAMP
        self.told: list[tuple[int, tuple[Record, ...]]] = []  # steps, with the seq of the first record
        self.journal = Journal(path)
        self.history = self.journal.load()

    def keep(self, *records: Record, stamp: Stamp | None = None) -> None:
        """One step."""
        seq, after = self.history.seq + 1, self.history.add(records)
        self.journal.append(seq, records, stamp or self.stamp, after.snapshot())
        self.told.append((seq, records))
        self.history = after

    def restart(self) -> None:
        """The service stops and starts."""
        self.journal.close()
        self.journal = Journal(self.path)
        assert self.journal.load() == self.history
        assert self.journal.damage == ""

    def close(self) -> None:
        """Let go of the file."""
        self.journal.close()

    def start(self, *players: str, **settings: Any) -> None:
        """A new match; ``match_kind="rounds"`` is ``match.kind``, ``rules_one__die`` is ``rules.one_die``."""
        keys = {key.replace("_", ".", 1).replace("__", "_"): value for key, value in settings.items()}
        self.keep(*self.history.opening(keys, players))

    def roll(self, *dice: int, source: str = "roller") -> None:
        """These dice."""
        assert self.history.game is not None
        self.keep(*self.history.game.roll(dice, source))

    def move(self, *tiles: int) -> None:
        """Shut ``tiles``, which are legal (in a battle: lower or raise them)."""
        game = self.history.game
        assert game is not None
        moved = {tile - 1 for tile in tiles}
        places = zip(game.places, game.layout, strict=True)
        layout = tuple(1 - level if place in moved else level for place, level in places)
        self.keep(*game.stand(layout))

    def turn(self, *open_tiles: int) -> None:
        """A whole turn without rolls that leaves these tiles open (dice not known)."""
        game = self.history.game
        assert game is not None
        self.keep(*game.end_freely(tuple(int(place + 1 in open_tiles) for place in game.places)))

    def undo(self) -> None:
        """One step back."""
        assert self.history.past is not None
        self.keep(Undone(self.history.past.seq))

    def correct(self, player: str, total: int) -> None:
        """A total set by hand."""
        assert self.history.game is not None
        self.keep(Corrected("score", player, self.history.game.match.total(player), total))

    # By chance

    def do_something(self, chance: random.Random) -> None:
        """Whatever may happen now."""
        game = self.history.game
        if game is None or game.match.is_over or chance.random() < 0.02:
            if self.history.past is not None and chance.random() < 0.3:
                return self.undo()
            return self._start(chance)
        if self.history.past is not None and chance.random() < 0.12:
            return self.undo()
        lot = chance.random()
        if lot < 0.03:
            return self.restart()
        if lot < 0.05:
            return self.keep(Resumed(game.match.number, (), ()))
        if lot < 0.08 and game.match.rules.kind != "battle":
            return self.correct(chance.choice(game.match.players), chance.randint(0, 60))
        if lot < 0.1:
            return self.keep(*game.leave(chance.choice(game.match.playing)))
        if lot < 0.12:
            return self.keep(game.match.ended((), reason="abandoned"))
        if lot < 0.14:
            return self.keep(*game.end_turn())
        return self._play(chance)

    def _play(self, chance: random.Random) -> None:
        game = self.history.game
        assert game is not None
        if self.history.settings.get("dice.source") == "none":
            return self.keep(*game.end_freely(tuple(chance.randint(0, 1) for _ in game.places)))
        if game.dice:
            return self.keep(*game.stand(chance.choice(game.targets()).layout))
        count = chance.choice(game.dice_allowed())
        dice = tuple(chance.choice((1, 1, 2, 3, 6)) for _ in range(count))
        return self.keep(*game.roll(dice, chance.choice(("roller", "hand"))))

    def _start(self, chance: random.Random) -> None:
        settings = chance.choice(SETTINGS)
        count = 2 if settings.get("match.kind") == "battle" else chance.randint(1, 4)
        records = self.history.opening(settings, tuple(chance.sample(PEOPLE, count)))
        assert any(isinstance(record, MatchStarted) for record in records)
        self.keep(*records)

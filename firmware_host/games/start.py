"""How a match begins: settings and names in, the first records out; and which game they start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from firmware_host.errors import RuleError
from firmware_host.games.game import Game
from firmware_host.games.match_rules import Kind, MatchRules
from firmware_host.games.opponents import PREFIX, Opponent, seated
from firmware_host.games.records import MatchStarted, Record, TurnStarted
from firmware_host.games.sequence_dice.game import SequenceDice
from firmware_host.games.sequence_dice.rules import Rules as ChipRules
from firmware_host.games.shut_the_box.battle import Battle
from firmware_host.games.shut_the_box.game import ShutTheBox
from firmware_host.games.shut_the_box.rules import Rules as BoxRules

SHUT_THE_BOX, SEQUENCE_DICE = "shut-the-box", "sequence-dice"


class GameRules(Protocol):
    """The settings of one game."""

    def settings(self) -> dict[str, Any]:
        """Every key and value, without the section."""

    @property
    def opponents(self) -> tuple[Opponent, ...]:
        """How the box may play a seat."""

    def check(self, match: MatchRules, source: str) -> None:
        """Raises RuleError where the match or the dice's ``source`` contradicts these rules."""

    def check_players(self, match: MatchRules, players: tuple[str, ...]) -> None:
        """Raises RuleError where these ``players``, each name once, cannot play so."""


@dataclass(frozen=True, slots=True)
class Known:
    """A game of this release.

    ``rules``: from settings by full key, a missing one has its default.  ``first_round``: of the first
    turn; 0 where everyone rolls for the start.
    """

    rules: Callable[[Mapping[str, Any]], GameRules]
    begin: Callable[[MatchStarted], Game]
    first_round: int


def check_players(rules: GameRules, match: MatchRules, typed: tuple[str, ...], source: str = "") -> None:
    """Raises RuleError where these players cannot play such a match with dice from ``source``."""
    names = ", ".join(typed) or "none"
    players, opponents = seated(typed)
    if not players or len(set(players)) < len(players):
        raise RuleError(f"match.players {names}: at least one, each name once")
    rules.check_players(match, players)
    for kind in opponents.values():
        if kind not in rules.opponents:
            allowed = ", ".join(f"{PREFIX}{known}" for known in rules.opponents)
            raise RuleError(f"match.players {names}: no {PREFIX}{kind} in this game; allowed: {allowed}")
    if opponents and match.kind is Kind.BATTLE:
        raise RuleError(f"match.players {names}: the box itself plays no battle")
    if opponents and source == "none":
        raise RuleError(
            f"match.players {names}: the box plays with known dice only, not with dice.source none"
        )


def opening(
    number: int, settings: Mapping[str, Any], players: tuple[str, ...], pot: int = 0
) -> tuple[Record, ...]:
    """The records that begin match ``number``.

    ``settings``: by full key, a missing one has its default.  ``players``: names, ``bot:good`` and the
    like for those whom the box plays.  ``pot``: what an earlier match left.
    Raises RuleError for a game or rules that do not exist or contradict each other, without a player, for
    a name that stands twice, for more or fewer players than the game is for, and for no such opponent.
    """
    name = settings.get("rules.game", SHUT_THE_BOX)
    game = GAMES.get(name)
    if game is None:
        raise RuleError(f"rules.game {name!r}: {', '.join(GAMES)}")
    rules, match = game.rules(settings), MatchRules.from_settings(settings)
    source = settings.get("dice.source", "")
    rules.check(match, source)
    check_players(rules, match, players, source)
    names, opponents = seated(players)
    kept = {"rules.game": name, **{f"rules.{key}": value for key, value in rules.settings().items()}}
    if "dice.source" in settings:
        kept["dice.source"] = settings["dice.source"]
    started = MatchStarted(number, name, {**kept, **match.settings()}, names, pot, opponents)
    return (started, TurnStarted(names[0], game.first_round))


def begin(record: MatchStarted) -> Game:
    """The game that ``record`` started; RuleError if this release does not know it."""
    game = GAMES.get(record.game)
    if game is None:
        raise RuleError(f"match {record.match} plays {record.game!r}, which this release does not know")
    return game.begin(record)


def _begin_box(record: MatchStarted) -> Game:
    is_battle = record.rules.get("match.kind") == Kind.BATTLE
    return Battle.begin(record) if is_battle else ShutTheBox.begin(record)


GAMES: Mapping[str, Known] = {
    SHUT_THE_BOX: Known(BoxRules.from_match, _begin_box, first_round=1),
    SEQUENCE_DICE: Known(ChipRules.from_match, SequenceDice.begin, first_round=0),
}
"""Every game, by its name in ``rules.game``."""

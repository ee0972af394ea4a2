"""How a match begins: settings and names in, the first records out; and which game they start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from firmware_host.errors import RuleError
from firmware_host.games.game import Game
from firmware_host.games.match_rules import Kind, MatchRules
from firmware_host.games.opponents import seated
from firmware_host.games.records import MatchStarted, Record, TurnStarted
from firmware_host.games.shut_the_box.battle import Battle
from firmware_host.games.shut_the_box.game import ShutTheBox
from firmware_host.games.shut_the_box.rules import FirstRoll, Rules, Scoring

SHUT_THE_BOX = "shut-the-box"


def check(rules: Rules, match: MatchRules, source: str = "") -> None:
    """Raises RuleError where the settings of turn, match and dice ``source`` contradict each other."""
    if match.kind is not Kind.BATTLE:
        return
    if source == "none":
        raise RuleError("dice.source none: in match.kind battle the dice must be known")
    for key, value, default in (
        ("rules.first_roll", rules.first_roll, FirstRoll.FREE),
        ("rules.unlucky_7", rules.unlucky_7, False),
        ("rules.scoring", rules.scoring, Scoring.SUM),
    ):
        if value != default:
            raise RuleError(f"{key} has no meaning in match.kind battle")


def check_players(match: MatchRules, typed: tuple[str, ...], source: str = "") -> None:
    """Raises RuleError where these players cannot play such a match with dice from ``source``."""
    names = ", ".join(typed) or "none"
    players, opponents = seated(typed)
    if not players or len(set(players)) < len(players):
        raise RuleError(f"match.players {names}: at least one, each name once")
    if match.kind is Kind.BATTLE and len(players) != 2:
        raise RuleError(f"match.players {names}: a battle is for exactly two")
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
    Raises RuleError for rules that do not exist or contradict each other, without a player, for a
    name that stands twice, for a battle of other than two people, and for no such opponent.
    """
    rules, match = Rules.from_match(settings), MatchRules.from_settings(settings)
    source = settings.get("dice.source", "")
    check(rules, match, source)
    check_players(match, players, source)
    names, opponents = seated(players)
    kept = {"rules.game": SHUT_THE_BOX, **{f"rules.{key}": value for key, value in rules.settings().items()}}
    if "dice.source" in settings:
        kept["dice.source"] = settings["dice.source"]
    started = MatchStarted(number, SHUT_THE_BOX, {**kept, **match.settings()}, names, pot, opponents)
    return (started, TurnStarted(names[0], 1))


def begin(record: MatchStarted) -> Game:
    """The game that ``record`` started; RuleError if this release does not know it."""
    if record.game != SHUT_THE_BOX:
        raise RuleError(f"match {record.match} plays {record.game!r}, which this release does not know")
    return _GAMES.get(record.rules.get("match.kind", ""), ShutTheBox.begin)(record)


_GAMES: Mapping[str, Callable[[MatchStarted], Game]] = {Kind.BATTLE: Battle.begin}

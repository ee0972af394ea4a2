"""Which scores may be held against each other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from firmware_host.games.match_rules import MatchRules
from firmware_host.games.shut_the_box.rules import Rules
from firmware_host.games.start import SHUT_THE_BOX

# What a match is about, but not how low a player can come: points, and who wins among several.
_WITHOUT_BEARING = ("match.stake", "match.double_on_shut", "match.ranked", "rules.ties")


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules by what bears on a score; ``settings`` is JSON, the same for the same rules."""

    settings: str
    kind: str
    tiles: str
    scoring: str

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> RuleSet:
        """That of a match's ``settings``, by full key; a missing one has its default.

        Raises RuleError for rules that this release does not know.
        """
        rules, match = Rules.from_match(settings), MatchRules.from_settings(settings)
        values = {f"rules.{key}": value for key, value in rules.settings().items()}
        values |= {key: value for key, value in match.settings().items() if key not in _WITHOUT_BEARING}
        if settings.get("rules.game", SHUT_THE_BOX) != SHUT_THE_BOX:
            values["rules.game"] = settings["rules.game"]
        tiles, scoring = str(values["rules.tiles"]), rules.scoring.value
        return cls(json.dumps(values, sort_keys=True), match.kind.value, tiles, scoring)

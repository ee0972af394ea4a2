"""``python -m firmware_host.cli.odds_table > docs/odds.md``: the odds of the rules, in tables."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.notation import format_tiles, parse_tiles
from firmware_host.games.shut_the_box.odds import Odds
from firmware_host.games.shut_the_box.odds.aims import Aim, Goal
from firmware_host.games.shut_the_box.rules import FirstRoll, OneDie, Rules, Scoring, Sets

_TILES = tuple(map(parse_tiles, ("1-9", "1-10", "1-12")))
_MOST_PLAYERS = 6
_OTHER_RULES = (
    ("at most two tiles", Rules(sets=Sets.AT_MOST_TWO)),
    ("Thai", Rules(sets=Sets.THAI)),
    ("2 to go", Rules(first_roll=FirstRoll.TWO_TO_GO)),
    ("3 to go", Rules(first_roll=FirstRoll.THREE_TO_GO)),
    ("unlucky 7", Rules(unlucky_7=True)),
    ("scoring by digits", Rules(scoring=Scoring.DIGITS)),
    ("scoring by count", Rules(scoring=Scoring.COUNT)),
)
_INTRODUCTION = """# The odds

Exact, under best play for the column's own aim: the chance to shut the box, and the least expected score.
`boxkeeper odds` tells them for any position and roll, tiles and rules. This page is made by

```sh
python -m firmware_host.cli.odds_table > docs/odds.md
```
"""


def page() -> str:
    """The whole page, in Markdown."""
    sections = (_by_one_die(), _by_other_rules(), _final_scores(), _by_seat())
    return "\n".join([_INTRODUCTION, *("\n".join([*section, ""]) for section in sections)])


def _by_one_die() -> Iterator[str]:
    yield "## By tiles and one-die rule"
    yield ""
    rows = []
    for tiles in _TILES:
        for one_die in OneDie:
            rules = Rules(tiles=tiles, one_die=one_die)
            rows.append((format_tiles(tiles), f"`{one_die}`", *_values(rules)))
            if one_die is not OneDie.NEVER:
                compelled = _values(replace(rules, one_die_compulsory=True))
                rows.append((format_tiles(tiles), f"`{one_die}`, compulsory", *compelled))
    yield from _table(("tiles", "one die", "chance to shut", "exactly", "least expected score"), rows)


def _by_other_rules() -> Iterator[str]:
    yield "## Other rules, tiles 1-9"
    yield ""
    rows = [(name, *_values(rules)) for name, rules in _OTHER_RULES]
    yield from _table(("rule", "chance to shut", "exactly", "least expected score"), rows)


def _final_scores() -> Iterator[str]:
    yield "## Final scores, tiles 1-9, played for the least expected score"
    yield ""
    scores = Odds(Rules()).table(Aim(Goal.SCORE)).final_scores(Box.full(_TILES[0]))
    rows, so_far = [], Fraction(0)
    for score, chance in scores.items():
        so_far += chance
        rows.append((str(score), f"{float(chance):.6%}", f"{float(so_far):.6%}"))
    yield from _table(("score", "chance", "this or less"), rows)


def _by_seat() -> Iterator[str]:
    yield "## Who wins a round, by seat in the order of play, tiles 1-9, ties shared"
    yield ""
    odds = Odds(Rules())
    rows = []
    for shut_wins, name in ((True, "wins at once"), (False, "only scores 0")):
        match = odds.match(_MOST_PLAYERS, shut_wins=shut_wins)
        for players in range(2, _MOST_PLAYERS + 1):
            chances = [f"{chance:.4%}" for chance in match.chances([None] * players)]
            rows.append((name, str(players), *chances, *[""] * (_MOST_PLAYERS - players)))
    seats = [f"seat {seat}" for seat in range(1, _MOST_PLAYERS + 1)]
    yield from _table(("a shut", "players", *seats), rows)


def _values(rules: Rules) -> tuple[str, str, str]:
    odds = Odds(rules)
    full = Box.full(rules.tiles)
    shut, score = odds.table(Aim(Goal.SHUT)).value(full), odds.table(Aim(Goal.SCORE)).value(full)
    return f"{float(shut):.8%}", str(shut), f"{float(score):,.10f}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


if __name__ == "__main__":
    sys.stdout.write(page())

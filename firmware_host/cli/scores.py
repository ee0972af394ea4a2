"""``boxkeeper scores``: who has played, and how well; or one match, turn by turn."""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from firmware_host.cli import options
from firmware_host.cli.columns import aligned
from firmware_host.errors import ConfigError, RuleError
from firmware_host.games.shut_the_box.notation import format_tiles, parse_tiles
from firmware_host.games.shut_the_box.rules import Scoring
from firmware_host.games.start import SEQUENCE_DICE
from firmware_host.store.files import FILE_NAME
from firmware_host.store.looking import looking
from firmware_host.store.match_story import last_match, match_story
from firmware_host.store.queries import ScoreKind, Standing, commonest_kind, decisions, standings
from firmware_host.store.skill import given_away_by_player

LAST = 0
NOBODY = "nobody has played yet"


def add_arguments(parser: options.Parser) -> None:
    """Which match, or which turns are compared."""
    parser.description = (
        "Print the people: matches played and won (of those with others), the best and the mean score of a"
        " turn, the points given away a turn against the best play for a low score (luck apart), boxes shut,"
        " and points net of the stakes.  Best, mean and given away are of turns that have ended, with one set"
        " of tiles and one way of scoring: those of the most turns, or as chosen; play-offs count for what"
        " they give away alone."
    )
    parser.epilog = """examples:
  boxkeeper scores
  boxkeeper scores --tiles 1-10 --scoring sum --json
  boxkeeper scores --match 12                      a match, turn by turn
  boxkeeper scores --match                         the last one"""
    parser.add_argument(
        "--match",
        type=_number,
        nargs="?",
        const=LAST,
        metavar="N",
        help="match N, or the last one, turn by turn",
    )
    parser.add_argument("--tiles", type=_tiles, help="compare turns with these, such as 1-10")
    parser.add_argument("--scoring", choices=tuple(Scoring), help="compare turns scored so")
    options.add_settings(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print; where nobody has played that is the answer."""
    config = options.load_config(args)
    if config.store.dir is not None and not config.store_dir.is_dir():
        raise ConfigError(f"store.dir {config.store_dir}: no such folder")
    path: Path = config.store_dir / FILE_NAME
    if not path.is_file():
        return _print("[]" if args.json else NOBODY) if args.match is None else _no_match(args.match, 0)
    with looking(path) as db:
        text = _scores(db, args) if args.match is None else _match(db, args)
    return _print(text)


def _scores(db: sqlite3.Connection, args: argparse.Namespace) -> str:
    people = standings(db)
    kind = commonest_kind(people, args.tiles or "", args.scoring or "")
    given_away = given_away_by_player(decisions(db, kind)) if kind is not None else {}
    rows = [_row(one, kind, given_away.get(one.player)) for one in people]
    rows.sort(key=lambda row: (-row["won"], row["mean"] is None, row["mean"], row["player"]))
    if args.json:
        return json.dumps(rows, ensure_ascii=False)
    if not rows:
        return NOBODY
    heading = ("player", "played", "won", "best", "mean", "given away", "boxes shut", "points")
    text = aligned(heading, [_cells(row) for row in rows])
    return f"{text}\n\n{_what_is_compared(people, kind)}"


def _row(one: Standing, kind: ScoreKind | None, given_away: float | None) -> dict[str, Any]:
    scored = one.in_kind(kind)
    return {
        "player": one.player,
        "played": one.played,
        "won": one.won,
        "best": scored.best if scored is not None else None,
        "mean": round(scored.mean, 3) if scored is not None else None,
        "given_away": round(given_away, 3) if given_away is not None else None,
        "boxes_shut": one.boxes_shut,
        "points": one.points,
        "by_kind": [{**asdict(scored), "mean": round(scored.mean, 3)} for scored in one.scored],
    }


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    mean = "-" if row["mean"] is None else f"{row['mean']:.1f}"
    points = f"{row['points']:+}" if row["points"] else "0"
    given = "-" if row["given_away"] is None else f"{row['given_away']:.2f}"
    numbers = (row["played"], row["won"], "-" if row["best"] is None else row["best"])
    return (row["player"], *map(str, numbers), mean, given, str(row["boxes_shut"]), points)


def _what_is_compared(people: Iterable[Standing], kind: ScoreKind | None) -> str:
    kinds = {(s.tiles, s.scoring) for one in people for s in one.scored}
    if kind is None:
        return "best and mean: no such turn has ended" if kinds else "best and mean: no turn has ended"
    others = sorted(kinds - {kind})
    more = f"; others with --tiles and --scoring: {', '.join(map(' '.join, others))}" if others else ""
    return f"best and mean: of turns with tiles {kind[0]}, scoring {kind[1]}{more}"


# One match


def _match(db: sqlite3.Connection, args: argparse.Namespace) -> str:
    last = last_match(db)
    found = match_story(db, args.match if args.match != LAST else last)
    if found is None:
        return str(_no_match(args.match, last))
    return json.dumps(found, ensure_ascii=False) if args.json else _story(found)


def _story(match: dict[str, Any]) -> str:
    rules = match["rules"]
    clock = "" if match["clock_set"] else " (the clock was not set)"
    kind = f"{rules.get('match.kind', '')}, tiles {rules.get('rules.tiles', '')}".lstrip(", ")
    if rules.get("rules.game") == SEQUENCE_DICE:
        kind = f"Sequence Dice, {rules.get('rules.in_a_row')} in a row"
    lines = [f"match {match['match']}: {kind}, started {match['started']}{clock}", ""]
    for turn in match["turns"]:
        name = f"round {turn['round']}  {turn['player']}{'  (play-off)' if turn['play_off'] else ''}"
        lines += [name, *(f"    {_roll(roll)}" for roll in turn["rolls"]), f"    {_end(turn)}"]
    heading = ("player", "total", "points", "")
    rows = [
        (s["player"], str(s["total"]), f"{s['points']:+}" if s["points"] else "0", _remarks(s))
        for s in match["seats"]
    ]
    return "\n".join([*lines, "", aligned(heading, rows), "", _outcome(match)])


def _roll(roll: dict[str, Any]) -> str:
    dice = " + ".join(map(str, roll["dice"])) or "dice not known"
    by = " (set by hand)" if roll["source"] == "hand" else ""
    if roll["shut"] is None:
        return f"{dice}{by}"
    moved = ("shuts", roll["shut"]) if not roll["opened"] else ("opens", roll["opened"])
    return f"{dice}{by} {moved[0]} {' '.join(map(str, moved[1]))}"


def _end(turn: dict[str, Any]) -> str:
    if turn["reason"] is None:
        return "not ended"
    score = "" if turn["score"] is None else f"  score {turn['score']}"
    by = " (set by hand)" if turn["by_hand"] else ""
    took = f"  {turn['duration_s']:.0f} s"
    return f"{turn['reason'].replace('_', ' ')}{score}{by}{took}"


def _remarks(seat: dict[str, Any]) -> str:
    what = (("won", "won"), ("has_left", "left"), ("by_hand", "total set by hand"))
    return ", ".join(word for key, word in what if seat[key])


def _outcome(match: dict[str, Any]) -> str:
    if match["reason"] is None:
        return "not ended"
    if match["reason"] != "played":
        return str(match["reason"])
    return f"won by {', '.join(match['winners'])}" if match["winners"] else "nobody won: the pot stays"


def _no_match(number: int, last: int) -> int:
    if number == LAST:
        raise options.UsageError(f"--match: {NOBODY}")
    there = f"the last one is {last}" if last else NOBODY
    raise options.UsageError(f"--match: there is no match {number}; {there}")


def _number(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 1 << 62:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of a match, which begin with 1")
    return int(text)


def _tiles(text: str) -> str:
    try:
        return format_tiles(parse_tiles(text))
    except RuleError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _print(text: str) -> int:
    sys.stdout.write(f"{text}\n")
    return 0

"""``boxkeeper odds``: what a position, a roll and each set are worth under best play."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from firmware_host.cli import options
from firmware_host.errors import RuleError
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.odds import Odds
from firmware_host.games.shut_the_box.odds.advice import Advice
from firmware_host.games.shut_the_box.odds.aims import Aim, Goal
from firmware_host.games.start import SHUT_THE_BOX

if TYPE_CHECKING:
    from firmware_host.games.shut_the_box.odds.table import Table

_NUMBERS = {1: "one die", 2: "two dice"}


def add_arguments(parser: options.Parser) -> None:
    """A position, an aim, perhaps a roll, and the settings."""
    parser.description = "Print what a position is worth under best play, before the roll or with one."
    parser.epilog = """examples:
  boxkeeper odds 123456789                         the expected score
  boxkeeper odds 123456789 --aim shut --roll 3 5   each set's chance to shut the box
  boxkeeper odds 12--5---- --aim beat:12           the chance of less than 12; exactly 12 is half a win
  boxkeeper odds 123456789A --set rules.tiles=1-10 --json"""
    options.add_position(parser)
    parser.add_argument(
        "--aim",
        type=_aim,
        default=Aim(Goal.SCORE),
        help="shut, score (default), beat:N, or stay-open: how badly it can be played",
    )
    options.add_dice(parser, "--roll")
    options.add_settings(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the values; a roll without a legal set is an answer too."""
    config = options.load_config(args)
    if config.game != SHUT_THE_BOX:
        raise options.UsageError(f"odds are for {SHUT_THE_BOX}, not for rules.game {config.game}")
    rules = config.rules
    box = Box.parse(args.position, rules.tiles)
    table = Odds(rules).table(args.aim)
    advice = None if args.roll is None else table.advise(box, tuple(args.roll))
    shown = [json.dumps(_fields(table, box, advice))] if args.json else _lines(table, box, advice)
    sys.stdout.write("".join(f"{line}\n" for line in shown))
    return 0


def _fields(table: Table, box: Box, advice: Advice[Fraction] | None) -> dict[str, object]:
    """As JSON; ``value`` is that of the position before the roll, ``roll_value`` that of the roll."""
    fields: dict[str, object] = {
        "position": box.text,
        "aim": table.aim.text,
        **_value(table.value(box)),
        "dice": {str(number): float(value) for number, value in table.value_by_dice(box).items()},
    }
    if advice is not None:
        fields |= {f"roll_{key}": value for key, value in _value(advice.value).items()}
        fields["moves"] = [{"shut": move.shut, **_value(move.value)} for move in advice.moves]
        fields["best"] = advice.best
    return fields


def _value(value: Fraction) -> dict[str, object]:
    return {"value": float(value), "exact": str(value)}


def _lines(table: Table, box: Box, advice: Advice[Fraction] | None) -> Iterator[str]:
    """For people: what is meant, its value, and the choices in columns."""
    value = table.value(box) if advice is None else advice.value
    yield f"{_meaning(table.aim)}: {_shown(table.aim, value).strip()} = {value}"
    if advice is None:
        best_dice = table.best_dice(box)
        by_dice = table.value_by_dice(box)
        choices = [(_NUMBERS[number], by_dice[number], number in best_dice) for number in by_dice]
    else:
        choices = [
            (" ".join(map(str, move.shut)), move.value, move.shut in advice.best) for move in advice.moves
        ]
        if not choices:
            yield "no legal set: the turn is over"
    width = max((len(name) for name, _, _ in choices), default=0)
    for name, worth, is_best in choices:
        mark = "  best" if is_best and len(choices) > 1 else ""
        yield f"  {name:{width}}  {_shown(table.aim, worth)}{mark}"


def _meaning(aim: Aim) -> str:
    match aim.goal:
        case Goal.SHUT:
            return "chance to shut the box"
        case Goal.SCORE:
            return "expected score"
        case Goal.BEAT:
            return f"chance to beat {aim.target}"
        case Goal.STAY_OPEN:
            return "chance to shut the box, played as badly as possible"


def _shown(aim: Aim, value: Fraction) -> str:
    return f"{float(value):8.4f}" if aim.goal is Goal.SCORE else f"{float(value):9.4%}"


def _aim(text: str) -> Aim:
    try:
        return Aim.parse(text)
    except RuleError as error:
        raise argparse.ArgumentTypeError(str(error)) from None

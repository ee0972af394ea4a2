"""``boxkeeper legal``: what the rules allow for a roll."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from firmware_host.cli import options
from firmware_host.config import Config
from firmware_host.games.sequence_dice.notation import format_square
from firmware_host.games.sequence_dice.position import Colour, Position
from firmware_host.games.sequence_dice.rules import Action, legal_actions
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.rules import legal_shuts
from firmware_host.games.start import SEQUENCE_DICE


def add_arguments(parser: options.Parser) -> None:
    """A position, one die or two, who is to move, and the settings."""
    parser.description = "Print the sets of tiles that a roll may shut, or the squares it may be played on."
    parser.epilog = """examples:
  boxkeeper legal 123456789 3 5
  boxkeeper legal -2----7-- 6                      one die; tiles 2 and 7 are open
  boxkeeper legal 12--5----A 4 4 --set rules.tiles=1-10 --json
  boxkeeper legal ....../..g.../..b.../....../....../...... 3 4 --to-move g --set rules.game=sequence-dice"""
    options.add_position(parser)
    options.add_dice(parser, "dice")
    parser.add_argument("--to-move", metavar="COLOUR", help="Sequence Dice: whose roll it is, g, b or r")
    options.add_settings(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print what is legal; an empty list is an answer too."""
    config = options.load_config(args)
    dice = tuple(args.dice)
    if config.game == SEQUENCE_DICE:
        position, legal, lines = _on_the_board(args, dice)
    else:
        position, legal, lines = _on_the_box(args, dice, config)
    if args.json:
        lines = [json.dumps({"position": position, "dice": args.dice, "legal": legal})]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


def _on_the_box(
    args: argparse.Namespace, dice: tuple[int, ...], config: Config
) -> tuple[str, list[Any], list[str]]:
    """The position as it is written, the sets, and lines for people."""
    if args.to_move is not None:
        raise options.UsageError("--to-move is for --set rules.game=sequence-dice")
    box = Box.parse(args.position, config.rules.tiles)
    legal = legal_shuts(box, dice, config.rules)
    lines = [" ".join(map(str, tiles)) for tiles in legal]
    return box.text, list(legal), lines or ["no legal set: the turn is over"]


def _on_the_board(args: argparse.Namespace, dice: tuple[int, ...]) -> tuple[str, list[Any], list[str]]:
    """The position as it is written, the actions, and lines for people."""
    if args.to_move is None:
        raise options.UsageError("whose roll is it? --to-move g, b or r")
    if len(dice) != 2:
        raise options.UsageError("Sequence Dice rolls two dice")
    position = Position.parse(args.position)
    legal = legal_actions(position, Colour.parse(args.to_move), sum(dice))
    return position.text, [action.to_fields() for action in legal], [_in_words(action) for action in legal]


def _in_words(action: Action) -> str:
    if action.square is None:
        return "pass: nothing can be done"
    return f"{action.do.value} {format_square(action.square)}"

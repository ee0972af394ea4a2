"""``boxkeeper legal``: the sets of tiles that a roll may shut."""

from __future__ import annotations

import argparse
import json
import sys

from firmware_host.cli import options
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.rules import legal_shuts


def add_arguments(parser: options.Parser) -> None:
    """A position, one die or two, and the settings."""
    parser.description = "Print the sets of tiles that a roll may shut, one a line."
    parser.epilog = """examples:
  boxkeeper legal 123456789 3 5
  boxkeeper legal -2----7-- 6                      one die; tiles 2 and 7 are open
  boxkeeper legal 12--5----A 4 4 --set rules.tiles=1-10 --json"""
    options.add_position(parser)
    options.add_dice(parser, "dice")
    options.add_settings(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the sets; an empty list is an answer too."""
    rules = options.load_config(args).rules
    box = Box.parse(args.position, rules.tiles)
    legal = legal_shuts(box, tuple(args.dice), rules)
    if args.json:
        text = json.dumps({"position": box.text, "dice": args.dice, "legal": legal})
    elif legal:
        text = "\n".join(" ".join(map(str, tiles)) for tiles in legal)
    else:
        text = "no legal set: the turn is over"
    sys.stdout.write(f"{text}\n")
    return 0

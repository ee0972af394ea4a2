"""``boxkeeper calibrate PART``: what only the finished box can tell, learned and written to the config."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from types import MappingProxyType

from firmware_host.cli import options

PARTS: Mapping[str, str] = MappingProxyType(
    {
        "tiles": "which input is which tile",
        "camera": "how the camera sees the dice tray",
        "chips": "how the sensors of the chip board rest",
    }
)
"""Each part and what is learned; its module is ``calibrate_PART`` in this package."""


def add_arguments(parser: options.Parser) -> None:
    """The part; the rest is the part's own."""
    parser.description = "Learn what only the finished box can tell, and write it to the config."
    rows = "\n".join(f"  boxkeeper calibrate {name} -h   {what}" for name, what in PARTS.items())
    parser.epilog = f"more of each:\n{rows}"
    parser.parts = PARTS
    parser.add_argument("part", choices=PARTS, help="what to learn")


def run(args: argparse.Namespace) -> int:
    """Do the part that was named."""
    code: int = args.run(args)
    return code

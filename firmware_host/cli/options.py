"""What the sub-commands' options have in common."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from firmware_host.config import Config, Settings
from firmware_host.errors import BoxkeeperError

# A box whose first tile is shut begins like an option: -2----7--, ---------, --3.  No option may look so.
_SHUT_FIRST = re.compile(r"-[-1-9A-Ca-c]*")
_DIE = re.compile(r"[1-6]")


class UsageError(BoxkeeperError, ValueError):
    """The command was called wrongly; names what and where its help is."""


class Parser(argparse.ArgumentParser):
    """A parser of one command; wrong use raises :class:`UsageError`."""

    takes_position = False
    parts: Mapping[str, str] = MappingProxyType({})  # the command's first word -> what it does

    def __init__(self, prog: str) -> None:
        super().__init__(prog, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong in place of printing it."""
        raise UsageError(f"{message}; see {self.prog} -h")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            allowed = ", ".join(map(str, action.choices))
            raise argparse.ArgumentError(action, f"invalid choice: {str(value)!r}; allowed: {allowed}")

    def parse(self, argv: Sequence[str]) -> argparse.Namespace:
        """The arguments, options and others in any order; SystemExit after ``-h``.

        Of a command with ``parts`` they are those of the part that the first word names;
        ``run`` among them is what that part does.
        """
        if self.parts and argv[:1] not in (["-h"], ["--help"]):
            return self._parse_part(argv)
        return self.parse_intermixed_args(_shielded(argv) if self.takes_position else list(argv))

    def _parse_part(self, argv: Sequence[str]) -> argparse.Namespace:
        name = argv[0] if argv else ""
        if name not in self.parts:
            self.error(f"{name!r} is none of {', '.join(self.parts)}" if name else "a word is missing")
        part = import_module(f"firmware_host.cli.{self.prog.split()[-1]}_{name}")
        parser = Parser(f"{self.prog} {name}")
        part.add_arguments(parser)
        args = parser.parse(argv[1:])
        args.run = part.run
        return args


def _shielded(argv: Sequence[str]) -> list[str]:
    """``argv`` with a space before each position that looks like an option: argparse lets those pass.

    ``--`` is a box of two shut tiles where a die follows, else the usual mark: no options from here on.
    """
    shielded: list[str] = []
    for i, word in enumerate(argv):
        if word == "--" and not _DIE.fullmatch("".join(argv[i + 1 : i + 2])):
            return shielded + [f" {rest}" for rest in argv[i + 1 :]]
        shielded.append(f" {word}" if _SHUT_FIRST.fullmatch(word) else word)
    return shielded


def add_position(parser: Parser) -> None:
    """The argument ``position``, which may begin with ``-``."""
    parser.takes_position = True
    parser.add_argument(
        "position",
        type=str.strip,
        help="a character a tile: its number (10 to 12: A B C), or - when shut;"
        " Sequence Dice: six rows with / between them, . empty, g b r chips",
    )


def add_dice(parser: Parser, name: str) -> None:
    """The argument or option ``name``: one die or two."""
    parser.add_argument(name, type=_die, nargs="+", metavar="die", help="one die or two, 1 to 6 each")


def _die(text: str) -> int:
    if not _DIE.fullmatch(text.strip()):
        raise argparse.ArgumentTypeError(f"{text.strip()!r} is none of 1 to 6")
    return int(text)


def add_settings(parser: Parser) -> None:
    """``--config`` and ``--set``; :func:`load_config` and :func:`load_settings` read them."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="a config file, in TOML")
    parser.add_argument(
        "--set",
        dest="overrides",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting above those of the file, such as rules.tiles=1-10; may be given more than once",
    )


def add_json(parser: Parser) -> None:
    """``--json``, as ``args.json``."""
    parser.add_argument("--json", action="store_true", help="print JSON, for other programs")


def add_workshop(parser: Parser) -> None:
    """``--bench`` and ``--fault``: the simulated box, built wrongly."""
    parser.add_argument("--bench", action="store_true", help="try the simulated box instead")
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="FAULT",
        help='with --bench: what is wrong with it, such as "tile 5 latch"; may be given more than once',
    )


def check_workshop(args: argparse.Namespace) -> None:
    """UsageError for a fault of no simulated box."""
    if args.fault and not args.bench:
        raise UsageError("--fault needs --bench")


def load_config(args: argparse.Namespace) -> Config:
    """The config that ``--config`` and ``--set`` make; ConfigError if they make none."""
    return load_settings(args).build()


def load_settings(args: argparse.Namespace) -> Settings:
    """The same, to be changed further before it is built."""
    return Settings.load(args.config, args.overrides)

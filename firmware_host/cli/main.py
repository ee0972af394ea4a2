"""``boxkeeper COMMAND ...``: finds the command, and turns errors into a line and an exit code."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Protocol, cast

from firmware_host.cli.options import Parser, UsageError
from firmware_host.errors import BoxkeeperError, ConfigError, PlayError, RuleError

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "run": "the service on the real table",
        "bench": "the same on the simulated one, by a script or by hand",
        "legal": "the sets of tiles that a roll may shut",
        "scores": "who has played, and how well; a match turn by turn",
        "export": "people, matches, turns and rolls as CSV or JSON",
        "backup": "a copy of all that is kept, also while the table runs",
        "restore": "take a backup back, once it is found sound",
        "odds": "what a position, a roll and each set are worth under best play",
        "dice": "the dice on photos, or before the camera",
        "doctor": "what is there, what is missing, and what mends it",
        "calibrate": "learns which input is which tile, and how the camera sees the tray",
        "pinout": "what is wired to which pin",
        "selftest": "tries every tile and button and the OLED, and says what is wrong",
        "replay": "the events of a journal, checked against its stored state",
    }
)
"""Each command and what it is; its module in this package is imported only when it is called."""

FAILURE, WRONG_USE, INTERRUPTED = 1, 2, 130
_WRONG_USES = (UsageError, ConfigError, RuleError, PlayError)


class Command(Protocol):
    """What the module of a command has."""

    def add_arguments(self, parser: Parser) -> None:
        """Describe the command and its arguments, with an example in the epilog."""

    def run(self, args: argparse.Namespace) -> int:
        """Do it; the exit code."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that ``argv`` names; the exit code: 0, 1 a failure, 2 wrong use, 130 interrupted."""
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
    except BoxkeeperError as error:
        _complain(error)
        return WRONG_USE if isinstance(error, _WRONG_USES) else FAILURE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read has seen enough
        _finish_output()
        return FAILURE
    except OSError as error:  # such as a full disk
        _finish_output()
        _complain(error)
        return FAILURE
    return code


def _run(argv: Sequence[str]) -> int:
    name = argv[0] if argv else ""
    if name in ("-h", "--help"):
        sys.stdout.write(_overview())
        return 0
    if name == "--version":
        from importlib.metadata import version  # late: it takes as long as a command

        sys.stdout.write(f"boxkeeper {version('boxkeeper')}\n")
        return 0
    if name not in COMMANDS:
        raise UsageError(_no_command(name))
    gc.disable()  # an import leaves no garbage: looking for it takes a twentieth of the start
    try:
        command = cast(Command, import_module(f"firmware_host.cli.{name}"))
    finally:
        gc.freeze()  # what it made stays: no later look goes through it again
        gc.enable()
    parser = Parser(f"boxkeeper {name}")
    command.add_arguments(parser)
    try:
        args = parser.parse(argv[1:])
    except SystemExit:  # after -h
        return 0
    return command.run(args)


def _overview() -> str:
    width = max(map(len, COMMANDS))
    rows = "".join(f"  {name:{width}}  {what}\n" for name, what in COMMANDS.items())
    more = "More of each: boxkeeper COMMAND -h; the version: boxkeeper --version"
    return f"usage: boxkeeper COMMAND ...\n\ncommands:\n{rows}\n{more}\n"


def _no_command(name: str) -> str:
    import difflib

    what = f"{name!r} is no command" if name else "no command"
    close = difflib.get_close_matches(name, COMMANDS, n=1)
    guess = f", did you mean {close[0]}?" if close else ";"
    return f"{what}{guess} allowed: {', '.join(COMMANDS)}"


def _complain(error: Exception) -> None:
    """One line, whatever the text holds."""
    sys.stderr.write(f"boxkeeper: {' '.join(str(error).split())}\n")


def _finish_output() -> None:
    """Write what is left, or send it nowhere, so that the interpreter does not fail on it at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

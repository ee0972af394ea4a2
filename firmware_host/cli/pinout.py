"""``boxkeeper pinout``: what is wired to which pin, in the terminal."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from typing import Any

from firmware_host.cli import options
from firmware_host.cli.backends import load_backend
from firmware_host.cli.findings import coloured

# Half a row: label, dashes, function, number; two of them and the edges make 80 columns.
_LABEL, _FUNCTION = 26, 6
_COLOURS = {"5 V": "31", "3.3 V": "33", "3V3": "33", "GND": "90", "VSS": "90", "VDD": "33", "VBUS": "31"}
_USED = "1;32"


def add_arguments(parser: options.Parser) -> None:
    """Only the settings."""
    parser.description = "Show what is wired to which pin of the Pi's header, and of the boards beside it."
    parser.epilog = """examples:
  boxkeeper pinout --config /etc/boxkeeper.toml
  boxkeeper pinout --set tiles.driver=mcp23017 --set rules.tiles=1-9"""
    options.add_settings(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Draw each board."""
    pictures = load_backend("pinout").pictures(options.load_config(args))
    if args.json:
        for picture in pictures:
            sys.stdout.write(f"{json.dumps({'board': picture.title, 'pins': _pins(picture)})}\n")
    else:
        sys.stdout.write("\n\n".join(_drawn(picture, sys.stdout.isatty()) for picture in pictures) + "\n")
    return 0


def _pins(picture: Any) -> list[dict[str, Any]]:
    pins = sorted((pin for row in picture.rows for pin in row), key=lambda pin: pin.number)
    return [{"pin": pin.number, "function": pin.function, "wired": list(pin.wired)} for pin in pins]


def _drawn(picture: Any, is_terminal: bool) -> str:
    """At most 80 columns; what does not fit beside its pin is told below."""
    edge = " " * (_LABEL + _FUNCTION + 2) + "+---------+"
    lines = [picture.title, edge]
    below = []
    for left, right in picture.rows:
        numbers = f"{left.number:>2}   {right.number:>2}"
        lines.append(
            f"{_side(left, True, is_terminal)} | {numbers} | {_side(right, False, is_terminal)}".rstrip()
        )
        below += [f"pin {pin.number}: {_label(pin)}" for pin in (left, right) if len(_label(pin)) > _LABEL]
    below += [f"beside: {name}" for name in picture.beside]
    wrapped = [line for text in below for line in textwrap.wrap(text, 80, subsequent_indent="    ")]
    return "\n".join([*lines, edge, *wrapped])


def _label(pin: Any) -> str:
    return ", ".join(pin.wired)


def _side(pin: Any, is_left: bool, is_terminal: bool) -> str:
    label = _label(pin)
    if len(label) > _LABEL:
        label = label[: _LABEL - 3] + "..."
    dashes = " " + "-" * (_LABEL - len(label) - 1) if label and len(label) < _LABEL - 1 else ""
    space = " " * (_LABEL - len(label) - len(dashes))
    function = f"{pin.function:>{_FUNCTION}}" if is_left else f"{pin.function:{_FUNCTION}}"
    if is_terminal:
        function = coloured(function, _COLOURS.get(pin.function, _USED if label else "37"))
        label = coloured(label, _USED) if label else ""
    if is_left:
        return f"{space}{label}{dashes} {function}"
    return f"{function}{' ' + dashes[1:] if dashes else ''} {label}" if label else function

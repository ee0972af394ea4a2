"""``boxkeeper export``: what is kept, as tables for other programs."""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from firmware_host.cli import options
from firmware_host.errors import JournalError
from firmware_host.store.export import rows, write_csv, write_json
from firmware_host.store.files import FILE_NAME
from firmware_host.store.looking import looking
from firmware_host.store.tables import COLUMNS

ALL = "all"


def add_arguments(parser: options.Parser) -> None:
    """Which table, in which format, where to."""
    parser.description = "Write people, matches, turns or rolls; what was undone is in none of them."
    parser.epilog = f"""examples:
  boxkeeper export --what turns --format csv turns.csv
  boxkeeper export --what all --format json backup.json
  boxkeeper export --what all --format csv FOLDER    a file a table

CSV is UTF-8 with a comma; lists of numbers have a space between, other lists are JSON; true and false
are 1 and 0.  A text that a spreadsheet would run has a ' before it.

{_columns()}"""
    parser.add_argument(
        "--what", choices=(*COLUMNS, ALL), default="turns", help="which table; by default turns"
    )
    parser.add_argument("--format", choices=("csv", "json"), help="by default that of FILE's name, else csv")
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="by default it is printed")
    options.add_settings(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Write; where nobody has played the tables are empty."""
    to: Path | None = args.file
    is_json = args.json or (args.format or (to.suffix[1:] if to is not None else "")) == "json"
    if args.json and args.format == "csv":
        raise options.UsageError("--json and --format csv: one of them")
    if args.what == ALL and not is_json and (to is None or to.is_file()):
        raise options.UsageError("--what all as CSV is a file a table: name a folder")
    store: Path = options.load_config(args).store_dir / FILE_NAME
    if not store.is_file():
        _export(None, args.what, is_json, to)
        return 0
    with looking(store) as db:
        _export(db, args.what, is_json, to)
    return 0


def _export(db: sqlite3.Connection | None, what: str, is_json: bool, to: Path | None) -> None:
    if what == ALL and not is_json:
        assert to is not None
        _make_folder(to)
        for name in COLUMNS:
            with _writing(to / f"{name}.csv") as out:
                write_csv(out, name, rows(db, name))
        return
    with _writing(to) as out:
        if what == ALL:
            for i, name in enumerate(COLUMNS):
                out.write(f"{',' if i else '{'}\n{json.dumps(name)}: ")
                write_json(out, name, rows(db, name))
            out.write("\n}\n")
        elif is_json:
            write_json(out, what, rows(db, what))
            out.write("\n")
        else:
            write_csv(out, what, rows(db, what))


@contextmanager
def _writing(to: Path | None) -> Iterator[TextIO]:
    """Standard output, or the file ``to``, which is complete or untouched."""
    if to is None:
        yield sys.stdout
        return
    if to.is_file() and to.read_bytes()[:15] == b"SQLite format 3":
        raise JournalError(f"{to}: is a database; name another file")
    part = Path(f"{to}.part")
    try:
        with open(part, "w", encoding="utf-8", newline="") as out:
            yield out
        os.replace(part, to)
    except BaseException as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        if isinstance(error, OSError) and not isinstance(error, JournalError):
            raise JournalError(f"{to}: {error.strerror or error}") from None
        raise


def _make_folder(to: Path) -> None:
    try:
        to.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(f"{to}: {error.strerror}") from None


def _columns() -> str:
    """The columns of each table, for the help."""
    return "\n".join(
        f"{name}:\n" + "\n".join(f"  {column:11} {what}" for column, what in columns.items())
        for name, columns in COLUMNS.items()
    )

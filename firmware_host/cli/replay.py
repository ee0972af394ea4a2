"""``boxkeeper replay``: the events of a journal, and whether they lead to the stored state."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from firmware_host.cli import options
from firmware_host.errors import JournalError
from firmware_host.games.records import to_fields
from firmware_host.store.journal import FILE_NAME, Row, fold, read


def add_arguments(parser: options.Parser) -> None:
    """A journal."""
    parser.description = "Print a journal's events and check that they lead to its stored state."
    parser.epilog = """examples:
  boxkeeper replay ~/.local/state/boxkeeper
  boxkeeper replay /var/lib/boxkeeper/boxkeeper.db --json"""
    options.add_json(parser)
    parser.add_argument("journal", type=Path, help=f"a journal, or the folder of its {FILE_NAME}")


def run(args: argparse.Namespace) -> int:
    """Print and check; JournalError where the events do not lead to the stored state."""
    path: Path = args.journal / FILE_NAME if args.journal.is_dir() else args.journal
    rows, stored = read(path)
    for row in rows:
        sys.stdout.write((_json(row) if args.json else _text(row)) + "\n")
    try:
        folded = fold(rows).snapshot()
    except JournalError as error:
        raise JournalError(f"{path}: {error}") from None
    if stored is not None and folded != stored:
        wrong = [f"{key} {folded.get(key)!r}, stored {value!r}" for key, value in stored.items()
                 if folded.get(key) != value]  # fmt: skip
        raise JournalError(f"{path}: the events do not lead to the stored state: {'; '.join(wrong)}")
    if not args.json:
        sys.stdout.write(f"{len(rows)} events lead to the stored state\n")
    return 0


def _json(row: Row) -> str:
    fields = {"seq": row.seq, "t": round(row.stamp.t, 3), "event": row.record.event}
    return json.dumps({**fields, **to_fields(row.record)}, ensure_ascii=False)


def _text(row: Row) -> str:
    fields = " ".join(
        f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in to_fields(row.record).items()
    )
    return f"{row.seq:5} {row.stamp.wall} {row.record.event} {fields}"

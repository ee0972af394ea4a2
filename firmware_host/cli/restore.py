"""``boxkeeper restore``: take a backup back, once it is found sound."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from firmware_host.cli import options
from firmware_host.store.backup import restore
from firmware_host.store.files import FILE_NAME


def add_arguments(parser: options.Parser) -> None:
    """Where from."""
    parser.description = (
        "Put a backup in the place of what is kept, which is set aside, not deleted.  Before anything is"
        " touched, the backup's pages are checked and its events are played through.  No table may"
        " be running."
    )
    parser.epilog = """example:
  boxkeeper restore /media/stick/boxkeeper-backup.db"""
    parser.add_argument("file", type=Path, metavar="FILE", help="the backup")
    options.add_settings(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Restore, and say what, and where that is which was there."""
    store: Path = options.load_config(args).store_dir / FILE_NAME
    events, old = restore(store, args.file)
    if args.json:
        kept = str(old) if old is not None else None
        text = json.dumps({"file": str(store), "events": events, "set_aside": kept}, ensure_ascii=False)
    else:
        kept = f"; what was there is now {old.name}" if old is not None else ""
        text = f"{store}: {events} events from {args.file}{kept}"
    sys.stdout.write(f"{text}\n")
    return 0

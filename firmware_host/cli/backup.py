"""``boxkeeper backup``: a copy of all that is kept, also while the table runs."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from firmware_host.cli import options
from firmware_host.store.backup import backup
from firmware_host.store.files import FILE_NAME


def add_arguments(parser: options.Parser) -> None:
    """Where to."""
    parser.description = "Copy all that is kept to one file, as it is at one moment; a table may be running."
    parser.epilog = """example:
  boxkeeper backup /media/stick/boxkeeper-backup.db

An older backup of that name is replaced when the new one is complete; any other file is left alone."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the backup")
    options.add_settings(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Copy, and say what."""
    events = backup(options.load_config(args).store_dir / FILE_NAME, args.file)
    if args.json:
        text = json.dumps({"file": str(args.file), "events": events}, ensure_ascii=False)
    else:
        text = f"{args.file}: {events} events"
    sys.stdout.write(f"{text}\n")
    return 0

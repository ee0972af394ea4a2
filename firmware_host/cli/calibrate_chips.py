"""``boxkeeper calibrate chips``: what each sensor of the empty chip board reads, into the config."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Any

from firmware_host.cli import options
from firmware_host.cli.backends import load_backend
from firmware_host.config import Config, load
from firmware_host.config_edit import set_keys
from firmware_host.errors import DeviceNotFoundError
from firmware_host.games.start import SEQUENCE_DICE

SCANS = 100
KEY = "chips.rest"


def add_arguments(parser: options.Parser) -> None:
    """The settings; the file among them is the one that is changed."""
    parser.description = (
        "Measure how the hall sensors of the chip board rest: take all chips off before.\n"
        "With --config FILE it is written there; the file as it was is kept beside it as FILE.bak."
    )
    parser.epilog = """examples:
  boxkeeper calibrate chips --config /etc/boxkeeper.toml
  boxkeeper calibrate chips --bench                 on the simulated box"""
    options.add_workshop(parser)
    options.add_settings(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Measure, and write; 0: done."""
    is_new = args.config is not None and not args.config.exists()
    config = load(None if is_new else args.config, [*args.overrides, f"rules.game={SEQUENCE_DICE}"])
    if args.bench:
        shop = load_backend("workshop")
        with asyncio.Runner(loop_factory=shop.VirtualLoop) as runner:
            rest = runner.run(_on_the_bench(shop, config, args.fault))
    else:
        rest = _measure(load_backend("table")(config))
    if not rest:
        raise DeviceNotFoundError(f"chips.driver {config.chips.driver}: there is nothing to measure")
    backup = set_keys(args.config, {KEY: rest}) if args.config is not None else None
    _report(args, rest, str(backup) if backup is not None else None)
    return 0


async def _on_the_bench(shop: Any, config: Config, faults: Sequence[str]) -> list[float]:
    with shop.Workshop(config, faults) as workshop:
        return _measure(workshop.backend)


def _measure(backend: Any) -> list[float]:
    """Counts by square."""
    try:
        board = backend.open_chips()
        try:
            return [round(count, 1) for count in board.measure_rest(SCANS)]
        finally:
            board.close()
    finally:
        backend.close()


def _report(args: argparse.Namespace, rest: list[float], backup: str | None) -> None:
    if args.json:
        file = None if args.config is None else str(args.config)
        sys.stdout.write(f"{json.dumps({'key': KEY, 'rest': rest, 'file': file, 'backup': backup})}\n")
        return
    sys.stdout.write(f"[chips]\nrest = {json.dumps(rest)}\n")
    if args.config is None:
        sys.stdout.write("# not written: put it into your config, or give the file with --config\n")
    else:
        sys.stdout.write(f"# in {args.config}" + (f"; as it was: {backup}\n" if backup else "\n"))

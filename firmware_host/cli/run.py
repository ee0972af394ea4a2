"""``boxkeeper run``: the service on the real table."""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal

from firmware_host.cli import options
from firmware_host.cli.backends import load_backend
from firmware_host.config import Config
from firmware_host.service.clock import SystemClock
from firmware_host.service.runner import Runner, match_wanted


def add_arguments(parser: options.Parser) -> None:
    """Only the settings."""
    parser.description = "Run the table on the Raspberry Pi it is wired to."
    parser.epilog = """example:
  boxkeeper run --config /etc/boxkeeper.toml"""
    options.add_settings(parser)


def run(args: argparse.Namespace) -> int:
    """Run until SIGTERM or SIGINT; both save and say so on the panel."""
    logging.basicConfig(format="boxkeeper: %(message)s", level=logging.INFO)
    asyncio.run(_serve(options.load_config(args)))
    return 0


async def _serve(config: Config) -> None:
    backend = load_backend("table")(config)
    table = Runner(backend, config, SystemClock(), lambda event: None)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, table.stop)
    try:
        await table.run(match_wanted(config, config.players))
    finally:
        backend.close()

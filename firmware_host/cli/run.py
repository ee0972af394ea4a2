"""``boxkeeper run``: the service on the real table."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
from collections.abc import Mapping
from typing import Any

from firmware_host.cli import options
from firmware_host.cli.backends import load_backend
from firmware_host.config import Config
from firmware_host.service.clock import SystemClock
from firmware_host.service.manager import ServiceManager
from firmware_host.service.runner import Runner, match_wanted

_log = logging.getLogger(__name__)


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
    clock = SystemClock()
    manager = ServiceManager.from_environment(os.environ)
    table = Runner(backend, config, clock, _log_devices, manager)
    page = asyncio.create_task(_serve_page(config, table, clock))

    def stop() -> None:
        table.stop()
        page.cancel()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop)
    try:
        await table.run(match_wanted(config, config.players))
    finally:
        page.cancel()
        await asyncio.wait([page])
        backend.close()
        if not page.cancelled() and (error := page.exception()) is not None:
            _log.error("the page failed", exc_info=error)


async def _serve_page(config: Config, table: Runner, clock: SystemClock) -> None:
    """Open the page once the table plays; whatever becomes of the page, the table goes on."""
    await table.is_ready.wait()
    from firmware_host.cli.page import TablePage, page_to_come  # late: the table does not wait for it

    page = await page_to_come(config, lambda number, what: joined.asked(number, what))
    if page is not None:
        joined = TablePage(page, table, config, clock.now)
        _log.info("the scoreboard is at %s", page.url)
        await page.keep()


def _log_devices(event: Mapping[str, Any]) -> None:
    """Each device that is missing, and each that is back, is a line of the log."""
    match event["event"]:
        case "device_lost":
            _log.warning("no %s: %s", event["device"], event["reason"])
        case "device_back":
            _log.info("%s: %s", event["device"], event["reason"])

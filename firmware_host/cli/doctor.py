"""``boxkeeper doctor``: what is there, what is missing, and what mends it."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from firmware_host.cli import options
from firmware_host.cli.backends import load_backend
from firmware_host.cli.findings import as_json, as_text, exit_code
from firmware_host.config import Config
from firmware_host.errors import ConfigError
from firmware_host.findings import Finding, Grade

_PART_WIDTH = 8
_OF_SERVICE = Path("/etc/boxkeeper.toml")  # hardware/install/boxkeeper.service


def add_arguments(parser: options.Parser) -> None:
    """Where to look, and the settings."""
    parser.description = (
        "Look at this computer and what is wired to it. Nothing is changed; the service may run meanwhile."
    )
    parser.epilog = """examples:
  boxkeeper doctor --config /etc/boxkeeper.toml
  boxkeeper doctor --bench --fault "oled gone"     what it says of a simulated box with that fault

exit code 0: nothing is wrong, there may be warnings; 1: something is wrong"""
    options.add_workshop(parser)
    options.add_settings(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Look, a line a finding; 1 if anything is wrong."""
    options.check_workshop(args)
    findings: list[Finding] = []
    try:
        config, of_config = options.load_config(args), Finding("config", Grade.OK, _origin(args))
    except ConfigError as error:
        mend = "mend that line; what follows is for the defaults"
        config, of_config = Config(), Finding("config", Grade.WRONG, str(error), mend)
    _tell([of_config], findings, args.json)
    if args.bench:
        shop = load_backend("workshop")
        with asyncio.Runner(loop_factory=shop.VirtualLoop) as runner:
            runner.run(_on_the_bench(shop, config, args, findings))
    else:
        _tell(load_backend("doctor").examine(config), findings, args.json)
    return exit_code(findings)


async def _on_the_bench(shop: Any, config: Config, args: argparse.Namespace, findings: list[Finding]) -> None:
    """The doctor beside the loop, in which the simulated board answers."""
    examine = load_backend("doctor").examine
    with shop.Workshop(config, args.fault) as workshop:

        def look() -> None:
            _tell(examine(config, workshop.place, workshop.PROBE_S), findings, args.json)

        await asyncio.get_running_loop().run_in_executor(None, look)


def _tell(findings: Iterable[Finding], told: list[Finding], is_json: bool) -> None:
    """Print each as soon as it is known."""
    for finding in findings:
        told.append(finding)
        sys.stdout.write((as_json(finding) if is_json else as_text(finding, _PART_WIDTH)) + "\n")
        sys.stdout.flush()


def _origin(args: argparse.Namespace) -> str:
    where = str(args.config) if args.config is not None else "the defaults"
    if args.config is None and not args.bench and _OF_SERVICE.exists():
        where += f" (the service reads {_OF_SERVICE}: add --config {_OF_SERVICE})"
    return where + (f", and {len(args.overrides)} set by --set" if args.overrides else "")

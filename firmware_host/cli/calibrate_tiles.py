"""``boxkeeper calibrate tiles``: flip the tiles in order, and their inputs are in the config."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping
from typing import Any

from firmware_host.cli import options
from firmware_host.cli.backends import load_backend
from firmware_host.cli.guide import Guide, Person
from firmware_host.cli.walking import Walking, opened
from firmware_host.config import Config, load
from firmware_host.config_edit import set_keys
from firmware_host.errors import DeviceBusyError, DeviceNotFoundError
from firmware_host.ports import Levels, LevelSensor
from firmware_host.selftest.asking import WATCH_S, Step
from firmware_host.selftest.learning import Learning
from firmware_host.table.sight import DEBOUNCE_S

_KEYS = {"gpio": "tiles.pins", "mcp23017": "expander.pins"}


def add_arguments(parser: options.Parser) -> None:
    """The settings; the file among them is the one that is changed."""
    parser.description = (
        "Learn which input is which tile: shut and open each tile once, in order.\n"
        "With --config FILE they are written there; the file as it was is kept beside it as FILE.bak."
    )
    parser.epilog = """examples:
  boxkeeper calibrate tiles --config /etc/boxkeeper.toml
  boxkeeper calibrate tiles --bench --fault "tile 5 as 6"     on the simulated box, with crossed wires"""
    options.add_workshop(parser)
    options.add_settings(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Learn, and write; 0: every tile has its input, 1: some have none, and nothing is written."""
    is_new = args.config is not None and not args.config.exists()
    config = load(None if is_new else args.config, args.overrides)
    key = _KEYS.get(config.tiles.driver)
    if key is None:
        where = "its inputs are fixed in hardware/mcu/board.py: change the wires, or that file"
        raise DeviceNotFoundError(f"tiles.driver {config.tiles.driver}: {where}")
    if args.bench:
        shop = load_backend("workshop")
        with asyncio.Runner(loop_factory=shop.VirtualLoop) as runner:
            pins = runner.run(_on_the_bench(shop, config, args))
    else:
        pins = asyncio.run(_on_the_table(config))
    missing = [tile for tile in config.rules.tiles if tile not in pins]
    if missing:
        _say(f"no input followed tile {', '.join(map(str, missing))}: boxkeeper selftest says why\n")
        return 1
    backup = set_keys(args.config, {key: pins}) if args.config is not None else None
    _report(args, key, pins, str(backup) if backup is not None else None)
    return 0


async def _on_the_table(config: Config) -> dict[int, Any]:
    return await _learn(load_backend("table")(config), config, Person())


async def _on_the_bench(shop: Any, config: Config, args: argparse.Namespace) -> dict[int, Any]:
    with shop.Workshop(config, args.fault) as workshop:
        return await _learn(workshop.backend, config, workshop)


async def _learn(backend: Any, config: Config, guide: Guide) -> dict[int, Any]:
    """Input by tile."""
    sensor: LevelSensor | None = None
    try:
        inputs: tuple[Any, ...] = ()

        def open_sensor() -> LevelSensor:
            nonlocal inputs
            candidates: LevelSensor
            candidates, inputs = backend.open_candidates()
            return candidates

        sensor, levels = await opened(open_sensor)

        def make(levels: Levels, now: float) -> Learning:
            return Learning([tile - 1 for tile in config.rules.tiles], DEBOUNCE_S, levels, now)

        learning = await Walking(sensor, levels, make, guide, "tile", _Prompts(inputs)).run()
    except DeviceBusyError as error:
        raise DeviceBusyError(f"{error}; the service holds them? sudo systemctl stop boxkeeper") from None
    finally:
        if sensor is not None:
            sensor.close()
        backend.close()
    return {tile + 1: inputs[index] for tile, index in sorted(learning.learned.items())}


class _Prompts:
    """What is asked, a line a tile, and what came of it."""

    def __init__(self, inputs: tuple[Any, ...]) -> None:
        self._inputs = inputs
        self._tile: int | None = None  # whose line is not ended yet

    def __call__(self, learning: Learning) -> None:
        ask = learning.ask
        if ask is None or ask.step is Step.THERE:
            self._end(learning)
        if ask is None:
            return
        self._tile = ask.index
        if ask.index is None:
            is_rest = ask.step is Step.REST
            _say("open all tiles, then Enter ... " if is_rest else f"hands off, {WATCH_S:.0f} s ...\n")
        elif ask.step is Step.THERE:
            _say(f"shut {ask.index + 1} ... ")
        elif ask.index in learning.learned:
            _say(f"{_named(self._inputs[learning.learned[ask.index]])}, open {ask.index + 1} ... ")
        else:
            _say(f"open {ask.index + 1} ... ")

    def _end(self, learning: Learning) -> None:
        if self._tile is None:
            return
        if learning.trouble:
            _say(f"{learning.trouble}; once more\n")
        else:
            _say("ok\n" if self._tile in learning.learned else "no input of its own\n")


def _named(pin: Any) -> str:
    return f"BCM {pin}" if isinstance(pin, int) else str(pin)


def _say(text: str) -> None:
    """Beside what is printed for other programs."""
    sys.stderr.write(text)
    sys.stderr.flush()


def _report(args: argparse.Namespace, key: str, pins: Mapping[int, Any], backup: str | None) -> None:
    if args.json:
        file = None if args.config is None else str(args.config)
        sys.stdout.write(f"{json.dumps({'key': key, 'pins': pins, 'file': file, 'backup': backup})}\n")
        return
    section, _, name = key.partition(".")
    values = ", ".join(f"{tile} = {json.dumps(pin)}" for tile, pin in pins.items())
    sys.stdout.write(f"[{section}]\n{name} = {{ {values} }}\n")
    if args.config is None:
        sys.stdout.write("# not written: put it into your config, or give the file with --config\n")
    else:
        sys.stdout.write(f"# in {args.config}" + (f"; as it was: {backup}\n" if backup else "\n"))

"""``boxkeeper bench``: the table on the simulated box, played by a script or by hand."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterable, Mapping
from pathlib import Path
from typing import Any

from firmware_host.cli import options
from firmware_host.cli.backends import load_backend
from firmware_host.cli.bench_table import BenchTable
from firmware_host.cli.drawing import draw_panel, draw_tiles
from firmware_host.config import Config, Settings
from firmware_host.errors import BoxkeeperError, ConfigError, PlayError, RequirementError, RuleError
from firmware_host.service.runner import Listener, match_wanted

STDIN = "-"
_WRONG = (PlayError, RuleError, ConfigError)
INTERRUPTED = 130


def add_arguments(parser: options.Parser) -> None:
    """A play, and the settings."""
    parser.description = "Play on the simulated box: in a browser, by a script, or line by line."
    parser.epilog = """examples:
  boxkeeper bench                                  the box in a browser, to be played by hand
  boxkeeper bench -                                in the terminal, line by line
  boxkeeper bench tests/plays/worked-turn.play     exit 0: all held, 1: not, 2: malformed
  boxkeeper bench my.play --json --set store.dir=/tmp/box"""
    parser.add_argument(
        "file", nargs="?", help="a play; '-': typed line by line; by default the page is opened"
    )
    parser.add_argument(
        "--picture", type=Path, metavar="FILE.png", help="draw the box as it lies after the last line"
    )
    options.add_settings(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Play; 0: all held, 1: an expectation failed, 2: the play is malformed."""
    logging.basicConfig(format="boxkeeper: %(message)s")
    kit = load_backend("bench")
    settings = options.load_settings(args)
    if args.picture is not None:
        _check_picture(args.picture)
    if args.file is None and args.picture is None and _has_page(settings.build()):
        return _run(settings, asyncio.new_event_loop, lambda settings: _at_a_page(settings, args.json))
    if args.file in (None, STDIN):
        lines: Iterable[Any] | None = None
        name, folder = "line", Path()
    else:
        path = Path(args.file)
        lines = _read(kit, path, settings)
        name, folder = str(path), path.parent
    return _run(settings, kit.VirtualLoop, lambda settings: _play(kit, settings, lines, name, folder, args))


def _run(
    settings: Settings,
    new_loop: Callable[[], asyncio.AbstractEventLoop],
    bench: Callable[[Settings], Coroutine[Any, Any, int]],
) -> int:
    """``bench`` on a loop of its own, with a store that is thrown away where none was named."""
    with contextlib.ExitStack() as stack:
        if settings.build().store.dir is None:
            settings = settings.with_setting("store.dir", stack.enter_context(tempfile.TemporaryDirectory()))
        runner = stack.enter_context(asyncio.Runner(loop_factory=new_loop))
        return runner.run(bench(settings))


def _check_picture(path: Path) -> None:
    """UsageError where no picture can be written, before anything is played for it."""
    if path.suffix.lower() != ".png":
        raise options.UsageError(f"--picture {path}: name a file that ends in .png")
    if not path.parent.is_dir():
        raise options.UsageError(f"--picture {path}: there is no folder {path.parent}")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise options.UsageError(f"--picture {path}: cannot be written")


def _read(kit: Any, path: Path, settings: Settings) -> list[Any]:
    """The whole play, checked before it begins."""
    try:
        lines = list(kit.parse(path.read_text(encoding="utf-8-sig")))  # some editors put a mark in front
    except (OSError, UnicodeDecodeError) as error:
        raise PlayError(f"{path}: {getattr(error, 'strerror', None) or 'not UTF-8 text'}") from None
    except PlayError as error:
        raise PlayError(f"{path}, {error}") from None
    set_at = 0  # the last setting: a contradiction counts where a group of settings ends
    for line in [*lines, None]:
        try:
            if line is not None and isinstance(line.action, kit.Set):
                set_at = line.number
                settings = settings.with_setting(line.action.key, line.action.value)
                continue
            config = settings.build()
            if line is not None and isinstance(line.action, kit.Players):
                set_at = line.number
                match_wanted(config, line.action.names)
        except BoxkeeperError as error:
            where = f"{path}, line {set_at}: " if set_at else ""  # else of the config, or of --set
            raise PlayError(f"{where}{error}") from None
    return lines


async def _play(
    kit: Any,
    settings: Settings,
    lines: Iterable[Any] | None,
    name: str,
    folder: Path,
    args: argparse.Namespace,
) -> int:
    clock = kit.VirtualClock(asyncio.get_running_loop())
    output = _Output()
    listeners: list[Listener] = [output.print_event] if args.json else []

    def hear(event: Mapping[str, Any]) -> None:
        _tell_of_store(event)
        for listener in listeners:
            listener(event)

    table = BenchTable(settings, clock, hear)
    bench = kit.Bench(table, folder)
    listeners.insert(0, bench.heard)
    try:
        if lines is None:
            return await _by_hand(kit, bench, output, args.json)
        held = 0
        for line in lines:
            try:
                await bench.perform(line)
            except kit.Failed as failed:
                _complain(f"{name}, line {line.number}: {line.text}, but: {failed}")
                return 1
            except _WRONG as error:
                raise PlayError(f"{name}, line {line.number}: {error}") from None
            finally:
                output.check()
            held += isinstance(line.action, kit.Expect)
        if not args.json:
            sys.stdout.write(f"{name}: all {held} expectations held\n")
        return 0
    finally:
        if args.picture is not None:
            bench.draw(args.picture)
        await table.power_off()


def _has_page(config: Config) -> bool:
    """The page is wanted and can be served; where it cannot, that is said, and lines are typed instead."""
    if not config.web.port:
        return False
    from firmware_host.web.process import check_extra

    try:
        check_extra()
    except RequirementError as error:
        _complain(f"no page: {error}")
        return False
    return True


async def _at_a_page(settings: Settings, as_json: bool) -> int:
    from firmware_host.cli.bench_page import open_bench

    output = _Output()

    def hear(event: Mapping[str, Any]) -> None:
        _tell_of_store(event)
        if as_json:
            output.print_event(event)

    return await open_bench(settings, hear)


def _tell_of_store(event: Mapping[str, Any]) -> None:
    """A store that cannot be used is no part of the play: it is said as the service says it."""
    if event["event"] == "device_lost" and event["device"] == "store":
        _complain(f"no store: {event['reason']}")


async def _by_hand(kit: Any, bench: Any, output: _Output, as_json: bool) -> int:
    """Lines as they are typed; what is wrong is said and the game goes on."""
    is_terminal, worst = sys.stdin.isatty(), 0
    await bench.power_on()
    if not as_json:
        sys.stdout.write(f"{kit.HELP}\n{_drawing(bench)}\n")
    number = 0
    while True:
        if is_terminal:
            sys.stdout.write("> ")
        sys.stdout.flush()
        try:
            text = _typed_line()  # all is at rest, and time stands still while somebody types
        except KeyboardInterrupt:
            return INTERRUPTED
        if not text:
            return worst
        number += 1
        if text.strip() in ("quit", "exit"):
            return worst
        if text.strip() in ("help", "?"):
            sys.stdout.write(f"{kit.HELP}\n")
            continue
        try:
            action = kit.parse_line(text, number)
            if action is None:
                continue
            await bench.perform(kit.Line(number, text.strip(), action))
            output.check()
        except kit.Failed as failed:
            _complain(f"line {number}: {text.strip()}, but: {failed}")
            worst = worst or 1
        except BoxkeeperError as error:
            text = str(error)
            _complain(text if text.startswith("line ") else f"line {number}: {text}")
            worst = 2
        if not as_json:
            sys.stdout.write(f"{_drawing(bench)}\n")
        if worst and not is_terminal:
            return worst


def _drawing(bench: Any) -> str:
    world = bench.world
    return f"{draw_tiles(world.tiles, world.open_tiles)}\n{draw_panel(world.panel.pixels())}"


def _typed_line() -> str:
    # asyncio's own way with an interrupt waits for the loop, which waits for the line.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return sys.stdin.readline()
    except UnicodeDecodeError:
        raise PlayError("what was typed is not UTF-8 text") from None
    finally:
        signal.signal(signal.SIGINT, before)


class _Output:
    """Prints events; a reader that has left or a full disk ends the play, not the service."""

    def __init__(self) -> None:
        self._error: OSError | None = None

    def print_event(self, event: Mapping[str, Any]) -> None:
        """A line of JSON, at once."""
        if self._error is None:
            try:
                sys.stdout.write(json.dumps(event, ensure_ascii=False) + "\n")
                sys.stdout.flush()
            except OSError as error:
                self._error = error

    def check(self) -> None:
        """Raise what went wrong."""
        if self._error is not None:
            raise self._error


def _complain(text: str) -> None:
    sys.stderr.write(f"boxkeeper: {text}\n")

"""``boxkeeper bench``: the table on the simulated box, played by a script or by hand."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import signal
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware_host.cli import options
from firmware_host.cli.backends import load_backend
from firmware_host.cli.drawing import draw_panel, draw_tiles
from firmware_host.config import Config, Settings
from firmware_host.errors import BoxkeeperError, ConfigError, PlayError, RuleError
from firmware_host.ports import Backend
from firmware_host.service.runner import Listener, Runner, match_wanted

if TYPE_CHECKING:
    from firmware_host.table.report import Report

STDIN = "-"
_WRONG = (PlayError, RuleError, ConfigError)
INTERRUPTED = 130


def add_arguments(parser: options.Parser) -> None:
    """A play, and the settings."""
    parser.description = "Play on the simulated box: a script, or line by line."
    parser.epilog = """examples:
  boxkeeper bench                                  the box and its OLED in the terminal
  boxkeeper bench tests/plays/worked-turn.play     exit 0: all held, 1: not, 2: malformed
  boxkeeper bench my.play --json --set store.dir=/tmp/box"""
    parser.add_argument("file", nargs="?", default=STDIN, help="a play; '-' (default): typed line by line")
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
    if args.file == STDIN:
        lines: Iterable[Any] | None = None
        name, folder = "line", Path()
    else:
        path = Path(args.file)
        lines = _read(kit, path, settings)
        name, folder = str(path), path.parent
    with contextlib.ExitStack() as stack:
        if settings.build().store.dir is None:
            settings = settings.with_setting("store.dir", stack.enter_context(tempfile.TemporaryDirectory()))
        runner = stack.enter_context(asyncio.Runner(loop_factory=kit.VirtualLoop))
        return runner.run(_play(kit, settings, lines, name, folder, args))


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
            raise PlayError(f"{path}, line {set_at}: {error}") from None
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
        for listener in listeners:
            listener(event)

    table = _Table(settings, clock, hear)
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


class _Table:
    """The service as a play drives it."""

    def __init__(self, settings: Settings, clock: Any, listener: Listener) -> None:
        self._settings, self._clock, self._listener = settings, clock, listener
        self._runner: Runner | None = None
        self._task: asyncio.Task[None] | None = None

    def configure(self, key: str, value: str) -> None:
        """Change a setting for the next start; a contradiction shows then."""
        self._settings = self._settings.with_setting(key, value)

    @property
    def config(self) -> Config:
        """The settings in force."""
        return self._settings.build()

    async def power_on(self, backend: Backend) -> None:
        """Start the service."""
        self._runner = Runner(backend, self.config, self._clock, self._listener)
        self._task = asyncio.create_task(self._runner.run())

    async def power_off(self) -> None:
        """Pull the plug."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._task = self._runner = None

    def start_match(self, players: tuple[str, ...]) -> None:
        """Start a match by the settings in force."""
        if self._runner is not None:
            self._runner.post(match_wanted(self.config, players))

    @property
    def is_at_rest(self) -> bool:
        """Nothing is under way in the service."""
        if self._task is not None and self._task.done():
            self._task.result()  # it never ends by itself: if it did, show why
        return self._runner is None or self._runner.is_at_rest

    def report(self) -> Report:
        """What the table holds and waits for."""
        from firmware_host.table.report import Report, report  # late: the first picture goes without it

        return report(self._runner.session) if self._runner is not None else Report()

    def lines(self) -> tuple[str, ...]:
        """The text that the panel last received."""
        return self._runner.panel.lines if self._runner is not None else ()

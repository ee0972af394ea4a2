"""``boxkeeper selftest``: every tile, button and panel is tried, with a person's hands."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from firmware_host.cli import options
from firmware_host.cli.backends import load_backend
from firmware_host.cli.findings import Report, exit_code
from firmware_host.cli.guide import Guide, Person
from firmware_host.cli.trial import Screen, hear_presses
from firmware_host.cli.walking import Walking, opened
from firmware_host.config import Config
from firmware_host.errors import BoxkeeperError, DeviceBusyError, DeviceError
from firmware_host.findings import Finding, Grade
from firmware_host.ports import Backend, Levels, LevelSensor
from firmware_host.selftest.asking import WATCH_S, Step
from firmware_host.selftest.card import edge_card, prompt
from firmware_host.selftest.devices import BUTTONS, TILES
from firmware_host.selftest.verdicts import Device, Kind, Verdict, mend, told
from firmware_host.selftest.walk import Walk
from firmware_host.table.events import Button

PARTS = ("buttons", "tiles", "oled", "lamps", "buzzer")
TONE_HZ = 1760
_WORST = {Kind.SLOW: Grade.WARNING, Kind.GOOD: Grade.OK}


def add_arguments(parser: options.Parser) -> None:
    """What to try, where, and the settings."""
    parser.description = (
        "Try the box before it is closed: says what to do, and finds latches, crossed and loose wires.\n"
        "Do what the terminal and the OLED say; Enter: done. Stop the service before."
    )
    parser.epilog = """examples:
  boxkeeper selftest                               all that the config names
  boxkeeper selftest tiles --config /etc/boxkeeper.toml
  boxkeeper selftest --bench --fault "tile 5 latch"      on the simulated box, built wrongly"""
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    options.add_workshop(parser)
    options.add_settings(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Walk; 0: all is well, 1: something is to be mended."""
    options.check_workshop(args)
    for part in args.parts:
        if part not in PARTS:
            raise options.UsageError(f"{part!r} is no part; allowed: {', '.join(PARTS)}")
    config = options.load_config(args)
    parts = [part for part in PARTS if part in args.parts or not args.parts]
    if not args.bench:
        return asyncio.run(_on_the_table(config, parts, args.json))
    shop = load_backend("workshop")
    with asyncio.Runner(loop_factory=shop.VirtualLoop) as runner:
        return runner.run(_on_the_bench(shop, config, parts, args))


async def _on_the_table(config: Config, parts: list[str], is_json: bool) -> int:
    return await Selftest(load_backend("table")(config), config, Person(), is_json).run(parts)


async def _on_the_bench(shop: Any, config: Config, parts: list[str], args: argparse.Namespace) -> int:
    with shop.Workshop(config, args.fault) as workshop:
        return await Selftest(workshop.backend, config, workshop, args.json).run(parts)


class Selftest:
    """One test of a box, led by ``guide``."""

    def __init__(self, backend: Backend, config: Config, guide: Guide, is_json: bool) -> None:
        self._backend, self._config, self._guide = backend, config, guide
        self._report = Report(is_json)
        self._screen = Screen(None)
        self._walking: Walking[Walk] | None = None

    async def run(self, parts: list[str]) -> int:
        """Try ``parts``; the exit code."""
        self._open_screen()
        tasks = [asyncio.create_task(self._screen.keep())]
        buttons: LevelSensor | None = None
        try:
            if "buttons" in parts:
                buttons = await self._walk(BUTTONS, self._backend.open_buttons, range(len(Button)))
            if buttons is not None:
                good = {i for i, name in enumerate(BUTTONS.names) if self._is_good(name)}
                tasks.append(asyncio.create_task(hear_presses(buttons, good, self._pressed)))
            if "tiles" in parts:
                inputs = [tile - 1 for tile in self._config.rules.tiles]
                await self._walk(TILES, self._backend.open_tiles, inputs, keep=False)
            if "oled" in parts:
                await self._try_screen()
            if "lamps" in parts and self._config.lamps.driver != "none":
                await self._try_lamps()
            if "buzzer" in parts and self._config.buzzer.driver != "none":
                await self._try_buzzer()
        finally:
            for task in tasks:
                task.cancel()
            if buttons is not None:
                buttons.close()
            with suppress(DeviceError):
                self._screen.close()
            self._backend.close()
        self._report.end()
        return exit_code(self._report.findings)

    async def _walk(
        self, device: Device, open_sensor: Callable[[], LevelSensor], inputs: Any, *, keep: bool = True
    ) -> LevelSensor | None:
        """Walk over ``inputs``; the sensor, still open if ``keep``, or None where it cannot be had."""
        kind = device.names[0].partition(" ")[0]
        sensor: LevelSensor | None = None
        try:
            sensor, levels = await opened(open_sensor)
            if sensor.note:
                self._report.found(
                    Finding(f"{kind}s", Grade.WARNING, sensor.note, "boxkeeper doctor says more")
                )

            def make(levels: Levels, now: float) -> Walk:
                return Walk(inputs, device.rest, device.hold_s, levels, now)

            told_of = 0

            def asked(walk: Walk) -> None:
                nonlocal told_of
                for verdict in walk.verdicts[told_of:]:
                    self._judged(verdict, device)
                told_of = len(walk.verdicts)
                self._prompt(walk, device)

            self._walking = Walking(sensor, levels, make, self._guide, kind, asked)
            await self._walking.run()
        except DeviceError as error:
            self._report.found(_missing(f"{kind}s", error))
            keep = False
        finally:
            self._walking = None
            if sensor is not None and not keep:
                sensor.close()
        return sensor if keep else None

    def _prompt(self, walk: Walk, device: Device) -> None:
        ask = walk.ask
        if ask is None:
            return
        if ask.step is Step.REST:
            self._say(f"{device.all_back} (Enter: done) ... ", device.all_back)
        elif ask.step is Step.WATCH:
            self._say(f"hands off, {WATCH_S:.0f} s ...\n", "hands off")
        elif ask.index is not None:
            name = device.names[ask.index]
            short = name.partition(" ")[2]
            verb = device.there if ask.step is Step.THERE else device.back
            self._report.begin(name)
            self._say(f"{verb} {short} ... ", verb, short)

    def _judged(self, verdict: Verdict, device: Device) -> None:
        grade = _WORST.get(verdict.kind, Grade.WRONG)
        name = device.names[verdict.index]
        self._report.found(Finding(name, grade, told(verdict, device), mend(verdict, device)))

    async def _try_screen(self) -> None:
        if self._config.display.controller == "none":
            return
        if self._screen.is_there:
            card = edge_card()
            self._screen.show(card)
            await self._screen.settled()
        if self._screen.is_there:
            self._report.begin("oled")
            self._say("a frame, whole on all four edges, and a diagonal? y or n ... ")
            self._report.found(_seen(await self._guide.sees(card), self._config.display.controller))
        if self._screen.error is not None:
            self._report.found(_missing("oled", self._screen.error))

    async def _try_lamps(self) -> None:
        """One after the other; each is to be lit alone."""
        loop = asyncio.get_running_loop()
        try:
            lamps = await loop.run_in_executor(None, self._backend.open_lamps)
            try:
                for tile in self._config.rules.tiles:
                    await loop.run_in_executor(None, lamps.light, frozenset({tile}))
                    hint = "the lamp the wrong way round, its resistor, or its wire at another pin"
                    await self._ask(f"lamp {tile}", "lit, and no other? y or n", "not lit alone", hint)
            finally:
                await loop.run_in_executor(None, lamps.close)
        except BoxkeeperError as error:
            self._report.found(_missing("lamps", error))

    async def _try_buzzer(self) -> None:
        if self._config.buzzer.volume == "off":
            return
        loop = asyncio.get_running_loop()
        try:
            buzzer = await loop.run_in_executor(None, self._backend.open_buzzer)
            try:
                await loop.run_in_executor(None, buzzer.tone, TONE_HZ)
                hint = "a passive piezo is needed, between its pin and GND"
                await self._ask("buzzer", "do you hear it? y or n", "not heard", hint)
            finally:
                await loop.run_in_executor(None, buzzer.close)
        except BoxkeeperError as error:
            self._report.found(_missing("buzzer", error))

    async def _ask(self, part: str, question: str, text: str, hint: str) -> None:
        self._report.begin(part)
        self._say(f"{question} ... ", part, "yes: next", "no: back")
        is_so = await self._guide.sees(part)
        if is_so is None:
            self._report.found(Finding(part, Grade.WARNING, "nobody said", "run it in a terminal"))
        else:
            self._report.found(Finding(part, *((Grade.OK, "ok") if is_so else (Grade.WRONG, text, hint))))

    def _open_screen(self) -> None:
        try:
            self._screen = Screen(self._backend.open_display())
        except DeviceError as error:
            self._screen.error = error

    def _pressed(self, button: Button) -> None:
        """A button that was found good says yes, no and done."""
        if isinstance(self._guide, Person) and button is not Button.ROLL:
            self._guide.say(button is Button.NEXT)
        if self._walking is not None and button is Button.NEXT:
            self._walking.confirm()

    def _is_good(self, name: str) -> bool:
        return any(finding.part == name and finding.grade is Grade.OK for finding in self._report.findings)

    def _say(self, text: str, *on_screen: str) -> None:
        """To the terminal, and large on the panel."""
        self._report.say(text)
        if on_screen:
            self._screen.show(prompt(*(line.upper() for line in on_screen)))


def _missing(part: str, error: BoxkeeperError) -> Finding:
    hint = "boxkeeper doctor says what is there"
    if isinstance(error, DeviceBusyError):
        hint = "while the service runs it holds the pins: sudo systemctl stop boxkeeper"
    return Finding(part, Grade.WRONG, str(error), hint)


def _seen(is_seen: bool | None, controller: str) -> Finding:
    if is_seen is None:
        return Finding("oled", Grade.WARNING, "nobody said what it shows", "run it in a terminal")
    if is_seen:
        return Finding("oled", Grade.OK, "ok")
    hint = f"another controller than {controller}? Set display.controller to what the module's seller names"
    return Finding("oled", Grade.WRONG, "the test card is not whole", hint)

"""``boxkeeper bench`` without a play: the simulated box at a page, on wall time."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import signal
import sys
from collections.abc import Awaitable, Mapping
from typing import Any

from firmware_host.cli.backends import load_backend
from firmware_host.cli.bench_table import BenchTable
from firmware_host.cli.page import TablePage, open_page
from firmware_host.config import Config, Settings
from firmware_host.errors import BoxkeeperError
from firmware_host.service.clock import SystemClock
from firmware_host.service.runner import Listener, Runner, claimed
from firmware_host.web.process import WebProcess

LOOK_S = 0.04  # at box and panel: 25 times a second


class BenchPage:
    """``live``: the box.  ``page``: its process; both are the caller's to open."""

    def __init__(
        self, kit: Any, live: Any, page: WebProcess, config: Config, listener: Listener | None
    ) -> None:
        self._config = config
        self._kit, self._live, self._page, self._listener = kit, live, page, listener
        self._joined: TablePage | None = None
        self._phone: dict[str, Any] | None = None
        self._deeds: set[asyncio.Task[None]] = set()

    def join(self, runner: Runner) -> None:
        """The plug was put in: this is the table now."""
        self._joined = TablePage(self._page, runner, self._config, asyncio.get_running_loop().time)
        if self._phone is not None:
            self._joined.asked(0, self._phone)

    def heard(self, event: Mapping[str, Any]) -> None:
        """Pass a public event on."""
        self._live.heard(event)
        if self._listener is not None:
            self._listener(event)
        if event["event"] == "screen":
            self._page.tell("screen", event["lines"])
        self._page.tell_event(event)

    async def run(self) -> None:
        """Play until a signal ends it."""
        ended = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
        await self._live.power_on()
        tasks = [asyncio.create_task(work) for work in (self._page.keep(), self._look(), ended.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    task.result()
        finally:
            for task in (*tasks, *self._deeds):
                task.cancel()
            await asyncio.gather(*tasks, *self._deeds, return_exceptions=True)

    async def _look(self) -> None:
        """Tell the page how the box lies and what the panel shows; only what is new is sent."""
        while True:
            self._live.check()
            self._tell_box()
            self._page.tell("oled", base64.b64encode(self._live.pixels()).decode())
            self._page.tell("play", self._live.play())
            await asyncio.sleep(LOOK_S)

    def _tell_box(self) -> None:
        self._page.tell("bench", self._live.state())

    def asked(self, number: int, what: dict[str, Any]) -> None:
        """Do what somebody at the page does."""
        match what.get("bench"):
            case {"button": str(button), "down": bool(is_down)}:
                self._do(number, lambda: self._live.hold(button, is_down))
            case {"lay": list(dice)}:
                self._do(number, lambda: self._live.lay(tuple(dice)))
            case {"players": list(names), "preset": str(preset)} if self._is_starting:
                self._page.answer(number, "the table is starting")
            case {"players": list(names), "preset": str(preset)}:
                self._do(number, lambda: self._live.start_match(tuple(names), preset))
            case {"line": str(line)}:
                self._do(number, lambda: self._live.do(line))
        if "phone" in what:
            self._phone = what  # told once: the next table is to know it as well
        if self._joined is not None and self._live.is_on:
            if "wish" in what:
                self._live.remark(f"the keeper's phone: {json.dumps(what['wish'], ensure_ascii=False)}")
            self._joined.asked(number, what)
        elif "wish" in what:
            self._page.answer(number, "the power is off")

    @property
    def _is_starting(self) -> bool:
        return self._live.is_on and self._joined is not None and not self._joined.is_ready

    def _do(self, number: int, deed: Any) -> None:
        task = asyncio.create_task(self._perform(number, deed))
        self._deeds.add(task)
        task.add_done_callback(self._deeds.discard)

    async def _perform(self, number: int, deed: Any) -> None:
        problem = ""
        try:
            done = deed()
            if isinstance(done, Awaitable):
                await done
        except self._kit.Failed as failed:
            problem = f"there is: {failed}"
        except BoxkeeperError as error:
            problem = str(error).removeprefix("line 1: ")
        self._tell_box()
        self._page.answer(number, problem)


async def open_bench(settings: Settings, listener: Listener | None) -> int:
    """Open the page and play until a signal ends it; the exit code.

    ``listener`` gets each public event as well.
    """
    config, kit = settings.build(), load_backend("live")
    with claimed(config.store_dir):
        pass  # where another table has it, there is nothing to be opened
    page = open_page(config, lambda number, what: bench.asked(number, what), is_bench=True)
    if page is None:
        return 1
    table = BenchTable(
        settings, SystemClock(), lambda event: bench.heard(event), lambda runner: bench.join(runner)
    )
    bench = BenchPage(kit, kit.Live(table), page, config, listener)
    _show(page.url)
    try:
        await bench.run()
    finally:
        await table.power_off()
    return 0


def _show(url: str) -> None:
    """Say where the page is; open it where there is somebody to look at it."""
    sys.stderr.write(f"boxkeeper: the bench is open at {url}/bench (ctrl-C ends it)\n")
    has_display = (
        sys.platform in ("darwin", "win32") or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    )
    if has_display and sys.stderr.isatty():
        import webbrowser

        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(f"{url}/bench")

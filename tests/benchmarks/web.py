"""The page: from a tile to 200 watchers, what they cost, and what they cost the table."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from bus import Screen
from figures import Figure, Length, calibrate, percentile
from hands import Change, Hands, views
from idle import usage

from firmware_host.table.board import board
from firmware_host.table.session import step
from firmware_host.table.state import Session
from firmware_host.web.files import FOLDER
from firmware_host.web.process import WebProcess

PART = "web"
WATCHERS = 200
PACE_S = 0.2  # five changes a second: quick hands
TILE_TO_PAGE_MS, CPU_PERCENT, PAGE_KB, END_S = 100.0, 25.0, 150.0, 3.0
PAGES = {
    "/": ("board.html", "theme.css", "board.css", "board.js", "box.js", "live.js", "parts.js", "words.js"),
    "/bench": (
        "bench.html",
        "theme.css",
        "bench.css",
        "bench.js",
        "box.js",
        "live.js",
        "parts.js",
        "words.js",
    ),
    "/keeper": ("keeper.html", "theme.css", "keeper.css", "keeper.js", "live.js", "words.js"),
}
_SCRIPT = str(Path(__file__).with_name("web_watchers.py"))


def measure(length: Length) -> Iterator[Figure]:
    """The table's end of the page in this process, the page and its watchers in two others."""
    for path, files in PAGES.items():
        size_kb = sum((FOLDER / name).stat().st_size for name in (*files, "icon.svg")) / 1000
        yield Figure(PART, f"page {path}: all of it", size_kb, "kB", PAGE_KB)
    yield from asyncio.run(_measure(length))


class Followed(NamedTuple):
    """``table_ms``: what each change took the table; ``page_ms``: until each watcher had it."""

    table_ms: list[float]
    page_ms: list[float]
    cpu_percent: float


async def _measure(length: Length) -> list[Figure]:
    loop_ms = calibrate()
    changes: list[Change] = []
    hands = Hands(2, changed=changes.append)
    while len(changes) < 10 * length.repeats:
        hands.play_match()
    changes = changes[: 10 * length.repeats]
    async with _page() as page:
        pid = _pid()
        empty = usage(pid)
        alone = await _follow(page, pid, changes, None)
        async with _watching(page.port) as watchers:
            grown_kb = 1024 * (usage(pid).rss_mb - empty.rss_mb) / WATCHERS
            watched = await _follow(page, pid, changes, watchers)
            start = time.perf_counter()
            await page.end()
            ended_s = time.perf_counter() - start
    what = f"of {len(watched.page_ms):,}"
    figures = [
        Figure(PART, f"level to {WATCHERS} pages, p50 {what}", percentile(watched.page_ms, 0.5), "ms",
               calibration_ms=loop_ms),
        Figure(PART, f"level to {WATCHERS} pages, p99 {what}", percentile(watched.page_ms, 0.99), "ms",
               TILE_TO_PAGE_MS, calibration_ms=loop_ms),
        Figure(PART, f"{WATCHERS} watchers, {1 / PACE_S:g} changes a second: share of a core",
               watched.cpu_percent, "%", CPU_PERCENT, calibration_ms=loop_ms),
        Figure(PART, "memory a watcher", grown_kb, "kB"),
        Figure(PART, "the page's process, nobody watching", empty.rss_mb, "MB"),
        Figure(PART, f"end with {WATCHERS} streams open", ended_s, "s", END_S, calibration_ms=loop_ms),
    ]  # fmt: skip
    for at in (0.5, 0.99):
        for who, followed in (("nobody", alone), (str(WATCHERS), watched)):
            name = f"table, level to last byte computed, {who} watching, p{at * 100:.0f}"
            figures.append(
                Figure(PART, name, percentile(followed.table_ms, at), "ms", calibration_ms=loop_ms)
            )
    return figures


async def _follow(
    page: _Page, pid: int, changes: list[Change], watchers: subprocess.Popen[str] | None
) -> Followed:
    """Play ``changes`` at the pace of quick hands, the page being told of each."""
    screen, table_ms = Screen(), list[float]()
    before, began = usage(pid), time.perf_counter()
    for change in changes:
        start, sent = time.perf_counter(), time.monotonic()
        session, effects = step(change.session, change.came.event, change.came.now)
        for view in views(effects):
            screen.show(view)
        page.process.tell("board", {**board(session, change.came.now), "sent": sent})
        table_ms.append(1000 * (time.perf_counter() - start))
        await asyncio.sleep(PACE_S)
    after, seconds = usage(pid), time.perf_counter() - began
    page_ms: list[float] = []
    if watchers is not None:
        assert watchers.stdin is not None
        assert watchers.stdout is not None
        watchers.stdin.write("\n")
        watchers.stdin.flush()
        page_ms = json.loads(await asyncio.to_thread(watchers.stdout.readline))
    return Followed(table_ms, page_ms, 100 * (after.cpu_s - before.cpu_s) / seconds)


class _Page:
    def __init__(self, process: WebProcess) -> None:
        self.process, self.port = process, process.port
        self._task = asyncio.create_task(process.keep())

    async def end(self) -> None:
        """As the table ends it."""
        self._task.cancel()
        await asyncio.wait([self._task])


@asynccontextmanager
async def _page() -> AsyncIterator[_Page]:
    with tempfile.TemporaryDirectory() as folder:
        page = _Page(WebProcess("127.0.0.1", 0, Path(folder), lambda number, what: None))
        first = {**board(Session(), 0.0), "sent": 0.0}
        page.process.tell("board", first)
        await asyncio.sleep(0.2)
        await asyncio.to_thread(_wait_for, page.port)
        try:
            yield page
        finally:
            await page.end()


def _wait_for(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n\r\n".encode())
        connection.recv(1)


def _pid() -> int:
    """The page's process, among the children of all threads."""
    children = [(task / "children").read_text().split() for task in Path("/proc/self/task").iterdir()]
    for pid in (pid for some in children for pid in some):
        if b"firmware_host.web" in Path(f"/proc/{pid}/cmdline").read_bytes():
            return int(pid)
    raise RuntimeError("the page's process is not there")


@asynccontextmanager
async def _watching(port: int) -> AsyncIterator[subprocess.Popen[str]]:
    command = [sys.executable, _SCRIPT, str(port), str(WATCHERS)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as watchers:
        assert watchers.stdout is not None
        await asyncio.to_thread(watchers.stdout.readline)
        try:
            yield watchers
        finally:
            watchers.kill()

"""Boxkeeper in a process of its own, with its page."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
# `run` on the simulated buses: what it serves is the same.
RUN = """
import asyncio, sys
from firmware_host.cli import run
from hardware.backend import DeviceSet
from sim.buses import SimBuses
from sim.wiring import Wiring
from sim.world import World

def open_sim(config):
    world = World(asyncio.get_running_loop(), config.rules.tiles)
    wiring = Wiring(world)
    wiring.fit(config)
    return DeviceSet(config, SimBuses(world, wiring.lines, wiring), world.chance)

run.load_backend = lambda name: open_sim
from firmware_host.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def free_port() -> int:
    """One that nobody listens on."""
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        return int(asking.getsockname()[1])


class Served:
    """``boxkeeper bench`` or ``run``; ``port``: of its page.  ``said``: its lines so far."""

    def __init__(self, command: str, *argv: str, port: int = 0) -> None:
        self.port = port or free_port()
        script = ["-c", RUN] if command == "run" else ["-m", "firmware_host"]
        self.process = subprocess.Popen(
            [sys.executable, *script, command, "--set", f"web.port={self.port}", *argv],
            cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True,
            env={**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": ""},
        )  # fmt: skip
        self.said: list[str] = []

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.port}"

    def wait_for(self, pattern: str) -> str:
        """Read what it says up to a line with ``pattern``, which is returned."""
        assert self.process.stderr is not None
        guard = threading.Timer(30, self.process.kill)
        guard.start()
        while True:
            line = self.process.stderr.readline()
            assert line, f"it ended after {self.said}"
            self.said.append(line)
            if re.search(pattern, line):
                guard.cancel()
                return line

    def open(self) -> Served:
        """Return when the page answers."""
        self.wait_for(r"http://")
        while True:
            with contextlib.suppress(OSError):
                if self.get("/")[0] == 200:
                    return self

    def get(self, path: str) -> tuple[int, str]:
        """Status and text."""
        return self.ask("GET", path)

    def post(self, path: str, what: dict[str, Any], cookie: str = "") -> tuple[int, str]:
        """Status and text."""
        headers = {"origin": self.url, "content-type": "application/json", "cookie": cookie}
        return self.ask("POST", path, json.dumps(what), headers)

    def do(self, line: str) -> None:
        """A line of a play."""
        assert self.post("/bench/do", {"line": line}) == (204, "")

    def ask(
        self, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def stream(self, path: str) -> Iterator[tuple[str, Any]]:
        """Topic and value of each event, as they come."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\n\r\n".encode())
            topic = ""
            for line in connection.makefile("r", encoding="utf-8"):
                if line.startswith("event: "):
                    topic = line[7:].strip()
                elif line.startswith("data: "):
                    yield topic, json.loads(line[6:])

    def board(self, path: str = "/stream") -> dict[str, Any]:
        """What the scoreboard shows now."""
        return next(value for topic, value in self.stream(path) if topic == "board")

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """The exit code after the signal; the rest of what it said is in ``said``."""
        self.process.send_signal(number)
        try:
            _, err = self.process.communicate(timeout=20)
        finally:
            self.process.kill()
        self.said += err.splitlines(keepends=True)
        return self.process.returncode


@contextlib.contextmanager
def serving(command: str, *argv: str) -> Iterator[Served]:
    """It runs, its page answers; it ends with the block."""
    served = Served(command, *argv)
    try:
        yield served.open()
    finally:
        served.process.kill()
        served.process.communicate()

"""The page's process as the table sees it: started late, kept alive, told and asked, ended in time.

Nothing here imports the web server: the table pays for none of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from firmware_host.errors import RequirementError
from firmware_host.web.link import LONGEST_LINE, MOST_EVENTS, Link

RESTART_S = 5.0
END_S = 2.0  # open streams are let go of in less
BACKLOG = 512

Asked = Callable[[int, dict[str, Any]], None]
_log = logging.getLogger(__name__)


class WebProcess:
    """Serves ``host`` and ``port``.  ``asked`` gets the number and the content of what people ask for.

    ``is_bench``: the page of the simulated box is there as well.
    """

    def __init__(
        self, host: str, port: int, store_dir: Path, asked: Asked, *, is_bench: bool = False
    ) -> None:
        """Claim the port; raises OSError where it is taken, RequirementError without the extra ``web``."""
        check_extra()
        self._socket = _listen(host, port)
        self.host, self.port = host, self._socket.getsockname()[1]
        self._store_dir, self._asked, self._is_bench = store_dir, asked, is_bench
        self._newest: dict[str, Any] = {}
        self._events: deque[Mapping[str, Any]] = deque(maxlen=MOST_EVENTS)
        self._link: Link | None = None

    @property
    def url(self) -> str:
        """Where it is on this machine."""
        return f"http://{_url_host(self.host)}:{self.port}"

    def tell(self, topic: str, value: Any) -> None:
        """The newest of ``topic``; nothing where it is what it was."""
        if self._newest.get(topic) != value:
            self._newest[topic] = value
            if self._link is not None:
                self._link.tell(topic, value)

    def tell_event(self, event: Mapping[str, Any]) -> None:
        """A public event."""
        self._events.append(event)
        if self._link is not None:
            self._link.add({"event": event})

    def answer(self, number: int, problem: str) -> None:
        """What was asked with ``number`` is done, or not, and why."""
        if self._link is not None and number:
            self._link.add({"answer": number, "problem": problem})

    async def keep(self) -> None:
        """Run the process, and again if it ends, until cancelled."""
        try:
            while True:
                try:
                    await self._run()
                    _log.warning("the page has ended; again in %g s", RESTART_S)
                except OSError as error:  # no memory, or no process more: the system is short, for now
                    _log.warning("no page: %s; again in %g s", error.strerror or error, RESTART_S)
                await asyncio.sleep(RESTART_S)
        finally:
            self._socket.close()

    async def _run(self) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            starting = asyncio.create_task(asyncio.to_thread(self._start, theirs))
            try:
                process = await asyncio.shield(starting)
            except asyncio.CancelledError:  # its sockets must not be closed before it has them
                process = await starting
                ours.close()
                await _ended(process)
                raise
            theirs.close()
            await self._talk(ours, process)

    async def _talk(self, ours: socket.socket, process: subprocess.Popen[bytes]) -> None:
        try:
            reader, writer = await asyncio.open_connection(sock=ours, limit=LONGEST_LINE)
            link = Link(self._heard)
            for event in self._events:
                link.add({"event": event})
            for topic, value in self._newest.items():
                link.tell(topic, value)
            self._link = link
            await link.run(reader, writer)
        finally:
            self._link = None
            ours.close()  # the other end ends when it hears nothing more
            await _ended(process)

    def _heard(self, line: dict[str, Any]) -> None:
        self._asked(line["ask"], line["what"])

    def _start(self, theirs: socket.socket) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", "firmware_host.web"]
        command += [str(theirs.fileno()), str(self._socket.fileno()), str(self._store_dir)]
        ours = str(Path(__file__).parents[2])  # from wherever the table was started
        path = os.pathsep.join(filter(None, (ours, os.environ.get("PYTHONPATH", ""))))
        return subprocess.Popen(
            [*command, "bench"] if self._is_bench else command,
            pass_fds=(theirs.fileno(), self._socket.fileno()),
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
        )


def check_extra() -> None:
    """Raise RequirementError where the extra ``web`` is not installed."""
    from importlib.util import find_spec

    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise RequirementError(f"{missing[0]} is not installed; pip install 'boxkeeper[web]'")


def _listen(host: str, port: int) -> socket.socket:
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
        listening.setblocking(False)
    except BaseException:
        listening.close()
        raise
    return listening


def _url_host(host: str) -> str:
    if host in ("0.0.0.0", "::"):
        return "localhost"
    return f"[{host}]" if ":" in host else host


async def _ended(process: subprocess.Popen[bytes]) -> None:
    """Wait for it, cancelled or not; a process that hangs is killed."""
    waiting = asyncio.ensure_future(asyncio.to_thread(_wait_or_kill, process))
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.shield(waiting)
        return
    await waiting
    raise asyncio.CancelledError


def _wait_or_kill(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

"""The web server around the app: it ends when the table does, whoever still watches."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from firmware_host.store.files import FILE_NAME
from firmware_host.web.app import make_app
from firmware_host.web.link import LONGEST_LINE
from firmware_host.web.table import Table

REQUEST_S = 10.0  # for the head of a request to come in
MOST_HEAD = 16_384  # bytes
MOST_CONNECTIONS = 200  # each watcher holds one open; a process may have 1024 files
GRACE_S = 1  # streams are told to end before; this is for those who do not even read that
_TOO_SLOW = b"HTTP/1.1 408 \r\ncontent-type: text/plain\r\nconnection: close\r\n\r\nhalf a request\n"
_TOO_MANY = b"HTTP/1.1 503 \r\ncontent-type: text/plain\r\nconnection: close\r\n\r\ntoo many at once\n"


async def serve(link: socket.socket, listening: socket.socket, store_dir: Path, *, is_bench: bool) -> None:
    """Serve ``listening`` until the table at the other end of ``link`` is gone."""
    table = Table(store_dir / FILE_NAME)
    app = make_app(table, lambda: own_url(listening), is_bench=is_bench)
    config = uvicorn.Config(
        app,
        http=_Protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        log_level="critical",  # what goes wrong in the app is said by the app
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=GRACE_S,
        h11_max_incomplete_event_size=MOST_HEAD,
    )
    server = _Server(config)
    reader, writer = await asyncio.open_connection(sock=link, limit=LONGEST_LINE)
    talking = asyncio.create_task(table.link.run(reader, writer))
    beating = [asyncio.create_task(beat()) for beat in (table.hub.beat, table.beat)]

    def end(_: object) -> None:
        table.close()
        server.should_exit = True

    talking.add_done_callback(end)
    await server.serve(sockets=[listening])
    for task in (talking, *beating):
        task.cancel()


def own_url(listening: socket.socket) -> str:
    """Where a phone finds ``listening``; that listens everywhere: by the address that the network gave."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = _own_address()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _own_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking, contextlib.suppress(OSError):
        asking.connect(("192.0.2.1", 9))  # sends nothing: it only says which way it would go (RFC 5737)
        return str(asking.getsockname()[0])
    return "127.0.0.1"


class _Server(uvicorn.Server):
    """Signals are the table's: it ends us by closing the wire."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them alone."""
        yield


class _Protocol(H11Protocol):
    """A connection that never says what it wants is let go of."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Give it some time; one too many is told so."""
        super().connection_made(transport)
        self._await_request()
        if len(self.connections) > MOST_CONNECTIONS:
            transport.write(_TOO_MANY)
            transport.close()

    def on_response_complete(self) -> None:
        """Give the next request as much time as the first."""
        self._too_slow.cancel()
        self._await_request()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """It went by itself."""
        self._too_slow.cancel()
        super().connection_lost(exc)

    def _await_request(self) -> None:
        self._too_slow = self.loop.call_later(REQUEST_S, self._let_go)

    def _let_go(self) -> None:
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if not is_answering and not self.transport.is_closing():
            self.transport.write(_TOO_SLOW)
            self.transport.close()

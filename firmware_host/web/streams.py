"""Server-sent events: one long answer to each watcher."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from firmware_host.web.hub import Hub, Watcher
from firmware_host.web.refusals import refuse

MOST_WATCHERS = 600
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
_AGAIN = b"retry: 1000\n\n"  # ms, after the line was cut


class EventStream(Response):
    """The newest of ``topics``, and each change of them, until the watcher or the table is gone."""

    def __init__(self, hub: Hub, topics: tuple[str, ...], last_event_id: str) -> None:
        self._hub = hub
        self._watcher = Watcher(hub, topics, last_event_id)
        self.background = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream; a watcher who does not read is waited for by his own stream alone."""
        watcher, hub = self._watcher, self._hub
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        leaving = asyncio.ensure_future(_has_left(receive))
        leaving.add_done_callback(lambda _: watcher.changed.set())
        hub.watchers.add(watcher)
        try:
            data = _AGAIN + watcher.news()
            while not hub.is_closed and not leaving.done():
                if data:
                    await send({"type": "http.response.body", "body": data, "more_body": True})
                await watcher.changed.wait()
                data = watcher.news()
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            hub.watchers.discard(watcher)
            leaving.cancel()


async def _has_left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def stream(request: Request, hub: Hub, topics: tuple[str, ...]) -> Response:
    """The answer to ``request``: a stream, or a refusal where too many watch."""
    if len(hub.watchers) >= MOST_WATCHERS:
        return refuse(429, f"{MOST_WATCHERS} are watching already; try again later")
    return EventStream(hub, topics, request.headers.get("last-event-id", ""))

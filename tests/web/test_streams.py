"""One long answer to each watcher."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from firmware_host.web import hub as hub_module
from firmware_host.web.hub import Hub
from firmware_host.web.streams import EventStream

Scene = Callable[[], Coroutine[Any, Any, None]]


class Browser:
    """Reads a stream; ``may_read`` cleared: it does not, and what is sent to it waits."""

    def __init__(self, hub: Hub) -> None:
        self.data = b""
        self.may_read = asyncio.Event()
        self.may_read.set()
        self._leaves = asyncio.Event()
        stream = EventStream(hub, ("board",), "")
        self.task = asyncio.create_task(stream({"type": "http"}, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self._leaves.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        await self.may_read.wait()
        self.data += message.get("body", b"")

    async def leave(self) -> None:
        self._leaves.set()
        await asyncio.wait_for(self.task, 5)


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def run(scene: Scene) -> None:
    asyncio.run(scene())


def test_each_change_is_told_at_once() -> None:
    async def scene() -> None:
        hub = Hub()
        browser = Browser(hub)
        await settle()
        for value in (1, 2):
            hub.publish("board", value)
            await settle()
            assert browser.data.endswith(f"data: {value}\n\n".encode())
        await browser.leave()
        assert not hub.watchers

    run(scene)


def test_who_does_not_read_is_waited_for_by_his_own_stream_alone_and_then_gets_the_newest() -> None:
    async def scene() -> None:
        hub = Hub()
        slow, quick = Browser(hub), Browser(hub)
        await settle()
        slow.may_read.clear()
        for value in range(100):
            hub.publish("board", value)
            await settle()
        assert quick.data.count(b"event: board") == 100
        slow.may_read.set()
        await settle()
        assert slow.data.count(b"event: board") == 2, "what was on its way, and the newest"
        assert slow.data.endswith(b"data: 99\n\n")
        await slow.leave()
        await quick.leave()

    run(scene)


def test_a_quiet_table_gives_a_sign_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "BEAT_S", 0.01)

    async def scene() -> None:
        hub = Hub()
        browser = Browser(hub)
        beating = asyncio.create_task(hub.beat())
        while b"event: beat" not in browser.data:
            await asyncio.sleep(0.01)
        beating.cancel()
        await browser.leave()

    run(scene)


def test_at_the_end_all_streams_end() -> None:
    async def scene() -> None:
        hub = Hub()
        browsers = [Browser(hub) for _ in range(20)]
        await settle()
        hub.close()
        await asyncio.wait_for(asyncio.gather(*(browser.task for browser in browsers)), 5)

    run(scene)

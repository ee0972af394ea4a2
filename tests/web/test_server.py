"""Connections that hold the server up: who takes too long, and who comes too often."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from firmware_host.web import server

ASKED = b"GET /icon HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"


def served(folder: Path, scene: Callable[[int], Awaitable[None]]) -> None:
    """``scene`` gets the port of a server in this process."""

    async def run() -> None:
        ours, theirs = socket.socketpair()
        with socket.create_server(("127.0.0.1", 0)) as listening:
            serving = asyncio.create_task(server.serve(theirs, listening, folder, is_bench=False))
            async with asyncio.timeout(30):
                await scene(listening.getsockname()[1])
                ours.close()
                await serving

    asyncio.run(run())


@pytest.mark.parametrize("answered", [0, 1, 2])
def test_each_request_of_a_connection_must_come_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answered: int
) -> None:
    monkeypatch.setattr(server, "REQUEST_S", 0.3)

    async def scene(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(answered):
            writer.write(ASKED)
            assert b"404" in await reader.readuntil(b"Not Found\n")
        writer.write(b"GET / HTTP/1.1\r\nhost:")
        assert (await reader.read()).startswith(b"HTTP/1.1 408 ")
        writer.close()

    served(tmp_path, scene)


def test_one_connection_too_many_is_told_so_and_the_next_finds_a_free_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 2)

    async def scene(port: int) -> None:
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
        for reader, writer in held:
            writer.write(ASKED)
            await reader.readuntil(b"Not Found\n")
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        assert (await reader.read()).startswith(b"HTTP/1.1 503 ")
        writer.close()
        held[0][1].close()
        while True:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(ASKED)
            answer = await reader.read(100)
            writer.close()
            if b"404" in answer:
                break
        held[1][1].close()

    served(tmp_path, scene)

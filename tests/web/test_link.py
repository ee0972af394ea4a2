"""The wire between table and page."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

from firmware_host.web.link import LONGEST_LINE, MOST_EVENTS, Link, Outbox


def lines(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.splitlines()]


def test_of_a_topic_only_the_newest_waits() -> None:
    outbox = Outbox()
    for value in range(1000):
        outbox.tell("board", value)
    outbox.tell("oled", "a")
    assert lines(outbox.take()) == [{"topic": "board", "value": 999}, {"topic": "oled", "value": "a"}]
    assert outbox.take() == b""


def test_of_too_many_events_the_oldest_are_lost() -> None:
    outbox = Outbox()
    for number in range(MOST_EVENTS + 3):
        outbox.add({"event": number})
    assert [line["event"] for line in lines(outbox.take())] == list(range(3, MOST_EVENTS + 3))


def test_a_reader_who_does_not_read_costs_the_teller_nothing_and_gets_the_newest() -> None:
    async def scene() -> None:
        ours, theirs = socket.socketpair()
        theirs.setblocking(True)
        link = Link(lambda line: None)
        reader, writer = await asyncio.open_connection(sock=ours)
        talking = asyncio.create_task(link.run(reader, writer))
        for value in range(200):
            link.tell("board", ["x" * 10_000, value])  # far more than a socket holds
            await asyncio.sleep(0)
        told: list[Any] = []
        received = b""
        while not told or told[-1]["value"][1] != 199:
            received += await asyncio.to_thread(theirs.recv, 1 << 20)
            whole, _, received = received.rpartition(b"\n")
            told += lines(whole)
        assert len(told) < 200
        theirs.close()
        await asyncio.wait_for(talking, 5)

    asyncio.run(scene())


def test_what_comes_is_heard_until_the_other_end_is_gone_or_says_rubbish() -> None:
    async def scene() -> None:
        for last in (b"", b"not json\n", b'{"half": '):
            ours, theirs = socket.socketpair()
            heard: list[Any] = []
            reader, writer = await asyncio.open_connection(sock=ours, limit=LONGEST_LINE)
            talking = asyncio.create_task(Link(heard.append).run(reader, writer))
            theirs.sendall(b'{"ask": 1, "what": {}}\n' + last)
            theirs.close()
            await asyncio.wait_for(talking, 5)
            assert heard == [{"ask": 1, "what": {}}]

    asyncio.run(scene())

"""The wire between the table and the page: a JSON object a line, both ways.

To the page: ``{"topic": name, "value": ...}`` (only the newest of a topic counts), ``{"event": ...}`` and
``{"answer": number, "problem": text}``.  From it: ``{"ask": number, "what": {...}}``; with number 0 nobody
waits for an answer.

Whoever reads slowly delays nobody: what waits for him is bounded, and the newest wins.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

MOST_EVENTS = 500  # that wait for a reader
LONGEST_LINE = 1 << 20


class Outbox:
    """What is still to be told: the newest of each topic, the last events, all answers."""

    def __init__(self) -> None:
        self._topics: dict[str, Any] = {}
        self._lines: deque[Mapping[str, Any]] = deque(maxlen=MOST_EVENTS)

    def tell(self, topic: str, value: Any) -> None:
        """``value`` takes the place of what was not yet told of ``topic``."""
        self._topics[topic] = value

    def add(self, line: Mapping[str, Any]) -> None:
        """After all lines before; of too many the oldest are lost."""
        self._lines.append(line)

    def take(self) -> bytes:
        """All that waits, as lines; empty: nothing."""
        topics, self._topics = self._topics, {}
        told = [*self._lines, *({"topic": topic, "value": value} for topic, value in topics.items())]
        self._lines.clear()
        return b"".join(encode(line) for line in told)


def encode(line: Mapping[str, Any]) -> bytes:
    """A line of the wire."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class Link:
    """One end of the wire.  ``heard`` gets each object that the other end sends."""

    def __init__(self, heard: Callable[[dict[str, Any]], None]) -> None:
        self._heard = heard
        self._outbox = Outbox()
        self._waits = asyncio.Event()

    def tell(self, topic: str, value: Any) -> None:
        """The newest of ``topic``."""
        self._outbox.tell(topic, value)
        self._waits.set()

    def add(self, line: Mapping[str, Any]) -> None:
        """A line that is not replaced by a later one."""
        self._outbox.add(line)
        self._waits.set()

    async def run(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Talk until the other end is gone."""
        writer.transport.set_write_buffer_limits(high=0)  # what waits, waits in the outbox, where it ages
        sending = asyncio.create_task(self._send(writer))
        try:
            while line := await reader.readline():
                self._heard(json.loads(line))
        except (OSError, ValueError):  # reset by the other end, or half a line
            pass
        finally:
            sending.cancel()
            await asyncio.wait([sending])
            writer.close()

    async def _send(self, writer: asyncio.StreamWriter) -> None:
        while True:
            await self._waits.wait()
            self._waits.clear()
            writer.write(self._outbox.take())
            await writer.drain()

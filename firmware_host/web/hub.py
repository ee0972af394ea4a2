"""What the watchers see: the newest of each topic, encoded once for all of them.

A watcher holds nothing but how far he has got.  One who reads slowly skips what has been replaced meanwhile;
one who was away gets the newest of everything.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Iterable
from typing import Any, NamedTuple

MOST_EVENTS = 200  # of the live list
BEAT_S = 10.0  # a sign of life, so that a page notices when the line is dead
_BEAT = b"event: beat\ndata: 0\n\n"


class Frame(NamedTuple):
    """A server-sent event; ``version``: of the hub, when it was published."""

    version: int
    data: bytes


class Hub:
    """Topics and those who watch them."""

    def __init__(self) -> None:
        self.watchers: set[Watcher] = set()
        self.values: dict[str, Any] = {}
        self.is_closed = False
        self._epoch = secrets.token_hex(4)  # another one after every start: versions begin anew
        self._version = 0
        self._newest: dict[str, Frame] = {}
        self._events: deque[Frame] = deque(maxlen=MOST_EVENTS)

    def publish(self, topic: str, value: Any) -> None:
        """``value`` is the newest of ``topic``."""
        self.values[topic] = value
        self._newest[topic] = self._frame(topic, value)
        self._wake(topic)

    def add(self, value: Any) -> None:
        """One more of the live list, topic ``event``."""
        self._events.append(self._frame("event", value))
        self._wake("event")

    async def beat(self) -> None:
        """Give a sign of life now and then, to all at once, until cancelled."""
        while True:
            await asyncio.sleep(BEAT_S)
            for watcher in self.watchers:
                watcher.beats()

    def close(self) -> None:
        """The end: all watchers go home."""
        self.is_closed = True
        for watcher in self.watchers:
            watcher.changed.set()

    def seen(self, last_event_id: str) -> int:
        """The version that a watcher's ``Last-Event-ID`` stands for; 0: show him everything."""
        epoch, _, version = last_event_id.partition("-")
        known = epoch == self._epoch and version.isascii() and version.isdecimal() and len(version) < 16
        return min(int(version), self._version) if known else 0

    def since(self, version: int, topics: frozenset[str]) -> tuple[int, bytes]:
        """All of ``topics`` that is newer than ``version``, and the version after it."""
        frames = [self._newest[topic] for topic in topics if topic in self._newest]
        if "event" in topics:
            frames += self._events
        news = sorted(frame for frame in frames if frame.version > version)
        return self._version, b"".join(frame.data for frame in news)

    def _frame(self, topic: str, value: Any) -> Frame:
        self._version += 1
        data = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        text = f"event: {topic}\nid: {self._epoch}-{self._version}\ndata: {data}\n\n"
        return Frame(self._version, text.encode(errors="replace"))

    def _wake(self, topic: str) -> None:
        for watcher in self.watchers:
            if topic in watcher.topics:
                watcher.changed.set()


class Watcher:
    """One stream.  ``changed`` is set when there is news of its topics, and at the end."""

    def __init__(self, hub: Hub, topics: Iterable[str], last_event_id: str = "") -> None:
        self.topics = frozenset(topics)
        self.changed = asyncio.Event()
        self._hub = hub
        self._version = hub.seen(last_event_id)
        self._is_due = False  # a sign of life
        self.changed.set()

    def beats(self) -> None:
        """The next news are a sign of life, if there are no others."""
        self._is_due = True
        self.changed.set()

    def news(self) -> bytes:
        """What is new since the last call."""
        self.changed.clear()
        self._version, data = self._hub.since(self._version, self.topics)
        is_due, self._is_due = self._is_due, False
        return data or (_BEAT if is_due else b"")

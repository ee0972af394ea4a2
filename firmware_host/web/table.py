"""The table as the page knows it: what it told, and a way to ask it for something."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware_host.web.hub import Hub
from firmware_host.web.link import Link
from firmware_host.web.refusals import Refused

ANSWER_S = 3.0
BEAT_S = 5.0
MOST_WAITING = 32  # questions that the table has not answered yet


class Table:
    """``hub``: the newest of each topic.  ``store_path``: what is kept, to be read.

    ``on_board``: each gets what the scoreboard shows, each time it changes; ``on_beat``: each is called now
    and then.
    """

    def __init__(self, store_path: Path) -> None:
        self.hub = Hub()
        self.store_path = store_path
        self.link = Link(self._heard)
        self.on_board: list[Callable[[dict[str, Any]], None]] = []
        self.on_beat: list[Callable[[], None]] = []
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[str]] = {}

    @property
    def board(self) -> dict[str, Any]:
        """What the scoreboard shows; empty before the table has told."""
        board: dict[str, Any] = self.hub.values.get("board", {})
        return board

    async def ask(self, what: dict[str, Any]) -> None:
        """Have it done; Refused with the table's reason where it cannot be done now."""
        if len(self._waiting) >= MOST_WAITING:
            raise Refused(429, "too much at once; try again")
        number = next(self._numbers)
        waiting = self._waiting[number] = asyncio.get_running_loop().create_future()
        self.link.add({"ask": number, "what": what})
        try:
            async with asyncio.timeout(ANSWER_S):
                problem = await waiting
        except TimeoutError:
            raise Refused(409, "the table does not answer; look at the box") from None
        finally:
            del self._waiting[number]
        if problem:
            raise Refused(409, problem)

    def tell(self, what: dict[str, Any]) -> None:
        """Say something that needs no answer."""
        self.link.add({"ask": 0, "what": what})

    async def beat(self) -> None:
        """Do what is to be done now and then."""
        while True:
            await asyncio.sleep(BEAT_S)
            for done in self.on_beat:
                done()

    def close(self) -> None:
        """The table is gone: nobody waits for it any more."""
        self.hub.close()
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_result("the table is gone")

    def _heard(self, line: dict[str, Any]) -> None:
        if "topic" in line:
            self.hub.publish(line["topic"], line["value"])
            if line["topic"] == "board":
                for told in self.on_board:
                    told(line["value"])
        elif "event" in line:
            self.hub.add(line["event"])
        elif (waiting := self._waiting.get(line["answer"])) is not None and not waiting.done():
            waiting.set_result(line["problem"])

"""Who does what a builder's tool asks for: a person at the terminal, or the simulated box's hand."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from firmware_host.selftest.asking import Ask

if TYPE_CHECKING:
    from PIL import Image

ANSWERS = {"y": True, "yes": True, "n": False, "no": False}


class Guide(Protocol):
    """Leads through a test."""

    def asks(self, device: str, ask: Ask | None) -> None:
        """``ask`` has just been written for ``device``, "tile" or "button"; None: nothing is asked now."""

    def listen(self, answered: Callable[[str], None] | None) -> None:
        """Call ``answered`` in the loop with each line that is typed, which says "done"; None: nobody."""

    async def sees(self, wanted: Image.Image | str) -> bool | None:
        """Whether the panel shows ``wanted``, or the lamp or sound named so came; None: nobody says."""


class Person:
    """Somebody at the terminal, who types; *next* and *back* of the box say yes and no as well.

    An answer typed before its question is kept for it.
    """

    def __init__(self) -> None:
        self._answered: Callable[[str], None] | None = None
        self._answer: asyncio.Future[bool | None] | None = None
        self._kept: deque[bool | None] = deque()
        loop = asyncio.get_running_loop()
        # A daemon, as no reader of a terminal can be stopped.
        threading.Thread(target=self._read, args=(loop,), daemon=True).start()

    def asks(self, device: str, ask: Ask | None) -> None:
        """The text says it all."""

    def listen(self, answered: Callable[[str], None] | None) -> None:
        """Lines go to ``answered`` from now on."""
        self._answered = answered

    async def sees(self, wanted: Image.Image | str) -> bool | None:
        """The answer that is typed; None when there is nobody to type."""
        self._answer = asyncio.get_running_loop().create_future()
        if self._kept:
            # Who has left stays away.
            self.say(self._kept[0] if self._kept[0] is None else self._kept.popleft())
        return await self._answer

    def say(self, is_seen: bool | None) -> None:
        """Answer the question that waits, if one does."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(is_seen)

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            for line in sys.stdin:
                loop.call_soon_threadsafe(self._heard, line.strip().casefold())
            loop.call_soon_threadsafe(self._take, None)
        except (RuntimeError, ValueError, OSError):
            return  # the loop has ended, or the terminal has gone

    def _heard(self, line: str) -> None:
        if self._answered is not None:
            self._answered(line)
        elif line in ANSWERS:
            self._take(ANSWERS[line])

    def _take(self, is_seen: bool | None) -> None:
        if is_seen is None or self._answer is None or self._answer.done():
            self._kept.append(is_seen)
        self.say(is_seen)

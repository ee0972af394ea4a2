"""Whoever knows the odds, in a worker: it reckons while the table plays on, and the latest question wins."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from firmware_host.errors import RequirementError
from firmware_host.service.clock import SystemClock
from firmware_host.service.worker import DaemonWorker

if TYPE_CHECKING:
    from firmware_host.games.counsel import Counsel
    from firmware_host.table.effects import Ask

NAME = "coach"

_log = logging.getLogger(__name__)


class Adviser:
    """Answers questions about the game; ``answered`` gets the answer, in the loop."""

    def __init__(self, answered: Callable[[int, Counsel], None]) -> None:
        self._answered = answered
        self._worker = DaemonWorker(NAME)
        self._next: Ask | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        """A question is being worked on."""
        return self._task is not None

    def ask(self, question: Ask) -> None:
        """Work on ``question`` once the present one is answered; it takes the place of one that waits."""
        self._next = question
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._next is not None:
                question, self._next = self._next, None
                for part in _parts(question):
                    counsel = await loop.run_in_executor(self._worker, _counsel, part)
                    self._answered(part.seq, counsel)
                    if self._next is not None:
                        break
        finally:
            self._task = None

    async def close(self) -> None:
        """Ask no more; what is being worked on is forgotten."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._worker.shutdown()


def _parts(question: Ask) -> tuple[Ask, ...]:
    """The chances take longest: what is quick is answered first, above all what the box plays itself."""
    coach = replace(question.coach, chances=False)
    has_more = not coach.is_silent or question.game.match.opponent
    if not (question.coach.chances and has_more):
        return (question,)
    return (replace(question, coach=coach), question)


def _counsel(question: Ask) -> Counsel:
    # Here, not at the top: a table without odds is to load nothing of them.
    from firmware_host.games.counsel import NOTHING_KNOWN
    from firmware_host.games.sequence_dice import seats
    from firmware_host.games.sequence_dice.game import SequenceDice
    from firmware_host.games.shut_the_box.odds.coach import counsel

    try:
        if isinstance(question.game, SequenceDice):
            return seats.counsel(question.game, SystemClock().now)
        return counsel(question.game, question.coach)
    except RequirementError as error:
        _log.warning("no advice: %s", error)
    except Exception:  # noqa: BLE001  (whatever it was, the table waits for an answer)
        _log.exception("no advice")
    return NOTHING_KNOWN

"""The page beside a running table: what the table tells it, and what it asks the table for."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Callable
from typing import Any

from firmware_host.config import Config
from firmware_host.errors import RequirementError, RuleError
from firmware_host.games.shut_the_box.presets import PRESETS
from firmware_host.service.runner import Runner
from firmware_host.store.people import alike, clean, seats
from firmware_host.table.state import Session
from firmware_host.table.wishes import (
    EndTurn,
    HandOver,
    Rename,
    SetDice,
    SetScore,
    Start,
    TakeBack,
    Wish,
)
from firmware_host.web.process import Asked, WebProcess

AGAIN_S = 5.0
_NOT_YET = (errno.EADDRNOTAVAIL, socket.EAI_AGAIN)  # the address, or who could tell it, is not there yet
_log = logging.getLogger(__name__)


async def page_to_come(config: Config, asked: Asked) -> WebProcess | None:
    """As :func:`open_page`, but an address that the network has not given yet is waited for."""
    is_said = False
    while True:
        try:
            return open_page(config, asked, is_awaited=True)
        except OSError as error:
            if not is_said:
                _log.warning("no page yet: %s: %s", config.web.host, error.strerror)
            is_said = True
        await asyncio.sleep(AGAIN_S)


def open_page(
    config: Config, asked: Asked, *, is_bench: bool = False, is_awaited: bool = False
) -> WebProcess | None:
    """The page's process, still to be kept; None where there is none, which is said in a line.

    ``is_awaited``: an address that this machine does not have yet is raised as the OSError it is.
    """
    web = config.web
    if not web.port:
        return None
    try:
        return WebProcess(web.host, web.port, config.store_dir, asked, is_bench=is_bench)
    except RequirementError as error:
        _log.warning("no page: %s", error)
    except (OSError, UnicodeError) as error:  # UnicodeError: a host that cannot be a name
        if (
            is_bench and getattr(error, "errno", 0) == errno.EADDRINUSE
        ):  # another bench: any free port will do
            return WebProcess(web.host, 0, config.store_dir, asked, is_bench=True)
        if is_awaited and getattr(error, "errno", 0) in _NOT_YET:
            raise
        why = getattr(error, "strerror", None) or error
        _log.warning("no page: %s port %d: %s", web.host, web.port, why)
    return None


class TablePage:
    """Tells ``page`` what ``runner`` shows, and passes on what the keeper's phone asks for."""

    def __init__(self, page: WebProcess, runner: Runner, config: Config, now: Callable[[], float]) -> None:
        self._page, self._runner, self._config, self._now = page, runner, config, now
        runner.watch, runner.answered = self._watch, page.answer

    @property
    def is_ready(self) -> bool:
        """The table plays: what is asked of it can be done."""
        return self._runner.is_ready.is_set()

    def _watch(self, session: Session) -> None:
        from firmware_host.table.board import board  # late: the first picture goes without it

        told = board(session, self._now())
        if session.history.game is not None:  # whom the box plays is seated again so, not as a person
            for seat, opponent in zip(told["seats"], session.history.game.match.opponents, strict=False):
                seat["opponent"] = opponent
        self._page.tell("board", told)

    def asked(self, number: int, what: dict[str, Any]) -> None:
        """Pass on how the phone gets here, or what it asks for, as an event like those of hands."""
        from firmware_host.table.events import PhoneAsked, PhoneOffered

        match what:
            case {"phone": {"url": str(url), "digits": str(digits), "code": list(code)}}:
                self._runner.post(PhoneOffered(url, digits, tuple(code)))
            case {"wish": _} if not self.is_ready:
                self._page.answer(number, "the table is starting")
            case {"wish": dict(wish)}:
                try:
                    self._runner.post(PhoneAsked(number, self._read(wish)))
                except RuleError as error:
                    self._page.answer(number, str(error))

    def _read(self, wish: dict[str, Any]) -> Wish:
        """The wish, with names as they are known; RuleError for what is no name."""
        match wish:
            case {"do": "start", "players": players, "preset": preset, "source": source}:
                settings = PRESETS[preset].settings if preset else self._config.match_settings
                return Start(settings, seats(players, self._known), source or self._config.dice.played)
            case {"do": "dice", "dice": dice}:
                return SetDice(tuple(dice))
            case {"do": "score", "player": player, "total": total}:
                return SetScore(player, total)
            case {"do": "hand_over", "player": player}:
                return HandOver(player)
            case {"do": "rename", "player": player, "name": name}:
                return Rename(player, self._known(name, but=player))
            case {"do": "end_turn"}:
                return EndTurn()
            case {"do": "take_back"}:
                return TakeBack()
        raise RuleError(f"{wish!r} is no wish")

    def _known(self, typed: str, but: str = "") -> str:
        """Somebody known by that name, whatever its capitals (not who is to lose a name), or a new name."""
        people = (person for person in self._runner.session.people if person != but)
        return alike(typed, people) or clean(typed)

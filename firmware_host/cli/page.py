"""The page beside a running table: what the table tells it, and what it asks the table for."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable

from firmware_host.config import Config
from firmware_host.errors import RequirementError
from firmware_host.service.runner import Runner
from firmware_host.table.state import Session
from firmware_host.web.process import Asked, WebProcess

_log = logging.getLogger(__name__)


def open_page(config: Config, asked: Asked, *, is_bench: bool = False) -> WebProcess | None:
    """The page's process, still to be kept; None where it is off, which is said in a line."""
    web = config.web
    if not web.port:
        return None
    try:
        return WebProcess(web.host, web.port, config.store_dir, asked, is_bench=is_bench)
    except RequirementError as error:
        _log.warning("no page: %s", error)
    except OSError as error:
        if is_bench and error.errno == errno.EADDRINUSE:  # another bench: any free port will do
            return WebProcess(web.host, 0, config.store_dir, asked, is_bench=True)
        _log.warning("no page: %s port %d: %s", web.host, web.port, error.strerror or error)
    return None


class TablePage:
    """Tells ``page`` what ``runner`` shows, and passes on what the keeper's phone asks for."""

    def __init__(self, page: WebProcess, runner: Runner, now: Callable[[], float]) -> None:
        self._page, self._now = page, now
        runner.watch = self._watch

    def _watch(self, session: Session) -> None:
        from firmware_host.table.board import board  # late: the first picture goes without it

        self._page.tell("board", board(session, self._now()))

"""The turns of the match that is played, read from the store when it has grown."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from firmware_host.errors import JournalError
from firmware_host.store.looking import looking
from firmware_host.store.match_story import match_story
from firmware_host.web.table import Table

MOST_TURNS = 40  # the last ones; more are on the match's own page


def tell_history(table: Table) -> None:
    """Publish ``history`` each time the board tells of a new record; one look at the store at a time."""
    looker = _Looker(table)
    table.on_board.append(looker.board_told)


class _Looker:
    def __init__(self, table: Table) -> None:
        self._table = table
        self._told = (0, 0)  # match and seq
        self._looking: asyncio.Task[None] | None = None

    def board_told(self, board: dict[str, Any]) -> None:
        """Look, unless that is under way: then it looks again by itself."""
        if (board["match"], board["seq"]) != self._told and self._looking is None:
            self._looking = asyncio.create_task(self._look())

    async def _look(self) -> None:
        try:
            while (wanted := (self._table.board["match"], self._table.board["seq"])) != self._told:
                self._told = wanted
                turns = await asyncio.to_thread(recent_turns, self._table.store_path, wanted[0])
                self._table.hub.publish("history", {"match": wanted[0], "turns": turns})
        finally:
            self._looking = None


def recent_turns(path: Path, match: int) -> list[dict[str, Any]]:
    """The last turns of ``match``, the latest first; none where the store cannot be read."""
    try:
        with looking(path) as db:
            story = match_story(db, match)
    except JournalError:
        return []
    return story["turns"][: -MOST_TURNS - 1 : -1] if story is not None else []

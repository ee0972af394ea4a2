"""A page over a table that is not there: what it is asked for is written down and answered at once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from firmware_host.web.app import make_app
from firmware_host.web.refusals import Refused
from firmware_host.web.table import Table

URL = "http://127.0.0.1:8137"


class FakeTable(Table):
    """``asked``: what was asked for; ``told``: what needed no answer; ``problem``: the next answer."""

    def __init__(self, store_path: Path) -> None:
        super().__init__(store_path)
        self.asked: list[dict[str, Any]] = []
        self.told: list[dict[str, Any]] = []
        self.problem = ""

    async def ask(self, what: dict[str, Any]) -> None:
        if self.problem:
            raise Refused(409, self.problem)
        self.asked.append(what)

    def tell(self, what: dict[str, Any]) -> None:
        self.told.append(what)

    @property
    def digits(self) -> str:
        """What the panel would show now."""
        digits: str = self.told[-1]["phone"]["digits"]
        return digits

    def hear_board(self, match: int, *, is_over: bool = False) -> None:
        """The table tells what a scoreboard shows."""

        async def tell() -> None:
            board = {"match": match, "seq": 0, "is_over": is_over}
            self.hub.publish("board", board)
            for told in self.on_board:
                told(board)
            await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})

        asyncio.run(tell())


def client_of(table: Table, *, is_bench: bool) -> TestClient:
    app = make_app(table, lambda: URL, is_bench=is_bench)
    return TestClient(app, base_url=URL, headers={"origin": URL}, raise_server_exceptions=False)

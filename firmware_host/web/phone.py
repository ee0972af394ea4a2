"""The keeper's phone: digits in, wishes to the table, what is kept out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from firmware_host.errors import JournalError
from firmware_host.games.shut_the_box.presets import PRESETS
from firmware_host.store.export import FORMATS, WHAT, exported
from firmware_host.store.looking import looking
from firmware_host.store.queries import known_people
from firmware_host.web import files
from firmware_host.web.doorkeeper import DIGITS, SESSION_S, Doorkeeper
from firmware_host.web.guard import read_object
from firmware_host.web.names import read_name, read_players
from firmware_host.web.qr import qr_rows
from firmware_host.web.refusals import Refused, shown
from firmware_host.web.table import Table

COOKIE = "keeper"
MOST_PEOPLE = 50  # that are proposed
MOST_TOTAL = 99_999
_SOURCES = ("", "roller", "keypad", "none")
_DONE = 204


def routes(table: Table, find_url: Callable[[], str]) -> list[BaseRoute]:
    """The page and what it does; the table is told which digits count, and where ``find_url`` says it is."""
    desk = _Desk(table, find_url)
    return [
        Route("/keeper", files.page("keeper.html")),
        Route("/k", _short),
        Route("/K", _short),  # a QR code has room for capital letters
        Route("/keeper/state", desk.state),
        Route("/keeper/digits", desk.digits, methods=["POST"]),
        Route("/keeper/leave", desk.leave, methods=["POST"]),
        Route("/keeper/do", desk.do, methods=["POST"]),
        Route("/keeper/export/{name}", desk.export),
    ]


async def _short(_: Request) -> Response:
    return RedirectResponse("/keeper")


class _Desk:
    def __init__(self, table: Table, find_url: Callable[[], str]) -> None:
        self._table, self._find_url = table, find_url
        self._url = ""
        self._code: tuple[str, ...] = ()
        self._door = Doorkeeper(self._offer)
        self._door.renew()
        table.on_board.append(self._door.told)
        table.on_beat.append(self._look_again)

    def _look_again(self) -> None:
        """The network may have come, or given another address, since the last look."""
        if self._find_url() != self._url:
            self._offer()

    def _offer(self) -> None:
        url = self._find_url()
        if url != self._url:
            self._url, self._code = url, qr_rows(f"{url}/k")
        offered = {"url": f"{self._url}/k", "digits": self._door.digits, "code": self._code}
        self._table.tell({"phone": offered})

    async def state(self, request: Request) -> Response:
        """Whether this is the keeper, and then what can be chosen."""
        if not self._door.knows(_token(request), time.monotonic()):
            return JSONResponse({"is_keeper": False}, headers={"cache-control": "no-store"})
        people = await asyncio.to_thread(self._people)
        presets = [{"name": name, "line": preset.line} for name, preset in PRESETS.items()]
        state = {"is_keeper": True, "people": people, "presets": presets}
        return JSONResponse(state, headers={"cache-control": "no-store"})

    def _people(self) -> list[str]:
        try:
            with looking(self._table.store_path) as db:
                return known_people(db)[:MOST_PEOPLE]
        except JournalError:
            return []

    async def digits(self, request: Request) -> Response:
        """Open a session where the digits are right."""
        sent = await read_object(request)
        digits = sent.get("digits")
        if len(sent) != 1 or not isinstance(digits, str) or not (len(digits) == DIGITS and digits.isascii()):
            raise Refused(400, f"{DIGITS} digits, please")
        now = time.monotonic()
        token = self._door.let_in(digits, now)
        if token is None:
            wait_s = self._door.locked_for(now)
            if wait_s:
                raise Refused(
                    429, f"too many wrong digits; again in {wait_s:.0f} s, with those the box shows then"
                )
            raise Refused(403, "wrong digits; the box shows them: menu, Phone")
        response = Response(status_code=_DONE)
        response.set_cookie(
            COOKIE, token, max_age=int(SESSION_S), path="/keeper", httponly=True, samesite="strict"
        )
        return response

    async def leave(self, request: Request) -> Response:
        """Close the session."""
        self._door.let_out(_token(request))
        response = Response(status_code=_DONE)
        response.delete_cookie(COOKIE, path="/keeper", httponly=True, samesite="strict")
        return response

    async def do(self, request: Request) -> Response:
        """Ask the table for something."""
        self._check(request)
        wish = read_wish(await read_object(request))
        self._check(request)  # it may have ended while the rest came in
        token, is_start = _token(request), wish["do"] == "start"
        if is_start:
            self._door.starts_match(token)  # before: the table tells of the match before it answers
        try:
            await self._table.ask({"wish": wish})
        except Refused:
            if is_start:
                self._door.starts_none(token)
            raise
        return Response(status_code=_DONE)

    async def export(self, request: Request) -> Response:
        """A table of what is kept, as a file."""
        self._check(request)
        what, _, kind = request.path_params["name"].partition(".")
        if what not in WHAT or kind not in FORMATS:
            raise Refused(
                404, f"{shown(request.path_params['name'])} is none of {', '.join(WHAT)} as csv or json"
            )
        text = await asyncio.to_thread(exported, self._table.store_path, what, kind)
        headers = {
            "content-disposition": f'attachment; filename="{what}.{kind}"',
            "cache-control": "no-store",
        }
        return Response(text, headers=headers, media_type=FORMATS[kind])

    def _check(self, request: Request) -> None:
        if not self._door.knows(_token(request), time.monotonic()):
            raise Refused(401, "type the digits that the box shows first")


def _token(request: Request) -> str:
    return request.cookies.get(COOKIE, "")


def read_wish(sent: dict[str, Any]) -> dict[str, Any]:
    """A wish as the table takes it; Refused for anything that is none."""
    match sent:
        case {"do": "start", "players": list(players), "preset": str(preset), "source": str(source)}:
            if len(sent) == 4 and (preset in PRESETS or not preset) and source in _SOURCES:
                read_players(players)
                return sent
        case {"do": "take_back" | "end_turn"}:
            if len(sent) == 1:
                return sent
        case {"do": "dice", "dice": list(dice)}:
            if len(sent) == 2 and 1 <= len(dice) <= 2 and all(type(d) is int and 1 <= d <= 6 for d in dice):
                return sent
        case {"do": "score", "player": str(player), "total": int(total)}:
            if len(sent) == 3 and type(total) is int and read_name(player):
                if not 0 <= total <= MOST_TOTAL:
                    raise Refused(400, f"a total is 0 to {MOST_TOTAL}")
                return sent
        case {"do": "hand_over", "player": str(player)}:
            if len(sent) == 2 and read_name(player):
                return sent
        case {"do": "rename", "player": str(player), "name": str(name)}:
            if len(sent) == 3 and read_name(player) and read_name(name):
                return sent
    raise Refused(400, "that is nothing a keeper can ask for")

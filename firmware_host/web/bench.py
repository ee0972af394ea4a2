"""The simulated box at the page: routes that a real table does not have."""

from __future__ import annotations

from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from firmware_host.games.shut_the_box.presets import PRESETS
from firmware_host.web import files
from firmware_host.web.guard import read_object
from firmware_host.web.names import read_players
from firmware_host.web.refusals import Refused, shown
from firmware_host.web.streams import stream
from firmware_host.web.table import Table

WATCHED = ("board", "history", "bench", "oled", "screen", "event")
LONGEST_LINE = 500  # characters of a play
_BUTTONS = ("roll", "next", "back")
_DONE = 204


def routes(table: Table) -> list[BaseRoute]:
    """The page, its stream, and what hands can do."""
    return [
        Route("/bench", files.page("bench.html")),
        Route("/bench/stream", partial(_watch, table)),
        Route("/bench/do", partial(_do, table), methods=["POST"]),
        Route("/bench/play", partial(_play, table)),
    ]


async def _watch(table: Table, request: Request) -> Response:
    return stream(request, table.hub, WATCHED)


async def _do(table: Table, request: Request) -> Response:
    await table.ask({"bench": read_deed(await read_object(request))})
    return Response(status_code=_DONE)


def read_deed(sent: dict[str, Any]) -> dict[str, Any]:
    """What hands do: ``line`` of a play, ``button`` and whether it is ``down``, dice to ``lay``, or a match.

    Of a match: ``players`` and ``preset``.
    """
    match sent:
        case {"line": str(line)} if len(sent) == 1 and len(line) <= LONGEST_LINE and line.isprintable():
            return sent
        case {"button": str(button), "down": bool()} if len(sent) == 2 and button in _BUTTONS:
            return sent
        case {"players": list(names), "preset": str(preset)} if len(sent) == 2 and preset in PRESETS:
            read_players(names)
            return sent
        case {"lay": list(dice)} if len(sent) == 1 and len(dice) <= 2 and all(map(_is_die, dice)):
            return sent
    raise Refused(400, f"{shown(sent)} is no line, button or dice")


def _is_die(value: object) -> bool:
    return type(value) is int and 1 <= value <= 6


async def _play(table: Table, _: Request) -> Response:
    play = table.hub.values.get("play", "")
    headers = {"content-disposition": 'attachment; filename="my.play"', "cache-control": "no-store"}
    return PlainTextResponse(play, headers=headers)

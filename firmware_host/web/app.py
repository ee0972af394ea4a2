"""Every route, in one table."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from firmware_host.web import bench, files, people, phone
from firmware_host.web.guard import Guard
from firmware_host.web.history import tell_history
from firmware_host.web.refusals import on_http_exception, refuse
from firmware_host.web.streams import stream
from firmware_host.web.table import Table

WATCHED = ("board", "history", "page")
_log = logging.getLogger(__name__)


def make_app(table: Table, find_url: Callable[[], str], *, is_bench: bool = False) -> Starlette:
    """The page over ``table``; ``find_url``: where phones find it; ``is_bench``: with the simulated box."""
    routes: list[BaseRoute] = [
        Route("/", files.page("board.html")),
        Route("/stream", _with(table, _watch)),
        Route("/static/{name}", files.static),
        *people.routes(table),
        *phone.routes(table, find_url),
    ]
    if is_bench:
        routes += bench.routes(table)
    tell_history(table)
    table.hub.publish("page", {"is_bench": is_bench})
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Guard)],
        exception_handlers={HTTPException: on_http_exception, Exception: _our_fault},
    )
    app.router.redirect_slashes = False  # an address with a slash too many is none of ours
    return app


async def _watch(table: Table, request: Request) -> Response:
    return stream(request, table.hub, WATCHED)


def _with(
    table: Table, route: Callable[[Table, Request], Awaitable[Response]]
) -> Callable[[Request], Awaitable[Response]]:
    return partial(route, table)


async def _our_fault(_: Request, error: Exception) -> Response:
    _log.error("the page failed", exc_info=error)
    return refuse(500, "the page failed; it is in the log")

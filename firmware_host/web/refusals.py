"""Requests that are not served, each answered in one line."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

MOST_SHOWN = 80  # characters of what somebody sent


def refuse(status: int, why: str) -> Response:
    """A line of text that says why."""
    return PlainTextResponse(" ".join(why.split()) + "\n", status)


class Refused(HTTPException):
    """Raised anywhere in a route: answered with ``status`` and ``why`` in one line."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(status, " ".join(why.split()))


async def on_http_exception(_: Request, error: Exception) -> Response:
    """Starlette's own refusals (no such page, wrong method) and ours."""
    assert isinstance(error, HTTPException)
    response = refuse(error.status_code, error.detail or "refused")
    for key, value in (error.headers or {}).items():
        response.headers[key] = value
    return response


def shown(text: object) -> str:
    """What somebody sent, short enough for a line."""
    whole = repr(text)
    return whole if len(whole) <= MOST_SHOWN else f"{whole[: MOST_SHOWN - 3]}..."

"""What every request passes: the host it names, where it comes from, how much it sends.

A page of somebody else must neither read the table through a visitor's browser (its name may be made to
lead to this machine, so the Host counts) nor make it do anything (so the Origin counts).
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from firmware_host.web.refusals import Refused, refuse

MOST_BODY = 4096  # bytes: the longest thing to say is eight names
BODY_S = 5.0  # half a request is waited for so long
_OWN = "'self'"
POLICY = "; ".join(
    (
        "default-src 'none'",
        f"script-src {_OWN}",
        f"style-src {_OWN}",
        f"img-src {_OWN}",
        f"connect-src {_OWN}",
        f"form-action {_OWN}",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_SAYS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
# Names that only a network of one's own gives: no stranger can make one of them lead here.
_HOME = re.compile(r"[a-z0-9-]+(\.(local|lan|home|internal|localdomain|fritz\.box|home\.arpa))?")


class Guard:
    """Around the whole app."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may pass; say the policy with every answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def say(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for key, value in _SAYS.items():
                    headers[key] = value
                headers.setdefault("cache-control", "no-cache")
            await send(message)

        problem = _problem(Headers(scope=scope), scope["method"])
        app = refuse(403, problem) if problem else self._app
        if not scope["query_string"].isascii():
            app = refuse(400, "what follows the ? is no address")
        await app(scope, receive, say)


def _problem(headers: Headers, method: str) -> str:
    """Why the request may not pass; empty: it may."""
    host = headers.get("host", "").lower()
    if not is_home(host):
        return f"{host[:80]!r} is no name of this table; use its address"
    origin = headers.get("origin")
    if method not in ("GET", "HEAD") and origin != f"http://{host}":
        return "asked from another page"
    return ""


def is_home(host: str) -> bool:
    """Is ``host``, as in the Host header, an address or a name that only the own network gives?

    >>> is_home("192.168.1.5:8137"), is_home("box.local"), is_home("example.org")
    (True, True, False)
    """
    name = re.sub(r":\d{1,5}$", "", host)
    if name.startswith("[") and name.endswith("]"):
        name = name[1:-1]
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return len(name) <= 253 and _HOME.fullmatch(name) is not None
    return True


async def read_object(request: Request) -> dict[str, Any]:
    """The JSON object that ``request`` holds; Refused for anything else, for too much, and for half of it."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(415, "send application/json")
    body = b""
    try:
        async with asyncio.timeout(BODY_S):
            async for part in request.stream():
                body += part
                if len(body) > MOST_BODY:
                    raise Refused(413, f"more than {MOST_BODY} bytes")
    except TimeoutError:
        raise Refused(408, f"the rest did not come within {BODY_S:g} s") from None
    except ClientDisconnect:
        raise Refused(400, "gone before all was said") from None
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "not JSON") from None
    if not isinstance(found, dict):
        raise Refused(400, "not a JSON object")
    return found

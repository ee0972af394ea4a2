"""What is served as it lies in the package."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from firmware_host.web.refusals import Refused

FOLDER = Path(__file__).with_name("static")
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def page(name: str) -> Callable[[Request], Awaitable[Response]]:
    """A route that serves the page ``name``."""

    async def serve(request: Request) -> Response:
        return _file(request, name)

    return serve


async def static(request: Request) -> Response:
    """The file that the path names."""
    return _file(request, request.path_params["name"])


def _file(request: Request, name: str) -> Response:
    found = _files().get(name)
    if found is None:
        raise Refused(404, "no such file")
    content, tag = found
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"etag": tag})
    return Response(content, headers={"etag": tag}, media_type=_TYPES[Path(name).suffix])


@cache
def _files() -> dict[str, tuple[bytes, str]]:
    """All there are, by name, with a tag that changes when they do; a name is looked up, never joined."""
    contents = {path.name: path.read_bytes() for path in FOLDER.iterdir() if path.suffix in _TYPES}
    return {
        name: (content, f'"{hashlib.sha256(content).hexdigest()[:16]}"') for name, content in contents.items()
    }

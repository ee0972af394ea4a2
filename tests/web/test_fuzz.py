"""Whatever is asked of whatever route: no 5xx, and every refusal is a line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fake_table import URL, FakeTable
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.routing import Route

from firmware_host.web.app import make_app

TRIED = (
    "/", "/stream", "/bench", "/bench/do", "/bench/play", "/bench/stream", "/keeper", "/k", "/K",
    "/keeper/state", "/keeper/digits", "/keeper/leave", "/keeper/do", "/people", "/person", "/matches",
)  # fmt: skip
PATHS = st.sampled_from(
    (*TRIED, "/matches/1", "/matches/" + "9" * 5000, "/static/box.js", "/keeper/export/turns.csv")
)
WORDS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ["start", "take_back", "end_turn", "dice", "score", "hand_over", "rename", "pub", "roller", "roll"]
    ),
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)
KEYS = st.sampled_from(
    [
        "do",
        "line",
        "button",
        "down",
        "lay",
        "digits",
        "players",
        "preset",
        "source",
        "dice",
        "player",
        "total",
        "name",
    ]
)
BODIES = st.one_of(
    st.binary(max_size=200),
    st.dictionaries(KEYS, VALUES, max_size=5).map(lambda body: json.dumps(body).encode()),
    VALUES.map(lambda body: json.dumps(body).encode()),
)
TEXT = st.text(max_size=20)
ANY_PATH = st.one_of(
    PATHS,
    st.tuples(PATHS, TEXT).map("/".join),
    st.tuples(st.sampled_from(["/matches/", "/static/", "/keeper/export/"]), TEXT).map("".join),
)
QUERIES = st.one_of(st.binary(max_size=20), TEXT.map(lambda name: b"name=" + quote(name).encode()))
METHODS = st.sampled_from(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
NAMES = st.sampled_from(
    [b"origin", b"host", b"cookie", b"content-type", b"if-none-match", b"accept", b"last-event-id"]
)
HEADERS = st.dictionaries(NAMES, st.binary(max_size=40), max_size=3)


class Keeper:
    """Asks a bench, which has every route, as its keeper; without a socket, so that anything can be said."""

    def __init__(self, folder: Path, loop: asyncio.Runner) -> None:
        self._loop = loop
        self.table = FakeTable(folder / "none.db")
        self.app = make_app(self.table, lambda: URL, is_bench=True)
        self.cookie = b""
        digits = json.dumps({"digits": self.table.digits}).encode()
        headers = self.ask("POST", "/keeper/digits", b"", {}, digits, is_half=False)[1]
        self.cookie = headers[b"set-cookie"].partition(b";")[0]

    def ask(
        self, method: str, path: str, query: bytes, headers: dict[bytes, bytes], body: bytes, *, is_half: bool
    ) -> tuple[int, dict[bytes, bytes], bytes]:
        """Status, headers and body of the answer; ``is_half``: gone before the rest came."""
        usual = {b"host": URL[7:].encode(), b"origin": URL.encode(), b"cookie": self.cookie,
                 b"content-type": b"application/json"}  # fmt: skip
        scope = {
            "type": "http", "http_version": "1.1", "method": method, "scheme": "http", "path": path,
            "raw_path": quote(path).encode(), "query_string": query, "root_path": "",
            "headers": list({**usual, **headers}.items()), "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8137),
        }  # fmt: skip
        heard: list[Any] = [{"type": "http.request", "body": body, "more_body": is_half}]
        answer: list[Any] = []

        async def receive() -> Any:
            return heard.pop(0) if heard else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            answer.append(message)

        self._loop.run(self.app(scope, receive, send))
        text = b"".join(message.get("body", b"") for message in answer[1:])
        return answer[0]["status"], dict(answer[0]["headers"]), text


@pytest.fixture(scope="module")
def keeper(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keeper]:
    with asyncio.Runner() as loop:
        yield Keeper(tmp_path_factory.mktemp("store"), loop)


def test_every_route_is_among_those_that_are_tried(keeper: Keeper) -> None:
    tried = {"/matches/{number}", "/static/{name}", "/keeper/export/{name}", *TRIED}
    assert {route.path for route in keeper.app.routes if isinstance(route, Route)} <= tried


@given(ANY_PATH, METHODS, QUERIES, HEADERS, BODIES, st.booleans())
@settings(max_examples=10 * settings().max_examples, suppress_health_check=list(HealthCheck))
def test_no_request_is_our_fault(
    keeper: Keeper,
    path: str,
    method: str,
    query: bytes,
    headers: dict[bytes, bytes],
    body: bytes,
    is_half: bool,
) -> None:
    status, _, text = keeper.ask(method, path, query, headers, body, is_half=is_half)
    assert status < 500
    if status >= 400 and method != "HEAD":
        assert text.count(b"\n") == 1


@given(st.sampled_from(["/keeper/do", "/keeper/digits", "/bench/do"]), BODIES, st.booleans())
@settings(max_examples=10 * settings().max_examples, suppress_health_check=list(HealthCheck))
def test_no_body_is_our_fault(keeper: Keeper, path: str, body: bytes, is_half: bool) -> None:
    status, _, text = keeper.ask("POST", path, b"", {}, body, is_half=is_half)
    assert status < 500
    if status >= 400:
        assert text.count(b"\n") == 1

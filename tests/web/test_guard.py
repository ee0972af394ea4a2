"""What every request passes."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from firmware_host.web.guard import MOST_BODY, is_home


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:8137", "[::1]:8137", "localhost:8137", "192.168.1.5", "box", "box.local:80",
     "box.fritz.box", "my-box.home.arpa:1"],
)  # fmt: skip
def test_addresses_and_names_of_the_own_network_are_home(host: str) -> None:
    assert is_home(host)


@pytest.mark.parametrize(
    "host",
    ["", "example.org", "example.org:8137", "localhost.example.org", "127.0.0.1.example.org", "a b",
     "box.local.", "fritz.box.evil", "[::1", "127.0.0.1:x", "x" * 300],
)  # fmt: skip
def test_all_other_names_are_not(host: str) -> None:
    assert not is_home(host)


def test_a_page_under_a_strangers_name_reads_nothing(client: TestClient) -> None:
    answer = client.get("/", headers={"host": "evil.example"})
    assert answer.status_code == 403
    assert answer.text == "'evil.example' is no name of this table; use its address\n"


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "https://127.0.0.1:8137"]
)
@pytest.mark.parametrize("path", ["/keeper/digits", "/keeper/do", "/keeper/leave", "/bench/do"])
def test_nothing_is_done_for_another_page(bench: TestClient, table: Any, path: str, origin: str) -> None:
    answer = bench.post(path, json={"line": "power off"}, headers={"origin": origin})
    assert (answer.status_code, answer.text) == (403, "asked from another page\n")
    assert table.asked == []


def test_nothing_is_done_for_who_does_not_say_where_he_comes_from(bench: TestClient, table: Any) -> None:
    del bench.headers["origin"]
    assert bench.post("/bench/do", json={"line": "power off"}).status_code == 403
    assert table.asked == []


@pytest.mark.parametrize("path", ["/", "/people", "/keeper", "/static/box.js", "/nothing", "/keeper/state"])
def test_every_answer_says_the_policy(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("content", "kind", "status", "why"),
    [
        (b"{", "application/json", 400, "not JSON\n"),
        (b"", "application/json", 400, "not JSON\n"),
        (b"\xff\xfe", "application/json", 400, "not JSON\n"),
        (b"[" * 3000, "application/json", 400, "not JSON\n"),
        (b"[1]", "application/json", 400, "not a JSON object\n"),
        (b"{}", "text/plain", 415, "send application/json\n"),
        (b"a=1", "application/x-www-form-urlencoded", 415, "send application/json\n"),
        (b'{"a": "' + b"x" * MOST_BODY + b'"}', "application/json", 413, f"more than {MOST_BODY} bytes\n"),
    ],
)
def test_what_is_malformed_or_too_much_is_refused_in_a_line(
    bench: TestClient, table: Any, content: bytes, kind: str, status: int, why: str
) -> None:
    answer = bench.post("/bench/do", content=content, headers={"content-type": kind})
    assert (answer.status_code, answer.text) == (status, why)
    assert table.asked == []


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/x", 404), ("POST", "/", 405), ("PUT", "/people", 405)]
)
def test_what_is_not_there_is_a_line_too(client: TestClient, method: str, path: str, status: int) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert answer.text.count("\n") == 1

"""What only the simulated box's page has."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

BENCH = ("/bench", "/bench/stream", "/bench/do", "/bench/play")


@pytest.mark.parametrize("path", BENCH)
def test_at_a_real_table_there_is_no_bench(client: TestClient, table: Any, path: str) -> None:
    assert client.get(path).status_code == 404
    assert client.post(path, json={"line": "shut 5"}).status_code == 404
    assert table.asked == []


@pytest.mark.parametrize(
    "deed",
    [{"line": "shut 5"}, {"line": "nonsense"}, {"button": "roll", "down": True},
     {"button": "back", "down": False}, {"lay": [3, 5]}, {"lay": [6]}, {"lay": []},
     {"players": ["Ann", 'B"ob'], "preset": "pub"}],
)  # fmt: skip
def test_what_hands_do_is_passed_on(bench: TestClient, table: Any, deed: dict[str, Any]) -> None:
    assert bench.post("/bench/do", json=deed).status_code == 204
    assert table.asked == [{"bench": deed}]


@pytest.mark.parametrize(
    "deed",
    [{}, {"line": 3}, {"line": "x" * 501}, {"line": "shut 5\nshut 6"}, {"line": "shut 5", "more": 1},
     {"button": "roll"}, {"button": "roll", "down": 1}, {"button": "start", "down": True}, {"lay": [0]},
     {"lay": [7]}, {"lay": [1, 2, 3]}, {"lay": [True]}, {"lay": "35"},
     {"players": ["Ann"], "preset": "casino"},
     {"players": "Ann", "preset": "pub"},
     {"wish": {"do": "take_back"}}],
)  # fmt: skip
def test_anything_else_is_refused_in_a_line(bench: TestClient, table: Any, deed: dict[str, Any]) -> None:
    answer = bench.post("/bench/do", json=deed)
    assert answer.status_code == 400
    assert answer.text.endswith("is no line, button or dice\n")
    assert answer.text.count("\n") == 1
    assert table.asked == []


def test_what_the_box_cannot_do_is_said(bench: TestClient, table: Any) -> None:
    table.problem = "the box has no tile 12"
    answer = bench.post("/bench/do", json={"line": "shut 12"})
    assert (answer.status_code, answer.text) == (409, "the box has no tile 12\n")


def test_the_play_is_a_file(bench: TestClient, table: Any) -> None:
    table.hub.publish("play", "players Ann\nroll 3 5\n")
    answer = bench.get("/bench/play")
    assert answer.text == "players Ann\nroll 3 5\n"
    assert answer.headers["content-disposition"] == 'attachment; filename="my.play"'

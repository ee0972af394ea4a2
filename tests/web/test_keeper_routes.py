"""The keeper's phone: who may, and what may be asked for."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from firmware_host.web.app import make_app

NOT_YET = "type the digits that the box shows first\n"
WISHES: list[dict[str, Any]] = [
    {"do": "start", "players": ["Ann", "Bob"], "preset": "pub", "source": ""},
    {"do": "start", "players": ["<script>alert(1)</script>"], "preset": "", "source": "keypad"},
    {"do": "take_back"}, {"do": "end_turn"}, {"do": "dice", "dice": [3, 5]}, {"do": "dice", "dice": [6]},
    {"do": "score", "player": "Ann", "total": 12}, {"do": "hand_over", "player": "Bob"},
    {"do": "rename", "player": "Player 1", "name": "Ann"},
]  # fmt: skip


@pytest.fixture
def keeper(client: TestClient, table: Any) -> TestClient:
    """Who has typed the digits."""
    assert client.post("/keeper/digits", json={"digits": table.digits}).status_code == 204
    return client


def test_the_panel_is_told_digits_address_and_code(client: TestClient, table: Any) -> None:
    phone = table.told[-1]["phone"]
    assert phone["url"] == "http://127.0.0.1:8137/k"
    assert phone["digits"].isdecimal()
    assert len(phone["digits"]) == 4
    assert len(phone["code"]) == len(phone["code"][0]) in (21, 25, 29)


@pytest.mark.parametrize("path", ["/k", "/K"])
def test_the_short_address_leads_to_the_page(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.url.path == "/keeper"
    assert answer.status_code == 200


@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: wish["do"])
def test_without_digits_anybody_only_watches(client: TestClient, table: Any, wish: dict[str, Any]) -> None:
    answer = client.post("/keeper/do", json=wish)
    assert (answer.status_code, answer.text) == (401, NOT_YET)
    assert client.get("/keeper/export/turns.csv").status_code == 401
    assert client.get("/keeper/state").json() == {"is_keeper": False}
    assert table.asked == []


@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: wish["do"])
def test_a_keeper_s_wishes_are_passed_on(keeper: TestClient, table: Any, wish: dict[str, Any]) -> None:
    assert keeper.post("/keeper/do", json=wish).status_code == 204
    assert table.asked == [{"wish": wish}]


@pytest.mark.parametrize(
    "wish",
    [{}, {"do": "fly"}, {"do": 3}, {"do": "take_back", "more": 1}, {"do": "dice", "dice": []},
     {"do": "dice", "dice": [1, 2, 3]}, {"do": "dice", "dice": [7]}, {"do": "dice", "dice": [True]},
     {"do": "score", "player": "Ann", "total": -1}, {"do": "score", "player": "Ann", "total": 1.5},
     {"do": "score", "player": "Ann", "total": True}, {"do": "score", "player": "Ann", "total": 100_000},
     {"do": "score", "player": "", "total": 1}, {"do": "rename", "player": "Ann", "name": "a\nb"},
     {"do": "rename", "player": "Ann", "name": "x" * 100}, {"do": "hand_over", "player": ["Ann"]},
     {"do": "start", "players": [], "preset": "", "source": ""},
     {"do": "start", "players": ["Ann"] * 21, "preset": "", "source": ""},
     {"do": "start", "players": ["Ann"], "preset": "casino", "source": ""},
     {"do": "start", "players": ["Ann"], "preset": "", "source": "casino"},
     {"do": "start", "players": [3], "preset": "", "source": ""}],
)  # fmt: skip
def test_anything_else_is_refused_in_a_line(keeper: TestClient, table: Any, wish: dict[str, Any]) -> None:
    answer = keeper.post("/keeper/do", json=wish)
    assert answer.status_code == 400
    assert "{" not in answer.text
    assert answer.text.count("\n") == 1
    assert table.asked == []


def test_what_the_table_refuses_is_told(keeper: TestClient, table: Any) -> None:
    table.problem = "nothing to undo"
    answer = keeper.post("/keeper/do", json={"do": "take_back"})
    assert (answer.status_code, answer.text) == (409, "nothing to undo\n")


def test_the_cookie_is_for_nobody_s_scripts_and_for_no_other_page(client: TestClient, table: Any) -> None:
    answer = client.post("/keeper/digits", json={"digits": table.digits})
    parts = {part.strip().lower() for part in answer.headers["set-cookie"].split(";")}
    assert {"httponly", "samesite=strict", "path=/keeper", "max-age=43200"} <= parts


@pytest.mark.parametrize("digits", [None, 4711, "", "471", "47110", "４７１１", ["4711"]])
def test_what_are_no_digits_is_refused_and_not_counted(
    client: TestClient, table: Any, digits: object
) -> None:
    for _ in range(10):
        assert client.post("/keeper/digits", json={"digits": digits}).status_code == 400
    assert client.post("/keeper/digits", json={"digits": table.digits}).status_code == 204


def test_five_wrong_digits_lock_the_right_ones_out_too(client: TestClient, table: Any) -> None:
    for _ in range(5):
        wrong = f"{(int(table.digits) + 1) % 10_000:04}"
        last = client.post("/keeper/digits", json={"digits": wrong})
    assert last.status_code == 429
    answer = client.post("/keeper/digits", json={"digits": table.digits})
    assert answer.status_code == 429
    assert answer.text.startswith("too many wrong digits; again in ")
    assert answer.text.count("\n") == 1


def test_with_the_match_the_session_ends(keeper: TestClient, table: Any) -> None:
    table.hear_board(1)
    assert keeper.get("/keeper/state").json()["is_keeper"]
    table.hear_board(1, is_over=True)
    assert not keeper.get("/keeper/state").json()["is_keeper"]
    assert keeper.post("/keeper/do", json={"do": "take_back"}).status_code == 401


def test_who_gives_the_keys_back_only_watches_again(keeper: TestClient) -> None:
    assert keeper.post("/keeper/leave", json={}).status_code == 204
    assert keeper.post("/keeper/do", json={"do": "take_back"}).status_code == 401


@pytest.mark.parametrize(("name", "start"), [("turns.csv", "match,turn,round"), ("people.json", "[]")])
def test_what_is_kept_is_a_file_also_before_anything_is(keeper: TestClient, name: str, start: str) -> None:
    answer = keeper.get(f"/keeper/export/{name}")
    assert answer.text.startswith(start)
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'


@pytest.mark.parametrize("name", ["turns", "turns.xml", "secrets.csv", "..csv"])
def test_what_is_not_kept_is_404(keeper: TestClient, name: str) -> None:
    assert keeper.get(f"/keeper/export/{name}").status_code == 404


def test_a_start_that_the_table_refuses_starts_nothing_later(keeper: TestClient, table: Any) -> None:
    table.hear_board(1)
    table.problem = "Ann and Ann are the same"
    assert keeper.post("/keeper/do", json=WISHES[0]).status_code == 409
    table.hear_board(2)
    assert not keeper.get("/keeper/state").json()["is_keeper"]


def test_a_network_that_comes_later_is_in_the_code_by_the_next_look(table: Any) -> None:
    urls = ["http://127.0.0.1:8137"]
    make_app(table, lambda: urls[-1])
    before = table.told[-1]["phone"]
    table.on_beat[0]()
    assert table.told[-1]["phone"] is before
    urls.append("http://192.168.1.5:8137")
    table.on_beat[0]()
    after = table.told[-1]["phone"]
    assert (after["url"], after["digits"]) == ("http://192.168.1.5:8137/k", before["digits"])
    assert after["code"] != before["code"]


@pytest.mark.parametrize(
    ("wish", "why"),
    [({"do": "start", "players": [], "preset": "", "source": ""}, "name at least one player\n"),
     ({"do": "start", "players": ["Ann"] * 21, "preset": "", "source": ""}, "at most 20 players\n"),
     ({"do": "rename", "player": "Ann", "name": "a\nb"},
      "'a\\nb' is no name: 1 to 20 characters, please\n"),
     ({"do": "rename", "player": "Ann", "name": " "}, "a name, please\n"),
     ({"do": "score", "player": "Ann", "total": 100_000}, "a total is 0 to 99999\n")],
)  # fmt: skip
def test_what_is_wrong_is_said_in_words(keeper: TestClient, wish: dict[str, Any], why: str) -> None:
    answer = keeper.post("/keeper/do", json=wish)
    assert (answer.status_code, answer.text) == (400, why)

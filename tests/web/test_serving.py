"""The real thing: two processes, sockets, streams that stay open, and the end of it."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import ROOT, Served, serving

from firmware_host.cli.main import main


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving("bench", "--set", f"store.dir={tmp_path_factory.mktemp('store')}") as served:
        yield served


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    with serving("run", "--set", f"store.dir={tmp_path}") as served:
        yield served


def test_a_real_table_has_a_scoreboard_and_no_bench(table: Served) -> None:
    assert table.board()["player"] == "Player 1"
    assert table.get("/bench")[0] == 404
    assert table.post("/bench/do", {"line": "roll 3 5"}) == (404, "Not Found\n")


def test_what_hands_do_at_the_bench_is_seen_on_the_scoreboard(bench: Served) -> None:
    bench.do("players Ann Bob")
    bench.do("roll 3 5")
    stream = (value for topic, value in bench.stream("/stream") if topic == "board")
    assert next(board for board in stream if board["dice"])["dice"] == [3, 5]
    bench.do("shut 8")
    assert next(board for board in stream if 8 not in board["open"])["scene"] == "done"


def test_the_digits_on_the_panel_open_the_door_and_the_phone_starts_a_match(bench: Served) -> None:
    bench.do("press next 1.1s")
    time.sleep(0.3)
    for _ in range(5):
        bench.do("press roll")
        time.sleep(0.1)
    bench.do("press next")
    screens = (value for topic, value in bench.stream("/bench/stream") if topic == "screen")
    digits = next(lines[1] for lines in screens if lines[0] == "Phone")
    headers = {"origin": bench.url, "content-type": "application/json"}
    connection = socket.create_connection(("127.0.0.1", bench.port), timeout=20)
    with contextlib.closing(connection):
        body = f'{{"digits": "{digits}"}}'
        head = "".join(f"{key}: {value}\r\n" for key, value in headers.items())
        request = f"POST /keeper/digits HTTP/1.1\r\nhost: 127.0.0.1:{bench.port}\r\n{head}"
        connection.sendall(f"{request}content-length: {len(body)}\r\n\r\n{body}".encode())
        answer = connection.recv(4000).decode()
    cookie = next(line for line in answer.splitlines() if line.startswith("set-cookie"))[12:].partition(";")[
        0
    ]
    start = {"do": "start", "players": ["Zoe", "zoe"], "preset": "cards", "source": ""}
    assert bench.post("/keeper/do", start, cookie) == (204, "")
    board = bench.board()
    assert [seat["name"] for seat in board["seats"]] == ["Zoe", "zoe 2"]
    assert board["tiles"] == list(range(1, 11))
    assert bench.post("/keeper/do", {"do": "dice", "dice": [1, 2]}, cookie)[0] == 409


def test_what_was_done_by_hand_can_be_played_again(bench: Served, tmp_path: Path) -> None:
    bench.do("set rules.preset masters")
    bench.do('players Ann "Bob B"')
    bench.do("open all")
    time.sleep(0.5)
    bench.post("/bench/do", {"button": "roll", "down": True})
    bench.post("/bench/do", {"button": "roll", "down": False})
    stream = (value for topic, value in bench.stream("/stream") if topic == "board")
    board = next(board for board in stream if board["dice"])
    for tile in board["legal"][0]:
        bench.do(f"shut {tile}")
    next(board for board in stream if board["scene"] == "done")
    text = bench.get("/bench/play")[1]
    play = tmp_path / "my.play"
    play.write_text(text, encoding="utf-8")
    assert "press roll" not in text
    assert main(["bench", str(play)]) == 0


def test_a_power_cut_at_the_bench_leaves_the_page(bench: Served) -> None:
    bench.do("power off")
    assert bench.post("/bench/do", {"line": "players Ann"}) == (409, "the power is off\n")
    assert bench.get("/")[0] == 200
    bench.do("power on")
    stream = (value for topic, value in bench.stream("/bench/stream") if topic == "screen")
    assert "Resumed" in " ".join(next(lines for lines in stream if "Resumed" in lines))


HALVES = [
    b"",
    b"GET / HT",
    b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n",
    b"POST /bench/do HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: http://127.0.0.1\r\n"
    b'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"line": "shut',
]


def test_requests_that_never_end_hold_nobody_up(bench: Served) -> None:
    half = [socket.create_connection(("127.0.0.1", bench.port), timeout=20) for _ in HALVES]
    for connection, start in zip(half, HALVES, strict=True):
        connection.sendall(start)
    assert bench.get("/")[0] == 200
    for connection in half:
        connection.close()
    assert bench.get("/")[0] == 200


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\n\r\n", b"400"),
        (b"GET /" + b"x" * 40_000 + b" HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n", b"404"),
        (b"POST /bench/do HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: -5\r\n\r\n", b"400"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20 + b"\r\n\r\n", b"400"),
    ],
    ids=["nonsense", "no host", "too long", "negative length", "TLS"],
)
def test_what_is_no_request_gets_a_4xx(bench: Served, request_: bytes, status: bytes) -> None:
    with socket.create_connection(("127.0.0.1", bench.port), timeout=20) as connection:
        connection.sendall(request_)
        assert connection.recv(4000).split()[1] == status


@pytest.mark.parametrize("command", ["run", "bench"])
def test_sigterm_ends_it_with_streams_open_and_watchers_who_do_not_read(tmp_path: Path, command: str) -> None:
    with serving(command, "--set", f"store.dir={tmp_path}") as served:
        watching = []
        for _ in range(20):
            connection = socket.create_connection(("127.0.0.1", served.port), timeout=20)
            connection.sendall(b"GET /stream HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
            watching.append(connection)
        watching[0].recv(1000)
        assert served.end() == 0
        assert len(served.said) == 1, served.said
        for connection in watching:
            connection.close()
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.1", served.port), timeout=1)


def test_a_page_that_dies_is_no_end_of_the_table(tmp_path: Path) -> None:
    with serving("run", "--set", f"store.dir={tmp_path}") as served:
        children = subprocess.run(
            ["pgrep", "-P", str(served.process.pid)], capture_output=True, text=True, check=True
        )
        subprocess.run(["kill", "-9", *children.stdout.split()], check=True)
        assert served.wait_for("page has ended") == "boxkeeper: the page has ended; again in 5 s\n"
        assert served.process.poll() is None
        assert served.end(signal.SIGINT) == 0


def test_a_port_that_is_taken_is_a_line_and_the_table_plays(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        served = Served("run", "--set", f"store.dir={tmp_path}", port=port)
        line = served.wait_for("page")
        assert line == f"boxkeeper: no page: 127.0.0.1 port {port}: Address already in use\n"
        assert served.end() == 0


@pytest.mark.parametrize("command", ["run", "bench"])
def test_without_the_extra_that_is_a_line_and_all_else_works(tmp_path: Path, command: str) -> None:
    script = (
        "import importlib.util as u, sys; find = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'starlette' else find(name, *more)\n"
    )
    from serving import RUN

    with subprocess.Popen(
        [sys.executable, "-c", script + RUN, command, "--set", f"store.dir={tmp_path}"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        line = process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
    assert line == "boxkeeper: no page: starlette is not installed; pip install 'boxkeeper[web]'\n"

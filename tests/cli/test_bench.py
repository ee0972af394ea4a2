"""``boxkeeper bench``: exit codes, one-line messages, and the events as other programs read them."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli.main import main
from firmware_host.store.journal import FILE_NAME, read

ROOT = Path(__file__).parents[2]
WORKED_TURN = ROOT / "tests" / "plays" / "worked-turn.play"
Capture = pytest.CaptureFixture[str]


def command(*argv: object) -> list[str]:
    return [sys.executable, "-m", "firmware_host", "bench", *map(str, argv)]


@pytest.fixture
def play(tmp_path: Path) -> Path:
    return tmp_path / "my.play"


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


# Exit codes


def test_a_play_that_holds_is_0_and_one_line(play: Path, capsys: Capture) -> None:
    play.write_text("players Ann\nroll 4 5\nexpect wants move\n!expect turn Bob\n")
    assert main(["bench", str(play)]) == 0
    assert capsys.readouterr() == (f"{play}: all 2 expectations held\n", "")


@pytest.mark.parametrize(
    ("expectation", "there_is"),
    [
        ("expect open 1 2", "open 1 2 3 4 5 6 7 8 9"),
        ("expect shut 9", "shut none"),
        ("expect legal 9", "legal "),
        ("expect wants roll 2", "wants move"),
        ("!expect wants move", "wants move"),
        ("expect turn Bob", "turn Ann"),
        ("expect score Ann 3", "score Ann 0"),
        ("expect score Zed 3", "score Zed None"),
        ("expect winner Ann", "winner nobody"),
        ('expect screen "PAUSED"', "screen '"),
        ("expect event rolled dice=1,2", '{"seq": 3, '),
        ("expect event turn_ended", "no turn_ended since the last expectation of it"),
    ],
)
def test_an_expectation_that_fails_is_1_and_says_line_and_what_there_is(
    play: Path, capsys: Capture, expectation: str, there_is: str
) -> None:
    play.write_text(f"players Ann\n\n# a comment\nroll 4 5\n{expectation}\n")
    assert main(["bench", str(play)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"boxkeeper: {play}, line 5: {expectation}, but: {there_is}")
    assert err.count("\n") == 1


def test_the_first_expectation_that_fails_ends_the_play(play: Path, capsys: Capture) -> None:
    play.write_text("players Ann\nexpect turn Bob\nexpect turn Cy\nplayers Dan\n")
    assert main(["bench", str(play), "--json"]) == 1
    out, err = capsys.readouterr()
    assert "line 2" in err
    assert [e["match"] for e in events(out) if e["event"] == "match_started"] == [1]


MALFORMED = [
    ("dance", "'dance' is none of set, players, "),
    ("ROLL 3 4", "'ROLL' is none of"),
    ('players "Ann', "no closing quotation"),
    ("players", "players NAME ...: at least one"),
    ('players Ann ""', "'' is no name"),
    ('players Ann "\t"', "'\\t' is no name"),
    ("set rules.tiles", "set KEY VALUE"),
    ("set", "set KEY VALUE"),
    ("roll", "roll: one die or two"),
    ("roll 1 2 3", "roll: one die or two"),
    ("roll 7", "'7' is no die: 1 to 6"),
    ("roll 0 1", "'0' is no die: 1 to 6"),
    ("roll ４ 5", "'４' is no die: 1 to 6"),
    ("shut", "'shut': write shut or open, then tiles or all"),
    ("shut 13", "'13' is no tile: 1 to 12"),
    ("shut -1", "'-1' is no tile: 1 to 12"),
    ("shut all 3", "'all' is no tile"),
    ("shut 3, 4", "'4': write shut or open"),
    ("shut 3,", "'': write shut or open"),
    ("open 3 every day", "'day' is no time: write 30ms, 2s, 5m"),
    ("shut 3 every -1s", "'-1s' is no time"),
    ("place r0c0", "place: a square and a colour, green, blue, red"),
    ("place r0c0 yellow", "place: a square and a colour"),
    ("place r6c0 green", "'r6c0' is no square: r0c0 to r5c5"),
    ("lift", "lift: a square, as r2c3"),
    ("lift 3", "'3' is no square"),
    ("expect legal r0c9", "'r0c9' is no square"),
    ("expect wants lift 3", "'3' is no square"),
    ("press", "press: one of roll, next, back, then how long, as 2s"),
    ("press play", "press: one of roll, next, back"),
    ("press roll 2", "'2' is no time"),
    ("press roll 2s 3s", "press: one of"),
    ("wait", "wait: how long, as 2s"),
    ("wait 2", "'2' is no time"),
    ("wait 1e3s", "'1e3s' is no time"),
    ("wait 2 s", "wait: how long"),
    ("fault", "'fault': write tile N bounce 40ms"),
    ("fault tile 5", "'fault tile 5': write"),
    ("fault tile 0 stuck", "'0' is no tile"),
    ("fault tile 5 bounce", "'fault tile 5 bounce': write tile N bounce 40ms"),
    ("fault toaster gone", "'fault toaster gone': write"),
    ("mend", "'mend': write"),
    ("mend oled gone", "'mend oled gone': write"),
    ("power", "power: on or off"),
    ("power down", "power: on or off"),
    ("expect", "expect '': one of open, shut, legal"),
    ("expect luck", "expect 'luck': one of"),
    ("expect open x", "'x' is no tile"),
    ("expect shut 13", "'13' is no tile"),
    ("expect legal 8, x", "'x' is no tile"),
    ("expect wants", "expect wants: what?"),
    (
        "expect wants cake",
        "expect wants: roll N ..., move, open N ..., shut N ..., place or lift rNcN ...",
    ),
    ("expect wants move 3", "expect wants: roll N"),
    ("expect wants roll", "expect wants: roll N"),
    ("expect turn", "expect turn: 1 word, not 0"),
    ("expect turn Ann Bob", "expect turn: 1 word, not 2"),
    ("expect score Ann", "expect score: 2 words, not 1"),
    ("expect score Ann lots", "'lots' is no score"),
    ("expect winner", "expect winner: what?"),
    ("expect screen ROLL now", "expect screen: 1 word, not 2"),
    ("expect event", "expect event: what?"),
    ("expect event rolled dice", "expect event NAME key=value ..."),
    ("expect pixels", "expect pixels: 1 word, not 0"),
    ("!expect", "expect '': one of"),
]


@pytest.mark.parametrize(("line", "reason"), MALFORMED, ids=[line for line, _ in MALFORMED])
def test_a_malformed_line_is_2_names_file_line_and_reason_and_nothing_is_played(
    play: Path, capsys: Capture, line: str, reason: str
) -> None:
    play.write_text(f"players Ann\n# a comment\n{line}\n", encoding="utf-8")
    assert main(["bench", str(play), "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"boxkeeper: {play}, line 3: {reason}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("set rules.tyles 1-9", "no setting 'rules.tyles'"),
        ("set rules.tiles 1-13", "rules.tiles is '1-13'"),
        ("set rules.tiles 1,1", "tile 1 stands twice"),
        ("set rules.unlucky_7 perhaps", "rules.unlucky_7 is 'perhaps'"),
        ("set buttons.roll 24", "buttons.next"),
    ],
)
def test_a_bad_setting_is_2_before_anything_is_played(
    play: Path, capsys: Capture, line: str, reason: str
) -> None:
    play.write_text(f"players Ann\nroll 4 5\n{line}\n")
    assert main(["bench", str(play), "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"boxkeeper: {play}, line 3: ")
    assert err.count("\n") == 1
    assert reason.split()[-1] in err


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("players Ann\nshut 12", "line 2: the box has no tile 12"),
        ("players Ann\nfault tile 10 stuck", "line 2: the box has no tile 10"),
        ("power off\nplayers Ann", "line 2: the power is off"),
        ("players Ann\nexpect pixels nothing", "nothing.png: No such file or directory"),
    ],
)
def test_what_cannot_be_done_is_2_with_file_and_line(
    play: Path, capsys: Capture, lines: str, reason: str
) -> None:
    play.write_text(lines)
    assert main(["bench", str(play)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"boxkeeper: {play}, line 2: ")
    assert err.endswith(f"{reason}\n")


@pytest.mark.parametrize(
    ("content", "reason"), [(b"players \xff\n", "not UTF-8 text"), (None, "No such file or directory")]
)
def test_a_file_that_cannot_be_read_is_2(
    play: Path, capsys: Capture, content: bytes | None, reason: str
) -> None:
    if content is not None:
        play.write_bytes(content)
    assert main(["bench", str(play)]) == 2
    assert capsys.readouterr() == ("", f"boxkeeper: {play}: {reason}\n")


def test_editors_marks_and_line_ends_do_no_harm(play: Path) -> None:
    play.write_bytes(b"\xef\xbb\xbfplayers Ann\r\nroll 4 5\r\nexpect wants move\r\n")
    assert main(["bench", str(play)]) == 0


# Events


def test_events_are_the_public_contract(capsys: Capture) -> None:
    assert main(["bench", str(WORKED_TURN), "--json"]) == 0
    all_events = events(capsys.readouterr().out)
    kept = [event["seq"] for event in all_events if event["seq"] is not None]
    assert kept == list(range(1, len(kept) + 1))
    times = [event["t"] for event in all_events]
    assert times == sorted(times)
    assert all(list(event)[:3] == ["seq", "t", "event"] for event in all_events)
    not_kept = {event["event"] for event in all_events if event["seq"] is None}
    assert not_kept == {"screen", "roll_wanted", "put_right", "righted"}
    by_name = {event["event"]: event for event in all_events}
    wanted = {
        "match_started": {"match", "game", "rules", "players"},
        "turn_started": {"player", "round"},
        "rolled": {"player", "dice", "total", "source"},
        "move_made": {"player", "shut", "total", "open"},
        "turn_ended": {"player", "open", "score", "reason"},
        "roll_wanted": {"player", "dice"},
        "put_right": {"open", "shut"},
        "righted": set(),
        "screen": {"lines"},
    }
    assert {name: set(event) - {"seq", "t", "event"} for name, event in by_name.items()} == wanted
    assert by_name["turn_ended"]["score"] == 2


def test_a_store_of_ones_own_keeps_the_match_and_the_next_bench_goes_on(
    play: Path, tmp_path: Path, capsys: Capture
) -> None:
    play.write_text("players Ann Bob\nroll 4 5\n")
    again = tmp_path / "again.play"
    again.write_text("expect event resumed\nexpect turn Ann\nexpect wants move\n")
    kept = f"store.dir={tmp_path / 'store'}"
    assert main(["bench", str(play), "--json", "--set", kept]) == 0
    printed = [e["event"] for e in events(capsys.readouterr().out) if e["seq"] is not None]
    assert [row.record.event for row in read(tmp_path / "store" / FILE_NAME)[0]] == printed
    assert main(["bench", str(again), "--set", kept]) == 0


def test_seq_goes_on_after_a_power_cut(play: Path, capsys: Capture) -> None:
    play.write_text("players Ann Bob\nroll 4 5\npower off\npower on\nshut 9\nroll 1 1\n")
    assert main(["bench", str(play), "--json"]) == 0
    kept = [e["seq"] for e in events(capsys.readouterr().out) if e["seq"] is not None]
    assert kept == list(range(1, len(kept) + 1))
    assert len(kept) >= 6


def test_without_a_store_of_its_own_a_play_leaves_nothing(
    play: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    play.write_text("players Ann\n")
    assert main(["bench", str(play)]) == 0
    assert list(tmp_path.iterdir()) == [play]


def test_two_on_one_store_are_told_apart(play: Path, tmp_path: Path, capsys: Capture) -> None:
    from firmware_host.store.journal import Journal

    play.write_text("players Ann\n")
    journal = Journal(tmp_path / "store" / FILE_NAME)
    assert main(["bench", str(play), "--set", f"store.dir={tmp_path / 'store'}"]) == 1
    journal.close()
    out, err = capsys.readouterr()
    assert out == ""
    reason = f"in use by Boxkeeper process {os.getpid()}; stop that one first"
    assert err == f"boxkeeper: {tmp_path / 'store'}: {reason}\n"


def test_a_store_that_cannot_be_had_is_said_and_the_game_goes_on(
    play: Path, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "file").touch()
    play.write_text(
        "players Ann\nroll 4 5\nshut 9\nexpect wants roll 2\nwait 1m\n"
        "expect event device_lost device=store\n!expect event device_back\n"
    )
    assert main(["bench", str(play), "--set", f"store.dir={tmp_path / 'file'}"]) == 0


def test_the_box_can_be_drawn(play: Path, tmp_path: Path) -> None:
    from PIL import Image

    play.write_text("players Ann\nroll 4 5\nshut 9\n")
    picture = tmp_path / "box.png"
    assert main(["bench", str(play), "--picture", str(picture)]) == 0
    with Image.open(picture) as image:
        assert image.size == (960, 600)


# By hand


def type_in(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_lines_are_played_as_they_come(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    type_in(monkeypatch, "# hello\n\nplayers Ann\nroll 4 5\nexpect wants move\n")
    assert main(["bench", "-", "--json"]) == 0
    out, err = capsys.readouterr()
    assert [e["event"] for e in events(out) if e["seq"] is not None] == [
        "match_started", "turn_started", "rolled",
    ]  # fmt: skip
    assert err == ""


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("dance", 2, "line 2: 'dance' is none of"),
        ("shut 12", 2, "line 2: the box has no tile 12"),
        ("set rules.tiles 1-99", 2, "line 2: rules.tiles is '1-99'"),
        ("expect turn Bob", 1, "line 2: expect turn Bob, but: turn Ann"),
    ],
)
def test_piped_the_first_wrong_line_ends_it_with_line_and_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, line: str, code: int, message: str
) -> None:
    type_in(monkeypatch, f"players Ann\n{line}\nplayers Bob\n")
    assert main(["bench", "-", "--json"]) == code
    out, err = capsys.readouterr()
    assert err.startswith(f"boxkeeper: {message}")
    assert err.count("\n") == 1
    assert [e["match"] for e in events(out) if e["event"] == "match_started"] == [1]


def test_typed_text_shows_box_and_panel(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    type_in(monkeypatch, "players Ann\nshut 9\nhelp\n")
    assert main(["bench", "-"]) == 0
    out = capsys.readouterr().out
    assert out.count("players Ann Bob") == 2, "the help, at the start and when asked for"
    assert "│  9 │" in out
    assert out.count("▁▁▁▁") == 1
    assert out.count("┌" + "─" * 64 + "┐") == 3


def test_an_interrupt_at_the_prompt_ends_it_without_another_line() -> None:
    ours, theirs = os.openpty()
    with subprocess.Popen(
        command("-"), cwd=ROOT, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, text=True
    ) as bench:
        os.close(theirs)
        assert bench.stderr is not None
        output = b""
        while not output.endswith(b"> "):
            output += os.read(ours, 1000)
        for _ in range(5):  # the first one may come just before it waits for the line
            bench.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                bench.wait(2)
                break
        bench.kill()
        assert (bench.wait(), bench.stderr.read()) == (130, "")
    os.close(ours)


# Whoever reads the events


def test_a_reader_that_leaves_is_no_reason_to_complain() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as gone:
        done = subprocess.run(
            command(WORKED_TURN, "--json"),
            cwd=ROOT, stdout=gone, stderr=subprocess.PIPE, text=True, check=False, timeout=50,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("argv", [(WORKED_TURN,), (WORKED_TURN, "--json")])
def test_a_full_disk_is_one_line(argv: tuple[object, ...]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command(*argv), cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=50
        )
    assert done.returncode == 1
    assert done.stderr == "boxkeeper: [Errno 28] No space left on device\n"


@pytest.mark.parametrize("name", ["none/x.png", "x.doc", "folder.png"])
def test_a_picture_that_cannot_be_written_is_refused_before_the_play(
    capsys: Capture, tmp_path: Path, name: str
) -> None:
    (tmp_path / "folder.png").mkdir()
    play = tmp_path / "a.play"
    play.write_text("players Ann\nexpect turn Bob\n")  # played, it would fail
    assert main(["bench", str(play), "--picture", str(tmp_path / name)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"boxkeeper: --picture {tmp_path / name}: ")


def test_a_setting_that_no_line_made_is_blamed_on_no_line(capsys: Capture, tmp_path: Path) -> None:
    play = tmp_path / "a.play"
    play.write_text("players Ann\n")
    assert main(["bench", str(play), "--set", "match.kind=to-limit", "--set", "match.rounds=2"]) == 2
    assert "line 0" not in capsys.readouterr().err


def test_a_store_that_cannot_be_used_is_said_once(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    play = tmp_path / "a.play"
    play.write_text("players Ann\nroll 3 5\n")
    assert main(["bench", str(play), "--set", f"store.dir={tmp_path / 'file'}"]) == 0
    err = capsys.readouterr().err
    assert err.startswith("boxkeeper: no store: ")
    assert err.count("\n") == 1


def test_a_name_that_is_too_long_is_told_once_with_the_limit(capsys: Capture, tmp_path: Path) -> None:
    play, name = tmp_path / "a.play", "A" * 21
    play.write_text(f"players {name}\n")
    assert main(["bench", str(play)]) == 2
    err = capsys.readouterr().err
    assert err.endswith(f"line 1: '{name}' is no name: has 21 characters, at most 20\n")

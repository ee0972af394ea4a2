"""Faults that people met with these parts, and what becomes of them at the table.

Numbers are those of the list of public reports that ``tests/hardware`` names too; what an
adapter makes of a fault by itself is tested there.
"""

from __future__ import annotations

import contextlib
import errno
import json
import sqlite3
import threading
from collections.abc import Callable
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import pytest
from gpiozero import PinEdgeDetectUnsupported

from firmware_host.cli.main import main
from firmware_host.errors import DeviceBusyError
from firmware_host.store.journal import FILE_NAME
from hardware.backend import DeviceSet
from sim.pins import WiredPin
from sim.world import World

Capture = pytest.CaptureFixture[str]
Events = list[dict[str, Any]]
Bench = Callable[..., Events]
TURN = """\
players Ann Bob
roll 4 5
shut 9
roll 3 5
shut 5 3
roll 4 4
shut 8
"""


@pytest.fixture
def bench(tmp_path: Path, capsys: Capture) -> Bench:
    """Plays lines, all of which must hold; returns the events."""

    def play(lines: str, *settings: str) -> Events:
        path = tmp_path / "my.play"
        path.write_text(lines)
        options = [word for setting in settings for word in ("--set", setting)]
        code = main(["bench", str(path), "--json", *options])
        out, err = capsys.readouterr()
        assert (code, err) == (0, "")
        return [json.loads(line) for line in out.splitlines()]

    return play


def named(events: Events, *names: str) -> Events:
    return [event for event in events if event["event"] in names]


def game_of(events: Events) -> Events:
    """What happened in the game, without moments and pictures."""
    return [{**event, "t": 0} for event in events if event["event"] != "screen"]


def refuse_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: WiredPin, edges: str) -> None:
        raise PinEdgeDetectUnsupported("Failed to add edge detection")

    monkeypatch.setattr(WiredPin, "_set_edges", refuse)


def edges_from_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    follow = WiredPin._follow

    def follow_there(pin: WiredPin, is_high: bool) -> None:
        thread = threading.Thread(target=follow, args=(pin, is_high))
        thread.start()
        thread.join()

    monkeypatch.setattr(WiredPin, "_follow", follow_there)


def test_fault_1_without_edges_the_table_polls_says_so_once_a_sensor_and_plays(
    monkeypatch: pytest.MonkeyPatch, bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    refuse_edges(monkeypatch)
    bench(TURN + "expect shut 3 5 8 9\nexpect wants roll 2\n")
    notes = [record.message for record in caplog.records if "polling" in record.message]
    assert sorted(note.split(",")[0] for note in notes) == ["buttons: polling", "tiles: polling"]
    assert all("because" in note and "Failed to add edge detection" in note for note in notes)


def test_fault_5_a_busy_line_is_said_with_its_holder_once_and_the_table_waits_for_it(
    monkeypatch: pytest.MonkeyPatch, bench: Bench
) -> None:
    tries, open_tiles = list[int](), DeviceSet.open_tiles

    def busy_at_first(devices: DeviceSet) -> object:
        tries.append(1)
        if len(tries) < 4:
            raise DeviceBusyError(
                "tile 1 on BCM 4: busy, held by 'lg' (other, pid 812): stop it, or use another pin"
            )
        return open_tiles(devices)

    monkeypatch.setattr(DeviceSet, "open_tiles", busy_at_first)
    events = bench("players Ann\nwait 5s\nroll 4 5\nshut 9\nexpect wants roll 2\n")
    devices = named(events, "device_lost", "device_back")
    assert [event["event"] for event in devices] == ["device_lost", "device_back"]
    assert "pid 812" in devices[0]["reason"]


@pytest.mark.parametrize("way", [edges_from_another_thread, refuse_edges])
@pytest.mark.parametrize("bounce", ["5ms", "40ms"])
def test_fault_6_one_bounce_trace_is_the_same_game_through_every_backend(
    monkeypatch: pytest.MonkeyPatch, bench: Bench, way: Callable[[pytest.MonkeyPatch], None], bounce: str
) -> None:
    lines = "".join(f"fault tile {tile} bounce {bounce}\n" for tile in (3, 5, 8, 9)) + TURN
    expected = game_of(bench(lines))
    with monkeypatch.context() as patch:
        way(patch)
        assert game_of(bench(lines)) == expected
    assert len(named(expected, "rolled")) == 3


def test_fault_7_tiles_that_move_while_the_plug_is_pulled_are_quiet_and_counted_after(bench: Bench) -> None:
    bench(
        "players Ann\nroll 4 5\n"
        "shut 1, open 1, shut 2, open 2, shut 9 every 5ms\n"
        "power off\nopen 9\nshut 4 5\npower on\n"
        "expect shut 4 5\nexpect wants roll 2\n"
    )


def test_fault_8_tiles_that_are_down_at_start_are_seen_before_the_first_prompt(bench: Bench) -> None:
    events = bench("power off\nshut 3 7\npower on\nplayers Ann\nexpect wants open 3 7\nopen all\n")
    asked = named(events, "put_right", "roll_wanted")
    assert [(event["event"], event.get("open")) for event in asked] == [
        ("put_right", [3, 7]), ("put_right", [7]), ("roll_wanted", None),
    ]  # fmt: skip


def test_fault_8_a_move_that_was_complete_in_the_dark_is_complete_at_once(bench: Bench) -> None:
    events = bench("players Ann\nroll 4 5\npower off\nshut 4 5\npower on\nexpect wants roll 2\n")
    resumed = events.index(named(events, "resumed")[0])
    assert named(events[resumed:], "put_right", "righted") == []


def test_fault_11_an_oled_that_is_absent_at_the_start_is_said_once_played_without_and_found(
    bench: Bench,
) -> None:
    events = bench(
        "power off\nfault oled gone\npower on\nplayers Ann\nroll 4 5\nshut 9\nwait 30s\n"
        'expect wants roll 2\n!expect screen 9\nmend oled\nwait 6s\nexpect screen "9"\n'
    )
    devices = named(events, "device_lost", "device_back")
    assert [(event["event"], event["device"]) for event in devices] == [
        ("device_lost", "display"), ("device_back", "display"),
    ]  # fmt: skip
    assert "0x3C" in devices[0]["reason"]


@pytest.mark.parametrize("transactions", [0, 1, 5])
@pytest.mark.parametrize("number", [errno.EREMOTEIO, errno.EIO, errno.ETIMEDOUT])
def test_fault_12_every_error_of_the_bus_is_one_loss_and_a_whole_picture_after(
    monkeypatch: pytest.MonkeyPatch, bench: Bench, number: int, transactions: int
) -> None:
    def cut(world: World) -> None:
        world.i2c.fail_after(transactions, number)

    def mend(world: World) -> None:
        world.panel.reset()
        world.i2c.mend()

    monkeypatch.setattr(World, "unplug_oled", cut)
    monkeypatch.setattr(World, "plug_oled", mend)
    events = bench(
        "players Ann\nfault oled gone\nroll 4 5\nexpect wants move\n!expect screen 9\n"
        'mend oled\nwait 6s\nexpect screen "9"\n'
    )
    devices = named(events, "device_lost", "device_back")
    assert [(event["event"], event["device"]) for event in devices] == [
        ("device_lost", "display"), ("device_back", "display"),
    ]  # fmt: skip


def test_fault_14_pillow_has_an_upper_bound() -> None:
    pillow = [text for text in requires("boxkeeper") or [] if text.lower().startswith("pillow")]
    assert len(pillow) == 1
    assert "<14" in pillow[0]


@pytest.mark.parametrize("kept", [100, 9000])
def test_fault_24_a_journal_ruined_by_a_power_cut_never_blocks_the_start(
    bench: Bench, tmp_path: Path, kept: int, caplog: pytest.LogCaptureFixture
) -> None:
    store = f"store.dir={tmp_path / 'store'}"
    bench(TURN, store)
    path = tmp_path / "store" / FILE_NAME
    content = path.read_bytes()
    path.write_bytes(content[:kept] + b"\0" * (len(content) - kept))
    bench("players Ann\nroll 4 5\nexpect wants move\n", store)
    assert path.with_name(f"{path.name}.damaged-1").exists()
    assert [record.message.count("the journal was damaged") for record in caplog.records] == [1]


def test_fault_24_what_a_damaged_journal_still_holds_is_played_on_and_it_is_said(
    bench: Bench, tmp_path: Path
) -> None:
    store = f"store.dir={tmp_path / 'store'}"
    bench(TURN, store)
    with contextlib.closing(sqlite3.connect(tmp_path / "store" / FILE_NAME)) as db, db:
        db.execute("UPDATE events SET fields = '{' WHERE seq = 4")
    events = bench("expect event resumed\nexpect turn Ann\nexpect wants move\n", store)
    texts = [" ".join(event["lines"]).lower() for event in named(events, "screen")]
    assert any("journal damaged" in text for text in texts)


def test_fault_28_resume_is_a_screen_that_lists_what_to_put_right(bench: Bench) -> None:
    bench(
        "players Ann Bob\nroll 4 5\nshut 9\nroll 1 1\npower off\nopen 9\nshut 1\npower on\n"
        'expect event resumed open=1 shut=9\nexpect screen "OPEN 1"\nexpect screen "SHUT 9"\n'
        "open 1\nshut 9\nexpect wants move\n"
    )


@pytest.mark.parametrize(
    ("slip", "answer"),
    [
        ("shut 7", "put_right"),
        ("press roll", "roll_refused"),
        ("press roll 1200ms", "roll_refused"),
        ("press back 1200ms", "undone"),
    ],
)
def test_fault_29_every_slip_is_answered_within_a_second(bench: Bench, slip: str, answer: str) -> None:
    # after 4 5, tile 8 is a part of 8 1: neither a roll nor tile 7 fits
    lines = "players Ann\nroll 4 5\nshut 8\n"
    before = bench(lines)[-1]["t"]
    events = bench(lines + slip + "\n")
    answers = [event for event in named(events, answer) if event["t"] > before]
    hold_s = 1.2 if "1200" in slip else 0.2
    rest_s = 2.0  # the box rests after each line
    assert answers
    assert answers[0]["t"] - before < rest_s + hold_s + 1


@pytest.mark.parametrize("every", ["30ms", "10ms", "0ms"])
def test_fault_29_tiles_flipped_at_one_go_are_so_many_tiles(bench: Bench, every: str) -> None:
    bench(f"players Ann\nroll 4 5\nshut 4 3 2 every {every}\nexpect shut 2 3 4\nexpect wants roll 2\n")


def test_fault_30_twelve_tiles_an_undo_and_a_warning_before_tiles_add_up(bench: Bench) -> None:
    bench(
        "set rules.tiles 1-12\nplayers Ann\nroll 6 6\nexpect legal 12, 11 1, 10 2, 9 3, 8 4, 7 5, 9 2 1, "
        "8 3 1, 7 4 1, 7 3 2, 6 5 1, 6 4 2, 5 4 3, 6 3 2 1, 5 4 2 1\n"
        "shut 8\nroll 1 1\nexpect event roll_refused reason=tiles_do_not_add_up\n"
        "shut 4\nexpect wants roll 2\nopen 4\nopen 8\npress back 2s\n"
        'expect event undone\nexpect screen "undone"\n'
    )

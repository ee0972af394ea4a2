"""A damaged journal is set aside whole, what can be read of it goes on, and it is said."""

from __future__ import annotations

import contextlib
import random
import resource
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_host.errors import JournalError
from firmware_host.store.journal import Journal, read
from firmware_host.table.history import History

Play = Callable[..., History]
PAGE = 4096


def load(path: Path) -> tuple[History, str]:
    """What a start makes of ``path``, and what it says about it; another start says nothing any more."""
    journal = Journal(path)
    history, damage = journal.load(), journal.damage
    journal.close()
    again = Journal(path)
    assert (again.load(), again.damage) == (history, "")
    again.close()
    rows, snapshot = read(path)
    assert [row.seq for row in rows] == list(range(1, history.seq + 1))
    assert snapshot == (history.snapshot() if damage or rows else None)
    return history, damage


def change(path: Path, sql: str, *values: object) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute(sql, values)


def steps_before(path: Path, seq: int) -> int:
    """The last event of the last whole step that has nothing of ``seq`` or later."""
    rows = read(path)[0]
    return max(row.seq for row in rows if row.step < rows[seq - 1].step)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 9000,
        b"Dear Ann, the box is shut.\n" * 400,
    ],
    ids=["empty", "zeros", "a-letter"],
)
def test_a_file_that_is_no_journal_starts_anew(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    history, damage = load(path)
    assert history == History()
    aside = path.with_name(f"{path.name}.damaged-1")
    if damage:
        assert aside.read_bytes() == content
        assert "kept 0 events" in damage
        assert aside.name in damage
    else:
        assert content == b""  # SQLite's own picture of an empty database: nothing is lost


def test_an_overwritten_header_is_set_aside(path: Path, written: History) -> None:
    content = b"\xff" * 100 + path.read_bytes()[100:]
    path.write_bytes(content)
    history, damage = load(path)
    assert history == History()
    assert "not a database" in damage
    assert path.with_name(f"{path.name}.damaged-1").read_bytes() == content


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.9])
def test_a_truncated_file_keeps_its_first_steps(path: Path, written: History, share: float) -> None:
    content = path.read_bytes()
    content = content[: int(share * len(content))]
    path.write_bytes(content)
    history, damage = load(path)
    assert history.seq < written.seq
    assert f"kept {history.seq} events" in damage
    assert path.with_name(f"{path.name}.damaged-1").read_bytes() == content


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("fields", '{"player": "Ann", "dice": [1, '),
        ("fields", "[]"),
        ("fields", "null"),
        ("fields", b"\xff\xfe\x00"),
        ("fields", "[" * 100_000),
        ("fields", '{"player": "Nobody", "dice": [1, 2], "open": [77], "shut": 5}'),
        ("event", "tile_eaten"),
        ("event", "match_started"),
        ("seq", 10_000),
    ],
)
def test_a_bad_row_ends_what_is_kept_at_the_step_before(
    path: Path, written: History, column: str, value: object
) -> None:
    seq = next(row.seq for row in reversed(read(path)[0]) if row.record.event == "move_made")
    kept = steps_before(path, seq)
    change(path, f"UPDATE events SET {column} = ? WHERE seq = ?", value, seq)
    history, damage = load(path)
    assert history.seq == kept
    assert f"kept {kept} events, the rest is in boxkeeper.db.damaged-1" in damage


def test_text_that_is_not_utf_8_is_damage_too(path: Path, written: History) -> None:
    change(path, "UPDATE events SET fields = CAST(? AS TEXT) WHERE seq = ?", b'{"\xff', written.seq)
    history, damage = load(path)
    assert "UTF-8" in damage
    assert 0 < history.seq < written.seq


def test_a_missing_event_is_damage(path: Path, written: History) -> None:
    seq = written.seq - 1
    kept = steps_before(path, seq)
    change(path, "DELETE FROM events WHERE seq = ?", seq)
    history, damage = load(path)
    assert history.seq == kept
    assert f"event {seq} is missing" in damage


def test_a_missing_table_is_damage(path: Path, written: History) -> None:
    change(path, "DROP TABLE events")
    history, damage = load(path)
    assert history == History()
    assert "no such table" in damage


def test_damage_in_a_match_that_is_over_holds_nobody_up(path: Path, written: History) -> None:
    change(path, "UPDATE events SET fields = '{' WHERE seq = 3")
    journal = Journal(path)
    assert journal.load() == written
    assert journal.damage == ""
    journal.close()


def test_a_second_damage_has_a_number_of_its_own(path: Path, written: History) -> None:
    for number in (1, 2):
        change(path, "UPDATE events SET event = 'x' WHERE seq = (SELECT max(seq) FROM events)")
        assert f"damaged-{number}" in load(path)[1]
    assert path.with_name(f"{path.name}.damaged-2").exists()


def test_what_was_kept_is_played_on(path: Path, written: History, play: Play) -> None:
    path.write_bytes(path.read_bytes()[: 6 * PAGE])
    journal = Journal(path)
    history = play(journal, journal.load(), 1, seed=5)
    journal.close()
    assert load(path) == (history, "")


def test_damage_that_only_shows_in_writing_is_mended_in_writing(
    path: Path, written: History, play: Play
) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        root = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'state'").fetchone()[0]
    content = bytearray(path.read_bytes())
    content[(root - 1) * PAGE : root * PAGE] = b"\xa5" * PAGE
    path.write_bytes(content)
    journal = Journal(path)
    history = journal.load()
    assert (history, journal.damage) == (written, "")
    after = play(journal, history, 1)
    assert f"kept {written.seq} events" in journal.damage
    journal.close()
    assert load(path) == (after, "")


def test_no_room_to_mend_leaves_all_as_it_is(path: Path, written: History) -> None:
    change(path, "UPDATE events SET event = 'x' WHERE seq = ?", written.seq)
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    journal = Journal(path)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3 * PAGE, hard))
    try:
        with pytest.raises(JournalError, match="cannot be set aside"):
            journal.load()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    journal.close()
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*damaged*"))
    assert load(path)[0].seq > written.seq // 2


def test_the_plug_pulled_between_setting_aside_and_taking_over_loses_nothing(
    path: Path, written: History
) -> None:
    change(path, "UPDATE events SET event = 'x' WHERE seq = ?", written.seq)
    mended, _ = load(path)
    path.rename(f"{path}.new")  # as it lay before the last step of mending
    assert load(path) == (mended, "")


@pytest.mark.parametrize("seed", range(25))
def test_any_damage_still_starts_and_plays_on(path: Path, written: History, play: Play, seed: int) -> None:
    chance, content = random.Random(seed), bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 8)):
        at, length = chance.randrange(100, len(content)), chance.choice((1, 1, 50, PAGE))
        content[at : at + length] = chance.randbytes(min(length, len(content) - at))
    path.write_bytes(content)
    journal = Journal(path)
    history = journal.load()
    is_whole = history.snapshot() == written.snapshot()
    after = play(journal, history, 1)
    assert is_whole or journal.damage
    journal.close()
    again = Journal(path)
    assert again.load().snapshot() == after.snapshot()
    again.close()

"""The journal: what was appended is what is loaded, in whole steps, on the disk before append returns."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_host.errors import JournalError, JournalInUseError
from firmware_host.games.records import Rolled, TurnEnded
from firmware_host.store.journal import VERSION, Journal, Row, Stamp, fold, peek, read
from firmware_host.table.history import History

Play = Callable[..., History]
STAMP = Stamp(1.25, "2026-01-01T00:00:00+00:00", False)


def statements(journal: Journal) -> sqlite3.Connection:
    """The journal's own connection: its settings are not to be seen from another one."""
    return journal._db


def test_a_new_journal_is_empty_and_its_folder_is_made(path: Path) -> None:
    journal = Journal(path)
    assert journal.load() == History()
    assert journal.damage == ""
    journal.close()
    assert read(path) == ([], None)


def test_loaded_is_what_was_appended(path: Path, written: History) -> None:
    journal = Journal(path)
    assert journal.load() == written
    journal.close()


def test_all_events_fold_to_the_stored_snapshot(path: Path, written: History) -> None:
    rows, snapshot = read(path)
    assert snapshot == fold(rows).snapshot() == written.snapshot()
    assert [row.seq for row in rows] == list(range(1, written.seq + 1))


def test_what_is_written_goes_on_where_it_ended(path: Path, written: History, play: Play) -> None:
    journal = Journal(path)
    after = play(journal, journal.load(), 2, seed=9)
    journal.close()
    assert after.matches == written.matches + 2
    again = Journal(path)
    assert again.load() == after
    again.close()


def test_a_step_keeps_its_bounds_and_its_stamp(path: Path, play: Play) -> None:
    journal = Journal(path)
    history = next_roll(journal, play(journal, journal.load()))
    journal.close()
    rows, _ = read(path)
    by_step: dict[int, list[Row]] = {}
    for row in rows:
        by_step.setdefault(row.step, []).append(row)
    assert all(step == group[0].seq for step, group in by_step.items())
    opening = by_step[history.seq - 2]
    assert [row.record.event for row in opening] == ["match_started", "turn_started"]
    assert (rows[-1].stamp, rows[-1].step) == (STAMP, history.seq)
    assert any(len(group) > 2 for group in by_step.values()), "a roll that ends the turn is one step"


def next_roll(journal: Journal, history: History) -> History:
    """A new match and its first roll."""
    assert history.game is not None
    again = history.opening(history.settings, history.game.match.next_seats())
    for records in (again, (Rolled("Ann", (4, 5), 9, "roller"),)):
        after = history.add(records)
        journal.append(history.seq + 1, records, STAMP, after.snapshot())
        history = after
    return history


def test_undo_takes_back_the_whole_step(path: Path, play: Play) -> None:
    journal = Journal(path)
    history = play(journal, journal.load())
    journal.close()
    rows, _ = read(path)
    steps = sorted({row.step for row in rows})
    last = fold([row for row in rows if row.step < steps[-1]])
    assert history.past is not None
    assert (history.past.seq, history.past.game) == (steps[-1], last.game)


def test_an_append_is_all_or_nothing(path: Path, written: History) -> None:
    journal = Journal(path)
    ended = [row.record for row in read(path)[0] if isinstance(row.record, TurnEnded)][-1]
    with pytest.raises(JournalError):
        journal.append(written.seq, (ended, ended), STAMP, {})  # the first one's place is taken
    assert journal.load() == written
    journal.close()
    assert read(path)[1] == written.snapshot()


def test_names_come_back_as_they_were(path: Path) -> None:
    journal = Journal(path)
    name = "Zoë ☃ '\"; DROP TABLE events; --"
    journal.append(1, (Rolled(name, (6,), 6, "roller"),), STAMP, {"player": name})
    journal.close()
    rows, snapshot = read(path)
    assert (rows[0].record, snapshot) == (Rolled(name, (6,), 6, "roller"), {"player": name})


# On the disk


def test_the_journal_is_in_wal_with_full_synchronization(path: Path) -> None:
    journal = Journal(path)
    assert statements(journal).execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert statements(journal).execute("PRAGMA synchronous").fetchone() == (2,)
    journal.close()


def test_another_reader_sees_a_step_as_soon_as_append_returns(path: Path, play: Play) -> None:
    journal = Journal(path)
    history = play(journal, journal.load())
    assert read(path)[0][-1].seq == history.seq
    assert peek(path) == history
    journal.close()


def test_the_last_match_is_found_without_reading_the_rest(path: Path, written: History) -> None:
    journal = Journal(path)
    queries: list[str] = []
    statements(journal).set_trace_callback(queries.append)
    journal.load()
    statements(journal).set_trace_callback(None)
    plans = [
        " ".join(row[3] for row in statements(journal).execute(f"EXPLAIN QUERY PLAN {query}"))
        for query in queries
        if query.startswith("SELECT")
    ]
    journal.close()
    assert plans
    assert all("INDEX match_starts" in plan or "INTEGER PRIMARY KEY (rowid>?)" in plan for plan in plans)


def test_every_append_is_its_own_transaction(path: Path, play: Play) -> None:
    journal = Journal(path)
    queries: list[str] = []
    statements(journal).set_trace_callback(queries.append)
    next_roll(journal, play(journal, journal.load()))
    statements(journal).set_trace_callback(None)
    steps = len({row.step for row in read(path)[0]})
    assert [queries.count(word) for word in ("BEGIN ", "COMMIT")] == [steps, steps]
    journal.close()


def test_a_later_release_is_refused_and_nothing_is_touched(path: Path, written: History) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = path.read_bytes()
    for _ in range(2):  # and it lets go of the folder
        with pytest.raises(JournalError, match=rf"later release \(version {VERSION + 1}\); update Boxkeeper"):
            Journal(path)
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*damaged*"))


# One owner


def test_a_second_journal_is_refused_with_who_holds_it(path: Path) -> None:
    journal = Journal(path)
    with pytest.raises(JournalInUseError, match=rf"in use by Boxkeeper process {os.getpid()}; stop that one"):
        Journal(path)
    journal.close()
    Journal(path).close()


def test_a_second_process_is_refused_with_who_holds_it(path: Path) -> None:
    script = "import sys, pathlib; from firmware_host.store.journal import Journal\n"
    script += "journal = Journal(pathlib.Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(JournalInUseError, match=f"process {other.pid};"):
            Journal(path)
        other.kill()
        other.wait(10)
    Journal(path).close()


def test_a_lock_of_a_dead_process_holds_nobody_up(path: Path) -> None:
    path.parent.mkdir()
    (path.parent / "boxkeeper.lock").write_text("1")
    Journal(path).close()


def test_closed_twice_is_quiet(path: Path) -> None:
    journal = Journal(path)
    journal.close()
    journal.close()


# Reading without owning


def test_read_of_what_is_not_there_is_an_error_and_makes_nothing(path: Path) -> None:
    with pytest.raises(JournalError, match="no such journal"):
        read(path)
    assert not path.parent.exists()


def test_peek_is_the_state_and_makes_nothing_where_there_is_none(path: Path, written: History) -> None:
    assert peek(path) == written
    nowhere = path.parent / "other" / path.name
    assert peek(nowhere) == History()
    assert not nowhere.parent.exists()


def test_peek_of_something_else_is_empty(tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("Dear Ann" * 1000)
    assert peek(other) == History()


def test_fold_names_the_event_that_does_not_follow(path: Path, written: History) -> None:
    rows, _ = read(path)
    with pytest.raises(JournalError, match=r"^event 1 does not follow: "):
        fold(rows[1:])

"""The state of the table for those who watch it."""

from __future__ import annotations

from firmware_host.table.events import BoxSeen, Button, ButtonPressed, DiceSeen, Event, MatchWanted, Tick
from firmware_host.table.report import Report, report
from firmware_host.table.session import step
from firmware_host.table.state import Session

ROLL, HOLD_NEXT = ButtonPressed(Button.ROLL, False), ButtonPressed(Button.NEXT, True)


def box(text: str) -> BoxSeen:
    """Twelve places from ``12-4``; the rest is open."""
    return BoxSeen(tuple(0 if i < len(text) and text[i] == "-" else 1 for i in range(12)))


def dice(*values: int) -> DiceSeen:
    return DiceSeen(values, "camera")


def after(*events: Event, tiles: str = "1-4") -> Report:
    """The report of a match of Ann and Bob after ``events``, a quarter of a second apart."""
    wanted = MatchWanted({"rules.tiles": tiles}, ("Ann", "Bob"))
    session = Session()
    for i, event in enumerate((box(""), wanted, *events, Tick())):
        session, _ = step(session, event, i / 4)
    return report(session)


def test_without_a_match_there_is_nothing_to_report() -> None:
    assert report(Session()) == Report()


def test_a_roll_is_wanted() -> None:
    assert after() == Report(
        player="Ann", source="roller", wants_roll=(1, 2), open=(1, 2, 3, 4), totals=(("Ann", 0), ("Bob", 0))
    )


def test_tiles_are_wanted_and_the_legal_sets_told() -> None:
    now = after(ROLL, dice(1, 3))
    assert (now.wants_move, now.wants_roll) == (True, ())
    assert now.legal == ((4,), (1, 3))


def test_a_part_of_a_move_is_not_in_the_games_own_box() -> None:
    now = after(ROLL, dice(1, 3), box("-234"))
    assert (now.open, now.wants_move) == ((1, 2, 3, 4), True)


def test_a_complete_move_is() -> None:
    now = after(ROLL, dice(1, 3), box("-2-4"))
    assert (now.open, now.shut, now.wants_roll) == ((2, 4), (1, 3), (1, 2))


def test_what_is_to_be_put_right_is_told() -> None:
    now = after(box("1-34"))
    assert (now.wants_open, now.wants_shut, now.wants_roll) == ((2,), (), ())


def test_a_tile_of_an_earlier_move_is_to_be_shut() -> None:
    now = after(ROLL, dice(1, 3), box("123-"), ROLL, dice(1, 2), box("1234"))
    assert (now.wants_open, now.wants_shut) == ((), (4,))


def test_a_set_that_no_sensor_tells_is_still_a_move_that_is_wanted() -> None:
    now = after(ROLL, dice(1, 3), HOLD_NEXT)
    assert now.wants_move


def test_the_winners_are_told() -> None:
    now = after(ROLL, dice(6, 6), ROLL, dice(6, 6))
    assert now.winners == ("Ann", "Bob")
    assert now.totals == (("Ann", 10), ("Bob", 10))
    assert (now.wants_roll, now.wants_move) == ((), False)

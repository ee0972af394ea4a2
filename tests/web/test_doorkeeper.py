"""Digits, and the sessions that they open."""

from __future__ import annotations

import pytest

from firmware_host.web.doorkeeper import LOCK_S, MOST_SESSIONS, SESSION_S, WRONG_S, Doorkeeper


@pytest.fixture
def door() -> Doorkeeper:
    door = Doorkeeper(lambda: None)
    door.renew()
    return door


def wrong(door: Doorkeeper) -> str:
    return f"{(int(door.digits) + 1) % 10_000:04}"


def enter(door: Doorkeeper, now: float = 0.0) -> str:
    token = door.let_in(door.digits, now)
    assert token is not None
    return token


def board(match: int, is_over: bool = False) -> dict[str, object]:
    return {"match": match, "is_over": is_over}


def test_the_right_digits_open_once_and_are_used_up(door: Doorkeeper) -> None:
    digits = door.digits
    token = enter(door)
    assert door.knows(token, 1.0)
    assert door.digits != digits
    assert door.let_in(digits, 1.0) is None


@pytest.mark.parametrize("token", ["", "x", "a" * 10_000])
def test_nobody_else_is_known(door: Doorkeeper, token: str) -> None:
    enter(door)
    assert not door.knows(token, 1.0)


def test_before_there_are_digits_nothing_opens() -> None:
    assert Doorkeeper(lambda: None).let_in("", 0.0) is None


def test_five_wrong_digits_a_minute_lock_for_a_minute_even_the_right_ones(door: Doorkeeper) -> None:
    for i in range(5):
        assert door.let_in(wrong(door), i) is None
    assert door.locked_for(4.0) == LOCK_S
    assert door.let_in(door.digits, 5.0) is None
    assert door.let_in(door.digits, 4.0 + LOCK_S - 0.1) is None
    assert door.let_in(door.digits, 4.0 + LOCK_S) is not None


def test_a_lock_brings_other_digits(door: Doorkeeper) -> None:
    digits = door.digits
    for _ in range(5):
        door.let_in(wrong(door), 0.0)
    assert door.digits != digits


def test_wrong_digits_now_and_then_lock_nothing(door: Doorkeeper) -> None:
    for i in range(20):
        assert door.let_in(wrong(door), i * WRONG_S / 4) is None
        assert door.locked_for(i * WRONG_S / 4) == 0


def test_a_session_ends_after_twelve_hours(door: Doorkeeper) -> None:
    token = enter(door)
    assert door.knows(token, SESSION_S - 1)
    assert not door.knows(token, SESSION_S)
    assert SESSION_S == 12 * 3600


def test_a_session_ends_with_its_match_and_so_do_the_digits(door: Doorkeeper) -> None:
    door.told(board(3))
    token, digits = enter(door), door.digits
    door.told(board(3))
    assert door.knows(token, 1.0)
    door.told(board(3, is_over=True))
    assert not door.knows(token, 1.0)
    assert door.digits != digits


def test_a_session_opened_after_a_match_lasts_through_the_next(door: Doorkeeper) -> None:
    door.told(board(3, is_over=True))
    token = enter(door)
    door.told(board(4))
    assert door.knows(token, 1.0)
    door.told(board(4, is_over=True))
    assert not door.knows(token, 1.0)


def test_who_starts_another_match_stays_and_the_others_go(door: Doorkeeper) -> None:
    door.told(board(3))
    starter, other = enter(door), enter(door)
    door.starts_match(starter)
    door.told(board(4))
    assert door.knows(starter, 1.0)
    assert not door.knows(other, 1.0)


def test_a_match_started_at_the_box_ends_all_sessions_of_the_one_before(door: Doorkeeper) -> None:
    door.told(board(3))
    token = enter(door)
    door.told(board(4))
    assert not door.knows(token, 1.0)


def test_who_leaves_is_not_known_any_more(door: Doorkeeper) -> None:
    token = enter(door)
    door.let_out(token)
    assert not door.knows(token, 1.0)


def test_of_too_many_sessions_the_oldest_ends(door: Doorkeeper) -> None:
    tokens = [enter(door, now=float(i)) for i in range(MOST_SESSIONS + 1)]
    assert [door.knows(token, 20.0) for token in tokens] == [False] + [True] * MOST_SESSIONS

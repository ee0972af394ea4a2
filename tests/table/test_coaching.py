"""What is known about play, at the table: asked for once, taken in time, told when it is wanted."""

from __future__ import annotations

from typing import Any

import pytest
from driven_table import NEXT, Table, begin, power_cut

from firmware_host.games.coach import Coach
from firmware_host.games.counsel import NOTHING_KNOWN, Counsel, Option, Order, Review, Slip
from firmware_host.table.effects import Ask
from firmware_host.table.events import Advised, BoxSeen, MatchWanted
from firmware_host.table.session import step
from firmware_host.table.state import AGAIN_AFTER_S, HINT_S, REVIEW_S, Session
from firmware_host.table.view import Hint, Scene

ALL = Coach(hints=True, chances=True, review=True)
EIGHT = (Option((8,), 0.0), Option((1, 7), 1.5), Option((1, 2, 5), 2.5))
ANN = Review("Ann", 0.8, Slip((1, 2, 5), (8,), 0.8))


def coached(*players: str, coach: Coach = ALL, **settings: object) -> Table:
    """A match at a table with a coach, on a box that was seen, all open."""
    table = Table(Session(coach=coach))
    table.look()
    rules = {key.replace("_", ".", 1): value for key, value in settings.items()}
    table.send(MatchWanted(rules, players or ("Ann", "Bob")))
    table.wait(2.0)
    return table


def asked(table: Table) -> list[int]:
    return [effect.seq for effect in table.out if isinstance(effect, Ask)]


def advise(table: Table, **known: Any) -> None:
    """The answer to the last question."""
    table.send(Advised(asked(table)[-1], Counsel(**known)))


# Asking


def test_a_table_without_a_coach_never_asks() -> None:
    table = begin()
    table.roll(3, 5)
    table.flip(8)
    table.press(NEXT)
    assert asked(table) == []


def test_each_accepted_state_is_asked_about_once() -> None:
    table = coached()
    table.roll(3, 5)
    table.flip(5)
    table.flip(3)
    table.press(NEXT)
    assert asked(table) == [2, 3, 4]


def test_after_a_power_cut_it_is_asked_anew() -> None:
    table = begin("bot:good", "Ann")
    again = power_cut(table)
    assert asked(again)[-1] == again.session.history.seq


def test_where_the_box_plays_a_seat_it_asks_in_that_turn_alone() -> None:
    table = begin("Ann", "bot:good", rules_tiles="2")
    assert asked(table) == []
    table.roll(6)
    assert asked(table) == [table.session.history.seq]


def test_an_answer_that_comes_too_late_is_no_use() -> None:
    table = coached()
    late = asked(table)[-1]
    table.roll(3, 5)
    table.send(Advised(late, Counsel(options=(Option((1,), 0.0), Option((2,), 1.0)), chances=(0.5, 0.5))))
    assert table.session.counsel is NOTHING_KNOWN
    assert table.events("chances") == []


def test_it_plays_on_without_an_answer() -> None:
    table = coached("bot:good", "Ann")
    table.roll(3, 5)
    table.flip(8)
    assert table.view.scene is Scene.DONE
    assert table.wants == (2,)


# Hints


def test_next_shows_the_best_set_against_the_next_best() -> None:
    table = coached()
    table.roll(3, 5)
    advise(table, options=EIGHT)
    assert table.view.hint is None
    table.press(NEXT)
    assert table.view.hint == Hint((8,), (1, 7), 1.5)
    assert table.view.lit == {8}


def test_against_the_set_being_made_once_it_is_begun() -> None:
    table = coached()
    table.roll(3, 5)
    advise(table, options=EIGHT)
    table.flip(1)
    table.press(NEXT)
    assert table.view.hint == Hint((8,), (1, 7), 1.5, is_begun=True)
    table.flip(5)
    assert table.view.hint == Hint((8,), (1, 2, 5), 2.5, is_begun=True)
    assert table.view.lit == {2}


def test_of_sets_that_are_equally_good_the_one_begun_is_best() -> None:
    table = coached()
    table.roll(3, 5)
    advise(table, options=(Option((8,), 0.0), Option((1, 7), 0.0), Option((2, 6), 1.0)))
    table.flip(7)
    table.press(NEXT)
    assert table.view.hint == Hint((1, 7), (8,), 0.0)
    assert table.view.lit == {1}


def test_a_hint_asked_for_before_it_is_known_comes_when_it_is() -> None:
    table = coached()
    table.roll(3, 5)
    table.press(NEXT)
    assert table.view.hint is None
    advise(table, options=EIGHT)
    assert table.view.hint is not None


def test_before_a_roll_it_is_about_the_dice_where_there_is_a_choice() -> None:
    table = coached(rules_tiles="1-6")
    advise(table, options=(Option((2,), 0.0), Option((1,), 0.4)))
    table.press(NEXT)
    assert table.view.hint == Hint((2,), (1,), 0.4)
    only = coached()
    advise(only, options=(Option((2,), 0.0),))
    only.press(NEXT)
    assert only.view.hint is None


def test_a_hint_goes_with_time_and_with_the_move() -> None:
    table = coached()
    table.roll(3, 5)
    advise(table, options=EIGHT)
    table.press(NEXT)
    table.wait(HINT_S - 0.3)
    assert table.view.hint is not None
    table.wait(0.3)
    assert table.view.hint is None
    table.press(NEXT)
    table.flip(8)
    assert table.view.hint is None


@pytest.mark.parametrize(
    ("coach", "settings"), [(ALL, {"match_ranked": True}), (Coach(chances=True), {})], ids=["ranked", "off"]
)
def test_where_hints_are_off_next_does_nothing(coach: Coach, settings: dict[str, Any]) -> None:
    table = coached(coach=coach, **settings)
    table.roll(3, 5)
    advise(table, options=EIGHT)
    table.press(NEXT)
    assert table.view.hint is None


# What is lit


def test_without_a_hint_all_that_still_fits_the_roll_is_lit() -> None:
    table = begin()
    assert table.view.lit == frozenset()
    table.roll(1, 3)
    assert table.view.lit == {1, 3, 4}
    table.flip(3)
    assert table.view.lit == {1}
    table.flip(1)
    assert table.view.lit == frozenset()


def test_what_is_to_be_put_right_is_lit() -> None:
    table = begin()
    table.flip(5)
    assert table.view.lit == {5}


# Chances and reviews


def test_chances_are_shown_between_turns_and_told_by_name() -> None:
    table = coached()
    advise(table, chances=(0.6249, 0.3751))
    assert table.view.chances == (62, 38)
    assert [said.to_fields() for said in table.said if said.event == "chances"] == [
        {"chances": {"Ann": 0.6249, "Bob": 0.3751}}
    ]
    table.roll(3, 5)
    assert table.view.chances == ()


def test_a_review_stands_for_a_while_and_goes_with_the_next_roll() -> None:
    table = coached(rules_tiles="2", rules_one_die="never")
    table.roll(6, 6)
    advise(table, review=ANN)
    assert table.view.review == ANN
    assert [said.to_fields() for said in table.said if said.event == "reviewed"] == [
        {"player": "Ann", "cost": 0.8, "worst": {"shut": [1, 2, 5], "best": [8], "cost": 0.8}}
    ]
    table.wait(REVIEW_S)
    assert table.view.review is None
    again = coached("Ann", "Bob", "Cem", rules_tiles="2", rules_one_die="never")
    again.roll(6, 6)
    advise(again, review=ANN)
    again.roll(6, 6)
    assert again.view.review is None


# A seat that the box plays


def test_only_the_set_that_the_box_wants_is_legal() -> None:
    table = coached("bot:good", "Ann", coach=Coach())
    table.roll(3, 5)
    advise(table, order=Order((3, 5), 2))
    assert table.report.legal == ((3, 5),)
    assert (table.view.must_shut, table.view.lit) == ((3, 5), {3, 5})
    table.flip(8)
    assert table.wants == ((8,), ())
    table.flip(8)
    table.flip(3)
    assert table.view.must_shut == (5,)
    table.flip(5)
    assert table.wants == (2,)


def test_only_the_number_of_dice_that_it_wants_is_allowed() -> None:
    table = coached("bot:good", "Ann", coach=Coach(), rules_tiles="1-6")
    assert table.wants == (1, 2)
    advise(table, order=Order((), 1))
    assert table.wants == (1,)
    table.roll(4)
    advise(table, order=Order((4,), 2))
    table.flip(4)
    assert table.wants == (2,)


def test_a_set_made_before_the_box_had_decided_is_put_right() -> None:
    table = coached("bot:good", "Ann", coach=Coach())
    table.roll(3, 5)
    table.flip(8)
    advise(table, order=Order((3, 5), 2))
    assert table.wants == ((8,), ())


def test_whom_the_box_plays_is_not_among_the_people() -> None:
    assert coached("Ann", "bot:good").session.people == ("Ann",)


# The end


def test_next_just_after_the_end_begins_no_match() -> None:
    table = begin("Ann", rules_tiles="2")
    table.roll(2)
    table.flip(2)
    table.wait(1.0)
    assert table.view.scene is Scene.OVER
    table.press(NEXT)
    table.wait(AGAIN_AFTER_S - 0.5)
    table.press(NEXT)
    assert table.view.scene is Scene.OVER
    assert table.session.is_pending
    table.wait(0.5)
    table.press(NEXT)
    assert len(table.events("match_started")) == 2


def test_the_pause_is_of_the_end_and_not_of_tiles_that_are_opened_after_it() -> None:
    table = begin("Ann", rules_tiles="2")
    table.roll(1)
    table.wait(AGAIN_AFTER_S)
    table.flip(2)
    table.press(NEXT)
    assert len(table.events("match_started")) == 2


def test_an_answer_changes_nothing_that_is_kept() -> None:
    table = coached()
    before = table.session.history
    advise(table, options=EIGHT, chances=(0.5, 0.5), review=ANN)
    assert table.session.history is before
    after, effects = step(table.session, BoxSeen((1,) * 12), table.now)
    assert effects == []
    assert after.counsel == table.session.counsel

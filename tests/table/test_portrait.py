"""The session as people are to see it."""

from __future__ import annotations

from firmware_host.games.records import EndReason
from firmware_host.table.events import (
    BoxSeen,
    Button,
    ButtonPressed,
    DeviceLost,
    DiceSeen,
    Event,
    MatchWanted,
    Tick,
)
from firmware_host.table.portrait import portray
from firmware_host.table.session import step
from firmware_host.table.state import Session
from firmware_host.table.view import Brightness, Scene, TurnResult, View

ROLL, NEXT = ButtonPressed(Button.ROLL, False), ButtonPressed(Button.NEXT, False)
HOLD_NEXT = ButtonPressed(Button.NEXT, True)


def box(text: str) -> BoxSeen:
    """Twelve places from ``12-4``; the rest is open."""
    return BoxSeen(tuple(0 if i < len(text) and text[i] == "-" else 1 for i in range(12)))


def dice(*values: int) -> DiceSeen:
    return DiceSeen(values, "camera")


def see(
    *events: Event, rules: dict[str, object] | None = None, players: tuple[str, ...] = ("Ann", "Bob")
) -> View:
    """The view of a match on the tiles 1 to 4 after ``events``, a quarter of a second apart."""
    wanted = MatchWanted({"rules.tiles": "1-4", **(rules or {})}, players)
    session, now = Session(), 0.0
    for event in (box(""), wanted, *events, Tick()):
        session, _ = step(session, event, now)
        now += 0.25
    return portray(session, now)


def test_a_table_without_a_match_shows_its_title_and_its_troubles() -> None:
    session, _ = step(Session(), DeviceLost("display", "no answer"), 0.0)
    assert portray(session, 0.0) == View(Scene.TITLE, troubles=("display",))


def test_a_roll_is_wanted() -> None:
    view = see()
    assert (view.scene, view.player, view.seat) == (Scene.ROLL, "Ann", 0)
    assert (view.tiles, view.open, view.dice_allowed) == ((1, 2, 3, 4), (1, 2, 3, 4), (1, 2))
    assert view.totals == (("Ann", 0, False), ("Bob", 0, False))


def test_a_move_shows_the_dice_and_what_is_missing_of_them() -> None:
    view = see(ROLL, dice(1, 3))
    assert (view.scene, view.dice, view.to_shut, view.tumble) == (Scene.MOVE, (1, 3), 4, 0)


def test_a_part_of_a_set_is_shown_as_it_lies() -> None:
    view = see(ROLL, dice(1, 3), box("-234"))
    assert (view.open, view.to_shut) == ((2, 3, 4), 3)


def test_what_may_be_shut_is_lit_and_less_of_it_when_a_part_lies() -> None:
    assert see(ROLL, dice(1, 3)).lit == {1, 3, 4}  # 1 3, or 4
    assert see(ROLL, dice(1, 3), box("-234")).lit == {3}
    assert see(ROLL, dice(1, 3), box("-2-4")).lit == frozenset()  # done
    assert see(ROLL, dice(1, 3), box("1-34")).lit == {2}  # wrong: to be put right
    assert see().lit == frozenset()


def test_the_rollers_dice_light_nothing_while_they_tumble() -> None:
    assert see(ROLL, DiceSeen((1, 3), "roller")).lit == frozenset()


def test_where_sets_are_no_sums_nothing_is_missing() -> None:
    assert see(ROLL, dice(1, 3), rules={"rules.sets": "thai"}).to_shut == 0


def test_a_complete_move_shows_its_roll_and_what_may_be_rolled_next() -> None:
    view = see(ROLL, dice(1, 3), box("123-"))
    assert (view.scene, view.open, view.dice, view.dice_allowed) == (Scene.DONE, (1, 2, 3), (1, 3), (1, 2))


def test_the_last_tile_down_has_nothing_to_roll() -> None:
    view = see(ROLL, dice(1), box("-"), rules={"rules.tiles": "1", "rules.one_die_compulsory": True})
    assert (view.scene, view.open, view.dice_allowed) == (Scene.DONE, (), ())


def test_what_is_to_be_put_right_is_told_and_the_tiles_are_shown_as_they_lie() -> None:
    view = see(box("1-34"))
    assert (view.scene, view.must_open, view.must_shut, view.open) == (
        Scene.PUT_RIGHT,
        (2,),
        (),
        (1, 3, 4),
    )


def test_a_turn_that_ended_is_told_with_its_last_dice_until_the_next_roll() -> None:
    view = see(ROLL, dice(6, 6))
    assert view.last_turn == TurnResult("Ann", 10, EndReason.NO_MOVE, (6, 6))
    assert (view.player, view.seat) == ("Bob", 1)
    assert view.totals == (("Ann", 10, True), ("Bob", 0, False))
    assert see(ROLL, dice(6, 6), ROLL, dice(1, 1)).last_turn is None


def test_a_match_that_is_over_shows_its_winners() -> None:
    view = see(ROLL, dice(6, 6), players=("Ann",))
    assert (view.scene, view.winners) == (Scene.OVER, ("Ann",))


def test_tiles_without_a_sensor_are_marked_and_asked_for() -> None:
    view = see(box("12-4"), HOLD_NEXT, ROLL, dice(1, 2))
    assert (view.scene, view.blind, view.must_shut) == (Scene.CONFIRM, (3,), (3,))
    assert (view.open, view.dice) == ((1, 2, 3, 4), (1, 2))


def test_an_idle_table_is_dim() -> None:
    session, _ = step(Session(), box(""), 0.0)
    assert portray(session, 599.0).brightness is Brightness.FULL
    assert portray(session, 600.0).brightness is Brightness.DIM
    assert portray(session, 1800.0).brightness is Brightness.OFF

"""What the table waits for, from a game, a box and the sensors that are trusted."""

from __future__ import annotations

import pytest

from firmware_host.games.records import MatchEnded, Record, Rolled, TurnEnded
from firmware_host.games.start import opening
from firmware_host.table.history import History
from firmware_host.table.situation import NOTHING, Phase, Situation, assess


def history(tiles: str = "1-4", *records: Record) -> History:
    """One match of Ann's on ``tiles``, then ``records``, a step each."""
    after = History().add(opening(1, {"rules.tiles": tiles}, ("Ann",)))
    for record in records:
        after = after.add((record,))
    return after


def rolled(*dice: int) -> Rolled:
    return Rolled("Ann", dice, sum(dice), "roller")


def look(
    game: History, seen: str | None, unsensed: frozenset[int] = frozenset(), flipped: tuple[int, ...] = ()
) -> Situation:
    targets = game.game.targets() if game.game is not None else ()
    layout = None if seen is None else tuple(int(c != "-") for c in seen)
    return assess(game, targets, layout, flipped, unsensed)


def test_without_a_match_nothing_is_waited_for() -> None:
    assert assess(History(), (), (1, 1), (), frozenset()) == NOTHING


def test_a_box_that_was_not_seen_yet_says_nothing() -> None:
    assert look(history(), None) == NOTHING


def test_a_box_as_accepted_waits_for_a_roll() -> None:
    situation = look(history(), "1234")
    assert (situation.phase, situation.dice) == (Phase.ROLL, (1, 2))


def test_a_tile_before_the_roll_is_to_be_put_back() -> None:
    situation = look(history(), "12-4")
    assert (situation.phase, situation.fixes, situation.proposals) == (Phase.PUT_RIGHT, (2,), ())


@pytest.mark.parametrize("seen", ["1234", "-234"])
def test_after_a_roll_nothing_or_a_part_of_a_set_waits_for_tiles(seen: str) -> None:
    assert look(history("1-4", rolled(3)), seen).phase is Phase.MOVE


def test_a_whole_set_is_done_and_names_what_may_be_rolled_next() -> None:
    situation = look(history("1-4", rolled(3)), "12-4")
    assert (situation.phase, situation.dice) == (Phase.DONE, (1, 2))
    assert situation.target is not None
    assert situation.target.layout == (1, 1, 0, 1)


def test_the_last_tile_waits_for_its_settle_and_for_no_roll() -> None:
    situation = look(history("3", rolled(3)), "-")
    assert (situation.phase, situation.dice) == (Phase.DONE, ())


def test_no_set_fits_any_more() -> None:
    assert look(history("1-4", rolled(3)), "123-").fixes == (3,)


def test_a_match_that_is_over_does_not_care_how_the_box_lies() -> None:
    ended = MatchEnded(("Ann",), {"Ann": 3}, {"Ann": 0}, "played")
    over = history("1-4", rolled(3), TurnEnded("Ann", (3,), 3, "no_move"), ended)  # type: ignore[arg-type]
    assert look(over, "--3-").phase is Phase.OVER


def test_a_tile_without_a_sensor_that_is_to_be_put_right_is_asked_about() -> None:
    situation = look(history(), "12-4", unsensed=frozenset({2}))
    assert (situation.phase, situation.proposals) == (Phase.PUT_RIGHT, ((1, 1, 1, 1),))


def test_nobody_is_asked_while_a_tile_with_a_sensor_has_to_be_moved_too() -> None:
    assert look(history(), "1--4", unsensed=frozenset({2})).proposals == ()


def test_in_a_move_the_sets_are_proposed_that_miss_only_tiles_without_a_sensor() -> None:
    three = history("1-4", rolled(3))
    assert look(three, "1234", unsensed=frozenset({2})).proposals == ((1, 1, 0, 1),)
    assert look(three, "1234", unsensed=frozenset({0})).proposals == ()
    assert look(three, "1-34", unsensed=frozenset({0})).proposals == ((0, 0, 1, 1),)
    assert look(three, "1234", unsensed=frozenset({0, 1, 2})).proposals == ((1, 1, 0, 1), (0, 0, 1, 1))


def test_the_flip_that_came_last_goes_back_first() -> None:
    three = history("1-4", rolled(3))
    assert look(three, "-2-4", flipped=(2, 0)).fixes == (0,)
    assert look(three, "-2-4", flipped=(0, 2)).fixes == (2,)

"""What the table believes of the tiles: debounced levels, or the player's word."""

from __future__ import annotations

from firmware_host.table.sight import DEBOUNCE_S, Sight

ALL = (0, 1, 2)


def seen(*levels: int | None) -> Sight:
    return Sight().read(levels, 0.0)


def settled(sight: Sight, levels: tuple[int | None, ...], now: float) -> Sight:
    return sight.read(levels, now).read(None, now + DEBOUNCE_S)


def test_nothing_is_known_before_the_first_reading() -> None:
    assert Sight().layout(ALL) is None
    assert not Sight().is_known


def test_the_first_reading_is_believed_at_once() -> None:
    assert seen(1, 0, 1).layout(ALL) == (1, 0, 1)
    assert seen(1, 0, 1).is_known


def test_only_the_places_of_the_game_are_told_in_its_order() -> None:
    assert seen(1, 0, 0, 1).layout((3, 1)) == (1, 0)


def test_a_flip_is_believed_when_its_level_has_stood() -> None:
    moving = seen(1, 1, 1).read((1, 0, 1), 5.0)
    assert moving.layout(ALL) == (1, 1, 1)
    assert moving.due == 5.0 + DEBOUNCE_S
    assert moving.read(None, 5.0 + DEBOUNCE_S).layout(ALL) == (1, 0, 1)


def test_the_order_of_the_flips_is_the_order_in_which_the_levels_changed() -> None:
    sight = seen(1, 1, 1).read((1, 1, 0), 1.0).read((0, 1, 0), 1.03)
    sight = sight.read(None, 1.2)  # both count in the same moment
    assert sight.order(ALL) == (2, 0)


def test_a_tile_flipped_again_is_the_latest() -> None:
    sight = settled(settled(settled(seen(1, 1, 1), (0, 1, 1), 1.0), (0, 0, 1), 2.0), (1, 0, 1), 3.0)
    assert sight.order(ALL) == (1, 0)


def test_the_order_leaves_out_tiles_of_no_concern() -> None:
    sight = settled(settled(seen(1, 1, 1), (0, 1, 1), 1.0), (0, 0, 1), 2.0)
    assert sight.order((1, 2)) == (0,)


def test_a_place_without_a_switch_goes_by_the_players_word_from_the_start() -> None:
    sight = seen(1, None, 0)
    assert sight.layout(ALL) == (1, 1, 0)
    assert sight.unsensed(ALL) == {1}
    assert sight.unsensed((0, 2)) == frozenset()


def test_a_word_counts_against_the_sensor_until_it_is_trusted_again() -> None:
    sight = seen(1, 1, 1).take_word(ALL, (1, 0, 1))
    assert sight.layout(ALL) == (1, 0, 1)
    assert sight.unsensed(ALL) == {1}
    assert settled(sight, (1, 1, 0), 1.0).unsensed(ALL) == {1}
    assert sight.trust_again().layout(ALL) == (1, 1, 1)


def test_a_sensor_that_moves_to_where_the_word_has_its_tile_is_trusted_again() -> None:
    told = settled(seen(1, 1, 1).take_word(ALL, (1, 0, 1)), (1, 0, 1), 1.0)
    assert told.unsensed(ALL) == frozenset()
    assert settled(told, (1, 1, 1), 2.0).layout(ALL) == (1, 1, 1)


def test_a_word_that_agrees_with_the_sensor_leaves_it_trusted() -> None:
    assert seen(1, 0, 1).take_word(ALL, (1, 0, 1)).unsensed(ALL) == frozenset()


def test_a_place_without_a_switch_stays_on_the_word_when_the_others_are_trusted_again() -> None:
    assert seen(1, None, 1).take_word(ALL, (0, 0, 1)).trust_again().unsensed(ALL) == {1}


def test_lost_sensors_leave_what_was_believed_last() -> None:
    lost = seen(1, 0, 1).lose(ALL, (1, 1, 1))
    assert lost.layout(ALL) == (1, 0, 1)
    assert lost.unsensed(ALL) == {0, 1, 2}
    assert lost.is_known


def test_sensors_that_never_answered_leave_the_games_own_box() -> None:
    assert Sight().lose(ALL, (1, 0, 0)).layout(ALL) == (1, 0, 0)


def test_sensors_lost_before_any_game_leave_all_tiles_open() -> None:
    lost = Sight().lose((), ())
    assert lost.layout(ALL) == (1, 1, 1)
    assert lost.take_word(ALL, (1, 0, 1)).layout(ALL) == (1, 0, 1)


def test_a_game_with_more_tiles_may_begin_while_the_sensors_are_lost() -> None:
    lost = Sight().lose((0, 1), (1, 0))
    assert lost.layout((0, 1, 4)) == (1, 0, 1)
    assert lost.take_word((0, 1, 4), (1, 1, 0)).layout((0, 1, 4)) == (1, 1, 0)


def test_the_word_is_taken_for_lost_sensors() -> None:
    lost = seen(1, 1, 1).lose(ALL, (1, 1, 1)).take_word(ALL, (0, 1, 1))
    assert lost.layout(ALL) == (0, 1, 1)


def test_sensors_that_answer_again_are_read_anew() -> None:
    found = seen(1, 1, 1).lose(ALL, (1, 1, 1)).take_word(ALL, (0, 1, 1)).find()
    assert found.layout(ALL) == (0, 1, 1)
    assert found.unsensed(ALL) == frozenset((0, 1, 2))
    again = found.read((1, 0, 1), 9.0)
    assert again.layout(ALL) == (1, 0, 1)
    assert again.unsensed(ALL) == frozenset()
    assert again.order(ALL) == ()


def test_reading_the_same_again_is_the_same_value() -> None:
    sight = seen(1, 0, 1)
    assert sight.read((1, 0, 1), 1.0) is sight
    assert sight.read(None, 1.0) is sight

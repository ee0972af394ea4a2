"""Tiles that no sensor tells, devices that vanish, the plug, and the end of the service."""

from __future__ import annotations

from driven_table import BACK, NEXT, ROLL, Table, power_cut, start

from firmware_host.table.events import (
    DeviceBack,
    DeviceLost,
    DiceSeen,
    MatchWanted,
    Stopping,
)
from firmware_host.table.session import resume
from firmware_host.table.situation import Phase
from firmware_host.table.view import Notice, Scene


def test_next_held_on_put_right_takes_the_games_word() -> None:
    table = start()
    table.flip(4)
    table.stuck.add(4)  # it stays down for the sensor
    assert table.wants == ((4,), ())
    table.press(NEXT, held=True)
    assert table.wants == (2,)
    assert table.view.blind == (4,)
    assert table.events("righted") == [{}]


def doubt(table: Table) -> None:
    """Say in the menu that a tile was flipped and is not seen."""
    table.press(NEXT, held=True)
    assert table.view.scene is Scene.MENU
    table.press(NEXT)


def test_a_tile_not_seen_in_a_move_proposes_sets_and_back_shows_the_others() -> None:
    table = start()
    table.roll(1, 2)
    doubt(table)
    proposed = []
    for _ in range(3):
        assert table.view.scene is Scene.CONFIRM
        proposed.append(table.view.must_shut)
        table.press(BACK)
    assert proposed == [(3,), (1, 2), (3,)]
    table.press(NEXT)
    assert table.view.scene is Scene.DONE
    assert table.report.shut == (1, 2)
    assert table.view.blind == (1, 2)


def test_next_held_again_puts_the_proposals_away() -> None:
    table = start()
    table.roll(1, 2)
    doubt(table)
    table.press(NEXT, held=True)
    assert table.view.scene is Scene.MOVE


def test_a_roll_puts_the_proposals_away() -> None:
    table = start()
    table.roll(1, 2)
    doubt(table)
    table.flip(3)  # it was seen after all
    table.roll(4, 5)
    assert table.view.scene is Scene.MOVE
    assert table.view.blind == ()


def test_a_tile_played_blind_is_asked_for_by_itself_from_then_on() -> None:
    table = start()
    table.flip(9)
    table.press(NEXT, held=True)
    table.roll(4, 5)
    assert (table.view.scene, table.view.must_shut) == (Scene.CONFIRM, (9,))
    table.flip(5, 4)  # another set, all seen
    assert table.view.scene is Scene.DONE
    table.flip(5, 4)
    table.press(NEXT)
    assert table.report.shut == (9,)


def test_a_blind_tile_that_is_to_be_opened_for_the_next_player_is_asked_for() -> None:
    table = start(tiles="9,12")
    table.roll(4, 5)
    doubt(table)
    table.press(NEXT)
    table.roll(1, 1)
    assert table.report.player == "Bob"
    assert (table.view.scene, table.view.must_open) == (Scene.CONFIRM, (9,))
    assert table.wants == ((9,), ())
    table.press(NEXT)
    assert table.wants == (2,)


def test_a_new_match_trusts_every_sensor_again() -> None:
    table = start()
    table.flip(4)
    table.press(NEXT, held=True)
    table.send(MatchWanted({}, ("Cem",)))
    assert table.view.blind == ()
    assert table.wants == ((4,), ())


def test_a_box_whose_tiles_are_lost_is_played_on_the_players_word() -> None:
    table = start()
    table.roll(4, 5)
    table.send(DeviceLost("tiles", "no answer"))
    table.wait(1.0)
    assert table.events("device_lost") == [{"device": "tiles", "reason": "no answer"}]
    assert (table.view.scene, table.view.must_shut) == (Scene.CONFIRM, (9,))
    assert table.view.troubles == ("tiles",)
    table.press(NEXT)
    assert table.view.scene is Scene.DONE


def test_tiles_that_are_back_are_read_anew() -> None:
    table = start()
    table.roll(4, 5)
    table.send(DeviceLost("tiles", "no answer"))
    table.press(NEXT)
    table.send(DeviceBack("tiles"))
    assert table.view.player == "Ann", "what was believed stays on the panel until they are read"
    table.look()
    assert table.wants == ("move",)
    assert table.view.blind == ()
    assert len(table.events("device_back")) == 1


def test_tiles_that_are_lost_before_the_first_match_stop_nobody() -> None:
    table = Table()
    table.send(DeviceLost("tiles", "no answer"))
    table.send(MatchWanted({}, ("Ann",)))
    assert table.wants == (2,)


def test_a_device_is_said_to_be_lost_once_and_back_once() -> None:
    table = start()
    for event in (DeviceLost("display", "a"), DeviceLost("display", "b"), DeviceBack("display")):
        table.send(event)
    table.send(DeviceBack("display"))
    assert [s.event for s in table.said if s.event.startswith("device")] == ["device_lost", "device_back"]


def test_the_table_comes_up_in_the_same_game_and_says_so() -> None:
    table = start()
    table.roll(4, 5)
    again = power_cut(table)
    assert again.events("resumed") == [{"match": 1, "open": (), "shut": (), "place": (), "lift": ()}]
    assert again.view.notice is Notice.RESUMED
    assert again.wants == ("move",)


def test_what_was_moved_in_the_dark_is_to_be_put_right() -> None:
    table = start()
    table.roll(4, 5)
    table.flip(9)
    table.roll(3, 5)
    table.flip(5)
    again = power_cut(table, moved=(9,))
    assert again.events("resumed") == [{"match": 1, "open": (), "shut": (9,), "place": (), "lift": ()}]
    assert again.wants == ((), (9,))
    again.flip(9)
    assert (again.wants, again.view.to_shut) == (("move",), 3)


def test_where_the_order_of_flips_is_not_known_the_higher_tile_goes_back() -> None:
    table = start()
    table.roll(1, 2)
    table.flip(3)
    assert power_cut(table, moved=(1,)).wants == ((3,), ())


def test_a_complete_move_that_does_not_stand_yet_is_read_from_the_box() -> None:
    table = start()
    table.roll(4, 5)
    table.flip(9)
    again = power_cut(table)
    assert again.view.scene is Scene.DONE
    assert again.report.shut == (9,)


def test_a_damaged_journal_is_said_and_not_overtaken_by_the_resumed_game() -> None:
    assert power_cut(start(), notice=Notice.DAMAGED).view.notice is Notice.DAMAGED
    empty = power_cut(Table(), notice=Notice.DAMAGED)
    assert (empty.view.scene, empty.view.notice) == (Scene.TITLE, Notice.DAMAGED)


def test_a_match_that_is_over_is_not_resumed() -> None:
    table = start(tiles="7")
    table.roll(3, 4)
    table.flip(7)
    table.wait(2.0)
    again = power_cut(table, moved=(7,))
    assert again.events("resumed") == []
    assert again.view.scene is Scene.OVER


def test_a_table_without_its_tiles_resumes_as_well() -> None:
    table = start()
    table.roll(4, 5)
    again = Table(resume(table.session.history, 0.0))
    assert again.view.scene is Scene.TITLE
    again.send(DeviceLost("tiles", "no answer"))
    assert again.events("resumed") == [{"match": 1, "open": (), "shut": (), "place": (), "lift": ()}]
    assert (again.view.scene, again.view.must_shut) == (Scene.CONFIRM, (9,))


def test_kept_throws_outlive_a_power_cut() -> None:
    table = start()
    table.roll(4, 5)
    table.press(BACK, held=True)
    again = power_cut(table)
    again.roll(1, 1)
    assert again.events("rolled")[0]["dice"] == (4, 5)


def test_stopping_says_that_the_match_is_paused_and_saved() -> None:
    table = start()
    table.send(Stopping())
    assert table.view.scene is Scene.PAUSED


def test_a_settle_a_debounce_and_a_throw_are_pending_and_dimming_is_not() -> None:
    table = start(tiles="7")
    table.wait(5.0)
    assert not table.session.is_pending
    table.press(ROLL)
    assert table.session.is_pending
    table.send(DiceSeen((3, 4), "camera"))
    assert not table.session.is_pending
    table.open.discard(7)
    table.look()
    assert table.session.is_pending  # the debounce
    table.wait(0.1)
    assert table.session.situation.phase is Phase.DONE
    assert table.session.is_pending  # the settle

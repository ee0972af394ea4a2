"""What a scoreboard is told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from driven_table import NEXT, ROLL, Table, begin

from firmware_host.table.board import board
from firmware_host.table.events import ButtonPressed, DeviceLost, DiceSeen, PhoneAsked
from firmware_host.table.wishes import EndTurn


def seen(table: Table) -> dict[str, Any]:
    """As it comes out of the wire."""
    told: dict[str, Any] = json.loads(json.dumps(board(table.session, table.now)))
    return told


def test_before_the_first_match_there_is_a_title() -> None:
    table = Table()
    table.look()
    told = seen(table)
    assert (told["scene"], told["match"], told["seats"]) == ("title", 0, [])


def test_a_turn_from_the_roll_to_the_move() -> None:
    table = begin("Ann", "Bob", match_kind="rounds")
    told = seen(table)
    assert (told["scene"], told["player"], told["dice_allowed"]) == ("roll", "Ann", [2])
    assert (told["kind"], told["round"], told["rounds"]) == ("rounds", 1, 3)
    table.roll(3, 5)
    table.flip(5)
    told = seen(table)
    assert (told["scene"], told["dice"], told["missing"]) == ("move", [3, 5], 3)
    assert [8] in told["legal"]
    assert 5 not in told["open"]


def test_dice_that_tumble_are_not_told() -> None:
    table = begin("Ann")
    table.send(ButtonPressed(ROLL, False))
    table.send(DiceSeen((3, 5), "roller"))
    told = seen(table)
    assert (told["is_tumbling"], told["dice"], told["legal"]) == (True, [], [])


def test_a_menu_on_the_panel_hides_nothing_here() -> None:
    table = begin("Ann")
    table.press(NEXT, held=True)
    assert seen(table)["scene"] == "roll"


def test_seats_tell_who_has_played_and_who_is_out() -> None:
    table = begin("Ann", "Bob", match_kind="last-standing", match_limit=10)
    table.roll(3, 5)
    table.press(NEXT)
    table.send(PhoneAsked(1, EndTurn()))
    ann, bob = seen(table)["seats"]
    assert (ann["total"], ann["has_played"], ann["to_play"]) == (45, True, False)
    assert (bob["total"], bob["has_played"], bob["to_play"]) == (0, False, True)


@pytest.mark.parametrize("device", ["tiles", "store"])
def test_what_is_out_of_order_is_told(device: str) -> None:
    table = begin("Ann")
    table.send(DeviceLost(device, "unplugged"))
    assert seen(table)["troubles"] == [device]

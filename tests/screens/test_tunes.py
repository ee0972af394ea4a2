"""What is heard when the screen changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.screens.tunes import OK, WIN, WRONG, Tune, tune
from firmware_host.table.view import Notice, Scene, TurnResult, View

MOVE = View(Scene.MOVE, player="Ann", open=(1, 2, 3), dice=(1, 2))
DONE = replace(MOVE, scene=Scene.DONE, open=(1, 2))
WRONG_4 = replace(MOVE, scene=Scene.PUT_RIGHT, must_open=(4,))
ROLL = View(Scene.ROLL, player="Bob", dice_allowed=(2,))
OVER = View(Scene.OVER, winners=("Ann",))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(MOVE, DONE, OK, id="a move is complete"),
        pytest.param(WRONG_4, DONE, OK, id="put right and complete"),
        pytest.param(DONE, DONE, (), id="nothing new"),
        pytest.param(MOVE, replace(MOVE, open=(1,)), (), id="a part of a move"),
        pytest.param(MOVE, WRONG_4, WRONG, id="a wrong tile"),
        pytest.param(WRONG_4, replace(WRONG_4, must_open=(4, 5)), WRONG, id="one more wrong tile"),
        pytest.param(replace(WRONG_4, must_open=(4, 5)), WRONG_4, (), id="one of two put right"),
        pytest.param(MOVE, replace(MOVE, notice=Notice.TILES_FIRST), WRONG, id="rolled too early"),
        pytest.param(replace(MOVE, notice=Notice.TILES_FIRST), MOVE, (), id="the notice goes"),
        pytest.param(ROLL, replace(ROLL, notice=Notice.UNDONE), (), id="undone is no slip"),
        pytest.param(DONE, OVER, WIN, id="won"),
        pytest.param(ROLL, View(Scene.OVER), (), id="abandoned"),
        pytest.param(
            DONE, replace(ROLL, last_turn=TurnResult("Ann", 0, "shut", (1, 2))), WIN, id="shut the box"
        ),
        pytest.param(
            DONE, replace(ROLL, last_turn=TurnResult("Ann", 5, "no_move", (1, 2))), (), id="no move left"
        ),
        pytest.param(ROLL, View(Scene.MENU), (), id="the menu"),
        pytest.param(View(Scene.MENU), DONE, (), id="the menu is left"),
    ],
)  # fmt: skip
def test_a_change_of_the_screen_has_its_tune(before: View, after: View, expected: Tune) -> None:
    assert tune(before, after) == expected


@pytest.mark.parametrize("notes", [OK, WRONG, WIN])
def test_tunes_are_short_and_can_be_heard(notes: Tune) -> None:
    assert sum(ms for _, ms in notes) < 1000
    assert all(hz == 0 or 200 <= hz <= 4000 for hz, _ in notes)

"""Whole matches of seats that the box plays, by hands that do what it says, and slip now and then."""

from __future__ import annotations

import random

import pytest
from driven_table import BACK, NEXT, Table, begin, power_cut

from firmware_host.games.records import MoveMade, Rolled, Undone
from firmware_host.games.shut_the_box.odds.coach import counsel
from firmware_host.table.effects import Ask
from firmware_host.table.events import Advised
from firmware_host.table.state import THINKS_S
from firmware_host.table.view import Notice, Scene

SEATS = ("bot:perfect", "bot:casual", "bot:good")


def answer(table: Table) -> None:
    """As the adviser would, at once."""
    asked = [effect for effect in table.out if isinstance(effect, Ask)]
    if asked:
        table.send(Advised(asked[-1].seq, counsel(asked[-1].game, asked[-1].coach)))


def lay(table: Table, tiles: tuple[int, ...]) -> None:
    for tile in tiles:
        table.flip(tile)


def play(table: Table, chance: random.Random, slips: float = 0.0) -> Table:
    """To the end of the match, ``slips`` of the steps being something else."""
    answer(table)
    for _ in range(400):
        answer(table)
        view = table.view
        if view.scene is Scene.OVER:
            return table
        what = chance.choice(["undo", "plug", "tile"]) if chance.random() < slips else ""
        if what == "undo":
            table.press(BACK, held=True)
        elif what == "plug":
            table = power_cut(table)
        elif what == "tile":
            table.flip(chance.choice(view.tiles))
        elif view.scene in (Scene.PUT_RIGHT, Scene.MOVE):
            lay(table, view.must_open + view.must_shut)
        elif view.dice_allowed:
            assert len(view.dice_allowed) == 1, "the box chooses how many"
            table.roll(*(chance.randint(1, 6) for _ in range(view.dice_allowed[0])))
        else:
            table.press(NEXT)
            table.wait(2.0)
    raise AssertionError(f"no end: {table.view}")


@pytest.mark.parametrize(
    "settings", [{}, {"match_kind": "last-standing", "match_limit": 12}, {"rules_sets": "thai"}]
)
def test_what_the_box_says_leads_to_the_end(settings: dict[str, object]) -> None:
    table = play(begin(*SEATS, rules_tiles="1-6", **settings), random.Random(1))
    assert table.view.winners
    asked = [tiles["shut"] for tiles in table.events("put_right")]
    assert not any(asked), "only to open the box for the next turn"


@pytest.mark.parametrize("seed", range(6))
def test_hands_may_slip_undo_and_pull_the_plug(seed: int) -> None:
    table = play(begin(*SEATS, rules_tiles="1-6"), random.Random(seed), slips=0.3)
    assert table.session.history.game is not None
    assert table.session.history.game.match.is_over


def test_after_undo_and_the_same_dice_the_box_wants_the_same() -> None:
    for seed in range(5):
        table = begin("bot:casual", "Ann", rules_tiles="1-6")
        answer(table)
        dice = (1 + seed, 2)[: table.view.dice_allowed[0]]
        table.roll(*dice)
        answer(table)
        wanted = table.view.must_shut
        table.press(BACK, held=True)
        answer(table)
        table.roll(*dice)
        answer(table)
        assert table.view.must_shut == wanted
        kinds = [type(record) for record in table.records if isinstance(record, Rolled | Undone | MoveMade)]
        assert kinds == [Rolled, Undone, Rolled]


def test_while_it_takes_long_to_decide_the_table_says_so() -> None:
    table = begin("bot:good", "Ann")
    answer(table)
    table.roll(3, 5)
    table.wait(THINKS_S)
    assert (table.view.notice, table.view.must_shut) == (Notice.THINKING, ())
    answer(table)
    assert (table.view.notice, table.view.must_shut) == (None, (8,))


def test_what_is_asked_for_a_person_is_not_waited_for() -> None:
    table = begin("Ann", "bot:good")
    table.roll(3, 5)
    table.wait(2 * THINKS_S)
    assert table.view.notice is None

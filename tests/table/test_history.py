"""State is the fold of the journal, and the way back."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import JournalError
from firmware_host.games.game import Game
from firmware_host.games.records import (
    MatchStarted,
    Record,
    Resumed,
    TurnStarted,
    Undone,
    from_fields,
    to_fields,
)
from firmware_host.games.start import opening
from firmware_host.table.history import ROLLER, History

Steps = list[tuple[Record, ...]]


def begin(rules: dict[str, object] | None = None, *players: str) -> Steps:
    return [opening(1, rules or {}, players or ("Ann", "Bob"))]


def fold(steps: Steps) -> History:
    history = History()
    for records in steps:
        history = history.add(records)
    return history


def game_of(history: History) -> Game:
    assert history.game is not None
    return history.game


def roll(history: History, *dice: int, source: str = ROLLER, after: str = "") -> tuple[Record, ...]:
    """The step of a roll; ``after``: the box, such as ``1234-``, whose move stands with it."""
    game = game_of(history)
    stood: tuple[Record, ...] = ()
    if after:
        stood = game.stand(tuple(int(character != "-") for character in after))
        for record in stood:
            game = game.apply(record)
    return (*stood, *game.roll(dice, source))


def undo(history: History) -> tuple[Record, ...]:
    assert history.past is not None
    return (Undone(history.past.seq),)


def test_nothing_was_played_yet() -> None:
    assert History().snapshot() == {"seq": 0, "match": None}


def test_a_match_begins() -> None:
    history = fold(begin())
    assert (history.seq, history.matches, history.past) == (2, 1, None)
    assert game_of(history).match.player == "Ann"


def test_records_are_numbered_without_a_gap() -> None:
    history = fold(begin())
    after = history.add(roll(history, 4, 5))
    assert after.seq == 3
    again = after.add(roll(after, 1, 2, after="12345678-"))
    assert again.seq == 5  # move_made and rolled


def test_undo_restores_exactly_what_was() -> None:
    history = fold(begin())
    after = history.add(roll(history, 4, 5))
    undone = after.add(undo(after))
    assert undone.game == history.game
    assert undone.past == history.past
    assert undone.seq == 4


def test_a_step_is_undone_as_a_whole() -> None:
    """A roll that ended the turn takes the turn's end with it."""
    history = fold(begin({"rules.tiles": "12"}))
    ended = history.add(roll(history, 1, 2))
    assert game_of(ended).match.player == "Bob"
    undone = ended.add(undo(ended))
    assert game_of(undone).match.player == "Ann"
    assert game_of(undone).match.totals == (0, 0)


def test_only_the_last_step_can_be_taken_back() -> None:
    history = fold(begin())
    after = history.add(roll(history, 4, 5))
    with pytest.raises(JournalError, match="cannot take back 2"):
        after.add((Undone(2),))
    with pytest.raises(JournalError, match="cannot take back 3"):
        history.add((Undone(3),))


def test_a_new_match_cannot_be_taken_back() -> None:
    history = fold(begin())
    after = history.add(roll(history, 4, 5)).add(opening(2, {}, ("Cem",)))
    assert after.past is None
    assert after.matches == 2


def test_coming_up_again_is_no_step_to_take_back() -> None:
    history = fold(begin())
    after = history.add(roll(history, 4, 5))
    assert after.add((Resumed(1, (), ()),)).past == after.past


def test_a_throw_that_was_undone_is_thrown_again() -> None:
    history = fold(begin())
    after = history.add(roll(history, 4, 5))
    undone = after.add(undo(after))
    assert undone.kept_dice(2) == (4, 5)
    again = undone.add(roll(undone, 4, 5))
    assert again.kept == ()


def test_throws_come_back_in_the_order_in_which_they_were_thrown() -> None:
    history = fold(begin())
    for dice, after in (((4, 5), ""), ((1, 2), "12345678-"), ((2, 2), "12-45678-")):
        history = history.add(roll(history, *dice, after=after))
    for _ in range(3):
        history = history.add(undo(history))
    for dice, after in (((4, 5), ""), ((1, 2), "12345678-"), ((2, 2), "--345678-")):
        assert history.kept_dice(2) == dice
        history = history.add(roll(history, *dice, after=after))
    assert history.kept_dice(2) == ()


def test_another_number_of_dice_does_not_free_the_first_throw() -> None:
    """7 may leave {1, 5, 6}, where one die is compulsory, or {5, 7}, where two are."""
    history = fold(begin({"rules.tiles": "1,5-7", "rules.one_die_compulsory": True}))
    history = history.add(roll(history, 3, 4))
    one = history.add(roll(history, 2, after="156-"))
    back = one.add(undo(one))
    two = back.add(roll(back, 1, 1, after="-5-7"))
    back = two.add(undo(two))
    assert back.kept_dice(1) == (2,)
    assert back.kept_dice(2) == (1, 1)
    assert back.dice_allowed((1,)) == (1,)
    assert back.dice_allowed((2,)) == (2,)
    assert back.dice_allowed((1, 2)) == (2,)  # the throw that was taken back last


def test_a_kept_throw_belongs_to_its_turn() -> None:
    history = fold(begin({"rules.tiles": "7"}))
    ann = history.add(roll(history, 1, 1))  # ends Ann's turn
    bob = ann.add(roll(ann, 3, 4))
    back = bob.add(undo(bob))
    assert back.kept_dice(2) == (3, 4)
    back = back.add(undo(back))
    assert back.kept_dice(2) == (1, 1)  # Ann's again
    assert back.add(roll(back, 1, 1)).kept_dice(2) == (3, 4)


def test_a_throw_that_was_never_taken_up_again_is_gone_with_its_turn() -> None:
    """Ann's one die is forgotten once she plays on with two: Bob's first one die is a new one."""
    history = fold(begin({"rules.tiles": "1,5-7", "rules.one_die_compulsory": True}))
    history = history.add(roll(history, 3, 4))
    history = history.add(roll(history, 2, after="156-"))
    history = history.add(undo(history))
    history = history.add(roll(history, 1, 1, after="-5-7"))
    assert game_of(history).match.player == "Bob"
    history = history.add(roll(history, 3, 4))
    assert history.kept_dice(1) == ()
    assert history.dice_allowed((1,)) == (1,)


def test_a_throw_of_another_source_is_not_kept() -> None:
    history = fold(begin())
    after = history.add(roll(history, 4, 5, source="keypad"))
    assert after.add(undo(after)).kept == ()


def test_a_new_match_begins_without_kept_throws() -> None:
    history = fold(begin())
    after = history.add(roll(history, 4, 5))
    assert after.add(undo(after)).add(opening(2, {}, ("Ann",))).kept == ()


def test_a_game_of_a_later_release_is_refused() -> None:
    with pytest.raises(JournalError, match="'chess', which this release does not know"):
        History().add((MatchStarted(1, "chess", {}, ("Ann",)),))


def test_a_record_before_any_match_is_refused() -> None:
    with pytest.raises(JournalError, match="turn_started before any match_started"):
        History().add((TurnStarted("Ann", 1),))


def read_back(record: Record) -> Record:
    """``record`` as the journal gives it back."""
    return from_fields(record.event, json.loads(json.dumps(to_fields(record))))


@given(st.integers(0, 10_000), st.integers(1, 40))
def test_the_fold_of_the_journal_is_the_live_history(seed: int, length: int) -> None:
    chance, steps = random.Random(seed), begin({"rules.tiles": "1-6"}, "Ann", "Bob", "Cem")
    history, before = fold(steps), [fold(steps)]
    for _ in range(length):
        game = game_of(history)
        if history.past is not None and (game.match.is_over or chance.random() < 0.3):
            step = undo(history)
        elif game.dice and chance.random() < 0.5:
            step = game.stand(chance.choice(game.targets()).layout)
        else:
            target = chance.choice(game.targets()) if game.dice else None
            numbers = target.next_dice if target else game.dice_allowed()
            if not numbers:
                continue  # the last tile: no roll after it
            count = chance.choice(numbers)
            after = "".join("x" if up else "-" for up in target.layout) if target else ""
            dice = history.kept_dice(count) or tuple(chance.randint(1, 6) for _ in range(count))
            step = roll(history, *dice, after=after)
        steps.append(step)
        history = history.add(step)
        if isinstance(step[0], Undone):
            before.pop()
            assert history.game == before[-1].game
            assert history.past == before[-1].past
        else:
            before.append(history)
    again = fold([tuple(map(read_back, step)) for step in steps])
    assert again == history
    assert json.loads(json.dumps(again.snapshot())) == history.snapshot()

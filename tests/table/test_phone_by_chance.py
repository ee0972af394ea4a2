"""Hands and a phone at the same table, in any order: it always goes on, and the journal tells it all."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from driven_table import NEXT, Table, begin

from firmware_host.games.records import Corrected, MatchStarted, Record, Resumed, Rolled, Undone
from firmware_host.table.effects import Answered, Keep
from firmware_host.table.events import Button, PhoneAsked
from firmware_host.table.history import History
from firmware_host.table.view import Scene
from firmware_host.table.wishes import EndTurn, HandOver, Rename, SetDice, SetScore, Start, TakeBack, Wish

NAMES = ("Ann", "Bob", "Cy", "Dora")
ODD_NAMES = ("bot:x", "bot:good", "good", "ann", "ＡＮＮ", "Good", "x" * 20)
MATCHES: tuple[dict[str, Any], ...] = (
    {},
    {"match_kind": "rounds", "rules_tiles": "1-4"},
    {"match_kind": "last-standing", "match_limit": 12, "rules_tiles": "1-4"},
    {"match_kind": "battle", "rules_tiles": "1-4"},
    {"rules_ties": "play-off", "rules_tiles": "1,2"},
    {"source": "keypad"},
    {"source": "none"},
)


def seats(seed: int) -> tuple[str, ...]:
    """Two for a battle; the box plays along in half of the matches in which it can."""
    if MATCHES[seed % 7].get("match_kind") == "battle":
        return NAMES[:2]
    can_box = MATCHES[seed % 7].get("source") != "none"
    return ("Ann", "bot:good", "Cy") if can_box and seed % 2 else NAMES[:3]


def any_wish(chance: random.Random) -> Wish:
    dice = tuple(chance.randint(1, 6) for _ in range(chance.choice((1, 2, 2))))
    rules = {"rules.tiles": chance.choice(("1-4", "1-9", "0"))}
    make: tuple[Callable[[], Wish], ...] = (
        lambda: SetDice(dice), lambda: SetDice(dice), lambda: TakeBack(), lambda: EndTurn(),
        lambda: HandOver(chance.choice(NAMES)),
        lambda: Rename(chance.choice((*NAMES, *ODD_NAMES)), chance.choice((*NAMES, *ODD_NAMES))),
        lambda: SetScore(chance.choice(NAMES), chance.randint(0, 20)),
        lambda: Start(rules, tuple(chance.choices((*NAMES, *ODD_NAMES), k=2)), "roller"),
    )  # fmt: skip
    return chance.choices(make, (4, 4, 4, 2, 3, 3, 3, 1))[0]()


def act(table: Table, chance: random.Random) -> None:
    """Hands play on, mostly well; now and then they do anything, or go on in a menu that is open."""
    now = table.report
    if table.view.scene is Scene.MENU and chance.random() < 0.9:
        table.press(chance.choices(tuple(Button), (4, 4, 1))[0])
    elif chance.random() < 0.2:
        table.press(NEXT, held=True)
    elif now.legal and chance.random() < 0.8:
        up = {
            place + 1
            for place, level in enumerate(table.session.sight.layout(tuple(range(12))) or ())
            if level
        }
        table.flip(*(tile for tile in chance.choice(now.legal) if tile in up or chance.random() < 0.1))
    elif now.wants_open or now.wants_shut:
        table.flip(*now.wants_open, *now.wants_shut)
    elif now.wants_roll and not now.typed:
        table.roll(*(chance.randint(1, 6) for _ in range(now.wants_roll[-1])))
    else:
        table.press(chance.choice(tuple(Button)), held=chance.random() < 0.2)
    table.wait(chance.choice((0.05, 2.0)))


def check_kept(before: History, records: tuple[Record, ...], undone: tuple[Record, ...]) -> None:
    """A throw that was taken back stays for its turn, whoever has it and whatever he is called."""
    after = before.add(records)
    if any(isinstance(record, MatchStarted) for record in records):
        assert not after.kept
        return
    assert before.game is not None
    assert after.game is not None
    throw = before.past.throw if before.past is not None and undone else None
    if throw is not None:
        turn = (after.game.match.seat, after.game.match.round)
        assert after.kept[0] == throw
        assert (throw.seat, throw.round) == turn
    elif all(isinstance(record, Corrected) for record in undone or records):
        assert after.kept_dice(1, 2) == before.kept_dice(1, 2)
    for record in records:
        if isinstance(record, Rolled) and record.source == "roller":
            assert before.kept_dice(len(record.dice)) in ((), record.dice)


@pytest.mark.parametrize("seed", range(42))
def test_whatever_a_phone_asks_for_the_table_goes_on(seed: int) -> None:
    chance = random.Random(seed)
    table = begin(*seats(seed), **MATCHES[seed % 7])
    asked = 0
    for _ in range(80):
        if chance.random() < 0.4:
            asked += 1
            table.send(PhoneAsked(asked, any_wish(chance)))
            table.wait(0.1)
        else:
            act(table, chance)
        assert table.view.scene in Scene
        game = table.session.history.game
        assert game is not None
        assert len(set(game.match.players)) == len(game.match.players)
    answers = [effect.number for effect in table.out if isinstance(effect, Answered)]
    assert answers == list(range(1, asked + 1)), "each gets an answer, in its turn"
    told, steps = History(), list[tuple[Record, ...]]()
    for effect in table.out:
        if isinstance(effect, Keep):
            first = effect.records[0]
            undone = steps.pop() if isinstance(first, Undone) else ()
            check_kept(told, effect.records, undone)
            told = told.add(effect.records)
            if not isinstance(first, Undone | Resumed):
                steps.append(effect.records)
    assert told.snapshot() == table.session.history.snapshot()
    table.press(NEXT)

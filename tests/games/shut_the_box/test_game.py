"""A match of Shut the Box: rolls and moves in, records out, state by folding them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import RuleError
from firmware_host.games.game import Layout, Target
from firmware_host.games.records import (
    EndReason,
    MatchEnded,
    MatchStarted,
    MoveMade,
    Record,
    Rolled,
    RoundEnded,
    TurnEnded,
    TurnStarted,
    from_fields,
    to_fields,
)
from firmware_host.games.shut_the_box.game import LAST_TILE_SETTLE_S, ShutTheBox
from firmware_host.games.start import begin, opening
from firmware_host.table.history import History

DEFAULT_RULES = {
    "rules.game": "shut-the-box",
    "rules.tiles": "1-9",
    "rules.one_die": "high-down",
    "rules.one_die_compulsory": False,
    "rules.sets": "any",
    "rules.first_roll": "free",
    "rules.unlucky_7": False,
    "rules.scoring": "sum",
    "match.kind": "one-round",
    "match.rounds": 3,
    "match.limit": None,
    "rules.shut": "wins-match",
    "rules.ties": "shared",
    "match.stake": 0,
    "match.double_on_shut": False,
    "match.ranked": False,
}


def start(*players: str, **rules: object) -> ShutTheBox:
    """A match by ``rules``, keys without their ``rules.``, at its first roll."""
    settings = {f"rules.{key}": value for key, value in rules.items()}
    return first_turn(opening(1, settings, players))


def first_turn(records: Iterable[Record]) -> ShutTheBox:
    """The game after the records that began it."""
    started, *rest = records
    assert isinstance(started, MatchStarted)
    game = begin(started)
    assert isinstance(game, ShutTheBox)
    return fold(game, rest)


def fold(game: ShutTheBox, records: Iterable[Record]) -> ShutTheBox:
    for record in records:
        game = game.apply(record)
    return game


def roll(game: ShutTheBox, *dice: int) -> ShutTheBox:
    return fold(game, game.roll(dice, "roller"))


def after(game: ShutTheBox, *tiles: int) -> Layout:
    """How the box lies when ``tiles`` are shut."""
    return tuple(
        0 if tile in tiles else level for tile, level in zip(game.rules.tiles, game.layout, strict=True)
    )


def shut(game: ShutTheBox, *tiles: int) -> ShutTheBox:
    return fold(game, game.stand(after(game, *tiles)))


# The beginning


def test_a_match_starts_with_every_rule_and_the_first_turn() -> None:
    assert opening(7, {}, ("Ann", "Bob")) == (
        MatchStarted(7, "shut-the-box", DEFAULT_RULES, ("Ann", "Bob")),
        TurnStarted("Ann", 1),
    )


def test_a_match_keeps_the_rules_it_was_started_with() -> None:
    settings = {"rules.tiles": "1,3,5", "rules.scoring": "digits", "rules.unlucky_7": True}
    first = History().add(opening(1, settings, ("Ann",)))
    (_, started, _) = first.opening(first.settings, ("Ann",))
    assert isinstance(started, MatchStarted)
    assert started.match == 2
    assert started.rules == {**DEFAULT_RULES, **settings}
    game, again = first.game, begin(started)
    assert isinstance(game, ShutTheBox)
    assert isinstance(again, ShutTheBox)
    assert again.rules == game.rules
    assert again.match.rules == game.match.rules


@pytest.mark.parametrize("players", [(), ("Ann", "Ann"), ("Ann", "Bob", "Ann")])
def test_a_match_needs_players_of_different_names(players: tuple[str, ...]) -> None:
    with pytest.raises(RuleError, match="at least one, each name once"):
        opening(1, {}, players)


def test_a_match_by_rules_that_do_not_exist_is_refused() -> None:
    with pytest.raises(RuleError, match="three"):
        opening(1, {"rules.sets": "three"}, ("Ann",))


def test_the_game_reads_the_places_of_its_own_tiles() -> None:
    game = start("Ann", tiles="1,3,12")
    assert game.places == (0, 2, 11)
    assert game.layout == (1, 1, 1)


# A turn


def test_a_roll_that_fits_waits_for_its_move() -> None:
    game = start("Ann")
    assert game.roll((3, 5), "roller") == (Rolled("Ann", (3, 5), 8, "roller"),)
    game = roll(game, 3, 5)
    assert (game.dice, game.thrown) == ((3, 5), (3, 5))
    assert game.layout == (1,) * 9
    assert set(game.legal()) == {(8,), (1, 7), (2, 6), (3, 5), (1, 2, 5), (1, 3, 4)}


def test_a_move_stands_with_its_tiles_and_what_is_left() -> None:
    game = roll(start("Ann"), 3, 5)
    assert game.stand(after(game, 1, 7)) == (MoveMade("Ann", (1, 7), 8, (2, 3, 4, 5, 6, 8, 9)),)
    game = shut(game, 1, 7)
    assert game.box.text == "-23456-89"
    assert (game.dice, game.thrown, game.legal()) == ((), (3, 5), ())


def test_each_legal_set_leads_to_a_target() -> None:
    game = shut(roll(start("Ann", tiles="1-3,7"), 1, 6), 7)
    game = roll(game, 1, 2)
    assert game.targets() == (
        Target((1, 1, 0, 0), None, (1, 2)),
        Target((0, 0, 1, 0), None, (1, 2)),
    )


def test_shutting_the_last_tile_stands_by_itself() -> None:
    game = roll(start("Ann", tiles="1-3"), 1, 5)
    assert game.targets() == (Target((0, 0, 0), LAST_TILE_SETTLE_S, ()),)


def test_what_is_still_missing_of_a_roll() -> None:
    game = roll(start("Ann"), 4, 6)
    assert game.missing(game.layout) == 10
    assert game.missing(after(game, 1, 2)) == 7
    assert game.missing(after(game, 9, 8)) == -7
    assert roll(start("Ann", sets="thai"), 4, 6).missing(game.layout) == 0


@pytest.mark.parametrize("tiles", [(), (1,), (7,), (1, 2), (9,), (1, 2, 5, 9)])
def test_a_move_that_is_no_legal_set_is_refused(tiles: tuple[int, ...]) -> None:
    game = roll(start("Ann"), 3, 5)
    with pytest.raises(RuleError, match="no legal set for"):
        game.stand(after(game, *tiles))


def test_a_move_that_opens_a_tile_is_refused() -> None:
    game = roll(shut(roll(start("Ann"), 4, 5), 9), 3, 5)
    with pytest.raises(RuleError, match="no legal set for"):
        game.stand((1, 1, 1, 1, 1, 1, 1, 0, 1))


def test_no_move_without_a_roll() -> None:
    game = start("Ann")
    with pytest.raises(RuleError, match="no legal set for"):
        game.stand(after(game, 8))


def test_a_roll_that_fits_nothing_ends_the_turn() -> None:
    game = shut(roll(start("Ann", "Bob"), 6, 6), 3, 9)
    game = shut(roll(game, 6, 6), 4, 8)
    game = shut(roll(game, 6, 6), 5, 7)
    assert game.roll((6, 6), "roller") == (
        Rolled("Ann", (6, 6), 12, "roller"),
        TurnEnded("Ann", (1, 2, 6), 9, EndReason.NO_MOVE),
        TurnStarted("Bob", 1),
    )


def test_the_next_player_finds_all_tiles_open() -> None:
    game = roll(shut(roll(start("Ann", "Bob"), 1, 1), 2), 1, 1)
    assert game.match.player == "Bob"
    assert game.box.is_full
    assert game.dice == ()
    assert game.thrown == (1, 1)


def test_an_unlucky_7_ends_the_turn() -> None:
    game = start("Ann", "Bob", unlucky_7=True)
    assert game.roll((3, 4), "roller")[1] == TurnEnded("Ann", tuple(range(1, 10)), 45, EndReason.UNLUCKY)


def test_a_7_that_fits_nothing_is_no_unlucky_one_where_the_rule_is_off() -> None:
    records = start("Ann", "Bob", tiles="9").roll((3, 4), "roller")
    assert records[1] == TurnEnded("Ann", (9,), 9, EndReason.NO_MOVE)


def test_a_first_roll_without_the_tile_to_go_ends_the_turn() -> None:
    records = start("Ann", "Bob", first_roll="3-to-go").roll((1, 1), "roller")
    assert records[1] == TurnEnded("Ann", tuple(range(1, 10)), 45, EndReason.NO_MOVE)


def test_shutting_the_box_wins_the_match() -> None:
    game = roll(start("Ann", "Bob", tiles="1-3"), 2, 4)
    assert game.stand((0, 0, 0)) == (
        MoveMade("Ann", (1, 2, 3), 6, ()),
        TurnEnded("Ann", (), 0, EndReason.SHUT),
        RoundEnded(1, {"Ann": 0}, {"Ann": 0, "Bob": 0}, ()),
        MatchEnded(("Ann",), {"Ann": 0, "Bob": 0}, {"Ann": 0, "Bob": 0}, "played"),
    )
    assert shut(game, 1, 2, 3).match.winners == ("Ann",)


def test_the_worked_turn_of_the_rule_book() -> None:
    game = start("Ann")
    turn: list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = [
        ((2,), (4, 5), (9,)),
        ((2,), (3, 5), (8,)),
        ((2,), (2, 5), (7,)),
        ((1, 2), (6,), (6,)),
        ((1, 2), (5,), (5,)),
        ((1, 2), (4,), (4,)),
        ((1, 2), (4,), (1, 3)),
    ]
    for allowed, dice, tiles in turn:
        assert game.dice_allowed() == allowed
        game = shut(roll(game, *dice), *tiles)
    assert game.box.text == "-2-------"
    records = game.roll((3,), "roller")
    assert records[1] == TurnEnded("Ann", (2,), 2, EndReason.NO_MOVE)
    assert fold(game, records).match.total("Ann") == 2


@pytest.mark.parametrize("seats", [1, 2, 5, 10])
def test_everybody_plays_one_turn_in_the_order_of_the_seats(seats: int) -> None:
    players = tuple(f"P{seat}" for seat in range(1, seats + 1))
    game = start(*players)
    for player in players:
        assert game.match.player == player
        game = shut(roll(game, 1, 1), 2)
        game = roll(game, 1, 1)
    assert game.match.winners == players
    assert set(game.match.totals) == {43}


# The journal is the game


@given(st.data())
def test_a_match_of_chance_ends_and_its_records_lead_to_the_same_state(data: st.DataObject) -> None:
    players = ("Ann", "Bob", "Cem")[: data.draw(st.integers(1, 3))]
    rules = {"rules.tiles": data.draw(st.sampled_from(["1-9", "1-12", "4-9", "7", "1,3,5"]))}
    records = list(opening(1, rules, players))
    game = first_turn(records)
    while not game.match.is_over:
        count = data.draw(st.sampled_from(game.dice_allowed()))
        dice = tuple(data.draw(st.integers(1, 6)) for _ in range(count))
        new = game.roll(dice, "roller")
        game = fold(game, new)
        records += new
        if game.dice:
            new = game.stand(data.draw(st.sampled_from(game.targets())).layout)
            game = fold(game, new)
            records += new

    kept = [from_fields(record.event, to_fields(record)) for record in records]
    assert first_turn(kept) == game
    totals = dict(zip(players, game.match.totals, strict=True))
    if isinstance(records[-3], TurnEnded) and records[-3].reason is EndReason.SHUT:
        assert game.match.winners == (records[-3].player,)
    else:
        assert {totals[name] for name in game.match.winners or ()} == {min(totals.values())}

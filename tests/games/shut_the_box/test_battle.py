"""The battle of two on one box: the first lowers, the second raises."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

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
    PlayerLeft,
    Record,
    Rolled,
    TurnEnded,
    TurnStarted,
    from_fields,
    to_fields,
)
from firmware_host.games.shut_the_box.battle import MOVE_SETTLE_S, Battle
from firmware_host.games.shut_the_box.notation import parse_tiles
from firmware_host.games.start import begin, opening

ANN, BOB = "Ann", "Bob"
NINE = tuple(range(1, 10))


def start(**keys: object) -> Battle:
    """A battle at its first roll; ``keys`` without their section."""
    match = {"stake", "double_on_shut"}
    full = {f"{'match' if key in match else 'rules'}.{key}": value for key, value in keys.items()}
    return first_turn(opening(1, {"match.kind": "battle", **full}, (ANN, BOB)))


def first_turn(records: Iterable[Record]) -> Battle:
    started, *rest = records
    assert isinstance(started, MatchStarted)
    game = begin(started)
    assert isinstance(game, Battle)
    return fold(game, rest)


def fold(game: Battle, records: Iterable[Record]) -> Battle:
    for record in records:
        game = game.apply(record)
    return game


def roll(game: Battle, *dice: int) -> Battle:
    return fold(game, game.roll(dice, "roller"))


def moved(game: Battle, *tiles: int) -> Layout:
    """How the box lies when ``tiles`` are turned over."""
    return tuple(
        1 - level if tile in tiles else level
        for tile, level in zip(game.rules.tiles, game.layout, strict=True)
    )


def move(game: Battle, *tiles: int) -> Battle:
    return fold(game, game.stand(moved(game, *tiles)))


def lies(text: str, player: str, **keys: object) -> Battle:
    """A battle whose box lies as ``text``, at ``player``'s roll."""
    game = start(**keys)
    left = tuple(tile for tile, mark in zip(game.rules.tiles, text, strict=True) if mark != "-")
    return fold(game, [MoveMade(ANN, (), 0, left), TurnStarted(player, 1)])


# In turn, one roll each


def test_the_first_lowers_and_the_turn_passes_with_the_move() -> None:
    game = roll(start(), 4, 5)
    assert (9,) in game.legal()
    assert game.stand(moved(game, 9)) == (
        MoveMade(ANN, (9,), 9, (1, 2, 3, 4, 5, 6, 7, 8)),
        TurnEnded(ANN, (1, 2, 3, 4, 5, 6, 7, 8), None, EndReason.MOVED),
        TurnStarted(BOB, 1),
    )


def test_the_second_raises_what_is_shut_on_the_same_box() -> None:
    game = move(roll(start(), 4, 5), 5, 4)
    game = move(roll(game, 6, 3), 4, 5)
    assert game.match.winners == (BOB,)  # all up again

    game = move(roll(move(roll(lies("---456789", BOB), 1, 1), 2), 4, 5), 9)
    game = roll(game, 1, 2)
    assert game.legal() == ((3,),)
    assert game.stand(moved(game, 3)) == (
        MoveMade(BOB, (), 3, (2, 3, 4, 5, 6, 7, 8), (3,)),
        TurnEnded(BOB, (2, 3, 4, 5, 6, 7, 8), None, EndReason.MOVED),
        TurnStarted(ANN, 3),
    )


def test_the_next_player_finds_the_box_as_it_lies() -> None:
    game = move(roll(start(), 6, 6), 3, 9)
    assert (game.match.player, game.box.text, game.dice) == (BOB, "12-45678-", ())


def test_a_round_is_a_roll_each() -> None:
    game = start()
    seen = []
    for dice, tiles in (((6, 6), (3, 9)), ((1, 2), (3,)), ((1, 2), (3,)), ((1, 2), (3,))):
        seen.append((game.match.player, game.match.round))
        game = move(roll(game, *dice), *tiles)
    assert seen == [(ANN, 1), (BOB, 1), (ANN, 2), (BOB, 2)]
    assert (game.match.player, game.match.round) == (ANN, 3)


def test_who_cannot_move_passes_to_the_other() -> None:
    game = lies("12-------", ANN)
    assert game.roll((6, 6), "roller") == (
        Rolled(ANN, (6, 6), 12, "roller"),
        TurnEnded(ANN, (1, 2), None, EndReason.PASSED),
        TurnStarted(BOB, 1),
    )
    game = roll(lies("-23456789", BOB), 6, 6)
    assert (game.match.player, game.match.round, game.box.text) == (ANN, 2, "-23456789")


def test_the_raiser_passes_while_nothing_is_shut() -> None:
    game = roll(start(tiles="9"), 1, 1)
    assert (game.match.player, game.match.is_over) == (BOB, False)  # all up, but nothing was down
    game = roll(game, 6, 3)
    assert (game.match.player, game.match.round, game.match.is_over) == (ANN, 2, False)


def test_a_turn_ended_by_hand_passes_to_the_other() -> None:
    game = roll(start(), 4, 5)
    assert game.end_turn() == (
        TurnEnded(ANN, NINE, None, EndReason.ENDED_BY_HAND),
        TurnStarted(BOB, 1),
    )
    assert fold(game, game.end_turn()).dice == ()


# Who wins


def test_all_down_wins_for_the_first() -> None:
    game = roll(lies("12-------", ANN), 1, 2)
    assert game.stand(moved(game, 1, 2)) == (
        MoveMade(ANN, (1, 2), 3, ()),
        TurnEnded(ANN, (), None, EndReason.MOVED),
        MatchEnded((ANN,), {ANN: 0, BOB: 0}, {ANN: 0, BOB: 0}, "played"),
    )


def test_all_up_again_wins_for_the_second() -> None:
    game = roll(lies("--3456789", BOB), 1, 2)
    assert game.stand(moved(game, 1, 2)) == (
        MoveMade(BOB, (), 3, NINE, (1, 2)),
        TurnEnded(BOB, NINE, None, EndReason.MOVED),
        MatchEnded((BOB,), {ANN: 0, BOB: 0}, {ANN: 0, BOB: 0}, "played"),
    )


def test_all_up_does_not_count_at_the_start() -> None:
    game = start()
    assert game.box.is_full
    assert not game.match.is_over


def test_one_tile_is_a_short_battle() -> None:
    assert move(roll(start(tiles="7"), 3, 4), 7).match.winners == (ANN,)


@pytest.mark.parametrize(("text", "player"), [("12-------", ANN), ("--3456789", BOB)])
def test_the_winner_takes_the_stake(text: str, player: str) -> None:
    game = move(roll(lies(text, player, stake=5), 1, 2), 1, 2)
    other = BOB if player == ANN else ANN
    assert (game.match.winners, game.match.is_over) == ((player,), True)
    game = roll(lies(text, player, stake=5), 1, 2)
    end = game.stand(moved(game, 1, 2))[-1]
    assert isinstance(end, MatchEnded)
    assert end.stakes == {player: 5, other: -5}


def test_the_stake_is_doubled_for_who_shuts_the_box_and_not_for_who_opens_it() -> None:
    for text, player, stakes in (
        ("12-------", ANN, {ANN: 10, BOB: -10}),
        ("--3456789", BOB, {ANN: -5, BOB: 5}),
    ):
        game = roll(lies(text, player, stake=5, double_on_shut=True), 1, 2)
        end = game.stand(moved(game, 1, 2))[-1]
        assert isinstance(end, MatchEnded)
        assert end.stakes == stakes


def test_the_loser_lowers_in_the_rematch() -> None:
    assert move(roll(lies("12-------", ANN), 1, 2), 1, 2).match.next_seats() == (BOB, ANN)
    assert move(roll(lies("--3456789", BOB), 1, 2), 1, 2).match.next_seats() == (ANN, BOB)


# What may be moved


@pytest.mark.parametrize(
    ("rule", "allowed", "refused"),
    [
        # What is shut: 1 5 | 6 | 1 2 3 4 5 6 | all but 7 8 9 ... against a shut 7, 8 or 9.
        ("high-down", ["-234-6789", "12345-789", "------789"], ["123456-89", "-2345678-", "---------"]),
        ("sum-at-most-6", ["-234-6789", "12345-789", "---456789"], ["-2345-789", "123456-89"]),
        ("sum-below-6", ["--3456789", "1234-6789"], ["-234-6789", "12345-789", "---456789"]),
        ("only-1", ["-23456789"], ["1-3456789", "--3456789", "---------"]),
        ("never", [], ["-23456789", "12345-789", "---------"]),
    ],
)
def test_the_raiser_rolls_one_die_by_the_mirror_of_the_rule(
    rule: str, allowed: list[str], refused: list[str]
) -> None:
    for text in allowed:
        assert lies(text, BOB, one_die=rule).dice_allowed() == (1, 2), text
    for text in refused:
        assert lies(text, BOB, one_die=rule).dice_allowed() == (2,), text


def test_the_lowerer_rolls_one_die_by_the_rule() -> None:
    assert lies("123456---", ANN).dice_allowed() == (1, 2)
    assert lies("-23456789", ANN).dice_allowed() == (2,)


def test_a_single_die_is_compulsory_for_both_where_it_is() -> None:
    assert lies("123456---", ANN, one_die_compulsory=True).dice_allowed() == (1,)
    assert lies("------789", BOB, one_die_compulsory=True).dice_allowed() == (1,)
    assert lies("123456---", BOB, one_die_compulsory=True).dice_allowed() == (2,)


def test_the_raiser_opens_any_set_of_shut_tiles_that_adds_up() -> None:
    game = roll(lies("---------", BOB), 3, 5)
    assert set(game.legal()) == {(8,), (1, 7), (2, 6), (3, 5), (1, 2, 5), (1, 3, 4)}
    assert set(roll(lies("1-3-5-7-9", BOB), 3, 5).legal()) == {(8,), (2, 6)}


def test_at_most_two_tiles_hold_for_the_raiser_too() -> None:
    game = roll(lies("---------", BOB, sets="at-most-two"), 3, 5)
    assert set(game.legal()) == {(8,), (1, 7), (2, 6), (3, 5)}


def test_thai_holds_for_the_raiser_too() -> None:
    game = lies("---------", BOB, sets="thai")
    assert game.dice_allowed() == (2,)
    game = roll(game, 3, 5)
    assert set(game.legal()) == {(3,), (5,), (8,)}
    assert game.missing(game.layout) == 0
    assert roll(lies("--3-5--8-", BOB, sets="thai"), 3, 5).match.player == ANN


def test_each_legal_set_stands_by_itself_and_may_be_taken_back_until_the_next_roll() -> None:
    game = roll(lies("--3456789", BOB), 1, 1)
    assert game.targets() == (Target((0, 1, 1, 1, 1, 1, 1, 1, 1), MOVE_SETTLE_S, ()),)
    assert game.may_return


@pytest.mark.parametrize("player", [ANN, BOB])
def test_what_is_still_missing_of_a_roll(player: str) -> None:
    game = roll(lies("12345----" if player == ANN else "-----6789", player), 4, 5)
    assert game.missing(game.layout) == 9
    assert game.missing(moved(game, 4)) == 5
    assert game.missing(moved(game, 4, 5)) == 0


@pytest.mark.parametrize(
    ("text", "player", "tiles"),
    [
        ("123456789", ANN, ()),
        ("123456789", ANN, (7,)),
        ("12345678-", ANN, (9,)),  # up, by who lowers
        ("1-3456789", BOB, (8,)),  # down, by who raises
        ("1-3456789", BOB, (2, 6)),  # one up, one down
    ],
)
def test_a_move_that_is_no_legal_set_is_refused(text: str, player: str, tiles: tuple[int, ...]) -> None:
    game = fold(lies(text, player), [Rolled(player, (3, 5), 8, "roller")])
    with pytest.raises(RuleError, match="no legal set for"):
        game.stand(moved(game, *tiles))


# Two seats, and settings without a meaning


@pytest.mark.parametrize("players", [(ANN,), (ANN, BOB, "Cem")])
def test_a_battle_is_for_exactly_two(players: tuple[str, ...]) -> None:
    with pytest.raises(RuleError, match="a battle is for exactly two"):
        opening(1, {"match.kind": "battle"}, players)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rules.first_roll", "2-to-go"),
        ("rules.unlucky_7", True),
        ("rules.scoring", "digits"),
        ("rules.scoring", "count"),
        ("rules.shut", "scores-0"),
        ("rules.shut", "wins-round"),
        ("rules.ties", "play-off"),
        ("rules.ties", "carry-over"),
        ("match.limit", 45),
        ("match.rounds", 5),
        ("dice.source", "none"),
    ],
)
def test_what_has_no_meaning_in_a_battle_is_refused(key: str, value: object) -> None:
    with pytest.raises(RuleError, match=rf"^{key}\b.* in match\.kind battle"):
        opening(1, {"match.kind": "battle", key: value}, (ANN, BOB))


def test_a_battle_is_not_played_without_known_dice() -> None:
    with pytest.raises(RuleError, match="known dice"):
        start().end_freely((0,) * 9)


# Leaving


@pytest.mark.parametrize(("leaver", "winner"), [(ANN, BOB), (BOB, ANN)])
def test_who_leaves_gives_the_battle_to_the_other(leaver: str, winner: str) -> None:
    records = start(stake=2).leave(leaver)
    assert records[0] == PlayerLeft(leaver)
    end = records[-1]
    assert isinstance(end, MatchEnded)
    assert (end.winners, end.stakes) == ((winner,), {winner: 2, leaver: -2})
    game = fold(start(stake=2), records)
    with pytest.raises(RuleError, match="does not play"):
        game.leave(winner)


# A second, naive battle


def naive_sets(tiles: list[int], dice: tuple[int, ...], sets: str) -> list[tuple[int, ...]]:
    found = []
    for size in range(1, 5):  # five different tiles are 15 at least
        for some in combinations(sorted(tiles), size):
            is_sum = sum(some) == sum(dice)
            is_thai = size == 1 and some[0] in (*dice, sum(dice))
            if is_thai if sets == "thai" else is_sum and (sets == "any" or size <= 2):
                found.append(some)
    return found


def naive_may_roll_one(tiles: list[int], rule: str, sets: str) -> bool:
    if sets == "thai" or rule == "never":
        return False
    if rule == "high-down":
        return max(tiles, default=0) <= 6
    if rule == "only-1":
        return tiles == [1]
    return sum(tiles) <= (6 if rule == "sum-at-most-6" else 5)


@pytest.mark.parametrize("rule", ["high-down", "sum-at-most-6", "sum-below-6", "only-1", "never"])
@pytest.mark.parametrize("tiles", ["1-9", "1-10", "1-12", "1,3,5,7,9,11", "2,4,6,8,10,12", "4-9", "7", "1-3"])
@given(data=st.data())
def test_a_battle_of_chance_goes_as_the_naive_one_does(tiles: str, rule: str, data: st.DataObject) -> None:
    sets = data.draw(st.sampled_from(["any", "at-most-two", "thai"]))
    records = list(opening(1, {
        "match.kind": "battle", "rules.tiles": tiles, "rules.one_die": rule, "rules.sets": sets,
    }, (ANN, BOB)))  # fmt: skip
    game = first_turn(records)
    up, down = list(parse_tiles(tiles)), list[int]()
    for turn in range(data.draw(st.integers(1, 25))):
        lowers = turn % 2 == 0
        source, goal = (up, down) if lowers else (down, up)
        assert (game.match.player, game.match.round) == (ANN if lowers else BOB, turn // 2 + 1)
        assert list(game.box.open_tiles) == sorted(up)
        assert game.dice_allowed() == ((1, 2) if naive_may_roll_one(source, rule, sets) else (2,))

        dice = tuple(
            data.draw(st.integers(1, 6)) for _ in range(data.draw(st.sampled_from(game.dice_allowed())))
        )
        choices = naive_sets(source, dice, sets)
        new = game.roll(dice, "roller")
        game = fold(game, new)
        records += new
        if not choices:
            assert [record.event for record in new] == ["rolled", "turn_ended", "turn_started"]
            continue
        assert sorted(game.legal()) == sorted(choices)
        some = data.draw(st.sampled_from(choices))
        new = game.stand(moved(game, *some))
        game = fold(game, new)
        records += new
        for tile in some:
            source.remove(tile)
            goal.append(tile)
        made = new[0]
        assert isinstance(made, MoveMade)
        assert (made.shut if lowers else made.opened) == some
        assert (made.opened if lowers else made.shut) == ()
        if not source:
            assert game.match.winners == (ANN if lowers else BOB,)
            assert [record.event for record in new] == ["move_made", "turn_ended", "match_ended"]
            break
        assert not game.match.is_over
    kept = [from_fields(record.event, to_fields(record)) for record in records]
    assert first_turn(kept) == game

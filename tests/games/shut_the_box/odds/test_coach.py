"""The coach: right for the rule in force, the match and the seat; and the same each time it is asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.games.coach import Coach, CoachAim
from firmware_host.games.counsel import NOTHING_KNOWN, Counsel
from firmware_host.games.game import Game
from firmware_host.games.records import MatchStarted
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.game import ShutTheBox
from firmware_host.games.shut_the_box.odds import Odds
from firmware_host.games.shut_the_box.odds import coach as odds_coach
from firmware_host.games.shut_the_box.odds.coach import counsel
from firmware_host.games.shut_the_box.rules import OneDie, dice_allowed, legal_shuts
from firmware_host.games.start import begin, opening

HINTS, CHANCES, REVIEW = Coach(hints=True), Coach(chances=True), Coach(review=True)


def game(*players: str, **settings: Any) -> ShutTheBox:
    keys = {key.replace("_", ".", 1): value for key, value in settings.items()}
    started, *others = opening(1, keys, players or ("Ann", "Bob"))
    assert isinstance(started, MatchStarted)
    begun = _after(begin(started), others)
    assert isinstance(begun, ShutTheBox)
    return begun


def _after(game: Any, records: Iterable[Any]) -> Any:
    for record in records:
        game = game.apply(record)
    return game


def at(text: str, *dice: int, **settings: Any) -> ShutTheBox:
    """A first turn with ``text`` open and ``dice`` on the table."""
    begun = game(**settings)
    return replace(begun, box=Box.parse(text, begun.rules.tiles), dice=dice, thrown=dice)


def play(game: ShutTheBox, *rolls: tuple[tuple[int, ...], tuple[int, ...]]) -> ShutTheBox:
    """After ``rolls``, each with the set that was shut for it, if any."""
    for dice, shut in rolls:
        game = _after(game, game.roll(dice, "roller"))
        if shut:
            game = _after(game, game.stand(game.box.shut(shut).layout))
    return game


def best(advice: Counsel) -> list[tuple[int, ...]]:
    return [option.what for option in advice.options if not option.cost]


# Hints, held against the rule book's values


@pytest.mark.parametrize(
    ("position", "dice", "shut"),
    [("12345----", (3, 4), (3, 4)), ("123456---", (4, 5), (4, 5)), ("123456---", (3, 6), (4, 5))],
)
@pytest.mark.parametrize("aim", CoachAim)
def test_the_largest_tile_first_is_not_best(
    position: str, dice: tuple[int, ...], shut: tuple[int, ...], aim: CoachAim
) -> None:
    assert best(counsel(at(position, *dice), Coach(hints=True, aim=aim))) == [shut]


@pytest.mark.parametrize("one_die", OneDie)
def test_what_is_best_goes_by_the_one_die_rule_in_force(one_die: OneDie) -> None:
    """From 1234 a total of 4: {4} leaves 123, {1,3} leaves 24; a single 3 can be played in the one only."""
    present = at("1234-----", 1, 3, rules_one_die=one_die.value)
    advice = counsel(present, HINTS)
    assert {option.what for option in advice.options} == {(4,), (1, 3)}
    dice = counsel(replace(present, box=Box.parse("123------"), dice=()), HINTS).options
    assert {option.what[0] for option in dice} == set(dice_allowed(Box.parse("123------"), present.rules))


def test_every_set_is_told_with_what_it_gives_away() -> None:
    options = counsel(at("123456789", 3, 5), HINTS).options
    assert {option.what for option in options} == set(
        legal_shuts(Box.parse("123456789"), (3, 5), game().rules)
    )
    costs = [option.cost for option in options]
    assert costs == sorted(costs)
    assert costs[0] == 0 < costs[1]


def test_before_a_roll_it_is_about_the_number_of_dice() -> None:
    options = counsel(at("1--------"), HINTS).options
    assert [option.what for option in options] == [(1,), (2,)]
    assert options[1].cost == pytest.approx(1 / 6)


def test_for_the_win_it_gambles_when_behind() -> None:
    """Bob has to beat 1: only a shut box or a tie helps him."""
    ended = play(game(rules_shut="scores-0"), ((6, 3), (9,)), ((2, 6), (8,)), ((1, 6), (7,)))
    ended = _after(ended, ended.end_turn())
    differs = 0
    for text in ("1-3-5----", "12--5----", "-2345----", "12345----", "1234-6---"):
        for dice in ((1, 2), (2, 3), (3, 4), (2, 6), (4, 5)):
            behind = replace(ended, box=Box.parse(text), dice=dice)
            behind = replace(behind, match=replace(behind.match, scores=(1, None), totals=(1, 0)))
            by_score = counsel(behind, HINTS)
            by_win = counsel(behind, Coach(hints=True, aim=CoachAim.WIN))
            assert by_win.is_chance
            assert not by_score.is_chance
            differs += best(by_score) != best(by_win)
    assert differs


# Chances


def test_the_chances_are_those_of_the_round() -> None:
    first, second = counsel(game(), CHANCES).chances
    assert (first, second) == (pytest.approx(0.5014897763), pytest.approx(0.4985102237))


@pytest.mark.parametrize(
    "settings",
    [
        {"match_kind": "rounds"},
        {"match_kind": "last-standing"},
        {"match_kind": "to-limit", "rules_shut": "wins-round"},
        {"rules_ties": "play-off"},
        {"rules_ties": "carry-over"},
        {"rules_ties": "carry-over", "match_stake": 1},
    ],
)
def test_the_chances_of_every_kind_of_match_add_up_to_one_at_most(settings: dict[str, Any]) -> None:
    played = play(game("Ann", "Bob", "Cem", **settings), ((4, 5), (9,)))
    advice = counsel(played, CHANCES)
    assert len(advice.chances) == 3
    assert sum(advice.chances) == pytest.approx(1.0, abs=0.1 if settings.get("match_stake") else 1e-9)
    assert bool(advice.errors) == ("match_kind" in settings)
    assert counsel(played, CHANCES) == advice


def test_who_has_left_wins_nothing() -> None:
    present = game("Ann", "Bob", "Cem")
    present = _after(present, present.leave("Bob"))
    assert counsel(present, CHANCES).chances[1] == 0
    assert sum(counsel(present, CHANCES).chances) == pytest.approx(1)


def test_one_alone_has_no_chances() -> None:
    assert counsel(game("Ann"), CHANCES).chances == ()


def test_totals_set_by_hand_have_no_exact_chances() -> None:
    present = game()
    by_hand = replace(present, match=replace(present.match, totals=(5, 0)))
    assert counsel(by_hand, CHANCES).chances == ()
    evens = game(rules_tiles="2,4")
    impossible = replace(evens.match, scores=(3, None), totals=(3, 0), played=frozenset({0}), seat=1)
    assert counsel(replace(evens, match=impossible), CHANCES).chances == ()


# A turn in review


def test_a_review_names_the_dearest_slip_and_all_that_was_given_away() -> None:
    ended = play(game(), ((3, 5), (1, 2, 5)), ((6, 6), (4, 8)), ((1, 1), ()))
    review = counsel(ended, REVIEW).review
    assert review is not None
    assert review.worst is not None
    assert (review.player, review.worst.made, review.worst.best) == ("Ann", (1, 2, 5), (8,))
    assert review.cost > review.worst.cost > 1


def test_the_number_of_dice_can_be_a_slip() -> None:
    ended = play(game(rules_tiles="1,9"), ((4, 5), (9,)), ((2, 3), ()))
    review = counsel(ended, REVIEW).review
    assert review is not None
    assert review.worst is not None
    assert (review.worst.is_dice, review.worst.made, review.worst.best) == (True, (2,), (1,))
    assert review.worst.cost == pytest.approx(1 / 6)


def test_without_a_slip_nothing_was_given_away() -> None:
    only = counsel(play(game(rules_tiles="2"), ((6,), ())), REVIEW).review
    assert only is not None
    assert (only.cost, only.worst) == (0, None)


def test_a_review_is_of_the_turn_before_until_the_next_roll_and_of_people() -> None:
    ended = play(game("Ann", "bot:good"), ((3, 5), (8,)), ((1, 1), (2,)), ((1, 1), ()))
    assert counsel(ended, REVIEW).review is not None
    going_on = play(ended, ((3, 5), (8,)))
    assert counsel(going_on, REVIEW).review is None
    assert counsel(_after(going_on, going_on.end_turn()), REVIEW).review is None


# Seats that the box plays


def turn_of(kind: str, number: int = 1) -> list[tuple[int, ...]]:
    """What an opponent does in a turn of fixed dice."""
    present: ShutTheBox = game(f"bot:{kind}", "Ann")
    present = replace(present, match=replace(present.match, number=number))
    did: list[tuple[int, ...]] = []
    for dice in ((3, 5), (6, 1), (4, 5), (6, 4), (3, 2), (2, 1), (1, 1)):
        order = counsel(present, Coach()).order
        assert order is not None
        assert order.dice in dice_allowed(present.box, present.rules)
        present = _after(present, present.roll(dice[: order.dice], "roller"))
        if present.match.player != kind.capitalize():
            break
        asked = counsel(present, Coach()).order
        assert counsel(present, Coach()).order == asked, "the same again is the same"
        assert asked is not None
        assert asked.tiles in present.legal()
        did.append(asked.tiles)
        present = _after(present, present.stand(present.box.shut(asked.tiles).layout))
        after = counsel(present, Coach()).order
        assert present.match.is_over or (after is not None and after.dice == asked.dice)
    return did


@pytest.mark.parametrize("kind", ["perfect", "good", "casual"])
def test_an_opponent_plays_by_the_rules_and_the_same_each_time(kind: str) -> None:
    assert turn_of(kind)
    assert turn_of(kind) == turn_of(kind)


def test_casual_is_careless_by_the_number_of_the_match() -> None:
    assert len({tuple(turn_of("casual", number)) for number in range(1, 30)}) > 1


# What there is nothing to say about


def test_a_battle_has_no_odds() -> None:
    started = opening(1, {"match.kind": "battle"}, ("Ann", "Bob"))[0]
    assert isinstance(started, MatchStarted)
    battle: Game = begin(started)
    assert counsel(battle, Coach(hints=True, chances=True, review=True)) == NOTHING_KNOWN


def test_a_match_that_is_over_has_no_hints_and_no_chances() -> None:
    over = play(game(rules_tiles="1"), ((1,), (1,)))
    assert over.match.is_over
    advice = counsel(over, Coach(hints=True, chances=True, review=True))
    assert (advice.options, advice.chances) == ((), ())
    assert advice.review is not None


@pytest.mark.parametrize(
    ("tiles", "scoring", "most"),
    [("1-9", "sum", 13), ("1-10", "sum", 8), ("1-12", "sum", 4), ("1-9", "digits", 4), ("1-10", "digits", 2)],
)
def test_chances_that_would_take_long_are_left_out(
    tiles: str, scoring: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    reckoned: list[int] = []

    class Counted:
        def turn(self, scores: list[int | None]) -> None:
            reckoned.append(len(scores))

    monkeypatch.setattr(Odds, "match", lambda *_, **__: Counted())
    odds_coach._known.cache_clear()
    for number in range(2, 16):
        match = game(*map(str, range(number)), rules_tiles=tiles, rules_scoring=scoring)
        assert counsel(match, CHANCES).chances == ()
    assert reckoned == list(range(2, most + 1))


def test_perfect_plays_as_good_where_the_chance_to_win_would_take_long() -> None:
    orders = []
    for kind in ("perfect", "good"):
        match = game(f"bot:{kind}", "Ann", rules_tiles="1-12", rules_scoring="digits")
        orders.append(counsel(replace(match, dice=(4, 6), thrown=(4, 6)), Coach()).order)
    assert orders[0] == orders[1] is not None

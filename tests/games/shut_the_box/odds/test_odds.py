"""The odds of a turn: published values, exact ties, distributions, and what must hold for any rules."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import RequirementError, RuleError
from firmware_host.games.shut_the_box.box import Box
from firmware_host.games.shut_the_box.notation import parse_tiles
from firmware_host.games.shut_the_box.odds import Odds
from firmware_host.games.shut_the_box.odds.aims import Aim, Goal
from firmware_host.games.shut_the_box.odds.table import Table
from firmware_host.games.shut_the_box.rules import FirstRoll, OneDie, Rules, Scoring, Sets

SHUT, SCORE, STAY_OPEN = Aim(Goal.SHUT), Aim(Goal.SCORE), Aim(Goal.STAY_OPEN)
NINE = "123456789"


def table(aim: Aim, tiles: str = "1-9", **settings: Any) -> Table:
    return Odds(Rules(tiles=parse_tiles(tiles), **settings)).table(aim)


def opening(aim: Aim, tiles: str = "1-9", **settings: Any) -> Fraction:
    """The value of the full box."""
    return table(aim, tiles, **settings).value(Box.full(parse_tiles(tiles)))


def test_published_chances_to_shut_the_box() -> None:
    assert opening(SHUT, one_die=OneDie.NEVER) == Fraction(466473281, 6530347008)
    assert opening(SHUT) == Fraction(956177159, 9795520512)


def test_published_chance_to_shut_the_box_in_spite_of_worst_play() -> None:
    compulsory = opening(STAY_OPEN, one_die=OneDie.SUM_AT_MOST_6, one_die_compulsory=True)
    assert compulsory == Fraction(623306755, 58773123072)


def test_published_least_expected_scores() -> None:
    assert float(opening(SCORE, one_die=OneDie.NEVER)) == pytest.approx(11.1575084442, abs=5e-11)
    assert float(opening(SCORE)) == pytest.approx(11.0092085932, abs=5e-11)


def test_six_tiles_with_one_die_always() -> None:
    assert opening(SHUT, "1-6", one_die_compulsory=True) == Fraction(145, 1944)


@pytest.mark.parametrize("aim", [SHUT, SCORE])
@pytest.mark.parametrize(
    ("text", "dice", "best"),
    [("12345----", (3, 4), (3, 4)), ("12345----", (1, 6), (3, 4)), ("123456---", (4, 5), (4, 5))],
)
def test_the_largest_tile_first_is_not_always_best(
    aim: Aim, text: str, dice: tuple[int, ...], best: tuple[int, ...]
) -> None:
    advice = table(aim).advise(Box.parse(text), dice)
    assert advice.best == (best,)
    assert advice.moves[0].shut == best


def test_the_best_move_depends_on_the_one_die_rule() -> None:
    box = Box.parse("123456---")
    best = {one_die: table(SHUT, one_die=one_die).advise(box, (4, 5)).best for one_die in OneDie}
    assert best[OneDie.HIGH_DOWN] == best[OneDie.SUM_AT_MOST_6] == best[OneDie.SUM_BELOW_6] == ((4, 5),)
    assert best[OneDie.ONLY_1] == best[OneDie.NEVER] == ((3, 6),)


def test_moves_come_best_first_and_tell_what_each_gives_away() -> None:
    advice = table(SCORE).advise(Box.parse(NINE), (3, 5))
    values = [move.value for move in advice.moves]
    assert values == sorted(values)
    assert advice.best == ((8,),)
    assert advice.value == values[0]
    assert advice.loss((8,)) == 0
    worst = advice.moves[-1]
    assert advice.loss(worst.shut) == worst.value - advice.value > 0
    with pytest.raises(ValueError, match=r"\(9,\) is none of the legal sets"):
        advice.loss((9,))


def test_every_exact_tie_is_best() -> None:
    found = table(SHUT, one_die=OneDie.NEVER).advise(Box.parse("1234-----"), (2, 3))
    values = {move.shut: move.value for move in found.moves}
    assert set(found.best) == {shut for shut, value in values.items() if value == found.value}
    tied = table(Aim(Goal.BEAT, 1000)).advise(Box.parse(NINE), (3, 5))
    assert tied.value == 1
    assert tied.best == ((8,), (1, 7), (2, 6), (3, 5), (1, 2, 5), (1, 3, 4))


def test_a_roll_without_a_set_is_worth_what_the_box_counts() -> None:
    box = Box.parse("-2----7--")
    for aim, value in ((SHUT, 0), (SCORE, 9), (STAY_OPEN, 0), (Aim(Goal.BEAT, 9), Fraction(1, 2))):
        advice = table(aim).advise(box, (6,))
        assert (advice.value, advice.moves, advice.best) == (value, (), ())


def test_a_shut_box_has_its_value_and_no_choice() -> None:
    box = Box.parse("---------")
    for aim, value in (
        (SHUT, 1),
        (SCORE, 0),
        (STAY_OPEN, 1),
        (Aim(Goal.BEAT, 1), 1),
        (Aim(Goal.BEAT, 0), 0.5),
    ):
        found = table(aim)
        assert found.value(box) == value
        assert found.value_by_dice(box) == {}
        assert found.best_dice(box) == ()


def test_one_die_or_two() -> None:
    shut = table(SHUT)
    assert shut.value_by_dice(Box.parse(NINE)) == {2: Fraction(956177159, 9795520512)}
    by_dice = shut.value_by_dice(Box.parse("1--------"))
    assert by_dice == {1: Fraction(1, 6), 2: 0}
    assert shut.best_dice(Box.parse("1--------")) == (1,)
    compulsory = table(SHUT, one_die_compulsory=True)
    assert list(compulsory.value_by_dice(Box.parse("123456---"))) == [1]


def test_dice_that_are_equally_good_are_all_best() -> None:
    assert table(Aim(Goal.BEAT, 100)).best_dice(Box.parse("12-------")) == (1, 2)


def test_a_first_roll_counts_while_all_tiles_are_open() -> None:
    free, to_go = table(SHUT), table(SHUT, first_roll=FirstRoll.TWO_TO_GO)
    box = Box.parse(NINE)
    assert to_go.value(box) < free.value(box)
    assert to_go.value(Box.parse("-23456789")) == free.value(Box.parse("-23456789"))
    assert to_go.advise(box, (1, 2)).best == ((1, 2),)


def test_an_unlucky_seven_makes_it_harder() -> None:
    assert opening(SHUT, unlucky_7=True) < opening(SHUT)
    assert opening(SCORE, unlucky_7=True) > opening(SCORE)


@pytest.mark.parametrize("tiles", ["1-9", "1-12"])
@pytest.mark.parametrize("scoring", Scoring)
@pytest.mark.parametrize("aim", [SHUT, SCORE, Aim(Goal.BEAT, 12), STAY_OPEN])
def test_the_final_scores_add_up_to_1_and_their_mean_is_the_value(
    aim: Aim, scoring: Scoring, tiles: str
) -> None:
    found = table(aim, tiles, scoring=scoring)
    full = Box.full(parse_tiles(tiles))
    scores = found.final_scores(full)
    assert sum(scores.values()) == 1
    if aim is SCORE:
        assert sum(score * chance for score, chance in scores.items()) == found.value(full)
    elif aim.goal is Goal.BEAT:
        below = sum(chance for score, chance in scores.items() if score < 12)
        assert below + scores.get(12, Fraction(0)) / 2 == found.value(full)
    else:
        assert scores[0] == found.value(full)


def test_the_final_scores_from_a_box_far_down() -> None:
    assert table(SCORE).final_scores(Box.parse("1--------")) == {0: Fraction(1, 6), 1: Fraction(5, 6)}
    assert table(SCORE).final_scores(Box.parse("---------")) == {0: 1}


def test_floats_agree_with_fractions_against_every_target() -> None:
    odds = Odds(Rules())
    beaten = odds.beat_every_target()
    assert beaten.shape == (512, 46)
    for target in (0, 1, 12, 45):
        exact = odds.table(Aim(Goal.BEAT, target))
        for text in (NINE, "12-45-7--", "-23456789"):
            box = Box.parse(text)
            assert beaten[odds.graph.place(box), target] == pytest.approx(float(exact.value(box)), abs=1e-13)


def test_whole_numbers_do_not_overflow_with_twelve_tiles() -> None:
    tiles = parse_tiles("1-12")
    for scoring in Scoring:
        odds = Odds(Rules(tiles=tiles, scoring=scoring))
        score = odds.table(SCORE)
        assert 0 < score.value(Box.full(tiles)) < int(odds.graph.scores[-1])
        certain = odds.table(Aim(Goal.BEAT, 10**19))
        assert certain.value(Box.full(tiles)) == 1


rule_sets = st.builds(
    Rules,
    tiles=st.sets(st.integers(1, 12), min_size=1, max_size=7).map(lambda tiles: tuple(sorted(tiles))),
    one_die=st.sampled_from(OneDie),
    sets=st.sampled_from(Sets),
    unlucky_7=st.booleans(),
    scoring=st.sampled_from(Scoring),
)


@given(rule_sets)
def test_what_holds_for_any_rules(rules: Rules) -> None:
    odds = Odds(rules)
    full = Box.full(rules.tiles)
    shut, worst, score = (odds.table(aim).value(full) for aim in (SHUT, STAY_OPEN, SCORE))
    assert 0 <= worst <= shut <= 1
    assert 0 <= score <= int(odds.graph.scores[-1])
    beaten = [odds.table(Aim(Goal.BEAT, int(target))).value(full) for target in odds.graph.scores[:9]]
    assert beaten == sorted(beaten)
    assert beaten[0] == shut / 2


@given(rule_sets, st.data())
def test_a_value_is_the_mean_over_the_rolls_of_the_best_move(rules: Rules, data: st.DataObject) -> None:
    odds = Odds(rules)
    found = odds.table(data.draw(st.sampled_from([SHUT, SCORE, Aim(Goal.BEAT, 5), STAY_OPEN])))
    open_tiles = data.draw(st.sets(st.sampled_from(rules.tiles), min_size=1))
    box = Box.full(rules.tiles).shut(tile for tile in rules.tiles if tile not in open_tiles)
    pips = range(1, 7)
    rolls = {1: [(a,) for a in pips], 2: [(a, b) for a in pips for b in pips]}
    by_dice = found.value_by_dice(box)
    for number, value in by_dice.items():
        assert value == sum(found.advise(box, dice).value for dice in rolls[number]) / Fraction(6**number)
    best = min if found.less_is_better else max
    assert found.value(box) == best(by_dice.values())


@pytest.mark.parametrize("one_die", OneDie)
def test_more_ways_to_play_never_hurt(one_die: OneDie) -> None:
    assert opening(SHUT, one_die=one_die) >= opening(SHUT, one_die=OneDie.NEVER)
    assert opening(SHUT, one_die=one_die) >= opening(SHUT, one_die=one_die, sets=Sets.AT_MOST_TWO)
    if one_die is not OneDie.NEVER:
        compulsory = opening(SHUT, one_die=one_die, one_die_compulsory=True)
        assert opening(SHUT, one_die=one_die) >= compulsory


@pytest.mark.parametrize("text", ["shut", "score", "beat:0", "beat:12", "beat:123456789", "stay-open"])
def test_an_aim_is_one_word_that_reads_back(text: str) -> None:
    assert Aim.parse(text).text == text


@pytest.mark.parametrize(
    "text", ["", "beat", "beat:", "beat:-1", "beat:1.5", "beat:x", "Shut", "win", "beat:٣"]
)
def test_other_aims_do_not_exist(text: str) -> None:
    with pytest.raises(RuleError, match="allowed: shut, score, beat:N"):
        Aim.parse(text)


def test_without_numpy_it_says_how_to_mend_that(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "numpy"]:
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("graph", "solver", "exact", "table", "chances", "live"):
        monkeypatch.delitem(sys.modules, f"firmware_host.games.shut_the_box.odds.{name}", raising=False)
    with pytest.raises(RequirementError, match=r"need numpy, which is not installed; pip install"):
        Odds(Rules())


def test_numpy_is_imported_when_odds_are_made_and_not_before() -> None:
    code = (
        "import sys; from firmware_host.cli import odds;"
        "from firmware_host.games.shut_the_box.odds import opponents;"
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

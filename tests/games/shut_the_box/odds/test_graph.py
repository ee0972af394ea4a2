"""The arrays of boxes and sets against the rules that they are made from."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.shut_the_box.box import Box, tiles_to_mask
from firmware_host.games.shut_the_box.notation import parse_tiles
from firmware_host.games.shut_the_box.odds.graph import Graph
from firmware_host.games.shut_the_box.rules import (
    FirstRoll,
    OneDie,
    Rules,
    Scoring,
    Sets,
    dice_allowed,
    legal_shuts,
    score,
)

PIPS = range(1, 7)
ROLLS = {1: [(a,) for a in PIPS], 2: list(product(PIPS, repeat=2))}


@st.composite
def rule_sets(draw: st.DrawFn) -> Rules:
    tiles = tuple(sorted(draw(st.sets(st.integers(1, 12), min_size=1))))
    sets, one_die = draw(st.sampled_from(Sets)), draw(st.sampled_from(OneDie))
    may_compel = one_die is not OneDie.NEVER and sets is not Sets.THAI
    first = [FirstRoll.FREE, *([FirstRoll.TWO_TO_GO] if 2 in tiles else [])]
    first += [FirstRoll.THREE_TO_GO] if 3 in tiles else []
    return Rules(
        tiles=tiles,
        one_die=one_die,
        one_die_compulsory=may_compel and draw(st.booleans()),
        sets=sets,
        first_roll=draw(st.sampled_from(first)),
        unlucky_7=draw(st.booleans()),
        scoring=draw(st.sampled_from(Scoring)),
    )


def moves(graph: Graph, box: Box, number: int) -> Counter[tuple[int, ...]]:
    """36ths by the places that a roll of ``number`` dice may lead to, in order."""
    found: Counter[tuple[int, ...]] = Counter()
    for columns, weight in zip(graph.outcomes, graph.weights[number - 1].tolist(), strict=True):
        if weight:
            places = graph.targets[columns, graph.place(box)].tolist()
            found[tuple(place for place in places if place < graph.boxes)] += weight
    return found


@given(rule_sets(), st.data())
def test_every_roll_leads_where_the_rules_say(rules: Rules, data: st.DataObject) -> None:
    graph = Graph.of(rules)
    some = data.draw(st.lists(st.sets(st.sampled_from(rules.tiles)), min_size=5, max_size=5))
    for open_tiles in (set(rules.tiles), *some):
        box = Box(rules.tiles, tiles_to_mask(open_tiles))
        if box.is_shut:
            continue
        allowed = dice_allowed(box, rules)
        assert graph.may_roll[:, graph.place(box)].tolist() == [1 in allowed, 2 in allowed]
        assert graph.scores[graph.score_index[graph.place(box)]] == score(box, rules.scoring)
        assert graph.open_tiles(graph.place(box)) == len(open_tiles)
        for number in allowed:
            expected: Counter[tuple[int, ...]] = Counter()
            for dice in ROLLS[number]:
                legal = legal_shuts(box, dice, rules)
                expected[tuple(graph.place(box.shut(shut)) for shut in legal)] += 36 // 6**number
            assert moves(graph, box, number) == expected


@pytest.mark.parametrize("one_die", OneDie)
@pytest.mark.parametrize("text", ["1-9", "1-12", "4-9", "2,4,6,8"])
def test_one_die_is_allowed_in_every_box_where_the_rules_allow_it(text: str, one_die: OneDie) -> None:
    rules = Rules(tiles=parse_tiles(text), one_die=one_die)
    graph = Graph.of(rules)
    for mask in range(1, 1 << 12):
        box = Box(rules.tiles, mask)
        if mask & ~Box.full(rules.tiles).mask == 0:
            assert graph.may_roll[0, graph.place(box)] == (1 in dice_allowed(box, rules)), box.text


def test_places_go_by_the_number_of_open_tiles() -> None:
    graph = Graph.of(Rules())
    assert graph.boxes == 512
    assert [layer.stop - layer.start for layer in graph.layers] == [1, 9, 36, 84, 126, 126, 84, 36, 9, 1]
    assert graph.place(Box.parse("---------")) == 0
    assert graph.place(Box.parse("123456789")) == 511
    assert sorted(graph.places[:512].tolist()) == list(range(512))

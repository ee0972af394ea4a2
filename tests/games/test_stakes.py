"""The ledger: what a match brings each seat, and what stays in the pot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.match import Match
from firmware_host.games.match_rules import Kind, OnShut, Ties
from firmware_host.games.records import EndReason, MatchEnded, MatchStarted, Record, TurnEnded
from firmware_host.games.stakes import Ledger, settle
from firmware_host.games.start import opening

NAMES = ("Ann", "Bob", "Cem", "Dee", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon")


@pytest.mark.parametrize(
    ("seats", "winners", "stake", "pot", "nets", "left"),
    [
        (2, (0,), 5, 0, (5, -5), 0),
        (3, (1,), 5, 0, (-5, 10, -5), 0),
        (3, (0, 1), 5, 0, (2, 2, -5), 1),
        (3, (0, 1, 2), 5, 0, (0, 0, 0), 0),
        (3, (0, 1, 2), 5, 1, (0, 0, 0), 1),
        (3, (0, 1, 2), 5, 3, (1, 1, 1), 0),
        (3, (), 5, 0, (-5, -5, -5), 15),
        (2, (), 5, 10, (-5, -5), 20),
        (2, (1,), 5, 20, (-5, 25), 0),
        (2, (0,), 0, 0, (0, 0), 0),
        (2, (0,), 0, 9, (9, 0), 0),
        (2, (0, 1), 0, 9, (4, 4), 1),
        (1, (0,), 5, 0, (0,), 0),
    ],
)
def test_what_winners_take(
    seats: int, winners: tuple[int, ...], stake: int, pot: int, nets: tuple[int, ...], left: int
) -> None:
    assert settle(seats, winners, stake, pot) == Ledger(nets, left)


@given(st.integers(1, 10), st.integers(0, 99_999), st.integers(0, 10**6), st.data())
def test_nets_and_pot_balance_whoever_wins(seats: int, stake: int, pot: int, data: st.DataObject) -> None:
    winners = data.draw(st.sets(st.integers(0, seats - 1)).map(lambda found: tuple(sorted(found))))
    ledger = settle(seats, winners, stake, pot)
    assert sum(ledger.nets) + ledger.pot == pot
    assert ledger.pot >= 0
    assert len({ledger.nets[seat] for seat in winners}) <= 1  # evenly
    assert all(net == -stake for seat, net in enumerate(ledger.nets) if seat not in winners)
    if winners:
        assert ledger.pot < len(winners)


@st.composite
def settings(draw: st.DrawFn) -> dict[str, object]:
    kind = draw(st.sampled_from([kind for kind in Kind if kind is not Kind.BATTLE]))
    stake = draw(st.integers(0, 5))
    shut = draw(st.sampled_from(OnShut))
    found: dict[str, object] = {
        "match.kind": kind.value,
        "rules.shut": shut.value,
        "rules.ties": draw(st.sampled_from(Ties)).value,
        "match.stake": stake,
        "match.double_on_shut": bool(stake) and shut is OnShut.WINS_MATCH and draw(st.booleans()),
    }
    if kind in (Kind.LAST_STANDING, Kind.TO_LIMIT):
        found["match.limit"] = draw(st.integers(1, 20))
    return found


@given(st.data())
def test_in_a_row_of_matches_what_all_have_won_and_the_pot_are_nothing_together(data: st.DataObject) -> None:
    pot, points = 0, dict.fromkeys(NAMES, 0)
    for number in range(1, data.draw(st.integers(1, 6)) + 1):
        players = NAMES[: data.draw(st.integers(1, 10))]
        records = opening(number, data.draw(settings()), players, pot)
        end = play_on(records, data)

        assert sum(end.stakes.values()) + end.pot == pot
        assert end.pot >= 0
        assert set(end.stakes) == set(players)
        pot = end.pot
        for name, net in end.stakes.items():
            points[name] += net
        assert sum(points.values()) + pot == 0


def play_on(records: tuple[Record, ...], data: st.DataObject) -> MatchEnded:
    """The end of the match that ``records`` began, by turns of chance."""
    started, *rest = records
    assert isinstance(started, MatchStarted)
    match = Match.begin(started)
    turns = 0
    while True:
        for record in rest:
            match = match.apply(record)
        if rest and isinstance(rest[-1], MatchEnded):
            return rest[-1]
        turns += 1
        what = data.draw(st.sampled_from(["score"] * 6 + ["shut", "leave", "abandon"])) if turns < 20 else ""
        if what == "leave":
            rest = list(match.leave(data.draw(st.sampled_from(match.playing)), ()))
            continue
        if what == "abandon":
            rest = [match.ended((), reason="abandoned")]
            continue
        reason = EndReason.SHUT if what == "shut" else EndReason.NO_MOVE
        score = 0 if what == "shut" else data.draw(st.integers(0, 3)) if what else turns
        ended = TurnEnded(match.player, (), score, reason)
        rest = [ended, *match.apply(ended).after_turn(reason)]

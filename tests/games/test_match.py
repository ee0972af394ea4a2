"""Matches by the rules of the house: seats, rounds, who is out, who wins, and what it brings."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from firmware_host.errors import RuleError
from firmware_host.games.match import Match
from firmware_host.games.match_rules import MatchRules
from firmware_host.games.records import (
    Corrected,
    EndReason,
    MatchEnded,
    MatchStarted,
    PlayerLeft,
    Record,
    Rolled,
    RoundEnded,
    TurnEnded,
    TurnStarted,
)

SHUT = "shut"
KINDS = ("one-round", "rounds", "last-standing", "to-limit")
NAMES = ("Ann", "Bob", "Cem", "Dee", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon")


@dataclass
class Table:
    """A match and all its records so far."""

    match: Match
    records: list[Record] = field(default_factory=list)

    def apply(self, *records: Record) -> Table:
        for record in records:
            self.match = self.match.apply(record)
            self.records.append(record)
        return self

    def play(self, *turns: int | str) -> Table:
        """One turn each of whoever plays: what it costs, or ``SHUT``."""
        for turn in turns:
            assert not self.match.is_over
            reason = EndReason.SHUT if turn == SHUT else EndReason.NO_MOVE
            score = 0 if isinstance(turn, str) else turn
            self.apply(TurnEnded(self.match.player, (), score, reason))
            self.apply(*self.match.after_turn(reason))
        return self

    def leave(self, player: str) -> Table:
        return self.apply(*self.match.leave(player, (1, 9)))

    def correct(self, player: str, total: int) -> Table:
        return self.apply(Corrected("score", player, self.match.total(player), total))

    @property
    def turns(self) -> list[str]:
        """Who played, in order, with the round."""
        return [f"{r.player} {r.round}" for r in self.records if isinstance(r, TurnStarted)]

    @property
    def rounds(self) -> list[RoundEnded]:
        return [record for record in self.records if isinstance(record, RoundEnded)]

    @property
    def end(self) -> MatchEnded:
        last = self.records[-1]
        assert isinstance(last, MatchEnded)
        assert self.match.winners == last.winners
        assert self.match.is_over
        return last


def begin(seats: int, *, pot: int = 0, **settings: object) -> Table:
    """A match at its first turn; settings without their section."""
    full = {
        f"{'rules' if key in ('shut', 'ties') else 'match'}.{key}": value for key, value in settings.items()
    }
    players = NAMES[:seats]
    kept = MatchRules.from_settings(full).settings()
    match = Match.begin(MatchStarted(1, "shut-the-box", kept, players, pot))
    return Table(match).apply(TurnStarted(players[0], 1))


# Turns and seats


def test_the_first_seat_begins() -> None:
    match = begin(2).match
    assert (match.player, match.round, match.is_over) == ("Ann", 1, False)


def test_the_next_seat_plays_after_a_turn() -> None:
    table = begin(2).play(12)
    assert table.records[-1] == TurnStarted("Bob", 1)
    assert table.match.player == "Bob"
    assert table.match.total("Ann") == 12
    assert table.match.total("Bob") == 0


def test_the_turn_that_ended_is_known_until_the_next_roll() -> None:
    match = begin(2).play(12).match
    assert match.last_turn == TurnEnded("Ann", (), 12, EndReason.NO_MOVE)
    assert match.apply(Rolled("Bob", (1, 2), 3, "roller")).last_turn is None


def test_a_name_without_a_seat_has_no_total() -> None:
    with pytest.raises(ValueError, match=r"index|not in"):
        begin(1).match.total("Bob")


@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_seats_plays_in_the_order_agreed(kind: str, seats: int) -> None:
    table = begin(seats, kind=kind).play(*[1] * seats)
    assert table.turns[:seats] == [f"{name} 1" for name in NAMES[:seats]]
    if kind != "one-round":
        table.play(*[1] * (seats - 1))
        assert table.turns[seats:] == [f"{name} 2" for name in NAMES[:seats]]


# One round


def test_the_lowest_score_wins_when_all_have_played() -> None:
    table = begin(3).play(12, 5, 9)
    totals = {"Ann": 12, "Bob": 5, "Cem": 9}
    nothing = {"Ann": 0, "Bob": 0, "Cem": 0}
    assert table.records[-2:] == [
        RoundEnded(1, totals, totals, ()),
        MatchEnded(("Bob",), totals, nothing, "played"),
    ]
    assert table.end.winners == ("Bob",)


def test_the_lowest_score_is_shared_by_all_who_have_it() -> None:
    assert begin(3).play(5, 12, 5).end.winners == ("Ann", "Cem")


def test_shutting_the_box_wins_at_once_and_the_others_do_not_play() -> None:
    table = begin(3).play(3, SHUT)
    assert table.rounds == [RoundEnded(1, {"Ann": 3, "Bob": 0}, {"Ann": 3, "Bob": 0, "Cem": 0}, ())]
    assert table.end.winners == ("Bob",)
    assert table.turns == ["Ann 1", "Bob 1"]


def test_one_player_alone_wins() -> None:
    assert begin(1).play(22).end.winners == ("Ann",)


# A fixed number of rounds


def test_after_the_fixed_number_of_rounds_the_lowest_total_wins() -> None:
    table = begin(2, kind="rounds", rounds=2).play(10, 3, 4, 20)
    assert table.turns == ["Ann 1", "Bob 1", "Ann 2", "Bob 2"]
    assert table.rounds == [
        RoundEnded(1, {"Ann": 10, "Bob": 3}, {"Ann": 10, "Bob": 3}, ()),
        RoundEnded(2, {"Ann": 4, "Bob": 20}, {"Ann": 14, "Bob": 23}, ()),
    ]
    assert (table.end.winners, table.end.scores) == (("Ann",), {"Ann": 14, "Bob": 23})


def test_a_match_of_rounds_has_three_where_nothing_is_said() -> None:
    table = begin(2, kind="rounds").play(1, 2, 1, 2, 1)
    assert not table.match.is_over
    assert table.play(2).end.scores == {"Ann": 3, "Bob": 6}


# Last one standing


def test_who_reaches_45_is_out_and_the_last_one_in_wins() -> None:
    table = begin(3, kind="last-standing").play(45, 44, 10)
    assert table.rounds[0].out == ("Ann",)
    assert table.turns[3:] == ["Bob 2"]
    table.play(1, 30)
    assert table.rounds[1] == RoundEnded(
        2, {"Bob": 1, "Cem": 30}, {"Ann": 45, "Bob": 45, "Cem": 40}, ("Ann", "Bob")
    )
    assert table.end.winners == ("Cem",)


def test_44_is_not_out() -> None:
    table = begin(2, kind="last-standing").play(44, 44)
    assert table.rounds[0].out == ()
    assert table.match.player == "Ann"


def test_the_limit_of_last_standing_can_be_set() -> None:
    assert begin(2, kind="last-standing", limit=20).play(20, 19).end.winners == ("Bob",)


def test_who_is_out_is_decided_when_the_round_has_been_played_out() -> None:
    table = begin(3, kind="last-standing").play(50)
    assert table.match.out == frozenset()
    assert not table.match.is_over
    table.play(60)
    assert not table.match.is_over  # only Cem is below the limit, and he has not played yet
    assert table.play(70).end.winners == ("Ann",)  # all went out together


def test_all_out_in_the_same_round_the_lowest_total_of_them_wins() -> None:
    table = begin(3, kind="last-standing").play(45, 30, 30)  # Ann is out before
    table.play(20, 15)
    assert table.rounds[1].out == ("Ann", "Bob", "Cem")
    assert table.end.winners == ("Cem",)
    assert table.end.scores == {"Ann": 45, "Bob": 50, "Cem": 45}


def test_all_out_with_equal_totals_is_a_tie_of_them() -> None:
    table = begin(3, kind="last-standing").play(45, 30, 30).play(20, 20)
    assert table.end.winners == ("Bob", "Cem")


def test_one_alone_plays_until_he_is_out() -> None:
    table = begin(1, kind="last-standing").play(20, 24)
    assert not table.match.is_over
    assert table.play(1).end.winners == ("Ann",)
    assert table.rounds[-1].out == ("Ann",)


# To a limit


def test_when_someone_reaches_100_the_lowest_total_wins() -> None:
    table = begin(3, kind="to-limit").play(60, 50, 55).play(40, 49, 5)
    assert table.end.winners == ("Cem",)
    assert table.end.scores == {"Ann": 100, "Bob": 99, "Cem": 60}
    assert [ended.out for ended in table.rounds] == [(), ()]


def test_99_is_below_the_limit() -> None:
    assert not begin(2, kind="to-limit").play(99, 99).match.is_over


def test_the_limit_is_looked_at_when_the_round_has_been_played_out() -> None:
    table = begin(2, kind="to-limit", limit=10).play(10)
    assert table.match.player == "Bob"
    assert table.play(30).end.winners == ("Ann",)


# What shutting the box brings, in each kind of match


@pytest.mark.parametrize("kind", KINDS)
def test_a_shut_that_wins_the_match_ends_it_whatever_the_totals(kind: str) -> None:
    table = begin(3, kind=kind, shut="wins-match")
    if kind != "one-round":
        table.play(1, 40, 2)
    table.play(1, SHUT)
    assert table.end.winners == ("Bob",)
    assert table.turns[-1].startswith("Bob")
    assert "Cem" not in table.rounds[-1].scores


@pytest.mark.parametrize("kind", KINDS)
def test_a_shut_that_wins_the_round_ends_it_and_who_has_not_played_scores_nothing(kind: str) -> None:
    table = begin(3, kind=kind, shut="wins-round").play(7, SHUT)
    assert table.rounds[0] == RoundEnded(
        1, {"Ann": 7, "Bob": 0}, {"Ann": 7, "Bob": 0, "Cem": 0}, ()
    )  # fmt: skip
    if kind == "one-round":
        assert table.end.winners == ("Bob",)
    else:
        assert table.turns == ["Ann 1", "Bob 1", "Ann 2"]


def test_the_last_round_that_is_won_by_a_shut_does_not_win_the_match() -> None:
    table = begin(2, kind="rounds", rounds=2).play(1, 20, 5, SHUT)
    assert table.end.scores == {"Ann": 6, "Bob": 20}
    assert table.end.winners == ("Ann",)


def test_a_round_that_is_won_at_once_is_a_round_of_the_match() -> None:
    table = begin(3, kind="rounds", rounds=2).play(SHUT, 8, SHUT)
    assert [list(ended.scores) for ended in table.rounds] == [["Ann"], ["Ann", "Bob"]]
    assert table.end.scores == {"Ann": 8, "Bob": 0, "Cem": 0}
    assert table.end.winners == ("Bob", "Cem")


def test_a_shut_that_wins_the_round_ends_the_round_for_those_who_are_out() -> None:
    table = begin(3, kind="last-standing", shut="wins-round").play(44, 20, 20).play(9, SHUT)
    assert table.rounds[1].out == ("Ann",)
    assert table.turns[-1] == "Bob 3"


@pytest.mark.parametrize("kind", KINDS)
def test_a_shut_that_only_scores_0_lets_the_others_play(kind: str) -> None:
    table = begin(3, kind=kind, shut="scores-0").play(7, SHUT)
    assert table.records[-1] == TurnStarted("Cem", 1)
    table.play(4)
    assert table.rounds[0].scores == {"Ann": 7, "Bob": 0, "Cem": 4}
    if kind == "one-round":
        assert table.end.winners == ("Bob",)


def test_two_who_shut_the_box_where_that_only_scores_0_share() -> None:
    assert begin(3, shut="scores-0").play(SHUT, 3, SHUT).end.winners == ("Ann", "Cem")


# Ties


def all_tied(kind: str, **settings: object) -> Table:
    """Two who end level: of three, Cem is worse."""
    turns = {
        "one-round": (5, 5, 9),
        "rounds": (5, 5, 9),
        "last-standing": (50, 50, 60),
        "to-limit": (5, 5, 9),
    }
    if kind == "rounds":
        settings["rounds"] = 1
    if kind == "to-limit":
        settings["limit"] = 9
    return begin(3, kind=kind, pot=0, **settings).play(*turns[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_shared_all_with_the_lowest_total_win(kind: str) -> None:
    assert all_tied(kind, ties="shared").end.winners == ("Ann", "Bob")


@pytest.mark.parametrize("kind", KINDS)
def test_a_play_off_is_one_turn_each_of_the_tied_in_the_same_order(kind: str) -> None:
    table = all_tied(kind, ties="play-off")
    assert table.turns[-1] == "Ann 2"
    assert not table.match.is_over
    table.play(8, 7)
    assert table.turns[-2:] == ["Ann 2", "Bob 2"]
    assert table.end.winners == ("Bob",)


@pytest.mark.parametrize("kind", KINDS)
def test_the_points_of_a_play_off_do_not_count_in_totals(kind: str) -> None:
    table = all_tied(kind, ties="play-off")
    before = dict(table.rounds[0].totals)
    table.play(8, 7)
    assert table.rounds[1].scores == {"Ann": 8, "Bob": 7}
    assert table.rounds[1].totals == before
    assert table.rounds[1].out == table.rounds[0].out
    assert table.end.scores == before


@pytest.mark.parametrize("kind", KINDS)
def test_who_ties_again_plays_off_again(kind: str) -> None:
    table = all_tied(kind, ties="play-off").play(8, 8, 30, 30, 2, 1)
    assert table.turns[-6:] == ["Ann 2", "Bob 2", "Ann 3", "Bob 3", "Ann 4", "Bob 4"]
    assert table.end.winners == ("Bob",)


@pytest.mark.parametrize("shut", ["wins-match", "wins-round", "scores-0"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_shut_ends_a_play_off_whatever_it_brings_before(kind: str, shut: str) -> None:
    table = all_tied(kind, ties="play-off", shut=shut).play(SHUT)
    assert table.end.winners == ("Ann",)
    assert table.turns[-1] == "Ann 2"


def test_who_does_worse_in_a_play_off_of_three_is_not_in_the_next() -> None:
    table = begin(4, ties="play-off").play(9, 5, 5, 5)
    table.play(3, 4, 3)
    assert table.turns[4:] == ["Bob 2", "Cem 2", "Dee 2", "Bob 3"]
    table.play(2, 1)
    assert table.end.winners == ("Dee",)


def test_a_match_that_a_shut_won_leaves_no_play_off_behind() -> None:
    table = begin(3, ties="play-off").play(SHUT)
    assert table.end.winners == ("Ann",)
    assert table.match.tied == ()


@pytest.mark.parametrize("kind", KINDS)
def test_a_tie_that_carries_over_has_no_winner_and_the_pot_stays(kind: str) -> None:
    end = all_tied(kind, ties="carry-over", stake=2).end
    assert end.winners == ()
    assert end.stakes == {"Ann": -2, "Bob": -2, "Cem": -2}
    assert end.pot == 6


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_stake_a_tie_that_carries_over_is_shared(kind: str) -> None:
    end = all_tied(kind, ties="carry-over").end
    assert (end.winners, end.pot) == (("Ann", "Bob"), 0)


@pytest.mark.parametrize("ties", ["shared", "play-off", "carry-over"])
def test_one_best_is_no_tie(ties: str) -> None:
    end = begin(3, ties=ties, stake=1).play(5, 6, 6).end
    assert (end.winners, end.pot) == (("Ann",), 0)


# Stakes


@pytest.mark.parametrize("seats", [2, 3, 4, 10])
def test_the_winner_takes_the_stake_of_every_other(seats: int) -> None:
    end = begin(seats, stake=5).play(*range(1, seats + 1)).end
    losers = dict.fromkeys(NAMES[1:seats], -5)
    assert end.stakes == {"Ann": 5 * (seats - 1), **losers}
    assert end.pot == 0


@pytest.mark.parametrize("seats", [2, 3, 4, 10])
def test_who_shuts_the_box_receives_double_the_stake_of_every_other(seats: int) -> None:
    end = begin(seats, stake=5, double_on_shut=True).play(SHUT).end
    assert end.stakes == {"Ann": 10 * (seats - 1), **dict.fromkeys(NAMES[1:seats], -10)}


def test_the_stake_is_single_where_nobody_shut_the_box() -> None:
    assert begin(2, stake=5, double_on_shut=True).play(3, 4).end.stakes == {"Ann": 5, "Bob": -5}


def test_the_stake_is_single_where_a_shut_does_not_double() -> None:
    assert begin(2, stake=5).play(SHUT).end.stakes == {"Ann": 5, "Bob": -5}


def test_the_winners_who_share_split_the_pot_evenly_and_the_rest_stays() -> None:
    end = begin(3, stake=5).play(1, 1, 2).end
    assert end.stakes == {"Ann": 2, "Bob": 2, "Cem": -5}
    assert end.pot == 1


def test_a_tie_of_all_gives_every_stake_back() -> None:
    end = begin(3, stake=5).play(1, 1, 1).end
    assert (end.stakes, end.pot) == (dict.fromkeys(NAMES[:3], 0), 0)


def test_the_pot_of_a_match_of_rounds_is_won_by_the_matchs_winner() -> None:
    end = begin(2, kind="rounds", rounds=2, stake=3).play(1, 9, 2, 2).end
    assert end.stakes == {"Ann": 3, "Bob": -3}


def test_a_pot_that_was_carried_over_is_won_in_the_next_match() -> None:
    carried = begin(2, ties="carry-over", stake=2).play(5, 5).end
    assert carried.pot == 4
    end = begin(2, ties="carry-over", stake=2, pot=carried.pot).play(5, 6).end
    assert end.stakes == {"Ann": 6, "Bob": -2}
    assert end.pot == 0


def test_a_pot_grows_while_ties_carry_it_over() -> None:
    end = begin(3, ties="carry-over", stake=2, pot=6).play(5, 5, 5).end
    assert (end.winners, end.pot) == ((), 12)


def test_a_pot_is_won_in_a_match_without_a_stake() -> None:
    end = begin(2, pot=7).play(5, 6).end
    assert (end.stakes, end.pot) == ({"Ann": 7, "Bob": 0}, 0)


def test_one_alone_wins_his_own_stake_back() -> None:
    assert begin(1, stake=4).play(9).end.stakes == {"Ann": 0}


# Leaving


def test_the_rest_play_on_when_the_present_player_leaves() -> None:
    table = begin(3).play(9).leave("Bob")
    assert table.records[-3:] == [
        PlayerLeft("Bob"),
        TurnEnded("Bob", (1, 9), None, EndReason.LEFT),
        TurnStarted("Cem", 1),
    ]
    table.play(12)
    assert table.rounds[0].scores == {"Ann": 9, "Cem": 12}
    assert table.end.winners == ("Ann",)


def test_the_turn_goes_on_when_another_leaves() -> None:
    table = begin(3).leave("Bob")
    assert table.records[-1] == PlayerLeft("Bob")
    assert table.match.player == "Ann"
    assert table.match.playing == ("Ann", "Cem")
    table.play(9)
    assert table.turns == ["Ann 1", "Cem 1"]


def test_the_round_ends_when_the_last_to_play_leaves() -> None:
    table = begin(3, kind="rounds").play(9, 8).leave("Cem")
    assert table.rounds == [RoundEnded(1, {"Ann": 9, "Bob": 8}, {"Ann": 9, "Bob": 8, "Cem": 0}, ())]
    assert table.turns[-1] == "Ann 2"


def test_who_left_does_not_win_with_what_he_had() -> None:
    table = begin(3).play(1).leave("Ann").play(30, 20)
    assert table.end.winners == ("Cem",)
    assert table.end.scores == {"Ann": 1, "Bob": 30, "Cem": 20}


def test_who_left_plays_in_no_later_round() -> None:
    table = begin(3, kind="rounds").leave("Bob").play(1, 2, 1, 2, 1)
    assert table.turns == ["Ann 1", "Cem 1", "Ann 2", "Cem 2", "Ann 3", "Cem 3"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("leaver", "winner"), [("Ann", "Bob"), ("Bob", "Ann")])
def test_the_last_one_left_wins(kind: str, leaver: str, winner: str) -> None:
    end = begin(2, kind=kind, stake=3).leave(leaver).end
    assert (end.winners, end.reason) == ((winner,), "played")
    assert end.stakes == {winner: 3, leaver: -3}


def test_players_may_leave_down_to_the_last() -> None:
    table = begin(4).leave("Dee").leave("Ann").leave("Bob")
    assert table.end.winners == ("Cem",)
    with pytest.raises(RuleError, match="'Cem' does not play in this match"):
        table.leave("Cem")


def test_the_match_of_one_who_leaves_is_abandoned() -> None:
    end = begin(1, stake=3, pot=4).leave("Ann").end
    assert (end.winners, end.reason) == ((), "abandoned")
    assert (end.stakes, end.pot) == ({"Ann": 0}, 4)


@pytest.mark.parametrize("player", ["Zoe", "Bob"])
def test_only_who_plays_can_leave(player: str) -> None:
    table = begin(3).leave("Bob")
    with pytest.raises(RuleError, match=f"'{player}' does not play in this match"):
        table.leave(player)


def test_the_stake_of_who_left_stays_in_the_pot() -> None:
    assert begin(3, stake=2).leave("Bob").play(1, 5).end.stakes == {"Ann": 4, "Bob": -2, "Cem": -2}


def test_who_is_out_may_leave_and_the_rest_play_on() -> None:
    table = begin(3, kind="last-standing").play(45, 1, 1).leave("Ann")
    assert table.match.player == "Bob"
    assert table.play(1, 44).end.winners == ("Bob",)


def test_the_last_but_one_who_is_in_leaves() -> None:
    assert begin(3, kind="last-standing").play(45, 1, 1).leave("Cem").end.winners == ("Bob",)


@pytest.mark.parametrize(("leaver", "winner"), [("Ann", "Bob"), ("Bob", "Ann")])
def test_in_a_play_off_of_two_the_other_wins(leaver: str, winner: str) -> None:
    assert begin(3, ties="play-off").play(5, 5, 9).leave(leaver).end.winners == (winner,)


def test_in_a_play_off_of_three_the_others_play_on() -> None:
    table = begin(3, ties="play-off").play(5, 5, 5).play(1).leave("Bob")
    assert table.records[-1] == TurnStarted("Cem", 2)
    assert table.play(2).end.winners == ("Ann",)


def test_who_is_not_in_the_play_off_may_leave() -> None:
    table = begin(3, ties="play-off").play(5, 5, 9).leave("Cem")
    assert table.match.player == "Ann"
    assert table.play(2, 1).end.winners == ("Bob",)


# Abandoned


def test_an_abandoned_match_has_no_winner_and_moves_no_stake() -> None:
    table = begin(2, kind="rounds", stake=5, pot=3).play(1, 2)
    table.apply(table.match.ended((), reason="abandoned"))
    assert table.end == MatchEnded((), {"Ann": 1, "Bob": 2}, {"Ann": 0, "Bob": 0}, "abandoned", 3)


# A rematch


@pytest.mark.parametrize(
    ("turns", "order"),
    [
        ((3, 9, 5), ("Bob", "Cem", "Ann")),
        ((9, 3, 5), ("Ann", "Bob", "Cem")),
        ((3, 5, 9), ("Cem", "Ann", "Bob")),
        ((3, 9, 9), ("Bob", "Cem", "Ann")),  # the first of them in the order of the seats
        ((5, 5, 5), ("Ann", "Bob", "Cem")),
    ],
)
def test_who_did_worst_starts_the_rematch_then_on_in_the_order_of_the_seats(
    turns: tuple[int, ...], order: tuple[str, ...]
) -> None:
    assert begin(3).play(*turns).match.next_seats() == order


def test_the_winner_by_a_shut_does_not_start_the_rematch_before_those_who_did_not_play() -> None:
    assert begin(3).play(SHUT).match.next_seats() == ("Bob", "Cem", "Ann")


def test_the_winner_of_a_play_off_is_not_the_worst() -> None:
    table = begin(2, ties="play-off").play(5, 5).play(2, 1)
    assert table.match.next_seats() == ("Ann", "Bob")


def test_one_alone_starts_again() -> None:
    assert begin(1).play(9).match.next_seats() == ("Ann",)


# A score that is set by hand


def test_a_score_set_by_hand_counts() -> None:
    table = begin(2).play(9).correct("Ann", 4)
    assert table.match.total("Ann") == 4
    table.play(7)
    assert table.rounds[0].scores == {"Ann": 4, "Bob": 7}
    assert table.end.winners == ("Ann",)


def test_a_score_of_an_earlier_round_changes_the_total_alone() -> None:
    table = begin(2, kind="rounds", rounds=2).play(9, 7).correct("Bob", 17).play(1, 1)
    assert table.rounds[1] == RoundEnded(2, {"Ann": 1, "Bob": 1}, {"Ann": 10, "Bob": 18}, ())
    assert table.end.winners == ("Ann",)


def test_a_score_set_by_hand_may_reach_the_limit_when_the_round_ends() -> None:
    table = begin(2, kind="last-standing").play(9).correct("Ann", 45)
    assert not table.match.is_over
    assert table.play(7).end.winners == ("Bob",)


def test_a_total_set_in_a_play_off_does_not_touch_its_points() -> None:
    table = begin(2, ties="play-off").play(5, 5).play(3).correct("Ann", 25).play(4)
    assert table.rounds[1].scores == {"Ann": 3, "Bob": 4}
    assert (table.end.winners, table.end.scores) == (("Ann",), {"Ann": 25, "Bob": 5})


# The settings of a match


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"match.kind": "duel"}, "duel"),
        ({"rules.shut": "wins"}, "wins"),
        ({"rules.ties": "lots"}, "lots"),
        ({"match.kind": "rounds", "match.limit": 45}, "match.limit has no meaning"),
    ],
)
def test_match_rules_that_do_not_exist_are_refused(settings: dict[str, object], what: str) -> None:
    with pytest.raises(RuleError, match=what):
        MatchRules.from_settings(settings)


@pytest.mark.parametrize("kind", [*KINDS, "battle"])
def test_every_setting_is_read_back(kind: str) -> None:
    rules = MatchRules.from_settings({"match.kind": kind, "match.stake": 2})
    assert MatchRules.from_settings(rules.settings()) == rules


def test_an_empty_match_is_one_round() -> None:
    assert MatchRules.from_settings({}) == MatchRules()

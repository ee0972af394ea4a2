"""A match of Sequence Dice: who starts, whose turn it is, how it ends, and what is told of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from firmware_host.errors import RuleError
from firmware_host.games.records import (
    ChipPlaced,
    ChipRemoved,
    ChipReplaced,
    EndReason,
    MatchEnded,
    MatchStarted,
    PlayerLeft,
    Record,
    Rolled,
    TurnEnded,
    TurnStarted,
    from_fields,
    to_fields,
)
from firmware_host.games.sequence_dice.board import squares_of
from firmware_host.games.sequence_dice.game import SETTLE_S, SequenceDice
from firmware_host.games.sequence_dice.notation import format_square, parse_square
from firmware_host.games.sequence_dice.position import Colour, Position
from firmware_host.games.start import begin, opening

NAMES = ("Ann", "Bob", "Cem", "Dee")
DICE = {total: (max(1, total - 6), min(6, total - 1)) for total in range(2, 13)}
SEQUENCE = {"rules.game": "sequence-dice"}


@dataclass
class Table:
    """A match and all its records so far."""

    game: SequenceDice
    records: list[Record] = field(default_factory=list)

    @classmethod
    def of(cls, players: int, **rules: Any) -> Table:
        settings = {**SEQUENCE, **{f"rules.{key}": value for key, value in rules.items()}}
        started, *rest = opening(1, settings, NAMES[:players])
        assert isinstance(started, MatchStarted)
        game = begin(started)
        assert isinstance(game, SequenceDice)
        return cls(game, [started]).take(*rest)

    @classmethod
    def begun(cls, players: int = 2, position: str = "", **rules: Any) -> Table:
        """Past the rolls for the start: Ann is first."""
        table = cls.of(players, **rules).roll(12, *[2] * (players - 1))
        if position:
            table.game = _lying(table.game, Position.parse(position))
        return table

    def take(self, *records: Record) -> Table:
        for record in records:
            self.game = self.game.apply(record)
        self.records += records
        return self

    def roll(self, *totals: int) -> Table:
        for total in totals:
            self.take(*self.game.roll(DICE[total], "roller"))
        return self

    def play(self, total: int, square: str) -> Table:
        """Roll, and put, take or replace the chip at ``square``."""
        self.roll(total)
        index = parse_square(square)
        before = self.game.layout
        changed = [t.layout for t in self.game.targets() if t.layout[index] != before[index]]
        assert len(changed) == 1, f"{square} is none of {self.legal}"
        return self.take(*self.game.stand(changed[0]))

    @property
    def player(self) -> str:
        return self.game.match.player

    @property
    def legal(self) -> list[str]:
        return [format_square(action.square) for action in self.game.legal() if action.square is not None]

    def told(self, kind: type[Record]) -> list[Record]:
        """All records of a kind, since the start was decided where it has been."""
        decided = (i for i, r in enumerate(self.records) if isinstance(r, TurnStarted) and r.round == 1)
        return [record for record in self.records[next(decided, 0) :] if isinstance(record, kind)]

    @property
    def turns(self) -> list[str]:
        """Who was to roll, with the round."""
        return [f"{r.player} {r.round}" for r in self.records if isinstance(r, TurnStarted)]

    @property
    def end(self) -> MatchEnded:
        last = self.records[-1]
        assert isinstance(last, MatchEnded)
        assert self.game.match.winners == last.winners
        return last


def _lying(game: SequenceDice, position: Position) -> SequenceDice:
    for square in range(36):
        colour = position.colour_at(square)
        if colour is not None:
            game = game.apply(ChipPlaced("Ann", divmod(square, 6), colour.word))
    assert game.position == position
    return game


# The start


def test_everyone_rolls_and_the_highest_total_starts() -> None:
    table = Table.of(3).roll(5, 9, 8)
    assert table.turns == ["Ann 0", "Bob 0", "Cem 0", "Bob 1"]
    assert not table.game.is_starting


def test_the_roll_for_the_start_is_no_move() -> None:
    table = Table.of(2)
    assert table.game.is_starting
    assert table.game.dice_allowed() == (2,)
    table.roll(5)
    assert table.game.dice == ()
    assert table.game.targets() == ()
    assert table.game.position == Position()
    assert table.game.thrown == DICE[5]
    assert table.told(TurnEnded) == [TurnEnded("Ann", (), None, EndReason.ROLLED)]


def test_a_roll_of_2_for_the_start_brings_no_extra_turn() -> None:
    assert Table.of(2).roll(12, 2).turns == ["Ann 0", "Bob 0", "Ann 1"]


def test_tied_players_roll_again_and_only_they() -> None:
    table = Table.of(4).roll(9, 4, 9, 9)
    assert table.player == "Ann"
    table.roll(7, 7)
    assert table.player == "Dee"
    table.roll(6)
    assert table.turns[4:] == ["Ann 0", "Cem 0", "Dee 0", "Ann 0"]
    table.roll(3, 8)
    assert table.turns[8:] == ["Cem 0", "Cem 1"]


def test_play_goes_to_the_left_of_who_starts_and_rounds_begin_with_him() -> None:
    table = Table.of(3).roll(5, 9, 8)
    for square in ("r0c1", "r1c5", "r4c0", "r5c4"):
        table.play(3, square)
    assert table.turns[3:] == ["Bob 1", "Cem 1", "Ann 1", "Bob 2", "Cem 2"]


def test_who_does_not_roll_for_the_start_does_not_start() -> None:
    table = Table.of(3).roll(5)
    table.take(*table.game.end_turn())
    assert table.player == "Cem"
    assert table.roll(4).turns[-1] == "Ann 1"


def test_the_last_one_to_try_for_the_start_starts() -> None:
    table = Table.of(2)
    table.take(*table.game.end_turn())
    assert table.turns == ["Ann 0", "Bob 1"]


# Colours and turns


@pytest.mark.parametrize(("players", "colours"), [(2, "gb"), (3, "gbr"), (4, "gbgb")])
def test_colours_by_seat(players: int, colours: str) -> None:
    game = Table.of(players).game
    assert "".join(game.colour_of(seat).letter for seat in range(players)) == colours


def test_a_turn_as_others_read_it() -> None:
    table = Table.begun().play(3, "r0c1")
    assert table.records[-4:] == [
        Rolled("Ann", DICE[3], 3, "roller"),
        ChipPlaced("Ann", (0, 1), "green"),
        TurnEnded("Ann", (), None, EndReason.MOVED),
        TurnStarted("Bob", 1),
    ]
    fields = to_fields(table.records[-3])
    assert fields == {"player": "Ann", "cell": [0, 1], "colour": "green"}
    assert from_fields("chip_placed", fields) == table.records[-3]


def test_a_move_stands_by_itself_for_each_square() -> None:
    table = Table.begun().roll(3)
    assert table.legal == ["r0c1", "r1c5", "r4c0", "r5c4"]
    targets = table.game.targets()
    assert [target.layout.index(1) for target in targets] == [1, 11, 24, 34]
    assert {(target.stands_after_s, target.next_dice) for target in targets} == {(SETTLE_S, ())}
    assert table.game.places == tuple(range(36))
    assert table.game.missing(table.game.layout) == 0
    assert not table.game.may_return


def test_a_removed_chip_is_told_with_its_colour() -> None:
    table = Table.begun().play(3, "r0c1").roll(10)
    assert table.legal == ["r0c1"]
    table.take(*table.game.stand(Position().layout))
    assert table.told(ChipRemoved) == [ChipRemoved("Bob", (0, 1), "green")]
    assert table.player == "Ann"


def test_a_replaced_chip_is_told_with_both_colours() -> None:
    table = Table.begun(position=".g..../.....b/....../....../b...../....b.").play(3, "r1c5")
    assert table.told(ChipReplaced) == [ChipReplaced("Ann", (1, 5), "green", "blue")]
    assert table.game.position.colour_at(11) is Colour.GREEN


@pytest.mark.parametrize(("total", "square"), [(2, "r0c0"), (12, "r2c2")])
def test_a_2_or_12_brings_one_more_whole_turn_and_it_can_chain(total: int, square: str) -> None:
    table = Table.begun().play(total, square)
    assert table.turns[-2:] == ["Ann 1", "Ann 1"]
    assert table.told(TurnEnded) == [TurnEnded("Ann", (), None, EndReason.MOVED)]
    table.play(2, "r5c5")
    assert table.player == "Ann"
    assert table.play(7, "r1c1").player == "Bob"


def test_an_11_on_a_corner_brings_no_extra_turn() -> None:
    assert Table.begun().play(11, "r0c0").player == "Bob"


def test_a_replacement_on_a_12_brings_the_extra_turn() -> None:
    table = Table.begun(position="....../....../..bb../..gg../....../......").play(12, "r2c2")
    assert table.player == "Ann"


OWN_TWOS = "g....g/....../....../....../....../g....g"


def test_four_chips_of_ones_own_end_the_turn() -> None:
    table = Table.begun(position=".g..../.....g/....../....../g...../....g.").roll(3)
    assert table.records[-2:] == [TurnEnded("Ann", (), None, EndReason.BLOCKED), TurnStarted("Bob", 1)]
    assert table.game.dice == ()


def test_a_blocked_2_brings_no_extra_turn() -> None:
    assert Table.begun(position=OWN_TWOS).roll(2).player == "Bob"


def test_a_blocked_2_brings_the_extra_turn_where_it_is_set_so() -> None:
    table = Table.begun(position=OWN_TWOS, extra_after_blocked=True).roll(2)
    assert table.told(TurnEnded) == [TurnEnded("Ann", (), None, EndReason.BLOCKED)]
    assert table.player == "Ann"
    assert table.game.dice == ()


def test_a_10_without_a_chip_to_take_ends_the_turn() -> None:
    table = Table.begun().roll(10)
    assert table.told(TurnEnded) == [TurnEnded("Ann", (), None, EndReason.BLOCKED)]
    assert table.player == "Bob"


def test_a_turn_can_be_ended_by_hand() -> None:
    table = Table.begun().roll(2)
    table.take(*table.game.end_turn())
    assert table.records[-2:] == [TurnEnded("Ann", (), None, EndReason.ENDED_BY_HAND), TurnStarted("Bob", 1)]
    assert table.game.dice == ()


def test_dice_are_always_two_and_known() -> None:
    game = Table.begun().game
    for dice in ((6,), (1, 2, 3), (0, 3), (3, 7), ()):
        with pytest.raises(RuleError, match="two values from 1 to 6"):
            game.roll(dice, "roller")
    with pytest.raises(RuleError, match="known dice"):
        game.end_freely(game.layout)


def test_only_a_legal_action_stands() -> None:
    game = Table.begun().roll(3).game
    for position in (
        Position(),
        Position().with_chip(0, Colour.GREEN),  # on a 2
        Position().with_chip(1, Colour.BLUE),
        Position().with_chip(1, Colour.GREEN).with_chip(11, Colour.GREEN),
    ):
        with pytest.raises(RuleError, match="no legal action"):
            game.stand(position.layout)


def test_nothing_stands_before_the_roll() -> None:
    with pytest.raises(RuleError, match="no legal action"):
        Table.begun().game.stand(Position().with_chip(1, Colour.GREEN).layout)


# The end


def test_five_in_a_row_win_at_once() -> None:
    table = Table.begun(position="....../....../....../....../....../.gggg.").play(2, "r5c0")
    assert table.end == MatchEnded(("Ann",), {"Ann": 0, "Bob": 0}, {"Ann": 0, "Bob": 0}, "played")
    assert [type(r) for r in table.records[-4:]] == [Rolled, ChipPlaced, TurnEnded, MatchEnded]
    assert list(squares_of(table.game.winning_squares)) == [30, 31, 32, 33, 34]


def test_a_win_comes_before_the_extra_turn() -> None:
    table = Table.begun(position="....../....../....../....../....../.gggg.").play(2, "r5c5")
    assert table.turns.count("Ann 1") == 1
    assert table.end.winners == ("Ann",)


def test_a_replacement_wins_as_well() -> None:
    table = Table.begun(position="gbggg./.....b/....../....../b...../....b.").play(3, "r0c1")
    assert table.end.winners == ("Ann",)


def test_four_on_the_anti_diagonal_do_not_win() -> None:
    table = Table.begun(position="....../....g./...g../..g.../....../......").play(7, "r4c4").play(7, "r1c1")
    assert table.game.match.winners is None
    assert table.play(6, "r5c1").game.match.winners is None


def test_with_six_in_a_row_five_do_not_win() -> None:
    table = Table.begun(position="....../....../....../....../....../.gggg.", in_a_row=6).play(2, "r5c0")
    assert table.game.match.winners is None
    assert table.play(2, "r5c5").end.winners == ("Ann",)


def test_partners_win_together() -> None:
    table = Table.begun(4, position="....../....../....../....../....../.gggg.")
    for square in ("r1c5", "r4c0"):
        table.play(3, square)
    assert table.player == "Cem"
    assert table.play(2, "r5c0").end.winners == ("Ann", "Cem")


def test_the_stake_is_split_between_partners() -> None:
    started, *_ = opening(1, {**SEQUENCE, "match.stake": 3}, NAMES)
    assert isinstance(started, MatchStarted)
    table = Table(begin(started)).take(TurnStarted("Ann", 0)).roll(12, 2, 3, 4)  # type: ignore[arg-type]
    table.game = _lying(table.game, Position.parse("....../....../....../....../....../.gggg."))
    assert table.play(2, "r5c0").end.stakes == {"Ann": 3, "Bob": -3, "Cem": 3, "Dee": -3}


def test_nobody_has_a_line_before_the_end() -> None:
    assert Table.begun(position=".gggg./....../....../....../....../......").game.winning_squares == 0


# Going away


def test_of_two_the_other_wins() -> None:
    table = Table.begun()
    table.take(*table.game.leave("Bob"))
    assert table.told(PlayerLeft) == [PlayerLeft("Bob")]
    assert table.end.winners == ("Ann",)


def test_of_three_the_others_play_on_and_the_chips_stay() -> None:
    table = Table.begun(3).play(3, "r0c1").play(3, "r1c5")
    table.take(*table.game.leave("Ann"))
    assert table.player == "Cem"
    assert table.roll(10).legal == ["r0c1", "r1c5"]
    table.take(*table.game.end_turn())
    assert table.turns[-1] == "Bob 2"
    table.take(*table.game.leave("Bob"))
    assert [type(record) for record in table.records[-3:]] == [PlayerLeft, TurnEnded, MatchEnded]
    assert table.end.winners == ("Cem",)


def test_a_partner_plays_on_alone() -> None:
    table = Table.begun(4).play(3, "r0c1")
    table.take(*table.game.leave("Bob"))
    assert table.player == "Cem"
    for square in ("r1c1", "r1c4", "r4c1"):
        table.play(7, square)
    assert table.turns[-3:] == ["Dee 1", "Ann 2", "Cem 2"]
    table.take(*table.game.leave("Dee"))
    assert table.end.winners == ("Ann", "Cem")


def test_who_has_left_does_not_win_with_his_partner() -> None:
    table = Table.begun(4, position="....../....../....../....../....../.gggg.")
    table.take(*table.game.leave("Cem"))
    assert table.play(2, "r5c0").end.winners == ("Ann",)


def test_going_away_while_rolling_for_the_start() -> None:
    table = Table.of(3).roll(8)
    table.take(*table.game.leave("Ann"))
    assert table.player == "Bob"
    table.take(*table.game.leave("Cem"))
    assert table.end.winners == ("Bob",)


def test_going_away_in_a_tie_leaves_the_start_to_the_other() -> None:
    table = Table.of(3).roll(9, 9, 4)
    assert table.player == "Ann"
    table.take(*table.game.leave("Bob"))
    assert table.turns[-1] == "Ann 1"


def test_going_away_as_the_last_to_roll_decides_the_start() -> None:
    table = Table.of(3).roll(4, 9)
    table.take(*table.game.leave("Cem"))
    assert table.turns[-1] == "Bob 1"


def test_nobody_goes_away_twice() -> None:
    table = Table.begun(3)
    table.take(*table.game.leave("Bob"))
    for name in ("Bob", "Eve"):
        with pytest.raises(RuleError, match=name):
            table.game.leave(name)


def test_an_abandoned_match_has_no_winner() -> None:
    table = Table.begun()
    table.take(table.game.match.ended((), reason="abandoned"))
    assert table.end.winners == ()
    assert table.game.match.is_over


# Beginning


def test_all_rules_are_kept() -> None:
    started = Table.of(2, in_a_row=6).records[0]
    assert isinstance(started, MatchStarted)
    assert started.game == "sequence-dice"
    assert started.rules["rules.game"] == "sequence-dice"
    assert started.rules["rules.in_a_row"] == 6
    assert started.rules["rules.extra_after_blocked"] is False
    assert "rules.tiles" not in started.rules


@pytest.mark.parametrize(
    ("settings", "players", "what"),
    [
        ({}, NAMES[:1], "two, three or four"),
        ({}, ("Ann", "Ann"), "each name once"),
        ({}, (), "at least one"),
        ({"rules.in_a_row": 6}, NAMES[:3], "never for three"),
        ({"match.kind": "battle"}, NAMES[:2], r"match\.kind battle"),
        ({"dice.source": "none"}, NAMES[:2], r"dice\.source none"),
        ({"rules.game": "chess"}, NAMES[:2], "shut-the-box, sequence-dice"),
    ],
)
def test_a_match_that_cannot_be(settings: dict[str, Any], players: tuple[str, ...], what: str) -> None:
    with pytest.raises(RuleError, match=what):
        opening(1, {**SEQUENCE, **settings}, players)


def test_the_supply_of_a_colour_is_told() -> None:
    twenty = "gggg.g/gg.ggg/bbgb../gg.ggg/g..ggg/bb...."
    assert Position.parse(twenty).chips[0].bit_count() == 20
    assert Table.begun(position=twenty).game.used_up == (Colour.GREEN,)
    assert Table.begun(position=twenty.replace("gggg.g", ".ggg.g")).game.used_up == ()

"""A match of Sequence Dice: rolls and boards in, records out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

from firmware_host.errors import RuleError
from firmware_host.games.game import CHIPS, Layout, Target
from firmware_host.games.match import Match
from firmware_host.games.records import (
    ChipPlaced,
    ChipRemoved,
    ChipReplaced,
    EndReason,
    MatchStarted,
    PlayerLeft,
    Record,
    Rolled,
    TurnEnded,
    TurnStarted,
)
from firmware_host.games.sequence_dice.board import SIZE, SQUARES
from firmware_host.games.sequence_dice.position import SUPPLY, Colour, Position
from firmware_host.games.sequence_dice.rules import Action, Do, Rules, after, legal_actions, sides
from firmware_host.games.sequence_dice.starting_rolls import StartingRolls

SETTLE_S = 0.15  # beside as much of debouncing: a chip that slides into its square is at rest by then
_COVERED = 4  # level of a square whose chip's colour the sensor does not tell
_COLOURS = tuple(Colour)
_PLACES = tuple(range(SQUARES))
_START = 0  # the round in which everyone rolls for the start


@dataclass(frozen=True, slots=True)
class SequenceDice:
    """The accepted state: ``position`` is the board before ``dice`` are played.

    ``starting``: the rolls for the start, while they last.  ``first``: the seat that began.
    ``thrown``: the last roll of the match, played or not.
    """

    rules: Rules
    match: Match
    starting: StartingRolls
    position: Position = Position()  # noqa: RUF009 (a frozen value)
    first: int = 0
    dice: tuple[int, ...] = ()
    thrown: tuple[int, ...] = ()

    @classmethod
    def begin(cls, record: MatchStarted) -> SequenceDice:
        """The game that ``record`` started; RuleError if its rules are unknown here."""
        seats = tuple(range(len(record.players)))
        return cls(Rules.from_match(record.rules), Match.begin(record), StartingRolls(seats))

    @property
    def device(self) -> str:
        """The chip board."""
        return CHIPS

    def interpret(self, levels: Layout) -> Layout:
        """A chip of unseen colour is the one that lay there; on an empty square, one of who plays."""
        lying = self.position.layout
        own = self.colour + 1
        rows = zip(levels, lying, strict=True)
        return tuple((lay or own) if level == _COVERED else level for level, lay in rows)

    def unseen(self, levels: Layout) -> frozenset[int]:
        """Where colours are not seen, a replacement: the square is covered before and after."""
        legal = self.legal()
        if not legal or legal[0].do is not Do.REPLACE:
            return frozenset()
        return frozenset(square for square, level in enumerate(levels) if level == _COVERED)

    @property
    def places(self) -> tuple[int, ...]:
        """Square ``n`` lies at the sensor's place ``n``."""
        return _PLACES

    @property
    def layout(self) -> Layout:
        """By square 0 when empty, else 1, 2, 3 for green, blue, red."""
        return self.position.layout

    @property
    def may_return(self) -> bool:
        """An action stands for good once the chip has settled; undo is for second thoughts."""
        return False

    @property
    def is_starting(self) -> bool:
        """Everyone rolls for the start; nothing may be moved yet."""
        return self.match.round == _START

    @property
    def colour(self) -> Colour:
        """The colour of who plays now."""
        return self.colour_of(self.match.seat)

    def colour_of(self, seat: int) -> Colour:
        """Two or three colours by seat; two teams: the first and the third are one."""
        return _COLOURS[seat % sides(len(self.match.players))]

    @property
    def used_up(self) -> tuple[Colour, ...]:
        """The colours whose chips all lie on the board: whoever needs one more takes anything alike."""
        return tuple(c for c in Colour if self.position.chips[c].bit_count() >= SUPPLY)

    @property
    def winning_squares(self) -> int:
        """The set of squares in complete lines; 0 while nobody has one."""
        lines = (self.position.line(colour, self.rules.in_a_row) for colour in Colour)
        return next((line for line in lines if line), 0)

    def missing(self, layout: Layout) -> int:
        """Unknown: a roll asks for one chip, not for a sum."""
        return 0

    def dice_allowed(self) -> tuple[int, ...]:
        """Always two."""
        return (2,)

    def legal(self) -> tuple[Action, ...]:
        """What the present roll asks for; none when a roll is due."""
        return legal_actions(self.position, self.colour, sum(self.dice)) if self.dice else ()

    def targets(self) -> tuple[Target, ...]:
        """One target a legal action; each stands by itself, and the turn passes."""
        colour = self.colour
        return tuple(self._target(colour, action) for action in self.legal() if action.square is not None)

    def _target(self, colour: Colour, action: Action) -> Target:
        """Before a chip is replaced the other one is lifted."""
        way = None
        if action.do is Do.REPLACE and action.square is not None:
            way = self.position.without_chip(action.square).layout
        return Target(after(self.position, colour, action).layout, SETTLE_S, (), way)

    def roll(self, dice: tuple[int, ...], source: str) -> tuple[Record, ...]:
        """Accept ``dice``; ends the turn where nothing can be done with them."""
        if len(dice) != 2 or not all(1 <= die <= 6 for die in dice):
            raise RuleError(f"dice {dice!r}: two values from 1 to 6")
        rolled = Rolled(self.match.player, dice, sum(dice), source)
        game = self.apply(rolled)
        if self.is_starting:
            ended = TurnEnded(self.match.player, (), None, EndReason.ROLLED)
            return (rolled, ended, game.apply(ended)._following())
        if game.legal()[0].do is not Do.PASS:
            return (rolled,)
        return (rolled, *game._end_turn(EndReason.BLOCKED))

    def stand(self, layout: Layout) -> tuple[Record, ...]:
        """Accept the action that leads to ``layout``; then the turn passes, or the match is won."""
        board, colour = Position.of(layout), self.colour
        for action in self.legal():
            if action.square is not None and after(self.position, colour, action) == board:
                return self._act(action.do, action.square)
        raise RuleError(f"{board.text} follows by no legal action from {self.position.text}, {self.dice!r}")

    def _act(self, do: Do, square: int) -> tuple[Record, ...]:
        acted = self._chip_record(do, square)
        game = self.apply(acted)
        if do is Do.REMOVE or not game.position.wins_at(square, self.colour, self.rules.in_a_row):
            return (acted, *game._end_turn(EndReason.MOVED))
        ended = TurnEnded(self.match.player, (), None, EndReason.MOVED)
        return (acted, ended, game.apply(ended)._won(self.colour))

    def _chip_record(self, do: Do, square: int) -> Record:
        row, column = divmod(square, SIZE)
        player, cell, lay = self.match.player, (row, column), self.position.colour_at(square)
        if lay is None:
            return ChipPlaced(player, cell, self.colour.word)
        if do is Do.REMOVE:
            return ChipRemoved(player, cell, lay.word)
        return ChipReplaced(player, cell, self.colour.word, lay.word)

    def end_freely(self, layout: Layout) -> tuple[Record, ...]:
        """Not in this game: without the dice nobody knows what may be placed."""
        raise RuleError("Sequence Dice cannot be played without known dice")

    def end_turn(self) -> tuple[Record, ...]:
        """End the turn by hand; who is to roll for the start does not try for it."""
        ended = TurnEnded(self.match.player, (), None, EndReason.ENDED_BY_HAND)
        return (ended, self.apply(ended)._following())

    def leave(self, player: str) -> tuple[Record, ...]:
        """``player`` goes away; his chips stay, and his side wins no more once nobody of it is left."""
        records = self.match.depart(player, ())
        game = reduce(SequenceDice.apply, records, self)
        colours = {game.colour_of(seat) for seat in game._seats_left()}
        if not colours:
            return (*records, game.match.ended((), reason="abandoned"))
        if len(colours) == 1:
            return (*records, game._won(colours.pop()))
        is_decided = game.is_starting and game.starting.first is not None
        return (*records, game._following()) if player == self.match.player or is_decided else records

    def _end_turn(self, reason: EndReason) -> tuple[Record, ...]:
        """The end of a turn whose roll was played or blocked, and who is next."""
        ended = TurnEnded(self.match.player, (), None, reason)
        if self.rules.brings_extra_turn(sum(self.thrown), blocked=reason is EndReason.BLOCKED):
            return (ended, TurnStarted(self.match.player, self.match.round))
        return (ended, self.apply(ended)._following())

    def _following(self) -> TurnStarted:
        """The turn after the present player's: to the left, or of who rolls for the start, or starts."""
        players, seat, number = self.match.players, self.match.seat, self.match.round
        if self.is_starting:
            first = self.starting.first
            if first is None:
                return TurnStarted(players[self.starting.waiting[0]], _START)
            return TurnStarted(players[first], 1)
        while True:
            seat = (seat + 1) % len(players)
            number += seat == self.first
            if seat not in self.match.left:
                return TurnStarted(players[seat], number)

    def _won(self, colour: Colour) -> Record:
        return self.match.ended(tuple(seat for seat in self._seats_left() if self.colour_of(seat) == colour))

    def _seats_left(self) -> tuple[int, ...]:
        """The seats whose player has not left."""
        return tuple(seat for seat in range(len(self.match.players)) if seat not in self.match.left)

    def apply(self, record: Record) -> SequenceDice:
        """The game after ``record``."""
        match = self.match.apply(record)
        match record:
            case Rolled(dice=dice) if self.is_starting:
                starting = self.starting.roll(self.match.seat, sum(dice))
                return replace(self, match=match, starting=starting, thrown=dice)
            case Rolled(dice=dice):
                return replace(self, match=match, dice=dice, thrown=dice)
            case ChipPlaced(cell=cell, colour=colour) | ChipReplaced(cell=cell, colour=colour):
                board = self.position.with_chip(_square(cell), Colour.parse(colour))
                return replace(self, dice=(), position=board)
            case ChipRemoved(cell=cell):
                return replace(self, dice=(), position=self.position.without_chip(_square(cell)))
            case TurnStarted() if self.is_starting:
                return replace(self, match=match, first=match.seat)
            case TurnEnded(reason=EndReason.ROLLED):
                return replace(self, match=match)
            case PlayerLeft(player) | TurnEnded(player) if self.is_starting:
                starting = self.starting.without(self.match.players.index(player))
                return replace(self, match=match, starting=starting)
            case TurnEnded():
                return replace(self, match=match, dice=())
        return replace(self, match=match)


def _square(cell: tuple[int, int]) -> int:
    row, column = cell
    return row * SIZE + column

"""What the three buttons lead through: the menu, the set-up, a score set by hand.

A dialog is an immutable value.  A press gives the dialog after it (None: it is left) and, where
something was decided, an intent.  *roll* goes on to the next item, *next* chooses, *back* leaves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from firmware_host.games.opponents import PREFIX, Opponent
from firmware_host.games.shut_the_box.presets import PRESETS
from firmware_host.games.start import GAMES, SEQUENCE_DICE, SHUT_THE_BOX
from firmware_host.table.events import Button

MOST_PLAYERS = 8
MOST_DIGITS = 15  # of a total: twelve open tiles read from left to right
WITHOUT_CAMERA = ("roller", "keypad", "none")  # sources of dice to choose from
WITH_CAMERA = ("camera", "keypad", "roller", "none")


class Choice(Enum):
    """What can be chosen in the menu; the value is the word's key."""

    NOT_SEEN = "menu_not_seen"  # a tile that was flipped is not seen
    END_TURN = "menu_end_turn"
    SET_SCORE = "menu_set_score"
    LEAVE = "menu_leave"  # a player goes away
    SET_UP = "menu_set_up"  # another match
    ABANDON = "menu_abandon"  # the match ends without winners
    PHONE = "menu_phone"  # how the keeper's phone gets to the page


@dataclass(frozen=True, slots=True)
class Item:
    """A line to choose: the key of its word, and what stands in it."""

    key: str
    name: str = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """What a dialog shows: the key of its title, lines to choose from, or digits to set; or a QR ``code``."""

    title: str
    items: tuple[Item, ...] = ()
    index: int = 0
    name: str = ""
    number: int | None = None
    digits: tuple[int, ...] = ()
    code: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    """Intent: a choice from the menu, for ``player`` where it is about one."""

    choice: Choice
    player: str = ""
    value: int = 0


@dataclass(frozen=True, slots=True)
class SetUp:
    """Intent, and what the next match is started with: rules by full key, players, dice source."""

    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    players: tuple[str, ...] = ("Player 1", "Player 2")
    source: str = "roller"


Intent = Chosen | SetUp
After = tuple["Dialog | None", Intent | None]


@dataclass(frozen=True, slots=True)
class Menu:
    """The menu of a match; ``players`` can leave or have their score set."""

    choices: tuple[Choice, ...]
    totals: tuple[tuple[str, int], ...]
    index: int = 0

    @property
    def page(self) -> Page:
        """What is shown."""
        return Page("menu", tuple(Item(choice.value) for choice in self.choices), self.index)

    def press(self, button: Button) -> After:
        """The dialog after a press, and what was decided."""
        if button is not Button.NEXT:
            return _moved(self, button, len(self.choices)), None
        choice = self.choices[self.index]
        if choice in (Choice.LEAVE, Choice.SET_SCORE):
            return WhichPlayer(choice, self.totals), None
        return None, Chosen(choice)


@dataclass(frozen=True, slots=True)
class WhichPlayer:
    """Whom the choice is about."""

    choice: Choice
    totals: tuple[tuple[str, int], ...]
    index: int = 0

    @property
    def page(self) -> Page:
        """What is shown."""
        items = tuple(Item("player", name, total) for name, total in self.totals)
        return Page(self.choice.value, items, self.index)

    def press(self, button: Button) -> After:
        """The dialog after a press, and what was decided."""
        if button is not Button.NEXT:
            return _moved(self, button, len(self.totals)), None
        name, total = self.totals[self.index]
        if self.choice is Choice.LEAVE:
            return None, Chosen(self.choice, name)
        return TypeScore(name, _digits(total)), None


@dataclass(frozen=True, slots=True)
class TypeScore:
    """A match total set by hand, digit by digit from the left: *roll* up, *back* down, *next* takes it."""

    player: str
    digits: tuple[int, ...]
    index: int = 0

    @property
    def page(self) -> Page:
        """What is shown."""
        return Page(Choice.SET_SCORE.value, index=self.index, name=self.player, digits=self.digits)

    def press(self, button: Button) -> After:
        """The dialog after a press, and what was decided."""
        if button is not Button.NEXT:
            by = 1 if button is Button.ROLL else -1
            digit = (self.digits[self.index] + by) % 10
            digits = (*self.digits[: self.index], digit, *self.digits[self.index + 1 :])
            return replace(self, digits=digits), None
        if self.index + 1 < len(self.digits):
            return replace(self, index=self.index + 1), None
        return None, Chosen(Choice.SET_SCORE, self.player, int("".join(map(str, self.digits))))


def _digits(total: int) -> tuple[int, ...]:
    """At least three digits; one more than there are, for those who want more, as far as scores go."""
    return tuple(map(int, f"0{total}".zfill(3)[-max(MOST_DIGITS, len(str(total))) :]))


@dataclass(frozen=True, slots=True)
class ChooseRules:
    """Set-up, first step: the house's own rules (those of the config) or a preset."""

    house: SetUp
    people: tuple[str, ...]
    index: int = 0
    sources: tuple[str, ...] = WITHOUT_CAMERA
    has_phone: bool = False

    @property
    def page(self) -> Page:
        """What is shown."""
        return Page("set_up_rules", self._items, self.index)

    @property
    def _items(self) -> tuple[Item, ...]:
        phone = (Item(Choice.PHONE.value),) if self.has_phone else ()
        presets = () if _is_on_chips(self.house) else tuple(Item("preset", name) for name in PRESETS)
        return (Item("set_up_house"), *phone, *presets)

    def press(self, button: Button) -> After:
        """The dialog after a press, and what was decided."""
        if button is not Button.NEXT:
            return _moved(self, button, len(self._items)), None
        item = self._items[self.index]
        if item.key == Choice.PHONE.value:
            return None, Chosen(Choice.PHONE)
        settings = PRESETS[item.name].settings if item.name else self.house.settings
        setup = replace(self.house, settings=settings, players=())
        first = _counts(setup).index(2)  # two players are the commonest
        after = ChoosePlayers(setup, self.people, self.house.players, index=first, sources=self.sources)
        return (after._begin(2) if _is_battle(setup) else after), None


@dataclass(frozen=True, slots=True)
class ChoosePlayers:
    """Set-up, second step: how many, then who sits on each seat.

    ``count`` 0: how many is still asked.  ``last``: who played last, proposed first.
    """

    setup: SetUp
    people: tuple[str, ...]
    last: tuple[str, ...]
    count: int = 0
    index: int = 0
    sources: tuple[str, ...] = WITHOUT_CAMERA

    @property
    def page(self) -> Page:
        """What is shown."""
        if not self.count:
            numbers = tuple(Item("players", number=n) for n in _counts(self.setup))
            return Page("set_up_players", numbers, self.index)
        seat = len(self.setup.players)
        return Page(
            "set_up_seat", tuple(Item("player", name) for name in self._names), self.index, number=seat + 1
        )

    @property
    def _names(self) -> tuple[str, ...]:
        """Who can sit on the next seat: who sat there last, the people known, just "Player n", or the box."""
        seat = len(self.setup.players)
        anybody = (f"Player {number}" for number in (seat + 1, *range(1, seat + 2)))
        free = next(name for name in anybody if name not in self.setup.players)
        names = (*self.last[seat : seat + 1], *self.people, free, *map(_typed, _opponents(self.setup)))
        return tuple(name for name in dict.fromkeys(names) if self._may_sit(name))

    def _may_sit(self, name: str) -> bool:
        """Everybody once, but opponents that the box plays as often as wanted, where it plays any."""
        if name.startswith(PREFIX):
            return not _is_battle(self.setup)
        return name not in self.setup.players

    def _begin(self, count: int) -> ChoosePlayers:
        return replace(self, count=count, index=0)

    def press(self, button: Button) -> After:
        """The dialog after a press, and what was decided."""
        if button is not Button.NEXT:
            return _moved(self, button, len(self._names if self.count else _counts(self.setup))), None
        if not self.count:
            return self._begin(_counts(self.setup)[self.index]), None
        setup = replace(self.setup, players=(*self.setup.players, self._names[self.index]))
        if len(setup.players) < self.count:
            return replace(self, setup=setup, index=0), None
        after = ChooseDice(setup, sources=self.sources)
        is_known = setup.source in after._sources
        return replace(after, index=after._sources.index(setup.source) if is_known else 0), None


@dataclass(frozen=True, slots=True)
class ChooseDice:
    """Set-up, last step: where the dice come from."""

    setup: SetUp
    index: int = 0
    sources: tuple[str, ...] = WITHOUT_CAMERA

    @property
    def page(self) -> Page:
        """What is shown."""
        return Page("set_up_dice", tuple(Item(f"dice_{source}") for source in self._sources), self.index)

    @property
    def _sources(self) -> tuple[str, ...]:
        """A battle or chips cannot be played without known dice, nor does the box play without."""
        has_opponent = any(name.startswith(PREFIX) for name in self.setup.players)
        needs_dice = has_opponent or _is_battle(self.setup) or _is_on_chips(self.setup)
        return self.sources[:-1] if needs_dice else self.sources

    def press(self, button: Button) -> After:
        """The dialog after a press, and what was decided."""
        if button is not Button.NEXT:
            return _moved(self, button, len(self._sources)), None
        return None, replace(self.setup, source=self._sources[self.index])


@dataclass(frozen=True, slots=True)
class ShowPhone:
    """How the keeper's phone gets to the page: its address, its QR code, and the digits to type there."""

    url: str
    digits: str
    code: tuple[str, ...] = ()

    @property
    def page(self) -> Page:
        """What is shown."""
        return Page("phone", name=self.url, digits=tuple(map(int, self.digits)), code=self.code)

    def press(self, _button: Button) -> After:
        """Any press leaves it."""
        return None, None


Dialog = Menu | WhichPlayer | TypeScore | ChooseRules | ChoosePlayers | ChooseDice | ShowPhone


def _is_battle(setup: SetUp) -> bool:
    return setup.settings.get("match.kind") == "battle"


def _is_on_chips(setup: SetUp) -> bool:
    return setup.settings.get("rules.game") == SEQUENCE_DICE


def _counts(setup: SetUp) -> tuple[int, ...]:
    """How many may play."""
    if not _is_on_chips(setup):
        return tuple(range(1, MOST_PLAYERS + 1))
    return (2, 4) if setup.settings.get("rules.in_a_row") == 6 else (2, 3, 4)


def _opponents(setup: SetUp) -> tuple[Opponent, ...]:
    game = GAMES[setup.settings.get("rules.game", SHUT_THE_BOX)]
    return game.rules(setup.settings).opponents


def _typed(kind: Opponent) -> str:
    return f"{PREFIX}{kind}"


def _moved(dialog: Any, button: Button, count: int) -> Any:
    """*roll*: the next item, round at the end; *back*: leave."""
    return replace(dialog, index=(dialog.index + 1) % count) if button is Button.ROLL else None

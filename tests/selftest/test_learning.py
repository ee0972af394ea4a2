"""Learning which input is which tile: fed levels and times."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.selftest.asking import WATCH_S, Ask, Step
from firmware_host.selftest.learning import Learning

HOLD_S = 0.06


class Hands:
    """Tiles wired to inputs as ``wires`` says: index of the tile -> index of the input, of five."""

    def __init__(self, wires: dict[int, int], tiles: tuple[int, ...] = (0, 1, 2)) -> None:
        self.now, self.wires = 50.0, wires
        self.levels = [1] * 5
        self.learning = Learning(tiles, HOLD_S, tuple(self.levels), self.now)

    def wait(self, until: float) -> None:
        while (due := self.learning.due) is not None and due <= until:
            self.now = due
            self.learning.feed(tuple(self.levels), self.now)
        self.now = until

    def put(self, tile: int, is_open: bool) -> None:
        if tile in self.wires:
            self.levels[self.wires[tile]] = int(is_open)
            self.learning.feed(tuple(self.levels), self.now)
        self.wait(self.now + 1.0)

    def start(self) -> None:
        self.learning.confirm(self.now)
        self.wait(self.now + WATCH_S)

    def obey(self) -> dict[int, int]:
        while (ask := self.learning.ask) is not None:
            if ask.index is None:
                self.start()
                continue
            self.put(ask.index, ask.step is Step.BACK)
            if self.learning.ask == ask:
                self.learning.confirm(self.now)
        return self.learning.learned


@given(st.permutations(range(5)))
def test_however_it_is_wired_each_tile_finds_its_input(order: list[int]) -> None:
    wires = dict(enumerate(order[:3]))
    assert Hands(wires).obey() == wires


def test_it_waits_for_the_word_that_all_tiles_are_open() -> None:
    hands = Hands({0: 0})
    hands.wait(hands.now + 5)
    assert hands.learning.ask == Ask(Step.REST)


def test_a_tile_without_an_input_is_unseen_and_the_rest_is_learned() -> None:
    hands = Hands({0: 3, 2: 1})
    assert hands.obey() == {0: 3, 2: 1}
    assert hands.learning.unseen == [1]


def test_the_wrong_tile_is_named_and_asked_for_again() -> None:
    hands = Hands({0: 0, 1: 1, 2: 2})
    hands.start()
    hands.put(0, False)
    hands.put(0, True)
    hands.put(0, False)  # again, in place of tile 2
    assert hands.learning.trouble == "that was tile 1"
    hands.put(0, True)
    assert hands.learning.ask == Ask(Step.THERE, 1)
    assert hands.obey() == {0: 0, 1: 1, 2: 2}


def test_two_inputs_at_once_teach_nothing_and_after_three_times_it_goes_on() -> None:
    hands = Hands({0: 0, 1: 1, 2: 2})
    hands.start()
    for _ in range(3):
        assert hands.learning.ask == Ask(Step.THERE, 0)
        hands.levels[0] = 0
        hands.put(1, False)
        assert hands.learning.ask == Ask(Step.BACK, 0)
        hands.levels[0] = 1
        hands.put(1, True)
    assert hands.learning.unseen == [0]
    assert hands.learning.ask == Ask(Step.THERE, 1)


def test_a_line_that_changes_while_nobody_touches_anything_is_left_out() -> None:
    hands = Hands({0: 0, 1: 1, 2: 2})
    hands.learning.confirm(hands.now)
    hands.levels[4] = 0
    hands.learning.feed(tuple(hands.levels), hands.now)
    hands.wait(hands.now + WATCH_S)
    hands.levels[4] = 1
    assert hands.obey() == {0: 0, 1: 1, 2: 2}


def test_when_it_is_over_it_asks_for_nothing_more() -> None:
    hands = Hands({0: 0}, tiles=(0,))
    hands.obey()
    hands.learning.confirm(hands.now)
    hands.learning.feed(tuple(hands.levels), hands.now)
    assert (hands.learning.ask, hands.learning.due) == (None, None)

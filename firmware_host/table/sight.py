"""What the table believes of the tiles: their debounced levels, or the player's word."""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_host.games.game import CHIPS, TILES, Layout
from firmware_host.table.debounce import Debounced, Levels

DEBOUNCE_S = 0.06  # a falling tile's magnet crosses the switch's threshold for up to 40 ms
CHIP_DEBOUNCE_S = 0.15  # a chip's field passes through those of weaker ones while a hand lowers it
OPEN, EMPTY = 1, 0


@dataclass(frozen=True, slots=True)
class Sight:
    """``levels``: by sensor place.  ``flipped``: places by their last flip, the latest last.

    ``device``: whose levels these are; ``untouched``: what lies at a place at the start of a match.
    ``word``: by place the level taken on the player's word, None where the sensor is trusted.
    ``lost``: like ``word`` for all places while the whole sensor is lost, else None.
    """

    levels: Debounced = Debounced(DEBOUNCE_S)  # noqa: RUF009 (a frozen value)
    flipped: tuple[int, ...] = ()
    word: tuple[int | None, ...] = ()
    lost: Layout | None = None
    device: str = TILES
    untouched: int = OPEN

    @classmethod
    def of(cls, device: str) -> Sight:
        """Nothing seen yet of ``device``."""
        if device == CHIPS:
            return cls(Debounced(CHIP_DEBOUNCE_S), device=CHIPS, untouched=EMPTY)
        return cls()

    @property
    def due(self) -> float | None:
        """When a level will count if nothing changes."""
        return self.levels.due

    @property
    def is_known(self) -> bool:
        """The tiles were read once, or are played on the player's word."""
        return self.lost is not None or bool(self.levels.stable)

    def read(self, levels: Levels | None, now: float) -> Sight:
        """After ``levels`` were read, or (None) after time has passed; self where nothing changed."""
        before = self.levels
        after = before.at(now) if levels is None else before.read(levels, now)
        if after is before:
            return self
        if not before.stable:
            # A place without a switch is played on the player's word from the start.
            missing = tuple(self.untouched if level is None else None for level in after.stable)
            return replace(self, levels=after, word=missing, lost=None)
        if after.stable == before.stable:
            return replace(self, levels=after)
        rows = zip(before.stable, after.stable, strict=True)
        moved = sorted((i for i, (was, now_) in enumerate(rows) if was != now_), key=after.since.__getitem__)
        flipped = (*(i for i in self.flipped if i not in moved), *moved)
        # A sensor that moves to where the player's word has the tile already is alive after all.
        word = tuple(None if i in moved and after.stable[i] == w else w for i, w in enumerate(self.word))
        return replace(self, levels=after, flipped=flipped, word=word)

    def layout(self, places: tuple[int, ...]) -> Layout | None:
        """What lies at ``places``; None before the first reading."""
        if self.lost is not None:
            return tuple(self.lost[place] if place < len(self.lost) else self.untouched for place in places)
        if not self.levels.stable:
            return None
        return tuple(self._believed(place) for place in places)

    def _believed(self, place: int) -> int:
        word = self.word[place]
        if word is not None:
            return word
        level = self.levels.stable[place]
        return self.untouched if level is None else level

    def unsensed(self, places: tuple[int, ...]) -> frozenset[int]:
        """The indices into ``places`` that go by the player's word."""
        if self.lost is not None:
            return frozenset(range(len(places)))
        if self.word.count(None) == len(self.word):
            return frozenset()
        return frozenset(i for i, place in enumerate(places) if self.word[place] is not None)

    def order(self, places: tuple[int, ...]) -> tuple[int, ...]:
        """The indices into ``places`` by their last flip, the latest last."""
        return tuple(places.index(place) for place in self.flipped if place in places)

    def take_word(self, places: tuple[int, ...], layout: Layout) -> Sight:
        """Believe ``layout`` at those ``places`` where the sensor tells otherwise."""
        if self.lost is not None:
            lost = [*self.lost, *[self.untouched] * (max(places, default=-1) + 1 - len(self.lost))]
            for place, level in zip(places, layout, strict=True):
                lost[place] = level
            return replace(self, lost=tuple(lost))
        word = list(self.word)
        for place, level in zip(places, layout, strict=True):
            if self._believed(place) != level:
                word[place] = level
        return replace(self, word=tuple(word))

    def trust_again(self) -> Sight:
        """Believe every sensor that answers, as at the start of a match."""
        missing = tuple(self.untouched if level is None else None for level in self.levels.stable)
        return replace(self, word=missing)

    def lose(self, places: tuple[int, ...], layout: Layout) -> Sight:
        """All sensors are lost: go on from what was believed last, or from ``layout`` at ``places``."""
        count = max([len(self.levels.stable), *(place + 1 for place in places)])
        lost = [self.untouched] * count
        for place, level in zip(places, self.layout(places) or layout, strict=True):
            lost[place] = level
        return replace(self, lost=tuple(lost))

    def find(self) -> Sight:
        """The sensors answer again: what was believed holds until they are read."""
        return replace(self, levels=Debounced(self.levels.hold_s), flipped=())

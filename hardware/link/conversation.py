"""The host's side of the conversation with the microcontroller, without any I/O.

Bytes in, events out, bytes to send; however the bytes are cut, the events are the same.  Nothing counts
before a hello that answers our own greeting, so what is left of an earlier run, of a chip that was reset,
or of another program never does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hardware.mcu.wire import GIVE, GREET, HELLO, LAMPS, STATE, TONE, VERSION, Lines, encode

TILES, BUTTONS = 12, 3
_ASK_EVERY = 4  # spoiled lines
_GREET_EVERY = 4  # states in another conversation's name: a few may have been on their way


@dataclass(frozen=True, slots=True)
class Greeted:
    """The chip has answered our greeting; ``abilities`` as it told them, such as "t12,b3,l12,z1"."""

    firmware: str
    abilities: str


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """The chip has answered, but speaks another version: nothing it says counts."""

    version: str


@dataclass(frozen=True, slots=True)
class Stated:
    """The levels of all lines, 1 high; ``tiles``: tile 1 first, ``buttons``: roll, next, back."""

    tiles: tuple[int, ...]
    buttons: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Restarted:
    """The chip says hello on its own account: it was reset, and is greeted anew."""


LinkEvent = Greeted | OtherVersion | Stated | Restarted


class Conversation:
    """One conversation over one open port."""

    def __init__(self, new_token: Callable[[], int]) -> None:
        """``new_token``: a number 1..0xFFFFFFFF that a chip we have not just greeted will not know."""
        self._new_token = new_token
        self._lines = Lines()
        self._token = 0
        self._their_seq = self._our_seq = 0
        self._is_greeted = False
        self._spoiled = 0  # lines, since the last that counted
        self._strangers = 0  # good states that were not for this conversation, since the last that was
        self._to_send = bytearray()

    @property
    def bad_lines(self) -> int:
        """How many lines were no frames."""
        return self._lines.bad

    def take_to_send(self) -> bytes:
        """What is to be written to the port, once."""
        data = bytes(self._to_send)
        self._to_send.clear()
        return data

    def greet(self) -> None:
        """Begin, or begin anew: with a token of its own, so that earlier answers do not count."""
        self._token, self._is_greeted = self._new_token(), False
        self._their_seq = 0
        # An empty line first: whatever half a line the chip has from before us ends there.
        self._to_send += b"\n"
        self._say(GREET)

    def light(self, tiles: frozenset[int]) -> None:
        """Light exactly these lamps."""
        self._say(LAMPS, f"{sum(1 << tile - 1 for tile in tiles):X}")

    def tone(self, hz: int, volume: int) -> None:
        """Hum at ``hz``, 0: be quiet; ``volume``: 1 low, 2 high."""
        self._say(TONE, f"{hz:X} {volume:X}")

    def feed(self, data: bytes) -> list[LinkEvent]:
        """What the bytes that came mean."""
        bad = self._lines.bad
        events: list[LinkEvent] = []
        for kind, token, seq, body in self._lines.feed(data):
            event = self._event(kind, token, seq, body)
            if event is not None:
                events.append(event)
                self._spoiled = self._strangers = 0
        before, self._spoiled = self._spoiled, self._spoiled + self._lines.bad - bad
        # A line was spoiled: it may have been a state.  On a bad wire not every one is asked for.
        is_due = before == 0 or before // _ASK_EVERY != self._spoiled // _ASK_EVERY
        if self._spoiled > before and self._is_greeted and is_due:
            self._say(GIVE)
        return events

    def _event(self, kind: str, token: int, seq: int, body: str) -> LinkEvent | None:
        if kind == HELLO and token == 0:
            self.greet()
            return Restarted()
        if token != self._token or seq <= self._their_seq:
            # From before the greeting, or heard before; or the chip was greeted in another's name since.
            if kind == STATE:
                self._strangers += 1
                if self._strangers % _GREET_EVERY == 0:
                    self.greet()
            return None
        if kind == HELLO:
            version, _, rest = body.partition(" ")
            if version != str(VERSION):
                return OtherVersion(version)
            self._their_seq, self._is_greeted = seq, True
            firmware, _, abilities = rest.partition(" ")
            return Greeted(firmware, abilities)
        if kind == STATE and self._is_greeted:
            levels = _levels(body)
            if levels is not None:
                self._their_seq = seq
                return levels
        return None

    def _say(self, kind: str, body: str = "") -> None:
        self._our_seq += 1
        self._to_send += encode(kind, self._token, self._our_seq, body)


def _levels(body: str) -> Stated | None:
    """The levels of a state; None for one that has other lines than ours."""
    try:
        tiles, buttons = (int(word, 16) for word in body.split(" "))
    except ValueError:
        return None
    if not (0 <= tiles < 1 << TILES and 0 <= buttons < 1 << BUTTONS):
        return None
    return Stated(_bits(tiles, TILES), _bits(buttons, BUTTONS))


def _bits(mask: int, count: int) -> tuple[int, ...]:
    return tuple(mask >> i & 1 for i in range(count))

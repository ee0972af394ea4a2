# What the chip does, without its pins: those are in board.py, and a test or the simulator has others.
"""The firmware: scans, sends whole states, lights lamps, hums."""

try:  # on the host it is part of a package
    from hardware.mcu.wire import GIVE, GREET, HELLO, LAMPS, LAST_SEQ, STATE, TONE, VERSION, Lines, encode
except ImportError:
    from wire import (  # type: ignore[no-redef]
        GIVE,
        GREET,
        HELLO,
        LAMPS,
        LAST_SEQ,
        STATE,
        TONE,
        VERSION,
        Lines,
        encode,
    )

NAME = "boxkeeper-pico"
HEARTBEAT_MS = 500  # a state is sent again after so long, so that a lost one is healed and a dead link seen
LONGEST_TONE_MS = 1000  # a host that dies in mid-tune leaves no noise behind
_WRAP = 1 << 30  # MicroPython's tick counter wraps here


class Pins:
    """What the firmware asks of a board; ``abilities``: a word for the host."""

    abilities: str = ""

    def read(self) -> tuple[int, int]:
        """The lines that are high: tiles, buttons; the first of each is the lowest bit."""
        raise NotImplementedError

    def lamps(self, mask: int) -> None:
        """Light the lamps of these tiles; tile 1 is the lowest bit."""

    def tone(self, hz: int, volume: int) -> None:
        """Hum at ``hz``; 0: be quiet.  ``volume``: 1 low, 2 high."""

    def feed(self) -> None:
        """Tell the watchdog that the loop goes on."""


class Firmware:
    """The chip's end of the conversation, one step a scan."""

    def __init__(self, board: Pins) -> None:
        """Start: nothing is sent to a host that has not greeted, but one hello."""
        self._board = board
        self._lines = Lines()
        self._token = self._seq = 0
        self._sent = (-1, -1)
        self._sent_at = self._toned_at = 0
        self._is_humming = False
        self._out = self._frame(HELLO, f"{VERSION} {NAME} {board.abilities}")

    def step(self, now_ms: int, data: bytes) -> bytes:
        """Take what came in, look at the lines; what is to be sent.  Levels go up as they are."""
        for kind, token, _, body in self._lines.feed(data):
            self._take(kind, token, body, now_ms)
        levels = self._board.read()
        if self._token and (levels != self._sent or (now_ms - self._sent_at) % _WRAP >= HEARTBEAT_MS):
            self._send(levels, now_ms)
        if self._is_humming and (now_ms - self._toned_at) % _WRAP >= LONGEST_TONE_MS:
            self._is_humming = False
            self._board.tone(0, 0)
        out = self._out
        self._out = b""
        return out

    def _take(self, kind: str, token: int, body: str, now_ms: int) -> None:
        if kind == GREET:
            self._token = token
            self._seq = 0
            self._out += self._frame(HELLO, f"{VERSION} {NAME} {self._board.abilities}")
            self._sent = (-1, -1)
        elif token != self._token or not token:
            return  # from before the last greeting
        elif kind == GIVE:
            self._sent = (-1, -1)
        elif kind == LAMPS:
            numbers = _numbers(body, 1)
            if numbers:
                self._board.lamps(numbers[0])
        elif kind == TONE:
            numbers = _numbers(body, 2)
            if numbers:
                self._board.tone(numbers[0], numbers[1])
                self._is_humming = numbers[0] > 0
                self._toned_at = now_ms

    def _send(self, levels: tuple[int, int], now_ms: int) -> None:
        self._sent = levels
        self._sent_at = now_ms
        self._out += self._frame(STATE, f"{levels[0]:X} {levels[1]:X}")

    def _frame(self, kind: str, body: str) -> bytes:
        self._seq = self._seq % LAST_SEQ + 1
        return encode(kind, self._token, self._seq, body)


def _numbers(body: str, count: int) -> list[int] | None:
    """So many hexadecimal numbers, or None."""
    try:
        numbers = [int(word, 16) for word in body.split(" ")]
    except ValueError:
        return None
    return numbers if len(numbers) == count and min(numbers) >= 0 else None


def run(board: Pins) -> None:
    """Serve for ever; whatever goes wrong ends in a reset, by the board's watchdog at the latest."""
    import select
    import sys
    import time

    incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
    poll = select.poll()
    poll.register(sys.stdin, select.POLLIN)
    firmware = Firmware(board)
    while True:
        data = bytearray()
        wait_ms = 1  # between two scans
        while len(data) < 256 and poll.poll(wait_ms):
            data.extend(incoming.read(1))
            wait_ms = 0
        out = firmware.step(time.ticks_ms(), bytes(data))  # type: ignore[attr-defined]
        if out:
            outgoing.write(out)
        board.feed()

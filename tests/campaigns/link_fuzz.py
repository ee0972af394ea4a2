"""Random and mutated frames at both ends of the serial link: ``python tests/campaigns/link_fuzz.py``.

Nothing may crash, and no tile may move: whatever state the host takes must be the very next one that the chip
sent, and lamps and buzzer may only do what the host said.  Every so often a clean frame must get through.
Prints the seed; exit 1 at the first breach.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable

from hardware.link.conversation import Conversation, Greeted, Stated
from hardware.mcu.firmware import HEARTBEAT_MS, Firmware, Pins
from hardware.mcu.wire import GIVE, GREET, HELLO, KINDS, LAMPS, LONGEST, STATE, encode

CLEAN_EVERY = 20
HEARTBEATS = 8  # after so many on a clean wire the chip must have been understood


class Breach(AssertionError):
    """What must not happen."""


class Fuzzer:
    """Frames that are none, or not for here: made from ``genuine`` ones and from nothing."""

    def __init__(self, chance: random.Random, genuine: list[bytes]) -> None:
        self._chance, self._genuine = chance, genuine
        self.made: Counter[str] = Counter()
        self._ways: tuple[Callable[[], bytes], ...] = (
            self.noise, self.flipped_bits, self.changed_byte, self.dropped_byte, self.put_in, self.cut_short,
            self.spliced, self.replayed, self.stranger, self.other_case, self.overlong, self.twice,
            self.well_formed_nonsense,
        )  # fmt: skip

    def frame(self) -> bytes:
        """One of them; it may be several lines, or a part of one."""
        way = self._chance.choice(self._ways)
        self.made[way.__name__] += 1
        return way()

    def _one(self) -> bytes:
        return self._chance.choice(self._genuine[-200:])

    def noise(self) -> bytes:
        return self._chance.randbytes(self._chance.randint(1, 60))

    def flipped_bits(self) -> bytes:
        line = bytearray(self._one())
        for _ in range(self._chance.randint(1, 8)):
            line[self._chance.randrange(len(line))] ^= 1 << self._chance.randrange(8)
        return bytes(line)

    def changed_byte(self) -> bytes:
        line = bytearray(self._one())
        line[self._chance.randrange(len(line))] = self._chance.choice(b"0123456789ABCDEF \n")
        return bytes(line)

    def dropped_byte(self) -> bytes:
        line, at = self._one(), self._chance.randrange(8)
        return line[:at] + line[at + 1 :]

    def put_in(self) -> bytes:
        line, at = self._one(), self._chance.randrange(30)
        return line[:at] + self._chance.randbytes(1) + line[at:]

    def cut_short(self) -> bytes:
        line = self._one()
        return line[: self._chance.randrange(len(line))]

    def spliced(self) -> bytes:
        first, second = self._one(), self._one()
        return first[: self._chance.randrange(len(first))] + second[self._chance.randrange(len(second)) :]

    def replayed(self) -> bytes:
        return self._one()

    def stranger(self) -> bytes:
        """A good state of another run: its token is not ours."""
        token = self._chance.randrange(1 << 32)
        return encode(STATE, token, self._chance.randrange(1 << 32), f"{self._mask():X} 7")

    def other_case(self) -> bytes:
        return self._one().lower()

    def overlong(self) -> bytes:
        return self._one().rstrip() * self._chance.randint(3, 9) + b"\n"

    def twice(self) -> bytes:
        return self._one() * 2

    def well_formed_nonsense(self) -> bytes:
        """A right check sum around a body that means nothing, with a token that is not ours."""
        words = ("FFFFF", "-1", "", "x", "0x7", "1_0", "FFF")
        body = " ".join(self._chance.choice(words) for _ in range(self._chance.randint(0, 4)))
        return encode(
            self._chance.choice(KINDS.replace(GREET, "")), 0x5A5A, self._chance.randrange(1, 1 << 32), body
        )

    def _mask(self) -> int:
        return self._chance.randrange(1 << 12)


def cut(chance: random.Random, data: bytes) -> list[bytes]:
    """``data`` in pieces, as ports hand it over."""
    pieces, at = [], 0
    while at < len(data):
        size = chance.choice((1, 3, 17, len(data)))
        pieces.append(data[at : at + size])
        at += size
    return pieces


def tiles_of(stated: list[Stated]) -> int | None:
    """The last state's tiles as a mask."""
    return sum(bit << i for i, bit in enumerate(stated[-1].tiles)) if stated else None


class RecordingPins(Pins):
    """What the chip was told, and levels that a hand sets."""

    abilities = "t12,b3,l12,z1"

    def __init__(self) -> None:
        self.levels, self.told = (0xFFF, 7), list[int]()

    def read(self) -> tuple[int, int]:
        return self.levels

    def lamps(self, mask: int) -> None:
        self.told.append(mask)


def fuzz(seed: int, frames: int) -> Counter[str]:
    """So many bad frames at each end; what was made and what got through.  Raises Breach."""
    chance = random.Random(seed)
    pins = RecordingPins()
    firmware = Firmware(pins)
    host = Conversation(lambda: chance.randrange(1, 1 << 32))
    host.greet()
    genuine_up: list[bytes] = [encode(STATE, 0x4321, 5, "000 0"), encode(HELLO, 0x4321, 1, "1 x y")]
    genuine_down: list[bytes] = [encode(GIVE, 0x4321, 1), encode(LAMPS, 0x4321, 2, "FFF")]
    now_ms, said = 0, {0xFFF}
    up, down = Fuzzer(chance, genuine_up), Fuzzer(chance, genuine_down)
    figures: Counter[str] = Counter()

    def exchange() -> list[Stated]:
        """Clean, for one heartbeat: the host's words to the chip, its answers, until both have said all."""
        nonlocal now_ms
        stated: list[Stated] = []
        now_ms += HEARTBEAT_MS
        data = b"\n" + host.take_to_send()
        while data:
            genuine_down.extend(line for line in data.splitlines(keepends=True) if line.strip())
            now_ms += 1
            out = firmware.step(now_ms, data)
            genuine_up.extend(out.splitlines(keepends=True))
            events = host.feed(b"\n" + out)
            stated += [event for event in events if isinstance(event, Stated)]
            figures["greetings"] += sum(isinstance(event, Greeted) for event in events)
            data = host.take_to_send()
        return stated

    exchange()
    for number in range(frames):
        for piece in cut(chance, up.frame()):
            for event in host.feed(piece):
                if isinstance(event, Stated):
                    raise Breach(f"seed {seed}, frame {number}: a tile moved: {event}")
        told = len(pins.told)
        bad = down.frame()
        for piece in cut(chance, bad):
            now_ms += 1
            firmware.step(now_ms, piece)
        # A genuine line for the lamps that is heard twice lights the same lamps: that is no harm.
        for mask in pins.told[told:]:
            if mask not in said:
                raise Breach(f"seed {seed}, frame {number}: lamps that nobody lit: {mask:X}")
        del pins.told[:]
        if number % CLEAN_EVERY == 0:
            pins.levels = (chance.randrange(1 << 12), chance.randrange(8))
            if chance.random() < 0.1:
                host.greet()
            tile = chance.randint(1, 12)
            said.add(1 << tile - 1)
            host.light(frozenset({tile}))
            exchange()
            if not any(tiles_of(exchange()) == pins.levels[0] for _ in range(HEARTBEATS)):
                raise Breach(f"seed {seed}, frame {number}: a clean state did not get through")
            figures["clean states"] += 1
            del genuine_up[:-400], genuine_down[:-400]
    figures.update({f"up {name}": count for name, count in up.made.items()})
    figures.update({f"down {name}": count for name, count in down.made.items()})
    figures["bad lines, host"] = host.bad_lines
    return figures


def main() -> int:
    """Fuzz."""
    parser = argparse.ArgumentParser(
        prog="link_fuzz", description="Bad frames at both ends of the serial link."
    )
    parser.add_argument("--frames", type=int, default=1_000_000, help="at each end")
    parser.add_argument("--seed", type=int, default=None, help="to see the same again")
    args = parser.parse_args()
    seed = args.seed if args.seed is not None else random.SystemRandom().randrange(1 << 32)
    sys.stdout.write(f"seed {seed}, longest frame {LONGEST}, greeting {GREET}\n")
    start = time.perf_counter()
    try:
        figures = fuzz(seed, args.frames)
    except Breach as breach:
        sys.stdout.write(f"{breach}\n")
        return 1
    for name, count in sorted(figures.items()):
        sys.stdout.write(f"{name:32} {count:>10,}\n")
    sys.stdout.write(f"{args.frames:,} bad frames at each end, {time.perf_counter() - start:.0f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

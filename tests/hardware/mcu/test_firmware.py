"""What the chip does: whole states at every change and twice a second, to whoever has greeted it."""

from __future__ import annotations

import pytest

from hardware.mcu.firmware import HEARTBEAT_MS, LONGEST_TONE_MS, NAME, Firmware, Pins
from hardware.mcu.wire import GIVE, GREET, HELLO, LAMPS, STATE, TONE, VERSION, Lines, encode

TOKEN = 0x1234
Frame = tuple[str, int, int, str]


class Desk(Pins):
    """Pins in hand."""

    abilities = "t12,b3,l12,z1"

    def __init__(self) -> None:
        self.levels = (0xFFF, 7)
        self.told: list[tuple[object, ...]] = []

    def read(self) -> tuple[int, int]:
        return self.levels

    def lamps(self, mask: int) -> None:
        self.told.append(("lamps", mask))

    def tone(self, hz: int, volume: int) -> None:
        self.told.append(("tone", hz, volume))


class Chip:
    """The firmware, asked step by step."""

    def __init__(self) -> None:
        self.desk = Desk()
        self.firmware = Firmware(self.desk)
        self.now_ms = 0

    def step(self, data: bytes = b"", after_ms: int = 1) -> list[Frame]:
        self.now_ms += after_ms
        return Lines().feed(self.firmware.step(self.now_ms, data))


@pytest.fixture
def chip() -> Chip:
    """Greeted."""
    made = Chip()
    made.step(encode(GREET, TOKEN, 1))
    return made


def test_it_says_one_hello_and_then_nothing_till_it_is_greeted() -> None:
    chip = Chip()
    hello = f"{VERSION} {NAME} t12,b3,l12,z1"
    assert chip.step() == [(HELLO, 0, 1, hello)]
    chip.desk.levels = (0, 0)
    assert chip.step() == chip.step(after_ms=10 * HEARTBEAT_MS) == []
    assert chip.step(encode(GREET, TOKEN, 1)) == [(HELLO, TOKEN, 1, hello), (STATE, TOKEN, 2, "0 0")]


def test_every_change_is_sent_at_the_scan_that_sees_it_bounces_too(chip: Chip) -> None:
    sent = []
    for tiles in (0xFFE, 0xFFF, 0xFFE):
        chip.desk.levels = (tiles, 7)
        sent += [body for _, _, _, body in chip.step()]
        assert chip.step() == []
    assert sent == ["FFE 7", "FFF 7", "FFE 7"]


def test_without_a_change_the_state_is_sent_twice_a_second(chip: Chip) -> None:
    count = sum(len(chip.step(after_ms=1)) for _ in range(10_000))
    assert count == pytest.approx(20, abs=1)


def test_it_gives_the_state_when_it_is_asked(chip: Chip) -> None:
    assert [frame[0] for frame in chip.step(encode(GIVE, TOKEN, 2))] == [STATE]


def test_sequence_numbers_go_on(chip: Chip) -> None:
    numbers = [chip.step(encode(GIVE, TOKEN, 2))[0][2] for _ in range(5)]
    assert numbers == [3, 4, 5, 6, 7]


def test_lamps_and_tones_are_done(chip: Chip) -> None:
    chip.step(encode(LAMPS, TOKEN, 2, "A01") + encode(TONE, TOKEN, 3, "3E8 2"))
    assert chip.desk.told == [("lamps", 0xA01), ("tone", 1000, 2)]


def test_a_tone_that_nobody_ends_ends_by_itself(chip: Chip) -> None:
    chip.step(encode(TONE, TOKEN, 2, "3E8 2"))
    chip.step(after_ms=LONGEST_TONE_MS - 1)
    assert chip.desk.told[-1] == ("tone", 1000, 2)
    chip.step()
    assert chip.desk.told[-1] == ("tone", 0, 0)
    chip.step(after_ms=5000)
    assert len(chip.desk.told) == 2


@pytest.mark.parametrize(
    "frame",
    [
        encode(LAMPS, TOKEN ^ 1, 2, "FFF"),
        encode(LAMPS, 0, 2, "FFF"),
        encode(LAMPS, TOKEN, 2, ""),
        encode(LAMPS, TOKEN, 2, "-1"),
        encode(LAMPS, TOKEN, 2, "1 2"),
        encode(TONE, TOKEN, 2, "1"),
        encode(TONE, TOKEN, 2, "high low"),
        encode(STATE, TOKEN, 2, "0 0"),
        encode(LAMPS, TOKEN, 2, "FFF")[:-5] + b"\n",
        b"\x03\x04\x00" * 100,
    ],
)
def test_what_is_not_for_it_or_means_nothing_does_nothing(chip: Chip, frame: bytes) -> None:
    assert chip.step(frame) == []
    assert chip.desk.told == []


def test_greeted_anew_it_begins_anew_and_forgets_the_other_name(chip: Chip) -> None:
    assert [frame[:3] for frame in chip.step(encode(GREET, 7, 1))] == [(HELLO, 7, 1), (STATE, 7, 2)]
    assert chip.step(encode(GIVE, TOKEN, 9)) == []


def test_the_tick_counter_may_wrap(chip: Chip) -> None:
    chip.now_ms = (1 << 30) - 100
    chip.step(encode(GIVE, TOKEN, 2))
    chip.now_ms = 50 - 1  # it has wrapped: 150 ms later
    assert chip.step() == []
    assert [frame[0] for frame in chip.step(after_ms=HEARTBEAT_MS)] == [STATE]

"""The conversation with the microcontroller: bytes in, events out, however they are cut."""

from __future__ import annotations

import random
from itertools import count, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from link_fuzz import fuzz

from hardware.link.conversation import Conversation, Greeted, LinkEvent, OtherVersion, Restarted, Stated
from hardware.mcu.firmware import Firmware, Pins
from hardware.mcu.wire import GREET, HELLO, LAMPS, STATE, VERSION, Lines, encode

ABILITIES = f"{VERSION} boxkeeper-pico t12,b3,l12,z1"
OPEN = (1,) * 12
UP = (1, 1, 1)


def begun() -> Conversation:
    """Greeted with the token 1 and told that all is open."""
    numbers = count(1)
    conversation = Conversation(lambda: next(numbers))
    conversation.greet()
    conversation.take_to_send()
    assert conversation.feed(encode(HELLO, 1, 1, ABILITIES)) == [Greeted("boxkeeper-pico", "t12,b3,l12,z1")]
    assert conversation.feed(encode(STATE, 1, 2, "FFF 7")) == [Stated(OPEN, UP)]
    return conversation


def kinds_said(conversation: Conversation) -> list[str]:
    return [frame[0] for frame in Lines().feed(conversation.take_to_send())]


def test_a_state_is_tiles_and_buttons_the_first_in_the_lowest_bit() -> None:
    assert begun().feed(encode(STATE, 1, 3, "FFE 5")) == [Stated((0, *OPEN[1:]), (1, 0, 1))]


def test_fault_18_nothing_counts_before_a_hello_that_answers_our_greeting() -> None:
    conversation = Conversation(lambda: 5)
    assert conversation.feed(encode(STATE, 0, 9, "000 0")) == []
    conversation.greet()
    for line in (
        encode(STATE, 5, 2, "000 0"),
        encode(HELLO, 4, 1, ABILITIES),
        encode(STATE, 4, 2, "000 0"),
        b"MPY: soft reboot\r\n>>> ",
        b"\n" + encode(STATE, 5, 2, "000 0"),
    ):
        assert conversation.feed(line) == []
    assert conversation.feed(encode(HELLO, 5, 1, ABILITIES)) != []
    assert conversation.feed(encode(STATE, 5, 2, "000 0")) == [Stated((0,) * 12, (0, 0, 0))]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(encode(STATE, 1, 2, "000 7"), id="heard before"),
        pytest.param(encode(STATE, 1, 1, "000 7"), id="older"),
        pytest.param(encode(STATE, 2, 3, "000 7"), id="another token"),
        pytest.param(encode(STATE, 1, 3, "1000 7"), id="thirteen tiles"),
        pytest.param(encode(STATE, 1, 3, "000 8"), id="four buttons"),
        pytest.param(encode(STATE, 1, 3, "000"), id="no buttons"),
        pytest.param(encode(STATE, 1, 3, "-1 0"), id="less than none"),
        pytest.param(encode(STATE, 1, 3, "open shut"), id="words"),
        pytest.param(encode(STATE, 1, 3, "000 7")[:-2] + b"\n", id="cut short"),
        pytest.param(encode(STATE, 1, 3, "000 7")[1:], id="its beginning is missing"),
        pytest.param(encode(GREET, 1, 3), id="our own words"),
        pytest.param(encode(LAMPS, 1, 3, "000"), id="our own lamps"),
        pytest.param(b"\x00" * 500 + b"\n", id="nothing but zeros"),
    ],
)
def test_what_moves_no_tile(line: bytes) -> None:
    conversation = begun()
    assert conversation.feed(line) == []
    later = [encode(STATE, 1, 4, "FFF 6"), encode(HELLO, 2, 1, ABILITIES), encode(STATE, 2, 4, "FFF 6")]
    heard = [event for each in later for event in conversation.feed(b"\n" + each)]
    assert [event for event in heard if isinstance(event, Stated)] == [Stated(OPEN, (0, 1, 1))]


def test_fault_17_half_a_line_is_kept_till_its_other_half_comes() -> None:
    conversation, line = begun(), encode(STATE, 1, 3, "FFD 7")
    for i in range(len(line) - 1):
        assert conversation.feed(line[i : i + 1]) == []
    assert conversation.feed(line[-1:]) == [Stated((1, 0, *OPEN[2:]), UP)]


def test_another_version_is_told_and_none_of_its_states_counts() -> None:
    conversation = Conversation(lambda: 1)
    conversation.greet()
    assert conversation.feed(encode(HELLO, 1, 1, "7 their-firmware x")) == [OtherVersion("7")]
    assert conversation.feed(encode(STATE, 1, 2, "000 0")) == []


def test_a_chip_that_was_reset_is_greeted_anew_with_another_token() -> None:
    conversation = begun()
    assert conversation.feed(encode(HELLO, 0, 1, ABILITIES)) == [Restarted()]
    assert kinds_said(conversation) == [GREET]
    assert conversation.feed(encode(STATE, 1, 900, "000 0")) == []
    conversation.feed(encode(HELLO, 2, 1, ABILITIES))
    assert conversation.feed(encode(STATE, 2, 2, "FFF 7")) == [Stated(OPEN, UP)]


def test_a_spoiled_line_is_asked_for_and_on_a_bad_wire_every_fourth() -> None:
    conversation = begun()
    asked = []
    for _ in range(9):
        conversation.feed(b"spoiled\n")
        asked.append(len(kinds_said(conversation)))
    assert asked == [1, 0, 0, 1, 0, 0, 0, 1, 0]
    conversation.feed(encode(STATE, 1, 3, "FFF 7"))
    conversation.feed(b"spoiled\n")
    assert kinds_said(conversation) == ["G"]


def test_after_some_states_in_anothers_name_the_chip_is_greeted_anew() -> None:
    conversation = begun()
    for seq in range(3, 6):
        conversation.feed(encode(STATE, 99, seq, "000 0"))
    assert kinds_said(conversation) == []
    conversation.feed(encode(STATE, 99, 6, "000 0"))
    assert kinds_said(conversation) == [GREET]


class Desk(Pins):
    levels = (0xFFF, 7)

    def read(self) -> tuple[int, int]:
        return self.levels


@settings(deadline=None)
@given(st.integers(0, 2**32), st.data())
def test_fed_byte_by_byte_or_in_lumps_it_tells_the_same(seed: int, data: st.DataObject) -> None:
    chance, desk = random.Random(seed), Desk()
    firmware = Firmware(desk)
    stream = firmware.step(0, encode(GREET, 1, 1))
    for now in range(1, 30):
        desk.levels = (chance.randrange(1 << 12), chance.randrange(8))
        stream += firmware.step(now, b"")
        if chance.random() < 0.4:
            stream += chance.randbytes(chance.randint(1, 30)) + chance.choice((b"", b"\n"))

    def events(pieces: list[bytes]) -> list[LinkEvent]:
        tokens = count(1)
        conversation = Conversation(lambda: next(tokens))
        conversation.greet()
        return [event for piece in pieces for event in conversation.feed(piece)]

    cuts = sorted({0, len(stream), *data.draw(st.lists(st.integers(0, len(stream)), max_size=30))})
    lumps = [stream[a:b] for a, b in pairwise(cuts)]
    assert events(lumps) == events([stream[i : i + 1] for i in range(len(stream))]) == events([stream])


@pytest.mark.parametrize("seed", range(3))
def test_bad_frames_move_no_tile_and_clean_ones_get_through(seed: int) -> None:
    figures = fuzz(seed, 2000)
    assert figures["clean states"] == 100
    assert figures["bad lines, host"] > 500

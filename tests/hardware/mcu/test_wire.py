"""The frames of the serial link: one form each, and nothing else is one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from chip import _START, FIRMWARE, needs_micropython
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.mcu.wire import GIVE, HELLO, KINDS, LAST_SEQ, LAST_TOKEN, LONGEST, STATE, Lines, decode, encode

bodies = st.lists(st.text("0123456789ABCDEFxyz,.-", min_size=1, max_size=9), max_size=4).map(" ".join)
frames = st.tuples(
    st.sampled_from(KINDS), st.integers(0, LAST_TOKEN), st.integers(0, LAST_SEQ), bodies
)  # fmt: skip


def test_a_frame_by_example() -> None:
    line = encode(STATE, 0x4F2A, 28, "FFF 7")
    assert line.startswith(b"S 00004F2A 0000001C FFF 7 ")
    assert decode(line.rstrip(b"\n")) == (STATE, 0x4F2A, 28, "FFF 7")


@settings(deadline=None)
@given(frames)
def test_every_frame_comes_back_as_it_was(frame: tuple[str, int, int, str]) -> None:
    line = encode(*frame)
    assert len(line) <= LONGEST
    assert decode(line[:-1]) == frame


@settings(deadline=None)
@given(frames, st.data())
def test_no_frame_with_a_byte_changed_is_one(frame: tuple[str, int, int, str], data: st.DataObject) -> None:
    line = bytearray(encode(*frame)[:-1])
    at = data.draw(st.integers(0, len(line) - 1))
    line[at] = data.draw(st.integers(0, 255).filter(lambda byte: byte != line[at]))
    assert decode(bytes(line)) is None


@settings(deadline=None)
@given(st.binary(max_size=LONGEST + 20))
def test_noise_is_no_frame(noise: bytes) -> None:
    assert decode(noise) is None


@pytest.mark.parametrize(
    "line",
    [
        encode(STATE, 0xABCD, 1, "FFF 7")[:-1].lower(),
        encode(STATE, 0xABCD, 1, "FFF 7")[:-1] + b" ",
        b" " + encode(STATE, 0xABCD, 1, "FFF 7")[:-1],
        encode(STATE, 0xABCD, 1, "FFF 7")[:-1] + b"\r",
        encode("X", 0xABCD, 1, "FFF 7")[:-1],
        encode("SS", 0xABCD, 1, "FFF 7")[:-1],
        b"",
    ],
)
def test_a_frame_has_one_form_only(line: bytes) -> None:
    assert decode(line) is None


@settings(deadline=None)
@given(
    st.lists(st.one_of(frames.map(lambda frame: encode(*frame)), st.binary(max_size=200)), max_size=8),
    st.data(),
)
def test_however_it_is_cut_the_same_frames_come_out(parts: list[bytes], data: st.DataObject) -> None:
    stream, whole, cut = b"".join(parts), Lines(), Lines()
    expected = whole.feed(stream)
    found, at = [], 0
    while at < len(stream):
        size = data.draw(st.integers(1, 40))
        found += cut.feed(stream[at : at + size])
        at += size
    assert (found, cut.bad) == (expected, whole.bad)


def test_after_noise_the_next_whole_line_counts() -> None:
    lines, line = Lines(), encode(GIVE, 1, 1)
    assert lines.feed(b"\xff" * 5000 + b"\n" + line) == [(GIVE, 1, 1, "")]
    assert lines.feed(line[:9]) == []
    assert lines.feed(line) == []  # half a line before it spoils it
    assert lines.feed(b"\n" + line) == [(GIVE, 1, 1, "")]
    assert lines.bad == 2


_ON_CHIP = """
import json, sys
sys.path.insert(0, sys.argv[1])
from wire import Lines, encode
frames = json.loads(sys.stdin.read())
lines = Lines()
stream = b"".join(encode(*frame) for frame in frames)
print(json.dumps([stream.decode(), lines.feed(stream), lines.feed(b"junk\\n" + stream[3:]), lines.bad]))
"""


@needs_micropython
def test_the_chip_writes_and_reads_the_same_lines(tmp_path: Path) -> None:
    frames = [
        [kind, token, seq, body]
        for kind in KINDS
        for token, seq, body in (
            (0, 0, ""),
            (LAST_TOKEN, LAST_SEQ, "FFF 7"),
            (0x4F2A, 28, "1 boxkeeper-pico t12"),
        )
    ]
    script = tmp_path / "ask.py"
    script.write_text(_ON_CHIP)
    done = subprocess.run(
        [sys.executable, "-c", _START, str(script), str(FIRMWARE)],
        input=json.dumps(frames), capture_output=True, text=True, check=True, timeout=30,
    )  # fmt: skip
    stream = b"".join(encode(kind, token, seq, body) for kind, token, seq, body in frames)  # type: ignore[arg-type]
    here = Lines()
    expected = [stream.decode(), here.feed(stream), here.feed(b"junk\n" + stream[3:]), here.bad]
    assert json.loads(done.stdout) == json.loads(json.dumps(expected))


def test_hello_is_read_by_any_version() -> None:
    assert decode(encode(HELLO, 7, 1, "99 something else entirely")[:-1]) == (
        HELLO, 7, 1, "99 something else entirely",
    )  # fmt: skip

# What goes over the serial wire, for both of its ends: this file runs on the chip (MicroPython) and on
# the host.
#
# A frame is a line of ASCII, each part once and in one form only, so that a line that is accepted is the very
# line that was sent:
#
#     S 4F2A901C 0000001C FFF 7 666E581E
#     | |        |        |     CRC-32 (ISO-HDLC) of all before the last space
#     | |        |        body, by kind
#     | |        sequence number of the sender, from 1
#     | token that the host chose when it greeted; 0: not greeted yet
#     kind
#
# Token, number and check sum are eight hexadecimal digits each.
#
# From the host: Q greet with a new token; G give the whole state; L lamps, a mask; T tone, Hz and volume.
# From the chip: H hello: version, name of the firmware, abilities; S the whole state: tiles, buttons.
"""The frames of the serial link."""

from binascii import crc32

VERSION = 1
LONGEST = 120  # bytes in a line, its end not counted; what is longer is no frame
GREET, GIVE, LAMPS, TONE = "Q", "G", "L", "T"
HELLO, STATE = "H", "S"
KINDS = "QGLTHS"
LAST_TOKEN = LAST_SEQ = 0xFFFFFFFF


def encode(kind: str, token: int, seq: int, body: str = "") -> bytes:
    """The line of a frame, with its end.  ``body``: printable ASCII, words parted by one space."""
    payload = f"{kind} {token:08X} {seq:08X} {body}"
    return f"{payload} {crc32(payload.encode()):08X}\n".encode()


def decode(line: bytes) -> tuple[str, int, int, str] | None:
    """Kind, token, sequence number and body of a line without its end; None for anything else."""
    if len(line) > LONGEST:
        return None
    for byte in line:
        if not 32 <= byte < 127:
            return None
    parts = line.decode().split(" ")
    if len(parts) < 5 or parts[0] not in KINDS or len(parts[0]) != 1:
        return None
    try:
        kind, token, seq, body = parts[0], int(parts[1], 16), int(parts[2], 16), " ".join(parts[3:-1])
    except ValueError:
        return None
    # Written anew it must be the same: one form only, and the check sum with it.
    if (
        not 0 <= token <= LAST_TOKEN
        or not 0 <= seq <= LAST_SEQ
        or encode(kind, token, seq, body) != line + b"\n"
    ):
        return None
    return kind, token, seq, body


class Lines:
    """Cuts a stream into frames, however it comes in pieces.

    ``bad``: how many lines were none.  A line that grows too long is dropped to its end.
    """

    def __init__(self) -> None:
        """Nothing has come yet."""
        self.bad = 0
        self._line = bytearray()
        self._is_overlong = False

    def feed(self, data: bytes) -> list[tuple[str, int, int, str]]:
        """The frames that ``data`` completes."""
        frames: list[tuple[str, int, int, str]] = []
        start = 0
        while start < len(data):
            end = data.find(b"\n", start)
            piece = data[start:] if end < 0 else data[start:end]
            if len(self._line) + len(piece) > LONGEST:
                self._is_overlong = True
                self._line = bytearray()
            elif not self._is_overlong:
                self._line.extend(piece)
            if end < 0:
                break
            frame = None if self._is_overlong else decode(bytes(self._line))
            if frame is not None:
                frames.append(frame)
            elif self._line or self._is_overlong:
                self.bad += 1
            self._line = bytearray()
            self._is_overlong = False
            start = end + 1
        return frames

"""Chance for seats that the box plays."""

from __future__ import annotations

from hashlib import sha256


class Drawn:
    """Numbers that follow from a moment of a match alone: replayed, it is the same carelessness."""

    def __init__(self, moment: object) -> None:
        """``moment``: what tells it from others, by its ``repr``."""
        self._moment = moment
        self._count = 0

    def random(self) -> float:
        """A number from 0 up to, not with, 1."""
        self._count += 1
        digest = sha256(repr((self._moment, self._count)).encode()).digest()
        return int.from_bytes(digest[:6], "big") / (1 << 48)

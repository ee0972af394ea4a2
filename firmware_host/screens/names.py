"""People's names as the panel can show them."""

from __future__ import annotations

import unicodedata

from firmware_host.screens.fonts import Font, can_draw
from firmware_host.screens.words import say
from firmware_host.table.view import View


def drawable(name: str, font: Font) -> str:
    """``name`` as ``font`` draws it; empty where it cannot."""
    composed = unicodedata.normalize("NFC", name).strip()
    return composed if can_draw(composed, font) else ""


def shown(name: str, seat: int, font: Font) -> str:
    """``name`` where ``font`` can draw it, else the seat; ``seat`` counts from 0.

    >>> shown("李", 1, Font.MEDIUM)
    'P2'
    """
    return drawable(name, font) or say("seat", seat=seat + 1)


def seat_of(name: str, view: View) -> int:
    """Where ``name`` sits, from 0; of a name without a seat: whose turn it is."""
    names = [total[0] for total in view.totals]
    return names.index(name) if name in names else view.seat

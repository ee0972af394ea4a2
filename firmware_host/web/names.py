"""Names as somebody typed them at a page: refused with the reason, each in a line."""

from __future__ import annotations

from firmware_host.config_values import LONGEST_NAME
from firmware_host.web.refusals import Refused, shown

MOST_PLAYERS = 20


def read_name(typed: object) -> str:
    """The name that ``typed`` can be; Refused for what is none.  Whether it is too long, the table says."""
    if not isinstance(typed, str) or not typed.strip():
        raise Refused(400, "a name, please")
    if len(typed.strip()) > 2 * LONGEST_NAME or not typed.isprintable():
        raise Refused(400, f"{shown(typed)} is no name: 1 to {LONGEST_NAME} characters, please")
    return typed


def read_players(typed: list[object]) -> list[str]:
    """Who is to play; Refused for nobody, and for too many."""
    if not typed:
        raise Refused(400, "name at least one player")
    if len(typed) > MOST_PLAYERS:
        raise Refused(400, f"at most {MOST_PLAYERS} players")
    return [read_name(name) for name in typed]

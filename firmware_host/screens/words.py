"""Every word on the panel, in one table; another language is another table."""

from __future__ import annotations

from collections.abc import Mapping

ENGLISH: Mapping[str, str] = {
    # What others rely on (plays, pages, people): extended, not renamed.
    "roll": "ROLL",
    "one_or_two": "1 or 2",
    "open": "OPEN",
    "shut": "SHUT",
    "wins": "WINS",
    "paused": "PAUSED",
    # Scenes
    "title": "Boxkeeper",
    "next_play": "NEXT: play",
    "next_again": "NEXT: again",
    "next_or_back": "NEXT yes  BACK other",
    "one_die": "one die",
    "flip_tiles": "flip tiles",
    "more": "more",
    "shut_the_box": "SHUT THE BOX!",
    "saved": "all is saved",
    "no_winner": "Match over",
    # People
    "seat": "P{seat}",
    "result": "{name} {score}",
    "several_win": "WINS: {names}",
    "one_wins": "{names} WINS",
    "and": "&",
    "unplayed": "-",
    "up_next": "→ {name}",
    # Notices, by the name of the Notice
    "notice.tiles_first": "Tiles first",
    "notice.tiles_first_missing": "First shut {missing}",
    "notice.not_now": "Not now",
    "notice.two_dice": "Two dice",
    "notice.one_die": "One die",
    "notice.undone": "Undone",
    "notice.nothing_to_undo": "Nothing to undo",
    "notice.resumed": "Resumed",
    "notice.damaged": "Journal damaged",
    # Why a turn ended, by the public reason
    "reason.no_move": "{total} fits nothing",
    "reason.shut": "shut the box",
    "reason.unlucky": "unlucky {total}",
    "reason.passed": "passed",
    "reason.blocked": "blocked",
    "reason.ended_by_hand": "ended by hand",
    "reason.left": "left",
    # Lost devices, by name
    "trouble.store": "NOT SAVED",
    "trouble.tiles": "NO TILES",
    "trouble.dice": "NO DICE",
    "trouble.buttons": "NO BUTTONS",
    "trouble.display": "NO DISPLAY",
    "trouble.more": "+{count}",
}
"""Key -> text; ``{...}`` are filled in by :func:`say`."""


def say(key: str, **fields: object) -> str:
    """The text of ``key``, filled in; empty where the table has no such key.

    >>> say("result", name="Ann", score=14)
    'Ann 14'
    """
    return ENGLISH.get(key, "").format(**fields)

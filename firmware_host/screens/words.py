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
    "throw": "THROW",
    "title": "Boxkeeper",
    "next_play": "NEXT: play",
    "next_again": "NEXT: again",
    "back_set_up": "BACK: set up",
    "next_end_turn": "NEXT: end turn",
    "next_set_dice": "NEXT: set the dice",
    "next_or_back": "NEXT yes  BACK other",
    "next_type_dice": "NEXT: type the dice",
    "one_die": "one die",
    "flip_tiles": "flip tiles",
    "flip_these": "↓",
    "more": "more",
    "shut_the_box": "SHUT THE BOX!",
    "own_best": "{total}, your best {best}",
    "good_move": "OK",
    "saved": "all is saved",
    "no_winner": "Match over",
    # What the buttons do, a part for each (two spaces between them)
    "buttons_choose": "ROLL ↓  NEXT ok  BACK out",
    "buttons_dice": "ROLL +  BACK -  NEXT ok",
    "buttons_digit": "ROLL up  BACK down  NEXT ok",
    "hold_one_die": "hold ROLL: 1 die",
    "hold_two_dice": "hold ROLL: 2 dice",
    "played": "{total} done",
    # The menu: choices, by key
    "menu_not_seen": "Tile not seen",
    "menu_end_turn": "End this turn",
    "menu_set_score": "Set a total",
    "menu_leave": "Player leaves",
    "menu_set_up": "New match",
    "menu_abandon": "Abandon match",
    "set_up_house": "House rules",
    "preset": "{name}",
    "one_player": "1 player",
    "players": "{number} players",
    "dice_roller": "Box rolls",
    "dice_camera": "Camera reads",
    "dice_keypad": "Type the dice",
    "dice_none": "Dice not told",
    # The menu: titles, by key of the page
    "title.menu": "Menu",
    "title.menu_leave": "Who leaves?",
    "title.menu_set_score": "Whose total?",
    "title.set_up_rules": "Which rules?",
    "title.set_up_players": "How many players?",
    "title.set_up_seat": "Seat {number}: who?",
    "title.set_up_dice": "Which dice?",
    "score": "Total",
    "score_of": "{name}: total",
    "more_above": "▲",
    "more_below": "▼",
    # The menu: a line about a choice (those of presets are told by the presets)
    "about.set_up_house": "the rules of this table",
    "about.dice_roller": "no real dice: the box throws",
    "about.dice_camera": "throw real dice, the camera reads them",
    "about.dice_keypad": "throw real dice, type what they show",
    "about.dice_none": "throw real dice, nobody checks the tiles",
    # People
    "seat": "P{seat}",
    "seat_entry": "P{seat} #{number}",
    "result": "{name} {score}",
    "result_why": "{result}: {why}",
    "deed": "{name} {why}",
    "several_win": "WINS: {names}",
    "one_wins": "{names} WINS",
    "and": "&",
    "unplayed": "-",
    # Notices, by the name of the Notice
    "notice.tiles_first": "Tiles first",
    "notice.tiles_first_missing": "First shut {missing}",
    "notice.not_now": "Not now",
    "notice.no_dice": "No dice",
    "notice.two_dice": "Two dice",
    "notice.one_die": "One die",
    "notice.stuck": "Stuck? Hold NEXT",
    "notice.undone": "Undone",
    "notice.nothing_to_undo": "Nothing to undo",
    "notice.resumed": "Resumed",
    "notice.damaged": "Journal damaged",
    # Why a throw cannot be told, by the camera's code, and what to do about it
    "refused.no_dice": "No dice seen",
    "refused.one_die": "Only one die",
    "refused.two_dice": "Two dice seen",
    "refused.more_than_two": "Too many dice",
    "refused.moving": "Something moves",
    "refused.touching_ambiguous": "Dice too close",
    "refused.cocked": "A die is tilted",
    "refused.stacked": "Dice on dice",
    "refused.on_rim": "A die off the floor",
    "refused.occluded": "Tray not clear",
    "refused.low_contrast": "Too dark to see",
    "refused.glare": "Glare on the dice",
    "refused.disagree": "Not sure of them",
    "refused.camera_moved": "Camera has moved",
    "refused.camera_failed": "No picture",
    "mend": "Throw again",
    "mend.camera_moved": "Calibrate again",
    "mend.low_contrast": "More light",
    "mend.glare": "Less light",
    "mend.occluded": "Clear the tray",
    "mend.two_dice": "Throw one die",
    # Why a turn ended, by the public reason
    "reason.no_move": "{total} fits nothing",
    "reason.shut": "shut the box",
    "reason.unlucky": "unlucky {total}",
    "reason.moved": "moved",
    "reason.passed": "passed",
    "reason.blocked": "blocked",
    "reason.ended_by_hand": "turn ended",
    "reason.left": "left",
    # Lost devices, by name
    "trouble.store": "NOT SAVED",
    "trouble.tiles": "NO TILES",
    "trouble.dice": "NO DICE",
    "trouble.camera": "NO CAMERA",
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

"""The table for those who watch it from afar: plain values, ready for JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from firmware_host.games.match import Match
from firmware_host.games.sequence_dice.notation import format_square
from firmware_host.table import chips
from firmware_host.table.history import History
from firmware_host.table.portrait import portray
from firmware_host.table.report import report
from firmware_host.table.state import Session
from firmware_host.table.view import Board, Notice, View


def board(session: Session, now: float) -> dict[str, Any]:
    """What a scoreboard shows.

    ``scene``: a :class:`~firmware_host.table.view.Scene` in lower case; a menu on the panel hides nothing
    here.  ``match``: its number, 0 before the first.  ``open``: as the tiles lie.  ``to_open``,
    ``to_shut``: tiles to put right.  ``missing``: how much of the roll is still to be played.  ``legal``:
    the sets that the roll may move.  ``chips``: the board of Sequence Dice, else null.  ``is_tumbling``: the
    dice are not told yet.  ``seq``: of the last record, so that a watcher knows when the history has grown.
    ``lit``: tiles to point at; ``chances``: to win, by seat, in percent: both where the view tells them.
    """
    view = portray(replace(session, dialog=None), now)
    game = session.history.game
    now_told = report(session)
    return {
        "scene": view.scene.name.lower(),
        "seq": session.history.seq,
        "tiles": view.tiles,
        "open": view.open,
        "blind": view.blind,
        "lit": sorted(view.lit),
        "to_open": view.must_open,
        "to_shut": view.must_shut,
        "dice": () if view.tumble else view.dice,
        "is_tumbling": bool(view.tumble),
        "dice_allowed": view.dice_allowed,
        "missing": view.to_shut,
        "legal": () if view.tumble or view.board else now_told.legal,
        "chips": None if view.board is None else _chips(view.board),
        "notice": _notice(view.notice),
        "last_turn": _last_turn(view),
        "troubles": view.troubles,
        "player": view.player,
        "winners": view.winners,
        "chances": view.chances,
        **(_of_match(game.match, session.history) if game is not None else {"match": 0, "seats": ()}),
    }


def _chips(shown: Board) -> dict[str, Any]:
    """The board of Sequence Dice; squares are numbers from 0, but those to put right as ``r0c1 green``."""
    place, lift = chips.named(shown.place, shown.lift)
    return {
        "squares": shown.squares,
        "marked": sorted(shown.marked),
        "asks": shown.asks,
        "ordered": None if shown.ordered is None else format_square(shown.ordered),
        "colour": shown.colour,
        "victim": shown.victim,
        "place": place,
        "lift": lift,
    }


def _of_match(match: Match, history: History) -> dict[str, Any]:
    settings = history.settings
    return {
        "match": match.number,
        "round": match.round,
        "pot": history.pot,
        "is_over": match.is_over,
        "kind": match.rules.kind.value,
        "rounds": match.rules.rounds,
        "limit": match.rules.limit,
        "stake": match.rules.stake,
        "source": settings.get("dice.source", ""),
        "seats": [
            {
                "name": name,
                "total": match.totals[seat],
                "score": match.scores[seat],
                "has_played": seat in match.played,
                "is_out": seat in match.out,
                "has_left": seat in match.left,
                "to_play": name in match.to_play,
            }
            for seat, name in enumerate(match.players)
        ],
    }


def _notice(notice: Notice | None) -> str:
    return notice.name.lower() if notice is not None else ""


def _last_turn(view: View) -> dict[str, Any] | None:
    last = view.last_turn
    if last is None:
        return None
    return {"player": last.player, "score": last.score, "reason": str(last.reason), "dice": last.dice}

"""People and matches as pages, made from what is kept."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from firmware_host.errors import JournalError
from firmware_host.store.looking import looking
from firmware_host.store.match_story import last_match, match_story
from firmware_host.store.person import matches_of, turn_scores
from firmware_host.store.queries import Standing, commonest_kind, decisions, standings
from firmware_host.store.skill import given_away_by_player
from firmware_host.web.markup import Child, Markup, page, table, tag
from firmware_host.web.match_page import match_row, person, points, show_match
from firmware_host.web.plot import plot_scores
from firmware_host.web.refusals import Refused, shown
from firmware_host.web.table import Table

MOST_MATCHES = 100  # on a page
MOST_DIGITS = 18  # of a number that SQLite can keep
_NOBODY = "Nobody has played yet."
_MATCH = ("Match", "When", "Players", "Won by", "Rules")

Page = Callable[[sqlite3.Connection, Request], Response]


def routes(table: Table) -> list[BaseRoute]:
    """Each page is made in one worker, and looks at the store at one moment."""
    worker = ThreadPoolExecutor(1, thread_name_prefix="pages")
    pages: dict[str, Page] = {
        "/people": _people,
        "/person": _person,
        "/matches": _matches,
        "/matches/{number}": _match,
    }
    return [Route(path, partial(_serve, table, worker, make)) for path, make in pages.items()]


async def _serve(table: Table, worker: ThreadPoolExecutor, make: Page, request: Request) -> Response:
    def look() -> Response:
        with looking(table.store_path) as db:
            return make(db, request)

    try:
        return await asyncio.get_running_loop().run_in_executor(worker, look)
    except JournalError:  # nothing was kept yet, or it cannot be read now
        return page(
            "Boxkeeper", tag("p", "Nothing is kept yet, or it cannot be read just now.", class_="card")
        )


def _people(db: sqlite3.Connection, _: Request) -> Response:
    people = standings(db)
    if not people:
        return page("People", tag("p", _NOBODY, class_="card"))
    kind = commonest_kind(people)
    rows = sorted(people, key=lambda one: (-one.won, -one.played, one.player))
    heading = ("Player", "Played", "Won", "Best", "Mean", "Boxes shut", "Points")
    told = table(heading, [(person(one.player), *_numbers(one, kind)) for one in rows], "Standings")
    compared = f"Best and mean are of turns with tiles {kind[0]}, scored by {kind[1]}." if kind else None
    return page("People", tag("section", told, tag("p", compared, class_="soft"), class_="card"))


def _numbers(one: Standing, kind: tuple[str, str] | None) -> tuple[Child, ...]:
    scored = one.in_kind(kind)
    best, mean = (scored.best, f"{scored.mean:.1f}") if scored is not None else ("–", "–")
    return (one.played, one.won, best, mean, one.boxes_shut, points(one.points))


def _person(db: sqlite3.Connection, request: Request) -> Response:
    name = request.query_params.get("name", "")
    people = standings(db)
    one = next((standing for standing in people if standing.player == name), None)
    if one is None:
        raise Refused(404, f"nobody here is called {shown(name)}")
    stories = [story for number in matches_of(db, name, MOST_MATCHES) if (story := match_story(db, number))]
    away = _given_away(db, people, name)
    facts: list[tuple[str, Child]] = [
        ("Matches played", one.played), ("Won", one.won), ("Boxes shut", one.boxes_shut),
        ("Points", points(one.points)),
        ("Points given away a turn", f"{away:.1f}" if away is not None else "not known"),
    ]  # fmt: skip
    cards = [tag("div", tag("dt", what), tag("dd", value)) for what, value in facts]
    kinds = [_kind(db, name, scored.tiles, scored.scoring, scored.best, scored.mean) for scored in one.scored]
    matches = table(_MATCH, [match_row(story) for story in stories], f"Matches of {name}")
    return page(
        name, tag("dl", *cards, class_="facts card"), *kinds,
        tag("section", tag("h2", "Matches"), matches, class_="card"),
    )  # fmt: skip


def _given_away(db: sqlite3.Connection, people: list[Standing], name: str) -> float | None:
    """Points a turn, in turns of the commonest kind, as ``boxkeeper scores`` tells them; None: not known."""
    kind = commonest_kind(people)
    if kind is None:
        return None
    return given_away_by_player(one for one in decisions(db, kind) if one.player == name).get(name)


def _kind(db: sqlite3.Connection, name: str, tiles: str, scoring: str, best: int, mean: float) -> Markup:
    scores = turn_scores(db, name, (tiles, scoring))
    title = f"Tiles {tiles}, scored by {scoring}: best {best}, mean {mean:.1f}"
    return tag("section", tag("h2", title), plot_scores(scores, f"Scores of {name}. {title}"), class_="card")


def _matches(db: sqlite3.Connection, _: Request) -> Response:
    last = last_match(db)
    numbers = range(last, max(0, last - MOST_MATCHES), -1)
    stories = [story for number in numbers if (story := match_story(db, number))]
    if not stories:
        return page("Matches", tag("p", _NOBODY, class_="card"))
    told = table(_MATCH, [match_row(story) for story in stories], "Matches, the latest first")
    return page("Matches", tag("section", told, class_="card"))


def _match(db: sqlite3.Connection, request: Request) -> Response:
    typed: str = request.path_params["number"]
    is_number = typed.isascii() and typed.isdecimal() and len(typed) <= MOST_DIGITS
    story = match_story(db, int(typed)) if is_number else None
    if story is None:
        raise Refused(404, f"there is no match {typed[:20]}")
    return show_match(story)

"""HTML in which text stays text: whatever is no :class:`Markup` is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import quote

from starlette.responses import HTMLResponse, Response

_EMPTY = frozenset(("meta", "link"))


class Markup(str):
    """HTML that was made here."""


Child = str | int | None


def tag(element: str, /, *children: Child, **attributes: Child) -> Markup:
    """An element; ``class_`` and such lose the ``_``, ``stroke_width`` becomes ``stroke-width``.

    >>> tag("p", "a < b", class_="x")
    '<p class="x">a &lt; b</p>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if element in _EMPTY:
        return Markup(f"<{element}{given}>")
    return Markup(f"<{element}{given}>{joined(children)}</{element}>")


def joined(children: Iterable[Child]) -> Markup:
    """One after the other."""
    return Markup("".join(c if isinstance(c, Markup) else escape(str(c)) for c in children if c is not None))


def link(path: str, text: Child, query: Iterable[tuple[str, str]] = ()) -> Markup:
    """To ``path`` with ``query``."""
    asked = "&".join(f"{key}={quote(value, safe='')}" for key, value in query)
    return tag("a", text, href=f"{path}?{asked}" if asked else path)


def table(heading: Sequence[str], rows: Iterable[Sequence[Child]], caption: str) -> Markup:
    """A table whose first column names the row; all others are numbers, to the right.

    Each cell has the name of its column, for where there is no room for columns.
    """
    head = tag("tr", *(tag("th", column, scope="col") for column in heading))
    body = [
        tag(
            "tr",
            tag("th", row[0], scope="row"),
            *(tag("td", cell, data_label=name) for name, cell in zip(heading[1:], row[1:], strict=True)),
        )
        for row in rows
    ]
    inner = (tag("caption", caption, class_="sr"), tag("thead", head), tag("tbody", *body))
    return tag("div", tag("table", *inner), class_="wide", tabindex=0, role="region", aria_label=caption)


def page(title: str, *body: Child, status: int = 200) -> Response:
    """A whole page below the common bar."""
    places = (("/", "Scoreboard"), ("/people", "People"), ("/matches", "Matches"), ("/keeper", "Keeper"))
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", f"{title} · Boxkeeper"),
        tag("link", rel="icon", href="/static/icon.svg"),
        tag("link", rel="stylesheet", href="/static/theme.css"),
        tag("link", rel="stylesheet", href="/static/pages.css"),
    )
    nav = tag("nav", *(link(path, text) for path, text in places), aria_label="Pages")
    bar = tag("header", tag("h1", title), nav, class_="bar")
    whole = tag("html", head, tag("body", bar, tag("main", *body), class_="pages"), lang="en")
    return HTMLResponse(f"<!doctype html>\n{whole}\n", status)

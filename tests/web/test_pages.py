"""People, matches and plots, as pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import firmware_host.web
from firmware_host.games.records import MoveMade, Rolled
from firmware_host.games.shut_the_box.odds import Odds
from firmware_host.games.shut_the_box.odds.aims import Aim
from firmware_host.games.shut_the_box.odds.judging import judge
from firmware_host.games.shut_the_box.rules import Rules
from firmware_host.store.files import FILE_NAME
from firmware_host.store.journal import Journal, Stamp
from firmware_host.store.looking import looking
from firmware_host.store.queries import commonest_kind, decisions, standings
from firmware_host.store.skill import given_away_by_player
from firmware_host.table.history import History
from firmware_host.table.view import Notice
from firmware_host.web.best_play import judged
from firmware_host.web.markup import Markup, tag
from firmware_host.web.plot import plot_scores, running_means

NASTY = "<img src=x>\"'&"
RULES = {"rules.game": "shut-the-box", "rules.tiles": "1-9"}
ANN = "Ann"


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[None]:
    """Two matches: the first was played to its end, the second goes on."""
    with_journal = Journal(tmp_path / FILE_NAME)
    history = with_journal.load()

    def keep(history: History, records: tuple[Any, ...]) -> History:
        after = history.add(records)
        stamp = Stamp(0.0, "2026-01-01T12:00:00+00:00", True)
        with_journal.append(history.seq + 1, records, stamp, after.snapshot())
        return after

    history = keep(history, history.opening({}, (ANN, NASTY)))
    history = keep(history, (Rolled(ANN, (3, 5), 8, "roller"),))
    moved = (MoveMade(ANN, (3, 5), 8, (1, 2, 4, 6, 7, 8, 9)),)
    assert history.game is not None
    for _ in range(2):
        after = history.add(moved) if moved else history
        assert after.game is not None
        history = keep(history, (*moved, *after.game.end_turn()))
        moved = ()
    keep(history, history.opening({"match.kind": "battle"}, (ANN, NASTY)))
    yield
    with_journal.close()


class Elements(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.names.append(name)
        self.attributes += attributes

    def handle_data(self, data: str) -> None:
        self.text += f" {data}"


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("path", ["/people", "/matches", "/matches/1", "/matches/2"])
def test_a_name_is_shown_and_never_run(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    page = Elements(answer.text)
    assert NASTY in page.text
    assert "img" not in page.names
    assert not [key for key, _ in page.attributes if key.startswith("on") or key == "style"]


@pytest.mark.usefixtures("kept")
def test_each_of_the_people_has_a_page_whatever_the_name(client: TestClient) -> None:
    people = Elements(client.get("/people").text)
    links = [value for key, value in people.attributes if key == "href" and value and "person" in value]
    assert len(links) == 2
    for link in links:
        page = Elements(client.get(link).text)
        assert "Matches played" in page.text
        assert "svg" in page.names


@pytest.mark.usefixtures("kept")
def test_a_match_turn_by_turn_tells_the_best_play_and_what_another_one_cost(client: TestClient) -> None:
    text = " ".join(Elements(client.get("/matches/1").text).text.split())
    assert "3 + 5 shuts 3 5 best was 8 (+" in text
    assert re.search(r"Ann: 37 round 1 · ended by hand gave away \d\.\d", text)


@pytest.mark.parametrize("path", ["/people", "/matches", "/matches/1", "/person?name=Ann"])
def test_before_anything_is_kept_that_is_said(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert "Nothing is kept yet" in answer.text


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("path", "why"),
    [("/matches/9", "there is no match 9"), ("/person?name=Zed", "nobody here is called 'Zed'"),
     ("/person", "nobody here is called ''"), ("/matches/" + "9" * 40, "there is no match 9999"),
     ("/matches/" + "9" * 5000, "there is no match 9999"), ("/matches/x", "there is no match x")],
)  # fmt: skip
def test_who_and_what_is_not_there_is_a_line(client: TestClient, path: str, why: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.text.startswith(why)
    assert answer.text.count("\n") == 1


# The best play


def roll(dice: list[int], shut: list[int] | None, left: list[int] | None) -> dict[str, Any]:
    return {"dice": dice, "shut": shut, "open": left}


def test_the_best_of_a_first_roll() -> None:
    (slips,) = judged(RULES, [roll([3, 5], [8], [1, 2, 3, 4, 5, 6, 7, 9])])
    assert slips == []


def test_the_box_goes_on_from_roll_to_roll_and_without_a_choice_there_is_no_best() -> None:
    rolls = [
        roll([6, 6], [3, 9], [1, 2, 4, 5, 6, 7, 8]),
        roll([1, 1], [2], [1, 4, 5, 6, 7, 8]),
        roll([1, 2], None, None),
    ]
    first, second, third = judged(RULES, rolls)
    assert first is not None
    assert (second, third) == (None, None)


@pytest.mark.parametrize(
    ("rules", "rolls"),
    [
        ({**RULES, "match.kind": "battle"}, [roll([3, 5], [8], [1])]),
        (RULES, [roll([], [8], [1])]),
        (RULES, [roll([3, 5], [9], [1])]),
        ({"rules.tiles": "of a later release"}, [roll([3, 5], [8], [1])]),
    ],
    ids=["battle", "dice not told", "set by hand to what is not legal", "unknown rules"],
)
def test_where_it_is_not_known_nothing_is_said(rules: dict[str, Any], rolls: list[dict[str, Any]]) -> None:
    assert judged(rules, rolls) == [None]


def test_the_number_of_dice_counts_as_it_does_everywhere_else() -> None:
    rolls = [
        roll([6, 3], [9], [1, 2, 3, 4, 5, 6, 7, 8]),
        roll([4, 4], [8], [1, 2, 3, 4, 5, 6, 7]),
        roll([3, 4], [7], [1, 2, 3, 4, 5, 6]),
        roll([5, 6], [5, 6], [1, 2, 3, 4]),
        roll([4, 5], [2, 3, 4], [1]),
        roll([1, 1], None, None),
    ]
    turn = [(tuple(one["dice"]), tuple(one["shut"] or ())) for one in rolls]
    table = Odds(Rules.from_match(RULES)).table(Aim.parse("score"))
    shown = [slip for slips in judged(RULES, rolls) for slip in slips or ()]
    assert shown == judge(table, turn)
    assert any(slip.is_dice for slip in shown)


@pytest.mark.usefixtures("kept")
def test_a_person_gives_away_on_the_page_what_the_command_says(client: TestClient, tmp_path: Path) -> None:
    with looking(tmp_path / FILE_NAME) as db:
        kind = commonest_kind(standings(db))
        assert kind is not None
        away = given_away_by_player(decisions(db, kind))[ANN]
    assert away > 0
    assert f"Points given away a turn {away:.1f}" in " ".join(
        Elements(client.get("/person?name=Ann").text).text.split()
    )


# Plots and markup


@pytest.mark.parametrize("scores", [[0], [0, 0, 0], [45], [7] * 500, [123456789, 0], [1, 2, 3]])
def test_a_plot_stays_within_its_frame(scores: list[int]) -> None:
    page = Elements(plot_scores(scores, "Scores"))
    numbers = [float(v) for k, v in page.attributes if k in ("cx", "x", "x1", "x2") and v]
    assert all(0 <= number <= 720 for number in numbers)
    numbers = [float(v) for k, v in page.attributes if k in ("cy", "y", "y1", "y2") and v]
    assert all(0 <= number <= 260 for number in numbers)
    assert page.names.count("circle") == len(scores)


def test_the_line_is_the_mean_of_the_last_ten() -> None:
    assert running_means([4, 8]) == [4, 6]
    assert running_means([100, *[7] * 10])[-1] == 7


def test_text_is_escaped_and_markup_is_not() -> None:
    assert tag("p", "<", Markup("<b>"), title='"') == '<p title="&quot;">&lt;<b></p>'


def test_the_page_has_words_for_every_notice() -> None:
    words = (Path(firmware_host.web.__file__).parent / "static" / "words.js").read_text("utf-8")
    assert [notice for notice in Notice if f"{notice.name.lower()}: " not in words] == []

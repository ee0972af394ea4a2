"""Names: of any script, and nobody has two people's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import RuleError
from firmware_host.store.people import alike, clean, new_name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Ann ", "Ann"),
        ("Zoe\u0308", "Zoë"),
        ("李", "李"),
        ("שרה", "שרה"),
        ("👩‍🚀", "👩‍🚀"),
        ("x" * 20, "x" * 20),
    ],
)
def test_a_name_is_composed_and_trimmed(typed: str, name: str) -> None:
    assert clean(typed) == name


@pytest.mark.parametrize("typed", ["", "  ", "x" * 21, "a\nb", "a\x00", "\ud800", "a\u2028b", "bot:x"])
def test_what_is_no_name_is_refused(typed: str) -> None:
    with pytest.raises(RuleError, match="is no name"):
        clean(typed)


@pytest.mark.parametrize(
    ("typed", "known", "name"),
    [
        ("Ann", [], "Ann"),
        ("Ann", ["Ann"], "Ann 2"),
        ("ann", ["Ann"], "ann 2"),
        ("ＡＮＮ", ["Ann"], "ＡＮＮ 2"),
        ("Zoe\u0308", ["zoë"], "Zoë 2"),
        ("Strasse", ["Straße"], "Strasse 2"),
        ("Ann", ["Ann", "ANN 2"], "Ann 3"),
        ("Ann 2", ["Ann", "Ann 2"], "Ann 2 2"),
        ("x" * 20, ["x" * 20], "x" * 18 + " 2"),
    ],
)
def test_two_people_of_one_name_are_told_apart(typed: str, known: list[str], name: str) -> None:
    assert new_name(typed, known) == name


def test_who_has_the_very_name_is_meant_before_who_has_one_alike() -> None:
    assert alike("ann", ["Ann", "ann"]) == "ann"
    assert alike("ANN", ["Bob", "Ann"]) == "Ann"
    assert alike("Anna", ["Ann"]) is None


NAMES = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=20)


@given(st.lists(NAMES, max_size=12))
def test_no_two_new_people_are_alike(typed: list[str]) -> None:
    known: list[str] = []
    for text in typed:
        try:
            clean(text)
        except RuleError:
            continue
        name = new_name(text, known)
        assert clean(name) == name
        assert alike(name, known) is None
        known.append(name)
